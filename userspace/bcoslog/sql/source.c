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
	return run_log(&log->run);
}

/* ---- the logs of the tables ------------------------------------------------------------------------ */

static int say_no_memory(void)
{
	complain("no memory for what the log states of machines and boots");
	return EXIT_ENVIRONMENT;
}

static int is_to_end(void *context)
{
	(void)context;
	return run_ends();
}

/* Each place gets one complaint, however often the log is read. */
static void take_damage(void *context, enum bcoslog_kind kind, const struct bcoslog_error *error)
{
	struct asked_machine *machine = context;

	(void)kind;
	if (machine->said && error->offset < machine->said)
		return;
	machine->said = error->offset + 1;
	complain_about(machine->name[0] ? machine->name : NULL);
	run_note_damage(&machine->asked->run, error);
	complain_about(NULL);
}

/* Adds a log at @path.  Return: its number; -1 after a complaint. Pointers to former machines do not stay. */
static long add_log(struct asked_log *asked, const char *path)
{
	struct asked_machine *machines = reallocarray(asked->machines, asked->source.count + 1, sizeof(*machines));
	struct sql_log *log;

	if (machines)
		asked->machines = machines;
	log = machines ? sql_log_add(&asked->source) : NULL;
	if (!log) {
		say_no_memory();
		return -1;
	}
	machines[asked->source.count - 1] = (struct asked_machine){ .asked = asked };
	log->options.path = path;
	log->options.ends = is_to_end;
	log->options.damaged = take_damage;
	return (long)asked->source.count - 1;
}

/* Has each log call the functions with its machine. */
static void settle_contexts(struct asked_log *asked)
{
	size_t i;

	for (i = 0; i < asked->source.count; i++) {
		asked->source.logs[i].options.context = &asked->machines[i];
		if (asked->machines[i].boot[0])
			asked->source.logs[i].options.boot = asked->machines[i].boot;
	}
}

static void set_window(struct sql_log *log, struct session *session)
{
	u64 since, until;

	window_get(&session->window, &session->clock, &since, &until);
	log->options.since = since;
	log->options.until = until;
}

/* Notes the machine and the boots that are read of a recording.  Return: whether there is memory for them. */
static bool note_boots(struct asked_log *asked, struct sql_log *log, struct bcoslog *recording)
{
	__u64 begin, end;
	struct boot boot;
	bool failed = false;
	u32 i;

	for (i = 0; boots_get(recording, i, &boot); i++) {
		if (!(boot.about.flags & BCOSLOG_BOOT_READ) || bcoslog_boot_place(recording, i, &begin, &end) <= 0)
			continue;
		log->machine = sql_text_keep(&asked->source, boot.machine, &failed);
		log->host = sql_text_keep(&asked->source, boot.about.host, &failed);
		if (failed || !sql_log_add_boot(&asked->source, log, boot.about.boot, begin, end))
			return false;
	}
	log->known = true;
	return true;
}

/* Notes the boot that the options chose. */
static void note_boot(const struct boot_choice *chosen, struct bcoslog *recording, char *text, size_t room)
{
	struct boot boot;
	u32 i;

	if (!chosen->boot && !chosen->numbered)
		return;
	for (i = 0; boots_get(recording, i, &boot); i++)
		if (boot.about.flags & BCOSLOG_BOOT_READ)
			snprintf(text, room, "%s", boot.about.boot);
}

/* Settles the times for a log that @run has opened, and notes what is read of it.  Return: the exit status. */
static int settle_log(struct asked_log *asked, struct run *run, size_t number)
{
	struct sql_log *log = &asked->source.logs[number];
	struct session *session = run->session;

	if (run_settle_times(run))
		return EXIT_ENVIRONMENT;
	if (bcoslog_kind(run->log) == BCOSLOG_RECORDING) {
		log->options.machine = session->boots.machine;
		note_boot(&session->boots, run->log, asked->machines[number].boot, sizeof(asked->machines[number].boot));
		if (window_is_given(&session->window))
			window_limits(&session->window, &log->options.part);
		if (!note_boots(asked, log, run->log))
			return say_no_memory();
	}
	set_window(log, session);
	return EXIT_OK;
}

/* ---- several machines -------------------------------------------------------------------------------- */

static void name_machine(struct bcoslog *recording, struct asked_machine *machine)
{
	const struct boot *of = &machine->of;
	bool alone = true;
	struct boot boot;
	u32 i;

	for (i = 0; boots_get(recording, i, &boot); i++)
		alone &= boots_same_machine(&boot, of) || strcmp(boot.about.host, of->about.host);
	snprintf(machine->name, sizeof(machine->name), alone ? "%s" : "%s (%.8s)", of->about.host[0] ? of->about.host : "?",
		 of->machine[0] ? of->machine : "?");
}

/* Settles the log of a machine.  Return: the exit status. */
static int settle_machine(struct asked_log *asked, size_t number)
{
	struct asked_machine *machine = &asked->machines[number];
	struct session session = *asked->run.session;
	struct run run = { .session = &session, .path = asked->run.path, .beside = true };
	struct bcoslog_error error;
	int status;

	boots_choose_machine(&session.boots, &machine->of);
	complain_about(machine->name);
	if (bcoslog_open(&run.log, run.path, 0, &error)) {
		complain("%s", error.text);
		status = EXIT_ENVIRONMENT;
	} else {
		status = settle_log(asked, &run, number);
	}
	complain_about(NULL);
	bcoslog_close(run.log);
	wall_forget(&session.clock);
	return status;
}

/*
 * Adds a log for each machine. The logs come first, since what points to them must not move. A machine that has nothing of the
 * window is left out after a complaint, unless all are.
 */
static int settle_machines(struct asked_log *asked)
{
	struct bcoslog *recording = asked->run.log;
	int status, best = EXIT_ENVIRONMENT;
	struct boot boot, before;
	long number;
	size_t i, kept = 0;
	u32 index;

	for (index = 0; boots_get(recording, index, &boot); before = boot, index++) {
		if (index && boots_same_machine(&boot, &before))
			continue;
		number = add_log(asked, asked->run.path);
		if (number < 0)
			return EXIT_ENVIRONMENT;
		asked->machines[number].of = boot;
		name_machine(recording, &asked->machines[number]);
	}
	for (i = 0; i < asked->source.count; i++) {
		status = settle_machine(asked, i);
		if (status == EXIT_ENVIRONMENT) {
			free(asked->source.logs[i].boots);
			continue;
		}
		best = status;
		asked->machines[kept] = asked->machines[i];
		asked->source.logs[kept] = asked->source.logs[i];
		asked->source.logs[kept].options.machine = asked->machines[kept].of.machine[0] ? asked->machines[kept].of.machine :
									   asked->machines[kept].of.about.host;
		kept++;
	}
	asked->source.count = kept;
	return best;
}

/* ---- opening and closing ------------------------------------------------------------------------------ */

static bool stays(const struct asked_log *log)
{
	enum bcoslog_kind kind = bcoslog_kind(log->run.log);

	return (kind == BCOSLOG_FILE || kind == BCOSLOG_RECORDING) && strcmp(log->run.path, "-") && !log->run.command &&
	       !log->run.session->joined && !log->run.session->folder;
}

int source_open(struct asked_log *log)
{
	log->copy = -1;
	return run_open(&log->run, 0) ? EXIT_ENVIRONMENT : source_settle(log);
}

int source_settle(struct asked_log *log)
{
	long number;
	int status;

	log->window = log->run.session->window;
	if (stays(log) && boots_are_several(&log->run.session->boots, log->run.log)) {
		status = settle_machines(log);
	} else if (stays(log)) {
		number = add_log(log, log->run.path);
		status = number < 0 ? EXIT_ENVIRONMENT : settle_log(log, &log->run, (size_t)number);
	} else {
		status = copy_log(log);
		number = status == EXIT_ENVIRONMENT ? -1 : add_log(log, log->path);
		if (number < 0)
			return EXIT_ENVIRONMENT;
		set_window(&log->source.logs[number], log->run.session);
	}
	settle_contexts(log);
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
	sql_source_free(&log->source);
	free(log->machines);
	return status;
}
