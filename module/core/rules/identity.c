// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* States facts about the host while the log runs, each change when it is found. */
#include "core/write/group.h"
#include "core/write/statement.h"
#include "rules.h"

#define SECOND 1000000000ull

static bool is_same_clock(const struct bcos_statements *a, const struct bcos_statements *b)
{
	s64 later = (s64)(a->offset - b->offset);

	if (!a->clock || !b->clock)
		return a->clock == b->clock;
	return later <= (s64)b->error && -later <= (s64)a->error;
}

/* Takes the wall clock over. Returns true if it must be stated anew. */
static bool take_clock(struct bcos_log *log, const struct bcos_statements *now, u64 time)
{
	struct bcos_statements *stated = &log->statements;
	bool same = is_same_clock(stated, now);

	if (same && stated->error <= now->error)
		return false;
	if (!same && log->begun && time - log->clock_stated < SECOND)
		return false;
	stated->clock = now->clock;
	stated->offset = now->offset;
	stated->error = now->error;
	return !same;
}

/* Takes a text over. Returns true if it changed. */
static bool take_text(struct bcos_log *log, const struct bcos_statements *now, u32 which)
{
	size_t size, at = bcos_statement_offset(which, &size);
	const char *next = (const char *)now + at;
	char *text = (char *)&log->statements + at;

	if (!strncmp(text, next, size))
		return false;
	memcpy(text, next, size);
	return true;
}

void bcos_log_say(struct bcos_log *log, const struct bcos_statements *now, u64 time)
{
	bool clock = take_clock(log, now, time);
	u64 latest = bcos_latest(time, log->precision);
	u32 which;

	if (clock && log->begun) {
		log->clock_stated = time;
		bcos_statement_put_clock(log);
		log->interesting = true;
	}
	for (which = 0; which < BCOS_STATEMENT_TEXTS; which++) {
		if (!take_text(log, now, which))
			continue;
		if (!log->begun)
			continue;
		/* The change happened at some time since the newest entry. */
		bcos_statement_put_text(log, which, bcos_reach(log->time, latest));
		log->interesting = true;
	}
	bcos_log_settle(log);
}

u64 bcos_log_clock_due(const struct bcos_log *log, u64 set)
{
	u64 next = log->clock_stated + SECOND;

	return log->begun && set < next ? next : set;
}

void bcos_log_clock_set(struct bcos_log *log, const struct bcos_statements *now, u64 time)
{
	if (log->begun && time > log->time)
		bcos_log_at(log, time, log->precision);
	bcos_log_say(log, now, time);
}
