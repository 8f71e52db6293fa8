// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * BPF programs hand records to the library's engine through memory that both map. This test runs the functions of
 * bpf/stage.h and of userspace/lib/engine, which tests/model/extract takes out of their files, in every order. A CPU
 * runs one program at a time, which is a thread of the model. An atomic operation whose result is used is a full
 * barrier before and after itself.
 *
 * test: rounds=10000:500000 timeout=120:1800
 */
#include <errno.h>
#include <stdio.h>

#include "bpf/shared.h"
#include "core/raw/stage.h"
#include "report.h"
#include "testhost.h"

#define UNITS 8
/* TRIES has the value that it has in pass.c. */
#define TRIES 1000
#define __noinline noinline

/* ---- of BPF -------------------------------------------------------------------------------------------------- */

static struct bcos_bpf_cpu the_cpu;

/* No program uses the result of counting a loss, so these operations order nothing. */
static u64 fetch_and_add_64(u64 *counter, u64 amount)
{
	u64 before;

	if (counter == &the_cpu.head)
		smp_mb();
	before = READ_ONCE(*counter);
	WRITE_ONCE(*counter, before + amount);
	if (counter == &the_cpu.head)
		smp_mb();
	return before;
}

static u32 fetch_and_add_32(u32 *counter, u32 amount)
{
	u32 before;

	smp_mb();
	before = READ_ONCE(*counter);
	WRITE_ONCE(*counter, before + amount);
	smp_mb();
	return before;
}

#define __sync_fetch_and_add(counter, amount) \
	_Generic((counter), u32 *: fetch_and_add_32, u64 *: fetch_and_add_64)(counter, amount)
#define __sync_lock_test_and_set(place, value) do { smp_mb(); WRITE_ONCE(*(place), value); smp_mb(); } while (0)

static struct {
	u32 units, kick_shift;
} bcos_config = { .units = UNITS, .kick_shift = 32 };

static struct bcos_unit the_slots[UNITS];
static u64 the_time;			/* only the producer uses it */

static u64 bpf_ktime_get_boot_ns(void)
{
	return ++the_time;
}

static struct bcos_unit *bcos_slot(u32 number, u64 at)
{
	(void)number;
	return &the_slots[at & (UNITS - 1)];
}

static struct bcos_bpf_cpu *bcos_this_cpu(u32 *number)
{
	*number = 0;
	return &the_cpu;
}

static void bcos_kick(u64 number)
{
	(void)number;
}

/* No program interrupts another one here. */
static u32 bcos_left(u8 kind)
{
	(void)kind;
	return 0;
}

/* ---- of the engine ------------------------------------------------------------------------------------------ */

typedef int (*programs_take)(void *context, u32 cpu, const struct bcos_unit *unit, u32 units);

struct programs {
	u64 skipped, *stuck, *read;
	bool held;
	u32 rings;
};

static struct bcos_bpf_cpu *programs_cpu(const struct programs *programs, u32 cpu)
{
	(void)programs;
	(void)cpu;
	return &the_cpu;
}

static struct bcos_unit *ring_slot(const struct programs *programs, u32 cpu, u64 at)
{
	(void)programs;
	return bcos_slot(cpu, at);
}

#include "engine.inc"

/* ---- records ------------------------------------------------------------------------------------------------- */

/* Of a recorder whose log outlives it: it returns the room of the ring when all that it read is safe. */
static bool holding;
static u64 read_next;

static u32 made, lost, taken;		/* made and lost are the producer's records, taken the consumer's */

/* Puts record number @made, which has one unit or three. */
static void put_record(u32 units)
{
	struct {
		struct bcos_raw raw;
		u64 more[4];
	} record = { .raw = { .kind = BCOS_RAW_BIRTH, .units = (u8)units, .id = made } };
	u64 head = the_cpu.head;
	u32 i;

	for (i = 0; i < 4; i++)
		record.more[i] = (u64)made << 32 | (i + 1);
	if (units == 1)
		bcos_put_one(&the_cpu, 0, BCOS_RAW_BIRTH, 0, made);
	else
		bcos_put(&record, units * (u32)sizeof(struct bcos_unit));
	if (the_cpu.head == head)
		lost++;
	else
		made++;
}

static int take_record(void *context, u32 cpu, const struct bcos_unit *unit, u32 units)
{
	const struct bcos_raw *raw = (const struct bcos_raw *)unit;
	u32 i;

	(void)context;
	(void)cpu;
	if (raw->kind != BCOS_RAW_BIRTH || raw->id != taken || !raw->time)
		model_fail("record %u is record %u, of kind %u", taken, raw->id, raw->kind);
	for (i = 2; i < 2 * units; i++)
		if (unit[i / 2].word[i % 2] != ((u64)taken << 32 | (i - 1)))
			model_fail("word %u of record %u is not what was stored", i, taken);
	taken++;
	return 0;
}

static void drain_ring(void)
{
	u64 stuck = 0;
	struct programs programs = { .stuck = &stuck, .read = &read_next, .held = holding, .rings = 1 };

	if (drain_cpu(&programs, 0, take_record, NULL))
		model_fail("a record has no sense");
	if (holding)
		programs_release(&programs, 0, read_next);
}

static void put_both(void)
{
	put_record(1);
	put_record(3);
}

/* The ring has no room for all of these. */
static void put_many(void)
{
	put_record(3);
	put_record(1);
	put_record(3);
}

static void drain_twice(void)
{
	drain_ring();
	drain_ring();
}

static void share_memory(void)
{
	model_share(&the_cpu, sizeof(the_cpu), false);
	model_share(the_slots, sizeof(the_slots), false);
}

static void set_up(void)
{
	memset(&the_cpu, 0, sizeof(the_cpu));
	memset(the_slots, 0, sizeof(the_slots));
	the_time = 0;
	made = lost = taken = 0;
	holding = false;
	share_memory();
}

/* Puts two records of together four units into the last four units of the ring. */
static void set_up_full(void)
{
	memset(&the_cpu, 0, sizeof(the_cpu));
	memset(the_slots, 0, sizeof(the_slots));
	the_time = 0;
	made = lost = taken = 0;
	holding = false;
	the_cpu.head = the_cpu.tail = UNITS - 4;
	put_record(3);
	put_record(1);
	share_memory();
}

static void set_up_held(void)
{
	set_up_full();
	holding = true;
	read_next = the_cpu.tail;
}

static void finish_run(void)
{
	drain_ring();
	if (taken != made)
		model_fail("%u of %u records came", taken, made);
	if (the_cpu.tail != the_cpu.head)
		model_fail("not all room was given back");
}

/* ---- losses ----------------------------------------------------------------------------------------------------- */

static struct bcos_stage stage;

/* Loss number N is the loss of a switch to process N, at time N. */
static void lose_twice(void)
{
	bcos_lose(&the_cpu, BCOS_RAW_SWITCH, 1);
	bcos_lose(&the_cpu, BCOS_RAW_SWITCH, 2);
}

static void copy_stage(void)
{
	u64 count = stage.lost.count[BCOS_LOSS_ASSIGN];

	engine_copy_losses(&the_cpu, &stage);
	if (stage.lost.count[BCOS_LOSS_ASSIGN] < count)
		model_fail("losses go back");
	count = stage.lost.count[BCOS_LOSS_ASSIGN];
	if (stage.lost.assign_id != count || stage.lost.assign_time != count || stage.lost.last != count ||
	    stage.lost.first != (count != 0) || stage.lost.sequence != 2 * count)
		model_fail("the copy is of two losses: %llu, and process %u", (unsigned long long)count,
			   stage.lost.assign_id);
}

static void copy_twice(void)
{
	copy_stage();
	copy_stage();
}

static void set_up_losses(void)
{
	set_up();
	memset(&stage, 0, sizeof(stage));
}

static void finish_losses(void)
{
	copy_stage();
	if (stage.lost.count[BCOS_LOSS_ASSIGN] != 2)
		model_fail("a loss was not copied");
}

static const struct model_program programs[] = {
	{
		.name = "records", .threads = 2, .setup = set_up, .thread = { put_both, drain_twice },
		.finish = finish_run, .preemptions = 2, .sampled = true,
	}, {
		.name = "a ring that is used again", .threads = 2, .setup = set_up_full,
		.thread = { put_many, drain_twice },
		.finish = finish_run, .preemptions = 2, .sampled = true,
	}, {
		.name = "a ring that keeps its records until they are safe", .threads = 2, .setup = set_up_held,
		.thread = { put_many, drain_twice },
		.finish = finish_run, .preemptions = 2, .sampled = true,
	}, {
		.name = "losses", .threads = 2, .setup = set_up_losses, .thread = { lose_twice, copy_twice },
		.finish = finish_losses, .preemptions = 2, .sampled = true,
	},
};

static const struct model_excuse excuses[] = {
	{ NULL, NULL },
};

int main(void)
{
	static const char *const files[] = { "stage.h", "pass.", "ring.", NULL };

	return model_report(programs, sizeof(programs) / sizeof(programs[0]), files, excuses,
			    test_env("ROUNDS", 10000));
}
