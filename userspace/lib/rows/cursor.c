// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A cursor over the rows of a table: see bcoslog_rows.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "archive/recording.h"
#include "buffer.h"
#include "entry/gap.h"
#include "handle/error.h"
#include "loss.h"
#include "reader/reader.h"
#include "schema.h"
#include "several.h"

/*
 * The least number of bytes that are held back, so that the account learns of losses that the log states later than they
 * begin. Reports hold back as many.
 */
#define AHEAD_BYTES ((size_t)32 << 20)

/* The account gets so many bytes of entries at a time that their rows stay in the cache of a CPU. */
#define PIECE_BYTES ((size_t)16 << 10)

static int fail_memory(struct bcoslog_rows *rows)
{
	return error_set(&rows->error, ENOMEM, "there is no memory for the rows of %s", rows->kind->table.name);
}

/* ---- a part of a recording --------------------------------------------------------------------- */

/*
 * Has whatever a CPU does now begun after the times that are needed? In a file times can begin anew, as of another boot, so all of it
 * is read; a recording has one line of time.
 */
static bool is_over(const struct bcoslog_rows *rows)
{
	const struct bcoslog_account_cpu *cpu = NULL;

	if (bcoslog_kind(rows->log) != BCOSLOG_RECORDING)
		return false;
	if (!rows->begun || rows->options.to == INT64_MAX || (rows->options.to >= 0 && rows->now <= (u64)rows->options.to))
		return false;
	if (rows->kind->instant)
		return true;
	if (!rows->kind->timed)
		return false;
	while ((cpu = bcoslog_account_next_cpu(rows->account, cpu)))
		if (cpu->up && (s64)cpu->since <= rows->options.to)
			return false;
	return true;
}

/*
 * Can the part of the log before @from be left out? A recording of several boots has times since its first one, of which the
 * index does not know.
 */
static bool can_narrow(const struct bcoslog_rows *rows)
{
	const struct bcoslog_rows_options *options = &rows->options;
	struct bcoslog_boot boot;
	unsigned int boots = 0;
	__u32 i;

	if (!(rows->kind->timed || rows->kind->instant) || options->from <= 0 || options->part.since || options->part.until ||
	    options->since || bcoslog_kind(rows->log) != BCOSLOG_RECORDING)
		return false;
	for (i = 0; boot.size = sizeof(boot), bcoslog_boot(rows->log, i, &boot) > 0; i++)
		boots += !!(boot.flags & BCOSLOG_BOOT_READ);
	return boots == 1;
}

/* Reads the part of a recording from @from on. Its end is not cut, since what a row says of itself may end long after @to. */
static int narrow_part(struct bcoslog_rows *rows)
{
	const struct bcoslog_window part = { .size = sizeof(part), .since = BCOSLOG_MOMENT_BOOT,
					     .since_ns = (u64)rows->options.from };

	return bcoslog_set_window(rows->log, &part);
}

/* Return: the time of the first normal entry that is read; UINT64_MAX if there is none, or the log is damaged before it. */
static u64 first_time(struct bcoslog *log)
{
	const struct bcos_entry *entry;
	struct bcoslog_batch batch;

	while (bcoslog_batch(log, &batch) > 0)
		for (entry = batch.first; entry != batch.end; entry = bcoslog_after(entry))
			if (!(entry->type & BCOS_TYPE_HISTORICAL))
				return entry->time;
	return UINT64_MAX;
}

/* ---- reading ------------------------------------------------------------------------------------- */

static int note_damage(struct bcoslog_rows *rows, u64 bytes)
{
	struct damage_place *damages;
	size_t room = rows->damage_room ? 2 * rows->damage_room : 16;

	if (rows->damage_count == rows->damage_room) {
		damages = reallocarray(rows->damages, room, sizeof(*damages));
		if (!damages)
			return fail_memory(rows);
		rows->damages = damages;
		rows->damage_room = room;
	}
	rows->damages[rows->damage_count++] = (struct damage_place){ .at = rows->held, .bytes = bytes };
	return 0;
}

/* Skips a damaged place.  Return: 0 or a negative errno. */
static int pass_over(struct bcoslog_rows *rows)
{
	const struct bcoslog_error *error = bcoslog_error(rows->log);
	u32 notice[GAP_ENTRY / sizeof(u32)];
	struct bcoslog_batch batch = { .first = (const struct bcos_entry *)notice };
	/* The reader of a recording has told of it. */
	size_t told = bcoslog_kind(rows->log) == BCOSLOG_FILE ? gap_put_damage(notice, rows->newest, error) : 0;
	int r;

	if (rows->options.damaged)
		rows->options.damaged(rows->options.context, bcoslog_kind(rows->log), error);
	r = note_damage(rows, told ? 0 : error->lost);
	if (!r && told) {
		batch.end = bcoslog_after(batch.first);
		rows->held += told;
		r = batches_hold(&rows->ahead, &batch) ? fail_memory(rows) : 0;
	}
	rows->read = r || bcoslog_skip(rows->log);
	return r;
}

/* Reads the next batch, and holds it back.  Return: 0 or a negative errno. */
static int read_batch(struct bcoslog_rows *rows)
{
	const struct bcos_entry *entry;
	struct bcoslog_batch batch;
	int r = bcoslog_batch(rows->log, &batch);

	if (!r)
		rows->read = true;
	if (r == -EBADMSG)
		return pass_over(rows);
	if (r < 0)
		rows->error = *bcoslog_error(rows->log);
	if (r <= 0)
		return r;
	if (batches_hold(&rows->ahead, &batch))
		return fail_memory(rows);
	rows->held += (u64)((const char *)batch.end - (const char *)batch.first);
	r = 0;
	for (entry = batch.first; !r && entry != batch.end; entry = bcoslog_after(entry)) {
		if (!(entry->type & BCOS_TYPE_HISTORICAL))
			rows->newest = entry->time;
		if (rows->account && unlikely(bcoslog_is_loss(entry)))
			r = bcoslog_account_coming(rows->account, entry);
	}
	return r ? fail_memory(rows) : 0;
}

/* Gets the next entries to apply.  Return: 1, 0 at the end of the log, or a negative errno. */
static int next_entries(struct bcoslog_rows *rows)
{
	struct bcoslog_batch batch;
	int r;

	while (!batches_take(&rows->ahead, rows->read || !rows->account ? 0 : AHEAD_BYTES, &batch)) {
		if (rows->read)
			return 0;
		if (rows->options.ends && rows->options.ends(rows->options.context))
			return error_set(&rows->error, EINTR, "the reading was ended");
		r = read_batch(rows);
		if (r)
			return r;
	}
	rows->at = batch.first;
	rows->end = batch.end;
	return 1;
}

/* Takes a part of the log of which something is missing. One outside of the window concerns no row. */
static void take_missing(void *context, const struct missing_part *part)
{
	const struct bcoslog_rows_options *options;
	struct bcoslog_rows *rows;

	for (rows = context; rows; rows = rows->beside) {
		options = &rows->options;
		if ((options->until && part->begin >= options->until) || (part->end <= options->since && part->begin < options->since))
			continue;
		rows->missing_count++;
		if (rows->kind->missing)
			rows_add_missing(rows, part);
	}
}

static int apply_entry(struct bcoslog_rows *rows, const struct bcos_entry *entry)
{
	struct bcoslog_rows *each;

	if (!(entry->type & BCOS_TYPE_HISTORICAL)) {
		rows->begun = true;
		rows->now = entry->time;
	}
	if (missing_entry(&rows->missing, entry))
		return -ENOMEM;
	for (each = rows; each; each = each->beside)
		if (each->kind->entry)
			each->kind->entry(each, entry);
	return rows->account ? bcoslog_account_entry(rows->account, entry) : 0;
}

/* Notes a damaged place that has been reached. */
static void note_damaged(struct bcoslog_rows *rows, u64 bytes)
{
	struct bcoslog_rows *each;

	for (each = rows; each; each = each->beside) {
		each->damaged = true;
		each->now = rows->now;
		each->missing_count += !!bytes;
		if (each->kind->missing && bytes)
			rows_add_damage(each, bytes);
	}
}

/* Notes the damaged places that have been reached. */
static void pass_damage(struct bcoslog_rows *rows)
{
	size_t i;

	for (i = 0; i < rows->damage_count && rows->damages[i].at <= rows->applied; i++)
		note_damaged(rows, rows->damages[i].bytes);
	memmove(rows->damages, rows->damages + i, (rows->damage_count - i) * sizeof(*rows->damages));
	rows->damage_count -= i;
}

/* Ends the account at the end of the log, or of what is needed. */
static void end_log(struct bcoslog_rows *rows, bool whole)
{
	rows->done = true;
	missing_end(&rows->missing, rows->now);
	if (!whole)
		return;
	if (rows->account)
		bcoslog_account_end(rows->account);
	for (; rows; rows = rows->beside)
		if (rows->kind->end)
			rows->kind->end(rows);
}

/* Applies the next piece of the log.  Return: 0 or a negative errno. */
static int apply_piece(struct bcoslog_rows *rows)
{
	const struct bcos_entry *begin;
	int r;

	if (rows->damage_count)
		pass_damage(rows);
	if (rows->at == rows->end) {
		if (is_over(rows)) {
			end_log(rows, false);
			return 0;
		}
		r = next_entries(rows);
		if (rows->damage_count)
			pass_damage(rows);
		if (!r)
			end_log(rows, true);
		if (r <= 0)
			return r;
	}
	begin = rows->at;
	for (r = 0; !r && rows->at != rows->end && (size_t)((const char *)rows->at - (const char *)begin) < PIECE_BYTES;
	     rows->at = bcoslog_after(rows->at))
		r = apply_entry(rows, rows->at);
	rows->applied += (u64)((const char *)rows->at - (const char *)begin);
	return r ? fail_memory(rows) : 0;
}

/* Forgets the rows that were asked for. */
static void forget_rows(struct bcoslog_rows *rows)
{
	for (; rows; rows = rows->beside) {
		rows->first = rows->count = 0;
		rows_free_texts(rows, false);
	}
}

/* Reads on, after all rows were asked for.  Return: 1, 0 at the end of the log, or a negative errno. */
static int read_on(struct bcoslog_rows *rows)
{
	struct bcoslog_rows *each;
	int r;

	if (rows->done)
		return 0;
	forget_rows(rows);
	r = apply_piece(rows);
	for (each = rows; !r && each; each = each->beside)
		if (each->no_memory)
			r = fail_memory(rows);
	if (!r)
		return 1;
	rows->done = true;
	forget_rows(rows);
	return r;
}

int rows_next_of_several(struct bcoslog_rows *rows, u32 *table, const struct bcoslog_value **row)
{
	struct bcoslog_rows *each;
	int r;

	do {
		for (each = rows; each; each = each->beside) {
			if (each->first == each->count)
				continue;
			*row = each->values + each->kind->table.count * each->first++;
			*table = each->options.table;
			return 1;
		}
		r = read_on(rows);
	} while (r > 0);
	return r;
}

int bcoslog_rows_next(struct bcoslog_rows *rows, const struct bcoslog_value **row)
{
	u32 table;

	return rows_next_of_several(rows, &table, row);
}

const struct bcoslog_error *bcoslog_rows_error(const struct bcoslog_rows *rows)
{
	return &rows->error;
}

__u64 bcoslog_rows_missing(const struct bcoslog_rows *rows)
{
	return rows->missing_count;
}

/* ---- opening and closing --------------------------------------------------------------------------- */

static int open_chosen(struct bcoslog_rows *rows, struct bcoslog_error *error)
{
	const struct bcoslog_rows_options *options = &rows->options;
	int r = bcoslog_open(&rows->log, options->path, BCOSLOG_WAKINGS, error);

	if (r)
		return r;
	if (options->machine)
		r = bcoslog_set_machine(rows->log, options->machine);
	if (!r && options->boot)
		r = bcoslog_set_boot(rows->log, options->boot);
	if (!r && (options->part.since || options->part.until))
		r = bcoslog_set_window(rows->log, &options->part);
	if (r)
		*error = *bcoslog_error(rows->log);
	return r;
}

/*
 * What a CPU does when the part begins has begun earlier, as far as the log tells. So the part begins before @from, or, as where
 * @from is in a gap or before the first entry, all is read.
 */
static int open_log(struct bcoslog_rows *rows, struct bcoslog_error *error)
{
	bool narrow;
	int r = open_chosen(rows, error);

	if (r || !can_narrow(rows))
		return r;
	if (rows->kind->timed) {
		narrow = !narrow_part(rows) && first_time(rows->log) < (u64)rows->options.from;
		bcoslog_close(rows->log);
		rows->log = NULL;
		r = open_chosen(rows, error);
		if (r || !narrow)
			return r;
	}
	r = narrow_part(rows);
	if (r)
		*error = *bcoslog_error(rows->log);
	return r;
}

static void process_ended(void *context, const struct bcoslog_account_process *process)
{
	struct bcoslog_rows *rows;

	for (rows = context; rows; rows = rows->beside)
		if (rows->kind->process_ended)
			rows->kind->process_ended(rows, process);
	rows_forget_process(process);
}

static int begin_account(struct bcoslog_rows *rows)
{
	struct bcoslog_account_options sinks = { .since = rows->options.since, .until = rows->options.until, .context = rows,
						 .process_ended = process_ended };

	if (rows->kind->begin)
		rows->kind->begin(rows, &sinks);
	if (rows->no_memory)
		return -ENOMEM;
	if (!rows->kind->account)
		return 0;
	rows->account = bcoslog_account_new(&sinks);
	rows->threads.context = rows;
	if (rows->account && rows->kind->threads)
		bcoslog_account_threads(rows->account, &rows->threads);
	if (rows->account && rows->stretch)
		bcoslog_account_stretches(rows->account, rows->stretch, rows);
	return rows->account ? 0 : -ENOMEM;
}

int bcoslog_rows_open(struct bcoslog_rows **opened, const struct bcoslog_rows_options *options, struct bcoslog_error *error)
{
	const struct rows_kind *kind = options->size == sizeof(*options) ? rows_kind(options->table) : NULL;
	struct bcoslog_rows *rows;
	int r;

	*opened = NULL;
	if (!kind)
		return error_set(error, EINVAL, "there is no such table, or the program was built for another version of the library");
	rows = calloc(1, sizeof(*rows));
	if (!rows)
		return error_set(error, ENOMEM, "there is no memory for a cursor");
	rows->options = *options;
	rows->kind = kind;
	rows->kept = &rows->names;
	rows->missing.part = take_missing;
	rows->missing.context = rows;
	r = open_log(rows, error);
	if (!r && begin_account(rows))
		r = error_set(error, ENOMEM, "there is no memory for a cursor");
	if (r)
		bcoslog_rows_close(rows);
	else
		*opened = rows;
	return r;
}

int rows_add_table(struct bcoslog_rows *rows, u32 table, bool clipped)
{
	struct bcoslog_rows *beside = calloc(1, sizeof(*beside));

	if (!beside)
		return -ENOMEM;
	beside->options = rows->options;
	beside->options.table = table;
	if (!clipped)
		beside->options.since = beside->options.until = 0;
	beside->kind = rows_kind(table);
	beside->kept = &rows->names;
	beside->account = rows->account;
	beside->beside = rows->beside;
	rows->beside = beside;
	if (beside->kind->threads)
		bcoslog_account_threads(rows->account, &rows->threads);
	return 0;
}

/* Frees the cursors beside one that reads the log. */
static void close_beside(struct bcoslog_rows *rows)
{
	struct bcoslog_rows *each = rows->beside, *next;

	for (; each; each = next) {
		next = each->beside;
		rows_free_texts(each, true);
		free(each->values);
		free(each);
	}
}

void bcoslog_rows_close(struct bcoslog_rows *rows)
{
	const struct bcoslog_account_process *process = NULL;

	if (!rows)
		return;
	close_beside(rows);
	while (rows->account && (process = bcoslog_account_next_process(rows->account, process)))
		rows_forget_process(process);
	bcoslog_account_free(rows->account);
	bcoslog_close(rows->log);
	batches_free(&rows->ahead);
	missing_free(&rows->missing);
	rows_free_usage(rows->usage);
	free(rows->naming);
	names_free(&rows->names);
	rows_free_texts(rows, true);
	free(rows->damages);
	free(rows->values);
	free(rows);
}
