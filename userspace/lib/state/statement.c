// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Statements: see bcoslog_statement.h. */
#include "core/format/statement_text.h"
#include "state.h"

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

bool bcoslog_wall_clock(const struct bcos_entry *entry, struct bcoslog_wall *wall)
{
	const char *text;
	size_t length;
	u64 utc;

	if (statement_of(entry) != STATEMENT_CLOCK)
		return false;
	text = bcoslog_text(entry, &length);
	if (!bcos_clock_parse(text, length, &utc))
		return false;
	wall->boot = entry->time;
	wall->utc = utc;
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

/* Parse a statement of the classes, or of a change of them.  Return: false if the text is malformed. */
static bool take_mask(const struct bcos_entry *entry, u32 *mask)
{
	size_t length;
	const char *text = bcoslog_text(entry, &length);

	return bcos_mask_parse(text, length, mask);
}

enum bcoslog_news statement_compare(const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	int which = statement_of(entry);
	const struct statement *known = &state->statements[which];
	struct bcoslog_wall wall;
	const char *text;
	size_t length;
	u32 mask;

	if (which == STATEMENT_NONE)
		return BCOSLOG_NEWS;
	if (which == STATEMENT_CLOCK)
		return state->has_wall && bcoslog_wall_clock(entry, &wall) && is_same_clock(&state->wall, &wall) ?
			BCOSLOG_REPEATED : BCOSLOG_NEWS;
	/* A change to the classes that are on already is no news, whichever were on before it. */
	if (which == STATEMENT_MASK)
		return state->has_mask && take_mask(entry, &mask) && mask == state->mask ? BCOSLOG_REPEATED :
			BCOSLOG_NEWS;
	text = bcoslog_text(entry, &length);
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
	if (which == STATEMENT_MASK) {
		state->has_mask = take_mask(entry, &state->mask);
		/* The class kernel_time requires all assignments. */
		if (state->has_mask && !(state->mask & (BCOS_CLASS_ASSIGN | BCOS_CLASS_KERNEL_TIME)))
			cpus_forget(state);
		return;
	}
	text = bcoslog_text(entry, &length);
	/* bcos_evlog writes no longer statement. A longer one always counts as new. */
	known->known = length <= sizeof(known->text);
	known->length = (u32)length;
	if (known->known)
		memcpy(known->text, text, length);
}
