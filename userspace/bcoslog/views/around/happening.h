/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Collects happenings in the order in which they end: turns, interrupts, transfers, events, births and deaths. */
#ifndef BCOSLOG_VIEWS_HAPPENING_H
#define BCOSLOG_VIEWS_HAPPENING_H

#include "views/track/recent.h"

enum happening_kind {
	HAPPENS_TURN,			/* a CPU has one use from @begin to @end */
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

/* The end of a turn that has not ended. */
#define HAPPENING_OPEN 0xFFFFFFFFFFFFFFFFull

/**
 * struct happening - a turn on a CPU, or something that happens at one time
 * @begin: begin of a turn, or the time of another happening; ns since boot
 * @end: end of a turn or HAPPENING_OPEN, or @begin of another happening
 * @precision: precision of @begin, ns; 1 for a turn that began before the log's first entry
 * @order: number of the happening, in the order in which they were added
 * @kind: kind of the happening
 * @subject: kind of its subject, as BCOS_SUBJECT_*; the subject of a turn is the CPU
 * @severity: severity of an event
 * @id: ID of its subject
 * @number: bytes, number of an interrupt, event ID or termination status
 * @use: use of the CPU in a turn; otherwise only its name is used, as the name of the process or device
 * @text: text of an event, a former name, or names of functions; NULL: none
 * @length: length of @text
 */
struct happening {
	u64 begin, end;
	u32 precision;
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

/* The greatest number of happenings that are kept. Adding more fails with -E2BIG. */
#define HAPPENINGS_MAX (1u << 20)

/* The happenings that are kept. */
struct happenings {
	struct happening *of;
	size_t first, count, room;	/* @count happenings are kept, from index @first on */
	u64 order;			/* number of the newest happening */
	struct precision_of *begins;	/* of the present uses of CPUs, in the order in which CPUs got one */
	size_t begin_count;
	size_t open;			/* the happenings from here on were added by happenings_open() */
};

/* Return: the word for the kind of the happening, such as "runs" or "interrupt". */
const char *happening_word(const struct happening *happening);

/*
 * Adds the happening of an entry. Historical entries, statements, assignments and entries of unknown types have none.
 * @account is from before the entry.
 * Return: 0, -ENOMEM or -E2BIG.
 */
int happenings_entry(struct happenings *happenings, const struct bcoslog_account *account,
		     const struct bcos_entry *entry);
/* Adds a turn.  Return: as happenings_entry(). */
int happenings_interval(struct happenings *happenings, const struct bcoslog_interval *interval);
/*
 * Adds the turns that go on now. After this, nothing may be added or trimmed any more.
 * Return: as happenings_entry().
 */
int happenings_open(struct happenings *happenings, const struct bcoslog_account *account);
/* Notes the precision of the time at which the CPU's use may have changed.  Return: 0 or -ENOMEM. */
int happenings_assigned(struct happenings *happenings, const struct bcoslog_account *account,
			const struct bcos_entry *entry);
/* Sets the end of a turn that happenings_open() has added. */
void happenings_close(struct happenings *happenings, const struct bcoslog_interval *interval);
/* Forgets the oldest happenings that ended before @time. */
void happenings_trim(struct happenings *happenings, u64 time);
/* Sorts the happenings by their begins. */
void happenings_sort(struct happenings *happenings);
/* Frees all happenings. */
void happenings_free(struct happenings *happenings);

#endif
