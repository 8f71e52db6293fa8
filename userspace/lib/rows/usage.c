// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table usage: the CPU time of processes by second. */
#include <stdlib.h>

#include "buffer.h"

#define SECOND 1000000000ull

/* An interval has rows for so many whole seconds at most; one that is longer has one row for all of them. */
#define SECONDS_MAX 60

enum { TS, DUR, UPID, PID, NAME, CPU_NS, COMPLETE, COLUMNS };

static const struct bcoslog_rows_column columns[] = {
	[TS] = { "ts", BCOSLOG_INTEGER, "the second, ns since boot" },
	[DUR] = { "dur", BCOSLOG_INTEGER, "its length, ns: 1 s, or more where one run is longer than a minute" },
	[UPID] = { "upid", BCOSLOG_INTEGER, "the process, as in the table process" },
	[PID] = { "pid", BCOSLOG_INTEGER, "its process ID; 0 is the kernel" },
	[NAME] = { "name", BCOSLOG_TEXT, "its name at the end of the second" },
	[CPU_NS] = { "cpu_ns", BCOSLOG_INTEGER, "its CPU time in the second, summed over CPUs, ns; a lower bound unless complete is 1" },
	[COMPLETE] = { "complete", BCOSLOG_INTEGER, "1 if the use of all CPUs is known throughout the second; 0 if any process may have used more" },
};

_Static_assert(sizeof(columns) / sizeof(columns[0]) == COLUMNS, "each column has a name");

/* What a process used in a second. */
struct share {
	s64 upid;			/* -1: the slot is empty */
	u32 pid;
	const struct kept_name *name;
	u64 time;
};

/* A second, or several, of which intervals may still come. */
struct step {
	u64 begin, seconds;
	struct share *shares;		/* by upid; the room is a power of two */
	size_t count, room;
};

/* Time for which the use of a CPU is unknown. */
struct range {
	u64 begin, end;
};

struct rows_usage {
	struct step *steps;		/* in the order of their begins */
	size_t count, room;
	struct range *ranges;		/* in their order, and apart from each other */
	size_t range_count, range_room;
	u64 second;			/* the newest one that was entered */
};

/* ---- keeping --------------------------------------------------------------------------------------- */

/* Return: the step with this begin and length; NULL if there is no memory. */
static struct step *find_step(struct rows_usage *usage, u64 begin, u64 seconds)
{
	size_t low = 0, high = usage->count, middle, room = usage->room ? 2 * usage->room : 16;
	struct step *steps;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (usage->steps[middle].begin < begin ||
		    (usage->steps[middle].begin == begin && usage->steps[middle].seconds < seconds))
			low = middle + 1;
		else
			high = middle;
	}
	if (low < usage->count && usage->steps[low].begin == begin && usage->steps[low].seconds == seconds)
		return &usage->steps[low];
	if (usage->count == usage->room) {
		steps = reallocarray(usage->steps, room, sizeof(*steps));
		if (!steps)
			return NULL;
		usage->steps = steps;
		usage->room = room;
	}
	memmove(usage->steps + low + 1, usage->steps + low, (usage->count - low) * sizeof(*usage->steps));
	usage->count++;
	usage->steps[low] = (struct step){ .begin = begin, .seconds = seconds };
	return &usage->steps[low];
}

static struct share *find_slot(const struct step *step, s64 upid)
{
	size_t at = (size_t)((u64)upid * 0x9E3779B97F4A7C15ull >> 32) & (step->room - 1);

	while (step->shares[at].upid != upid && step->shares[at].upid != -1)
		at = (at + 1) & (step->room - 1);
	return &step->shares[at];
}

static bool grow_step(struct step *step)
{
	struct step larger = { .room = step->room ? 2 * step->room : 16 };
	size_t i;

	if (4 * step->count < 3 * step->room)
		return true;
	larger.shares = calloc(larger.room, sizeof(*larger.shares));
	if (!larger.shares)
		return false;
	for (i = 0; i < larger.room; i++)
		larger.shares[i].upid = -1;
	for (i = 0; i < step->room; i++)
		if (step->shares[i].upid != -1)
			*find_slot(&larger, step->shares[i].upid) = step->shares[i];
	free(step->shares);
	step->shares = larger.shares;
	step->room = larger.room;
	return true;
}

static bool add_share(struct rows_usage *usage, u64 begin, u64 seconds, const struct share *more)
{
	struct step *step = find_step(usage, begin, seconds);
	struct share *share;
	u64 time;

	if (!step || !grow_step(step))
		return false;
	share = find_slot(step, more->upid);
	step->count += share->upid == -1;
	time = share->upid == -1 ? 0 : share->time;
	*share = *more;
	sum_add(&share->time, time);
	return true;
}

/* Spreads an interval over its seconds.  Return: whether there was memory for that. */
static bool spread_interval(struct rows_usage *usage, const struct bcoslog_interval *interval, struct share share)
{
	u64 at = interval->begin, first = at / SECOND * SECOND, next, whole;

	for (; at < interval->end; at = next) {
		first = at / SECOND * SECOND;
		whole = at == first ? (interval->end - at) / SECOND : 0;
		/* What follows whole seconds is less than a second. */
		next = whole > SECONDS_MAX ? at + whole * SECOND : first > UINT64_MAX - SECOND ? UINT64_MAX : first + SECOND;
		next = next < interval->end ? next : interval->end;
		share.time = next - at;
		if (!add_share(usage, first, whole > SECONDS_MAX ? whole : 1, &share))
			return false;
	}
	return true;
}

/* Return: the number of ranges that end before @time. */
static size_t ranges_before(const struct rows_usage *usage, u64 time)
{
	size_t low = 0, high = usage->range_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (usage->ranges[middle].end < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool add_range(struct rows_usage *usage, u64 begin, u64 end)
{
	size_t room = usage->range_room ? 2 * usage->range_room : 16, at = ranges_before(usage, begin), behind = at;
	struct range *ranges;

	/* The CPUs lose the same time, mostly: ranges that meet become one. */
	for (; behind < usage->range_count && usage->ranges[behind].begin <= end; behind++) {
		begin = usage->ranges[behind].begin < begin ? usage->ranges[behind].begin : begin;
		end = usage->ranges[behind].end > end ? usage->ranges[behind].end : end;
	}
	if (behind == at && usage->range_count == usage->range_room) {
		ranges = reallocarray(usage->ranges, room, sizeof(*ranges));
		if (!ranges)
			return false;
		usage->ranges = ranges;
		usage->range_room = room;
	}
	memmove(usage->ranges + at + 1, usage->ranges + behind, (usage->range_count - behind) * sizeof(*usage->ranges));
	usage->range_count = usage->range_count - (behind - at) + 1;
	usage->ranges[at] = (struct range){ begin, end };
	return true;
}

/* ---- giving ------------------------------------------------------------------------------------------ */

static u64 end_of(const struct step *step)
{
	u64 length;

	return __builtin_mul_overflow(step->seconds, SECOND, &length) || step->begin > UINT64_MAX - length ? UINT64_MAX :
		step->begin + length;
}

static bool is_known(const struct rows_usage *usage, const struct step *step)
{
	size_t at = ranges_before(usage, step->begin + 1);

	return at == usage->range_count || usage->ranges[at].begin >= end_of(step);
}

/* Gives the rows of a step, in the order of their processes. */
static int compare_shares(const void *left, const void *right)
{
	const struct share *a = left, *b = right;

	return a->upid < b->upid ? -1 : a->upid > b->upid;
}

static void add_rows(struct bcoslog_rows *rows, struct step *step)
{
	bool known = !rows->damaged && is_known(rows->usage, step);
	struct bcoslog_value *row;
	size_t i;

	qsort(step->shares, step->room, sizeof(*step->shares), compare_shares);
	for (i = step->room - step->count; i < step->room; i++) {
		const struct share *share = &step->shares[i];

		if (!rows_wants_pid(rows, share->pid) || (s64)step->begin < rows->options.from || (s64)step->begin > rows->options.to)
			continue;
		row = rows_add(rows);
		if (!row)
			break;
		value_set(&row[TS], step->begin);
		value_set(&row[DUR], step->seconds * SECOND);
		value_set(&row[UPID], (u64)share->upid);
		value_set(&row[PID], share->pid);
		value_set_name(&row[NAME], share->name);
		value_set(&row[CPU_NS], share->time);
		value_set(&row[COMPLETE], known);
	}
	free(step->shares);
}

/* Gives the steps that end at @until or before, of which no interval can come any more. */
static void give_steps(struct bcoslog_rows *rows, u64 until)
{
	struct rows_usage *usage = rows->usage;
	size_t i, kept = 0;

	/* While a CPU goes on with what it does, this is called each second: it shall not look at all that waits for that. */
	for (i = 0; i < usage->count && usage->steps[i].begin < until; i++) {
		if (end_of(&usage->steps[i]) <= until)
			add_rows(rows, &usage->steps[i]);
		else
			usage->steps[kept++] = usage->steps[i];
	}
	if (kept != i)
		memmove(usage->steps + kept, usage->steps + i, (usage->count - i) * sizeof(*usage->steps));
	usage->count -= i - kept;
	/* What ends before all steps that are left, and before the time, concerns none. */
	until = usage->count && usage->steps[0].begin < until ? usage->steps[0].begin : until / SECOND * SECOND;
	i = ranges_before(usage, until + 1);
	if (i)
		memmove(usage->ranges, usage->ranges + i, (usage->range_count - i) * sizeof(*usage->ranges));
	usage->range_count -= i;
}

/* ---- the account --------------------------------------------------------------------------------------- */

static void take_interval(void *context, const struct bcoslog_interval *interval)
{
	struct bcoslog_rows *rows = context;
	const struct known_process *process;
	struct share share;

	if (interval->begin == interval->end || rows->no_memory)
		return;
	if (interval->use == BCOSLOG_USE_UNKNOWN)
		rows->no_memory |= !add_range(rows->usage, interval->begin, interval->end);
	process = interval->process ? rows_process(rows, interval->process) : NULL;
	if (!process)
		return;
	share = (struct share){ .upid = process->upid, .pid = interval->process->id, .name = process->name };
	rows->no_memory |= !spread_interval(rows->usage, interval, share);
}

/* A second is over when whatever CPUs do has begun after it. */
static void enter_second(struct bcoslog_rows *rows, const struct bcos_entry *entry)
{
	const struct bcoslog_account_cpu *cpu = NULL;
	u64 until = entry->time / SECOND * SECOND;

	if (entry->type & BCOS_TYPE_HISTORICAL || until <= rows->usage->second)
		return;
	rows->usage->second = until;
	while ((cpu = bcoslog_account_next_cpu(rows->account, cpu)))
		if (cpu->up && cpu->use != BCOSLOG_USE_IDLE && cpu->since < until)
			until = cpu->since;
	give_steps(rows, until);
}

static void begin_usage(struct bcoslog_rows *rows, struct bcoslog_account_options *sinks)
{
	sinks->interval = take_interval;
	rows->usage = calloc(1, sizeof(*rows->usage));
	rows->no_memory |= !rows->usage;
}

static void end_usage(struct bcoslog_rows *rows)
{
	give_steps(rows, UINT64_MAX);
}

void rows_free_usage(struct rows_usage *usage)
{
	size_t i;

	if (!usage)
		return;
	for (i = 0; i < usage->count; i++)
		free(usage->steps[i].shares);
	free(usage->steps);
	free(usage->ranges);
	free(usage);
}

const struct rows_kind rows_of_usage = {
	.table = {
		.name = "usage",
		.about = "the CPU time of a process, or the kernel, in a second in which it had some",
		.columns = columns,
		.count = COLUMNS,
	},
	.account = true,
	.keeps = 1ull << NAME,
	.begin = begin_usage,
	.entry = enter_second,
	.end = end_usage,
};
