/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * bcoslog why: what a thread did with its time, and who is to blame for the time for which it waited.
 *
 * timeline.c cuts the time of each thread into slices while the log is read. explain.c follows the waits of one thread
 * from waker to waker, and adds up who is to blame. page.c and object.c print that.
 *
 * Each nanosecond of the window belongs to one slice of a thread, and to one row of the answer.
 */
#ifndef BCOSLOG_VIEWS_WHY_H
#define BCOSLOG_VIEWS_WHY_H

#include "account/report.h"
#include "report/report.h"
#include "state/table.h"
#include "views/requests/recorded.h"

#define WHY_NAME 40

/* The number of classes that tell a part of the answer. */
#define WHY_PARTS 3

/**
 * struct why_process - a process that has threads in the log, or had a CPU
 * @id: its ID
 * @serial: number of its incarnation in the account
 * @start: when it began, if that is in the log; else 0
 * @end: when it ended; UINT64_MAX if it lives
 * @name: its newest name, cut to WHY_NAME bytes
 * @name_length: length of @name
 * @fits: it is a process that the user asks about
 * @has_threads: the log tells of threads of it
 * @cgroup: its newest control group; NULL if that is unknown
 * @cgroup_cpu: that is of version 1's hierarchy of the controller cpu
 * @instead: ns for which it had the CPU while the thread was ready
 * @next_instead: the next process with an @instead that is not 0
 */
struct why_process {
	u32 id;
	u64 serial, start, end;
	char name[WHY_NAME];
	size_t name_length;
	bool fits, has_threads, cgroup_cpu;
	char *cgroup;
	u64 instead;
	struct why_process *next_instead;
};

/* What a thread does in a slice of time. */
enum why_doing {
	WHY_RUNS,
	WHY_KERNEL,		/* the CPU is the kernel's for a system call of the thread (class kernel_time) */
	WHY_READY,		/* others have the CPU */
	WHY_HELD,		/* it would be ready, but its control group has used its quota */
	WHY_BLOCKED,
	WHY_STOPPED,
	WHY_UNKNOWN,		/* not in the log */
};

/* Where a thread was blocked. @hard: signals could not wake it; the others are those of struct bcoslog_thread. */
struct why_where {
	enum bcoslog_thread_place place;
	u32 call;
	bool io, hard;
};

/* The sum of all waits of the thread that is explained in one place, and how many there were. */
struct why_wheres {
	struct why_where where;
	u64 ns, times;
};

/**
 * struct why_slice - a time for which a thread did one thing
 * @begin: its begin, ns since boot
 * @end: its end
 * @doing: what it did
 * @where: where it left the CPU, if it blocked
 * @open: the log ends before the wait
 * @cut: it began before the window
 * @cpu: the CPU that it had, or got next; valid if @has_cpu
 * @waker: who ended the wait, if it blocked
 * @by: the waker's thread; NULL if the log has no times of it
 * @kind: the kind of the interrupt that ended the wait
 */
struct why_slice {
	u64 begin, end;
	enum why_doing doing;
	struct why_where where;
	bool open, cut, has_cpu;
	u32 cpu;
	struct bcoslog_waker waker;
	struct why_thread *by;
	enum bcoslog_woken_by kind;
};

/* What the log said last of a thread's wait. @held: it left the CPU since its control group had used its quota. */
struct why_mark {
	bool blocked, woken, held;
	u32 state;			/* valid if @blocked, and @where */
	struct why_where where;
	u64 blocked_at, woken_at;
	u64 unseen;			/* bcoslog_account_unseen() at @blocked_at */
	struct bcoslog_waker waker;	/* valid if @woken, and @kind */
	enum bcoslog_woken_by kind;
	struct why_thread *by;		/* the thread that @waker named then; NULL if the log has none */
};

/* The ends of chains of waits: what whoever is to blame did. */
enum why_leaf {
	LEAF_RUNS,
	LEAF_KERNEL,
	LEAF_READY,
	LEAF_HELD,		/* it was held back by the quota of its control group, until it ran again */
	LEAF_TIMER,		/* it was blocked until its timer */
	LEAF_BLOCK,		/* it was blocked until a request to a disk ended */
	LEAF_NET,		/* it was blocked until the network had something */
	LEAF_DEVICE,		/* it was blocked until an interrupt of a device */
	LEAF_INTERRUPT,		/* it was blocked until an interrupt of which the log does not tell the kind */
	LEAF_EITHER,		/* it was blocked until an interrupt, or the thread amid which that came */
	LEAF_KERNEL_THREAD,	/* it was blocked until a thread of the kernel, which the log does not follow */
	LEAF_UNSEEN,		/* it was blocked until a thread of which the log has no times */
	LEAF_UNTOLD,		/* it was blocked, and the log does not name the waker */
	LEAF_STILL,		/* it is blocked when the log or the window ends */
	LEAF_STOPPED,
	LEAF_UNKNOWN,		/* not in the log, or the log contradicts itself */
	LEAF_DEEP,		/* the chain is longer than WHY_DEPTH */
	LEAVES
};

/* The greatest length of a chain. */
#define WHY_DEPTH 24

/**
 * struct why_thread - a thread, from the first entry about it to its end
 * @node: its place in the table of the newest threads; the ID of the node is the thread's
 * @process: its process
 * @name: its newest name
 * @name_length: length of @name; 0 if the log gives none, and of a leader, whose name is that of the process
 * @end: when it ended; UINT64_MAX if it lives
 * @covered: there are slices up to this time
 * @left: the state in which its last turn ended
 * @has_turn: @left and @unseen are valid
 * @unseen: bcoslog_account_unseen() at the end of that turn
 * @runs_at: when the log said last that a CPU switched to it
 * @precision: the greatest precision in ns of entries that tell of it in the window
 * @now: what the log said since its last turn began
 * @before: likewise before that turn
 * @cpu: the CPU that it had last; valid if @has_turn
 * @slices: its slices, in order
 * @blamed: ns of the waits of the thread that is explained for which this one is to blame
 * @next_blamed: the next thread with a @blamed that is not 0
 */
struct why_thread {
	struct node node;
	struct why_process *process;
	char name[BCOS_NAME_MAX];
	size_t name_length;
	u64 end, covered;
	u32 left, precision;
	bool has_turn, is_blamed;
	u64 unseen, runs_at;
	struct why_mark now, before;
	u32 cpu;
	struct why_slice *slices;
	size_t count, room;
	u64 blamed[LEAVES];
	struct why_thread *next_blamed;
};

/* A use of a CPU. @process is NULL unless @use is a process. */
struct why_use {
	u64 begin, end;
	enum bcoslog_use use;
	struct why_process *process;
};

struct why_cpu {
	struct node node;
	struct why_use *uses;
	size_t count, room;
	u64 ran;			/* ns for which it executed the thread that is explained */
};

#define WHY_LONGEST 3

/* The greatest memory in bytes of threads, slices and uses of CPUs: that of some 15 million turns. */
#define WHY_MEMORY_MAX ((u64)2 << 30)

/**
 * struct why - the question, what is known of all threads, and the answer
 * @report: the report
 * @process: the process, as the user wrote it; NULL if an option gave it
 * @thread: the thread that the user asks about; valid if @asks_thread and not @thread_name
 * @thread_name: the name of that thread, or NULL
 * @threads: all threads; @count of them
 * @processes: all processes
 * @newest: the newest thread of each ID
 * @cpus: all CPUs; explaining sorts them by their IDs
 * @by_id: the CPUs by their IDs
 * @memory: bytes that are allocated for all of these
 * @full: they exceed WHY_MEMORY_MAX
 * @doubt: states of threads may be missing up to this time
 * @states_off: the class state is off
 * @states_on: the log says that the class state was on
 * @parts: what the log has of the classes that tell a part of the answer
 * @requests: it has requests of disks
 * @calls: the log shows that the class kernel_time is on
 * @assigned: precision of the entry by which a CPU got another use last
 * @states: number of states of threads that the log has
 * @error: 0, or a negative errno
 * @since: begin of the time that is explained; @until: its end
 * @subject: the thread that is explained
 * @choices: number of threads of its process in that time
 * @asked: number of these that the user may mean
 * @nameless: number of these of which the log gives no name
 * @activity: ns for which it ran or was ready
 * @precision: the greatest precision of the threads on whose times the answer rests
 * @own: ns of @subject by what it did, and if it was blocked, by who woke it; without waits for other threads
 * @chained: ns for which it waited for other threads: the sum of all @blamed
 * @uninterruptible: ns of its waits in which signals could not wake it
 * @waits: how often it was blocked
 * @instead: list of who had the CPU while it was ready
 * @idle: ns for which that CPU was idle meanwhile
 * @by_kernel: ns for which it was the kernel's
 * @unseen: ns for which the log does not tell who had it
 * @blamed: list of the threads to blame
 * @longest: its longest waits, the longest first
 * @wheres: where it was blocked, by place, and the longest first after why_sort_wheres(); @where_count of them
 * @where_room: number of places for which @wheres has room
 * @quotas: what the log tells of quotas and stalls, in order; @quota_count of them, and room for @quota_room
 * @quota_sums: the sums of the groups that the subject was in, the outermost first; @quota_sum_count of them
 */
struct why {
	struct report *report;
	const char *process;
	u32 thread;
	const char *thread_name;
	bool asks_thread;
	struct why_thread **threads;
	size_t count, room;
	struct why_process **processes;
	size_t process_count, process_room;
	struct table newest;
	struct why_cpu **cpus;
	size_t cpu_count, cpu_room;
	struct table by_id;
	u64 memory;
	bool full;
	u64 doubt, states;
	bool states_off, states_on, calls;
	struct recorded parts[WHY_PARTS];
	bool requests;
	u32 assigned;
	int error;
	u64 since, until;
	struct why_thread *subject;
	size_t choices, asked, nameless;
	u64 activity;
	u32 precision;
	u64 own[LEAVES], chained, uninterruptible, waits;
	struct why_process *instead;
	u64 idle, by_kernel, unseen;
	struct why_thread *blamed;
	struct why_slice longest[WHY_LONGEST];
	struct why_wheres *wheres;
	size_t where_count, where_room;
	struct why_quota *quotas;
	size_t quota_count, quota_room;
	struct pressure *quota_sums;
	size_t quota_sum_count;
};

/* ---- timeline.c --------------------------------------------------------------------- */

/* Makes the tables.  Return: 0 or -ENOMEM. why_free() follows in any case. */
int why_init(struct why *why);
/* Takes an entry before the account does.  Return: 0 or -ENOMEM. */
int why_entry(struct report *report, const struct bcos_entry *entry);
/* Takes the turn of a thread that has ended; a sink of the account. */
void why_turn(void *context, const struct bcoslog_thread_turn *turn);
/* Takes a use of a CPU that has ended; a sink of the account. */
void why_interval(void *context, const struct bcoslog_interval *interval);
/* Takes the end of a process; a sink of the account. */
void why_process_ended(void *context, const struct bcoslog_account_process *process);
/* Notes what the log says of a process when it ends. */
void why_note_process(struct why *why, const struct bcoslog_account_process *process);
/* Completes the slices of all threads up to the end of the window. */
void why_settle(struct why *why);
/* Return: the CPU's uses; NULL if the log has none. */
struct why_cpu *why_cpu(const struct why *why, u32 id);
void why_free(struct why *why);

/* ---- explain.c ---------------------------------------------------------------------- */

/*
 * Explains the time of @why->subject from @why->since to @why->until, and sorts @instead and @blamed, the largest first.
 * Without memory, it sets @why->error.
 */
void why_explain(struct why *why);
/* Return: the ns for which the thread is to blame. */
u64 why_blame(const struct why_thread *thread);
/* Return: whether the subject did so for longer than @why->own says, as far as the log tells. */
bool why_least(const struct why *why, enum why_leaf leaf);
/* Return: whether other threads may be to blame for longer than they are said to be. */
bool why_blame_least(const struct why *why);
/* Return: whether the log leaves open for some of the time of which the thread is blamed who is to blame. */
bool why_blame_open(const struct why_thread *thread);
/* Return: the ns for which the thread ran or was ready in the window. */
u64 why_activity(const struct why *why, const struct why_thread *thread);

/* ---- where.c ------------------------------------------------------------------------ */

/* The longest text of a place, with a zero byte. */
#define WHY_WHERE 80

/* Writes the words of a place. */
void why_where_words(char text[WHY_WHERE], const struct why_where *where);
/* Return: the name of the system call; NULL if the place is none, or the call has no name. */
const char *why_call_name(const struct why_where *where);
/* Counts a wait of @ns, before why_sort_wheres().  Return: 0 or -ENOMEM. */
int why_count_where(struct why *why, const struct why_where *where, u64 ns);
/* Sorts @why->wheres. */
void why_sort_wheres(struct why *why);

/* ---- lacks.c ------------------------------------------------------------------------ */

void lacks_init(struct why *why);
/* Takes an entry that lies in the window or before it. */
void lacks_entry(struct why *why, const struct bcos_entry *entry);
/* Return: whether the log lacks the class of a part, of WHY_PARTS, for some of the time, and that matters. */
bool lacks_part(const struct why *why, size_t part);
/* Return: the name of the class. */
const char *lacks_word(size_t part);
/* Prints a line for each class that the log lacks: what it does not tell, and the command that records it. */
void lacks_print(const struct why *why);

/* ---- quota.c ------------------------------------------------------------------------ */

struct object;

/* Takes an entry.  Return: 0 or -ENOMEM. */
int quota_entry(struct why *why, const struct bcos_entry *entry);
/* Sums up what concerns the subject in the window.  Return: 0 or -ENOMEM. */
int quota_sum(struct why *why);
/*
 * Prints by whose quota the thread was held back, below the row of the time in which it was (@held), or below that in which it
 * was ready.
 */
void quota_put(const struct why *why, bool held, void (*put_below)(const char *mark, u64 ns));
/* Prints for what processes of its control groups waited. */
void quota_put_stalls(const struct why *why);
/* Adds all of that to the object. */
void quota_object(struct object *object, const struct why *why);
void quota_free(struct why *why);

/* ---- page.c, object.c: print the answer. Return: 0, or -ENOMEM after a complaint ---- */

int why_page(struct why *why);
int why_object(struct why *why);

#endif
