// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Records threads that waited long before they ran again, as events of their processes.
 *
 *	sudo bcoslog attach build/bpf/offcpu.bpf.o
 */
#include "vmlinux.h"

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bcos_evlog_kfuncs.h"

#define EVENT_ID	1
#define PF_KTHREAD	0x00200000

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* The shortest absence from the CPU to record, in ns. */
const volatile __u64 threshold = 100000000;

/*
 * The time at which a thread left the CPU (0: it runs), and its longest absence since the last
 * event, in ns.
 */
struct absence {
	__u64 since;
	__u64 longest;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, struct absence);
} absences SEC(".maps");

static __always_inline void leaves_cpu(struct task_struct *task, __u64 now)
{
	struct absence *absence, first = { .since = now };
	__u32 id = task->pid;

	/* The thread's ID will be reused. */
	if (task->exit_state) {
		bpf_map_delete_elem(&absences, &id);
		return;
	}
	absence = bpf_map_lookup_elem(&absences, &id);
	if (absence)
		absence->since = now;
	else
		bpf_map_update_elem(&absences, &id, &first, BPF_ANY);
}

static __always_inline void returns_to_cpu(struct task_struct *task, __u64 now)
{
	struct absence *absence;
	__u32 id = task->pid;
	__u64 since;

	absence = bpf_map_lookup_elem(&absences, &id);
	if (!absence || !absence->since)
		return;
	since = absence->since;
	absence->since = 0;
	if (now - since >= threshold && now - since > absence->longest)
		absence->longest = now - since;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(switched, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u64 now = bpf_ktime_get_ns();

	if (prev->pid && !(prev->flags & PF_KTHREAD))
		leaves_cpu(prev, now);
	if (next->pid && !(next->flags & PF_KTHREAD))
		returns_to_cpu(next, now);
	return 0;
}

/*
 * The event is recorded at the end of a system call of the thread, since its source is the current
 * process.
 */
SEC("tp_btf/sys_exit")
int BPF_PROG(came_back)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct absence *absence;
	__u32 id = task->pid;
	char text[64] = {};
	__u64 values[2];

	absence = bpf_map_lookup_elem(&absences, &id);
	if (!absence || !absence->longest)
		return 0;
	values[0] = id;
	values[1] = absence->longest / 1000000;
	absence->longest = 0;
	bpf_snprintf(text, sizeof(text), "thread %d was off the CPU for %llu ms", values,
		     sizeof(values));
	bcos_evlog_event(EVENT_ID, 0x40, text, sizeof(text));
	return 0;
}
