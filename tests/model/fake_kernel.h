/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * handshake_test.c needs these functions and types of the kernel. The functions order accesses to memory as the
 * kernel's do.
 */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include "core/ring/cursor.h"
#include "testhost.h"

/* ---- of the kernel: memory and work items (module/memory.c) -------------------------------------------- */

#define GFP_KERNEL 0
#define BCOS_GFP 0
#define system_unbound_wq NULL
#define PAGE_SHIFT 12
#define SZ_1M (1 << 20)
#define max(a, b) ((a) > (b) ? (a) : (b))

struct work_struct {
	int unused;
};

static u64 pool[4][4];
static u32 pool_used;			/* only the work item uses it */

static long si_mem_available(void)
{
	return SZ_1M;
}

/* Each word of a piece holds the size of the piece. */
static void *kvzalloc(size_t size, int flags)
{
	u64 *memory = pool[pool_used++ % 4];
	u32 i;

	(void)flags;
	for (i = 0; i < 4; i++)
		memory[i] = size;
	return memory;
}

static void kvfree(void *memory)
{
	(void)memory;
}

/* The work item runs as a thread of the model. */
static void queue_work(void *queue, struct work_struct *work)
{
	(void)queue;
	(void)work;
}

/* ---- of the kernel: per-CPU data (module/capture/topology.c) ---------------------------------------------- */

#define CORE 7

#define per_cpu_ptr(variable, cpu) ((void)(cpu), (variable))

/* Each member is in a word of its own, since the model makes a whole word visible at once. */
static struct bcos_core_id {
	u32 id __attribute__((aligned(16)));
	bool known __attribute__((aligned(16)));
} bcos_core_ids;

static u32 bcos_core_now(u32 cpu)
{
	(void)cpu;
	return CORE;
}

/* ---- of the kernel: tasks (module/capture/task.c) ----------------------------------------------------------- */

#define PF_EXITING 4

struct task_struct {
	void *mm;
	unsigned int flags;
};

static unsigned int bcos_task_flags(const struct task_struct *task)
{
	return READ_ONCE(task->flags);
}

static bool bcos_task_is_helper(bool has_mm, unsigned int flags)
{
	return !has_mm && !(flags & PF_EXITING);
}

/* ---- of the kernel: its log (module/writer/kmsg.c) ----------------------------------------------------------- */

typedef struct {
	s64 counter;
} atomic64_t;

static s64 atomic64_read(const atomic64_t *value)
{
	return READ_ONCE(value->counter);
}

static void atomic64_set(atomic64_t *value, s64 to)
{
	WRITE_ONCE(value->counter, to);
}

/* Only one thread of the model exchanges the value, so this need not be atomic. */
static s64 atomic64_xchg(atomic64_t *value, s64 to)
{
	s64 before;

	smp_mb();
	before = READ_ONCE(value->counter);
	WRITE_ONCE(value->counter, to);
	smp_mb();
	return before;
}

struct kmsg_dump_iter {
	u64 cur_seq, next_seq;
};

/* The kernel printed this many lines before the class was switched on. */
#define PRINTED 50

static void kmsg_dump_rewind(struct kmsg_dump_iter *iterator)
{
	iterator->next_seq = PRINTED;
}

static struct {
	bool on;
	atomic64_t begin;
	struct kmsg_dump_iter next;
	size_t at, length;
	u64 missed;
} bcos_kmsg;

/* ---- of the kernel: wait queues (module/writer/waiter.c, module/device) ------------------------------------ */

typedef unsigned int __poll_t;

#define EPOLLIN 1u
#define EPOLLPRI 2u
#define EPOLLOUT 4u
#define EPOLLERR 8u
#define EPOLLRDNORM 0x40u
#define EPOLLWRNORM 0x100u
#define FMODE_READ 1u
#define FMODE_WRITE 2u
#define lockdep_assert_held(lock) ((void)(lock))
#define spin_lock(lock) ((void)(lock))
#define spin_unlock(lock) ((void)(lock))
#define list_for_each_entry(each, list, member) for ((each) = *(list); (each); (each) = NULL)

typedef struct {
	u32 queued;			/* a thread waits */
	u32 woken;			/* a thread was woken */
} wait_queue_head_t;

struct bcos_waiter {
	wait_queue_head_t wait;
	struct bcos_cursor cursor;
	bool bound;
	bool caught_up;
	struct bcos_marks known;
	u32 watermark;
	u32 user;
	u64 told;
};

struct bcos_reader {
	struct bcos_waiter waiter;
	int lock;
};

struct file {
	void *private_data;
	unsigned int f_mode;
};

typedef struct {
	int unused;
} poll_table;

static struct {
	u32 tgid;
} task_of_ours, *current = &task_of_ours;

/* The kernel's poll_wait() takes a lock, which orders no later access. */
static void poll_wait(struct file *file, wait_queue_head_t *wait, poll_table *table)
{
	(void)file;
	(void)table;
	WRITE_ONCE(wait->queued, 1);
}

/* The kernel's wq_has_sleeper() begins with a full barrier. */
static bool wq_has_sleeper(wait_queue_head_t *wait)
{
	smp_mb();
	return READ_ONCE(wait->queued);
}

static void wake_up_interruptible_poll(wait_queue_head_t *wait, __poll_t events)
{
	(void)events;
	WRITE_ONCE(wait->woken, 1);
}

static void bcos_writer_arm(void)
{
}

#endif
