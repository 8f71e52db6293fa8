// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How a log begins, and how it begins again after its reader was overtaken: see lib.h. */
#include "lib.h"

static bool is_missed(const struct bcos_entry *entry)
{
	return entry->type == BCOS_GENERIC_DEVICE && entry->source == BCOS_DEVICE_SELF &&
	       ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_MISSED;
}

bool log_overtaken(const struct log *log)
{
	for_each_entry(entry, log)
		if (is_missed(entry))
			return true;
	return false;
}

/* Judges the group after @at (NULL: at the beginning). Return: the first entry after the group. */
static const struct bcos_entry *one_beginning(const struct log *log, const struct bcos_entry *at,
					      struct beginnings *found,
					      void (*seen)(uint32_t process))
{
	static const uint16_t order[] = { BCOS_HIST_CORE_ONLINE, BCOS_HIST_CPU_ONLINE,
					  BCOS_HIST_SET_PROCESS_NAME, BCOS_HIST_SET_DEVICE_NAME,
					  BCOS_HIST_ASSIGN_CPU };
	int count[ARRAY_SIZE(order)] = { 0 };
	size_t rank = 0;

	while ((at = entry_after(log, at))) {
		while (rank < ARRAY_SIZE(order) && at->type != order[rank])
			rank++;
		if (rank == ARRAY_SIZE(order))
			break;
		count[rank]++;
		if (rank == 2 && seen)
			seen(at->source);
	}
	if (count[0] > 0 && count[1] == count_cpus() && count[2] > 0 && count[4] == count_cpus()) {
		found->whole++;
	} else if (!at || is_missed(at)) {
		found->cut++;
	} else {
		found->broken++;
		print_note("begins with %d cores, %d CPUs, %d processes, %d devices, %d assignments",
			   count[0], count[1], count[2], count[3], count[4]);
	}
	return at;
}

struct beginnings log_beginnings(const struct log *log, void (*seen)(uint32_t process))
{
	struct beginnings found = { 0 };
	const struct bcos_entry *at = one_beginning(log, NULL, &found, seen);

	while (at) {
		if (is_missed(at))
			at = one_beginning(log, at, &found, NULL);
		else
			at = entry_after(log, at);
	}
	return found;
}
