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
	struct pressure told;		/* its path is that of an earlier one of the same group, or @own */
	u64 end;
	char *own;			/* NULL: none */
};

static bool is_same_group(const struct pressure *left, const struct pressure *right)
{
	return left->cpu == right->cpu && left->cut == right->cut && !strcmp(left->path, right->path);
}

/* Sets a path for the event that lives as long as the answer.  Return: 0 or -ENOMEM. */
static int keep_path(const struct why *why, struct why_quota *quota)
{
	size_t i;

	/* The groups that are read take turns, so the path is not far back. */
	for (i = why->quota_count; i && why->quota_count - i < 512; i--) {
		if (is_same_group(&why->quotas[i - 1].told, &quota->told)) {
			quota->told.path = why->quotas[i - 1].told.path;
			return 0;
		}
	}
	quota->told.path = quota->own = strdup(quota->told.path);
	return quota->own ? 0 : -ENOMEM;
}

int quota_entry(struct why *why, const struct bcos_entry *entry)
{
	size_t room = why->quota_room ? 2 * why->quota_room : 64;
	char path[BCOS_EVENT_TEXT_MAX];
	struct why_quota *larger, quota = { .end = entry->time };

	if (entry->type != BCOS_GENERIC_DEVICE || entry->time <= why->report->sinks.since || !pressure_read(&quota.told, path, entry))
		return 0;
	if (why->quota_count == why->quota_room) {
		larger = reallocarray(why->quotas, room, sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		why->quotas = larger;
		why->quota_room = room;
	}
	if (keep_path(why, &quota))
		return -ENOMEM;
	quota.begin = quota.told.span < entry->time ? entry->time - quota.told.span : 0;
	why->quotas[why->quota_count++] = quota;
	return 0;
}

void quota_free(struct why *why)
{
	size_t i;

	for (i = 0; i < why->quota_count; i++)
		free(why->quotas[i].own);
	free(why->quotas);
	free(why->quota_sums);
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

/* A process is in one group of each length of a path, and of those whose paths are cut likewise. */
int quota_sum(struct why *why)
{
	const struct why_process *process = why->subject->process;
	size_t lengths = process->cgroup ? strlen(process->cgroup) + 1 : 0, i, at;
	const struct why_quota *each;
	struct pressure *sums = calloc(2 * lengths + 1, sizeof(*sums));

	why->quota_sums = sums;
	if (!sums)
		return -ENOMEM;
	for (i = 0; process->cgroup && i < why->quota_count; i++) {
		each = &why->quotas[i];
		if (each->end <= why->since || each->begin >= why->until ||
		    !pressure_concerns(&each->told, process->cgroup, process->cgroup_cpu))
			continue;
		at = strlen(each->told.path) + (each->told.cut ? lengths : 0);
		sums[at].path = each->told.path;
		sums[at].cpu = each->told.cpu;
		sums[at].cut = each->told.cut;
		add_told(&sums[at], &each->told);
	}
	for (i = 0; i < 2 * lengths; i++)
		if (sums[i].path)
			sums[why->quota_sum_count++] = sums[i];
	return 0;
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
	bool any = false;
	size_t i;

	/* If the log tells when the thread was held back, that has a row. Else it is a part of the time in which it was ready. */
	if (held != (why->own[LEAF_HELD] != 0))
		return;
	for (i = 0; i < why->quota_sum_count; i++) {
		if (!why->quota_sums[i].times && !why->quota_sums[i].throttled)
			continue;
		any = true;
		put_below("", why->quota_sums[i].throttled);
		put_string(held ? "" : "at most ");
		put_quota(&why->quota_sums[i]);
	}
	if (held && !any)
		put_literal("                            bcoslog record tells by whose quota, where it may read the control groups\n");
}

void quota_put_stalls(const struct why *why)
{
	static const char *const kinds[PRESSURE_KINDS] = {
		[PRESSURE_CPU] = "a CPU", [PRESSURE_IO] = "I/O", [PRESSURE_MEMORY] = "memory",
	};
	size_t i;
	int kind;

	for (i = 0; i < why->quota_sum_count; i++) {
		for (kind = 0; kind < PRESSURE_KINDS; kind++) {
			if (!why->quota_sums[i].stalled[kind])
				continue;
			output_format("For %.3f ms processes of ", (double)why->quota_sums[i].stalled[kind] / 1e6);
			put_group(&why->quota_sums[i]);
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
	size_t i;
	int kind;

	for (i = 0; i < why->quota_sum_count; i++) {
		struct object inner = { .json = json_object() };
		char path[BCOS_EVENT_TEXT_MAX + sizeof("...")];
		int length = snprintf(path, sizeof(path), "%s%s", why->quota_sums[i].cut ? "..." : "", why->quota_sums[i].path);

		object_text(&inner, "cgroup", path, (size_t)length);
		object_add(&inner, "version_1", json_boolean(why->quota_sums[i].cpu));
		object_number(&inner, "span_ns", why->quota_sums[i].span);
		if (why->quota_sums[i].quota) {
			object_number(&inner, "quota_ns", why->quota_sums[i].quota);
			object_number(&inner, "period_ns", why->quota_sums[i].period);
		}
		object_number(&inner, "throttled", why->quota_sums[i].times);
		object_number(&inner, "throttled_ns", why->quota_sums[i].throttled);
		for (kind = 0; kind < PRESSURE_KINDS; kind++)
			object_number(&inner, keys[kind], why->quota_sums[i].stalled[kind]);
		object->failed |= inner.failed | json_array_append_new(list, inner.json);
	}
	object_add(object, "quotas", list);
}
