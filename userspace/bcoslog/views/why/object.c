// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints why a thread waited, as a JSON object for programs. */
#include "output/calls.h"
#include "output/object.h"
#include "why.h"

/* The causes, as programs see them. */
static const char *const causes[LEAVES] = {
	[LEAF_RUNS] = "running",
	[LEAF_KERNEL] = "system_call",
	[LEAF_READY] = "ready",
	[LEAF_HELD] = "held_back",
	[LEAF_TIMER] = "timer",
	[LEAF_BLOCK] = "disk",
	[LEAF_NET] = "network",
	[LEAF_DEVICE] = "device",
	[LEAF_INTERRUPT] = "interrupt",
	[LEAF_EITHER] = "interrupt_or_thread",
	[LEAF_KERNEL_THREAD] = "kernel_thread",
	[LEAF_UNSEEN] = "thread_unseen",
	[LEAF_UNTOLD] = "waker_unknown",
	[LEAF_STILL] = "still_blocked",
	[LEAF_STOPPED] = "stopped",
	[LEAF_UNKNOWN] = "unknown",
	[LEAF_DEEP] = "chain_too_long",
};

static void append(struct object *object, json_t *list, struct object *inner)
{
	object->failed |= inner->failed | json_array_append_new(list, inner->json);
}

/* Adds ns, and whether that is a lower bound. */
static void add_ns(struct object *object, u64 ns, bool least)
{
	object_number(object, "ns", ns);
	if (least)
		object_add(object, "ns_at_least", json_true());
}

static void add_process(struct object *object, const struct why_process *process)
{
	object_number(object, "process", process->id);
	object_text(object, "name", process->name, process->name_length);
}

static void add_cpus(struct object *row, const struct why *why)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < why->cpu_count; i++) {
		struct object inner = { .json = json_object() };

		if (!why->cpus[i]->ran) {
			json_decref(inner.json);
			continue;
		}
		object_number(&inner, "cpu", why->cpus[i]->node.id);
		add_ns(&inner, why->cpus[i]->ran, why_least(why, LEAF_RUNS));
		append(row, list, &inner);
	}
	object_add(row, "cpus", list);
}

static void add_instead(struct object *row, const struct why *why)
{
	const struct why_process *process;
	json_t *list = json_array();

	for (process = why->instead; process; process = process->next_instead) {
		struct object inner = { .json = json_object() };

		add_process(&inner, process);
		add_ns(&inner, process->instead, why->unseen || why_least(why, LEAF_READY));
		append(row, list, &inner);
	}
	object_add(row, "instead", list);
	object_number(row, "kernel_ns", why->by_kernel);
	object_number(row, "idle_ns", why->idle);
	object_number(row, "unknown_ns", why->unseen);
}

static void add_row(struct object *object, json_t *rows, const struct why *why, enum why_leaf leaf)
{
	struct object row = { .json = json_object() };

	object_word(&row, "cause", causes[leaf]);
	add_ns(&row, why->own[leaf], why_least(why, leaf));
	if (leaf == LEAF_RUNS)
		add_cpus(&row, why);
	if (leaf == LEAF_READY)
		add_instead(&row, why);
	append(object, rows, &row);
}

static void add_thread(struct object *object, const struct why_thread *thread)
{
	object_number(object, "thread", thread->node.id);
	if (thread->name_length)
		object_text(object, "thread_name", thread->name, thread->name_length);
}

/* Adds a row for what a thread that is to blame did. */
static void add_blamed(struct object *object, json_t *rows, const struct why_thread *thread, enum why_leaf leaf, bool least)
{
	struct object row = { .json = json_object() };

	object_word(&row, "cause", "thread");
	add_ns(&row, thread->blamed[leaf], least && leaf != LEAF_UNKNOWN);
	add_process(&row, thread->process);
	add_thread(&row, thread);
	object_word(&row, "doing", causes[leaf]);
	append(object, rows, &row);
}

static void add_rows(struct object *object, const struct why *why)
{
	const struct why_thread *thread;
	bool least = why_blame_least(why);
	json_t *rows = json_array();
	int leaf;

	for (leaf = 0; leaf < LEAVES; leaf++)
		if (why->own[leaf])
			add_row(object, rows, why, leaf);
	for (thread = why->blamed; thread; thread = thread->next_blamed)
		for (leaf = 0; leaf < LEAVES; leaf++)
			if (thread->blamed[leaf])
				add_blamed(object, rows, thread, leaf, least);
	object_add(object, "rows", rows);
}

static void add_wheres(struct object *object, const struct why *why)
{
	static const char *const places[] = {
		[BCOSLOG_PLACE_UNKNOWN] = "unknown", [BCOSLOG_PLACE_CALL] = "call", [BCOSLOG_PLACE_OUTSIDE] = "outside",
		[BCOSLOG_PLACE_EXIT] = "exit",
	};
	bool least = why_least(why, LEAF_UNTOLD);
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < why->where_count; i++) {
		const struct why_where *where = &why->wheres[i].where;
		struct object inner = { .json = json_object() };

		object_word(&inner, "place", places[where->place]);
		if (where->place == BCOSLOG_PLACE_CALL && call_is_numbered(where->call))
			object_number(&inner, "call", where->call);
		if (why_call_name(where))
			object_word(&inner, "call_name", why_call_name(where));
		object_add(&inner, "io", json_boolean(where->io));
		object_add(&inner, "uninterruptible", json_boolean(where->hard));
		add_ns(&inner, why->wheres[i].ns, least);
		object_number(&inner, "times", why->wheres[i].times);
		if (least)
			object_add(&inner, "times_at_least", json_true());
		append(object, list, &inner);
	}
	object_add(object, "where", list);
}

static void add_longest(struct object *object, const struct why *why)
{
	json_t *list = json_array();
	int i;

	for (i = 0; i < WHY_LONGEST && why->longest[i].end > why->longest[i].begin; i++) {
		const struct why_slice *slice = &why->longest[i];
		struct object inner = { .json = json_object() };

		object_word(&inner, "state", slice->doing == WHY_READY ? "ready" : slice->doing == WHY_HELD ? "held_back" : "blocked");
		object_time(&inner, &why->report->session->clock, "begin", slice->begin);
		object_time(&inner, &why->report->session->clock, "end", slice->end);
		object_add(&inner, "open", json_boolean(slice->open));
		object_add(&inner, "cut", json_boolean(slice->cut));
		append(object, list, &inner);
	}
	object_add(object, "longest", list);
}

/* Adds the classes that the log lacks. */
static void add_lacks(struct object *object, const struct why *why)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < WHY_PARTS; i++)
		if (lacks_part(why, i))
			object->failed |= json_array_append_new(list, json_string(lacks_word(i)));
	object_add(object, "lacks", list);
}

int why_object(struct why *why)
{
	struct object object = { .json = json_object() };

	add_process(&object, why->subject->process);
	add_thread(&object, why->subject);
	object_number(&object, "threads", why->choices);
	if (why->thread_name)
		object_number(&object, "named_threads", why->asked);
	object_time(&object, &why->report->session->clock, "since", why->since);
	object_time(&object, &why->report->session->clock, "until", why->until);
	object_number(&object, "ns", why->until - why->since);
	object_number(&object, "blocked", why->waits);
	object_number(&object, "uninterruptible_ns", why->uninterruptible);
	if (why_least(why, LEAF_UNTOLD)) {
		object_add(&object, "blocked_at_least", json_true());
		object_add(&object, "uninterruptible_ns_at_least", json_true());
	}
	object_number(&object, "precision_ns", why->precision);
	add_rows(&object, why);
	add_wheres(&object, why);
	add_longest(&object, why);
	quota_object(&object, why);
	add_lacks(&object, why);
	return object_print(&object, "the answer");
}
