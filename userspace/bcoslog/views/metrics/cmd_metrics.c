// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog metrics: writes what a log tells for a monitoring system, as text of OpenMetrics. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "complain/complain.h"
#include "host/linux.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/reach.h"
#include "metrics.h"
#include "options/number.h"
#include "options/option.h"
#include "options/options.h"
#include "options/when.h"
#include "output/output.h"

/* The least time between two writes. */
#define EVERY_MIN 100000000ull

/* Prints all metrics.  Return: 0, or -1 after a complaint. */
static int put_metrics(struct metrics *metrics)
{
	size_t size = 0;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);
	bool failed = !out || metrics_put(metrics, out);

	if (out && fclose(out))
		failed = true;
	if (failed)
		complain("no memory for the names of the log");
	else
		output_bytes(text, size);
	free(text);
	return failed || output_flush() ? -1 : 0;
}

/* Has standard output go into a new file, which is nobody else's.  Return: 0, or -1 after a complaint. */
static int open_new(const char *name)
{
	int fd;

	unlink(name);
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0) {
		complain("%s cannot be written: %s", name, strerror(errno));
		return -1;
	}
	close(fd);
	return 0;
}

/* Writes all metrics; into a file, it does so under another name first.  Return: 0, or -1 after a complaint. */
static int write_metrics(struct metrics *metrics)
{
	char *unfinished;
	int r;

	if (!metrics->output)
		return put_metrics(metrics);
	if (asprintf(&unfinished, "%s.new", metrics->output) < 0) {
		complain("no memory");
		return -1;
	}
	r = open_new(unfinished) ?: put_metrics(metrics);
	if (!r && rename(unfinished, metrics->output)) {
		complain("%s cannot be written: %s", metrics->output, strerror(errno));
		r = -1;
	}
	if (r)
		unlink(unfinished);
	free(unfinished);
	return r;
}

static int print_metrics(struct report *report)
{
	struct metrics *metrics = report->context;

	missing_end(&metrics->missing, bcoslog_account_totals(report->account)->end);
	report->rows = true;
	return write_metrics(metrics);
}

static void end_metrics(struct report *report)
{
	metrics_free(report->context);
}

/* ---- --follow ------------------------------------------------------------------------------------- */

static int write_now(struct report *report)
{
	if (!report->account && report_begin(report))
		return -1;
	bcoslog_account_settle(report->account);
	return write_metrics(report->context);
}

/* Waits for entries until it is time to write.  Return: 1, or 0 if none will come, or -1 with the exit status in @status. */
static int wait_entries(struct run *run, u64 next, int *status)
{
	u64 now = clock_now(CLOCK_MONOTONIC);
	int r = bcoslog_wait(run->log, now < next ? (int)((next - now) / 1000000) + 1 : 0);

	if (r > 0 || r == -ETIMEDOUT)
		return 1;
	if (!r || r == -EINTR || r == -EPIPE)
		return 0;
	*status = run_failed(run);
	return -1;
}

/* Counts while the log grows, and writes the file again and again. @screen of struct report. */
static int follow_metrics(struct report *report, struct run *run)
{
	struct metrics *metrics = report->context;
	__u64 head;
	u64 next = 0;
	int status = EXIT_OK, r;

	if (run_settle_times(run))
		return EXIT_ENVIRONMENT;
	do {
		/* The recorder writes everything that has happened by now into the log. */
		if (next && clock_now(CLOCK_MONOTONIC) >= next)
			bcoslog_flush(run->log, &head);
		while ((r = run_step(run, &status)) > 0 && !run_ends())
			;
		if (r < 0 || run_ends())
			break;
		if (clock_now(CLOCK_MONOTONIC) >= next) {
			if (write_now(report))
				return EXIT_ENVIRONMENT;
			next = clock_now(CLOCK_MONOTONIC) + metrics->every;
		}
		r = wait_entries(run, next, &status);
	} while (r > 0 && !run_ends());
	if (status != EXIT_ENVIRONMENT && run_stop_recording(run))
		while (run_step(run, &status) > 0)
			;
	status = run_end(run, status);
	/* A signal is the usual end. */
	run_finishing = true;
	if (status == EXIT_ENVIRONMENT || (!report->account && report_begin(report)))
		return EXIT_ENVIRONMENT;
	bcoslog_account_end(report->account);
	return print_metrics(report) ? EXIT_ENVIRONMENT : status;
}

/* ---- the command ---------------------------------------------------------------------------------- */

static struct metrics *metrics_of(struct arguments *arguments)
{
	return ((struct report *)arguments->context)->context;
}

static int take_output(struct arguments *arguments, const char *text)
{
	metrics_of(arguments)->output = text;
	return 0;
}

static int take_names(struct arguments *arguments, const char *text)
{
	struct metrics *metrics = metrics_of(arguments);
	u64 most;

	if (parse_number("--names", text, SERIES_KEPT, &most))
		return -1;
	metrics->names.most = metrics->groups.most = metrics->devices.most = metrics->lines.most = (size_t)most;
	return 0;
}

static int take_every(struct arguments *arguments, const char *text)
{
	metrics_of(arguments)->asks_every = true;
	if (parse_duration("--every", text, &metrics_of(arguments)->every))
		return -1;
	if (metrics_of(arguments)->every >= EVERY_MIN)
		return 0;
	complain("--every takes the time between two writes, 100ms or more, not %s", text);
	return -1;
}

static bool is_file(const char *path)
{
	struct stat found;

	return !strcmp(path, "-") || (!stat(path, &found) && S_ISREG(found.st_mode));
}

static int ready_metrics(struct report *report, struct arguments *arguments)
{
	struct metrics *metrics = report->context;

	if (report->form != TABLE_TEXT) {
		complain("metrics prints text of OpenMetrics alone: bcoslog sql --json asks the same log for rows");
		return -1;
	}
	if (metrics->asks_every && !(arguments->follow && metrics->output)) {
		complain("--every says how often --follow writes the file of -o: add %s, or leave --every out",
			 arguments->follow ? "-o FILE" : metrics->output ? "--follow" : "--follow -o FILE");
		return -1;
	}
	if (arguments->follow && metrics->output) {
		report->screen = follow_metrics;
		report->at_once = true;
	}
	if (metrics->output && !arguments->follow && !is_file(arguments->path)) {
		complain("%s may forget its oldest entries, so that the counters of a later run would be lower: --follow goes "
			 "on counting, and writes the file again and again", arguments->path);
		return -1;
	}
	return output_check(arguments->path, metrics->output);
}

static int cmd_metrics(struct session *session, int argc, char **argv)
{
	static const char filter[] =
		"metrics counts everything: leave options that choose objects out, and choose by labels later";
	struct metrics metrics;
	struct report report = {
		.command = &command_metrics, .no_process = filter, .no_cpu = filter, .no_core = filter, .no_device = filter,
		.ready = ready_metrics, .print = print_metrics, .end = end_metrics,
	};

	metrics_begin(&metrics, &report);
	metrics.every = 15000000000ull;
	return report_run(session, &report, argc, argv);
}

static const struct option_spec options[] = {
	{ .name = "output", .letter = 'o', .value = "FILE", .take = take_output,
	  .help = "write FILE, which gets its name when it is whole, such as /var/lib/prometheus/node-exporter/bcos.prom" },
	{ .name = "every", .value = "TIME", .take = take_every, .help = "with -f and -o, write it after this time (15s)" },
	{ .name = "names", .value = "N", .take = take_names,
	  .help = "give N names of processes series of their own, and N control groups, devices and lines (100); all others are one" },
	{ .name = NULL },
};

const struct command command_metrics = {
	.name = "metrics",
	.summary = "count for a monitoring system, as OpenMetrics",
	.usage = "bcoslog metrics [OPTIONS] [LOG]",
	.about =
"Prints counters of LOG as text of OpenMetrics: CPU time, births, ends, signals\n"
"and OOM kills by the name of the process, CPU time by control group, bytes and\n"
"interrupts by device, what was lost, and what the log covers.  No label is a\n"
"process ID.  Sums over a loss are lower bounds: bcos_lower_bound tells which.\n"
"\n"
"  bcoslog metrics -f -o /var/lib/prometheus/node-exporter/bcos.prom\n"
"\n"
"counts on while the log grows, for node_exporter's textfile collector.  It begins\n"
"with what is recorded from now on.",
	.options = { options, window_options, boot_options, report_follow_options },
	.silent = report_refused_options,
	.status = STATUS_OF_LOG,
	.records = true,
	.run = cmd_metrics,
};
