// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The log of which SQL asks: see source.h. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "command.h"
#include "host/temporary.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/reach.h"
#include "log/boots.h"
#include "reader/reader.h"
#include "complain/complain.h"
#include "source.h"

/* ---- a copy -------------------------------------------------------------------------------------- */

static int copy_entries(struct run *run, const struct bcoslog_batch *batch)
{
	const struct asked_log *log = run->context;
	const char *at = (const char *)batch->first, *end = (const char *)batch->end;
	ssize_t n;

	for (; at < end; at += n) {
		n = write(log->copy, at, (size_t)(end - at));
		if (n < 0 && errno == EINTR)
			n = 0;
		if (n < 0) {
			complain("the log cannot be copied to a temporary file: %s: TMPDIR names another place for it", strerror(errno));
			return -EIO;
		}
	}
	return 0;
}

/* Copies a log that can be read only once, or that grows.  Return: the exit status. */
static int copy_log(struct asked_log *log)
{
	log->copy = temporary_file(temporary_folder());
	if (log->copy < 0) {
		complain("no temporary file for a copy of the log can be made: %s: TMPDIR names another place for it", strerror(errno));
		return EXIT_ENVIRONMENT;
	}
	log->run.entries = copy_entries;
	log->run.context = log;
	snprintf(log->path, sizeof(log->path), "/proc/self/fd/%d", log->copy);
	log->source.options.path = log->path;
	return run_log(&log->run);
}

/* ---- a log that stays ------------------------------------------------------------------------------- */

/* Notes the machine and the boot that the options chose. */
static void note_boot(struct asked_log *log)
{
	const struct boot_choice *chosen = &log->run.session->boots;
	struct bcoslog_rows_options *options = &log->source.options;
	struct boot boot;
	u32 i;

	options->machine = chosen->machine;
	if (!chosen->boot && !chosen->numbered)
		return;
	for (i = 0; boots_get(log->run.log, i, &boot); i++)
		if (boot.about.flags & BCOSLOG_BOOT_READ)
			snprintf(log->boot, sizeof(log->boot), "%s", boot.about.boot);
	options->boot = log->boot[0] ? log->boot : NULL;
}

static int settle_log(struct asked_log *log)
{
	if (run_settle_times(&log->run))
		return EXIT_ENVIRONMENT;
	log->source.options.path = log->run.path;
	if (bcoslog_kind(log->run.log) != BCOSLOG_RECORDING)
		return EXIT_OK;
	note_boot(log);
	if (window_is_given(&log->run.session->window))
		window_limits(&log->run.session->window, &log->source.options.part);
	return EXIT_OK;
}

static bool stays(const struct asked_log *log)
{
	enum bcoslog_kind kind = bcoslog_kind(log->run.log);

	return (kind == BCOSLOG_FILE || kind == BCOSLOG_RECORDING) && strcmp(log->run.path, "-") && !log->run.command &&
	       !log->run.session->joined && !log->run.session->folder;
}

static int is_to_end(void *context)
{
	(void)context;
	return run_ends();
}

/* Each place gets one complaint, however often the log is read. */
static void take_damage(void *context, enum bcoslog_kind kind, const struct bcoslog_error *error)
{
	struct asked_log *log = context;

	(void)kind;
	if (log->run.damages && error->offset <= log->said)
		return;
	log->said = error->offset;
	run_note_damage(&log->run, error);
}

int source_open(struct asked_log *log)
{
	struct bcoslog_rows_options *options = &log->source.options;
	u64 since, until;
	int status;

	log->copy = -1;
	log->window = log->run.session->window;
	*options = BCOSLOG_ROWS_ALL(0, NULL);
	options->context = log;
	options->ends = is_to_end;
	options->damaged = take_damage;
	if (run_open(&log->run, 0))
		return EXIT_ENVIRONMENT;
	status = stays(log) ? settle_log(log) : copy_log(log);
	if (status == EXIT_ENVIRONMENT)
		return status;
	window_get(&log->run.session->window, &log->run.session->clock, &since, &until);
	options->since = since;
	options->until = until;
	return status;
}

int source_close(struct asked_log *log, int status)
{
	if (log->copy < 0 && log->run.log)
		run_damage_end(&log->run);
	if (status == EXIT_OK && log->run.damages)
		status = EXIT_DAMAGE;
	if (log->source.missing && status != EXIT_ENVIRONMENT) {
		output_flush();
		complain("something is missing in the log at %llu %s: sums of that time are lower bounds; SELECT * FROM loss lists %s",
			 log->source.missing, log->source.missing == 1 ? "place" : "places", log->source.missing == 1 ? "it" : "them");
	}
	status = run_close(&log->run, status);
	if (log->copy >= 0)
		close(log->copy);
	return status;
}
