/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Standard output through one buffer, into which numbers and texts are formatted. */
#ifndef BCOSLOG_OUTPUT_H
#define BCOSLOG_OUTPUT_H

#include "entry/text.h"

#define OUTPUT_SIZE (64u << 10)
/* The bytes that are free after output_room(): enough for a line without its strings and lists. */
#define OUTPUT_ROOM 1024u

struct output {
	size_t used;
	void (*begin)(void);	/* called before the first byte is written, or NULL */
	int error;		/* errno of the write that failed; nothing is written after it */
	/* Return: how many of the bytes that a failed write left in a file may stay there; NULL: all. */
	size_t (*whole)(const char *bytes, size_t size);
	/* Return: whether the program is to end, and waits for a reader who does not read no longer than a second; or NULL. */
	int (*ends)(void);
	/* Converts the bytes to another form and writes that by @put; NULL: they are written as they are. */
	void (*encode)(const char *bytes, size_t size, void (*put)(const void *bytes, size_t size));
	char buffer[OUTPUT_SIZE];
};

extern struct output output;

/* Writes the buffered bytes.  Return: 0, or the negative errno of the write that failed. */
int output_flush(void);
/* Flushes standard output, and complains if that fails.  Return: the exit status. */
int print_end(void);
/* Refuses an output file, or NULL for standard output, that would replace the input.  Return: 0, or -1 after a complaint. */
int output_check(const char *input, const char *name);
/* Outputs any number of bytes. */
void output_bytes(const void *bytes, size_t size);
/* Outputs a text like printf(), up to 4095 bytes. This is slow, and serves for output that is rare. */
void output_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Outputs a text that may quote the name of a file or what a system says, as complain() does: see escape_sentence(). */
void output_sentence(const char *text);

/* Makes room for OUTPUT_ROOM bytes, which the put_ functions below may take before the next call. */
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

/* Puts a string literal, whose length the compiler knows. */
#define put_literal(string) put_bytes(string, sizeof(string) - 1)
#define put_string(string) put_bytes(string, strlen(string))

/* Puts a number in decimal. */
static inline void put_number(u64 number)
{
	output.used = (size_t)(decimal_put(output.buffer + output.used, number) - output.buffer);
}

/* Puts "0x" and @count hexadecimal digits. */
void put_hex(u32 number, int count);
/* Puts @size bytes of a string, and then spaces up to the width @width. */
void put_left(const char *bytes, size_t size, size_t width);
/* Puts a time in seconds since boot: right-aligned in seven columns, a point, and nine digits. */
void put_time(u64 time);

/*
 * Puts UTF-8 of any length on one line, harmless to a terminal: control characters, characters that change the
 * direction of writing, the backslash, and @quote unless it is 0, are escaped. OUTPUT_ROOM bytes are free afterwards.
 */
void put_text(const char *text, size_t length, char quote);

/* Puts a text in double quotes. */
static inline void put_quoted(const char *text, size_t length)
{
	put_char('"');
	put_text(text, length, '"');
	put_char('"');
}

#endif
