// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Producers stage records in threads of their own while the merge reads them, and staging is too small: the entries in
 * the log and the losses that it states add up to all records.
 *
 * test: cpus=2 rounds=200000:5000000 timeout=120:900
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "oracle.h"
#include "staged.h"

#define PRODUCERS 2

static struct staged *staged;
static u32 running;

static u64 read_clock(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (u64)time.tv_sec * 1000000000u + (u64)time.tv_nsec;
}

struct producer {
	pthread_t thread;
	u32 cpu;
	u64 rounds;
	u64 irqs, switches, births;
	u64 lost_irqs, lost_births;
};

static bool put_record(u32 cpu, struct feed_record record)
{
	if (record.raw.units == 1)
		return bcos_stage_put_one(staged->stage[cpu], read_clock,
					  bcos_stage_word(record.raw.kind, record.raw.aux, record.raw.id)) <
		       BCOS_STAGE_LOST;
	return bcos_stage_put(staged->stage[cpu], read_clock, &record.raw, record.units) < BCOS_STAGE_LOST;
}

static void *produce_records(void *argument)
{
	struct producer *p = argument;
	u64 i;
	u32 n;

	for (i = 0; i < p->rounds; i++) {
		/* The records come in bursts, so that staging overflows now and then. */
		for (n = i % 512 ? 0 : 100000; n; n--)
			host_relax();
		switch (i % 8) {
		case 0:
			p->births++;
			p->lost_births += !put_record(p->cpu,
						      record_life(BCOS_RAW_BIRTH, 100 + p->cpu, 0, (u32)i, 0, "x"));
			break;
		case 1: case 2: case 3:
			p->irqs++;
			p->lost_irqs += !put_record(p->cpu, record_plain(BCOS_RAW_IRQ, 5, 1));
			break;
		default:
			p->switches++;
			put_record(p->cpu, record_plain(BCOS_RAW_SWITCH, i & 1 ? BCOS_PROCESS_IDLE : 0, 0));
		}
	}
	__atomic_sub_fetch(&running, 1, __ATOMIC_RELEASE);
	return NULL;
}

static int number, failed;

static void report_point(const char *name, u64 a, u64 b)
{
	printf("%sok %d - %s\n# %llu, %llu\n", a == b ? "" : "not ", ++number, name, (unsigned long long)a,
	       (unsigned long long)b);
	failed |= a != b;
}

int main(void)
{
	struct producer producers[PRODUCERS] = { 0 };
	u64 rounds = test_env("ROUNDS", 200000), irqs = 0, lost_irqs = 0, lost_births = 0, entries = 0, late = 0, time;
	u64 last = 0, before, stated[BCOS_LOSS_CLASSES] = { 0 };
	const struct feed *feed;
	struct bcos_source *source;
	u8 *entry;
	bool more;
	u32 i;

	printf("1..5\n");
	staged = staged_new(PRODUCERS, 256);
	feed = &staged->feed;
	running = PRODUCERS;
	for (i = 0; i < PRODUCERS; i++) {
		producers[i].cpu = i;
		producers[i].rounds = rounds;
		if (pthread_create(&producers[i].thread, NULL, produce_records, &producers[i]))
			abort();
	}
	do {
		i = __atomic_load_n(&running, __ATOMIC_ACQUIRE);
		before = staged->merge.horizon;
		staged->feed.length = 0;
		more = bcos_merge_pass(&staged->merge, read_clock, 10000);
		feed_pull(&staged->feed);
		for (entry = feed->tape; entry < feed->tape + feed->length; entry += entry[0] | entry[1] << 8) {
			entries += entry[2] == 0x11 && entry[3] == 0x60;
			memcpy(&time, entry + 8, 8);
			late += !(entry[3] & 0x80) && (time < before || time < last);
			if (!(entry[3] & 0x80))
				last = time;
		}
	} while (i || more || staged->stage[0]->tail != staged->stage[0]->head ||
		 staged->stage[1]->tail != staged->stage[1]->head ||
		 staged->merge.source[0].pending || staged->merge.source[1].pending);
	for (i = 0; i < PRODUCERS; i++) {
		pthread_join(producers[i].thread, NULL);
		irqs += producers[i].irqs;
		lost_irqs += producers[i].lost_irqs;
		lost_births += producers[i].lost_births;
		source = &staged->merge.source[i];
		stated[BCOS_LOSS_IRQ] += source->counted[BCOS_LOSS_IRQ];
		stated[BCOS_LOSS_LIFE] += source->counted[BCOS_LOSS_LIFE];
	}
	report_point("interrupts in the log and lost are all", entries + lost_irqs, irqs);
	report_point("lost interrupts are known", stated[BCOS_LOSS_IRQ], lost_irqs);
	report_point("lost births are known", stated[BCOS_LOSS_LIFE], lost_births);
	report_point("the order of time holds", late, 0);
	report_point("no clock was straightened", feed->log.stats.clamped, 0);
	staged_free(staged);
	return failed;
}
