// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints the threads of a process, for people and for programs. */
#include "account/report.h"
#include "output/object.h"
#include "output/output.h"
#include "page.h"
#include "story.h"

static void put_times(const char *before, u64 count, const char *after)
{
	page_format("%s%llu time%s%s", before, (unsigned long long)count, count == 1 ? "" : "s", after);
}

/* Return: the mark of a number of a thread, of which some may be missing. */
static const char *least_of(const struct life *life, u32 lost)
{
	return life->process.lost & lost ? ">=" : "";
}

/* What was lost when a turn of a thread may be missing. */
#define LOST_TURNS (BCOSLOG_LOST_ASSIGNMENTS | BCOSLOG_LOST_STATES)

static void put_turns(const struct life *life, u64 time, u64 turns)
{
	page_span(time);
	page_format(" in %s%llu turn%s", least_of(life, LOST_TURNS), (unsigned long long)turns, turns == 1 ? "" : "s");
}

/* Puts the name that a thread has beside that of its process. */
static void put_thread_name(const char *name, size_t length)
{
	if (!length)
		return;
	put_literal(" ");
	page_quoted(name, length);
}

static void put_waker(const struct life_waker *by)
{
	if (by->waker.by == BCOSLOG_WOKEN_BY_INTERRUPT) {
		put_literal("an interrupt");
	} else if (by->waker.process == BCOS_PROCESS_KERNEL && !by->waker.thread) {
		put_literal("an idle CPU");
	} else {
		if (by->waker.by == BCOSLOG_WOKEN_BY_EITHER)
			put_literal("an interrupt or ");
		page_process(by->waker.process, by->length ? by->name : NULL, by->length);
		page_format(" (thread %u", by->waker.thread);
		put_thread_name(by->thread_name, by->thread_length);
		put_literal(")");
	}
}

static void put_wait(const struct life *life, const struct life_thread *thread)
{
	const struct bcoslog_account_thread *of = &thread->of;
	const char *least = least_of(life, LOST_WAITS);

	page_format("; waited %s", least);
	put_times("", of->waits, " for a CPU, at most ");
	put_string(least);
	page_span(of->longest_wait);
	put_literal(" until ");
	page_time(life->clock, of->longest_wait_at);
	if (of->longest_preempted) {
		put_literal(", preempted");
	} else if (thread->longest.waker.by != BCOSLOG_WOKEN_BY_UNKNOWN) {
		put_literal(", woken by ");
		put_waker(&thread->longest);
	}
}

static void put_thread(const struct life *life, const struct life_thread *thread)
{
	const struct bcoslog_account_thread *of = &thread->of;

	page_format("%u", of->id);
	/* Many threads have the name of their process. */
	if (of->name_length != life->process.name_length || memcmp(of->name, life->process.name, of->name_length))
		put_thread_name(of->name, of->name_length);
	put_literal(": ");
	if (of->at_least)
		put_literal(">=");
	put_turns(life, of->time, of->turns);
	if (of->waits)
		put_wait(life, thread);
	if (of->wakeups)
		page_format("; woken %s%llu time%s", least_of(life, BCOSLOG_LOST_STATES), (unsigned long long)of->wakeups,
			    of->wakeups == 1 ? "" : "s");
	if (!thread->most_count)
		return;
	put_string(thread->most_count == of->wakeups ? ", by " : ", most by ");
	put_waker(&thread->most);
	if (thread->most_count != of->wakeups)
		put_times(", ", thread->most_count, "");
}

/* Puts only the IDs of the threads, since the log does not tell when CPUs ran them. */
static void put_ids(const struct life *life)
{
	size_t i;

	page_begin("threads");
	for (i = 0; i < life->thread_count && i < LIFE_THREADS; i++)
		page_format("%s%u", i ? ", " : "", life->threads[i]);
	if (life->thread_count > LIFE_THREADS)
		put_literal(", and more");
	if (life->thread_count && !life->process.time)
		put_literal(", none of which the log shows on a CPU");
	else
		put_string(life->thread_count ? "; their times require the class state" : "their times require the class state");
	page_end();
}

/* Return: ns of CPU time of the process for which the log names no thread. */
static u64 unnamed_time(const struct life *life)
{
	return life->process.time > life->threads_time ? life->process.time - life->threads_time : 0;
}

/* Return: whether the unnamed time is not exact: some of it may be of threads that have names, and some be missing. */
static bool is_unnamed_rough(const struct life *life)
{
	return unnamed_time(life) && life->process.lost & LOST_TURNS;
}

void story_threads(const struct life *life)
{
	u64 unnamed = unnamed_time(life);
	size_t i;

	if (!life->told_count)
		put_ids(life);
	for (i = 0; i < life->told_count; i++) {
		page_begin(i ? "" : "threads");
		put_thread(life, &life->told[i]);
		page_end();
	}
	if (life->other_count) {
		page_begin("");
		page_format("and %s%llu more: %s", least_of(life, LOST_TURNS), (unsigned long long)life->other_count,
			    life->other_least ? ">=" : "");
		put_turns(life, life->other_time, life->other_turns);
		page_end();
	}
	if (life->told_count && unnamed) {
		page_begin("");
		put_string(is_unnamed_rough(life) ? "~" : "");
		page_span(unnamed);
		put_literal(" of a thread that the log does not name");
		page_end();
	}
}

void story_add_counted(struct object *object, const struct life *life, const char *key, u64 number, u32 lost)
{
	char name[64];

	object_number(object, key, number);
	if (!(life->process.lost & lost) && number != SUM_MAX)
		return;
	snprintf(name, sizeof(name), "%s_at_least", key);
	object_add(object, name, json_true());
}

static void add_waker(struct object *object, const char *key, const struct life_waker *by)
{
	struct object inner = { .json = json_object() };

	if (by->waker.by == BCOSLOG_WOKEN_BY_INTERRUPT) {
		object_add(&inner, "interrupt", json_true());
	} else {
		object_number(&inner, "process", by->waker.process);
		if (by->length)
			object_text(&inner, "name", by->name, by->length);
		object_number(&inner, "thread", by->waker.thread);
		if (by->thread_length)
			object_text(&inner, "thread_name", by->thread_name, by->thread_length);
	}
	object->failed |= inner.failed;
	object_add(object, key, by->waker.by == BCOSLOG_WOKEN_BY_EITHER ? object_uncertain(object, inner.json) : inner.json);
}

static void add_thread(struct object *object, const struct life *life, const struct life_thread *thread)
{
	const struct bcoslog_account_thread *of = &thread->of;

	object_number(object, "thread", of->id);
	if (of->name_length)
		object_text(object, "thread_name", of->name, of->name_length);
	object_number(object, "cpu_ns", of->time);
	if (of->at_least)
		object_add(object, "cpu_ns_at_least", json_true());
	story_add_counted(object, life, "turns", of->turns, LOST_TURNS);
	story_add_counted(object, life, "waits", of->waits, LOST_WAITS);
	if (of->waits) {
		object_number(object, "wait_mean_ns", of->waited / of->waits);
		if (life->process.lost & LOST_WAITS)
			object_add(object, "wait_mean_ns_about", json_true());
		story_add_counted(object, life, "wait_longest_ns", of->longest_wait, LOST_WAITS);
		object_time(object, life->clock, "wait_longest_at", of->longest_wait_at);
		object_add(object, "wait_longest_preempted", json_boolean(of->longest_preempted));
	}
	if (of->waits && thread->longest.waker.by != BCOSLOG_WOKEN_BY_UNKNOWN)
		add_waker(object, "wait_longest_woken_by", &thread->longest);
	story_add_counted(object, life, "wakeups", of->wakeups, BCOSLOG_LOST_STATES);
	if (!thread->most_count)
		return;
	add_waker(object, "most_woken_by", &thread->most);
	story_add_counted(object, life, "most_woken_by_count", thread->most_count, BCOSLOG_LOST_STATES);
}

void story_add_threads(struct object *object, const struct life *life)
{
	json_t *list = json_array();
	struct object inner;
	size_t i;

	for (i = 0; i < life->told_count; i++) {
		inner = (struct object){ .json = json_object() };
		add_thread(&inner, life, &life->told[i]);
		object->failed |= inner.failed | json_array_append_new(list, inner.json);
	}
	object_add(object, "thread_times", list);
	if (!life->told_count)
		return;
	story_add_counted(object, life, "other_threads", life->other_count, LOST_TURNS);
	object_number(object, "other_threads_ns", life->other_time);
	if (life->other_least)
		object_add(object, "other_threads_ns_at_least", json_true());
	object_number(object, "unnamed_threads_ns", unnamed_time(life));
	if (is_unnamed_rough(life))
		object_add(object, "unnamed_threads_ns_about", json_true());
}
