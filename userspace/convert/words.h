/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Texts for people. Entries about threads have digits for a text, which only the tool reads, while an export is read by
 * programs of others, which show the text as it is. No import reads such a text back: it has the log, or other events.
 */
#ifndef CONVERT_WORDS_H
#define CONVERT_WORDS_H

#include "entry/who.h"
#include "core/format/entry.h"

/* Room for an entry with words, its padding, and the zeros that follow an entry. */
struct worded {
	u32 bytes[(BCOS_GENERIC_TEXT + BCOSLOG_THREAD_WORDS + 16) / sizeof(u32)];
};

/**
 * entry_in_words() - get an entry whose text people can read
 * @worded: room for it
 * @entry: an entry of any type
 *
 * Context: any; the result is valid as long as both arguments are.
 * Return: @entry, or the same entry with words for its text, which is no text of its event any more: whoever reads what the
 *	entry says about a thread reads @entry.
 */
const struct bcos_entry *entry_in_words(struct worded *worded, const struct bcos_entry *entry);

#endif
