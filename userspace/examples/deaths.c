// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* deaths LOG prints each process that a signal ended. To build: cc deaths.c $(pkg-config --cflags --libs bcoslog) */
#include <err.h>
#include <stdio.h>

#include <bcoslog.h>

int main(int argc, char **argv)
{
	struct bcoslog_state *state = bcoslog_state_new();
	const struct bcoslog_process *process;
	const struct bcos_entry *entry;
	struct bcoslog_error error;
	struct bcoslog *log;
	__u32 signal;

	if (!state || bcoslog_open(&log, argc > 1 ? argv[1] : BCOS_DEVICE_PATH, 0, &error))
		errx(1, "%s", state ? error.text : "there is no memory");
	for (; bcoslog_next(log, &entry) > 0; bcoslog_state_apply(state, entry)) {
		if (entry->type != BCOS_CANCEL_PROCESS_NAME)
			continue;
		if (bcoslog_status_end(((const struct bcos_cancel_name *)entry)->status, &signal) == BCOSLOG_EXITED ||
		    !signal)
			continue;
		process = bcoslog_process(state, entry->source);
		printf("%.9f  process %u \"%.*s\": %s\n", entry->time / 1e9, entry->source,
		       process ? (int)process->name_length : 0, process ? process->name : "", bcoslog_signal(signal));
	}
	return 0;
}
