// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading the BTF and the symbols of this kernel: see kernel_types.h. */
#include <bpf/btf.h>
#include <stdio.h>
#include <string.h>

#include "kernel_types.h"

/* Return: the type ID of argument @number of the probes of a tracepoint; 0 if there are fewer arguments. */
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
	/* The first parameter of a probe is its own data, so the arguments follow. */
	if (!type || !btf_is_func_proto(type) || btf_vlen(type) <= number + 1)
		return 0;
	return btf_params(type)[number + 1].type;
}

static bool is_pointer(const struct btf *btf, u32 type)
{
	return type && btf_is_ptr(btf__type_by_id(btf, type));
}

/* The functions to which programs attach. */
static const char *const hooked_functions[] = {
	"blk_register_queue", "del_gendisk", "netdev_register_kobject", "netdev_change_owner", "dev_shutdown",
};

/* Return: the offset in bytes of a member of a structure, also of an unnamed one inside it; -1 if there is none. */
static s64 member_offset(const struct btf *btf, s32 id, const char *name)
{
	const struct btf_type *type = id > 0 ? btf__type_by_id(btf, (u32)id) : NULL;
	const struct btf_member *member;
	const char *own;
	s64 inside;
	u32 i;

	if (!type || !btf_is_composite(type))
		return -1;
	member = btf_members(type);
	for (i = 0; i < btf_vlen(type); i++, member++) {
		own = btf__name_by_offset(btf, member->name_off);
		inside = own && *own ? strcmp(own, name) ? -1 : 0 : member_offset(btf, (s32)member->type, name);
		if (inside >= 0)
			return btf_member_bit_offset(type, i) / 8 + inside;
	}
	return -1;
}

static s64 member_of(const struct btf *btf, const char *structure, const char *name)
{
	return member_offset(btf, btf__find_by_name_kind(btf, structure, BTF_KIND_STRUCT), name);
}

/* Return: the offset of a variable in the memory of each CPU; -1 if the kernel's types do not tell it. */
static s64 variable_offset(const struct btf *btf, const char *name)
{
	s32 id = btf__find_by_name_kind(btf, ".data..percpu", BTF_KIND_DATASEC);
	s32 wanted = btf__find_by_name_kind(btf, name, BTF_KIND_VAR);
	const struct btf_type *section = id > 0 ? btf__type_by_id(btf, (u32)id) : NULL;
	u32 i;

	for (i = 0; section && wanted > 0 && i < btf_vlen(section); i++)
		if (btf_var_secinfos(section)[i].type == (u32)wanted)
			return btf_var_secinfos(section)[i].offset;
	return -1;
}

/* Find how far the count of interrupts and the current task are from the run queue.  Return: false if they are not told. */
static bool find_distances(const struct btf *btf, bool hot, struct bcos_bpf_config *config)
{
	s64 queue = variable_offset(btf, "runqueues"), count, task;

	if (hot) {
		count = member_of(btf, "pcpu_hot", "preempt_count");
		task = member_of(btf, "pcpu_hot", "current_task");
		if (count < 0 || task < 0 || variable_offset(btf, "pcpu_hot") < 0)
			return false;
		count += variable_offset(btf, "pcpu_hot");
		task += variable_offset(btf, "pcpu_hot");
	} else {
		count = variable_offset(btf, "__preempt_count");
		task = variable_offset(btf, "current_task");
	}
	config->count_distance = count - queue;
	config->current_distance = task - queue;
	/* Without groups in the scheduler a task does not know its queue. */
	return queue >= 0 && count >= 0 && task >= 0 && member_of(btf, "sched_entity", "cfs_rq") >= 0 &&
	       member_of(btf, "cfs_rq", "rq") >= 0 && member_of(btf, "rq", "cpu") >= 0;
}

int kernel_types_look(struct bcos_bpf_config *config, struct kernel_types *has)
{
	struct btf *btf = btf__load_vmlinux_btf();
	const struct btf_type *error;
	size_t i;

	if (!btf)
		return -errno;
	config->switch_has_state = argument_of(btf, "sched_switch", 3) != 0;
	config->victim_is_task = is_pointer(btf, argument_of(btf, "mark_victim", 0));
	error = btf__type_by_id(btf, argument_of(btf, "block_rq_complete", 1));
	config->block_error_is_errno = error && btf_is_int(error);
	has->cgroups = argument_of(btf, "cgroup_attach_task", 0) != 0;
	has->request_start = argument_of(btf, "block_io_start", 0) != 0;
	config->requests_by_bio = !has->request_start;
	has->frequency_limits = argument_of(btf, "cpu_frequency_limits", 0) != 0;
	has->machine_checks = argument_of(btf, "mce_record", 0) != 0;
	has->hot = btf__find_by_name_kind(btf, "pcpu_hot", BTF_KIND_VAR) > 0;
	has->count = has->hot || btf__find_by_name_kind(btf, "__preempt_count", BTF_KIND_VAR) > 0;
	has->queue = find_distances(btf, has->hot, config);
	has->functions = true;
	for (i = 0; i < sizeof(hooked_functions) / sizeof(hooked_functions[0]); i++)
		has->functions &= btf__find_by_name_kind(btf, hooked_functions[i], BTF_KIND_FUNC) > 0;
	btf__free(btf);
	return 0;
}

static bool has_address(const char *name)
{
	FILE *symbols = fopen("/proc/kallsyms", "re");
	char line[256], *word, *next;
	bool found = false;

	while (symbols && !found && fgets(line, sizeof(line), symbols)) {
		/* A line is "ffffffff00000000 D name"; the name of a module in brackets may follow. */
		strtok_r(line, " \t\n", &next);
		strtok_r(NULL, " \t\n", &next);
		word = strtok_r(NULL, " \t\n", &next);
		found = word && !strcmp(word, name);
	}
	if (symbols)
		fclose(symbols);
	return found;
}

bool kernel_types_show_count(const struct kernel_types *has)
{
	return has->count && has_address(has->hot ? "pcpu_hot" : "__preempt_count");
}

bool kernel_types_tell_count(const struct kernel_types *has)
{
#ifdef __aarch64__
	/* A field of the task has the count. */
	return true;
#else
	return has->queue || kernel_types_show_count(has);
#endif
}
