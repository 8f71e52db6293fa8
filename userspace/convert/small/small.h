/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the formats in this folder use. */
#ifndef CONVERT_SMALL_H
#define CONVERT_SMALL_H

#include "../output.h"
#include "bcoslog.h"
#include "bcoslog_account.h"
#include "core/format/entry.h"
#include "core/host/user.h"
#include "state/table.h"

/* ---- json.c ------------------------------------------------------------------------ */

/* Strings of text formats. */

/* Can a JSON string hold this text without any escape? */
bool json_is_plain(const char *text, size_t length);

/* Writes a JSON string in quotes; bytes that are not UTF-8 become U+FFFD. */
void json_text(struct outfile *file, const char *text, size_t length);

/* ---- stacks.c ---------------------------------------------------------------------- */

/* CPU time by core, CPU and process, with the parents of each process, for formats of flame graphs. */

/* Names are cut to this many bytes. */
#define STACKS_NAME 63u
/* Ancestors beyond this many generations are left out, so that the output is bounded by a multiple of the log. */
#define STACKS_DEPTH 32u

/**
 * struct stacks_process - a process of the log, from its birth to its end
 * @next: the process that was added before
 * @parent: its parent at its birth, which was added to the account before it; NULL: the log does not tell the parent
 * @serial: number in the account
 * @renames: count of renames up to @name
 * @frame: a number for the format's use; 0 at first
 * @id: its ID
 * @length: bytes of @name
 * @name: its newest name
 */
struct stacks_process {
	struct stacks_process *next, *parent;
	u64 serial, renames, frame;
	u32 id;
	size_t length;
	char name[STACKS_NAME];
};

/* The time for which a process had a CPU. @process: NULL: the log does not tell who had it */
struct stack {
	struct stack *next;
	u64 time;
	u32 core, cpu;
	struct stacks_process *process;
};

struct stacks;

/* Return: NULL if there is no memory. */
struct stacks *stacks_new(void);
void stacks_free(struct stacks *stacks);

/*
 * Takes the next entry of the log. Returns 0 or -ENOMEM, which may also mean that all processes together take more than 1
 * GiB.
 */
int stacks_entry(struct stacks *stacks, const struct bcos_entry *entry);

/*
 * Ends the account. Returns a list in the order of cores, CPUs and process IDs, which the caller frees, or NULL if there
 * is no memory. The list leaves out idle time.
 */
const struct stack **stacks_end(struct stacks *stacks, size_t *count);

/**
 * stacks_chain() - list a process and its ancestors
 * @process: the process
 * @chain: room for STACKS_DEPTH processes; the oldest comes first, @process last
 * @root: out: a frame before the oldest: why its parent is missing; NULL: it is the kernel, which has none
 *
 * Return: how many there are.
 */
size_t stacks_chain(struct stacks_process *process, struct stacks_process **chain, const char **root);

/* Room for the text of a frame, with a zero byte. */
#define STACKS_FRAME (STACKS_NAME + 16)

/* Writes the frame of a process, such as "sh [10]". Returns its length. */
size_t stacks_frame(const struct stacks_process *process, char *text);

/* The totals of the account at stacks_end(). */
const struct bcoslog_account_totals *stacks_totals(const struct stacks *stacks);

/* ---- wakes.c ----------------------------------------------------------------------- */

/* Threads that were woken and have not run since. */

/* The table of threads. A hostile log can name any number of threads, so their @memory in bytes is limited. */
struct wakes {
	struct table table;
	u64 memory;
};

/**
 * struct wake - a wake-up, and the turn on a CPU that follows it
 * @from: the CPU on which the thread was woken
 * @to: the CPU that then runs it
 * @time: the time of the wake-up
 * @by_thread: a thread woke it, which had the CPU @from
 */
struct wake {
	u32 from, to;
	u64 time;
	bool by_thread;
};

/**
 * struct waking - a thread whose states the log tells
 * @node: holds the thread's ID
 * @process: serial number of its process in the account
 * @runs: it has not blocked since it last ran
 * @woken: it has not run since @wake
 * @early: @wake came while the thread still ran, so a later wake-up replaces it
 * @wake: the last wake-up
 */
struct waking {
	struct node node;
	u64 process;
	bool runs, woken, early;
	struct wake wake;
};

/**
 * wakes_entry() - take an entry that is no assignment
 * @wakes: all threads
 * @entry: the entry
 * @account: the account, which has already taken the entry
 * @wake: out: the wake-up, if the entry begins the turn that follows it
 *
 * Return: 1 if @wake is set and by a thread; else 0, or -ENOMEM.
 */
int wakes_entry(struct wakes *wakes, const struct bcos_entry *entry, const struct bcoslog_account *account,
		struct wake *wake);
void wakes_free(struct wakes *wakes);

/* ---- kel.c ------------------------------------------------------------------------- */

/*
 * The stream of a kernel event logger: elements of its ring buffer, one after the other, little endian. An element is a
 * word with the event ID (bits 0-15), the number of words of data (16-23) and how many events were dropped before it
 * (24-31), and then these words.
 */

#define KEL_ID_MAX 0xFFFFu
#define KEL_DROPPED_MAX 0xFFu
#define KEL_WORDS_MAX 0xFFu

/*
 * Times are shifted right by this many bits unless an option says otherwise. A unit is then about a microsecond, and
 * times wrap after 73 minutes.
 */
#define KEL_SHIFT 10u
#define KEL_SHIFT_MAX 31u

#endif
