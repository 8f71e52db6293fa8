// SPDX-License-Identifier: GPL-2.0-only
/* Reads the kernel's log: see kmsg.h. */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/kmsg_dump.h>
#include <linux/sched/clock.h>
#include <linux/string.h>

#include "capture/clock.h"
#include "core/capture/printk.h"
#include "core/format/loss_text.h"
#include "keep/image.h"
#include "keep/region.h"
#include "memory.h"
#include "kmsg.h"

/*
 * The clock of the kernel's log and that of this log may drift apart by one ns in this many (500
 * ppm).
 */
#define BCOS_KMSG_DRIFT 2000

static struct {
	bool on;
	/*
	 * The number, plus 1, of the first record to read, if the class was turned on and the log
	 * writer has not noticed yet; else 0.
	 */
	atomic64_t begin;
	struct kmsg_dump_iter next;
	struct bcos_stage stage;
	struct bcos_unit *ring;
	u64 staged;		/* records before this one are staged, each line of them */
	u64 missed;		/* records that the kernel overwrote, and that are not stated yet */
	size_t at, length;	/* the part of line that is not staged yet */
	char line[4096];	/* a record, which may have several lines */
} bcos_kmsg;

int bcos_kmsg_up(void)
{
	u64 bytes = BCOS_KMSG_UNITS * sizeof(*bcos_kmsg.ring);

	memset(&bcos_kmsg.stage, 0, sizeof(bcos_kmsg.stage));
	bcos_kmsg.ring = bcos_image_stage_ring(nr_cpu_ids, bytes);
	if (!bcos_kmsg.ring) {
		bcos_kmsg.ring = bcos_memory_alloc(bytes);
		if (!bcos_kmsg.ring)
			return -ENOMEM;
		bcos_image_note_stage_ring(nr_cpu_ids, bcos_kmsg.ring, bytes);
	}
	bcos_stage_init(&bcos_kmsg.stage, bcos_kmsg.ring, BCOS_KMSG_UNITS);
	return 0;
}

void bcos_kmsg_down(void)
{
	if (!bcos_region_has(bcos_kmsg.ring))
		bcos_memory_free(bcos_kmsg.ring, BCOS_KMSG_UNITS * sizeof(*bcos_kmsg.ring));
}

struct bcos_stage *bcos_kmsg_stage(void)
{
	return &bcos_kmsg.stage;
}

void bcos_kmsg_on(bool on)
{
	struct kmsg_dump_iter now;

	if (on) {
		kmsg_dump_rewind(&now);
		atomic64_set(&bcos_kmsg.begin, now.next_seq + 1);
	}
	/*
	 * Pairs with bcos_kmsg_is_on(): a writer that sees that the class is on sees where it
	 * begins.
	 */
	smp_store_release(&bcos_kmsg.on, on);
}

/* Is the class on? Skips lines that were printed while it was off. Context: the log writer. */
static bool bcos_kmsg_is_on(void)
{
	u64 begin;

	/* Pairs with bcos_kmsg_on(). */
	if (!smp_load_acquire(&bcos_kmsg.on))
		return false;
	begin = atomic64_read(&bcos_kmsg.begin) ? atomic64_xchg(&bcos_kmsg.begin, 0) : 0;
	if (begin > bcos_kmsg.next.cur_seq + 1) {
		bcos_kmsg.next.cur_seq = begin - 1;
		bcos_kmsg.at = bcos_kmsg.length;
		bcos_kmsg.missed = 0;
	}
	return true;
}

/*
 * Converts a time of the kernel's log, whose clock is that of the scheduler, to ns since boot. Sets
 * *@precision to the most ns by which the event may be later than the result.
 */
static u64 bcos_kmsg_time(u64 time, u32 *precision)
{
	u64 now, its, age;
	unsigned long flags;

	local_irq_save(flags);
	now = bcos_now();
	its = local_clock();
	local_irq_restore(flags);
	age = its > time ? its - time : 0;
	/*
	 * The time was cut to microseconds, and the clocks may have drifted apart since then,
	 * either way.
	 */
	*precision = min_t(u64, 1000 + 2 * (age / BCOS_KMSG_DRIFT), U32_MAX);
	age += age / BCOS_KMSG_DRIFT;
	return now > age ? now - age : 0;
}

static bool bcos_kmsg_put(struct bcos_raw raw, u32 event_id, u64 time, u32 precision,
			  const char *text, size_t length)
{
	/*
	 * A line that was printed before the previous one stays after it, as in the kernel's log.
	 */
	u64 last = max(time, bcos_kmsg.stage.last), latest = time + precision;
	struct bcos_raw_event event = {
		.event_id = event_id,
		.precision = latest > last ? latest - last : 0,
	};

	return bcos_stage_append(&bcos_kmsg.stage, last, &raw, &event, text, length);
}

/*
 * Stages the next line of the record in bcos_kmsg.line. Returns false if there is no room for the
 * line.
 */
static bool bcos_kmsg_put_line(u64 horizon)
{
	const char *line = bcos_kmsg.line + bcos_kmsg.at;
	size_t left = bcos_kmsg.length - bcos_kmsg.at;
	const char *end = strnchr(line, left, '\n');
	size_t length = end ? end - line : left;
	struct bcos_raw raw = { .kind = BCOS_RAW_KMSG, .id = BCOS_PROCESS_KERNEL };
	struct bcos_printk printk;
	u64 time;
	u32 precision;

	bcos_printk_parse(line, length, &printk);
	raw.aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_PROCESS, printk.severity);
	if (printk.timed) {
		time = bcos_kmsg_time(printk.time, &precision);
	} else {
		/*
		 * A line without a time was printed at some time since the last pass, which would
		 * have read it.
		 */
		time = horizon;
		precision = min_t(u64, max(bcos_now(), time) - time, U32_MAX);
	}
	if (!bcos_kmsg_put(raw, 0, time, precision, printk.text, printk.length))
		return false;
	bcos_kmsg.at += length + !!end;
	return true;
}

/*
 * States the records that the kernel overwrote before they were read, in place of the next line.
 * Returns false if there is no room for that.
 */
static bool bcos_kmsg_write_missed(struct bcos_log *log, u64 horizon)
{
	struct bcos_raw raw = {
		.kind = BCOS_RAW_EVENT,
		.aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_CPU, BCOS_SEVERITY_ERROR),
		.id = bcos_log_spokesman(log),
	};
	u64 now = max(bcos_now(), horizon);
	char text[120 + BCOS_LOSS_TEXT_END];
	int length;

	if (!bcos_kmsg.missed)
		return true;
	length = bcos_loss_text_count(text, 0, sizeof(text), bcos_kmsg.missed, "kernel messages");
	length = bcos_loss_text_end(text, length, sizeof(text),
				    "overwritten or cleared in the kernel's own buffer", horizon,
				    horizon, now);
	if (!bcos_kmsg_put(raw, BCOS_EVENT_LOSS, horizon, min_t(u64, now - horizon, U32_MAX), text,
			   length))
		return false;
	log->stats.lost[BCOS_LOST_SOURCE] += bcos_kmsg.missed;
	bcos_kmsg.missed = 0;
	return true;
}

bool bcos_kmsg_read(struct bcos_log *log, u64 horizon)
{
	u64 expected;
	bool got;

	while (bcos_kmsg_is_on()) {
		if (!bcos_kmsg_write_missed(log, horizon))
			return true;
		while (bcos_kmsg.at < bcos_kmsg.length)
			if (!bcos_kmsg_put_line(horizon))
				return true;
		expected = bcos_kmsg.next.cur_seq;
		WRITE_ONCE(bcos_kmsg.staged, expected);
		bcos_kmsg.at = 0;
		bcos_kmsg.length = 0;
		got = kmsg_dump_get_line(&bcos_kmsg.next, true, bcos_kmsg.line,
					 sizeof(bcos_kmsg.line), &bcos_kmsg.length);
		/*
		 * The iterator passes over cleared messages, too, even if no message follows them.
		 */
		bcos_kmsg.missed += bcos_kmsg.next.cur_seq - expected - got;
		if (!got && !bcos_kmsg.missed)
			break;
	}
	return false;
}

u64 bcos_kmsg_staged(void)
{
	return READ_ONCE(bcos_kmsg.staged);
}

size_t bcos_kmsg_rest(char *text, size_t size, u64 *first, u64 *missing)
{
	u64 begin = atomic64_read(&bcos_kmsg.begin), from = bcos_kmsg_staged();
	struct kmsg_dump_iter rest;
	size_t length = 0;

	*first = from;
	*missing = 0;
	if (!READ_ONCE(bcos_kmsg.on))
		return 0;
	if (begin > from + 1)
		from = begin - 1;
	kmsg_dump_rewind(&rest);
	if (rest.cur_seq < from)
		rest.cur_seq = from;
	/* This gives the newest lines that fit, and takes no lock. */
	if (!kmsg_dump_get_buffer(&rest, true, text, size, &length))
		return 0;
	/* The next block would end where this one begins. */
	*first = rest.next_seq;
	*missing = rest.next_seq > from ? rest.next_seq - from : 0;
	return length;
}
