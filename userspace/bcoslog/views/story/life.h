/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The life of a process, collected while a log is read.  Memory is bounded, whatever the log says. */
#ifndef BCOSLOG_VIEWS_LIFE_H
#define BCOSLOG_VIEWS_LIFE_H

#include "views/track/recent.h"
#include "views/track/waits.h"

/* The newest texts of a kind, the longest stretches, and so many of the others. */
#define LIFE_NOTES 16
#define LIFE_STRETCHES 5
#define LIFE_THREADS 32
#define LIFE_DEVICES 16

/**
 * struct life_note - a text of the log
 * @time: when it was said
 * @event: event ID, of a generic event
 * @severity: likewise
 * @text: a copy
 * @length: of @text
 */
struct life_note {
	u64 time;
	u32 event;
	u8 severity;
	char *text;
	size_t length;
};

/* The newest of them; @count is of all.  The oldest that is there is life_note(notes, 0). */
struct life_notes {
	u64 count;
	struct life_note of[LIFE_NOTES];
};

/* The use of a CPU when the process ended, and since when. */
struct life_moment {
	u32 cpu;
	struct recent_use use;
	u64 since;
};

struct life_cpu {
	u32 id;
	u64 time;
};

struct life_device {
	u32 id;
	u64 time;
	char *name;
	size_t length;
};

/* A waker of a thread, and the name of its process when the thread ended. */
struct life_waker {
	struct bcoslog_waker waker;
	char name[RECENT_NAME];
	size_t length;
};

/* A thread as the account has it at its end, and who woke it before its longest wait and most often. */
struct life_thread {
	struct bcoslog_account_thread of;
	struct life_waker longest, most;
	u64 most_count;
};

/**
 * struct life - a process
 * @process: as the account has it at its end; its names are copies
 * @name: of it, once it has ended
 * @names: it had before; the time is when each was given up
 * @execs: texts of BCOS_EVENT_EXEC
 * @events: generic ones, but those of the classes who, exec and state
 * @parent: text of BCOS_EVENT_PARENT, as is @killed of BCOS_EVENT_KILLED; NULL: there was none
 * @waits: for a CPU
 * @left: the CPU that it had last
 * @offs: the longest stretches without a CPU, longest first
 * @off_count: of all, as is @off_sum in ns
 * @cpus: that it had
 * @threads: of which the log tells
 * @thread_count: of all of these; more than LIFE_THREADS: at least so many
 * @told: threads of which a CPU was told to run them, most CPU time first
 * @told_count: of these, at most LIFE_THREADS
 * @other_count: of those that have less CPU time
 * @other_time: theirs, and @other_turns
 * @threads_time: CPU time of all threads
 * @devices: whose driver it is or was
 * @at_end: what the CPUs did when it ended
 */
struct life {
	struct bcoslog_account_process process;
	struct life_note name;
	struct life_notes names, execs, events;
	struct life_note parent, killed;
	u64 renames;
	struct waits waits;
	u32 left;
	struct stretch offs[LIFE_STRETCHES];
	u64 off_count, off_sum;
	struct life_cpu *cpus;
	size_t cpu_count;
	u32 threads[LIFE_THREADS];
	size_t thread_count;
	struct life_thread *told;
	size_t told_count, told_room;
	u64 other_count, other_time, other_turns, threads_time;
	struct life_device devices[LIFE_DEVICES];
	size_t device_count;
	struct life_moment *at_end;
	size_t at_end_count;
};

/*
 * Each returns 0 or -ENOMEM. @life is of @process; names and texts are copied. @counts: what the process says is asked
 * for, and not only who it is.
 */
int life_entry(struct life *life, const struct bcos_entry *entry, bool counts);
int life_named(struct life *life, const struct bcoslog_account_process *process, u64 time);
int life_device(struct life *life, const struct bcos_entry *entry);
int life_interval(struct life *life, const struct bcoslog_interval *interval);
int life_ends(struct life *life, const struct bcoslog_account *account, const struct bcoslog_account_process *process);
int life_thread(struct life *life, const struct bcoslog_account *account, const struct bcoslog_account_thread *thread);
void life_off(struct life *life, const struct bcoslog_account *account, u64 begin, u64 end, u32 cpu);

/* Did it ever have this name?  @process is as of now. */
bool life_has_name(const struct life *life, const struct bcoslog_account_process *process, const char *name);

/* How many notes are there, and one of them, the oldest first. */
size_t life_note_count(const struct life_notes *notes);
const struct life_note *life_note(const struct life_notes *notes, size_t at);

/* NULL is ignored. */
void life_free(struct life *life);

#endif
