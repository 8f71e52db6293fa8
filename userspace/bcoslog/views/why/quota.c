// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What the log tells of quotas and stalls of the control groups that the thread was in. Such an event tells the sums of about
 * a second, so that only those of the seconds that the window touches are known.
 */
#include <stdlib.h>

#include "entry/pressure.h"
#include "output/object.h"
#include "output/output.h"
#include "why.h"

/* A second of a group. */
struct why_quota {
	u64 begin;
	struct pressure told;		/* its path is that of another one of the same group, or its own */
	u64 end;
};

static bool is_same_group(const struct pressure *left, const struct pressure *right)
{
	return left->cpu == right->cpu && left->cut == right->cut && !strcmp(left->path, right->path);
}

/* Return: a path for the event that lives as long as the answer; NULL if there is no memory. */
static const char *keep_path(struct why *why, const struct pressure *told)
{
	size_t i;

	/* The groups that are read take turns, so the path is not far back. */
	for (i = why->quota_count; i && why->quota_count - i < 512; i--)
		if (is_same_group(&why->quotas[i - 1].told, told))
			return why->quotas[i - 1].told.path;
	return strdup(told->path);
}

int quota_entry(struct why *why, const struct bcos_entry *entry)
{
	size_t room = why->quota_room ? 2 * why->quota_room : 64;
	char path[BCOS_EVENT_TEXT_MAX];
	struct why_quota *larger;
	struct pressure told;

	if (entry->type != BCOS_GENERIC_DEVICE || entry->time <= why->report->sinks.since || !pressure_read(&told, path, entry))
		return 0;
	if (why->quota_count == why->quota_room) {
		larger = reallocarray(why->quotas, room, sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		why->quotas = larger;
		why->quota_room = room;
	}
	told.path = keep_path(why, &told);
	if (!told.path)
		return -ENOMEM;
	why->quotas[why->quota_count++] = (struct why_quota){
		.begin = told.span < entry->time ? entry->time - told.span : 0, .told = told, .end = entry->time,
	};
	return 0;
}

void quota_free(struct why *why)
{
	size_t i, k;

	/* Several have one path. */
	for (i = 0; i < why->quota_count; i++) {
		const char *path = why->quotas[i].told.path;

		for (k = i; path && k < why->quota_count; k++)
			if (why->quotas[k].told.path == path)
				why->quotas[k].told.path = NULL;
		free((char *)path);
	}
	free(why->quotas);
}

/* ---- the sums of the groups that concern the thread --------------------------------------- */

static void add_told(struct pressure *sum, const struct pressure *told)
{
	int i;

	sum->times += told->times;
	sum->throttled += told->throttled;
	sum->span += told->span;
	if (told->quota) {
		sum->quota = told->quota;
		sum->period = told->period;
	}
	for (i = 0; i < PRESSURE_KINDS; i++)
		sum->stalled[i] += told->stalled[i];
}

#define GROUPS 32

/* The groups that the thread was in, with their sums; the nearest to the process are not first. */
struct sums {
	struct pressure of[GROUPS];
	size_t count;
};

static void sum_quotas(const struct why *why, struct sums *sums)
{
	const struct why_process *process = why->subject->process;
	const struct why_quota *each;
	size_t i, at;

	sums->count = 0;
	for (i = 0; process->cgroup && i < why->quota_count; i++) {
		each = &why->quotas[i];
		if (each->end <= why->since || each->begin >= why->until ||
		    !pressure_concerns(&each->told, process->cgroup, process->cgroup_cpu))
			continue;
		for (at = 0; at < sums->count && !is_same_group(&sums->of[at], &each->told); at++)
			;
		if (at == GROUPS)
			continue;
		if (at == sums->count) {
			sums->of[sums->count++] = (struct pressure){
				.path = each->told.path, .cpu = each->told.cpu, .cut = each->told.cut,
			};
		}
		add_told(&sums->of[at], &each->told);
	}
}

/* ---- printing ------------------------------------------------------------------------------ */

static void put_group(const struct pressure *sum)
{
	put_literal("control group ");
	if (sum->cut)
		put_literal("...");
	put_text(sum->path, strlen(sum->path), 0);
}

static void put_quota(const struct pressure *sum)
{
	output_format("throttled %llu times by the quota of ", (unsigned long long)sum->times);
	put_group(sum);
	if (sum->quota)
		output_format(", %.6g of %.6g ms", (double)sum->quota / 1e6, (double)sum->period / 1e6);
	put_char('\n');
}

void quota_put(const struct why *why, bool held, void (*put_below)(const char *mark, u64 ns))
{
	struct sums sums;
	bool any = false;
	size_t i;

	/* If the log tells when the thread was held back, that has a row. Else it is a part of the time in which it was ready. */
	if (held != (why->own[LEAF_HELD] != 0))
		return;
	sum_quotas(why, &sums);
	for (i = 0; i < sums.count; i++) {
		if (!sums.of[i].times && !sums.of[i].throttled)
			continue;
		any = true;
		put_below("", sums.of[i].throttled);
		put_string(held ? "" : "at most ");
		put_quota(&sums.of[i]);
	}
	if (held && !any)
		put_literal("                            bcoslog record tells by whose quota, where it may read the control groups\n");
}

void quota_put_stalls(const struct why *why)
{
	static const char *const kinds[PRESSURE_KINDS] = {
		[PRESSURE_CPU] = "a CPU", [PRESSURE_IO] = "I/O", [PRESSURE_MEMORY] = "memory",
	};
	struct sums sums;
	size_t i;
	int kind;

	sum_quotas(why, &sums);
	for (i = 0; i < sums.count; i++) {
		for (kind = 0; kind < PRESSURE_KINDS; kind++) {
			if (!sums.of[i].stalled[kind])
				continue;
			output_format("For %.3f ms processes of ", (double)sums.of[i].stalled[kind] / 1e6);
			put_group(&sums.of[i]);
			output_format(" waited for %s\n", kinds[kind]);
		}
	}
}

void quota_object(struct object *object, const struct why *why)
{
	static const char *const keys[PRESSURE_KINDS] = {
		[PRESSURE_CPU] = "stalled_cpu_ns", [PRESSURE_IO] = "stalled_io_ns", [PRESSURE_MEMORY] = "stalled_memory_ns",
	};
	json_t *list = json_array();
	struct sums sums;
	size_t i;
	int kind;

	sum_quotas(why, &sums);
	for (i = 0; i < sums.count; i++) {
		struct object inner = { .json = json_object() };

		object_text(&inner, "cgroup", sums.of[i].path, strlen(sums.of[i].path));
		object_add(&inner, "version_1", json_boolean(sums.of[i].cpu));
		object_number(&inner, "span_ns", sums.of[i].span);
		if (sums.of[i].quota) {
			object_number(&inner, "quota_ns", sums.of[i].quota);
			object_number(&inner, "period_ns", sums.of[i].period);
		}
		object_number(&inner, "throttled", sums.of[i].times);
		object_number(&inner, "throttled_ns", sums.of[i].throttled);
		for (kind = 0; kind < PRESSURE_KINDS; kind++)
			object_number(&inner, keys[kind], sums.of[i].stalled[kind]);
		object->failed |= inner.failed | json_array_append_new(list, inner.json);
	}
	object_add(object, "quotas", list);
}
