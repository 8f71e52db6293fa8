// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The assignments of one CPU, in the log and in fact: see assignments.h. */
#include "assignments.h"

#include "loss.h"

struct change {
	uint64_t time;
	uint32_t id;
	uint32_t shown;		/* what the log showed before, if the change is no entry */
	bool entry;
	bool release;		/* an entry, but by a release: the change itself may be lost */
};

static void note_wrong(struct comparison *comparison, const char *what, uint64_t time, uint32_t id)
{
	if (comparison->wrong++ < 5)
		print_note("CPU %d: %s: process %u at %llu.%09llu", comparison->cpu, what, id,
			   (unsigned long long)(time / 1000000000u), (unsigned long long)(time % 1000000000u));
}

static void gather_changes(struct comparison *comparison, const struct testimony *all)
{
	size_t i = all->begin[comparison->cpu], end = all->begin[comparison->cpu + 1];

	comparison->change = calloc(end - i + 1, sizeof(*comparison->change));
	if (!comparison->change)
		give_up("no memory");
	for (; i < end; i++)
		if (all->record[i].kind == WITNESS_RUNS)
			comparison->change[comparison->count++] =
				(struct change){ .time = all->record[i].time, .id = all->record[i].id };
}

/* Is this Assign CPU to the kernel there because the name of @shown is cancelled next? */
static bool is_release(const struct log *log, const struct bcos_entry *entry, uint32_t shown)
{
	const struct bcos_entry *next = entry;

	if (entry_word(entry) != BCOS_PROCESS_KERNEL)
		return false;
	while ((next = entry_after(log, next))) {
		if (next->type & BCOS_TYPE_HISTORICAL)
			continue;
		if (next->time != entry->time)
			return false;
		if (next->type == BCOS_CANCEL_PROCESS_NAME)
			return next->source == shown;
	}
	return false;
}

/* Finds the change of each entry. A change without an entry keeps what the log showed instead. */
static void match_entries(struct comparison *comparison, const struct log *log)
{
	const struct bcos_entry *entry = NULL;
	uint32_t shown = WITNESS_NOBODY;
	struct change *change;
	size_t next = 0;
	bool release;

	while ((entry = entry_find(log, entry, BCOS_ASSIGN_CPU, (uint32_t)comparison->cpu))) {
		for (; next < comparison->count && comparison->change[next].time <= entry->time; next++)
			comparison->change[next].shown = shown;
		release = is_release(log, entry, shown);
		change = next ? &comparison->change[next - 1] : NULL;
		if (change && !change->entry && change->id == entry_word(entry)) {
			change->entry = true;
			change->release = release;
		} else if (!release) {
			note_wrong(comparison, "the log has what did not happen", entry->time, entry_word(entry));
		}
		shown = entry_word(entry);
	}
	for (; next < comparison->count; next++)
		comparison->change[next].shown = shown;
}

/*
 * Compares the changes from @from on, up to @until, that are no entries with the number that the log states as lost
 * since then. Return: the next change.
 */
static size_t settle_losses(struct comparison *comparison, const struct testimony *all, size_t from, uint64_t since,
			    uint64_t until, uint64_t stated)
{
	size_t missing = 0, unchanged = 0, shown = testimony_renewals(all, comparison->cpu, since, until), i;

	for (i = from; i < comparison->count && comparison->change[i].time <= until; i++) {
		missing += !comparison->change[i].entry;
		unchanged += !comparison->change[i].entry && comparison->change[i].shown == comparison->change[i].id;
		shown += comparison->change[i].release;
	}
	comparison->events += i - from;
	comparison->entries += i - from - missing;
	comparison->stated += stated;
	if (missing < stated && stated - missing <= shown)
		comparison->renewed += stated - missing;
	else if (missing < stated)
		note_wrong(comparison, "more is stated as lost than is missing", until, (uint32_t)(stated - missing));
	else if (missing - stated > unchanged)
		note_wrong(comparison, "more is missing than is stated as lost", until, (uint32_t)(missing - stated));
	else
		comparison->unchanged += missing - stated;
	return i;
}

struct comparison assignments_compare(int cpu, const struct log *log, const struct testimony *all, uint64_t begin,
				      uint64_t end)
{
	struct comparison comparison = { .cpu = cpu };
	uint64_t since = begin;
	struct loss loss;
	size_t at = 0;

	gather_changes(&comparison, all);
	match_entries(&comparison, log);
	while (at < comparison.count && comparison.change[at].time < begin)
		at++;
	for_each_entry(entry, log) {
		if (entry->source != (uint32_t)cpu || !loss_of(entry, &loss))
			continue;
		if (loss.from < begin || loss.until > end)
			note_wrong(&comparison, "a loss while nothing happened", loss.from, 0);
		at = settle_losses(&comparison, all, at, since, loss.until, loss.assign);
		since = loss.until;
	}
	settle_losses(&comparison, all, at, since, end, 0);
	free(comparison.change);
	comparison.change = NULL;
	return comparison;
}
