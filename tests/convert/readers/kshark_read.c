// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * usage: kshark_read TRACE
 *
 * Prints the entries that the library of KernelShark finds: time, CPU, PID, event, PID of the thread that gets the CPU
 * (-1: the entry is no switch), task.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <libkshark.h>

int main(int argc, char **argv)
{
	struct kshark_context *context = NULL;
	struct kshark_entry **entries = NULL;
	char *event, *task;
	ssize_t count, i;
	int64_t next;
	int stream;

	if (argc != 2 || !kshark_instance(&context))
		return 2;
	stream = kshark_open(context, argv[1]);
	if (stream < 0) {
		fprintf(stderr, "kshark_open() refuses %s: %d\n", argv[1], stream);
		return 1;
	}
	count = kshark_load_entries(context, stream, &entries);
	if (count < 0) {
		fprintf(stderr, "kshark_load_entries() fails: %zd\n", count);
		return 1;
	}
	for (i = 0; i < count; i++) {
		event = kshark_get_event_name(entries[i]);
		task = kshark_get_task(entries[i]);
		if (kshark_read_event_field_int(entries[i], "next_pid", &next) < 0)
			next = -1;
		printf("%" PRId64 " %d %d %s %" PRId64 " %s\n", entries[i]->ts, entries[i]->cpu, entries[i]->pid,
		       event ? event : "?", next, task ? task : "?");
		free(event);
		free(task);
		free(entries[i]);
	}
	free(entries);
	kshark_close(context, stream);
	kshark_free(context);
	return fflush(stdout) ? 1 : 0;
}
