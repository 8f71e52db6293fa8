// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A machine may be reset amid a record: after no instruction of the functions that put one there is a log with a wrong
 * name. The test traces a process that puts it.
 */
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "seen.h"

/*
 * Makes a machine whose next record goes to the beginning of the ring of CPU 0, where records of the former lap name
 * "wrong" a process that there is not. All of them are merged.
 */
static struct made_image *a_second_lap(void)
{
	struct made_image *made = made_new();
	u32 unit = (u32)made->stage[0].head;

	for (; unit % 3 != MADE_UNITS % 3; unit++)
		made_switch(made, 0, 1);
	for (; unit < MADE_UNITS; unit += 3) {
		made_life(made, 0, BCOS_RAW_RENAME, 900, 1, "wrong");
		if (unit % 64 == 0)
			made_merge(made);
	}
	assert_int_equal(made->stage[0].head, MADE_UNITS);
	made_merge(made);
	made_publish(made);
	return made;
}

static void put_birth(struct made_image *made)
{
	made_life(made, 0, BCOS_RAW_BIRTH, 101, 9, "as");
}

/* The same by the function for short records, which probes use. */
static void put_short_birth(struct made_image *made)
{
	made_time += 1000;
	bcos_stage_put_short(&made->stage[0], made_clock, 3, bcos_stage_head(BCOS_RAW_BIRTH, 3, 0, 101),
			     bcos_stage_life(9, 0), 0x7361, 0);
}

/* The same, where the function takes its slow path. */
static void put_full_birth(struct made_image *made)
{
	made->stage[0].soft = made->stage[0].head;
	put_short_birth(made);
}

static void put_text(struct made_image *made)
{
	made_mark(made, 0);
}

/*
 * Another process makes the record, and the machine is reset after each of its instructions that changes the ring.
 * Returns false if no process may be traced here. @seen: out: the log after the last one.
 */
static bool step_through(struct made_image *made, void (*put)(struct made_image *), struct seen *seen, u32 *states)
{
	static u8 now[sizeof(made->ring)];
	struct iovec to = { now, sizeof(now) }, from = { made->ring, sizeof(now) };
	struct recovered recovered;
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
		if (process_vm_readv(child, &to, 1, &from, 1, 0) == (ssize_t)sizeof(now) &&
		    memcmp(now, made->ring, sizeof(now))) {
			memcpy(made->ring, now, sizeof(now));
			made_end(made);
			assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, seen), 0);
			assert_int_equal(seen->violations, 0);
			assert_int_equal(seen->wrong_names, 0);
			++*states;
		}
		ptrace(PTRACE_SINGLESTEP, child, NULL, NULL);
	}
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* A record that the reset cut is not in the log, and in no case a mixture with what the ring had there before. */
static void test_any_step(void **state)
{
	static void (*const puts[])(struct made_image *) = { put_birth, put_short_birth, put_full_birth, put_text };
	struct seen seen;
	u32 i, states;

	(void)state;
	for (i = 0; i < sizeof(puts) / sizeof(puts[0]); i++) {
		struct made_image *made = a_second_lap();
		bool traced = step_through(made, puts[i], &seen, &states);

		made_free(made);
		if (!traced)
			skip();
		/* The test sees more than the beginning and the end, and at the end the record. */
		assert_true(states > 2);
		assert_int_equal(puts[i] == put_text ? seen.marks : seen.births, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_step),
	};

	return cmocka_run_group_tests_name("recover_step", tests, NULL, NULL);
}
