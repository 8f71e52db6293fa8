// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog convert -t: converts a log to another format. */
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../carried/carried.h"
#include "../progress.h"
#include "command.h"
#include "log/keep.h"
#include "log/notes.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "options/filter.h"
#include "reader/unfold.h"
#include "complain/complain.h"
#include "transfer.h"

/* The stages that the entries of a log go through: a filter, if one is given, and the exporter. */
struct pass {
	const struct exporter *exporter;
	struct export export;
	struct output_place place;
	struct keep *keep;		/* the filter; NULL: all entries are exported */
	const char *path;
};

static inline int give_entry(void *context, const struct bcos_entry *entry)
{
	struct pass *pass = context;
	int r;

	/* Of a part of the log, entries are carried as they are exported: there is no log that has these bytes. */
	if (pass->export.carrier && pass->keep)
		carrier_add(pass->export.carrier, entry);
	r = pass->exporter->entry(&pass->export, entry);
	if (unlikely(r) || !pass->export.state)
		return r;
	r = bcoslog_state_apply(pass->export.state, entry);
	if (unlikely(r))
		complain("no memory for the names in %s", pass->path);
	return r;
}

/* Carries entries as the log has them. */
static void carry_batch(void *context, const struct bcoslog_batch *batch)
{
	struct pass *pass = context;
	const struct bcos_entry *entry;

	for (entry = batch->first; entry != batch->end; entry = bcoslog_after(entry))
		carrier_add(pass->export.carrier, entry);
}

static int give_kept(struct pass *pass, const struct bcos_entry *entry)
{
	int r = keep_entry(pass->keep, entry);

	if (r == -ENOMEM)
		complain("no memory for the names in %s", pass->path);
	return r;
}

static int out_entries(struct run *run, const struct bcoslog_batch *batch)
{
	struct pass *pass = run->context;
	const struct bcos_entry *entry;
	int r;

	progress_at(batch->offset);
	run_each(run, entry, batch) {
		note_entry(&run->notes, run->session, entry);
		r = pass->keep ? give_kept(pass, entry) : give_entry(pass, entry);
		if (unlikely(r))
			return r;
	}
	if (run->follow && !pass->place.directory)
		outfile_flush(&pass->place.file);
	/* pass_end() complains about an error of the output. */
	return pass->place.file.error ? -pass->place.file.error : -pass->place.failed;
}

static void out_resumed(struct run *run)
{
	struct pass *pass = run->context;

	if (pass->export.state)
		bcoslog_state_forget(pass->export.state);
	if (pass->export.carrier)
		carrier_spoil(pass->export.carrier);
	if (pass->exporter->resumed)
		pass->exporter->resumed(&pass->export);
}

/* Is the output complete even if a signal has ended the reading of the log? A log that grows ends at the signal. */
static bool is_live(const struct run *run)
{
	return run->follow || run_finishing || bcoslog_kind(run->log) == BCOSLOG_STREAM;
}

static u64 size_of(const struct run *run)
{
	struct stat stat;

	if (run->follow || bcoslog_kind(run->log) != BCOSLOG_FILE || fstat(bcoslog_fd(run->log), &stat))
		return 0;
	return (u64)stat.st_size;
}

/* Begins the log that the export carries, unless the output is a pipe, in which nothing can be looked up later. */
static int begin_carrier(struct pass *pass)
{
	bool asked = convert_option(pass->export.options, "embed"), refused = convert_option(pass->export.options, "no-embed");
	int r = 0;

	if (asked && refused) {
		complain("--embed and --no-embed exclude each other: leave one of them out");
		return -1;
	}
	if (asked && !pass->place.temporary) {
		complain("only a file or a directory can carry the log: name one with -o, or leave out --embed");
		return -1;
	}
	if (pass->exporter->carries && pass->place.temporary && !refused)
		pass->export.carrier = carrier_new(pass->place.path, asked, &r);
	return r;
}

static int pass_begin(struct pass *pass, struct transfer *transfer)
{
	const struct exporter *exporter = transfer->exporter;

	if (begin_carrier(pass))
		return -1;
	if (exporter->state) {
		pass->export.state = bcoslog_state_new();
		if (!pass->export.state)
			goto starved;
	}
	if (session_chooses(transfer->run.session) || transfer->run.command) {
		pass->keep = keep_new(transfer->run.session, give_entry, pass);
		if (!pass->keep)
			goto starved;
	}
	if (pass->export.carrier && !pass->keep)
		unfold_show(transfer->run.log, carry_batch, pass);
	if (exporter->seekable && !pass->place.directory && !pass->place.file.seekable) {
		complain("%s is written in more than one pass, so it has to be a file: name one with -o",
			 exporter->name);
		return -1;
	}
	return exporter->begin(&pass->export) ? -1 : 0;
starved:
	complain("no memory");
	return -1;
}

static int pass_log(struct pass *pass, struct transfer *transfer)
{
	struct run *run = &transfer->run;
	int status;

	progress_begin(size_of(run));
	status = run_log(run);
	progress_end();
	/* A log may be damaged at its end, where it does not resume. */
	if (status == EXIT_DAMAGE && pass->export.carrier)
		carrier_spoil(pass->export.carrier);
	if (status == EXIT_ENVIRONMENT || (convert_interrupted() && !is_live(run)))
		return status;
	if (pass->exporter->end && pass->exporter->end(&pass->export))
		return convert_interrupted() && !is_live(run) ? status : EXIT_ENVIRONMENT;
	if (convert_interrupted() && !is_live(run))
		return status;
	if (output_complete(&pass->place))
		return EXIT_ENVIRONMENT;
	/* The output is complete, so a signal does not change the exit status any more. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	if (!is_live(run))
		run_signal = 0;
	return status;
}

static void pass_end(struct pass *pass)
{
	/* output_complete() complains about a failed write. */
	if (!pass->place.completed && (pass->place.file.error || pass->place.failed))
		output_complete(&pass->place);
	output_abandon(&pass->place);
	if (pass->exporter->free)
		pass->exporter->free(&pass->export);
	carrier_free(pass->export.carrier);
	if (pass->keep)
		keep_free(pass->keep);
	bcoslog_state_free(pass->export.state);
}

int transfer_out(struct transfer *transfer)
{
	struct pass pass = {
		.exporter = transfer->exporter,
		.export = { .options = &transfer->options, .path = transfer->path },
		.path = transfer->path,
	};
	struct run *run = &transfer->run;
	int status = EXIT_ENVIRONMENT;

	if (!transfer->exporter->text && !strcmp(transfer->output, "-") && !transfer->exporter->directory &&
	    isatty(STDOUT_FILENO)) {
		complain("%s is binary, which a terminal cannot show: name a file with -o", transfer->exporter->name);
		return status;
	}
	run->entries = out_entries;
	run->resumed = out_resumed;
	run->states_gaps = true;
	run->context = &pass;
	if (run_open(run, BCOSLOG_WAKINGS))
		return status;
	if (!output_begin(&pass.place, transfer->output, transfer->exporter->directory)) {
		pass.export.output = &pass.place;
		if (!pass_begin(&pass, transfer))
			status = pass_log(&pass, transfer);
		pass_end(&pass);
	}
	return run_close(run, status);
}
