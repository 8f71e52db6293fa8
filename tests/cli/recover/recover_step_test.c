// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A machine may end amid a record: after no instruction of the functions that put one there is a log with a wrong name. If
 * a panic seals it, nothing but this record is missing, and the log says so. The test traces a process that puts it.
 */
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "seen.h"

/* The CPU that puts the record. */
static u32 putting;

/*
 * Makes a machine whose next record goes to the beginning of the ring of the CPU, where records of the former lap name
 * "wrong" a process that there is not. All of them are merged.
 */
static struct made_image *a_second_lap(void)
{
	struct made_image *made = made_new();
	u32 unit = (u32)made->stage[putting].head;

	for (; unit % 3 != MADE_UNITS % 3; unit++)
		made_switch(made, putting, 1);
	for (; unit < MADE_UNITS; unit += 3) {
		made_life(made, putting, BCOS_RAW_RENAME, 900, 1, "wrong");
		if (unit % 64 == 0)
			made_merge(made);
	}
	assert_int_equal(made->stage[putting].head, MADE_UNITS);
	made_merge(made);
	made_publish(made);
	return made;
}

static void put_birth(struct made_image *made)
{
	made_life(made, putting, BCOS_RAW_BIRTH, 101, 9, "as");
}

/* The same by the function for short records, which probes use. */
static void put_short_birth(struct made_image *made)
{
	made_time += 1000;
	bcos_stage_put_short(&made->stage[putting], made_clock, 3, bcos_stage_head(BCOS_RAW_BIRTH, 3, 0, 101),
			     bcos_stage_life(9, 0), 0x7361, 0);
}

/* The same, where the function takes its slow path. */
static void put_full_birth(struct made_image *made)
{
	made->stage[putting].soft = made->stage[putting].head;
	put_short_birth(made);
}

static void put_text(struct made_image *made)
{
	made_mark(made, putting);
}

/* The ring is full, so that the record is counted as lost. */
static void lose_birth(struct made_image *made)
{
	made->stage[putting].tail = made->stage[putting].head - MADE_UNITS;
	put_full_birth(made);
}

/* What a process that is traced has changed. */
struct step {
	u8 ring[sizeof(((struct made_image *)NULL)->ring)];
	struct bcos_stage stage[MADE_CPUS + 1];
};

/* Takes what the process has in its memory. Returns whether that is news. */
static bool take_step(struct made_image *made, pid_t child)
{
	static struct step now;
	struct iovec to[] = { { now.ring, sizeof(now.ring) }, { now.stage, sizeof(now.stage) } };
	struct iovec from[] = { { made->ring, sizeof(now.ring) }, { made->stage, sizeof(now.stage) } };

	if (process_vm_readv(child, to, 2, from, 2, 0) != sizeof(now.ring) + sizeof(now.stage) ||
	    (!memcmp(now.ring, made->ring, sizeof(now.ring)) && !memcmp(now.stage, made->stage, sizeof(now.stage))))
		return false;
	memcpy(made->ring, now.ring, sizeof(now.ring));
	memcpy(made->stage, now.stage, sizeof(now.stage));
	return true;
}

/* Looks at the log of a machine that ends now. */
static void judge_step(struct made_image *made, bool sealed, struct seen *seen)
{
	struct recovered recovered;
	bool begun = made->stage[putting].mark, counted = made->stage[putting].lost.count[BCOS_LOSS_LIFE];

	made->header.state = BCOS_IMAGE_RUNNING;
	if (sealed)
		made_seal(made, "for a test", "");
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, seen), 0);
	assert_int_equal(seen->violations, 0);
	assert_int_equal(seen->wrong_names, 0);
	assert_true(seen->marks + seen->births <= 1);
	/* A record that has begun may be missing, and one that had no room is. Nothing else is said to be. */
	if (sealed)
		assert_int_equal(seen->losses > 0, begun || counted);
}

/*
 * Another process makes the record, and the machine ends after each of its instructions that changes the ring or what the
 * CPU knows of it. Returns false if no process may be traced here. @seen: out: the log after the last one.
 */
static bool step_through(struct made_image *made, void (*put)(struct made_image *), bool sealed, struct seen *seen,
			 u32 *states)
{
	pid_t child = fork();
	int status;

	*states = 0;
	if (!child) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			_exit(1);
		raise(SIGSTOP);
		put(made);
		_exit(0);
	}
	while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
		if (take_step(made, child)) {
			judge_step(made, sealed, seen);
			++*states;
		}
		ptrace(PTRACE_SINGLESTEP, child, NULL, NULL);
	}
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* A record that the end cut is not in the log, and in no case a mixture with what the ring had there before. */
static void end_at_any_step(bool sealed)
{
	static void (*const puts[])(struct made_image *) = {
		put_birth, put_short_birth, put_full_birth, put_text, lose_birth,
	};
	struct seen seen;
	u32 i, states;

	for (i = 0; i < sizeof(puts) / sizeof(puts[0]); i++) {
		struct made_image *made = a_second_lap();
		bool traced = step_through(made, puts[i], sealed, &seen, &states);

		made_free(made);
		if (!traced)
			skip();
		/* The test sees more than the beginning and the end, and at the end the record. */
		assert_true(states > 2);
		assert_int_equal(seen.marks, puts[i] == put_text);
		assert_int_equal(seen.births, puts[i] != put_text && puts[i] != lose_birth);
		if (sealed)
			assert_int_equal(seen.losses, puts[i] == lose_birth);
	}
}

static void test_reset(void **state)
{
	(void)state;
	putting = 0;
	end_at_any_step(false);
}

static void test_panic(void **state)
{
	(void)state;
	for (putting = 0; putting < MADE_CPUS; putting++)
		end_at_any_step(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_panic),
	};

	return cmocka_run_group_tests_name("recover_step", tests, NULL, NULL);
}
