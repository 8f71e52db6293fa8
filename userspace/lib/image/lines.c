// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The lines of the kernel's log that the log writer had not read when the machine ended: see recovery.h. */
#include <stdlib.h>

#include "core/capture/printk.h"
#include "recovery.h"

#define SECOND 1000000000ull

/* The kernel's log has a clock of its own, which strays from the time since boot by less than this part. */
#define STRAYING 2000

/* A line "<level>[seconds.microseconds] text", or "<level>text" where the kernel prints no times (printk.time=0). */
struct line {
	u64 level;
	u64 local;			/* by the clock of the kernel's log, ns */
	bool timed;			/* @local is known */
	const char *text;
	size_t length;
};

static bool take_number(const char **at, const char *end, u64 *number)
{
	const char *first = *at;

	for (*number = 0; *at < end && **at >= '0' && **at <= '9' && *number < 1ull << 40; ++*at)
		*number = *number * 10 + (u64)(**at - '0');
	return *at > first;
}

static bool take_byte(const char **at, const char *end, char byte)
{
	if (*at == end || **at != byte)
		return false;
	++*at;
	return true;
}

/* Take the time of a line, and the blank after it.  Return: whether it has one; if not, @at stays. */
static bool take_time(const char **from, const char *end, u64 *local)
{
	const char *at = *from;
	u64 seconds, rest;

	if (!take_byte(&at, end, '['))
		return false;
	while (take_byte(&at, end, ' '))
		;
	if (!take_number(&at, end, &seconds) || !take_byte(&at, end, '.') || !take_number(&at, end, &rest) ||
	    rest >= 1000000 || seconds > 1ull << 30)
		return false;
	/* A kernel may say which thread or CPU printed the line: "[    1.000000][   T1]". */
	while (at < end && *at != ']')
		at++;
	if (!take_byte(&at, end, ']'))
		return false;
	take_byte(&at, end, ' ');
	*local = seconds * SECOND + rest * 1000;
	*from = at;
	return true;
}

static bool parse_line(struct line *line, const char *at, const char *end)
{
	if (!take_byte(&at, end, '<') || !take_number(&at, end, &line->level) || !take_byte(&at, end, '>'))
		return false;
	line->local = 0;
	line->timed = take_time(&at, end, &line->local);
	line->text = at;
	line->length = (size_t)(end - at);
	return true;
}

/* Note that lines are missing; @known is their number, or 0 if nothing tells it. */
static void lose_lines(struct recovery *recovery, u64 known)
{
	recovery->stage[recovery->image.header->cpus].unread++;
	recovery->result->unread++;
	recovery->lines_lost += known;
}

/*
 * Stage a line at the time that it has by the clocks at the seal, but not before @after; one without a time was printed
 * at any moment from there to the seal.  Return: its time.
 */
static u64 stage_line(struct recovery *recovery, const struct line *line, u64 after)
{
	const struct bcos_image_seal *seal = recovery->image.seal;
	struct recovery_stage *own = &recovery->stage[recovery->image.header->cpus];
	u64 ago = seal->local > line->local ? seal->local - line->local : 0;
	u64 stray = ago / STRAYING + 1000, time = seal->time > ago + stray ? seal->time - ago - stray : 0;
	struct bcos_raw raw = {
		.kind = BCOS_RAW_KMSG,
		.aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_PROCESS, bcos_printk_severity(line->level)),
	};
	struct bcos_raw_event event = { 0 };

	if (!line->timed) {
		time = after;
		stray = seal->time > after ? (seal->time - after) / 2 + 1 : 0;
	}
	if (time < after)
		time = after;
	event.precision = 2 * stray < 0xFFFFFFFFu ? (u32)(2 * stray) : 0xFFFFFFFFu;
	if (bcos_stage_append(&own->stage, time, &raw, &event, line->text, line->length))
		own->last = time;
	else
		lose_lines(recovery, 1);
	return time;
}

/* Copy the records of the stage of the kernel's log, which has room for @units more.  Return: 0 or -ENOMEM. */
static int copy_stage(struct recovery *recovery, u64 units)
{
	struct bcos_stage *stage = &recovery->stage[recovery->image.header->cpus].stage, old = *stage;
	u64 size = 256, at;

	while (size < 2 * (old.head - old.tail + units))
		size *= 2;
	recovery->lines = calloc(size, sizeof(*recovery->lines));
	if (!recovery->lines)
		return -ENOMEM;
	bcos_stage_init(stage, recovery->lines, size);
	stage->tail = old.tail;
	stage->head = old.tail;
	stage->lost = old.lost;
	stage->nested = old.nested;
	stage->nmi = old.nmi;
	for (at = old.tail; at < old.head; at++)
		stage->ring[stage->head++ & stage->mask] = old.ring[at & old.mask];
	stage->soft = stage->head;
	return 0;
}

int recovery_stage_lines(struct recovery *recovery)
{
	const struct bcos_image *image = &recovery->image;
	const char *at, *end, *next;
	struct line line;
	u64 after, count = 0;
	int r;

	/* A panic always leaves lines, or the word that there are none. Without the seal they have no time. */
	if (!image->kmsg || !image->seal) {
		if (image->kmsg ? image->kmsg->length : image->header->state == BCOS_IMAGE_SEALED)
			lose_lines(recovery, 0);
		return 0;
	}
	at = image->kmsg->text;
	end = at + image->kmsg->length;
	for (next = at; next < end; next++)
		count += *next == '\n';
	r = copy_stage(recovery, image->kmsg->length / sizeof(struct bcos_unit) + 4 * (count + 2));
	after = image->pass->horizon;
	if (recovery->stage[image->header->cpus].last > after &&
	    !(recovery->stage[image->header->cpus].last & BCOS_RAW_TICKS))
		after = recovery->stage[image->header->cpus].last;
	for (; at < end && !r; at = next + 1) {
		next = memchr(at, '\n', (size_t)(end - at));
		if (!next)
			next = end;
		if (parse_line(&line, at, next))
			after = stage_line(recovery, &line, after);
		else if (next > at)
			lose_lines(recovery, 1);
	}
	return r;
}
