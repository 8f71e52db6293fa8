// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Gives any log to a collector's translator: it reads nothing beyond an entry, a message that does not fit stays where
 * it is, masks hide messages, and each message that is put comes back. Each text is also read as that of a loss.
 *
 * Input: the masks' bytes, room for words, then the log.
 */
#include <stdlib.h>
#include "core/format/entry.h"
#include "core/format/loss_text.h"
#include "core/format/translator.h"
#include "core/format/message.h"
#include "demand.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static u32 give_timer(void *context, u64 time)
{
	return (u32)(time >> 10) ^ *(u32 *)context;
}

/* If the text is a message, its words make exactly the same text again. */
static void check_words(const char *text, size_t length)
{
	u32 words[BCOS_MESSAGE_WORDS_MAX];
	char again[BCOS_MESSAGE_TEXT(BCOS_MESSAGE_WORDS_MAX)];
	int count = bcos_message_parse(words, text, length);

	if (count < 0)
		return;
	demand_that(count >= 1 && bcos_message_format(again, words, (size_t)count) == length &&
		    !memcmp(again, text, length));
}

/* Any text is that of a loss, with times in order; and what is written of these times is read back. */
static void check_loss(const char *text, size_t length, u64 time, u32 precision)
{
	char again[40 + BCOS_LOSS_TEXT_END];
	struct bcos_loss_stated loss, same;
	u64 counted = bcos_loss_text_counted(text, length);
	int at;

	bcos_loss_text_parse(&loss, text, length, time, precision);
	demand_that(loss.begin <= loss.end && loss.late == (loss.begin < time) && loss.begin <= time);
	demand_that(loss.kinds && !(loss.kinds & ~(u32)BCOS_LOSS_OF_ALL) && (loss.late || loss.end >= time));
	demand_that(loss.what >= text && loss.what + loss.what_length <= text + length);
	demand_that(loss.reason >= text && loss.reason + loss.reason_length <= text + length);
	at = bcos_loss_text_count(again, 0, sizeof(again), loss.count, "things");
	at = bcos_loss_text_end(again, at, sizeof(again), NULL, time, loss.begin, loss.end);
	demand_that(at < (int)sizeof(again));
	bcos_loss_text_parse(&same, again, (size_t)at, time, 1);
	demand_that(same.begin == loss.begin && same.late == loss.late && !same.open && same.count == loss.count);
	demand_that(same.end == loss.end || (!loss.late && same.end == time + 1));
	demand_that(counted == loss.count);
}

/* Takes all messages of an entry.  Return: their number. */
static u32 take_messages(struct bcos_translator *translator, u32 room)
{
	u32 id, dropped, words[BCOS_MESSAGE_WORDS_MAX], size, count = 0;
	int r;

	for (;; count++) {
		id = 0;
		size = room;
		r = bcos_translator_get(translator, &id, &dropped, words, &size);
		if (r == -EMSGSIZE) {
			demand_that(!id && size > room && size <= BCOS_MESSAGE_WORDS_MAX);
			r = bcos_translator_get(translator, &id, &dropped, words, &size);
			demand_that(r > 0 && (u32)r == size);
		}
		if (!r)
			return count;
		demand_that(r > 0 && (u32)r == size && id && id <= BCOS_MESSAGE_ID_MAX);
		demand_that(translator->mask >> (id < 32 ? id - 1 : 31) & 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bcos_translator translator;
	const char *text;
	size_t text_length;
	u8 *entry;
	size_t length;
	u32 room, key = 5;

	if (size < 8)
		return 0;
	bcos_translator_init(&translator, data[5]);
	memcpy(&translator.mask, data, 4);
	translator.monitor = data[4];
	room = data[6] % (BCOS_MESSAGE_WORDS_MAX + 1);
	if (data[7] & 1) {
		translator.timer = give_timer;
		translator.context = &key;
	}
	for (data += 8, size -= 8; !bcos_entry_check(data, size); data += length, size -= length) {
		length = (size_t)(data[0] | data[1] << 8);
		/* The entry has memory of its own, so that the sanitizer notices a read beyond its end. */
		entry = malloc(length);
		demand_that(entry);
		memcpy(entry, data, length);
		text = bcos_entry_text((const struct bcos_entry *)entry, &text_length);
		if (text)
			check_words(text, text_length);
		if (text)
			check_loss(text, text_length, ((const struct bcos_entry *)entry)->time,
				   ((const struct bcos_entry *)entry)->precision);
		bcos_translator_put(&translator, (const struct bcos_entry *)entry);
		demand_that(take_messages(&translator, room) <= length / 4);
		free(entry);
	}
	return 0;
}
