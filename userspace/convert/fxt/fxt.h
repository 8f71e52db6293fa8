/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The numbers of the Fuchsia trace format, and the names that bcoslog gives to what it writes in this format. */
#ifndef CONVERT_FXT_FXT_H
#define CONVERT_FXT_FXT_H

#include "../convert.h"

#define FXT_MAGIC 0x0016547846040010ull
#define FXT_WORDS_MAX 4095u		/* a record that is not large has at most this many words */
#define FXT_STRING_MAX 32000u

enum fxt_record {
	FXT_METADATA,
	FXT_INITIALIZATION,
	FXT_STRING,
	FXT_THREAD,
	FXT_EVENT,
	FXT_BLOB,
	FXT_USER_OBJECT,
	FXT_KERNEL_OBJECT,
	FXT_SCHEDULING,
	FXT_LOG,
	FXT_LARGE = 15,
};

enum fxt_metadata { FXT_PROVIDER_INFO = 1, FXT_PROVIDER_SECTION, FXT_PROVIDER_EVENT, FXT_TRACE_INFO };

enum fxt_event {
	FXT_INSTANT,
	FXT_COUNTER,
	FXT_BEGIN,
	FXT_END,
	FXT_COMPLETE,
	FXT_ASYNC_BEGIN,
	FXT_ASYNC_INSTANT,
	FXT_ASYNC_END,
	FXT_FLOW_BEGIN,
	FXT_FLOW_STEP,
	FXT_FLOW_END,
};

enum fxt_argument {
	FXT_NULL,
	FXT_INT32,
	FXT_UINT32,
	FXT_INT64,
	FXT_UINT64,
	FXT_DOUBLE,
	FXT_TEXT,
	FXT_POINTER,
	FXT_KOID,
	FXT_BOOL,
};

/* The formats of a blob in a large record: with time, thread and arguments, or without them. */
#define FXT_BLOB_EVENT 0u
#define FXT_BLOB_BARE 1u

#define FXT_OBJECT_PROCESS 1u
#define FXT_OBJECT_THREAD 2u

/* States of the thread that leaves a CPU, in a scheduling record. */
#define FXT_PREEMPTED 0u
#define FXT_SUSPENDED 2u
#define FXT_BLOCKED 3u
#define FXT_DEAD 5u

/* Layouts of a scheduling record. They stand in bits that the old layout reserves. */
#define FXT_SWITCH_OLD 0u
#define FXT_SWITCH 1u
#define FXT_WAKEUP 2u
#define FXT_FIBERS 3u		/* of the library fxt-cpp: a thread goes from one fiber to another */

/* The weight of an idle thread in the current layout. */
#define FXT_IDLE_WEIGHT 0x80000000u

/* The provider that bcoslog writes its records as. */
#define FXT_PROVIDER 1u
#define FXT_PROVIDER_NAME "bcos_evlog"
#define FXT_BLOB_NAME "bcos_evlog.log"

/* The koid of process 0: readers take a process whose koid is 0 for idle. No process of a log has the ID 0xFFFFFFFF. */
#define FXT_KERNEL 0xFFFFFFFFull

/*
 * The process that is shown on a CPU while the log does not say which one runs there. No process of a log has this ID.
 */
#define FXT_UNKNOWN BCOSLOG_NO_PROCESS

/* The names of bcoslog's events and arguments. Each has an index in the string table, FXT_W_ and its name. */
#define FXT_WORDS(word) \
	word(PROCESS, "process") \
	word(CORE, "core") \
	word(CPU, "cpu") \
	word(DEVICE, "device") \
	word(NAMED, "named") \
	word(ENDED, "ended") \
	word(ONLINE, "online") \
	word(OFFLINE, "offline") \
	word(ASSIGNED, "assigned") \
	word(KERNEL_API, "kernel API") \
	word(INPUT, "input") \
	word(OUTPUT, "output") \
	word(IRQ, "IRQ") \
	word(EVENT, "event") \
	word(POWER, "power") \
	word(PERFORMANCE, "performance") \
	word(NAME, "name") \
	word(START, "start") \
	word(PRECISION, "precision") \
	word(STATUS, "status") \
	word(ID, "id") \
	word(SEVERITY, "severity") \
	word(TEXT, "text") \
	word(MORE, "more") \
	word(FUNCTIONS, "functions") \
	word(BYTES, "bytes") \
	word(NUMBER, "number") \
	word(DRIVER, "driver") \
	word(IDLE_POWER, "idle 2 mW") \
	word(POWER_DIFFERENCE, "more when busy 2 mW") \
	word(HISTORICAL, "historical") \
	word(TO, "to") \
	word(OUTGOING_WEIGHT, "outgoing_weight") \
	word(INCOMING_WEIGHT, "incoming_weight") \
	word(BLOB, FXT_BLOB_NAME)

/*
 * The header of a blob with a part of the carried log, but for its sizes: those of the record in words, and of the blob. A blob
 * of no bytes ends the trace itself, of which nothing else tells whether it is whole.
 */
#define FXT_BLOB_HEADER (FXT_BLOB | (u64)FXT_W_BLOB << 16 | 1ull << 48)
#define FXT_BLOB_MAX 16384u

#define FXT_ENUM(name, text) FXT_W_##name,
enum fxt_word { FXT_W_EMPTY, FXT_WORDS(FXT_ENUM) FXT_W_COUNT };

/*
 * The threads of an export. A viewer drops the slices of a thread that is on two CPUs at once, so each process has one
 * thread for each CPU that it runs on. The thread table of the format has 255 slots, which are reused in turn.
 */

/**
 * union perfetto_own - what the export to Perfetto keeps of an item instead of koids
 * @process: of a process: its begin in ns since boot, its parent, and what is known of both; its command line is told
 * @device: of a device: the bytes that it has transferred
 * @thread: of a thread that the log tells of: the kernel has its CPU, and it has not blocked; the CPU that it had last; and
 *   its own name of @length bytes, if it has one
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
		u8 length;
		char name[15];
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
