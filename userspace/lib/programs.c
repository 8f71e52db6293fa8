// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The BPF programs: see programs.h. */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "programs.h"
#include "refusal.h"
#include "bcos_evlog.skel.h"

/* The ring that births and deaths go to when their CPU's is full. */
#define SAVED_SIZE (1u << 20)

/* A sample's header in a ring. */
#define HEADER 8

struct taker {
	struct programs *programs;
	u32 cpu;
};

struct programs {
	struct bcos_evlog_bpf *skeleton;
	struct programs_options options;
	struct ring_buffer *rings;
	struct taker *takers;		/* one a CPU */
	int *ring;			/* descriptors, one a CPU, or -1 */
	char *cpus;			/* the map bcos_cpus, mapped */
	size_t stride, mapped;
	struct bpf_link *walk;
	programs_take take;		/* while programs_drain() runs */
	void *context;
};

static int quiet(enum libbpf_print_level level, const char *format, va_list args)
{
	const char *debug = getenv("BCOSLOG_DEBUG");

	return debug && *debug ? vfprintf(stderr, format, args) : (void)level, 0;
}

/* ---- what this kernel is like --------------------------------------------------- */

/* Of the arguments of a tracepoint's probes the one that is @number, as a type; 0: it has fewer. */
static u32 argument_of(const struct btf *btf, const char *name, u32 number)
{
	const struct btf_type *type;
	char full[64];
	s32 id;

	host_format(full, sizeof(full), "btf_trace_%s", name);
	id = btf__find_by_name_kind(btf, full, BTF_KIND_TYPEDEF);
	if (id < 0)
		return 0;
	type = btf__type_by_id(btf, btf__type_by_id(btf, (u32)id)->type);
	if (!type || !btf_is_ptr(type))
		return 0;
	type = btf__type_by_id(btf, type->type);
	/* The first one is the probe's own data. */
	if (!type || !btf_is_func_proto(type) || btf_vlen(type) <= number + 1)
		return 0;
	return btf_params(type)[number + 1].type;
}

static bool is_pointer(const struct btf *btf, u32 type)
{
	return type && btf_is_ptr(btf__type_by_id(btf, type));
}

static int look_at_kernel(struct programs *programs, struct bcos_bpf_config *config)
{
	struct btf *btf = btf__load_vmlinux_btf();
	const struct btf_type *error;

	if (!btf)
		return -errno;
	config->switch_has_state = argument_of(btf, "sched_switch", 3) != 0;
	config->victim_is_task = is_pointer(btf, argument_of(btf, "mark_victim", 0));
	error = btf__type_by_id(btf, argument_of(btf, "block_rq_complete", 1));
	config->block_error_is_errno = error && btf_is_int(error);
	bpf_program__set_autoload(programs->skeleton->progs.bcos_on_disk,
				  btf__find_by_name_kind(btf, "blk_register_queue", BTF_KIND_FUNC) > 0);
	btf__free(btf);
	return 0;
}

/* ---- loading --------------------------------------------------------------------- */

static void choose(struct programs *programs)
{
	struct bcos_evlog_bpf *skeleton = programs->skeleton;
	u32 classes = programs->options.classes;
	const struct {
		struct bpf_program *program;
		u32 classes;
	} optional[] = {
		{ skeleton->progs.bcos_on_sched_switch, BCOS_CLASS_ASSIGN | BCOS_CLASS_STATE | BCOS_CLASS_KERNEL_TIME },
		{ skeleton->progs.bcos_on_sched_wakeup, BCOS_CLASS_STATE },
		{ skeleton->progs.bcos_on_irq_handler_entry, BCOS_CLASS_IRQ | BCOS_CLASS_KERNEL_TIME },
		{ skeleton->progs.bcos_on_irq_handler_exit, BCOS_CLASS_KERNEL_TIME },
		{ skeleton->progs.bcos_on_sys_enter, BCOS_CLASS_API | BCOS_CLASS_KERNEL_TIME },
		{ skeleton->progs.bcos_on_sys_exit, BCOS_CLASS_KERNEL_TIME },
		{ skeleton->progs.bcos_on_cpu_idle, BCOS_CLASS_IDLE },
		{ skeleton->progs.bcos_on_block_rq_complete, BCOS_CLASS_IO },
		{ skeleton->progs.bcos_on_net_dev_xmit, BCOS_CLASS_IO },
		{ skeleton->progs.bcos_on_napi_gro_frags, BCOS_CLASS_IO },
		{ skeleton->progs.bcos_on_napi_gro_receive, BCOS_CLASS_IO },
		{ skeleton->progs.bcos_on_netif_receive, BCOS_CLASS_IO },
		{ skeleton->progs.bcos_on_netif_receive_list, BCOS_CLASS_IO },
		{ skeleton->progs.bcos_on_netif_rx, BCOS_CLASS_IO },
	};
	size_t i;

	for (i = 0; i < sizeof(optional) / sizeof(optional[0]); i++)
		bpf_program__set_autoload(optional[i].program, (optional[i].classes & classes) != 0);
}

static int size_maps(struct programs *programs)
{
	const struct programs_options *options = &programs->options;
	struct bcos_evlog_bpf *skeleton = programs->skeleton;

	return bpf_map__set_max_entries(skeleton->maps.bcos_rings, options->cpus) ?:
	       bpf_map__set_max_entries(skeleton->maps.bcos_cpus, options->cpus) ?:
	       bpf_map__set_max_entries(skeleton->maps.bcos_saved, SAVED_SIZE);
}

static int make_rings(struct programs *programs)
{
	int fd, rings = bpf_map__fd(programs->skeleton->maps.bcos_rings);
	u32 cpu;

	for (cpu = 0; cpu < programs->options.cpus; cpu++) {
		fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "bcos_ring", 0, 0, programs->options.staging, NULL);
		programs->ring[cpu] = fd;
		if (fd < 0 || bpf_map_update_elem(rings, &cpu, &fd, BPF_ANY))
			return -errno;
	}
	return 0;
}

static int map_cpus(struct programs *programs)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	u32 cpu;

	programs->stride = (sizeof(struct bcos_bpf_cpu) + 7) & ~(size_t)7;
	programs->mapped = (programs->stride * programs->options.cpus + page - 1) & ~(page - 1);
	programs->cpus = mmap(NULL, programs->mapped, PROT_READ | PROT_WRITE, MAP_SHARED,
			      bpf_map__fd(programs->skeleton->maps.bcos_cpus), 0);
	if (programs->cpus == MAP_FAILED) {
		programs->cpus = NULL;
		return -errno;
	}
	for (cpu = 0; cpu < programs->options.cpus; cpu++) {
		programs_cpu(programs, cpu)->current_id = BCOS_PROCESS_NONE;
		programs_cpu(programs, cpu)->interrupted = BCOS_PROCESS_NONE;
	}
	return 0;
}

static int take_sample(void *context, void *data, size_t size)
{
	struct taker *taker = context;
	struct programs *programs = taker->programs;

	return programs->take(programs->context, taker->cpu, data, (u32)(size / sizeof(struct bcos_unit)));
}

static int take_saved(void *context, void *data, size_t size)
{
	const struct bcos_bpf_saved *saved = data;
	struct programs *programs = context;
	const struct bcos_raw *raw = (const struct bcos_raw *)saved->unit;

	(void)size;
	if (saved->cpu >= programs->options.cpus || !raw->units || raw->units > 3)
		return 0;
	return programs->take(programs->context, (u32)saved->cpu, saved->unit, raw->units);
}

static int open_rings(struct programs *programs)
{
	u32 cpu;
	int r = 0;

	for (cpu = 0; cpu < programs->options.cpus && !r; cpu++) {
		programs->takers[cpu] = (struct taker){ .programs = programs, .cpu = cpu };
		if (programs->rings)
			r = ring_buffer__add(programs->rings, programs->ring[cpu], take_sample, &programs->takers[cpu]);
		else
			programs->rings = ring_buffer__new(programs->ring[cpu], take_sample, &programs->takers[cpu], NULL);
		if (!programs->rings)
			return -errno;
	}
	/* Behind the others: what is saved is newer than what filled the ring of its CPU. */
	return r ?: ring_buffer__add(programs->rings, bpf_map__fd(programs->skeleton->maps.bcos_saved), take_saved,
				     programs);
}

static u32 kick_mask(u32 staging)
{
	u32 quarter = staging / 4 / (HEADER + sizeof(struct bcos_unit)), mask = 1;

	while (mask <= quarter)
		mask *= 2;
	return mask / 2 - 1;
}

/* @functions: also programs at functions, which not every kernel lets anybody hook. */
static int verify(struct programs *programs, bool functions)
{
	struct bcos_bpf_config config = {
		.classes = programs->options.classes,
		.calls_of = programs->options.calls_of,
		.kick_mask = kick_mask(programs->options.staging),
	};
	int r;

	programs->skeleton = bcos_evlog_bpf__open();
	if (!programs->skeleton)
		return -errno;
	r = look_at_kernel(programs, &config);
	if (r)
		return r;
	programs->skeleton->rodata->bcos_config = config;
	choose(programs);
	if (!functions)
		bpf_program__set_autoload(programs->skeleton->progs.bcos_on_disk, false);
	return size_maps(programs) ?: bcos_evlog_bpf__load(programs->skeleton);
}

static int load(struct programs *programs)
{
	int r = verify(programs, true);

	if (r) {
		bcos_evlog_bpf__destroy(programs->skeleton);
		r = verify(programs, false);
	}
	return r ?: make_rings(programs) ?: map_cpus(programs) ?: open_rings(programs);
}

int programs_load(struct programs **result, const struct programs_options *options, struct bcoslog_error *error)
{
	struct programs *programs = calloc(1, sizeof(*programs));
	u32 cpu;
	int r = -ENOMEM;

	*result = NULL;
	libbpf_set_print(quiet);
	if (!programs)
		return refusal(error, r, "allocating memory");
	programs->options = *options;
	programs->ring = malloc(options->cpus * sizeof(*programs->ring));
	programs->takers = calloc(options->cpus, sizeof(*programs->takers));
	for (cpu = 0; programs->ring && cpu < options->cpus; cpu++)
		programs->ring[cpu] = -1;
	if (programs->ring && programs->takers)
		r = load(programs);
	if (r) {
		programs_free(programs);
		return refusal(error, r, "loading the BPF programs");
	}
	*result = programs;
	return 0;
}

/* So that whoever is seen to come is seen to go: deaths before births. */
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
		ATTACH(bcos_on_sched_process_fork),
		ATTACH(bcos_on_cpuhp_exit),
		ATTACH(bcos_on_irq_handler_entry),
		ATTACH(bcos_on_irq_handler_exit),
		ATTACH(bcos_on_sys_enter),
		ATTACH(bcos_on_sys_exit),
		ATTACH(bcos_on_cpu_idle),
		ATTACH(bcos_on_sched_wakeup),
		ATTACH(bcos_on_disk),
		ATTACH(bcos_on_block_rq_complete),
		ATTACH(bcos_on_net_dev_xmit),
		ATTACH(bcos_on_napi_gro_frags),
		ATTACH(bcos_on_napi_gro_receive),
		ATTACH(bcos_on_netif_receive),
		ATTACH(bcos_on_netif_receive_list),
		ATTACH(bcos_on_netif_rx),
#undef ATTACH
	};
	size_t i;

	for (i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (!bpf_program__autoload(order[i].program))
			continue;
		*order[i].link = bpf_program__attach(order[i].program);
		/* Where that function cannot be hooked, a disk is named a little later. */
		if (!*order[i].link && order[i].program != skeleton->progs.bcos_on_disk)
			return refusal(error, -errno, bpf_program__name(order[i].program));
	}
	programs->walk = bpf_program__attach_iter(skeleton->progs.bcos_walk, NULL);
	return programs->walk ? 0 : refusal(error, -errno, "walking the task list");
}

void programs_free(struct programs *programs)
{
	u32 cpu;

	if (!programs)
		return;
	bpf_link__destroy(programs->walk);
	ring_buffer__free(programs->rings);
	if (programs->cpus)
		munmap(programs->cpus, programs->mapped);
	bcos_evlog_bpf__destroy(programs->skeleton);
	for (cpu = 0; programs->ring && cpu < programs->options.cpus; cpu++)
		if (programs->ring[cpu] >= 0)
			close(programs->ring[cpu]);
	free(programs->ring);
	free(programs->takers);
	free(programs);
}

/* ---- while they run ---------------------------------------------------------------- */

int programs_restate(const struct programs *programs, u32 cpu)
{
	LIBBPF_OPTS(bpf_test_run_opts, options, .flags = BPF_F_TEST_RUN_ON_CPU, .cpu = cpu);

	return bpf_prog_test_run_opts(bpf_program__fd(programs->skeleton->progs.bcos_restate), &options) ? -errno : 0;
}

static void see(struct bcos_seen *seen, const struct bcos_bpf_walked *walked)
{
	*seen = (struct bcos_seen){
		.id = walked->id, .tag = walked->tag, .start = walked->start, .hidden = walked->hidden,
	};
	memcpy(seen->name, walked->name, sizeof(seen->name));
	seen->name[sizeof(seen->name) - 1] = 0;
}

int programs_walk(const struct programs *programs, struct bcos_seen **result, u32 *count)
{
	int fd = bpf_iter_create(bpf_link__fd(programs->walk)), error = 0;
	struct bcos_bpf_walked walked[64];
	struct bcos_seen *seen = NULL, *grown;
	u32 room = 0, found = 0;
	size_t i, part = 0;
	ssize_t n;

	if (fd < 0)
		return -errno;
	for (;;) {
		n = read(fd, (char *)walked + part, sizeof(walked) - part);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			break;
		n += (ssize_t)part;
		part = (size_t)n % sizeof(*walked);
		n /= (ssize_t)sizeof(*walked);
		if (found + (u32)n > room) {
			room = 2 * (found + (u32)n);
			grown = realloc(seen, room * sizeof(*seen));
			if (!grown) {
				error = -ENOMEM;
				break;
			}
			seen = grown;
		}
		for (i = 0; i < (size_t)n; i++)
			see(&seen[found++], &walked[i]);
		memmove(walked, walked + n, part);
	}
	if (n < 0 && !error)
		error = -errno;
	close(fd);
	if (error) {
		free(seen);
		return error;
	}
	*result = seen;
	*count = found;
	return 0;
}

struct bcos_bpf_cpu *programs_cpu(const struct programs *programs, u32 cpu)
{
	return (struct bcos_bpf_cpu *)(programs->cpus + cpu * programs->stride);
}

void programs_named(const struct programs *programs, u32 key, bool there)
{
	int map = bpf_map__fd(programs->skeleton->maps.bcos_named);
	u8 one = 1;

	if (there)
		bpf_map_update_elem(map, &key, &one, BPF_ANY);
	else
		bpf_map_delete_elem(map, &key);
}

int programs_fd(const struct programs *programs)
{
	return ring_buffer__epoll_fd(programs->rings);
}

int programs_drain(struct programs *programs, programs_take take, void *context)
{
	int r;

	programs->take = take;
	programs->context = context;
	r = ring_buffer__consume(programs->rings);
	return r < 0 ? r : 0;
}

u64 programs_missed(const struct programs *programs)
{
	struct bpf_program *program;
	u64 missed = 0;

	bpf_object__for_each_program(program, programs->skeleton->obj) {
		struct bpf_prog_info info = { 0 };
		u32 size = sizeof(info);

		if (bpf_program__fd(program) >= 0 && !bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size))
			missed += info.recursion_misses;
	}
	return missed;
}

u64 programs_memory(const struct programs *programs)
{
	return (u64)programs->options.staging * programs->options.cpus + SAVED_SIZE + programs->mapped;
}
