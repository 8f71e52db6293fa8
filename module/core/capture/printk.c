// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Parses a line of the kernel log: see printk.h. */
#include "printk.h"

/*
 * Severities from emerg to debug: a more urgent level is higher, and a warning is no error (5.3.2).
 */
static const u8 levels[8] = { 0xF0, 0xE0, 0xC0, 0xA0, 0x7F, 0x60, 0x40, 0x20 };

u8 bcos_printk_severity(u64 priority)
{
	return levels[priority % 8];
}

/* Reads digits from *@at on and moves *@at past them. Returns false if there are none. */
static bool parse_number(const char *line, size_t length, size_t *at, u64 *value)
{
	size_t first = *at;

	*value = 0;
	for (; *at < length && line[*at] >= '0' && line[*at] <= '9'; ++*at)
		*value = *value * 10 + (u64)(line[*at] - '0');
	return *at > first;
}

/* Parses a level such as "<30>". Returns the bytes read, or 0 if there is no level. */
static size_t parse_level(const char *line, size_t length, u8 *severity)
{
	size_t at = 1;
	u64 value;

	if (!length || line[0] != '<' || !parse_number(line, length, &at, &value) || at == length ||
	    line[at] != '>')
		return 0;
	*severity = bcos_printk_severity(value);
	return at + 1;
}

/*
 * Parses a time such as "[ 12.345678]", and skips an optional "[ T123]" after it. Returns the bytes
 * read, or 0 if there is no time.
 */
static size_t parse_time(const char *line, size_t length, u64 *ns)
{
	u64 seconds, micros;
	size_t at = 1, dot;

	if (!length || line[0] != '[')
		return 0;
	while (at < length && line[at] == ' ')
		at++;
	if (!parse_number(line, length, &at, &seconds) || at == length || line[at] != '.')
		return 0;
	dot = at++;
	if (!parse_number(line, length, &at, &micros) || at != dot + 7 || at == length ||
	    line[at] != ']')
		return 0;
	*ns = seconds * 1000000000u + micros * 1000;
	at++;
	if (at < length && line[at] == '[') {
		while (at < length && line[at] != ']')
			at++;
		at += at < length;
	}
	return at + (at < length && line[at] == ' ');
}

void bcos_printk_parse(const char *line, size_t length, struct bcos_printk *printk)
{
	size_t at;

	printk->severity = BCOS_SEVERITY_INFO;
	printk->time = 0;
	at = parse_level(line, length, &printk->severity);
	line += at;
	length -= at;
	at = parse_time(line, length, &printk->time);
	printk->timed = at;
	printk->text = line + at;
	printk->length = length - at;
}
