// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog around: shows what every CPU did around a moment. */
#include <ctype.h>
#include <stdlib.h>

#include "around.h"
#include "command.h"
#include "account/report.h"
#include "core/format/thread_text.h"
#include "log/source.h"
#include "options/filter.h"
#include "options/names.h"
#include "options/number.h"
#include "options/options.h"
#include "options/recorder_options.h"
#include "options/shared.h"
#include "options/when.h"
#include "output/line.h"
#include "output/times.h"
#include "complain/complain.h"
#include "views/story/page.h"

struct around {
	const char *first;		/* the first argument, TIME or the log; NULL if it is the log */
	const char *event, *device;
	u64 device_id;
	bool device_by_id;
	u64 nth, found;
	bool known, done;		/* the moment is known; all happenings of the window are collected */
	bool begun;			/* there has been a normal entry, at @window.from */
	bool ends;			/* intervals that end now end by bcoslog_account_end(), not by an entry */
	struct vicinity window;
	struct report *report;
	int error;
};

static bool text_has(const char *text, size_t length, const char *part)
{
	return text && memmem(text, length, part, strlen(part));
}

static bool is_the_device(struct around *around, const struct bcos_entry *entry)
{
	const struct bcoslog_account_device *device = bcoslog_account_device(around->report->account, entry->source);
	size_t length = strlen(around->device), named;
	const char *text;

	if ((entry->type & BCOS_TYPE_SUBJECT_MASK) != BCOS_SUBJECT_DEVICE || entry->type == BCOS_IRQ ||
	    entry->type == BCOS_DEVICE_INPUT || entry->type == BCOS_DEVICE_OUTPUT)
		return false;
	if (around->device_by_id)
		return entry->source == around->device_id;
	if (device && device->name_length == length && !memcmp(device->name, around->device, length))
		return true;
	text = entry->type == BCOS_SET_DEVICE_NAME ? bcoslog_text(entry, &named) : NULL;
	return text && named == length && !memcmp(text, around->device, length);
}

/* Is the entry one for which --event or --device looks? */
static bool is_it(struct around *around, const struct bcos_entry *entry)
{
	size_t length = 0;
	char words[BCOSLOG_THREAD_WORDS];
	const char *text;

	if (!report_counts(around->report, entry->time))
		return false;
	if (around->device)
		return is_the_device(around, entry);
	if (!bcoslog_is_generic(entry->type) || bcoslog_is_statement(entry) || bcos_is_thread_name(entry))
		return false;
	text = line_text(entry, words, &length);
	return text_has(text, length, around->event);
}

static void find_moment(struct around *around, const struct bcos_entry *entry)
{
	if (around->first)
		around->known = window_get_moment(&around->report->session->window, &around->report->session->clock,
						 &around->window.moment);
	else if (is_it(around, entry) && ++around->found == around->nth)
		around->known = true;
	else
		return;
	if (!around->first)
		around->window.moment = entry->time;
}

static int around_failed(struct around *around, int error)
{
	if (error && !around->error) {
		around->error = error;
		complain(error == -E2BIG ? "more than a million things happen there: choose a shorter --span" :
					   "no memory for what happens around the moment");
	}
	return error;
}

static int around_entry(struct report *report, const struct bcos_entry *entry)
{
	struct around *around = report->context;
	u64 limit;
	int r;

	around->ends = false;
	if (entry->type & BCOS_TYPE_HISTORICAL || around->done || around->error)
		return around->error;
	if (!around->begun)
		around->window.from = entry->time;
	around->begun = true;
	if (!around->known)
		find_moment(around, entry);
	if (around->known && entry->time > vicinity_end(&around->window)) {
		around->done = true;
		around->window.until = vicinity_end(&around->window);
		return around_failed(around, happenings_open(&around->window.happenings, report->account));
	}
	around->window.until = entry->time;
	note_precision_of_use(report, entry);
	r = around_failed(around, happenings_entry(&around->window.happenings, report->account, entry));
	limit = entry->time > around->window.span ? entry->time - around->window.span : 0;
	happenings_trim(&around->window.happenings, around->known ? vicinity_begin(&around->window) : limit);
	return r;
}

static int around_after(struct report *report, const struct bcos_entry *entry)
{
	struct around *around = report->context;

	around->ends = true;
	if (entry->type != BCOS_ASSIGN_CPU || around->done || around->error)
		return 0;
	return around_failed(around, happenings_assigned(&around->window.happenings, report->account, entry));
}

/* Return: when the use of a CPU began that ends now. The account clips what began before the log or the window. */
static u64 begin_of_turn(struct around *around, const struct bcoslog_interval *interval)
{
	const struct bcoslog_account *account = around->report->account;
	const struct bcoslog_account_cpu *cpu = NULL;

	if (interval->begin != bcoslog_account_totals(account)->begin)
		return interval->begin;
	while ((cpu = bcoslog_account_next_cpu(account, cpu)))
		if (cpu->id == interval->cpu)
			return cpu->since < interval->begin ? cpu->since : interval->begin;
	return interval->begin;
}

static void around_interval(void *context, const struct bcoslog_interval *interval)
{
	struct around *around = context;
	struct bcoslog_interval whole = *interval;

	if (around->ends || around->error)
		return;
	if (around->done) {
		happenings_close(&around->window.happenings, interval);
		return;
	}
	whole.begin = begin_of_turn(around, interval);
	around_failed(around, happenings_interval(&around->window.happenings, &whole));
}

/* ---- the filter ------------------------------------------------------------------------- */

static bool happening_wanted(struct around *around, const struct happening *happening)
{
	bool cpu = happening->subject == BCOS_SUBJECT_CPU, process = happening->subject == BCOS_SUBJECT_PROCESS;
	const struct recent_use *use = &happening->use;

	if (happening->end < vicinity_begin(&around->window) || happening->begin > vicinity_end(&around->window))
		return false;
	if (filter_has_cpus(&around->report->session->filter) && (!cpu || !report_wants_cpu(around->report, happening->id)))
		return false;
	if (!filter_has_processes(&around->report->session->filter))
		return true;
	if (happening->kind == HAPPENS_TURN && !use->name_length)
		return false;
	return (process || happening->kind == HAPPENS_TURN) &&
	       filter_wants_process(&around->report->session->filter, process ? happening->id : use->process, use->name, use->name_length);
}

static void choose_happenings(struct around *around)
{
	struct happenings *all = &around->window.happenings;
	struct happening *of = all->of + all->first;
	size_t i, kept = 0;

	for (i = 0; i < all->count; i++) {
		if (happening_wanted(around, &of[i]))
			of[kept++] = of[i];
		else
			free(of[i].text);
	}
	all->count = kept;
	happenings_sort(all);
}

/* ---- the report -------------------------------------------------------------------------------- */

/* Checks that the moment was found, and that the log has some of the window.  Return: 0, or -1 after a complaint. */
static int check_moment(const struct report *report)
{
	struct around *around = report->context;
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(report->account);
	char begin[TIME_TEXT], end[TIME_TEXT];

	if (!around->known && around->first) {
		complain("the log has no entries, or only historical ones");
	} else if (!around->known) {
		complain("the log has no %s %s%s", around->event ? "event with the text" : "event of the device",
			 around->event ? around->event : around->device, around->nth > 1 ? " so often" : "");
	} else if (vicinity_end(&around->window) < totals->begin || vicinity_begin(&around->window) > totals->end) {
		time_text(&report->session->clock, begin, totals->begin);
		time_text(&report->session->clock, end, totals->end);
		complain("the log has nothing around that time: it reaches from %s to %s", begin, end);
	} else {
		return 0;
	}
	return -1;
}

static int print_around(struct report *report)
{
	struct around *around = report->context;
	int r = around->error;

	if (!r)
		r = check_moment(report);
	if (!r && !around->done) {
		around->done = true;
		r = around_failed(around, happenings_open(&around->window.happenings, report->account));
	}
	if (!r) {
		choose_happenings(around);
		r = report->form == TABLE_TEXT ? vicinity_text(&around->window, report->session) :
			vicinity_data(&around->window, report->session);
	}
	return r;
}

static void end_around(struct report *report)
{
	struct around *around = report->context;

	happenings_free(&around->window.happenings);
}

static int take_first(struct arguments *arguments, const char *text)
{
	struct around *around = ((struct report *)arguments->context)->context;

	if (around->first || !*text || text[0] == '-')
		return 0;
	around->first = text;
	return 1;
}

static int take_event(struct arguments *arguments, const char *text)
{
	struct around *around = ((struct report *)arguments->context)->context;

	around->event = text;
	return 0;
}

static int take_device(struct arguments *arguments, const char *text)
{
	struct around *around = ((struct report *)arguments->context)->context;

	around->device = text;
	around->device_by_id = is_number(text);
	return around->device_by_id ? parse_number("--device", text, 0xFFFFFFFF, &around->device_id) : 0;
}

static int take_nth(struct arguments *arguments, const char *text)
{
	struct around *around = ((struct report *)arguments->context)->context;

	if (parse_number("--nth", text, UINT32_MAX, &around->nth))
		return -1;
	if (around->nth)
		return 0;
	complain("--nth counts from 1");
	return -1;
}

static int take_span(struct arguments *arguments, const char *text)
{
	struct around *around = ((struct report *)arguments->context)->context;

	return parse_duration("--span", text, &around->window.span);
}

static int take_map(struct arguments *arguments, const char *text)
{
	struct around *around = ((struct report *)arguments->context)->context;

	(void)text;
	around->window.map_only = true;
	return 0;
}

/*
 * Checks the options. With --event or --device, the first argument is the log. No moment begins with a letter, so a word that
 * does is the text of an event, as in `bcoslog around panic vmcore`.
 * Return: 0, or -1 after a complaint.
 */
static int ready_around(struct report *report, struct arguments *arguments)
{
	struct around *around = report->context;

	if (!around->event && !around->device && around->first && log_stands_alone(arguments, around->first, "the moment", "around TIME"))
		return -1;
	if (!around->event && !around->device && around->first && isalpha((unsigned char)around->first[0])) {
		around->event = around->first;
		around->first = NULL;
	}
	if (around->event && around->device) {
		complain("--event and --device exclude each other");
		return -1;
	}
	if (around->window.map_only && report->form != TABLE_TEXT) {
		complain("a map is for people: leave --map out, or --json and --csv");
		return -1;
	}
	if (!around->event && !around->device) {
		if (around->first && window_is_given(&report->session->window)) {
			complain("%s is the moment: leave --since, --until and --last out, or look for it by --event or --device",
				 around->first);
			return -1;
		}
		window_show_near(&report->session->window, around->window.span);
		if (around->first)
			return window_take_moment(&report->session->window, "TIME", around->first);
		complain("the moment is missing: bcoslog around TIME, or --event TEXT, or --device NAME");
		return -1;
	}
	if (around->first && arguments->path != default_log) {
		complain("--%s is the moment, and %s is one, too: leave one of them out",
			 around->event ? "event" : "device", around->first);
		return -1;
	}
	if (around->first)
		arguments->path = around->first;
	around->first = NULL;
	return 0;
}

static int cmd_around(struct session *session, int argc, char **argv)
{
	struct around around = { .nth = 1, .window = { .span = 5000000 } };
	struct report report = {
		.context = &around,
		.command = &command_around,
		.change = take_first,
		.ready = ready_around,
		.entry = around_entry,
		.after = around_after,
		.sinks = {.interval = around_interval},
		.print = print_around,
		.end = end_around,
	};

	around.report = &report;
	return report_run(session, &report, argc, argv);
}

static const struct option_spec options[] = {
	{ .name = "event", .value = "TEXT", .take = take_event,
	  .help = "the moment of the first event whose text contains TEXT" },
	{ .name = "device", .value = "ID|NAME", .kind = VALUE_DEVICE, .word = "D", .take = take_device,
	  .help = "the moment at which the device, by number or name, first comes, goes, or has an event" },
	{ .name = "nth", .value = "N", .take = take_nth,
	  .help = "the moment of the Nth such event instead of the first" },
	{ .name = "span", .value = "SPAN", .take = take_span,
	  .help = "show this much time before and after the moment (5ms)" },
	{ .name = "map", .take = take_map, .help = "print the map alone" },
	{ .name = "process", .value = "PID|NAME", .kind = VALUE_PROCESS, .word = "P", .many = true, .take = filter_process },
	{ .name = "cpu", .value = "CPU", .kind = VALUE_CPU, .word = "N", .many = true, .take = filter_cpu },
	{ .name = "core", .value = "CORE", .word = "N", .many = true, .take = filter_core,
	  .help = "only lines about these, by number or name; may be repeated" },
	{ .name = NULL },
};

static const struct option_spec forms[] = {
	{ .name = "wall", .letter = 'T', .take = take_wall_time,
	  .help = "TIME and the shown times are those of the wall clock" },
	{ .name = "json", .take = take_json },
	{ .name = "csv", .take = take_csv, .help = "print an object on each line, or a table as of RFC 4180" },
	{ .name = NULL },
};

const struct command command_around = {
	.name = "around",
	.summary = "show what every CPU did around a moment",
	.usage =
"bcoslog around [OPTIONS] TIME [LOG]\n"
"bcoslog around [OPTIONS] --event TEXT | --device NAME [LOG]",
	.about =
"Shows what every CPU did around a moment: a map with a row for each CPU, and a\n"
"line for each turn, interrupt, transfer, event, birth and death, with its time\n"
"in milliseconds before (-) or after the moment.  A turn that reaches out of the\n"
"window is shown with its whole length.\n"
"\n"
"TIME is seconds since boot (123.5), a time of the wall clock (14:03, \"2026-11-23\n"
"14:03:05.5\"), or a duration before the end (5s).  Times that other reports print\n"
"have such a format.  A word that begins with a letter is a text, as of --event:\n"
"bcoslog around panic vmcore.",
	.options = { options, window_options, boot_options, forms, report_follow_options },
	.silent = report_refused_options,
	.after =
"With --event and --device, the options --since, --until and --last choose the\n"
"part of the log in which the command looks for the event or the device.",
	.status = "0 done, 1 LOG is damaged, 2 LOG cannot be read, or it has no such moment.",
	.records = true,
	.takes_program = true,
	.run = cmd_around,
};
