// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Buckets of time: see buckets.h. */
#include <stdlib.h>

#include "buckets.h"
#include "options/when.h"
#include "report/course/imprecise.h"
#include "complain/complain.h"

/* More rows than a day has seconds, which are kept until all are known. */
#define BUCKETS_MAX (1u << 17)

int buckets_take(struct buckets *buckets, const char *text)
{
	if (parse_duration("--every", text, &buckets->every))
		return -1;
	if (buckets->every)
		return 0;
	complain("--every takes a stretch of time, such as 1s or 10ms, and not 0");
	return -1;
}

void *buckets_at(struct buckets *buckets, u64 origin, u64 time)
{
	u64 at, limit;
	char *larger;

	if (!buckets->limit)
		buckets->first = origin / buckets->every;
	at = time / buckets->every - buckets->first;
	if (buckets->first + at > buckets->last)
		buckets->last = buckets->first + at;
	/* buckets_print() refuses so many. */
	if (at >= BUCKETS_MAX)
		return NULL;
	if (at >= buckets->limit) {
		limit = at < 64 ? 64 : 2 * at;
		larger = reallocarray(buckets->of, limit, buckets->size);
		if (!larger) {
			buckets->failed = true;
			return NULL;
		}
		memset(larger + buckets->limit * buckets->size, 0, (limit - buckets->limit) * buckets->size);
		buckets->of = larger;
		buckets->limit = limit;
	}
	return buckets->of + at * buckets->size;
}

u64 buckets_end(const struct buckets *buckets, u64 time, u64 end)
{
	/* The rest of the bucket is computed, since the end of the last possible bucket exceeds 64 bits. */
	u64 until = buckets->every - time % buckets->every;

	return until < end - time ? time + until : end;
}

void buckets_unknown(struct buckets *buckets, u32 lost, u64 begin, u64 end)
{
	struct bucket_loss *loss;

	if (buckets->loss_count < BUCKET_LOSSES) {
		buckets->losses[buckets->loss_count++] = (struct bucket_loss){ .begin = begin, .end = end, .lost = lost };
		return;
	}
	/* The last place takes all further losses. */
	loss = &buckets->losses[BUCKET_LOSSES - 1];
	loss->lost |= lost;
	if (begin < loss->begin)
		loss->begin = begin;
	if (end > loss->end)
		loss->end = end;
}

u32 buckets_lost(const struct buckets *buckets, u64 begin, u64 end)
{
	const struct bucket_loss *loss;
	u32 lost = 0;

	for (loss = buckets->losses; loss < buckets->losses + buckets->loss_count; loss++)
		if (loss->begin < end && (loss->end > begin || loss->begin >= begin))
			lost |= loss->lost;
	return lost;
}

static struct cell marks_of(bool partial, bool imprecise)
{
	if (partial)
		return imprecise ? CELL_WORD("partial, imprecise") : CELL_WORD("partial");
	return imprecise ? CELL_WORD("imprecise") : CELL_WORD("");
}

int buckets_print(struct report *report, struct buckets *buckets, const struct column *columns, size_t count,
		  const char *spare, void (*fill)(struct cell *cells, const struct bucket_row *row))
{
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(report->account);
	struct cell cells[BUCKET_COLUMNS_MAX];
	struct table_rows table;
	struct bucket_row row;
	u64 at, first = totals->begin / buckets->every, last, begin, end, from, to;
	bool imprecise;

	/* The end of the log has no bucket of its own, unless something happened at that very moment. */
	last = buckets->last;
	if (totals->end > totals->begin && (totals->end - 1) / buckets->every > last)
		last = (totals->end - 1) / buckets->every;
	if (last > first && last - first >= BUCKETS_MAX) {
		complain("a table has at most %u stretches of time: choose a wider --every, or a part of the log by --since and "
			 "--until", BUCKETS_MAX);
		return -ENOSPC;
	}
	table_begin(&table, columns, count);
	table.spare = spare;
	if (!buckets->limit && totals->end <= totals->begin)
		first = last + 1;
	for (at = first; at <= last && !run_ends(); at++) {
		begin = at * buckets->every;
		/* The log may go on after the last bucket with counts: this makes the others. */
		row.counted = buckets_at(buckets, totals->begin, begin < totals->begin ? totals->begin : begin);
		if (!row.counted)
			break;
		end = begin > UINT64_MAX - buckets->every ? UINT64_MAX : begin + buckets->every;
		from = begin < totals->begin ? totals->begin : begin;
		to = end > totals->end ? totals->end : end;
		row.seconds = (double)(to - from) / 1e9;
		row.lost = buckets_lost(buckets, from, to);
		cells[0] = CELL_OF(begin);
		cells[1] = CELL_OF(end);
		imprecise = imprecise_in(from, to, buckets->every);
		cells[2] = marks_of(begin < totals->begin || end > totals->end,
				    imprecise && report->form == TABLE_TEXT);
		cells[3] = CELL_OF(imprecise);
		fill(cells + BUCKET_HEAD, &row);
		table_row(&table, cells);
	}
	table.failed |= buckets->failed;
	return report_table(report, &table);
}

void buckets_free(struct buckets *buckets)
{
	free(buckets->of);
	buckets->of = NULL;
	buckets->limit = 0;
}
