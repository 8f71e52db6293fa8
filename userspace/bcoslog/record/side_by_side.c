// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints the entries of one or several machines: see side_by_side.h. */
#include <stdlib.h>

#include "command.h"
#include "entry/text.h"
#include "complain/complain.h"
#include "reader/reader.h"
#include "reader/unfold.h"
#include "log/reach.h"
#include "log/pass.h"
#include "log/source.h"
#include "log/boots.h"
#include "output/output.h"
#include "side_by_side.h"

#define MACHINES 64

/* ---- one log -------------------------------------------------------------------------------- */

/* Brings the state behind the entry.  Return: 0, or -ENOMEM after a complaint. */
static int apply_entry(const struct run *run, struct printer *printer, const struct bcos_entry *entry)
{
	int r = line_apply(printer->lines, entry);

	if (unlikely(r))
		complain("no memory for the names in %s", run->path);
	return r;
}

/* Takes the entry into account, and finds out whether it is @wanted.  Return: 0, or -ENOMEM after a complaint. */
static int judge_entry(struct run *run, struct printer *printer, const struct bcos_entry *entry, bool *wanted)
{
	int r = 0;

	note_entry(&run->notes, run->session, entry);
	if (printer->before)
		r = printer->before(printer, entry);
	if (unlikely(r)) {
		complain("no memory for the names in %s", run->path);
		return r;
	}
	*wanted = printer->wants(printer, entry);
	return 0;
}

static int print_entries(struct run *run, const struct bcoslog_batch *batch)
{
	struct printer *printer = run->context;
	const struct bcos_entry *entry;
	bool wanted;
	int r;

	run_each(run, entry, batch) {
		r = judge_entry(run, printer, entry, &wanted);
		if (!r && wanted)
			r = printer->show(printer, entry, bcoslog_batch_offset(batch, entry));
		if (!r)
			r = apply_entry(run, printer, entry);
		if (unlikely(r))
			return r;
	}
	return 0;
}

static void forget_state(struct run *run)
{
	line_forget(((struct printer *)run->context)->lines);
}

int printer_begin(struct printer *printer, struct run *run)
{
	run->entries = print_entries;
	run->resumed = forget_state;
	run->context = printer;
	printer->lines = lines_new(&printer->session->clock);
	return printer->lines ? 0 : -1;
}

void printer_end(struct printer *printer)
{
	lines_free(printer->lines);
}

/* ---- several machines ------------------------------------------------------------------------- */

/* A machine: its session, its pass, and the entries of that which are not printed yet. */
struct side {
	struct boot of;
	char name[80];			/* its host, with its ID if another machine has that name */
	struct session session;
	struct printer printer;
	struct run run;
	struct batches batches;		/* the entries after @batch */
	struct bcoslog_batch batch;
	const struct bcos_entry *at;	/* the next entry of @batch */
	bool forgets;			/* the state is to be forgotten after these entries */
	bool ready;			/* the entry at @at is to be printed */
	bool ended;			/* the pass has ended */
	int status;
	u64 key;			/* where the entry at @at belongs: ns since 1970 */
};

/* All machines. */
struct sides {
	struct side *of;
	u32 count;
};

static int queue_entries(struct run *run, const struct bcoslog_batch *batch)
{
	struct side *side = run->context;

	if (!batches_hold(&side->batches, batch))
		return 0;
	complain("no memory for the entries of %s", run->path);
	return -ENOMEM;
}

/* The log goes on at a group after the entries that are queued. */
static void queue_gap(struct run *run)
{
	((struct side *)run->context)->forgets = true;
}

static void name_side(const struct sides *sides, struct side *side)
{
	const char *host = side->of.about.host;
	bool alone = true;
	u32 i;

	for (i = 0; i < sides->count; i++)
		alone &= sides->of + i == side || strcmp(sides->of[i].of.about.host, host);
	snprintf(side->name, sizeof(side->name), alone ? "%s" : "%s (%.8s)", *host ? host : "?",
		 *side->of.machine ? side->of.machine : "?");
}

/* Fills in the machines.  Return: 0; -1 if there are more than MACHINES; -ENOMEM. */
static int find_machines(struct bcoslog *log, struct sides *sides)
{
	struct boot boot;
	u32 i;

	sides->of = calloc(MACHINES, sizeof(*sides->of));
	if (!sides->of)
		return -ENOMEM;
	for (i = 0; boots_get(log, i, &boot); i++) {
		if (sides->count && boots_same_machine(&boot, &sides->of[sides->count - 1].of))
			continue;
		if (sides->count == MACHINES)
			return -1;
		sides->of[sides->count++].of = boot;
	}
	for (i = 0; i < sides->count; i++)
		name_side(sides, &sides->of[i]);
	return 0;
}

/* Opens the log of a machine and begins the pass.  Return: 0, or -1 after a complaint. */
static int begin_side(struct side *side, const struct run *run, const struct printer *printer)
{
	struct bcoslog_error error;
	struct lines *lines;

	complain_about(side->name);
	side->session = *run->session;
	side->session.clock.needed = true;
	side->session.clock.mode = TIME_WALL;
	boots_choose_machine(&side->session.boots, &side->of);
	side->run = (struct run){ .session = &side->session, .path = run->path, .beside = true,
				  .entries = queue_entries, .resumed = queue_gap, .context = side };
	side->printer = *printer;
	side->printer.session = &side->session;
	side->printer.beside = true;
	side->printer.lines = lines = lines_new(&side->session.clock);
	if (!lines)
		return -1;
	lines->colour = printer->lines->colour;
	if (run->session->form == TABLE_JSON) {
		lines->host = side->of.about.host;
		lines->machine = side->of.machine;
	}
	if (recorder_open_again(&side->session, &side->run.log, run->log, run->path, unfold_flag(run->log), &error)) {
		complain("%s", error.text);
		return -1;
	}
	if (run_settle_times(&side->run)) {
		side->status = EXIT_ENVIRONMENT;
		side->ended = true;
	}
	return 0;
}

/* Ends what failed, after a complaint. */
static void drop_side(struct side *side)
{
	side->ended = true;
	side->status = EXIT_ENVIRONMENT;
	side->batch.end = side->at;
	side->ready = false;
	batches_free(&side->batches);
}

/* Gets more entries.  Return: whether there may be some. */
static bool fetch_entries(struct side *side)
{
	if (batches_take(&side->batches, 0, &side->batch)) {
		side->at = side->batch.first;
		return true;
	}
	if (side->forgets)
		line_forget(side->printer.lines);
	side->forgets = false;
	if (side->ended)
		return false;
	if (run_step(&side->run, &side->status) <= 0) {
		side->status = run_end(&side->run, side->status);
		side->ended = true;
	}
	return true;
}

static void pass_entry(struct side *side)
{
	int r = apply_entry(&side->run, &side->printer, side->at);

	side->at = bcoslog_after(side->at);
	side->ready = false;
	if (unlikely(r))
		drop_side(side);
}

/* Goes on to the next entry that is to be printed. */
static void next_entry(struct side *side)
{
	u64 utc;

	complain_about(side->name);
	while (!side->ready && !run_ends()) {
		if (side->at == side->batch.end) {
			if (!fetch_entries(side))
				return;
			continue;
		}
		if (judge_entry(&side->run, &side->printer, side->at, &side->ready)) {
			drop_side(side);
		} else if (side->ready) {
			/* Keys never go back, so historical entries keep their place in the log. */
			utc = wall_time(&side->session.clock, side->at->time);
			side->key = utc > side->key ? utc : side->key;
		} else {
			pass_entry(side);
		}
	}
}

/* Puts the name of the machine before a line. */
static void put_name(const struct side *side)
{
	char shown[ESCAPE_MAX * sizeof(side->name)];

	escape_sentence(shown, sizeof(shown), side->name);
	output_format("%-16s ", shown);
}

static void print_side(struct side *side)
{
	complain_about(side->name);
	if (side->session.form == TABLE_TEXT)
		put_name(side);
	if (side->printer.show(&side->printer, side->at, bcoslog_batch_offset(&side->batch, side->at)))
		drop_side(side);
	else
		pass_entry(side);
}

static void print_sides(struct sides *sides)
{
	struct side *first;
	u32 i;

	for (;;) {
		first = NULL;
		for (i = 0; i < sides->count; i++) {
			next_entry(&sides->of[i]);
			if (sides->of[i].ready && (!first || sides->of[i].key < first->key))
				first = &sides->of[i];
		}
		if (!first || run_ends())
			return;
		print_side(first);
	}
}

/* Complains of chosen objects that no machine's log has. */
static void say_absent(struct run *run, const struct sides *sides)
{
	struct session *session = run->session;
	u32 i;

	for (i = 0; i < sides->count; i++)
		filter_join(&session->filter, &sides->of[i].session.filter);
	run->absent = filter_absent(&session->filter, window_is_given(&session->window) ?
				    "the recording of this time" : "the recording");
}

/* Closes all logs.  Return: the greatest exit status of the machines. */
static int end_sides(struct sides *sides)
{
	int worst = EXIT_OK;
	struct side *side;

	output_flush();
	for (side = sides->of; side < sides->of + sides->count; side++) {
		if (!side->printer.lines)
			break;
		complain_about(side->name);
		notes_say(&side->run.notes);
		if (side->run.log)
			bcoslog_close(side->run.log);
		wall_forget(&side->session.clock);
		batches_free(&side->batches);
		batches_free(&side->run.held.batches);
		lines_free(side->printer.lines);
		worst = side->status > worst ? side->status : worst;
	}
	complain_about(NULL);
	return worst;
}

int side_by_side(struct run *run, const struct printer *printer)
{
	struct sides sides = { 0 };
	int status = -1, r = 0;
	u32 i;

	if (run->follow || !boots_are_several(&run->session->boots, run->log))
		return -1;
	if (run->session->clock.mode == TIME_RELATIVE || run->session->clock.mode == TIME_DELTA) {
		complain("%s has logs of several machines, which the wall clock puts side by side: leave --time out, or choose "
			 "one of them by --machine", run->path);
		return EXIT_ENVIRONMENT;
	}
	r = find_machines(run->log, &sides);
	if (r == -ENOMEM)
		complain("no memory for the machines in %s", run->path);
	for (i = 0; i < sides.count && !r; i++)
		r = begin_side(&sides.of[i], run, printer) ? -ENOMEM : 0;
	if (!r)
		print_sides(&sides);
	if (r != -1)
		status = end_sides(&sides);
	if (!r && status != EXIT_ENVIRONMENT && !run_ends())
		say_absent(run, &sides);
	free(sides.of);
	return r == -ENOMEM ? EXIT_ENVIRONMENT : status;
}
