/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A cursor over the rows of a table. It reads the log in pieces that fit into the cache of a CPU, applies each to what the
 * table needs (an account, what is missing), and gives the rows that come of it before it reads the next piece.
 */
#ifndef BCOSLOG_ROWS_BUFFER_H
#define BCOSLOG_ROWS_BUFFER_H

#include "account/report.h"
#include "bcoslog_rows.h"
#include "core/host/user.h"
#include "missing.h"
#include "names.h"
#include "reader/reader.h"

/**
 * struct rows_kind - a table, and what makes its rows
 * @table: the table
 * @account: the rows come from an account, of which @missing is no part
 * @threads: the account has threads
 * @missing: the rows come from what is missing
 * @timed: rows outside of the times @from to @to need not be read: the column ts is that of an interval of a CPU
 * @instant: likewise, and the column ts is the time of an entry that is not historical
 * @keeps: the columns whose texts the cursor keeps, as bits
 * @begin: sets the sinks of the account, and others; or NULL
 * @entry: called for each entry before the account gets it, or NULL
 * @process_ended: called when a process has ended, before it is forgotten; or NULL
 * @end: called at the end of the log, when the account is complete; or NULL
 */
struct rows_kind {
	struct bcoslog_rows_table table;
	bool account, threads, missing, timed, instant;
	u64 keeps;
	void (*begin)(struct bcoslog_rows *rows, struct bcoslog_account_options *sinks);
	void (*entry)(struct bcoslog_rows *rows, const struct bcos_entry *entry);
	void (*process_ended)(struct bcoslog_rows *rows, const struct bcoslog_account_process *process);
	void (*end)(struct bcoslog_rows *rows);
};

/* A block of texts that are valid until the next row is asked for. */
struct text_block {
	struct text_block *next;
	size_t used, room;
	char bytes[];
};

/* A damaged place of the log, after @at bytes of entries. @bytes: its size; 0: a notice follows that tells of it. */
struct damage_place {
	u64 at, bytes;
};

/* What a log states of itself: boot, host, kernel and version. */
struct facts {
	const struct kept_name *fact[4];
	struct bcoslog_wall wall;	/* the first reading of the wall clock; the field utc is 0 if there was none */
	u64 entries, losses, bytes, first, last;
	bool begun;
};

struct bcoslog_rows {
	struct bcoslog_rows_options options;
	const struct rows_kind *kind;
	struct bcoslog_rows *beside;	/* the next cursor that gets what this one reads, or NULL: several.h */
	struct bcoslog *log;
	struct bcoslog_account *account;
	struct batches ahead;		/* entries that are held back: the log may state a loss later than it begins */
	u64 newest;			/* time of the last normal entry that was read; 0 if there was none */
	u64 held, applied;		/* bytes of entries that were read, and that were applied */
	struct damage_place *damages;	/* damaged places among the entries that were read and not applied */
	size_t damage_count, damage_room;
	bool read;			/* the log has no more entries than these */
	const struct bcos_entry *at, *end;	/* entries that were not applied yet */
	bool begun;			/* a normal entry was applied */
	u64 now;			/* time of the newest normal entry */
	bool damaged;			/* the log is damaged before the place that was read */
	bool done;
	struct bcoslog_value *values;	/* rows that were not asked for yet */
	size_t first, count, room;	/* in rows */
	struct names names;
	struct names *kept;		/* @names of the cursor that reads the log */
	struct text_block *texts;
	struct bcoslog_thread_sinks threads;	/* those that the table needs, if its kind has threads */
	void (*stretch)(void *context, const struct bcoslog_stretch *stretch);	/* likewise, or NULL */
	u64 seq, at_byte;		/* of the next entry, for the table entry */
	struct facts facts;		/* for the table boot */
	struct rows_usage *usage;	/* for the table usage */
	struct rows_naming *naming;	/* for the table name */
	struct missing missing;
	u64 missing_count;		/* what the table loss has a row for, so far */
	bool no_memory;
	struct bcoslog_error error;
};

/* What the cursor knows of a process, as the pointer @user of its account. */
struct known_process {
	s64 upid;
	u64 renames;
	const struct kept_name *name;	/* NULL: it has none */
	void *more;			/* what a table knows beyond that, which @release frees; or NULL */
	void (*release)(void *more);
};

/* ---- buffer.c ------------------------------------------------------------------------------ */

/* Add a row, whose values are BCOSLOG_NULL.  Return: the values; NULL if there is no memory, which ends the reading. */
struct bcoslog_value *rows_add(struct bcoslog_rows *rows);
/* Return: a copy of a text that is valid until the row after is asked for; NULL if there is no memory, or no text. */
const char *rows_copy(struct bcoslog_rows *rows, const char *text, size_t length);
/* Free the texts of rows that nobody asks for any more, but for a block unless @all is set. */
void rows_free_texts(struct bcoslog_rows *rows, bool all);
/* Keep a text as long as the cursor.  Return: NULL if there is no memory. */
const struct kept_name *rows_keep(struct bcoslog_rows *rows, const char *text, size_t length);
/* Return: what is known of a process; NULL if there is no memory. */
struct known_process *rows_process(struct bcoslog_rows *rows, const struct bcoslog_account_process *process);
/* Forget a process, which ends. */
void rows_forget_process(const struct bcoslog_account_process *process);

/* Return: the ID of a device, which is the same whatever part of the log is read. */
s64 rows_udid(const struct bcoslog_account_device *device);

/* Return: the ID of a thread, which is the same whatever part of the log is read. */
static inline s64 rows_utid(const struct known_process *process, u32 thread)
{
	return (s64)(((u64)process->upid + thread * 0x9E3779B97F4A7C15ull) & INT64_MAX);
}

/* Is a row whose column ts is @time needed? A time that 63 bits cannot hold is NULL there, and the row comes in any case. */
static inline bool rows_wants_time(const struct bcoslog_rows *rows, u64 time)
{
	const struct bcoslog_rows_options *options = &rows->options;

	return (time > INT64_MAX || ((s64)time >= options->from && (s64)time <= options->to)) && time >= options->since &&
	       (!options->until || time < options->until);
}

/* Is a row of the process with this ID needed? */
static inline bool rows_wants_pid(const struct bcoslog_rows *rows, u32 id)
{
	return rows->options.pid < 0 || id == (u64)rows->options.pid;
}

/* Free what the table usage has kept.  NULL is ignored. */
void rows_free_usage(struct rows_usage *usage);

/* ---- values -------------------------------------------------------------------------------- */

/* A number that 63 bits cannot hold is unknown. */
static inline void value_set(struct bcoslog_value *value, u64 number)
{
	if (number > INT64_MAX)
		return;
	value->type = BCOSLOG_INTEGER;
	value->integer = (s64)number;
}

static inline void value_set_real(struct bcoslog_value *value, double number)
{
	value->type = BCOSLOG_REAL;
	value->real = number;
}

static inline void value_set_text(struct bcoslog_value *value, const char *text, size_t length)
{
	if (!text)
		return;
	value->type = BCOSLOG_TEXT;
	value->text = text;
	value->length = (u32)length;
}

static inline void value_set_word(struct bcoslog_value *value, const char *word)
{
	if (word)
		value_set_text(value, word, strlen(word));
}

static inline void value_set_name(struct bcoslog_value *value, const struct kept_name *name)
{
	if (name)
		value_set_text(value, name->text, name->length);
}

static inline void value_set_kept(struct bcoslog_rows *rows, struct bcoslog_value *value, const char *text, size_t length)
{
	if (text)
		value_set_name(value, rows_keep(rows, text, length));
}

/* ---- the tables ----------------------------------------------------------------------------- */

extern const struct rows_kind rows_of_boot, rows_of_call, rows_of_clock, rows_of_core, rows_of_cpu, rows_of_device, rows_of_entry,
	rows_of_event, rows_of_interrupt, rows_of_loss, rows_of_name, rows_of_off, rows_of_process, rows_of_run, rows_of_thread,
	rows_of_transfer, rows_of_turn, rows_of_usage;

#endif
