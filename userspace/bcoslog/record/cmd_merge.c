// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog merge: writes several logs of a machine as one. */
#include <unistd.h>

#include "bcoslog_archive.h"
#include "command.h"
#include "folder.h"
#include "archive/recording.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "log/boots.h"
#include "options/options.h"
#include "output/output.h"
#include "recorder_loop.h"
#include "complain/complain.h"

#define LOGS 1024

struct merge {
	struct session *session;
	const char *logs[LOGS];
	size_t count;
	struct folder folder;		/* a recorded directory that takes all logs, and is read as one log */
};

static int take_log(struct arguments *arguments, const char *text)
{
	struct merge *merge = arguments->context;

	if (text[0] == '-' && text[1])
		return 0;
	if (merge->count == LOGS) {
		complain("merge takes at most %d logs", LOGS);
		return -1;
	}
	merge->logs[merge->count++] = text;
	return 1;
}

/* Chooses the machine of the recording if it has only one.  Return: 0, or -1 after a complaint. */
static int check_machines(struct bcoslog *log)
{
	struct boot boot, first;
	u32 i;

	for (i = 0; boots_get(log, i, &boot); i++) {
		if (!i)
			first = boot;
		if (boots_same_machine(&first, &boot))
			continue;
		complain("these are logs of two machines, %s and %s, whose processes and CPUs have the same numbers: merge those "
			 "of one of them", first.about.host, boot.about.host);
		return -1;
	}
	return i ? bcoslog_set_machine(log, first.machine[0] ? first.machine : first.about.host) : 0;
}

static int take_in(struct merge *merge, struct store *store, const char *path)
{
	struct recorder recorder = {
		.directory = merge->folder.path, .socket = "", .interval = 3600000000000ull, .store = store,
			.part = "part"
	};
	struct run run = { .session = merge->session, .path = path, .entries = record_entries, .resumed = record_resumed };
	int status;

	if (run_open(&run, 0))
		return EXIT_ENVIRONMENT;
	if (bcoslog_kind(run.log) == BCOSLOG_RECORDING && check_machines(run.log)) {
		bcoslog_close(run.log);
		return EXIT_ENVIRONMENT;
	}
	status = record_log(&recorder, &run);
	run_damage_end(&run);
	bcoslog_close(run.log);
	store_finish(store);
	return status;
}

static int write_out(const struct merge *merge)
{
	struct bcoslog_error error;
	struct bcoslog_batch batch;
	struct bcoslog *log;
	int r;

	if (bcoslog_open(&log, merge->folder.path, 0, &error)) {
		complain("%s", error.code == ENODATA ? "there is nothing in these logs" : error.text);
		return EXIT_ENVIRONMENT;
	}
	r = check_machines(log);
	while (!r && !run_ends() && (r = bcoslog_batch(log, &batch)) > 0) {
		output_bytes(batch.first, (size_t)((const char *)batch.end - (const char *)batch.first));
		r = 0;
	}
	if (r < -1)
		complain("%s", bcoslog_error(log)->text);
	bcoslog_close(log);
	return r || print_end() ? EXIT_ENVIRONMENT : EXIT_OK;
}

static int merge_logs(struct merge *merge)
{
	const struct store_limits limits = { .file_size = ~0ull, .file_age = ~0ull, .sync = ~0ull, .level = 1 };
	struct store *store = store_open(merge->folder.path, &limits, &record_caller);
	int status = store ? EXIT_OK : EXIT_ENVIRONMENT, one;
	size_t i;

	for (i = 0; i < merge->count && status != EXIT_ENVIRONMENT; i++) {
		one = take_in(merge, store, merge->logs[i]);
		status = one ? one : status;
	}
	if (store)
		store_close(store);
	if (status != EXIT_ENVIRONMENT && write_out(merge))
		status = EXIT_ENVIRONMENT;
	return status;
}

static int cmd_merge(struct session *session, int argc, char **argv)
{
	struct merge merge = { .session = session };
	struct arguments arguments = { .session = session, .context = &merge, .command = &command_merge, .change = take_log };
	int status = arguments_parse(&arguments, argc, argv), r;

	if (status >= 0)
		return status;
	if (!merge.count) {
		complain("the names of the logs are missing: bcoslog merge LOG...");
		return EXIT_ENVIRONMENT;
	}
	if (isatty(STDOUT_FILENO)) {
		complain("merge writes binary entries, which a terminal cannot show: redirect it to a file");
		return EXIT_ENVIRONMENT;
	}
	r = folder_make(&merge.folder, "bcoslog-merge");
	if (r) {
		complain("%s cannot be made: %s", merge.folder.path, strerror(-r));
		return EXIT_ENVIRONMENT;
	}
	status = merge_logs(&merge);
	folder_remove(&merge.folder);
	return status;
}

const struct command command_merge = {
	.name = "merge",
	.summary = "join several logs of a machine",
	.usage = "bcoslog merge [OPTIONS] LOG...",
	.about =
"Writes the entries of several logs of one machine as one log in the order of\n"
"time.  An entry that several logs have appears once.  Boots follow each other by\n"
"the wall clock, and notices state the times of which no log has entries.  LOG is\n"
"a file or a recorded directory.",
	.status = "0 done, 1 a LOG is damaged, 2 a LOG cannot be read, or they are of several machines.",
	.run = cmd_merge,
};
