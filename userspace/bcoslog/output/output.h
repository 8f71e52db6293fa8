/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Standard output: one buffer, numbers and text formatted into it. */
#ifndef BCOSLOG_OUTPUT_H
#define BCOSLOG_OUTPUT_H

#include "decimal.h"

#define OUTPUT_SIZE (64u << 10)
/* Room that is certain after output_room(): for all of a line but its strings and lists. */
#define OUTPUT_ROOM 1024u

struct output {
	size_t used;
	void (*begin)(void);	/* called before the first byte is written, or NULL */
	int error;		/* errno of the write that failed; nothing is written after */
	/* Tells how much of a part that could be written is whole, and may stay in a file; NULL: all. */
	size_t (*whole)(const char *bytes, size_t size);
	/* Writes what is written in another form, by @put; or NULL: as it is. */
	void (*encode)(const char *bytes, size_t size, void (*put)(const void *bytes, size_t size));
	char buffer[OUTPUT_SIZE];
};

extern struct output output;

/* Write what is buffered.  Return: 0 or -errno. */
int output_flush(void);
/* Any number of bytes. */
void output_bytes(const void *bytes, size_t size);
/* printf, for what is not written often; cut at 4096 bytes. */
void output_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The put_ functions take at most OUTPUT_ROOM bytes between two of these. */
static inline void output_room(void)
{
	if (output.used > OUTPUT_SIZE - OUTPUT_ROOM)
		output_flush();
}

static inline void put_char(char c)
{
	output.buffer[output.used++] = c;
}

static inline void put_bytes(const char *bytes, size_t size)
{
	memcpy(output.buffer + output.used, bytes, size);
	output.used += size;
}

/* A string known when compiling. */
#define put_literal(string) put_bytes(string, sizeof(string) - 1)
#define put_string(string) put_bytes(string, strlen(string))

/* Decimal. */
static inline void put_number(u64 number)
{
	output.used = (size_t)(decimal(output.buffer + output.used, number) - output.buffer);
}

/* 0x and so many digits. */
void put_hex(u32 number, int count);
/* @size bytes of a string, and spaces up to @width. */
void put_left(const char *bytes, size_t size, size_t width);
/* Seconds since boot, right-aligned in seven, a point, nine digits. */
void put_time(u64 time);

/* Does put_text() leave it as it is, whatever the quote, unless it is the quote itself. */
static inline bool is_plain(u8 c)
{
	return c >= 0x20 && c < 0x7F && c != '\\';
}

/* The longest escape that escape_character() makes, in characters. */
#define ESCAPE_MAX 6

/**
 * escape_character() - escape the character at @text, if a terminal or a line is not safe from it
 * @text: UTF-8
 * @length: bytes of @text, at least 1
 * @escape: out: the escape, ESCAPE_MAX bytes at most, without a zero after it
 * @escaped: out: characters of @escape
 *
 * Return: the bytes of the character, or 0 if it needs no escape.
 */
size_t escape_character(const char *text, size_t length, char *escape, size_t *escaped);

/*
 * UTF-8 of any length, on one line and harmless to a terminal: control
 * characters, and those that turn the direction of writing, are escaped, as
 * is \, and @quote unless it is 0.  Leaves OUTPUT_ROOM.
 */
void put_text(const char *text, size_t length, char quote);

/* Puts it in quotes. */
static inline void put_quoted(const char *text, size_t length)
{
	put_char('"');
	put_text(text, length, '"');
	put_char('"');
}

#endif
