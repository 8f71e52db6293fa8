// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Records which program a process executes: the counterpart of module/capture/probes/program.c. */
#include "cgroup_path.h"
#include "task.h"

/* From include/linux/sched/coredump.h; these numbers never change. */
#define DUMPABLE_MASK	3
#define DUMPABLE	1

/* The field for the flags before Linux 6.18, and since then. */
struct mm_struct___word {
	unsigned long flags;
} __attribute__((preserve_access_index));

struct mm_flags___bits {
	unsigned long __mm_flags[1];
} __attribute__((preserve_access_index));

struct mm_struct___bits {
	struct mm_flags___bits flags;
} __attribute__((preserve_access_index));

struct bcos_bpf_program {
	struct bcos_raw raw;
	struct bcos_raw_program program;
	/* Half of this is used. The verifier assumes that reads may be longer. */
	char text[2 * BCOS_RAW_TEXT];
};

/* The record is too large for the stack. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct bcos_bpf_program);
} bcos_program SEC(".maps");

/* May the user read the memory of his program? If this is unknown, the answer is no. */
static __always_inline bool is_dumpable(struct mm_struct *mm)
{
	struct mm_struct___word *older = (void *)mm;
	struct mm_struct___bits *newer = (void *)mm;
	unsigned long flags = 0;

	if (bpf_core_field_exists(newer->flags.__mm_flags))
		flags = BPF_CORE_READ(newer, flags.__mm_flags[0]);
	else if (bpf_core_field_exists(older->flags))
		flags = BPF_CORE_READ(older, flags);
	return (flags & DUMPABLE_MASK) == DUMPABLE;
}

/* Writes the path. Returns the end of the text. */
static __always_inline u32 put_path(struct bcos_bpf_program *record, const char *path)
{
	/* One byte more than fits tells a path that fits from a longer one. */
	long length = bpf_probe_read_kernel_str(record->text, BCOS_RAW_PATH_MAX + 2, path);

	if (length <= 1)
		return 0;
	if (length <= BCOS_RAW_PATH_MAX + 1)
		return (u32)length - 1;
	record->raw.aux |= BCOS_RAW_PATH_CUT;
	return BCOS_RAW_PATH_MAX;
}

/* Writes the cgroup's path in the default hierarchy. Returns the end of the text. */
static __always_inline u32 put_cgroup(struct bcos_bpf_program *record, struct task_struct *task,
				      u32 at)
{
	bool cut = false;
	u32 end = bcos_put_cgroup_path(record->text, at,
				       BPF_CORE_READ(task, cgroups, dfl_cgrp, kn), &cut);

	if (cut)
		record->raw.aux |= BCOS_RAW_CGROUP_CUT;
	/* With old groups everybody may be at this root, and in other groups of version 1. */
	if (end != at || cut || bcos_config.has_old_groups)
		return end;
	record->text[at & (BCOS_RAW_TEXT - 1)] = '/';
	return at + 1;
}

static __always_inline u32 put_arguments(struct bcos_bpf_program *record, struct mm_struct *mm,
					 u32 at)
{
	unsigned long from = BPF_CORE_READ(mm, arg_start);
	unsigned long length = BPF_CORE_READ(mm, arg_end) - from;
	u32 size;

	if (bcos_config.hide_arguments || !is_dumpable(mm)) {
		record->raw.aux |= BCOS_RAW_SECRET;
		return at;
	}
	at &= BCOS_RAW_TEXT - 1;
	if (length > BCOS_RAW_TEXT - at) {
		record->raw.aux |= BCOS_RAW_ARGUMENTS_CUT;
		length = BCOS_RAW_TEXT - at;
	}
	/*
	 * The verifier knows the bounds of @length, and not those of a copy in another register. So
	 * the copy in use is checked again.
	 */
	size = (u32)length;
	asm volatile("" : "+r"(size));
	if (size <= BCOS_RAW_TEXT && !bpf_probe_read_user(&record->text[at], size, (void *)from))
		return at + size;
	record->raw.aux = (record->raw.aux & ~BCOS_RAW_ARGUMENTS_CUT) | BCOS_RAW_SECRET;
	return at;
}

/* This record follows that of bcos_on_sched_process_exec(). */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(bcos_on_program, struct task_struct *task, int old, struct linux_binprm *bprm)
{
	u32 key = 0, path, cgroup, end;
	struct bcos_bpf_program *record = bpf_map_lookup_elem(&bcos_program, &key);

	if (!record || !bcos_task_inside(task))
		return 0;
	record->raw = (struct bcos_raw){ .kind = BCOS_RAW_PROGRAM, .id = task->tgid };
	path = put_path(record, BPF_CORE_READ(bprm, filename));
	cgroup = put_cgroup(record, task, path);
	end = put_arguments(record, BPF_CORE_READ(task, mm), cgroup);
	record->program = (struct bcos_raw_program){
		.user = (u32)bpf_get_current_uid_gid(),
		.tag = bcos_task_tag(task),
		.length = (u16)end,
		.path = (u16)path,
		.cgroup = (u16)(cgroup - path),
	};
	record->raw.units = (u8)(2 +
				 (end + sizeof(struct bcos_unit) - 1) / sizeof(struct bcos_unit));
	bcos_put_units(record, record->raw.units);
	return 0;
}
