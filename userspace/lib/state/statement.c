// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Statements: see bcoslog_statement.h. */
#include "state.h"

#define SECOND 1000000000ull

static const char clock_words[] = "wall clock ";

/* Return: the kind of a statement; STATEMENT_NONE if the entry is no statement. */
static int statement_of(const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;

	if (entry->type == BCOS_GENERIC_CPU && event->event_id == BCOS_EVENT_MASK)
		return STATEMENT_MASK;
	if (entry->type != BCOS_GENERIC_PROCESS || entry->source != BCOS_PROCESS_KERNEL)
		return STATEMENT_NONE;
	switch (event->event_id) {
	case BCOS_EVENT_CLOCK:
		return STATEMENT_CLOCK;
	case BCOS_EVENT_BOOT:
		return STATEMENT_BOOT;
	case BCOS_EVENT_HOST:
		return STATEMENT_HOST;
	case BCOS_EVENT_KERNEL:
		return STATEMENT_KERNEL;
	case BCOS_EVENT_VERSION:
		return STATEMENT_VERSION;
	default:
		return STATEMENT_NONE;
	}
}

bool bcoslog_is_statement(const struct bcos_entry *entry)
{
	return statement_of(entry) != STATEMENT_NONE;
}

/* Parse the decimal number at @at; a greater *@value than 2^63 may become 2^63.  Return: the number of its digits. */
static size_t take_number(const char *at, size_t length, u64 *value)
{
	size_t n;

	*value = 0;
	for (n = 0; n < length && at[n] >= '0' && at[n] <= '9'; n++)
		*value = *value >> 59 ? 1ull << 63 : *value * 10 + (u64)(at[n] - '0');
	return n;
}

bool bcoslog_wall_clock(const struct bcos_entry *entry, struct bcoslog_wall *wall)
{
	size_t words = sizeof(clock_words) - 1, length, digits;
	const char *text;
	u64 seconds, ns;

	if (statement_of(entry) != STATEMENT_CLOCK)
		return false;
	text = bcoslog_text(entry, &length);
	if (length < words || memcmp(text, clock_words, words))
		return false;
	text += words;
	length -= words;
	digits = take_number(text, length, &seconds);
	if (!digits || digits == length || text[digits] != '.' || seconds >= ~0ull / SECOND)
		return false;
	text += digits + 1;
	length -= digits + 1;
	if (length != 9 || take_number(text, length, &ns) != 9)
		return false;
	wall->boot = entry->time;
	wall->utc = seconds * SECOND + ns;
	wall->precision = entry->precision;
	return true;
}

__u64 bcoslog_wall_time(const struct bcoslog_wall *wall, __u64 time)
{
	if (time >= wall->boot)
		return time - wall->boot > ~wall->utc ? ~0ull : wall->utc + (time - wall->boot);
	return wall->boot - time > wall->utc ? 0 : wall->utc - (wall->boot - time);
}

const struct bcoslog_wall *bcoslog_state_wall(const struct bcoslog_state *state)
{
	return state->has_wall ? &state->wall : NULL;
}

/* Return: true if a clock that nobody sets can show both readings, each at some time within its precision. */
static bool is_same_clock(const struct bcoslog_wall *a, const struct bcoslog_wall *b)
{
	u64 expected = bcoslog_wall_time(a, b->boot);

	return expected > b->utc ? expected - b->utc <= a->precision : b->utc - expected <= b->precision;
}

/*
 * Find the part of a statement's text by which statements of its kind are compared: the whole text, but "-> TO" of a
 * change of the classes, "class mask FROM -> TO: ...".
 */
static const char *what_counts(int which, const char *text, size_t *length)
{
	const char *arrow = which == STATEMENT_MASK ? memmem(text, *length, "-> ", 3) : NULL, *colon;

	if (!arrow)
		return text;
	colon = memchr(arrow, ':', *length - (size_t)(arrow - text));
	*length = colon ? (size_t)(colon - arrow) : *length - (size_t)(arrow - text);
	return arrow;
}

/* Return: true if the log records assignments after a change of the classes.  @text is "-> 0x..." or "-> 0". */
static bool records_assignments(const char *text, size_t length)
{
	const char *end = text + length, *at;
	u32 mask = 0, digit;

	if (length < 4 || memcmp(text, "-> 0", 4))
		return true;
	for (at = text + 3; at < end; at++) {
		if (*at == 'x' && at == text + 4)
			continue;
		if (*at >= '0' && *at <= '9')
			digit = (u32)(*at - '0');
		else if (*at >= 'a' && *at <= 'f')
			digit = (u32)(*at - 'a' + 10);
		else
			return true;
		mask = mask << 4 | digit;
	}
	/* The class kernel_time requires all assignments. */
	return mask & (BCOS_CLASS_ASSIGN | BCOS_CLASS_KERNEL_TIME);
}

enum bcoslog_news statement_compare(const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	int which = statement_of(entry);
	const struct statement *known = &state->statements[which];
	struct bcoslog_wall wall;
	const char *text;
	size_t length;

	if (which == STATEMENT_NONE)
		return BCOSLOG_NEWS;
	if (which == STATEMENT_CLOCK)
		return state->has_wall && bcoslog_wall_clock(entry, &wall) && is_same_clock(&state->wall, &wall) ?
			BCOSLOG_REPEATED : BCOSLOG_NEWS;
	text = bcoslog_text(entry, &length);
	text = what_counts(which, text, &length);
	return known->known && length == known->length && !memcmp(text, known->text, length) ?
		BCOSLOG_REPEATED : BCOSLOG_NEWS;
}

void statement_apply(struct bcoslog_state *state, const struct bcos_entry *entry)
{
	int which = statement_of(entry);
	struct statement *known = &state->statements[which];
	struct bcoslog_wall wall;
	const char *text;
	size_t length;

	if (which == STATEMENT_NONE)
		return;
	if (which == STATEMENT_CLOCK) {
		if (!bcoslog_wall_clock(entry, &wall))
			return;
		state->wall = wall;
		state->has_wall = true;
		return;
	}
	text = bcoslog_text(entry, &length);
	text = what_counts(which, text, &length);
	if (which == STATEMENT_MASK && !records_assignments(text, length))
		cpus_forget(state);
	/* bcos_evlog writes no longer statement. A longer one always counts as new. */
	known->known = length <= sizeof(known->text);
	known->length = (u32)length;
	if (known->known)
		memcpy(known->text, text, length);
}
