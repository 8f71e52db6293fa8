// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Texts for people: see words.h. */
#include "words.h"

const struct bcos_entry *entry_in_words(struct worded *worded, const struct bcos_entry *entry)
{
	struct bcos_entry *told = (struct bcos_entry *)worded->bytes;
	char words[BCOSLOG_THREAD_WORDS];
	size_t length;

	if (entry->type != BCOS_GENERIC_PROCESS)
		return entry;
	length = bcoslog_thread_words(words, entry, NULL);
	if (!length)
		return entry;
	memset(worded, 0, sizeof(*worded));
	memcpy(told, entry, BCOS_GENERIC_TEXT);
	memcpy((char *)told + BCOS_GENERIC_TEXT, words, length);
	told->size = (u16)((BCOS_GENERIC_TEXT + length + 3) & ~(size_t)3);
	return told;
}
