// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The transfers of a device in the log and in the counters of the kernel: see account.h. */
#include "account.h"

const struct bcos_entry *device_named(const struct log *log, const struct bcos_entry *after, const char *name)
{
	const struct bcos_entry *entry = after;

	while ((entry = entry_after(log, entry)))
		if ((entry->type & ~BCOS_TYPE_HISTORICAL) == BCOS_SET_DEVICE_NAME && !strcmp(entry_text(entry), name))
			return entry;
	return NULL;
}

struct account account_of(const struct log *log, const struct bcos_entry *from)
{
	const struct bcos_entry *entry = from;
	struct account sum = { 0 };

	while (from && (entry = entry_after(log, entry))) {
		if (entry->source != from->source)
			continue;
		switch (entry->type) {
		case BCOS_DEVICE_INPUT: sum.input += entry_word(entry); sum.inputs++; break;
		case BCOS_DEVICE_OUTPUT: sum.output += entry_word(entry); sum.outputs++; break;
		case BCOS_IRQ: sum.irqs++; break;
		case BCOS_GENERIC_DEVICE:
			sum.faults += !!strstr(entry_text(entry), "failed: errno 5");
			break;
		case BCOS_CANCEL_DEVICE_NAME: sum.end = entry; return sum;
		}
	}
	return sum;
}

uint64_t interrupts_of(const char *action)
{
	static char text[65536];
	uint64_t sum = 0;
	char *line, *next, *at;
	size_t length;
	int i;

	if (read_file("/proc/interrupts", text, sizeof(text)) < 0)
		give_up("/proc/interrupts");
	for (line = text; *line; line = next) {
		length = strcspn(line, "\n");
		next = line + length + (line[length] == '\n');
		line[length] = 0;
		if (length < strlen(action) || strcmp(line + length - strlen(action), action))
			continue;
		at = strchr(line, ':') + 1;
		for (i = 0; i < count_cpus(); i++)
			sum += strtoull(at, &at, 10);
	}
	return sum;
}
