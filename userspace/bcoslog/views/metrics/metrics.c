// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog metrics: counts what a log tells for a monitoring system, as text of OpenMetrics. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "account/report.h"
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

/* What of a process or a device is counted under a name already. */
struct counted {
	u64 value[SERIES_VALUES];
};

/* ---- names ---------------------------------------------------------------------------------------- */

/* Adds to @sums, and to @others unless it is NULL, what @now has more than what was counted before. */
static void add_more(struct metrics *metrics, u64 *sums, u64 *others, const u64 *now, int values, struct counted *before)
{
	int i;

	metrics->failed |= !before;
	for (i = 0; before && i < values; i++) {
		sums[i] += now[i] - before->value[i];
		if (others)
			others[i] += now[i] - before->value[i];
		before->value[i] = now[i];
	}
}

/*
 * Counts what a process had since the last time under its present name. A turn that has not ended is of the name at its end,
 * or at the next write. The kernel is no process here.
 */
static void count_process(struct metrics *metrics, const struct bcoslog_account_process *process)
{
	const u64 now[] = { [NAME_CPU_NS] = process->time, [NAME_TURNS] = process->turns };
	struct counted *before = process->user;
	const char *group;

	if (process->id == BCOS_PROCESS_KERNEL)
		return;
	group = account_process_cgroup(metrics->report->account, process) ?: "";
	if (!before) {
		before = calloc(1, sizeof(*before));
		bcoslog_account_set_user(process, before);
	}
	add_more(metrics, series_of(&metrics->names, process->name, process->name_length, 0),
		 series_of(&metrics->groups, group, strlen(group), 0), now, NAME_TURNS + 1, before);
}

static void count_device(struct metrics *metrics, const struct bcoslog_account_device *device)
{
	const u64 now[DEVICE_VALUES] = {
		[DEVICE_INPUT] = device->input, [DEVICE_OUTPUT] = device->output, [DEVICE_INPUTS] = device->inputs,
		[DEVICE_OUTPUTS] = device->outputs, [DEVICE_INTERRUPTS] = device->interrupts, [DEVICE_FAULTS] = device->faults,
	};
	struct counted *before = device->user;

	if (!before) {
		before = calloc(1, sizeof(*before));
		bcoslog_account_set_device_user(device, before);
	}
	add_more(metrics, series_of(&metrics->devices, device->name, device->name_length, 0), NULL, now, DEVICE_VALUES, before);
}

/* ---- ends ----------------------------------------------------------------------------------------- */

static void count_end(struct metrics *metrics, const struct bcoslog_account_process *process)
{
	u64 *sums = series_of(&metrics->names, process->name, process->name_length, 0);
	enum bcoslog_end end;
	u32 value = 0;

	if (!report_counts(metrics->report, process->ended ? process->end : metrics->now))
		return;
	if (process->vanished) {
		sums[NAME_ENDED + ENDED_VANISHED]++;
		return;
	}
	end = bcoslog_status_end(process->status, &value);
	if (end == BCOSLOG_END_UNKNOWN)
		sums[NAME_ENDED + ENDED_UNKNOWN]++;
	else if (end == BCOSLOG_EXITED)
		sums[NAME_ENDED + ENDED_EXIT]++;
	else
		sums[NAME_ENDED + (value ? ENDED_SIGNAL : ENDED_ABNORMAL)]++;
	if ((end == BCOSLOG_OWNER || end == BCOSLOG_KERNEL) && value)
		series_of(&metrics->kills, process->name, process->name_length, value)[0]++;
}

static void process_ended(void *context, const struct bcoslog_account_process *process)
{
	count_process(context, process);
	count_end(context, process);
	free(process->user);
	bcoslog_account_set_user(process, NULL);
}

static void device_ended(void *context, const struct bcoslog_account_device *device)
{
	count_device(context, device);
	free(device->user);
	bcoslog_account_set_device_user(device, NULL);
}

/* ---- losses --------------------------------------------------------------------------------------- */

static struct loss_sum *loss_of(struct metrics *metrics, u32 lost)
{
	char kinds[LOST_KINDS_TEXT];
	struct loss_sum *larger;
	size_t i;

	lost_kinds(kinds, sizeof(kinds), lost);
	for (i = 0; i < metrics->loss_count; i++)
		if (!strcmp(metrics->losses[i].kinds, kinds))
			return &metrics->losses[i];
	larger = reallocarray(metrics->losses, metrics->loss_count + 1, sizeof(*larger));
	metrics->failed |= !larger;
	if (!larger)
		return NULL;
	metrics->losses = larger;
	larger[metrics->loss_count] = (struct loss_sum){ .count = 0 };
	strcpy(larger[metrics->loss_count].kinds, kinds);
	return &larger[metrics->loss_count++];
}

/* Sums of 0 show what may come. */
static void add_losses(struct metrics *metrics)
{
	u32 i;

	for (i = 0; i < LOSS_KINDS; i++)
		loss_of(metrics, 1u << i);
	loss_of(metrics, 0);
}

static void count_loss(void *context, const struct missing_part *part)
{
	struct metrics *metrics = context;
	struct session *session = metrics->report->session;
	struct loss_sum *sum;

	if (!window_shows(&session->window, &session->clock, part->begin, part->end))
		return;
	sum = loss_of(metrics, part->lost);
	if (!sum)
		return;
	sum->count++;
	sum->events += part->count;
}

/* ---- entries -------------------------------------------------------------------------------------- */

static bool is_oom(const struct bcos_entry *entry)
{
	return entry->type == BCOS_GENERIC_PROCESS && ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_OOM_VICTIM;
}

static bool moves_group(const struct bcos_entry *entry)
{
	return entry->type == BCOS_GENERIC_PROCESS && ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_CGROUP;
}

/* A name or control group is about to change: what was until now belongs to the former one. */
static void count_before_name(struct metrics *metrics, const struct bcos_entry *entry)
{
	const struct bcoslog_account *account = metrics->report->account;
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(account);
	const struct bcoslog_account_process *process = NULL;
	const struct bcoslog_account_device *device = NULL;

	if ((entry->type & ~BCOS_TYPE_HISTORICAL) == BCOS_SET_PROCESS_NAME || moves_group(entry))
		process = bcoslog_account_process(account, entry->source);
	else if ((entry->type & ~BCOS_TYPE_HISTORICAL) == BCOS_SET_DEVICE_NAME)
		device = bcoslog_account_device(account, entry->source);
	if (process)
		count_process(metrics, process);
	if (device)
		count_device(metrics, device);
	metrics->births = totals->births;
	metrics->execs = totals->execs;
}

static int metrics_entry(struct report *report, const struct bcos_entry *entry)
{
	struct metrics *metrics = report->context;

	metrics->bytes += entry->size;
	if (!(entry->type & BCOS_TYPE_HISTORICAL))
		metrics->now = entry->time;
	count_before_name(metrics, entry);
	return missing_entry(&metrics->missing, entry);
}

static void count_process_entry(struct metrics *metrics, const struct bcos_entry *entry)
{
	const struct bcoslog_account *account = metrics->report->account;
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(account);
	const struct bcoslog_account_process *process;
	u64 *sums;

	if (totals->births == metrics->births && totals->execs == metrics->execs && !is_oom(entry))
		return;
	process = bcoslog_account_process(account, entry->source);
	if (!process)
		return;
	sums = series_of(&metrics->names, process->name, process->name_length, 0);
	sums[NAME_STARTED] += totals->births - metrics->births;
	sums[NAME_EXECUTED] += totals->execs - metrics->execs;
	if (is_oom(entry) && report_counts(metrics->report, entry->time))
		sums[NAME_OOM]++;
}

static int after_entry(struct report *report, const struct bcos_entry *entry)
{
	struct metrics *metrics = report->context;
	const struct bcoslog_account_device *device;

	count_process_entry(metrics, entry);
	if (entry->type == BCOS_IRQ && report_counts(report, entry->time)) {
		device = bcoslog_account_device(report->account, entry->source);
		if (device)
			series_of(&metrics->lines, device->name, device->name_length,
				  ((const struct bcos_irq *)entry)->number)[0]++;
	}
	return metrics->failed ? -ENOMEM : 0;
}

/* ---- the text ------------------------------------------------------------------------------------- */

int metrics_put(struct metrics *metrics, FILE *out)
{
	struct series_table *const tables[] = { &metrics->names, &metrics->groups, &metrics->devices, &metrics->lines };
	const struct bcoslog_account_process *process = NULL;
	const struct bcoslog_account_device *device = NULL;
	bool failed = metrics->kills.failed;
	size_t i;

	add_losses(metrics);
	while ((process = bcoslog_account_next_process(metrics->report->account, process)))
		count_process(metrics, process);
	while ((device = bcoslog_account_next_device(metrics->report->account, device)))
		count_device(metrics, device);
	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		series_choose(tables[i]);
		failed |= tables[i]->failed;
	}
	if (failed || metrics->failed)
		return -ENOMEM;
	exposition_put(out, metrics);
	return 0;
}

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

void metrics_free(struct metrics *metrics)
{
	series_free(&metrics->names);
	series_free(&metrics->groups);
	series_free(&metrics->kills);
	series_free(&metrics->devices);
	series_free(&metrics->lines);
	missing_free(&metrics->missing);
	free(metrics->losses);
}

static void end_metrics(struct report *report)
{
	metrics_free(report->context);
}

void metrics_begin(struct metrics *metrics, struct report *report)
{
	*metrics = (struct metrics){
		.report = report, .names.most = 100, .groups.most = 100, .devices.most = 100, .lines.most = 100,
		.missing = { .part = count_loss, .context = metrics },
	};
	report->context = metrics;
	report->sinks.process_ended = process_ended;
	report->sinks.device_ended = device_ended;
	report->entry = metrics_entry;
	report->after = after_entry;
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
	return 0;
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
