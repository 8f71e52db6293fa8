/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The data that a log_writer keeps until it writes the log. Only the files of this folder use it. */
#ifndef CONVERT_LOG_STORE_H
#define CONVERT_LOG_STORE_H

#include "core/format/entry.h"

#include "log_writer.h"
#include "sorter.h"
#include "state/state.h"

/* All names and IDs together take at most this many bytes. */
#define NAMES_MAX ((u64)1 << 30)

/* An entry of a core has room for this many performances, so a core has at most this many CPUs. */
#define PERFORMANCES_MAX ((BCOS_ENTRY_MAX - sizeof(struct bcos_core_online)) / sizeof(u32))

/**
 * struct subject - the process, core, CPU or device of an ID, as told so far
 * @node: holds the ID
 * @first: the time of the first fact about it
 * @born: the fact at @first is its birth
 * @known: a log_known_ function has told of it
 * @ended: it has ended; set while the log is written
 * @assigned: for a CPU: @process, which it runs at first, is known
 * @unassigned: for a CPU: from @lost on it is not told what the CPU runs
 * @start: with @known: when it began
 * @end: with @ended: when it ended
 * @owner: for a CPU its core, for a device its driver
 * @cpus: for a core: how many CPUs it was told to have; for a CPU: 1 once @owner is set
 * @power: for a core: idle power and power difference
 * @name: for a process or device its name, for a core its table of performances; or NULL
 * @length: bytes of @name
 */
struct subject {
	struct node node;
	bool born, known, ended, assigned, unassigned;
	u64 first, lost;
	struct moment start, since;
	u64 end;
	u32 owner, process, cpus;
	u16 power[2];
	char *name;
	size_t length;
};

struct log_writer {
	struct log_writer_options options;
	int error;
	bool verbatim;
	u64 dropped, memory, facts, latest;		/* @latest: the time of the latest fact */
	struct table processes, cores, cpus, devices;	/* tables of struct subject */
	struct sorter *sorter;
	struct bcoslog_state *state;			/* the state of the log as written so far */
	bool begun;
	bool historical;				/* the last written entry is historical */
	u32 room[BCOS_ENTRY_MAX / sizeof(u32) + 1];
	u32 made[BCOS_ENTRY_MAX / sizeof(u32) + 1];
};

/* Returns the subject with this ID, or NULL. */
static inline struct subject *subject_of(const struct table *table, u32 id)
{
	return table_find(table, id);
}

/* Notes @error if it is the first one. Returns the first error. */
static inline int log_fail(struct log_writer *writer, int error)
{
	if (!writer->error)
		writer->error = error;
	return writer->error;
}

/* Counts a fact that is left out. Returns the first error so far, or 0. */
static inline int log_drop(struct log_writer *writer)
{
	writer->dropped++;
	return writer->error;
}

/* ---- facts.c ------------------------------------------------------------------ */

/* States that the CPU ran nobody knows what up to @until, if that is so. Returns 0 or a negative errno. */
int log_end_unassigned(struct log_writer *writer, struct subject *cpu, u64 until);

/* ---- known.c ------------------------------------------------------------------ */

/* Passes an entry on to the output, if the guard allows it. Returns 0 or a negative errno. */
int log_write(struct log_writer *writer, const struct bcos_entry *entry);

/* Finds or adds a subject. Returns NULL on failure, after noting the error. */
struct subject *log_subject(struct log_writer *writer, struct table *table, u32 id);
/*
 * An event at @time uses a subject; @born: the event is its birth. Returns the subject, or NULL after noting the error.
 */
struct subject *log_used(struct log_writer *writer, struct table *table, u32 id, u64 time, bool born);
/* The CPU @cpu belongs to the core @id, at @time at the latest. Returns 0 or a negative errno. */
int log_set_core(struct log_writer *writer, struct subject *cpu, u32 id, u64 time);

/* ---- group.c ------------------------------------------------------------ */

/* Writes an entry unchanged. Returns 0 or a negative errno, as do all functions below. */
int log_put(struct log_writer *writer, const struct bcos_entry *entry);
/* Writes an entry with this body and, unless @name is NULL, this name, which is cut if it is too long. */
int log_put_made(struct log_writer *writer, struct bcos_entry header, const void *body, size_t size, const char *name,
		 size_t length);
/* Writes a core with a table that is long enough for all CPUs that the core ever has in this log. */
int log_put_core(struct log_writer *writer, struct bcos_entry header, const u16 *power, const void *table, size_t size);
/* Writes the first group. It states what exists just before the first entry, which has the time @time. */
int log_group_first(struct log_writer *writer, u64 time);
/* Writes a group of all that exists now. */
int log_group_again(struct log_writer *writer);

/* ---- rules.c -------------------------------------------------------------- */

/* Writes the next entry in order, and before it the entries that the rules of a log demand. */
int log_rules_apply(struct log_writer *writer, const struct bcos_entry *entry);

#endif
