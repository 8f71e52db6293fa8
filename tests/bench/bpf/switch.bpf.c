// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * These programs show the least that a BPF program costs that keeps a switch: it reads a clock, and writes 24 bytes to
 * an array of this CPU or to a ring buffer.
 */
#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#define RECORDS 1024
#define RING_BYTES (1 << 20)

struct task_struct {
	int pid;
} __attribute__((preserve_access_index));

struct record {
	__u64 time;
	__u32 previous, next;
	__u64 state;
};

/* The array has one element, so that one look-up finds both the place and the record. */
struct kept {
	__u64 head;
	struct record record[RECORDS];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct kept);
} array SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, RING_BYTES);
} ring SEC(".maps");

static __always_inline void fill_record(struct record *record, const struct task_struct *previous,
					const struct task_struct *next, unsigned int state)
{
	record->time = bpf_ktime_get_ns();
	record->previous = previous->pid;
	record->next = next->pid;
	record->state = state;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(empty_switch)
{
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(array_switch, bool preempt, struct task_struct *previous, struct task_struct *next,
	     unsigned int state)
{
	__u32 key = 0;
	struct kept *kept = bpf_map_lookup_elem(&array, &key);

	if (kept)
		fill_record(&kept->record[kept->head++ & (RECORDS - 1)], previous, next, state);
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(ring_switch, bool preempt, struct task_struct *previous, struct task_struct *next,
	     unsigned int state)
{
	struct record *record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);

	if (record) {
		fill_record(record, previous, next, state);
		bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);
	}
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
