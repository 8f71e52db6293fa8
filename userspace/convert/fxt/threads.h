/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The threads of an export. A viewer drops the slices of a thread that is on two CPUs at once, so each process has one
 * thread for each CPU that it runs on. The thread table of the format has 255 slots, which are reused in turn.
 */
#ifndef CONVERT_FXT_THREADS_H
#define CONVERT_FXT_THREADS_H

#include "fxt.h"

/**
 * union perfetto_own - what the export to Perfetto keeps of an item instead of koids
 * @process: of a process: its begin in ns since boot, its parent, and what is known of both; its command line is told
 * @device: of a device: the bytes that it has transferred
 * @thread: of a thread that the log names: the kernel has its CPU, and it has not blocked; and the CPU that it had last
 */
union perfetto_own {
	struct {
		u64 begin;
		u32 parent;
		bool has_begin, has_parent, has_arguments;
	} process;
	struct {
		u64 input, output;
	} device;
	struct {
		bool parked;
		u32 cpu;
	} thread;
};

/**
 * struct fxt_thread - a process on a CPU, or another item that records have named
 * @next: next item in the bucket
 * @sibling: for a process: its newest thread; for a thread: the thread before it
 * @link: for a thread: the @sibling that leads to it
 * @pid: the process ID, or the ID of another item
 * @cpu: the CPU; for other items a number above 32 bits
 * @slot: its slot in the thread table; 0: none
 * @used: a record has referred to it before
 * @process: for a thread: its process
 * @renames: for a process: how often its name has changed; for a thread: how many of these records tell of the thread
 * @name: for a process its name; for other items the format decides
 * @length: bytes of @name
 * @pid_koid: the koid of its process
 * @koid: its own koid
 * @own: what only the export to Perfetto has, see perfetto.h
 */
struct fxt_thread {
	struct fxt_thread *next, *sibling;
	u64 cpu;
	u32 pid;
	u8 slot;
	bool used;
	struct fxt_thread *process, **link;
	u64 renames;
	char *name;
	size_t length;
	union {
		struct {
			u64 pid_koid, koid;
		};
		union perfetto_own own;
	};
};

struct fxt_threads {
	struct fxt_thread **buckets;
	unsigned int bits;
	u64 count;
	struct fxt_thread *slots[256];
	unsigned int taken, hand;
};

int fxt_threads_init(struct fxt_threads *threads);
void fxt_threads_free(struct fxt_threads *threads);
void fxt_threads_clear(struct fxt_threads *threads);

/* Finds a thread or item. Returns NULL if it does not exist. */
struct fxt_thread *fxt_thread_find(const struct fxt_threads *threads, u32 pid, u64 cpu);
/* Adds a thread or item, which must not exist yet. Returns NULL if there is no memory. */
struct fxt_thread *fxt_thread_add(struct fxt_threads *threads, u32 pid, u64 cpu);
/* Makes @thread, which is new, one of @process. */
void fxt_thread_join(struct fxt_thread *process, struct fxt_thread *thread);
/* Does the name that records tell of a thread differ from that of its process? */
static inline bool fxt_thread_is_stale(const struct fxt_thread *thread)
{
	return thread->process && thread->renames != thread->process->renames;
}
/* Calls @take for each thread whose name differs from that of its process. */
void fxt_threads_stale(struct fxt_threads *threads, void (*take)(void *context, struct fxt_thread *thread), void *context);
/* Sets the name of a process. Returns 0 or -ENOMEM. */
int fxt_thread_rename(struct fxt_thread *thread, const char *name, size_t length);
/* Removes a thread, or another item with its threads. */
void fxt_thread_remove(struct fxt_threads *threads, struct fxt_thread *thread);

#endif
