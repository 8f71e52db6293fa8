// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Threads that had to wait for long before they ran again, as events of their processes.
 *
 *	sudo bcoslog attach build/bpf/offcpu.bpf.o
 */
#include "vmlinux.h"

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bcos_evlog.h"

#define EVENT_ID	1
#define PF_KTHREAD	0x00200000

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* ns off the CPU from which on it is said. */
const volatile __u64 threshold = 100000000;

/* When a thread was switched out. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, __u64);
} since SEC(".maps");

SEC("tp_btf/sched_switch")
int BPF_PROG(left, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u64 now = bpf_ktime_get_ns();
	__u32 id = prev->pid;

	if (id && !(prev->flags & PF_KTHREAD))
		bpf_map_update_elem(&since, &id, &now, BPF_ANY);
	return 0;
}

/* On its way back, where it is the current thread again. */
SEC("tp_btf/sys_exit")
int BPF_PROG(came_back)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 now = bpf_ktime_get_ns(), values[2], *then;
	__u32 id = task->pid;
	char text[64] = {};

	then = bpf_map_lookup_elem(&since, &id);
	if (!then)
		return 0;
	values[0] = id;
	values[1] = (now - *then) / 1000000;
	bpf_map_delete_elem(&since, &id);
	if (values[1] * 1000000 < threshold)
		return 0;
	bpf_snprintf(text, sizeof(text), "thread %d was off the CPU for %llu ms", values, sizeof(values));
	bcos_evlog_event(EVENT_ID, 0x40, text, sizeof(text));
	return 0;
}
