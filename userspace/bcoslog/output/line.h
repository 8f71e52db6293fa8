/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An entry as a line of text. */
#ifndef BCOSLOG_LINE_H
#define BCOSLOG_LINE_H

#include "bcoslog.h"
#include "entry/who.h"
#include "times.h"

/* The texts by which lines show processes: a cache. */
#define SHOWN 4096
#define SHOWN_TEXT 48

/**
 * struct lines - what entries of a log are shown by
 * @clock: how times are shown
 * @state: the state of the log before the next entry
 * @host: name of the machine, which each JSON object gets; NULL: they get none
 * @machine: likewise its ID
 * @colour: lines have colours
 * @generation: the texts of this generation are valid
 * @shown: the texts, each at the ID of its process, modulo SHOWN
 */
struct lines {
	struct clock *clock;
	struct bcoslog_state *state;
	const char *host, *machine;
	bool colour;
	u64 generation;
	struct shown {
		u64 generation;
		u32 id;
		u32 length;
		char text[SHOWN_TEXT];
	} shown[SHOWN];
};

/* Return: the lines of a log, with an empty state, or NULL after a complaint. */
struct lines *lines_new(struct clock *clock);
void lines_free(struct lines *lines);

/* Prints an entry as a line of text; @lines->state is from before the entry. */
void line_entry(struct lines *lines, const struct bcos_entry *entry);
/* Applies the entry to @lines->state.  Return: as bcoslog_state_apply(). */
int line_apply(struct lines *lines, const struct bcos_entry *entry);
/* Forgets all names, where the log goes on after damage. */
void line_forget(struct lines *lines);
/* Prints the subject of an entry, as `process 12 "name"`. */
void line_subject(struct lines *lines, u16 type, u32 id);
/* Return: the text of an entry, of which @length becomes the length; if it has digits alone, their words, in @words. */
const char *line_text(const struct bcos_entry *entry, char words[BCOSLOG_THREAD_WORDS], size_t *length);
/* Prints by how much the clock was set, if the entry states it after that. */
void line_clock(struct lines *lines, const struct bcos_entry *entry);
/* Prints the name of the thread that the entry is about, if the log gives it one beside that of its process. */
void line_named(struct lines *lines, const struct bcos_entry *entry);
/* Prints the name of the waker, if the entry is a wake-up. */
void line_waker(struct lines *lines, const struct bcos_entry *entry);

#endif
