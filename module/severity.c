// SPDX-License-Identifier: GPL-2.0-only
/* How severe a line of the kernel's log is: see severity.h. */
#include <linux/kernel.h>
#include <linux/kmsg_dump.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "severity.h"
#include "uapi/bcos_evlog.h"

/* Lines that are remembered: those of several CPUs come in two orders that differ by a few. */
#define BCOS_LINES 64

/* Bytes of a line that tell it from others. */
#define BCOS_LINE 200

struct bcos_line {
	u8 severity;
	bool taken;		/* or empty */
	u16 length;
	char text[BCOS_LINE];
};

static struct {
	struct kmsg_dump_iter next;
	unsigned int newest;
	struct bcos_line line[BCOS_LINES];
	char buffer[1200];
} bcos_severity;

/* From emerg to debug: within each range of 5.3.2 the more urgent is the higher. */
static const u8 bcos_levels[8] = { 0xF0, 0xE0, 0xC0, 0xA0, 0x80, 0x60, 0x40, 0x20 };

void bcos_severity_begin(void)
{
	unsigned int i;

	for (i = 0; i < BCOS_LINES; i++)
		bcos_severity.line[i].taken = true;
	kmsg_dump_rewind(&bcos_severity.next);
	bcos_severity.next.cur_seq = bcos_severity.next.next_seq;
}

/* "<level>[time] text": of a record with several lines the first one. */
static void bcos_severity_keep(const char *from, size_t length)
{
	struct bcos_line *line = &bcos_severity.line[++bcos_severity.newest % BCOS_LINES];
	unsigned int level = 0;
	size_t at = 1;

	line->taken = true;
	if (length < 3 || from[0] != '<')
		return;
	for (; at < length && from[at] >= '0' && from[at] <= '9'; at++)
		level = level * 10 + from[at] - '0';
	if (at == length || from[at] != '>')
		return;
	from += at + 1;
	length -= at + 1;
	length = strnchr(from, length, '\n') ? strnchr(from, length, '\n') - from : length;
	line->length = min_t(size_t, length, sizeof(line->text));
	memcpy(line->text, from, line->length);
	line->severity = bcos_levels[level % 8];
	line->taken = false;
}

static bool bcos_severity_read(void)
{
	size_t length;

	if (!kmsg_dump_get_line(&bcos_severity.next, true, bcos_severity.buffer,
				sizeof(bcos_severity.buffer), &length))
		return false;
	bcos_severity_keep(bcos_severity.buffer, length);
	return true;
}

/* Is @text in the line?  In front of it is the time, and behind it what continues it. */
static bool bcos_line_has(const struct bcos_line *line, const char *text, size_t length)
{
	size_t at;

	for (at = 0; at + length <= line->length; at++)
		if (!memcmp(line->text + at, text, length))
			return true;
	return false;
}

static struct bcos_line *bcos_severity_find(const char *text, size_t length)
{
	struct bcos_line *line;
	unsigned int i;

	for (i = 1; i <= BCOS_LINES; i++) {
		line = &bcos_severity.line[(bcos_severity.newest + i) % BCOS_LINES];
		if (!line->taken && bcos_line_has(line, text, length))
			return line;
	}
	return NULL;
}

u8 bcos_severity_of(void *context, const char *text, size_t length)
{
	const char *end = strnchr(text, length, '\n');
	struct bcos_line *line;

	/* Room for the time before it, which is in front of what is kept. */
	length = min_t(size_t, end ? end - text : length, BCOS_LINE - 40);
	while (!(line = bcos_severity_find(text, length)))
		if (!bcos_severity_read())
			return BCOS_SEVERITY_INFO;
	line->taken = true;
	return line->severity;
}
