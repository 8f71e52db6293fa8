// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * assemble FILE.log: writes the bytes of a log that is written as text to standard output. This program follows the
 * tables of the specification, and shares no code with what reads logs. Each line is an entry:
 *
 *	TIME PRECISION TYPE SOURCE FIELD...
 *
 * TYPE is a word of the table below or a number. A FIELD is a number of 32 bits, "h:" and one of 16, "b:" and one of 8,
 * or a string in quotes, with \xNN for any byte. Zeros follow up to a multiple of 4. In the place of a field, "size:N"
 * claims another size, "zeros:N" adds N zeros, "unpadded" leaves the padding out. A line "raw FIELD..." is bytes that
 * are no entry, without padding. "times:N LINE" stands for N such lines. Numbers are as in C; # begins a comment.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *word;
	unsigned int type;
} types[] = {
	{ "process", 0x0000 },		/* name */
	{ "end", 0x0001 },		/* termination status */
	{ "process-event", 0x0010 },	/* event ID, severity (b:), text */
	{ "calls", 0x0011 },		/* function numbers */
	{ "core", 0x2000 },		/* idle power, difference (h: each), performance of n busy CPUs */
	{ "core-off", 0x2001 },
	{ "core-event", 0x2010 },
	{ "cpu", 0x4000 },		/* core */
	{ "cpu-off", 0x4001 },
	{ "assign", 0x4002 },		/* process */
	{ "cpu-event", 0x4010 },
	{ "device", 0x6000 },		/* driver process, name */
	{ "device-end", 0x6001 },	/* termination status */
	{ "input", 0x6002 },		/* bytes */
	{ "output", 0x6003 },
	{ "device-event", 0x6010 },
	{ "irq", 0x6011 },		/* number within the device */
	{ "h-process", 0x8000 },
	{ "h-core", 0xA000 },
	{ "h-cpu", 0xC000 },
	{ "h-assign", 0xC002 },
	{ "h-device", 0xE000 },
};

static const char *path;
static int line_number;
static unsigned char bytes[1 << 17];
static size_t length;

static __attribute__((noreturn)) void fail_line(const char *what, const char *where)
{
	fprintf(stderr, "%s:%d: %s: %s\n", path, line_number, what, where);
	exit(1);
}

static void put_number(uint64_t value, int size)
{
	for (; size--; value >>= 8)
		bytes[length++] = (unsigned char)value;
}

static const char *skip_blanks(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return *at == '#' ? at + strlen(at) : at;
}

static uint64_t read_number(const char **at)
{
	char *end;
	uint64_t value = strtoull(*at, &end, 0);

	if (end == *at || (*end && !isspace((unsigned char)*end)))
		fail_line("no number", *at);
	*at = skip_blanks(end);
	return value;
}

static void put_string(const char **at)
{
	const char *from = *at + 1;
	unsigned int byte;

	for (; *from != '"'; from++) {
		if (!*from)
			fail_line("a string without an end", *at);
		if (from[0] != '\\') {
			put_number((unsigned char)*from, 1);
		} else if (from[1] == 'x' && sscanf(from + 2, "%2x", &byte) == 1) {
			put_number(byte, 1);
			from += 3;
		} else {
			fail_line("not \\xNN", from);
		}
	}
	*at = skip_blanks(from + 1);
}

static int begins_with(const char **at, const char *word)
{
	if (strncmp(*at, word, strlen(word)))
		return 0;
	*at += strlen(word);
	return 1;
}

/* Puts the fields of a line.  Return: the size that the line claims, or -1. */
static long put_fields(const char *at, int padded)
{
	long size = -1;
	size_t zeros;

	while (*at) {
		if (*at == '"') {
			put_string(&at);
		} else if (begins_with(&at, "h:")) {
			put_number(read_number(&at), 2);
		} else if (begins_with(&at, "b:")) {
			put_number(read_number(&at), 1);
		} else if (begins_with(&at, "size:")) {
			size = (long)read_number(&at);
		} else if (begins_with(&at, "zeros:")) {
			for (zeros = read_number(&at); zeros; zeros--)
				put_number(0, 1);
		} else if (begins_with(&at, "unpadded")) {
			at = skip_blanks(at);
			padded = 0;
		} else {
			put_number(read_number(&at), 4);
		}
	}
	while (padded && length % 4)
		put_number(0, 1);
	return size;
}

static unsigned int type_of(const char **at)
{
	size_t i, size = strcspn(*at, " \t\n");

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strlen(types[i].word) == size && !memcmp(types[i].word, *at, size)) {
			*at = skip_blanks(*at + size);
			return types[i].type;
		}
	return (unsigned int)read_number(at);
}

/* Puts an entry with the header of table 4-1. */
static void put_entry(const char *at)
{
	uint64_t time = read_number(&at), precision = read_number(&at);
	unsigned int type = type_of(&at);
	uint64_t source = read_number(&at);
	long size;

	put_number(0, 2);
	put_number(type, 2);
	put_number(source, 4);
	put_number(time, 8);
	put_number(precision, 4);
	size = put_fields(at, 1);
	if (size < 0)
		size = (long)length;
	bytes[0] = (unsigned char)size;
	bytes[1] = (unsigned char)(size >> 8);
}

int main(int argc, char **argv)
{
	char line[4096];
	const char *at;
	uint64_t times;
	FILE *file;

	path = argc == 2 ? argv[1] : "";
	file = fopen(path, "r");
	if (!file)
		fail_line("cannot be read", path);
	while (fgets(line, sizeof(line), file)) {
		line_number++;
		at = skip_blanks(line);
		times = begins_with(&at, "times:") ? read_number(&at) : 1;
		if (!*at)
			continue;
		length = 0;
		if (begins_with(&at, "raw "))
			put_fields(skip_blanks(at), 0);
		else
			put_entry(at);
		for (; times; times--)
			fwrite(bytes, 1, length, stdout);
	}
	return fflush(stdout) || ferror(stdout) || ferror(file) ? 1 : 0;
}
