// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Loading, attaching and querying the BPF programs: see programs.h. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/capture/hook.h"
#include "core/image/image.h"
#include "kernel_types.h"
#include "programs.h"
#include "engine/machine.h"
#include "refusal.h"
#include "host/linux.h"
#include "bcos_evlog_hot.skel.h"
#include "skeleton.h"

/* ---- loading --------------------------------------------------------------------- */

/* Return: the classes that need a tracepoint; ~0 if it is always needed; 0 if it is not in the table of hooks. */
static u32 classes_of(const char *tracepoint)
{
	static const struct {
		const char *tracepoint;
		u32 classes;
	} hooks[] = {
#define HOOK(purpose, tracepoint, classes) { #tracepoint, classes },
		BCOS_HOOKS(HOOK)
#undef HOOK
	};
	u32 classes = 0;
	size_t i;

	for (i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++)
		if (!strcmp(hooks[i].tracepoint, tracepoint))
			classes |= hooks[i].classes ?: ~0u;
	return classes;
}

/* Open the programs; with @hot those that read the counter of interrupts in pcpu_hot (bpf/sched.bpf.c). */
static struct bcos_evlog_bpf *open_skeleton(bool hot)
{
	struct bcos_evlog_bpf *skeleton = calloc(1, sizeof(*skeleton));
	int r = -ENOMEM;

	if (skeleton)
		r = bcos_evlog_bpf__create_skeleton(skeleton);
	if (!r && hot)
		skeleton->skeleton->data = bcos_evlog_hot_bpf__elf_bytes(&skeleton->skeleton->data_sz);
	if (!r)
		r = bpf_object__open_skeleton(skeleton->skeleton, NULL);
	if (r) {
		bcos_evlog_bpf__destroy(skeleton);
		errno = -r;
		return NULL;
	}
	return skeleton;
}

static void choose_waking(struct programs *programs, const struct kernel_types *has)
{
	struct bcos_evlog_bpf *skeleton = programs->skeleton;
	bool wanted = programs->options.classes & BCOS_CLASS_STATE;
	bool may = wanted && !programs->options.no_count;
	bool counted = may && kernel_types_show_count(has);
	bool found = may && !counted && has->queue;

	bpf_program__set_autoload(skeleton->progs.bcos_on_sched_waking_counted, counted);
	bpf_program__set_autoload(skeleton->progs.bcos_on_sched_waking_found, found);
	bpf_program__set_autoload(skeleton->progs.bcos_on_sched_waking, wanted && !counted && !found);
}

/* Choose the programs to load: for a program at a tracepoint the table of hooks says which classes need it. */
static void choose_programs(struct programs *programs, const struct kernel_types *has)
{
	struct bcos_evlog_bpf *skeleton = programs->skeleton;
	u32 classes = programs->options.classes, wanted;
	struct bpf_program *program;
	const char *tracepoint;

	bpf_object__for_each_program(program, skeleton->obj) {
		tracepoint = strchr(bpf_program__section_name(program), '/');
		wanted = tracepoint ? classes_of(tracepoint + 1) : 0;
		if (wanted)
			bpf_program__set_autoload(program, wanted == ~0u || (wanted & classes) != 0);
	}
	/* The table says nothing about a second program at one tracepoint. */
	bpf_program__set_autoload(skeleton->progs.bcos_on_program, (classes & BCOS_CLASS_EXEC) != 0);
	bpf_program__set_autoload(skeleton->progs.bcos_on_birth_cgroup, has->cgroups && classes & BCOS_CLASS_WHO);
	bpf_program__set_autoload(skeleton->progs.bcos_on_cgroup_attach_task, has->cgroups && classes & BCOS_CLASS_WHO);
	bpf_program__set_autoload(skeleton->progs.bcos_on_exec_state, (classes & BCOS_CLASS_STATE) != 0);
	bpf_program__set_autoload(skeleton->progs.bcos_restate, true);
	choose_waking(programs, has);
	wanted = classes & BCOS_CLASS_REQUEST;
	bpf_program__set_autoload(skeleton->progs.bcos_on_block_io_start, wanted && has->request_start);
	bpf_program__set_autoload(skeleton->progs.bcos_on_block_getrq, wanted && !has->request_start);
}

static int size_maps(struct programs *programs)
{
	struct bcos_evlog_bpf *skeleton = programs->skeleton;

	return bpf_map__set_max_entries(skeleton->maps.bcos_cpus, programs->options.cpus) ?:
	       bpf_map__set_max_entries(skeleton->maps.bcos_slots, programs->rings * programs->units);
}

static void *map_array(int map, size_t *size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *memory;

	*size = (*size + page - 1) & ~(page - 1);
	memory = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
	if (memory == MAP_FAILED)
		return NULL;
	/* A child of the calling process does not need the mapping, which would only slow down its fork and exit. */
	madvise(memory, *size, MADV_DONTFORK);
	return memory;
}

int programs_map(struct programs *programs)
{
	programs->stride = (sizeof(struct bcos_bpf_cpu) + 7) & ~(size_t)7;
	programs->cpus_size = programs->stride * programs->options.cpus;
	programs->cpus = map_array(programs->fd.cpus, &programs->cpus_size);
	programs->slots_size = (size_t)programs->rings * programs->units * sizeof(struct bcos_unit);
	programs->slots = map_array(programs->fd.slots, &programs->slots_size);
	return programs->cpus && programs->slots ? 0 : -errno;
}

static int begin_arrays(struct programs *programs)
{
	u32 cpu;
	int r = programs_map(programs);

	if (r)
		return r;
	for (cpu = 0; cpu < programs->options.cpus; cpu++) {
		programs_cpu(programs, cpu)->current_id = BCOS_PROCESS_NONE;
		programs_cpu(programs, cpu)->interrupted = BCOS_PROCESS_NONE;
	}
	return 0;
}

static int ignore_sample(void *context, void *data, size_t size)
{
	(void)context, (void)data, (void)size;
	return 0;
}

int programs_open_kicks(struct programs *programs)
{
	programs->kicks = ring_buffer__new(programs->fd.kicks, ignore_sample, NULL, NULL);
	return programs->kicks ? 0 : -errno;
}

/* Return: the kick_shift with which programs wake the log writer each time a quarter of the ring has filled. */
static u32 kick_shift(u32 units)
{
	u32 shift = 0;

	while (4u << (shift + 1) <= units)
		shift++;
	return shift;
}

static int configure_programs(const struct programs_options *options, struct bcos_bpf_config *config,
			      struct kernel_types *has)
{
	u32 units = options->staging / (u32)sizeof(struct bcos_unit);

	memset(config, 0, sizeof(*config));
	config->classes = options->classes;
	config->calls_of = options->calls_of;
	config->net = machine_net_space();
	config->has_old_groups = machine_has_old_groups();
	config->is_inside = !process_space_is_initial();
	config->units = units;
	config->kick_shift = kick_shift(units);
	return kernel_types_look(config, has);
}

int programs_setup(const struct programs_options *options, u64 *setup)
{
	struct {
		struct bcos_bpf_config config;
		u32 cpus, rings, no_functions, no_count;
	} all;
	size_t size, at;
	struct kernel_types has;
	const u8 *elf;
	u64 byte;
	int r;

	memset(&all, 0, sizeof(all));
	memset(&has, 0, sizeof(has));
	r = configure_programs(options, &all.config, &has);
	if (r)
		return r;
	all.cpus = options->cpus;
	all.rings = options->rings;
	all.no_functions = options->no_functions;
	all.no_count = options->no_count;
	*setup = bcos_image_sum(BCOS_IMAGE_SUM, &all, sizeof(all) & ~7ul);
	elf = has.hot ? bcos_evlog_hot_bpf__elf_bytes(&size) : bcos_evlog_bpf__elf_bytes(&size);
	for (at = 0; at < size; at++) {
		byte = elf[at];
		*setup = bcos_image_sum(*setup, &byte, sizeof(byte));
	}
	return 0;
}

/* Load the programs; with @functions also those that attach to functions, which not every kernel permits. */
static int verify_programs(struct programs *programs, bool functions)
{
	struct bcos_bpf_config config;
	struct kernel_types has;
	int r = configure_programs(&programs->options, &config, &has);

	if (r)
		return r;
	programs->skeleton = open_skeleton(has.hot);
	if (!programs->skeleton)
		return -errno;
	functions &= has.functions;
	config.has_functions = functions;
	programs->skeleton->rodata->bcos_config = config;
	choose_programs(programs, &has);
	bpf_program__set_autoload(programs->skeleton->progs.bcos_on_disk, functions);
	bpf_program__set_autoload(programs->skeleton->progs.bcos_on_disk_gone, functions);
	bpf_program__set_autoload(programs->skeleton->progs.bcos_on_interface, functions);
	bpf_program__set_autoload(programs->skeleton->progs.bcos_on_interface_moved, functions);
	bpf_program__set_autoload(programs->skeleton->progs.bcos_on_interface_gone, functions);
	programs->functions = functions;
	bpf_program__set_autoload(programs->skeleton->progs.bcos_on_frequency_limits, has.frequency_limits);
	bpf_program__set_autoload(programs->skeleton->progs.bcos_on_machine_check, has.machine_checks);
	return size_maps(programs) ?: bcos_evlog_bpf__load(programs->skeleton);
}

/* Try to attach a program to a function: Linux 6.1 on arm64 loads such a program, and refuses only to attach it. */
static int try_functions(struct programs *programs)
{
	struct bpf_link *link = bpf_program__attach(programs->skeleton->progs.bcos_on_interface_gone);

	return link ? bpf_link__destroy(link) : -errno;
}

/* Note what the functions need that run while the programs do: another process may have loaded them (pins.c). */
static void note_descriptors(struct programs *programs)
{
	struct bcos_evlog_bpf *skeleton = programs->skeleton;
	struct programs_fds *fd = &programs->fd;
	struct bpf_program *program;
	int number;

	fd->slots = bpf_map__fd(skeleton->maps.bcos_slots);
	fd->cpus = bpf_map__fd(skeleton->maps.bcos_cpus);
	fd->kicks = bpf_map__fd(skeleton->maps.bcos_kicks);
	fd->named = bpf_map__fd(skeleton->maps.bcos_named);
	fd->memory = bpf_map__fd(skeleton->maps.bss);
	fd->restate = bpf_program__fd(skeleton->progs.bcos_restate);
	fd->walk = bpf_program__fd(skeleton->progs.bcos_walk);
	programs->variables = skeleton->bss;
	bpf_object__for_each_program(program, skeleton->obj) {
		number = bpf_program__fd(program);
		if (number >= 0 && number != fd->restate && number != fd->walk && fd->count < PROGRAMS_MAX)
			fd->recording[fd->count++] = number;
	}
}

static int load_programs(struct programs *programs)
{
	int r = verify_programs(programs, !programs->options.no_functions);

	if (!r && programs->functions)
		r = try_functions(programs);
	if (r) {
		bcos_evlog_bpf__destroy(programs->skeleton);
		/* programs_free() destroys what is here, and the second try may end before it puts something here. */
		programs->skeleton = NULL;
		r = verify_programs(programs, false);
	}
	if (r)
		return r;
	note_descriptors(programs);
	return begin_arrays(programs) ?: programs_open_kicks(programs);
}

struct programs *programs_new(const struct programs_options *options)
{
	struct programs *programs = calloc(1, sizeof(*programs));

	if (!programs)
		return NULL;
	programs->options = *options;
	programs->rings = options->rings;
	programs->units = options->staging / (u32)sizeof(struct bcos_unit);
	programs->held = options->held;
	programs->walk = -1;
	programs->fd = (struct programs_fds){ -1, -1, -1, -1, -1, -1, -1, { 0 }, 0 };
	programs->stuck = calloc(options->rings, sizeof(*programs->stuck));
	programs->read = calloc(options->rings, sizeof(*programs->read));
	if (programs->stuck && programs->read)
		return programs;
	programs_free(programs);
	return NULL;
}

int programs_load(struct programs **result, const struct programs_options *options, struct bcoslog_error *error)
{
	struct programs *programs = programs_new(options);
	int r;

	*result = NULL;
	if (!programs)
		return refusal(error, -ENOMEM, "allocating memory");
	r = load_programs(programs);
	if (r) {
		programs_free(programs);
		return refusal(error, r, "loading the BPF programs");
	}
	*result = programs;
	return 0;
}

/* Attach the iterator, and walk once: the first walk tells the other programs the PID namespace of this process. */
int programs_attach_walk(struct programs *programs)
{
	struct bcos_seen *seen = NULL;
	u32 count;
	int r;

	programs->walk = bpf_link_create(programs->fd.walk, 0, BPF_TRACE_ITER, NULL);
	r = programs->walk >= 0 ? programs_walk(programs, &seen, &count) : -errno;
	if (!r)
		free(seen);
	return r;
}

/*
 * Attach the programs for deaths before those for births, so that each recorded birth has a recorded death. Likewise for
 * interrupts, softirqs and timers: one of which the beginning is seen and the end is not would seem to last until the
 * next one of its CPU, and what a timer wakes meanwhile would seem to be woken by that.
 */
int programs_attach(struct programs *programs, struct bcoslog_error *error)
{
	struct bcos_evlog_bpf *skeleton = programs->skeleton;
	const struct {
		struct bpf_program *program;
		struct bpf_link **link;
	} order[] = {
#define ATTACH(name) { skeleton->progs.name, &skeleton->links.name }
		ATTACH(bcos_on_sched_switch),
		ATTACH(bcos_on_sched_process_exit),
		ATTACH(bcos_on_mark_victim),
		ATTACH(bcos_on_signal_generate),
		ATTACH(bcos_on_task_rename),
		ATTACH(bcos_on_sched_process_exec),
		ATTACH(bcos_on_program),
		ATTACH(bcos_on_sched_process_fork),
		ATTACH(bcos_on_birth_cgroup),
		ATTACH(bcos_on_cgroup_attach_task),
		ATTACH(bcos_on_cpuhp_exit),
		ATTACH(bcos_on_irq_handler_exit),
		ATTACH(bcos_on_irq_handler_entry),
		ATTACH(bcos_on_softirq_exit),
		ATTACH(bcos_on_softirq_entry),
		ATTACH(bcos_on_hrtimer_exit),
		ATTACH(bcos_on_hrtimer_entry),
		ATTACH(bcos_on_sys_enter),
		ATTACH(bcos_on_sys_exit),
		ATTACH(bcos_on_frequency_limits),
		ATTACH(bcos_on_machine_check),
		ATTACH(bcos_on_cpu_idle),
		ATTACH(bcos_on_sched_waking),
		ATTACH(bcos_on_sched_waking_counted),
		ATTACH(bcos_on_sched_waking_found),
		ATTACH(bcos_on_sched_wakeup_new),
		ATTACH(bcos_on_exec_state),
		ATTACH(bcos_on_interface_gone),
		ATTACH(bcos_on_interface_moved),
		ATTACH(bcos_on_interface),
		ATTACH(bcos_on_disk_gone),
		ATTACH(bcos_on_disk),
		ATTACH(bcos_on_block_rq_complete),
		ATTACH(bcos_on_block_rq_issue),
		ATTACH(bcos_on_block_io_start),
		ATTACH(bcos_on_block_getrq),
		ATTACH(bcos_on_net_dev_xmit),
		ATTACH(bcos_on_napi_gro_frags),
		ATTACH(bcos_on_napi_gro_receive),
		ATTACH(bcos_on_netif_receive),
		ATTACH(bcos_on_netif_receive_list),
		ATTACH(bcos_on_netif_rx),
#undef ATTACH
	};
	size_t i;
	int r = programs_attach_walk(programs);

	if (r)
		return refusal(error, r, "walking the task list");
	for (i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (!bpf_program__autoload(order[i].program))
			continue;
		*order[i].link = bpf_program__attach(order[i].program);
		if (!*order[i].link)
			return refusal(error, -errno, bpf_program__name(order[i].program));
	}
	return 0;
}

static void forget_one(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* Close the descriptors of programs that another process loaded. */
static void forget_programs(struct programs *programs)
{
	struct programs_fds *fd = &programs->fd;
	u32 i;

	if (programs->variables)
		munmap(programs->variables, (size_t)sysconf(_SC_PAGESIZE));
	forget_one(fd->slots);
	forget_one(fd->cpus);
	forget_one(fd->kicks);
	forget_one(fd->named);
	forget_one(fd->memory);
	forget_one(fd->restate);
	forget_one(fd->walk);
	for (i = 0; i < fd->count; i++)
		close(fd->recording[i]);
}

void programs_free(struct programs *programs)
{
	if (!programs)
		return;
	if (programs->walk >= 0)
		close(programs->walk);
	ring_buffer__free(programs->kicks);
	if (programs->cpus)
		munmap(programs->cpus, programs->cpus_size);
	if (programs->slots)
		munmap(programs->slots, programs->slots_size);
	if (programs->skeleton)
		bcos_evlog_bpf__destroy(programs->skeleton);
	else
		forget_programs(programs);
	free(programs->stuck);
	free(programs->read);
	free(programs);
}

/* ---- queries while the programs run ------------------------------------------------ */

int programs_restate(const struct programs *programs, u32 cpu)
{
	LIBBPF_OPTS(bpf_test_run_opts, options, .flags = BPF_F_TEST_RUN_ON_CPU, .cpu = cpu);

	return bpf_prog_test_run_opts(programs->fd.restate, &options) ? -errno : 0;
}

int programs_walk(const struct programs *programs, struct bcos_seen **result, u32 *count)
{
	int fd = bpf_iter_create(programs->walk), error = 0;
	size_t room = 64 * sizeof(struct bcos_seen), used = 0;
	char *seen = malloc(room), *grown;
	ssize_t n = 0;

	if (fd < 0)
		error = -errno;
	else if (!seen)
		error = -ENOMEM;
	while (!error) {
		n = read(fd, seen + used, room - used);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			break;
		used += (size_t)n;
		if (used < room)
			continue;
		grown = realloc(seen, 2 * room);
		if (grown) {
			seen = grown;
			room *= 2;
		} else {
			error = -ENOMEM;
		}
	}
	if (n < 0)
		error = -errno;
	if (fd >= 0)
		close(fd);
	if (error) {
		free(seen);
		return error;
	}
	*result = (struct bcos_seen *)seen;
	*count = (u32)(used / sizeof(struct bcos_seen));
	return 0;
}

u32 programs_self(const struct programs *programs)
{
	return READ_ONCE(programs->variables->bcos_walker);
}

struct bcos_bpf_cpu *programs_cpu(const struct programs *programs, u32 cpu)
{
	return (struct bcos_bpf_cpu *)(programs->cpus + cpu * programs->stride);
}

void programs_named(const struct programs *programs, u64 key, bool there)
{
	int map = programs->fd.named;
	u8 one = 1;

	if (there)
		bpf_map_update_elem(map, &key, &one, BPF_ANY);
	else
		bpf_map_delete_elem(map, &key);
}

bool programs_see_devices(const struct programs *programs)
{
	return programs->functions;
}

int programs_fd(const struct programs *programs)
{
	return ring_buffer__epoll_fd(programs->kicks);
}

u64 programs_missed(const struct programs *programs)
{
	u64 missed = programs->skipped;
	u32 i;

	for (i = 0; i < programs->fd.count; i++) {
		struct bpf_prog_info info = { 0 };
		u32 size = sizeof(info);

		if (!bpf_obj_get_info_by_fd(programs->fd.recording[i], &info, &size))
			missed += info.recursion_misses;
	}
	return missed;
}

u64 programs_memory(const struct programs *programs)
{
	return programs->slots_size + programs->cpus_size;
}
