// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/rules/shortcut.h: two logs get the same records, one of them by the shortcut where it takes a record, and in the
 * end the logs are equal.
 *
 * test: rounds=20:400 timeout=120:900
 */
#include "core/rules/rules.h"
#include "check.h"
#include "churn.h"
#include "core/rules/shortcut.h"

struct pair {
	struct feed plain, whole;
	struct churn churn;
	u64 seed;
	/* For each kind: records, and those that took the shortcut. */
	u64 all[BCOS_RAW_KINDS], taken[BCOS_RAW_KINDS];
};

static void check_same(struct pair *p)
{
	const struct bcos_log *a = &p->plain.log, *b = &p->whole.log;

	assert_int_equal(p->plain.length, p->whole.length);
	assert_memory_equal(p->plain.tape, p->whole.tape, p->whole.length);
	assert_memory_equal(&a->stats, &b->stats, sizeof(a->stats));
	assert_int_equal(a->time, b->time);
	assert_int_equal(a->interesting, b->interesting);
	assert_int_equal(a->needs_walk, b->needs_walk);
	assert_int_equal(a->model.process_count, b->model.process_count);
	assert_int_equal(a->model.named_processes, b->model.named_processes);
	assert_int_equal(a->model.process_bytes, b->model.process_bytes);
	assert_int_equal(a->model.spares, b->model.spares);
	assert_int_equal(a->model.heap.bytes, b->model.heap.bytes);
}

/* Returns a precision in ns that depends on the time. */
static u32 precision_at(u64 time)
{
	return 1 + (u32)time % 3;
}

static void apply_whole(struct feed *feed, u32 cpu, u64 time, const struct bcos_raw *raw)
{
	feed->log.precision = precision_at(time);
	bcos_log_apply(&feed->log, cpu, time, raw);
}

static bool take_shortcut(struct bcos_log *log, u32 cpu, u64 time, const struct bcos_raw *raw)
{
	struct bcos_cpu *model = &log->model.cpus[cpu];

	return bcos_shortcut_is_open(log, model) && bcos_shortcut(log, model, time, precision_at(time), raw);
}

static void to_both(void *context, u32 cpu, u64 time, struct feed_record record)
{
	struct pair *p = context;

	p->all[record.raw.kind]++;
	if (take_shortcut(&p->plain.log, cpu, time, &record.raw))
		p->taken[record.raw.kind]++;
	else
		apply_whole(&p->plain, cpu, time, &record.raw);
	apply_whole(&p->whole, cpu, time, &record.raw);
	feed_pass(&p->plain, time);
	feed_pass(&p->whole, time);
	assert_int_equal(p->plain.log.interesting, p->whole.log.interesting);
	/* The writer does this when it has woken the readers that wait. */
	if (!(next_random(&p->seed) >> 16 & 7))
		p->plain.log.interesting = p->whole.log.interesting = false;
}

/* Sends a signal to a process, and lets it exit. */
static void end_some(struct pair *p, struct churn *churn)
{
	u32 place = (u32)(next_random(&p->seed) >> 16) % churn->lives;
	const struct churn_life *life = &churn->life[place];

	if (!life->alive || life->exited)
		return;
	to_both(p, 0, churn->time,
		record_plain(BCOS_RAW_SIGNAL, life->id, (u16)(9 | (life->tag & 1 ? BCOS_RAW_USER : 0))));
	to_both(p, 0, churn->time, record_life(BCOS_RAW_EXIT, life->id, 0, life->tag, 9, NULL));
}

static void run_pair(struct pair *p, u64 *seed, u32 cpus, u32 processes, u32 steps)
{
	memset(&p->plain, 0, sizeof(p->plain));
	memset(&p->whole, 0, sizeof(p->whole));
	feed_start(&p->plain, cpus);
	feed_start(&p->whole, cpus);
	churn_init(&p->churn, next_random(seed) | 1, cpus, processes);
	p->seed = next_random(seed) | 1;
	p->churn.emit = to_both;
	p->churn.context = p;
	p->churn.interrupts = true;
	p->churn.hotplug = cpus > 1;
	for (; steps; steps--) {
		churn_step(&p->churn);
		if (!(next_random(&p->seed) >> 16 & 63))
			end_some(p, &p->churn);
	}
	check_same(p);
	feed_check(&p->plain);
	feed_end(&p->plain);
	feed_end(&p->whole);
	churn_free(&p->churn);
}

static void test_same(void **state)
{
	static const u8 kinds[] = { BCOS_RAW_SWITCH, BCOS_RAW_IRQ };
	u64 seed = test_seed(), rounds = test_env("ROUNDS", 20);
	struct pair *p = calloc(1, sizeof(*p));
	u32 cpus, i;

	assert_non_null(p);
	for (; rounds; rounds--) {
		cpus = 1 + (u32)(next_random(&seed) >> 16) % 8;
		run_pair(p, &seed, cpus, 2 + (u32)(next_random(&seed) >> 16) % 200, 12000);
	}
	/* Most records must take the shortcut, and some must not, so that the comparison means something. */
	for (i = 0; i < COUNT(kinds); i++) {
		print_message("# of %llu records of kind %u %llu went the short way\n",
			      (unsigned long long)p->all[kinds[i]], kinds[i], (unsigned long long)p->taken[kinds[i]]);
		assert_true(2 * p->taken[kinds[i]] > p->all[kinds[i]]);
		assert_true(p->taken[kinds[i]] < p->all[kinds[i]]);
	}
	free(p);
}

static struct pair *begin_pair(void)
{
	struct pair *p = calloc(1, sizeof(*p));

	assert_non_null(p);
	feed_start(&p->plain, 1);
	feed_start(&p->whole, 1);
	p->seed = 1;
	/* A process has died, so that the next birth can use its memory. */
	to_both(p, 0, 2000, record_life(BCOS_RAW_BIRTH, 6, 0, 60, 0, "six"));
	to_both(p, 0, 2000, record_life(BCOS_RAW_DEAD, 6, 0, 60, 0, NULL));
	return p;
}

/* Checks that both logs are equal, and that they have @expected from @from on. */
static void end_pair(struct pair *p, u64 from, const char *expected)
{
	check_same(p);
	check_text(&p->plain, from, expected);
	feed_check(&p->plain);
	feed_end(&p->plain);
	feed_end(&p->whole);
	free(p);
}

/* The exec of a hidden process is its birth. */
static void test_hidden(void **state)
{
	struct pair *p = begin_pair();
	u64 from = feed_mark(&p->plain);

	to_both(p, 0, 3000, record_life(BCOS_RAW_HELPER, 7, 0, 70, 0, "kworker"));
	to_both(p, 0, 3001, record_plain(BCOS_RAW_SWITCH, 7, 0));
	to_both(p, 0, 3002, record_life(BCOS_RAW_EXEC, 7, 0, 70, 0, "modprobe"));
	to_both(p, 0, 3003, record_life(BCOS_RAW_HELPER, 8, 0, 80, 0, "kworker"));
	to_both(p, 0, 3004, record_life(BCOS_RAW_DEAD, 8, 0, 80, 0, NULL));
	/* The precisions are those of precision_at(). */
	end_pair(p, from, "3001+2 0 assign 0\n3002+3 7 name modprobe\n3002+3 0 assign 7\n");
}

/* Empty names and names that are not ASCII are made valid. */
static void test_names(void **state)
{
	struct pair *p = begin_pair();
	u64 from = feed_mark(&p->plain);

	to_both(p, 0, 3000, record_life(BCOS_RAW_BIRTH, 7, 0, 70, 0, ""));
	to_both(p, 0, 3003, record_life(BCOS_RAW_EXEC, 7, 0, 70, 0, "\xC3\xA9"));
	to_both(p, 0, 3006, record_life(BCOS_RAW_EXEC, 7, 0, 70, 0, ""));
	to_both(p, 0, 3009, record_life(BCOS_RAW_EXEC, 7, 0, 70, 0, "plain"));
	end_pair(p, from, "3000 7 name ?\n3003 7 name \xC3\xA9\n3006 7 name ?\n3009 7 name plain\n");
}

/* The death of another incarnation changes nothing, and its birth ends the process. */
static void test_strangers(void **state)
{
	struct pair *p = begin_pair();
	u64 from = feed_mark(&p->plain);

	to_both(p, 0, 3000, record_life(BCOS_RAW_BIRTH, 7, 0, 70, 0, "seven"));
	to_both(p, 0, 3003, record_life(BCOS_RAW_DEAD, 7, 0, 71, 0, NULL));
	to_both(p, 0, 3006, record_life(BCOS_RAW_BIRTH, 7, 0, 72, 0, "again"));
	end_pair(p, from, "3000 7 name seven\n3006 7 cancel 2147483647\n3006 7 name again\n");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same), cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_names), cmocka_unit_test(test_strangers),
	};

	return cmocka_run_group_tests_name("shortcut", tests, NULL, NULL);
}
