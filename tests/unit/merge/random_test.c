// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * These properties hold for any stream of records. The records are those of made-up machines whose staging overflows,
 * whose CPUs stand still while they stage a record, and whose task list is walked while it changes.
 *
 * test: rounds=25:600 timeout=120:900
 */
#include "core/rules/rules.h"
#include "check.h"
#include "churn.h"
#include "oracle.h"
#include "staged.h"

struct machine {
	struct staged *staged;
	struct churn churn;
	u64 seed;
	u64 put[BCOS_LOSS_CLASSES], lost[BCOS_LOSS_CLASSES], nested;
	/* The walk of the task list that is under way. */
	struct bcos_seen *seen;
	u32 seen_count, middle, steps_left;
	u64 from;
};

static u32 roll_dice(struct machine *m, u32 sides)
{
	return (u32)(next_random(&m->seed) >> 16) % sides;
}

static void to_stage(void *context, u32 cpu, u64 time, struct feed_record record)
{
	struct machine *m = context;
	enum bcos_loss_class class = bcos_raw_class(record.raw.kind);
	enum bcos_staged result = staged_put(m->staged, cpu, time, record);

	m->put[class]++;
	m->lost[class] += result == BCOS_STAGE_LOST || result == BCOS_STAGE_LOST_KICK;
}

/* Stages a text, or a transfer of a device. */
static void stage_event(struct machine *m)
{
	static const char text[] = "something of some length, or of another, that a program or the kernel has to say";
	u32 cpu = roll_dice(m, m->churn.cpus);

	if (!m->churn.cpu[cpu].online)
		return;
	/* The log's own device is one that is always there. */
	if (!roll_dice(m, 2)) {
		to_stage(m, cpu, m->churn.time, record_about(roll_dice(m, 2) ? BCOS_RAW_INPUT : BCOS_RAW_OUTPUT,
							     BCOS_RAW_KEY(BCOS_DEVICE_SELF, 0), 0,
							     roll_dice(m, 100000)));
		return;
	}
	to_stage(m, cpu, m->churn.time, record_event(BCOS_RAW_EVENT, BCOS_SUBJECT_PROCESS, BCOS_PROCESS_KERNEL, 0,
						     1, 0x40, text, roll_dice(m, sizeof(text))));
}

/* Makes a pass of the writer. Sometimes a CPU stands still while it stages a record. */
static void make_pass(struct machine *m, u32 limit)
{
	struct bcos_stage *stuck = m->staged->stage[roll_dice(m, m->churn.cpus)];

	if (!roll_dice(m, 8)) {
		stuck->mark = 1;
		staged_step = 700;
	}
	/* The clock goes on: no record after this is older than what the writer read. */
	m->churn.time += roll_dice(m, 3);
	staged_pass(m->staged, m->churn.time, limit);
	stuck->mark = 0;
	staged_step = 0;
	feed_check_oldest(&m->staged->feed);
}

/*
 * Adds the processes with tags above @above, up to @to, to the walk, in the order of birth, as in the task list. The
 * list changes while it is walked.
 */
static void walk_part(struct machine *m, u32 above, u32 to)
{
	struct bcos_seen *all = calloc(m->churn.lives, sizeof(*all));
	u32 n, i, j;

	assert_non_null(all);
	n = churn_walk(&m->churn, all);
	for (i = 0; i < n; i++) {
		if (all[i].tag <= above || all[i].tag > to)
			continue;
		for (j = m->seen_count++; j && m->seen[j - 1].tag > all[i].tag; j--)
			m->seen[j] = m->seen[j - 1];
		m->seen[j] = all[i];
	}
	free(all);
}

static void begin_walk(struct machine *m, u32 steps)
{
	m->seen = calloc(2 * m->churn.lives, sizeof(*m->seen));
	assert_non_null(m->seen);
	m->seen_count = 0;
	m->from = m->churn.time;
	m->middle = m->churn.tag - m->churn.tag / 4;
	m->steps_left = steps;
	/* Losses from here on require another walk. */
	m->staged->feed.log.needs_walk = false;
	walk_part(m, 0, m->middle);
}

static void end_walk(struct machine *m)
{
	struct feed *feed = &m->staged->feed;
	bool again = feed->log.needs_walk;
	struct bcos_seen *exact;

	walk_part(m, m->middle, 0xFFFFFFFF);
	exact = test_host.alloc(&feed->host, m->seen_count * sizeof(*exact));
	memcpy(exact, m->seen, m->seen_count * sizeof(*exact));
	free(m->seen);
	m->seen = NULL;
	m->churn.time++;
	bcos_log_walked(&feed->log, exact, m->seen_count, m->from, m->churn.time);
	feed->log.needs_walk = again;
}

static void step_walk(struct machine *m)
{
	if (m->seen && !m->steps_left--)
		end_walk(m);
	else if (!m->seen && m->staged->feed.log.needs_walk && !m->staged->feed.log.seen && !roll_dice(m, 20))
		begin_walk(m, roll_dice(m, 60));
}

/* Lets the machine come to rest, so that everything is in the log, and everything that was lost is found again. */
static void calm_machine(struct machine *m)
{
	const char *wrong;
	int i;

	churn_settle(&m->churn);
	if (m->seen)
		end_walk(m);
	for (i = 0; i < 4; i++) {
		m->churn.time += 10;
		while (staged_pass(m->staged, m->churn.time, 1000))
			;
		if (m->staged->feed.log.needs_walk) {
			begin_walk(m, 0);
			end_walk(m);
		}
		/* Settle once more, so that the log learns what CPUs run if that was lost. */
		churn_settle(&m->churn);
	}
	assert_false(m->staged->feed.log.needs_walk);
	wrong = churn_compare(&m->churn, &m->staged->feed.log.model);
	if (wrong)
		print_error("%s\n", wrong);
	assert_null(wrong);
}

/* Sums up the losses that the log states, and the entries that it has. */
static void count_tape(const struct feed *feed, u64 stated[BCOS_LOSS_CLASSES], u64 *nested,
		       u64 written[BCOS_LOSS_CLASSES])
{
	static const char *const what[] = {
		[BCOS_LOSS_LIFE] = "births and deaths",
		[BCOS_LOSS_ASSIGN] = "assignments",
		[BCOS_LOSS_IRQ] = "interrupts",
		[BCOS_LOSS_USER] = "user events",
		[BCOS_LOSS_IO] = "transfers",
		[BCOS_LOSS_API] = "kernel calls",
		[BCOS_LOSS_IDLE] = "idle states",
		[BCOS_LOSS_STATE] = "task states",
		[BCOS_LOSS_DEVICE] = "devices coming or going",
		[BCOS_LOSS_EXEC] = "executed programs",
		[BCOS_LOSS_REQUEST] = "requests of disks",
		[BCOS_LOSS_CLASSES] = "events: inside",
	};
	u64 sum[BCOS_LOSS_CLASSES + 1] = { 0 };
	const u8 *entry = feed->tape;
	char text[600];
	char *word;
	u32 i, event;

	memset(written, 0, BCOS_LOSS_CLASSES * sizeof(*written));
	for (; entry < feed->tape + feed->length; entry += entry[0] | entry[1] << 8) {
		memcpy(&event, entry + 0x14, 4);
		written[BCOS_LOSS_IRQ] += entry[2] == 0x11 && entry[3] == 0x60;
		/* An event that tells a parent is no user event. */
		written[BCOS_LOSS_USER] += entry[2] == 0x10 && entry[3] == 0 && event != 0xC0000005;
		written[BCOS_LOSS_IO] += (entry[2] | 1) == 0x03 && entry[3] == 0x60;
		if (entry[2] != 0x10 || entry[3] != 0x40 || event != 0x80000001)
			continue;
		snprintf(text, sizeof(text), "%.*s", (entry[0] | entry[1] << 8) - 0x19, (const char *)entry + 0x19);
		for (i = 0; i < COUNT(what); i++) {
			word = strstr(text, what[i]);
			if (!word)
				continue;
			/* Go back to the number before the words. */
			for (word -= 2; word > text && word[-1] >= '0' && word[-1] <= '9'; word--)
				;
			sum[i] += strtoull(word, NULL, 10);
		}
	}
	memcpy(stated, sum, BCOS_LOSS_CLASSES * sizeof(*stated));
	*nested = sum[BCOS_LOSS_CLASSES];
}

/* Nothing is lost in silence: the entries and the losses that the log states add up to all records. */
static void check_account(struct machine *m)
{
	const struct feed *feed = &m->staged->feed;
	u64 stated[BCOS_LOSS_CLASSES], written[BCOS_LOSS_CLASSES], nested, all = 0;
	u32 class;

	count_tape(feed, stated, &nested, written);
	for (class = 0; class < BCOS_LOSS_CLASSES; class++) {
		all += stated[class];
		if (class == BCOS_LOSS_ASSIGN)
			continue;
		assert_int_equal(stated[class], m->lost[class]);
		if (class != BCOS_LOSS_LIFE && class != BCOS_LOSS_DEVICE)
			assert_int_equal(written[class] + stated[class], m->put[class]);
	}
	assert_int_equal(nested, m->nested);
	/* The newest assignment of a stretch is kept, and so it is not lost. */
	assert_true(stated[BCOS_LOSS_ASSIGN] <= m->lost[BCOS_LOSS_ASSIGN]);
	assert_int_equal(feed->log.stats.lost[BCOS_LOST_STAGING], all);
	/* Without a loss there are no consequences of losses. */
	if (!m->lost[BCOS_LOSS_LIFE] && !m->lost[BCOS_LOSS_ASSIGN]) {
		assert_int_equal(feed->log.stats.unnamed, 0);
		assert_int_equal(feed->log.stats.clamped, 0);
		assert_int_equal(stated[BCOS_LOSS_ASSIGN], 0);
	}
}

/* Runs a machine. @often of a hundred steps are followed by a pass. Return: how many records were lost. */
static u64 run_machine(u64 *seed, u32 cpus, u64 units, u32 processes, u32 often, bool hotplug, u32 steps)
{
	struct machine m = { .seed = next_random(seed) | 1 };
	u64 losses = 0;
	u32 i;

	m.staged = staged_new(cpus, units);
	m.staged->feed.flags = often > 90 ? 0 : ORACLE_LOSSES;
	churn_init(&m.churn, next_random(seed) | 1, cpus, processes);
	m.churn.emit = to_stage;
	m.churn.context = &m;
	m.churn.interrupts = true;
	m.churn.hotplug = hotplug;
	for (i = 0; i < steps; i++) {
		churn_step(&m.churn);
		if (!roll_dice(&m, 30))
			stage_event(&m);
		if (!roll_dice(&m, 500)) {
			m.nested++;
			m.staged->stage[0]->nested++;
		}
		step_walk(&m);
		/* The writer itself walks, so it makes no pass meanwhile. */
		if (!m.seen && roll_dice(&m, 100) < often)
			make_pass(&m, 1 + roll_dice(&m, 300));
	}
	calm_machine(&m);
	check_account(&m);
	for (i = 0; i < BCOS_LOSS_CLASSES; i++)
		losses += m.lost[i];
	feed_check(&m.staged->feed);
	staged_free(m.staged);
	churn_free(&m.churn);
	return losses;
}

/* The writer keeps up: nothing is lost at all, and CPUs come and go. */
static void test_quiet(void **state)
{
	u64 seed = test_seed(), rounds = test_env("ROUNDS", 25);
	u32 cpus;

	for (; rounds; rounds--) {
		cpus = 2 + (u32)(next_random(&seed) >> 16) % 7;
		assert_int_equal(run_machine(&seed, cpus, 4096, 2 + (u32)(next_random(&seed) >> 16) % 200, 95, true,
					     6000), 0);
	}
}

/* The writer does not keep up: whatever is lost is stated, and in the end everything is known again. */
static void test_overflow(void **state)
{
	u64 seed = test_seed(), rounds = test_env("ROUNDS", 25), losses = 0, units;
	u32 cpus, often;

	for (; rounds; rounds--) {
		cpus = 1 + (u32)(next_random(&seed) >> 16) % 8;
		units = 64ull << (next_random(&seed) >> 16) % 3;
		often = 1 + (u32)(next_random(&seed) >> 16) % 20;
		/* In other rounds there may be room enough by chance, but not in the last one. */
		if (rounds == 1) {
			cpus = 1;
			units = 64;
			often = 1;
		}
		losses += run_machine(&seed, cpus, units, 2 + (u32)(next_random(&seed) >> 16) % 200, often, false,
				      12000);
	}
	assert_true(losses > 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quiet), cmocka_unit_test(test_overflow),
	};

	return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
