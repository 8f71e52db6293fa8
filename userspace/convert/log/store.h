/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A log_writer stores all this until it writes the log. The files of this folder share it. */
#ifndef CONVERT_LOG_STORE_H
#define CONVERT_LOG_STORE_H

#include "core/format/entry.h"

#include "log_writer.h"
#include "sorter.h"
#include "state/state.h"

/* All names and IDs take at most this much. */
#define NAMES_MAX ((u64)1 << 30)

/* More CPUs of a core, or performances, do not fit into its entry. */
#define PERFORMANCES_MAX ((BCOS_ENTRY_MAX - sizeof(struct bcos_core_online)) / sizeof(u32))

/**
 * struct subject - what has been told of an ID
 * @node: its ID
 * @first: the time of the first fact about it
 * @born: that fact is its birth
 * @known: it was told what was there, by a log_known_ function
 * @ended: it has ended, which is noted while the log is written
 * @assigned: of a CPU: what it ran at first is known: @process, since @since
 * @start: of what is known: when it began
 * @end: when it ended
 * @owner: of a CPU its core, of a device its driver
 * @cpus: of a core: how many CPUs of it were told of
 * @power: of a core
 * @name: of processes and devices its name, of cores the table; or NULL
 * @length: bytes of it
 */
struct subject {
	struct node node;
	bool born, known, ended, assigned;
	u64 first;
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
	u64 dropped, memory;
	struct table processes, cores, cpus, devices;	/* of struct subject */
	struct sorter *sorter;
	struct bcoslog_state *state;			/* of what is written */
	bool begun;
	bool historical;				/* the last entry was */
	u32 room[BCOS_ENTRY_MAX / sizeof(u32) + 1];
	u32 made[BCOS_ENTRY_MAX / sizeof(u32) + 1];
};

/* Returns the subject of this ID, or NULL. */
static inline struct subject *subject_of(const struct table *table, u32 id)
{
	return table_find(table, id);
}

/* Notes the first error. Returns it. */
static inline int log_fail(struct log_writer *writer, int error)
{
	if (!writer->error)
		writer->error = error;
	return writer->error;
}

/* A fact is left out. Returns the error so far. */
static inline int log_drop(struct log_writer *writer)
{
	writer->dropped++;
	return writer->error;
}

/* ---- known.c ------------------------------------------------------------------ */

/* Finds or adds a subject. Returns NULL after noting the error. */
struct subject *log_subject(struct log_writer *writer, struct table *table, u32 id);
/* Something happens to a subject. Returns it, or NULL after noting the error. */
struct subject *log_used(struct log_writer *writer, struct table *table, u32 id, u64 time, bool born);
/* A CPU is of this core, at @time at the latest. Returns 0 or a negative errno. */
int log_set_core(struct log_writer *writer, struct subject *cpu, u32 id, u64 time);

/* ---- group.c ------------------------------------------------------------ */

/* Writes an entry as it is. Returns 0 or a negative errno, as all below. */
int log_put(struct log_writer *writer, const struct bcos_entry *entry);
/* Writes an entry with this body and, unless it is NULL, this name; what does not fit is cut. */
int log_put_made(struct log_writer *writer, struct bcos_entry header, const void *body, size_t size, const char *name,
		 size_t length);
/* Writes a core with a table that is long enough for all CPUs that it ever has. */
int log_put_core(struct log_writer *writer, struct bcos_entry header, const u16 *power, const void *table, size_t size);
/* Writes the first group, of what was there when the first entry, of time @time, happened. */
int log_group_first(struct log_writer *writer, u64 time);
/* Writes a group of all that is known now. */
int log_group_again(struct log_writer *writer);

/* ---- rules.c -------------------------------------------------------------- */

/* Writes an entry, the next one in order, and before it whatever the rules demand. */
int log_rules_apply(struct log_writer *writer, const struct bcos_entry *entry);

#endif
