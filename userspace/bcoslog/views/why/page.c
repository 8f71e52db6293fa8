// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints why a thread waited, on a page for people. */
#include <stdlib.h>

#include "output/output.h"
#include "output/times.h"
#include "why.h"

/* The number of lines below a row. */
#define LINES_BELOW 5

struct row {
	u64 ns;
	bool least;			/* it may be more */
	const char *text;
	void (*below)(const struct why *why);
};

/* The texts of rows about the thread itself. */
static const char *const of_subject[LEAVES] = {
	[LEAF_RUNS] = "running",
	[LEAF_KERNEL] = "in system calls, while its CPU was the kernel's",
	[LEAF_READY] = "ready, but it had no CPU",
	[LEAF_HELD] = "held back, until it ran again: its control group had used its quota",
	[LEAF_TIMER] = "blocked, until its timer",
	[LEAF_BLOCK] = "blocked, until a request to a disk ended",
	[LEAF_NET] = "blocked, until the network had something",
	[LEAF_DEVICE] = "blocked, until an interrupt of a device",
	[LEAF_INTERRUPT] = "blocked, until an interrupt: a timer or a device",
	[LEAF_EITHER] = "blocked, until an interrupt woke it, or a thread",
	[LEAF_KERNEL_THREAD] = "blocked, until a thread of the kernel woke it",
	[LEAF_UNSEEN] = "blocked, until a thread of which the log has no times",
	[LEAF_UNTOLD] = "blocked; the log does not tell who woke it",
	[LEAF_STILL] = "blocked, and still so at the end",
	[LEAF_STOPPED] = "stopped, by a signal or a debugger",
	[LEAF_UNKNOWN] = "not in the log",
	[LEAF_DEEP] = "blocked, at the end of too long a chain of wakers",
};

/* The texts about another thread, after "which". */
static const char *const of_other[LEAVES] = {
	[LEAF_RUNS] = "ran",
	[LEAF_KERNEL] = "was in system calls",
	[LEAF_READY] = "was ready, but had no CPU",
	[LEAF_HELD] = "was held back by the quota of its control group",
	[LEAF_TIMER] = "was blocked until its timer",
	[LEAF_BLOCK] = "was blocked until a request to a disk ended",
	[LEAF_NET] = "was blocked until the network had something",
	[LEAF_DEVICE] = "was blocked until an interrupt of a device",
	[LEAF_INTERRUPT] = "was blocked until an interrupt",
	[LEAF_EITHER] = "was blocked until an interrupt, or a thread",
	[LEAF_KERNEL_THREAD] = "was blocked until the kernel woke it",
	[LEAF_UNSEEN] = "was blocked until a thread not followed in the log",
	[LEAF_UNTOLD] = "was blocked, it is not known for whom",
	[LEAF_STILL] = "was blocked, and still is at the end",
	[LEAF_STOPPED] = "was stopped",
	[LEAF_UNKNOWN] = "did what is not in the log",
	[LEAF_DEEP] = "waited for too long a chain of others",
};

/* @mark: stands before it. */
static void put_marked(const char *mark, u64 ns)
{
	char text[32];
	int length = snprintf(text, sizeof(text), "%s%llu.%03llu", mark, (unsigned long long)(ns / 1000000),
			      (unsigned long long)(ns / 1000 % 1000));

	output_room();
	put_left("", 0, length < 12 ? (size_t)(12 - length) : 0);
	put_bytes(text, (size_t)length);
	put_literal(" ms");
}

static void put_span(u64 ns)
{
	put_marked("", ns);
}

static void put_below(const char *mark, u64 ns)
{
	put_marked(mark, ns);
	put_literal("             ");
}

static const char *mark_of(bool least)
{
	return least ? ">=" : "";
}

/* Return: the mark of a part of what the thread did so. */
static const char *mark_in(const struct why *why, enum why_leaf leaf)
{
	return mark_of(why_least(why, leaf));
}

static void put_process_name(const struct why_process *process)
{
	put_literal("process ");
	put_number(process->id);
	put_char(' ');
	put_quoted(process->name, process->name_length);
}

static void put_thread_name(const struct why_thread *thread)
{
	if (!thread->name_length)
		return;
	put_char(' ');
	put_quoted(thread->name, thread->name_length);
}

static void put_cpus(const struct why *why)
{
	size_t i;

	for (i = 0; i < why->cpu_count; i++) {
		if (!why->cpus[i]->ran)
			continue;
		put_below(mark_in(why, LEAF_RUNS), why->cpus[i]->ran);
		output_format("on CPU %u\n", why->cpus[i]->node.id);
	}
}

static void put_more(const char *mark, u64 ns, u64 count, const char *what)
{
	if (!count)
		return;
	put_below(mark, ns);
	output_format("%llu %s\n", (unsigned long long)count, what);
}

static void put_line(const char *mark, u64 ns, const char *text)
{
	if (!ns)
		return;
	put_below(mark, ns);
	put_string(text);
	put_char('\n');
}

static void put_instead(const struct why *why)
{
	/* Whoever had the CPU when the log does not tell it may be any of them. */
	const char *mark = mark_of(why->unseen || why_least(why, LEAF_READY));
	const struct why_process *process = why->instead;
	u64 rest = 0, count = 0;
	int lines = 0;

	for (; process; process = process->next_instead) {
		if (lines++ >= LINES_BELOW) {
			rest += process->instead;
			count++;
			continue;
		}
		put_below(mark, process->instead);
		put_literal("instead ran ");
		put_process_name(process);
		put_string(process == why->subject->process ? ", its own\n" : "\n");
	}
	put_more(mark, rest, count, "others");
	put_line(mark, why->by_kernel, "the kernel had the CPU");
	put_line(mark, why->idle, "the CPU was idle: switching, or not allowed");
	put_line(mark_in(why, LEAF_READY), why->unseen, "the log does not tell who had the CPU");
	quota_put(why, false, put_below);
}

static void put_held(const struct why *why)
{
	quota_put(why, true, put_below);
}

static void put_blamed_leaves(const struct why_thread *thread, bool least)
{
	int leaf;

	for (leaf = 0; leaf < LEAVES; leaf++) {
		if (!thread->blamed[leaf])
			continue;
		put_below(mark_of(least && leaf != LEAF_UNKNOWN), thread->blamed[leaf]);
		put_literal("  which ");
		put_string(of_other[leaf]);
		put_char('\n');
	}
}

static void put_blamed(const struct why *why)
{
	const struct why_thread *thread = why->blamed;
	bool least = why_blame_least(why), open = false;
	u64 rest = 0, count = 0;
	int lines = 0;

	for (; thread; thread = thread->next_blamed) {
		if (lines++ >= LINES_BELOW) {
			rest += why_blame(thread);
			open |= why_blame_open(thread);
			count++;
			continue;
		}
		put_below(why_blame_open(thread) ? "~" : mark_of(least), why_blame(thread));
		output_format("in the end for thread %u", thread->node.id);
		put_thread_name(thread);
		put_literal(" of ");
		put_process_name(thread->process);
		put_char('\n');
		put_blamed_leaves(thread, least);
	}
	put_more(open ? "~" : mark_of(least), rest, count, "others");
}

static int largest_first(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	return a->ns > b->ns ? -1 : a->ns < b->ns;
}

static void put_rows(const struct why *why)
{
	struct row rows[LEAVES + 1] = { 0 };
	u64 span = why->until - why->since;
	char share[16];
	size_t i;

	for (i = 0; i < LEAVES; i++)
		rows[i] = (struct row){ .ns = why->own[i], .least = why_least(why, i), .text = of_subject[i] };
	rows[LEAF_RUNS].below = put_cpus;
	rows[LEAF_READY].below = put_instead;
	rows[LEAF_HELD].below = put_held;
	rows[LEAVES] = (struct row){ why->chained, why_least(why, LEAF_UNSEEN), "blocked, until other threads woke it", put_blamed };
	qsort(rows, LEAVES + 1, sizeof(*rows), largest_first);
	for (i = 0; i <= LEAVES && rows[i].ns; i++) {
		put_marked(mark_of(rows[i].least), rows[i].ns);
		snprintf(share, sizeof(share), "%s%.1f", mark_of(rows[i].least), 100.0 * (double)rows[i].ns / (double)span);
		output_format("%7s %%  %s\n", share, rows[i].text);
		if (rows[i].below)
			rows[i].below(why);
	}
}

/* Prints the sum of the places for which there is no line. */
static void put_rest(const struct why *why)
{
	u64 ns = 0;
	size_t i;

	for (i = LINES_BELOW; i < why->where_count; i++)
		ns += why->wheres[i].ns;
	put_line(mark_in(why, LEAF_UNTOLD), ns, "elsewhere");
}

/* Prints where the thread was blocked, if the log tells any of that. */
static void put_wheres(const struct why *why)
{
	const char *mark = mark_in(why, LEAF_UNTOLD);
	const struct why_wheres *each = why->wheres;
	bool told = false;
	char text[WHY_WHERE];
	size_t i;

	for (i = 0; i < why->where_count; i++)
		told |= each[i].where.place != BCOSLOG_PLACE_UNKNOWN || each[i].where.io;
	if (!told)
		return;
	put_literal("Where it was blocked:\n");
	for (i = 0; i < why->where_count && i < LINES_BELOW; i++) {
		why_where_words(text, &each[i].where);
		put_below(mark, each[i].ns);
		output_format("%s, %s%llu time%s\n", text, mark, (unsigned long long)each[i].times, each[i].times == 1 ? "" : "s");
	}
	put_rest(why);
}

static void put_longest(const struct why *why)
{
	static const char *const words[] = { [WHY_READY] = "ready", [WHY_HELD] = "held back", [WHY_BLOCKED] = "blocked" };
	const struct why_slice *slice = why->longest;
	char until[TIME_TEXT];
	int i;

	for (i = 0; i < WHY_LONGEST && slice[i].end > slice[i].begin; i++) {
		if (!i)
			put_literal("Longest waits:\n");
		put_marked(slice[i].cut ? ">=" : "", slice[i].end - slice[i].begin);
		time_text(&why->report->session->clock, until, slice[i].end);
		output_format("             %s until %s%s\n", words[slice[i].doing], until,
			      slice[i].open ? ", and beyond" : "");
	}
}

int why_page(struct why *why)
{
	const struct why_thread *subject = why->subject;
	char since[TIME_TEXT], precision[PRECISION_TEXT];

	time_text(&why->report->session->clock, since, why->since);
	output_room();
	put_literal("Process ");
	put_number(subject->process->id);
	put_char(' ');
	put_quoted(subject->process->name, subject->process->name_length);
	output_format(", thread %u", subject->node.id);
	put_thread_name(subject);
	if (why->asked > 1)
		output_format(why->activity ? ", the busiest of %zu%s (--thread)" : ", one of %zu%s, none of which ran (--thread)",
			      why->asked, why->thread_name ? " with this name" : "");
	output_format(", from %s:\n", since);
	put_span(why->until - why->since);
	put_literal("  in all\n");
	put_rows(why);
	if (why->uninterruptible) {
		put_literal("Of the time in which it was blocked, signals could not wake it:\n");
		put_below(mark_in(why, LEAF_UNTOLD), why->uninterruptible);
		put_literal("as for a disk, or a lock of the kernel\n");
	}
	put_wheres(why);
	put_longest(why);
	quota_put_stalls(why);
	if (why->precision > 1)
		output_format("Precision of its times: %s\n",
			      precision_text(precision, why->precision));
	lacks_print(why);
	return 0;
}
