// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * 200,000 switches a second on each of two CPUs, and births and deaths among 200 processes, are held without a loss in
 * what the module has by default: 1 MiB of staging a CPU, 8 MiB of ring.
 *
 * Events come by a clock that the test advances, and each pass of the log writer advances it by the processor time that
 * the pass really took on this machine (with the sanitizers' share). So a machine that is busy with other things
 * changes nothing, and a writer that falls behind fills the staging. The writer comes when staging asks for it, as late
 * as a scheduler lets a real-time thread wait: 5 ms.
 */
#include <time.h>

#include "core/rules/rules.h"
#include "check.h"
#include "core/format/entry.h"
#include "core/merge/merge.h"
#include "testhost.h"

#define CPUS 2
#define PROCESSES 200
#define UNITS ((1u << 20) / sizeof(struct bcos_unit))
#define GAP 5000		/* ns from one switch of a CPU to its next: 200,000/s */
#define LIFE 1000		/* switches of a CPU from one birth to the next */
#define SECONDS 3
#define SUMMONS 5000000		/* ns from the call for the writer to its pass */

static u64 now = 1000000000;

static u64 clock_now(void)
{
	return now;
}

static u64 own_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (u64)time.tv_sec * 1000000000u + (u64)time.tv_nsec;
}

struct machine {
	struct bcos_log log;
	struct bcos_merge merge;
	struct bcos_stage stage[CPUS] __attribute__((aligned(64)));
	struct bcos_unit *unit[CPUS];
	struct test_host host;
	void *ring;
	u64 seed, next[CPUS], staged[CPUS], switches, lost, fullest;
	u32 born;		/* number of lives so far */
	bool called;		/* staging asked for the writer */
	u64 call_time;
};

#define RING (8u << 20)

static void machine_up(struct machine *m)
{
	struct bcos_seen_cpu cpu[CPUS];
	struct bcos_seen seen[PROCESSES] = { 0 };
	u32 i;

	m->ring = test_ring_map(RING);
	assert_int_equal(bcos_log_init(&m->log, &test_host, &m->host, m->ring, RING, CPUS, 1), 0);
	assert_int_equal(bcos_merge_init(&m->merge, &m->log, CPUS), 0);
	for (i = 0; i < PROCESSES; i++) {
		seen[i].id = i + 1;
		snprintf(seen[i].name, sizeof(seen[i].name), "process-%u", i);
	}
	for (i = 0; i < CPUS; i++)
		cpu[i] = (struct bcos_seen_cpu){ i, i };
	assert_int_equal(bcos_log_prime(&m->log, cpu, CPUS, seen, PROCESSES, now, now), 0);
	for (i = 0; i < CPUS; i++) {
		m->unit[i] = calloc(UNITS, sizeof(struct bcos_unit));
		assert_non_null(m->unit[i]);
		bcos_stage_init(&m->stage[i], m->unit[i], UNITS);
		bcos_merge_add(&m->merge, i, &m->stage[i]);
		m->next[i] = now + GAP + i;
	}
}

static void machine_down(struct machine *m)
{
	u32 i;

	bcos_merge_destroy(&m->merge);
	bcos_log_destroy(&m->log);
	test_ring_unmap(m->ring, RING);
	for (i = 0; i < CPUS; i++)
		free(m->unit[i]);
}

static void count_staged(struct machine *m, u32 cpu, enum bcos_staged result)
{
	u64 used = m->stage[cpu].head - m->stage[cpu].tail;

	if (used > m->fullest)
		m->fullest = used;
	if (result == BCOS_STAGE_LOST || result == BCOS_STAGE_LOST_KICK)
		m->lost++;
	if ((result == BCOS_STAGED_KICK || result == BCOS_STAGE_LOST_KICK) && !m->called) {
		m->called = true;
		m->call_time = now;
	}
}

static void live_and_die(struct machine *m, u32 cpu)
{
	struct feed_record birth = record_life(BCOS_RAW_BIRTH, 1000 + m->born % 30000, 0, m->born, 0, "short-lived");
	struct feed_record dead = record_life(BCOS_RAW_DEAD, 1000 + m->born % 30000, 0, m->born, 0, NULL);

	count_staged(m, cpu, bcos_stage_put(&m->stage[cpu], clock_now, &birth.raw, birth.units));
	count_staged(m, cpu, bcos_stage_put(&m->stage[cpu], clock_now, &dead.raw, dead.units));
	m->born++;
}

/* Puts the events of the CPUs until @time. */
static void put_events(struct machine *m, u64 time)
{
	u32 cpu;

	for (;;) {
		cpu = m->next[1] < m->next[0];
		if (m->next[cpu] > time)
			break;
		now = m->next[cpu];
		m->next[cpu] += GAP;
		count_staged(m, cpu, bcos_stage_put_one(&m->stage[cpu], clock_now,
							bcos_stage_word(BCOS_RAW_SWITCH, 0,
									(u32)(next_random(&m->seed) % PROCESSES) + 1)));
		m->switches++;
		if (++m->staged[cpu] % LIFE == 0)
			live_and_die(m, cpu);
	}
	now = time;
}

static void run_writer(struct machine *m)
{
	u64 spent = own_time();
	u64 begun = now;
	bool more;

	m->called = false;
	do {
		more = bcos_merge_pass(&m->merge, clock_now, 65536);
		/* These records come while the writer is busy. */
		put_events(m, begun + (own_time() - spent));
	} while (more && !m->lost);
}

/* Return: was everything recorded? */
static bool keeps_up(void)
{
	struct machine *m = aligned_alloc(64, sizeof(*m));
	u64 begin, bytes, passes = 0;
	bool kept;

	assert_non_null(m);
	memset(m, 0, sizeof(*m));
	m->seed = 1;
	machine_up(m);
	begin = now;
	while (now < begin + SECONDS * 1000000000ull && !m->lost) {
		while (!m->called)
			put_events(m, now + GAP);
		if (m->call_time + SUMMONS > now)
			put_events(m, m->call_time + SUMMONS);
		run_writer(m);
		passes++;
	}
	bytes = m->log.ring.now.head.offset;
	print_message("# %llu switches, %u lives, %llu passes, staging %llu %% full at most, %.2f bytes a switch\n",
		      (unsigned long long)m->switches, m->born, (unsigned long long)passes,
		      (unsigned long long)(100 * m->fullest / UNITS), (double)bytes / (double)m->switches);
	kept = !m->lost;
	if (!kept)
		goto out;
	assert_true(m->switches >= 2 * SECONDS * (1000000000ull / GAP) - 2);
	assert_int_equal(m->stage[0].nested + m->stage[1].nested, 0);
	assert_int_equal(m->log.stats.clamped, 0);
	assert_int_equal(m->log.stats.unnamed, 0);
	/* The ring has wrapped. A switch takes at most 26 bytes, with historical entries and without lives. */
	assert_true(m->log.ring.now.compactions > 2);
	bytes -= m->born * (bcos_entry_size(sizeof(struct bcos_process_name), strlen("short-lived")) +
			    sizeof(struct bcos_cancel_name));
	assert_true(bytes <= 26 * m->switches);
	assert_true(bytes >= 23 * m->switches);
out:
	machine_down(m);
	free(m);
	return kept;
}

/*
 * Time that a busy host takes from a pass may count as the pass's own, so there are three tries: a writer that is too
 * slow fails them all.
 */
static void test_rate(void **state)
{
	u32 tries = 3;

	while (!keeps_up())
		assert_int_not_equal(--tries, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rate),
	};

	return cmocka_run_group_tests_name("rate", tests, NULL, NULL);
}
