/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Builds a record of the Fuchsia trace format, word by word. */
#ifndef CONVERT_FXT_RECORD_H
#define CONVERT_FXT_RECORD_H

#include "fxt.h"

/* Bytes of a record. The longest text in a record has FXT_STRING_MAX bytes. */
#define RECORD_BYTES (FXT_WORDS_MAX * 8)

/**
 * struct record - a record that is being built
 * @words: its words, beginning with the header
 * @count: how many words it has so far
 * @arguments: how many arguments it has so far
 */
struct record {
	u64 words[FXT_WORDS_MAX];
	unsigned int count;
	unsigned int arguments;
};

static inline void record_word(struct record *record, u64 word)
{
	record->words[record->count++] = word;
}

/* Appends bytes, padded with zeros to a whole word. */
static inline void record_stream(struct record *record, const char *bytes, size_t length)
{
	if (!length)
		return;
	record->words[record->count + (length - 1) / 8] = 0;
	memcpy(record->words + record->count, bytes, length);
	record->count += (unsigned int)((length + 7) / 8);
}

/* Returns the reference to a string of @length bytes that follows inline. */
static inline u64 record_inline(size_t length)
{
	return length ? 0x8000 | length : 0;
}

static inline void record_u32(struct record *record, enum fxt_word name, u32 value)
{
	record_word(record, FXT_UINT32 | 1 << 4 | (u64)name << 16 | (u64)value << 32);
	record->arguments++;
}

/* Appends a number as an argument, in 32 bits if that is enough. */
static inline void record_u64(struct record *record, enum fxt_word name, u64 value)
{
	if (value <= 0xFFFFFFFFu) {
		record_u32(record, name, (u32)value);
		return;
	}
	record_word(record, FXT_UINT64 | 2 << 4 | (u64)name << 16);
	record_word(record, value);
	record->arguments++;
}

static inline void record_koid(struct record *record, enum fxt_word name, u64 koid)
{
	record_word(record, FXT_KOID | 2 << 4 | (u64)name << 16);
	record_word(record, koid);
	record->arguments++;
}

static inline void record_text(struct record *record, enum fxt_word name, const char *text, size_t length)
{
	u64 words = 1 + (length + 7) / 8;

	record_word(record, FXT_TEXT | words << 4 | (u64)name << 16 | record_inline(length) << 32);
	record_stream(record, text, length);
	record->arguments++;
}

/* Completes the header with type, size and count of arguments, which begins at bit @count_at, and writes the record. */
static inline void record_write(struct record *record, struct outfile *file, enum fxt_record type,
				unsigned int count_at)
{
	record->words[0] |= (u64)type | (u64)record->count << 4 | (u64)record->arguments << count_at;
	outfile_bytes(file, record->words, (size_t)record->count * 8);
}

#endif
