/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Collects the life of a process while a log is read. The memory of a life is bounded, whatever the log says. */
#ifndef BCOSLOG_VIEWS_LIFE_H
#define BCOSLOG_VIEWS_LIFE_H

#include "account/report.h"
#include "core/format/request_text.h"
#include "views/track/recent.h"
#include "views/track/waits.h"

/* The greatest number of texts of a kind. The newest are kept. */
#define LIFE_NOTES 16
/* The greatest number of stretches without a CPU. The longest are kept. */
#define LIFE_STRETCHES 5
/* The greatest numbers of threads and devices. */
#define LIFE_THREADS 32
#define LIFE_DEVICES 16

/**
 * struct life_note - a text of the log
 * @time: time of its entry
 * @precision: precision of @time, ns
 * @event: event ID of a generic event
 * @severity: severity of a generic event
 * @text: copy of the text
 * @length: length of @text
 */
struct life_note {
	u64 time;
	u32 precision;
	u32 event;
	u8 severity;
	char *text;
	size_t length;
};

/* A ring of the newest notes. @count is the number of all notes, also of those that are not kept. */
struct life_notes {
	u64 count;
	struct life_note of[LIFE_NOTES];
};

/* The use of a CPU when the process ended, and the time at which that use began. */
struct life_moment {
	u32 cpu;
	struct recent_use use;
	u64 since;
};

/* What the process asked disks for in the window (class request). Times are ns. */
struct life_requests {
	u64 count, read_bytes, written_bytes, failures;
	u64 untimed;			/* of these it is not known when the device got them */
	u64 queue, device;
	u64 longest, longest_at;	/* the longest in queue and on the device together, and when it ended */
};

/* A CPU that the process had, and for how many ns. */
struct life_cpu {
	u32 id;
	u64 time;
};

/* A device whose driver the process is or was, and the time at which it was named. */
struct life_device {
	u32 id;
	u32 precision;			/* of @time, ns */
	u64 time;
	char *name;
	size_t length;
};

/* A waker of a thread, and the names of its process and thread when the woken thread ended. */
struct life_waker {
	struct bcoslog_waker waker;
	char name[RECENT_NAME], thread_name[BCOS_NAME_MAX];
	size_t length, thread_length;
};

/* A thread as the account has it at its end, the waker of its longest wait, and the waker that woke it most often. */
struct life_thread {
	struct bcoslog_account_thread of;
	struct life_waker longest, most;
	u64 most_count;
};

/* Stands among the kinds of losses: the class who was off for some of the life, so births and moves were not told. */
#define LIFE_LOST_WHO (1u << 31)

/* The losses of children, and of moves between control groups. */
#define LIFE_LOST_CHILDREN (BCOSLOG_LOST_LIVES | BCOSLOG_LOST_EVENTS | LIFE_LOST_WHO)
#define LIFE_LOST_GROUPS (BCOSLOG_LOST_LIVES | LIFE_LOST_WHO)

/**
 * struct life - the life of a process
 * @clock: how its times are shown
 * @process: the process as the account has it at its end; life_ends() sets it. Its @lost may have LIFE_LOST_WHO, too
 * @end_precision: precision of @end of @process, ns; the caller of life_ends() sets it
 * @name: the text that @process has as its name
 * @names: former names, each with the time at which the process got another one
 * @execs: texts of BCOS_EVENT_EXEC
 * @events: other generic events, except those of the classes who, state and request
 * @requests: what it asked disks for
 * @children: the newest names of the processes that were born of it, whose IDs are @event
 * @groups: the paths of the control groups that it was in, when the log told so first; @event is not 0 if version 1 has the
 *	group
 * @parent: text of BCOS_EVENT_PARENT; its @text is NULL if there was none
 * @killed: text of BCOS_EVENT_KILLED; its @text is NULL if there was none
 * @renames: @renames of the process in the account when the last name was noted
 * @waits: waits for a CPU
 * @left: the CPU that the process had last
 * @offs: the longest stretches without a CPU, the longest first
 * @off_count: number of all stretches without a CPU
 * @off_sum: ns of all stretches without a CPU
 * @off_unknown: ns of @off_sum for which the process may have run unseen
 * @cpus: the CPUs that the process had
 * @cpu_count: number of @cpus
 * @threads: IDs of threads whose states the log tells
 * @thread_count: number of these threads; if it exceeds LIFE_THREADS, there are more than @threads has
 * @told: threads of which the log tells when CPUs ran them, the most CPU time first
 * @told_count: number of @told, at most LIFE_THREADS
 * @told_room: number of threads for which @told has room
 * @other_count: number of other such threads, which have less CPU time
 * @other_time: ns of CPU time of the other threads
 * @other_least: that is a lower bound
 * @other_turns: turns of the other threads
 * @threads_time: ns of CPU time of all threads
 * @devices: devices whose driver the process is or was
 * @device_count: number of @devices
 * @at_end: the uses of the CPUs when the process ended
 * @at_end_count: number of @at_end
 */
struct life {
	struct clock *clock;
	struct bcoslog_account_process process;
	u32 end_precision;
	struct life_note name;
	struct life_notes names, execs, events, children, groups;
	struct life_requests requests;
	struct life_note parent, killed;
	u64 renames;
	struct waits waits;
	u32 left;
	struct stretch offs[LIFE_STRETCHES];
	u64 off_count, off_sum, off_unknown;
	struct life_cpu *cpus;
	size_t cpu_count;
	u32 threads[LIFE_THREADS];
	size_t thread_count;
	struct life_thread *told;
	size_t told_count, told_room;
	u64 other_count, other_time, other_turns, threads_time;
	bool other_least;
	struct life_device devices[LIFE_DEVICES];
	size_t device_count;
	struct life_moment *at_end;
	size_t at_end_count;
};

/* Counts a request of the process that completed at @time, be that after its end. */
void life_request(struct life *life, const struct bcos_request_told *told, u64 time);
/*
 * These add to a life: a generic event of the process (if @counts is false, only events of the classes who, exec and
 * state are kept), a new name, a child, a child's new name, a device that it drives, a turn, its end, the end of a thread, and
 * a stretch without a CPU. They copy names and texts.  Return: 0 or -ENOMEM.
 */
int life_entry(struct life *life, const struct bcos_entry *entry, bool counts);
int life_named(struct life *life, const struct bcoslog_account_process *process, u64 time, u32 precision);
int life_child(struct life *life, const struct bcoslog_account_process *child, u64 time, u32 precision);
int life_child_named(struct life *life, const struct bcoslog_account_process *child);
int life_device(struct life *life, const struct bcos_entry *entry);
int life_interval(struct life *life, const struct bcoslog_interval *interval);
/* Notes in which control group the process is after an entry of its.  Return: 0 or -ENOMEM. */
int life_cgroup(struct life *life, const struct bcoslog_account_process *process, const struct bcos_entry *entry);
int life_ends(struct life *life, const struct bcoslog_account *account, const struct bcoslog_account_process *process);
int life_thread(struct life *life, const struct bcoslog_account *account, const struct bcoslog_account_thread *thread);
void life_off(struct life *life, const struct recent *recent, const struct bcoslog_account *account,
	      const struct bcoslog_stretch *off);

/* Return: whether the process has this name, or is known to have had it. @life may be NULL. */
bool life_has_name(const struct life *life, const struct bcoslog_account_process *process, const char *name);

/* Return: the number of notes that are kept; and one of them, the oldest of which is at 0. */
size_t life_note_count(const struct life_notes *notes);
const struct life_note *life_note(const struct life_notes *notes, size_t at);

/* Frees a life, which may be NULL. */
void life_free(struct life *life);

#endif
