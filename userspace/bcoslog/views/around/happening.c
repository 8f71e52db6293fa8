// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Collects happenings: see happening.h. */
#include <stdio.h>
#include <stdlib.h>

#include "account/report.h"
#include "core/format/thread_text.h"
#include "happening.h"
#include "output/calls.h"
#include "output/line.h"
#include "output/request.h"

/* The greatest number of functions of an entry that are shown. */
#define CALLS_SHOWN 16

const char *happening_word(const struct happening *happening)
{
	static const char *const words[HAPPENINGS] = {
		"runs", "interrupt", "input", "output", "event", "calls", "begins", "is named", "ends", "online",
		"offline",
	};

	return words[happening->kind];
}

/* Return: a new happening of zeros, or NULL if there is no room. */
static struct happening *add_happening(struct happenings *happenings)
{
	struct happening *larger, *happening;
	size_t room;

	if (happenings->count == HAPPENINGS_MAX)
		return NULL;
	/* Moves the happenings to the begin, if more than half of the room before their end is free. */
	if (happenings->first > happenings->count) {
		memmove(happenings->of, happenings->of + happenings->first,
			happenings->count * sizeof(*happenings->of));
		happenings->first = 0;
	}
	if (happenings->first + happenings->count == happenings->room) {
		room = happenings->room ? 2 * happenings->room : 256;
		larger = reallocarray(happenings->of, room, sizeof(*larger));
		if (!larger)
			return NULL;
		happenings->of = larger;
		happenings->room = room;
	}
	happening = &happenings->of[happenings->first + happenings->count++];
	memset(happening, 0, sizeof(*happening));
	happening->order = ++happenings->order;
	return happening;
}

static int happenings_full(const struct happenings *happenings)
{
	return happenings->count >= HAPPENINGS_MAX ? -E2BIG : -ENOMEM;
}

static int set_what(struct happening *happening, const char *text, size_t length)
{
	happening->text = malloc(length + 1);
	if (!happening->text)
		return -ENOMEM;
	memcpy(happening->text, text, length);
	happening->length = length;
	return 0;
}

static void name_process(struct happening *happening, const struct bcoslog_account *account, u32 id)
{
	const struct bcoslog_account_process *process = bcoslog_account_process(account, id);

	if (process)
		recent_describe(&happening->use, BCOSLOG_USE_PROCESS, process);
}

static void name_device(struct happening *happening, const struct bcoslog_account *account, u32 id)
{
	const struct bcoslog_account_device *device = bcoslog_account_device(account, id);

	if (device)
		recent_name_it(&happening->use, device->name, device->name_length);
}

static enum happening_kind kind_of(const struct bcos_entry *entry, bool known)
{
	u16 subject = entry->type & BCOS_TYPE_SUBJECT_MASK;
	bool has_name = subject == BCOS_SUBJECT_PROCESS || subject == BCOS_SUBJECT_DEVICE;

	if (bcos_type_begins(entry->type))
		return !has_name ? HAPPENS_ONLINE : known ? HAPPENS_NAMED : HAPPENS_BEGINS;
	if (bcos_type_ends(entry->type))
		return has_name ? HAPPENS_ENDS : HAPPENS_OFFLINE;
	switch (entry->type) {
	case BCOS_IRQ:
		return HAPPENS_INTERRUPT;
	case BCOS_DEVICE_INPUT:
		return HAPPENS_INPUT;
	case BCOS_DEVICE_OUTPUT:
		return HAPPENS_OUTPUT;
	case BCOS_KERNEL_API:
		return HAPPENS_CALLS;
	default:
		return bcoslog_is_generic(entry->type) && !bcoslog_is_statement(entry) && !bcos_is_thread_name(entry) ?
		       HAPPENS_EVENT : HAPPENINGS;
	}
}

static int set_calls(struct happening *happening, const struct bcos_entry *entry)
{
	const struct bcos_kernel_api *api = (const struct bcos_kernel_api *)entry;
	size_t i, count = (entry->size - sizeof(*api)) / sizeof(api->function[0]), length = 0;
	char text[CALLS_SHOWN * 40];
	const char *name;

	for (i = 0; i < count && i < CALLS_SHOWN; i++) {
		name = call_name(api->function[i]);
		length += (size_t)(name ?
				   snprintf(text + length, sizeof(text) - length, "%s%.36s", i ? " " : "", name) :
				   snprintf(text + length, sizeof(text) - length, "%s%u", i ? " " : "",
					    api->function[i] & ~BCOS_FUNCTION_COMPAT));
	}
	return set_what(happening, text, length);
}

static int set_request(struct happening *happening, const struct bcos_request_told *told)
{
	char text[2 * REQUEST_WORDS + 40];
	int length = request_what(text, told);

	length += snprintf(text + length, sizeof(text) - (size_t)length, ", device 0x%08X: ", told->device);
	return set_what(happening, text, (size_t)(length + request_times(text + length, told)));
}

/* Sets the number and the text of a happening from its entry.  Return: 0 or -ENOMEM. */
static int set_fields(struct happening *happening, const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	struct bcos_request_told told;
	size_t length;
	char words[BCOSLOG_THREAD_WORDS];
	const char *text;

	switch (happening->kind) {
	case HAPPENS_INTERRUPT:
		happening->number = ((const struct bcos_irq *)entry)->number;
		return 0;
	case HAPPENS_INPUT:
	case HAPPENS_OUTPUT:
		happening->number = ((const struct bcos_device_io *)entry)->bytes;
		return 0;
	case HAPPENS_ENDS:
		happening->number = ((const struct bcos_cancel_name *)entry)->status;
		return 0;
	case HAPPENS_CALLS:
		return set_calls(happening, entry);
	case HAPPENS_EVENT:
		happening->number = event->event_id;
		happening->severity = event->severity;
		if (request_read(entry, &told))
			return set_request(happening, &told);
		text = line_text(entry, words, &length);
		return set_what(happening, text, length);
	case HAPPENS_BEGINS:
	case HAPPENS_NAMED:
		/* The text is the former name, and the name becomes the one that the entry gives. */
		text = bcoslog_text(entry, &length);
		if (happening->kind == HAPPENS_NAMED &&
		    set_what(happening, happening->use.name, happening->use.name_length))
			return -ENOMEM;
		recent_name_it(&happening->use, text, length);
		return 0;
	default:
		return 0;
	}
}

int happenings_entry(struct happenings *happenings, const struct bcoslog_account *account,
		     const struct bcos_entry *entry)
{
	u16 subject = entry->type & BCOS_TYPE_SUBJECT_MASK;
	bool known = subject == BCOS_SUBJECT_PROCESS ? !!bcoslog_account_process(account, entry->source) :
						      !!bcoslog_account_device(account, entry->source);
	enum happening_kind kind = entry->type & BCOS_TYPE_HISTORICAL ? HAPPENINGS : kind_of(entry, known);
	struct happening *happening;

	if (kind == HAPPENINGS)
		return 0;
	happening = add_happening(happenings);
	if (!happening)
		return happenings_full(happenings);
	happening->begin = happening->end = entry->time;
	happening->precision = entry->precision;
	happening->kind = kind;
	happening->subject = subject;
	happening->id = entry->source;
	if (subject == BCOS_SUBJECT_PROCESS)
		name_process(happening, account, entry->source);
	else if (subject == BCOS_SUBJECT_DEVICE)
		name_device(happening, account, entry->source);
	return set_fields(happening, entry);
}

/* The precision of the time at which a CPU got its present use. */
struct precision_of {
	u32 cpu, precision;
};

static struct precision_of *begin_of(const struct happenings *happenings, u32 cpu)
{
	size_t i;

	for (i = 0; i < happenings->begin_count; i++)
		if (happenings->begins[i].cpu == cpu)
			return &happenings->begins[i];
	return NULL;
}

static bool has_cpu(const struct bcoslog_account *account, u32 id)
{
	return bcoslog_account_cpu(account, id);
}

int happenings_assigned(struct happenings *happenings, const struct bcoslog_account *account,
			const struct bcos_entry *entry)
{
	struct precision_of *begin = begin_of(happenings, entry->source), *larger;

	/* A CPU that the log does not name has no turns. */
	if (!begin && !has_cpu(account, entry->source))
		return 0;
	if (!begin) {
		larger = reallocarray(happenings->begins, happenings->begin_count + 1, sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		happenings->begins = larger;
		begin = &larger[happenings->begin_count++];
		begin->cpu = entry->source;
	}
	begin->precision = entry->precision;
	return 0;
}

int happenings_interval(struct happenings *happenings, const struct bcoslog_interval *interval)
{
	const struct precision_of *begin;
	struct happening *happening;

	/* The use of a CPU before its first assignment is unknown, and may have taken no time. */
	if (interval->use == BCOSLOG_USE_UNKNOWN && interval->begin == interval->end)
		return 0;
	happening = add_happening(happenings);
	if (!happening)
		return happenings_full(happenings);
	happening->begin = interval->begin;
	happening->end = interval->end;
	happening->kind = HAPPENS_TURN;
	happening->subject = BCOS_SUBJECT_CPU;
	happening->id = interval->cpu;
	begin = begin_of(happenings, interval->cpu);
	happening->precision = begin ? begin->precision : 1;
	recent_describe(&happening->use, interval->use, interval->process);
	return 0;
}

int happenings_open(struct happenings *happenings, const struct bcoslog_account *account)
{
	const struct bcoslog_account_cpu *cpu = NULL;
	int r = 0;

	happenings->open = happenings->count;
	while (!r && (cpu = bcoslog_account_next_cpu(account, cpu))) {
		struct bcoslog_interval interval = {
			.begin = cpu->since, .end = HAPPENING_OPEN, .cpu = cpu->id, .use = cpu->use,
				.process = cpu->process,
		};

		if (cpu->up)
			r = happenings_interval(happenings, &interval);
	}
	return r;
}

void happenings_close(struct happenings *happenings, const struct bcoslog_interval *interval)
{
	struct happening *of = happenings->of + happenings->first;
	size_t i;

	for (i = happenings->open; i < happenings->count; i++)
		if (of[i].id == interval->cpu && of[i].end == HAPPENING_OPEN)
			of[i].end = interval->end;
}

void happenings_trim(struct happenings *happenings, u64 time)
{
	while (happenings->count && happenings->of[happenings->first].end < time) {
		free(happenings->of[happenings->first++].text);
		happenings->count--;
	}
}

static int by_begin(const void *left, const void *right)
{
	const struct happening *a = left, *b = right;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	/* A turn comes before other happenings of the same time, since it begins before anything happens on the CPU. */
	if ((a->kind == HAPPENS_TURN) != (b->kind == HAPPENS_TURN))
		return a->kind == HAPPENS_TURN ? -1 : 1;
	if (a->kind == HAPPENS_TURN && a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

void happenings_sort(struct happenings *happenings)
{
	if (happenings->count > 1)
		qsort(happenings->of + happenings->first, happenings->count, sizeof(*happenings->of), by_begin);
}

void happenings_free(struct happenings *happenings)
{
	while (happenings->count)
		free(happenings->of[happenings->first + --happenings->count].text);
	free(happenings->of);
	free(happenings->begins);
	memset(happenings, 0, sizeof(*happenings));
}
