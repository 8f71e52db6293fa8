// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes statements: see statement.h. */
#include "core/format/statement_text.h"
#include "emit.h"
#include "statement.h"

static const struct {
	u32 id;
	size_t at, size;
} texts[] = {
#define TEXT(id, member)                                                 \
	{                                                                \
		id, offsetof(struct bcos_statements, member),            \
			sizeof(((struct bcos_statements *)NULL)->member) \
	}
	TEXT(BCOS_EVENT_BOOT, boot),
	TEXT(BCOS_EVENT_HOST, host),
	TEXT(BCOS_EVENT_KERNEL, kernel),
	TEXT(BCOS_EVENT_VERSION, version),
};

_Static_assert(sizeof(texts) / sizeof(texts[0]) == BCOS_STATEMENT_TEXTS, "the count of the header");

#define TEXT_MAX 160

static bool differs_from_default(const struct bcos_log *log)
{
	return log->mask != BCOS_CLASS_DEFAULT;
}

size_t bcos_statement_offset(u32 which, size_t *size)
{
	*size = texts[which].size;
	return texts[which].at;
}

/*
 * Writes the text of statement number @which to @words. Returns its length, or 0 if there is
 * nothing to state.
 */
static size_t words_of(const struct bcos_statements *statements, u32 which, char *words)
{
	const char *text = (const char *)statements + texts[which].at;
	size_t length = strnlen(text, texts[which].size);

	return length ? bcos_fact_format(words, TEXT_MAX, texts[which].id, text, length) : 0;
}

/*
 * Writes the text for the latest possible wall clock time at the log's time. Returns false if that
 * is unknown or before 1970.
 */
static bool clock_words(const struct bcos_log *log, char *words, size_t size, size_t *length)
{
	const struct bcos_statements *stated = &log->statements;
	u64 time = log->time + stated->offset + stated->error;

	if (!stated->clock || time >> 63)
		return false;
	*length = (size_t)bcos_clock_format(words, size, time);
	return true;
}

static void put_statement(struct bcos_log *log, u16 type, u32 source, u32 id, u32 precision,
			  const char *text, size_t length)
{
	u32 bytes = (u32)bcos_entry_size(BCOS_GENERIC_TEXT, length);
	struct bcos_generic *entry = bcos_emit_open(log, bytes, type, source, log->time, precision);

	entry->event_id = id;
	entry->severity = BCOS_SEVERITY_INFO;
	memcpy(entry->text, text, length);
	bcos_emit_close(log, bytes);
}

static void put_mask(struct bcos_log *log)
{
	u32 cpu = bcos_log_spokesman(log);
	char text[BCOS_MASK_TEXT];
	int length;

	if (!differs_from_default(log) || cpu == log->model.cpu_limit)
		return;
	length = bcos_mask_format(text, sizeof(text), BCOS_CLASS_DEFAULT, log->mask);
	put_statement(log, BCOS_GENERIC_CPU, cpu, BCOS_EVENT_MASK, log->time_precision, text,
		      (size_t)length);
}

void bcos_statement_put_clock(struct bcos_log *log)
{
	char text[BCOS_CLOCK_TEXT];
	size_t length;

	if (clock_words(log, text, sizeof(text), &length))
		put_statement(log, BCOS_GENERIC_PROCESS, BCOS_PROCESS_KERNEL, BCOS_EVENT_CLOCK,
			      log->statements.error, text, length);
}

void bcos_statement_put_text(struct bcos_log *log, u32 which, u32 precision)
{
	char words[TEXT_MAX];
	size_t length = words_of(&log->statements, which, words);

	if (length)
		put_statement(log, BCOS_GENERIC_PROCESS, BCOS_PROCESS_KERNEL, texts[which].id,
			      precision, words, length);
}

void bcos_statements_write(struct bcos_log *log)
{
	u32 which;

	put_mask(log);
	bcos_statement_put_clock(log);
	for (which = 0; which < BCOS_STATEMENT_TEXTS; which++)
		bcos_statement_put_text(log, which, log->time_precision);
}

u64 bcos_statements_bytes(const struct bcos_log *log)
{
	char text[BCOS_MASK_TEXT], words[TEXT_MAX];
	size_t length;
	u64 bytes = 0;
	u32 which;

	if (differs_from_default(log))
		bytes += bcos_entry_size(BCOS_GENERIC_TEXT,
					 (size_t)bcos_mask_format(text, sizeof(text),
								  BCOS_CLASS_DEFAULT, log->mask));
	if (clock_words(log, text, sizeof(text), &length))
		bytes += bcos_entry_size(BCOS_GENERIC_TEXT, length);
	for (which = 0; which < BCOS_STATEMENT_TEXTS; which++) {
		length = words_of(&log->statements, which, words);
		if (length)
			bytes += bcos_entry_size(BCOS_GENERIC_TEXT, length);
	}
	return bytes;
}
