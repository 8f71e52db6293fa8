/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The text of a loss, BCOS_EVENT_LOSS: what was lost, how many, why, and from when until when. The
 * writers of all engines and importers use this formatter, and all readers use the parser beside
 * it, so that none of them guesses.
 *
 *	lost 3 assignments, 1 interrupts: staging full, until 5.000000000 s
 *	lost 5 packets: of other network namespaces, since 4.000000000 s, until 5.000000000 s
 *
 * The time of the entry is that of the first lost record, unless the loss is stated later: the
 * times of a log do not go back, so the text then says since when. The precision of the entry
 * reaches to the last lost record; it ends at 4.29 s, and the text does not. In the logs of
 * earlier versions a text that says since when does not say until when: the loss ends with the
 * entry.
 */
#ifndef BCOS_CORE_LOSS_TEXT_H
#define BCOS_CORE_LOSS_TEXT_H

#include "core/host/host.h"

/* Kinds of what is lost, as bits. The library's users know them as BCOSLOG_LOST_*. */
enum bcos_loss_kind {
	BCOS_LOSS_OF_LIVES = 1 << 0,		/* births, execs and deaths of processes */
	BCOS_LOSS_OF_ASSIGNMENTS = 1 << 1,
	BCOS_LOSS_OF_INTERRUPTS = 1 << 2,
	BCOS_LOSS_OF_TRANSFERS = 1 << 3,
	BCOS_LOSS_OF_EVENTS = 1 << 4,		/* generic events */
	BCOS_LOSS_OF_CALLS = 1 << 5,
	BCOS_LOSS_OF_DEVICES = 1 << 6,		/* names and ends of devices */
	BCOS_LOSS_OF_STATES = 1 << 7,		/* states of threads, which are generic events */
	BCOS_LOSS_OF_REQUESTS = 1 << 8,		/* of disks, which are generic events */
	BCOS_LOSS_OF_ALL = (1 << 9) - 1,
};

/**
 * struct bcos_loss_stated - a loss, as an entry states it
 * @begin: the earliest time of a lost record, ns since boot
 * @end: the latest time of one, ns since boot; at least @begin, and maybe before the entry's time
 * @count: number of lost records, as far as the text counts them; 0: the text tells none
 * @kinds: what was lost; BCOS_LOSS_OF_ALL if the text does not say
 * @late: the loss began before the time of the entry, which states it later
 * @open: @end is the least possible; the loss may last up to the next group
 * @what: "3 assignments, 1 interrupts", in the text that was parsed
 * @reason: "staging full", in the text that was parsed
 * @what_length: length of @what in bytes
 * @reason_length: length of @reason in bytes; 0: the text gives none
 */
struct bcos_loss_stated {
	u64 begin, end;
	u64 count;
	u32 kinds;
	bool late, open;
	const char *what, *reason;
	size_t what_length, reason_length;
};

/* The bytes that the end of a text needs at most, as bcos_loss_text_end() writes it. */
#define BCOS_LOSS_TEXT_END 80

/*
 * Appends "@count @what" at offset @at of @text, which has @size bytes; at offset 0 the text begins
 * with "lost". A count of 0 is left out. @what has no digits, comma or colon. Returns the new
 * offset.
 */
int bcos_loss_text_count(char *text, int at, int size, u64 count, const char *what);
/*
 * Appends the reason, unless it is NULL, and the times. @stated: the time of the entry; @begin and
 * @end: the earliest and the latest time of a lost record, all in ns since boot. Returns the
 * length of the text.
 */
int bcos_loss_text_end(char *text, int at, int size, const char *reason, u64 stated, u64 begin,
		       u64 end);

/*
 * Parses the text of a loss, which may be any bytes. @time and @precision are those of the entry. A
 * time in the text that contradicts them does not count.
 */
void bcos_loss_text_parse(struct bcos_loss_stated *loss, const char *text, size_t length, u64 time,
			  u32 precision);
/* Returns the sum of the counts in the text of a loss, or 0 if the text is not that of a loss. */
u64 bcos_loss_text_counted(const char *text, size_t length);

#endif
