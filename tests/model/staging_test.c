// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Staging and merge in every order, or in many (module/DESIGN.md, 6): probes run on one or two CPUs, and the log writer
 * makes passes.
 *
 * The records are switches to processes, whose IDs are numbered in the order of the records. The test remembers the
 * time that each record got from the clock. So the log must have exactly these processes at these times.
 *
 * test: rounds=20000:2000000 timeout=120:1800
 */
#include "core/rules/rules.h"
#include "feed.h"
#include "core/merge/merge.h"
#include "report.h"

#define CPUS 2
#define UNITS 64
#define RECORDS 80
#define FIRST 100		/* ID of the first process of a CPU, which has RECORDS of them */

struct record {
	u64 time;
	bool staged, seen;
};

static struct feed feed;
static struct bcos_merge merge;
static struct bcos_stage stage[CPUS];
static struct bcos_unit unit[CPUS][UNITS];
static struct record record[CPUS][RECORDS];
static u32 put[CPUS];		/* number of records of each CPU so far */
static u64 stated;		/* number of assignments that the log states as lost */
static u64 read_to;		/* offset on the tape up to which make_pass() has read */

#define EVENT 0x80000123u

static const char text[] = "a text of two units";
static u64 text_time;
static bool text_seen;

/* ---- producers -------------------------------------------------------------------------------------- */

/* Returns the time for the record that the CPU stages now, and remembers it. */
static u64 take_time(u32 cpu)
{
	return record[cpu][put[cpu] - 1].time = 2000 + model_clock(1);
}

static u64 clock_0(void)
{
	return take_time(0);
}

static u64 clock_1(void)
{
	return take_time(1);
}

static u64 event_clock(void)
{
	return text_time = 2000 + model_clock(1);
}

/* The clock jumps, so that the writer soon gives up waiting for a CPU whose mark is set. */
static u64 writer_clock(void)
{
	return 2000 + model_clock(1500);
}

static void stage_one(u32 cpu)
{
	u32 number = put[cpu]++;
	enum bcos_staged staged;

	staged = bcos_stage_put_one(&stage[cpu], cpu ? clock_1 : clock_0,
				    bcos_stage_word(BCOS_RAW_SWITCH, 0, FIRST + cpu * RECORDS + number));
	record[cpu][number].staged = staged == BCOS_STAGED || staged == BCOS_STAGED_KICK;
}

/* Does what stage_one() does, by the function for records of any size. */
static void stage_any(u32 cpu)
{
	u32 number = put[cpu]++;
	struct bcos_raw raw = { .kind = BCOS_RAW_SWITCH, .units = 1, .id = FIRST + cpu * RECORDS + number };

	record[cpu][number].staged = bcos_stage_put(&stage[cpu], clock_0, &raw, NULL) == BCOS_STAGED;
}

static void stage_text(u32 cpu)
{
	struct bcos_raw raw = { .kind = BCOS_RAW_EVENT, .aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_CPU, 0x40), .id = cpu };
	struct bcos_raw_event event = { .event_id = EVENT };

	if (bcos_stage_put_text(&stage[cpu], event_clock, &raw, &event, text, sizeof(text) - 1) != BCOS_STAGED)
		model_fail("a text found no room");
}

static void produce_any(void)
{
	stage_any(0);
	stage_text(0);
}

static void produce_0(void)
{
	stage_one(0);
	stage_one(0);
}

static void produce_1(void)
{
	stage_one(1);
}

static void produce_one(void)
{
	stage_one(0);
}

static void produce_many(void)
{
	stage_one(0);
	stage_one(0);
	stage_one(0);
}

/* ---- the log writer ------------------------------------------------------------------------------------ */

static void see_assignment(const struct bcos_assign_cpu *entry)
{
	u32 cpu = entry->header.source, number;

	if (entry->process == BCOS_PROCESS_IDLE || entry->process == BCOS_PROCESS_KERNEL)
		return;
	number = entry->process - FIRST - cpu * RECORDS;
	if (cpu >= CPUS || number >= put[cpu])
		model_fail("CPU %u is assigned to process %u, which nobody staged", cpu, entry->process);
	if (record[cpu][number].seen)
		model_fail("record %u of CPU %u is in the log twice", number, cpu);
	record[cpu][number].seen = true;
	if (entry->header.time != record[cpu][number].time)
		model_fail("record %u of CPU %u has time %llu and not %llu", number, cpu,
			   (unsigned long long)entry->header.time, (unsigned long long)record[cpu][number].time);
}

static void see_text(const struct bcos_generic *entry)
{
	if (text_seen || entry->header.time != text_time || strncmp(entry->text, text, sizeof(text)))
		model_fail("the text is not what was staged, or is there twice");
	text_seen = true;
}

static void see_loss(const struct bcos_generic *entry)
{
	unsigned long long count;

	if (entry->event_id == EVENT)
		see_text(entry);
	if (entry->event_id != BCOS_EVENT_LOSS)
		return;
	if (sscanf(entry->text, "lost %llu assignments", &count) != 1 || !count || count > RECORDS)
		model_fail("the log states what was not lost: %.80s", entry->text);
	stated += count;
	/* The loss begins with the first record that found no room. */
	for (u32 i = 0; i < put[0]; i++) {
		if (record[0][i].staged)
			continue;
		if (entry->header.time > record[0][put[0] - 1].time ||
		    entry->header.time + entry->header.precision < record[0][i].time)
			model_fail("a loss from %llu on that began at %llu", (unsigned long long)entry->header.time,
				   (unsigned long long)record[0][i].time);
		break;
	}
}

/* Makes a pass and checks its entries: none is older than the horizon of the previous pass. */
static void make_pass(void)
{
	const struct bcos_entry *entry;
	u64 before = merge.horizon;

	bcos_merge_pass(&merge, writer_clock, 4096);
	feed_pull(&feed);
	for (; read_to < feed.length; read_to += entry->size) {
		entry = (const struct bcos_entry *)(feed.tape + read_to);
		if (entry->type & BCOS_TYPE_HISTORICAL)
			continue;
		if (entry->time < before)
			model_fail("an entry of time %llu, and %llu was passed", (unsigned long long)entry->time,
				   (unsigned long long)before);
		if (entry->type == BCOS_ASSIGN_CPU)
			see_assignment((const struct bcos_assign_cpu *)entry);
		else if (entry->type == BCOS_GENERIC_CPU)
			see_loss((const struct bcos_generic *)entry);
	}
	if (feed.log.stats.clamped)
		model_fail("times went back");
}

static void pass_once(void)
{
	make_pass();
}

static void pass_twice(void)
{
	make_pass();
	make_pass();
}

/* ---- programs ------------------------------------------------------------------------------------------ */

/* @records: number of records of each CPU at most. The memory of the previous execution's log is used again. */
static void set_up_cpus(u32 cpus, u32 records)
{
	static struct bcos_seen seen[CPUS * RECORDS];
	u32 i, count = 0;

	if (feed.data) {
		bcos_merge_destroy(&merge);
		bcos_log_destroy(&feed.log);
	} else {
		feed.size = 256 << 10;
		feed.data = test_ring_map(feed.size);
	}
	memset(&feed.log, 0, sizeof(feed.log));
	memset(&feed.at, 0, sizeof(feed.at));
	feed.length = 0;
	memset(&merge, 0, sizeof(merge));
	memset(stage, 0, sizeof(stage));
	memset(unit, 0, sizeof(unit));
	memset(record, 0, sizeof(record));
	memset(put, 0, sizeof(put));
	stated = 0;
	text_time = 0;
	text_seen = false;
	read_to = 0;
	for (i = 0; i < cpus * RECORDS; i++)
		if (i % RECORDS < records)
			seen[count++].id = FIRST + i;
	if (bcos_log_init(&feed.log, &test_host, &feed.host, feed.data, feed.size, CPUS, 1) ||
	    feed_prime(&feed, cpus, seen, count, 1000) || bcos_merge_init(&merge, &feed.log, CPUS))
		abort();
	feed_pass(&feed, 1000);
	for (i = 0; i < cpus; i++) {
		bcos_stage_init(&stage[i], unit[i], UNITS);
		bcos_merge_add(&merge, i, &stage[i]);
		model_share(&stage[i], sizeof(stage[i]), false);
		model_share(unit[i], sizeof(unit[i]), false);
	}
	make_pass();
}

static void set_up_one(void)
{
	set_up_cpus(1, 2);
}

static void set_up_two(void)
{
	set_up_cpus(2, 2);
}

/* The next record is the first that finds a quarter of the ring full. */
static void set_up_quarter(void)
{
	u32 i;

	set_up_cpus(1, RECORDS);
	for (i = 0; i < UNITS / 4; i++)
		stage_one(0);
}

/* All but one of the units that assignments may take are in use. */
static void set_up_full(void)
{
	u32 i;

	set_up_cpus(1, RECORDS);
	for (i = 0; i < UNITS - UNITS / 8 - 1; i++)
		stage_one(0);
}

/* All units are in use. The last 8 hold deaths of processes that do not exist, which change nothing. */
static void set_up_to_the_brim(void)
{
	struct bcos_unit status = { { 99, 0 } };
	u32 i;

	set_up_full();
	stage_one(0);
	for (i = 0; i < 4; i++) {
		struct bcos_raw raw = { .kind = BCOS_RAW_DEAD, .units = 2, .id = FIRST };

		put[0]++;
		bcos_stage_put(&stage[0], clock_0, &raw, &status);
		put[0]--;
	}
	memset(&record[0][put[0]], 0, sizeof(record[0][0]));
}

static void finish_run(void)
{
	u64 staged = 0, lost = 0, found = 0;
	u32 cpu, i;

	/* A loss that a pass has read but not applied may hold back a newer one. */
	make_pass();
	make_pass();
	for (cpu = 0; cpu < CPUS; cpu++) {
		for (i = 0; i < put[cpu]; i++) {
			staged += record[cpu][i].staged;
			lost += !record[cpu][i].staged;
			found += record[cpu][i].seen;
			if (record[cpu][i].staged && !record[cpu][i].seen)
				model_fail("record %u of CPU %u is not in the log", i, cpu);
		}
	}
	if (text_time && !text_seen)
		model_fail("the text is not in the log");
	/* The log restates the newest lost assignment, which therefore does not count as lost. */
	if (found + stated != staged + lost)
		model_fail("%llu staged and %llu lost, %llu in the log and %llu stated as lost",
			   (unsigned long long)staged,
			   (unsigned long long)lost, (unsigned long long)found, (unsigned long long)stated);
}

static const struct model_program programs[] = {
	{
		.name = "one CPU", .threads = 2, .setup = set_up_one, .thread = { produce_0, pass_once },
		.finish = finish_run, .preemptions = 2,
	}, {
		.name = "records of any size", .threads = 2, .setup = set_up_one, .thread = { produce_any, pass_once },
		.finish = finish_run, .preemptions = 1,
	}, {
		.name = "two CPUs", .threads = 3, .setup = set_up_two, .thread = { produce_1, pass_once, produce_0 },
		.finish = finish_run, .preemptions = 1,
	}, {
		.name = "the slow path", .threads = 2, .setup = set_up_quarter, .thread = { produce_one, pass_once },
		.finish = finish_run, .preemptions = 2,
	}, {
		.name = "a loss", .threads = 2, .setup = set_up_full, .thread = { produce_0, pass_once },
		.finish = finish_run, .preemptions = 1, .sampled = true,
	}, {
		.name = "losses over two passes", .threads = 2, .setup = set_up_full,
		.thread = { produce_many, pass_twice }, .finish = finish_run, .preemptions = 3, .sampled = true,
	}, {
		.name = "a ring that is used again", .threads = 2, .setup = set_up_to_the_brim,
		.thread = { produce_one, pass_once }, .finish = finish_run, .preemptions = 1, .sampled = true,
	},
};

static const struct model_excuse excuses[] = {
	{ NULL, NULL },
};

int main(void)
{
	static const char *const files[] = { "stage.", "merge.", "source.", NULL };

	return model_report(programs, sizeof(programs) / sizeof(programs[0]), files, excuses,
			    test_env("ROUNDS", 40000));
}
