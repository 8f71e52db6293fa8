/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Collects what happens around a moment, in the order of ends: turns, interrupts, transfers, events, lives. */
#ifndef BCOSLOG_VIEWS_HAPPENING_H
#define BCOSLOG_VIEWS_HAPPENING_H

#include "views/track/recent.h"

enum happening_kind {
	HAPPENS_TURN,			/* a CPU has one use from begin to end */
	HAPPENS_INTERRUPT,
	HAPPENS_INPUT,
	HAPPENS_OUTPUT,
	HAPPENS_EVENT,
	HAPPENS_CALLS,
	HAPPENS_BEGINS,
	HAPPENS_NAMED,
	HAPPENS_ENDS,
	HAPPENS_ONLINE,
	HAPPENS_OFFLINE,
	HAPPENINGS
};

/* A turn that has not ended. */
#define HAPPENING_OPEN 0xFFFFFFFFFFFFFFFFull

/**
 * struct happening - something that happens
 * @begin: of a turn; of anything else when it happens
 * @end: of a turn, or HAPPENING_OPEN; of anything else @begin
 * @order: in which it was told
 * @kind: what it is
 * @subject: whom it is about: BCOS_SUBJECT_*; of a turn the CPU
 * @id: of that
 * @use: of a turn; else of a process or device its name, cut
 * @number: bytes, number of an interrupt, event ID, termination status
 * @severity: of an event
 * @text: of an event, a former name, functions; or NULL
 * @length: of @text
 */
struct happening {
	u64 begin, end;
	u64 order;
	enum happening_kind kind;
	u16 subject;
	u8 severity;
	u32 id;
	u32 number;
	struct recent_use use;
	char *text;
	size_t length;
};

/* The greatest number of happenings that are kept; more give -E2BIG. */
#define HAPPENINGS_MAX (1u << 20)

/* The happenings that are kept. */
struct happenings {
	struct happening *of;
	size_t first, count, room;	/* from @first on, @count of them */
	u64 order;
	size_t open;			/* from here on they were added by happenings_open() */
};

/* "runs", "interrupt", ...: what is said of it. */
const char *happening_word(const struct happening *happening);

/*
 * Adds the happening of an entry that is not historical, unless it is a turn or has no subject. Names are those from
 * before the entry.
 * Return: 0 or a negative errno.
 */
int happenings_entry(struct happenings *happenings, const struct bcoslog_account *account, const struct bcos_entry *entry);
/* A turn.  Likewise. */
int happenings_interval(struct happenings *happenings, const struct bcoslog_interval *interval);
/* The turns that go on now.  Nothing may be added or trimmed any more.  Likewise. */
int happenings_open(struct happenings *happenings, const struct bcoslog_account *account);
/* Ends a happening. */
void happenings_close(struct happenings *happenings, const struct bcoslog_interval *interval);
/* Forgets what ended before @time. */
void happenings_trim(struct happenings *happenings, u64 time);
/* Sorts the happenings by their beginnings. */
void happenings_sort(struct happenings *happenings);
void happenings_free(struct happenings *happenings);

#endif
