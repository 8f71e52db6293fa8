// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * An image of which a byte is wrong or missing is refused, or its log says so; no name in it is wrong.
 *
 * test: timeout=300:900
 */
#include "seen.h"

/* All stages claim the whole of the rings: the image is refused, as its size bounds the work. */
static void test_shared_ring(void **state)
{
	struct made_image *made = a_machine();
	struct bcos_image_stage *stage = bcos_image_part(&made->header, made->bytes, BCOS_IMAGE_STAGES);
	const struct bcos_image_section *rings = &made->header.section[BCOS_IMAGE_RINGS];
	struct recovered recovered;
	struct seen seen;
	u64 sum;
	u32 i;

	(void)state;
	made_end(made);
	for (i = 0; i <= MADE_CPUS; i++)
		stage[i] = (struct bcos_image_stage){ .offset = rings->offset, .room = rings->size };
	sum = bcos_image_stages_sum(stage, MADE_CPUS + 1);
	memcpy(&stage[MADE_CPUS + 1], &sum, sizeof(sum));
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), -EBADMSG);
	made_free(made);
}

/* What no probe says of a thread is no record: nothing is made of it, and its units count as unread. */
static void test_no_such_state(void **state)
{
	static const struct {
		u16 aux;
		bool sound;
	} cases[] = {
		{ BCOS_TASK_WOKEN | BCOS_RAW_WAKER(BCOS_WAKER_NET), true },
		{ BCOS_TASK_WOKEN | BCOS_RAW_WAKER(BCOS_WAKER_NET + 1), false },
		{ BCOS_TASK_WOKEN | BCOS_RAW_WAKER(15), false },
		{ BCOS_TASK_HELD_BACK, true },
		{ BCOS_TASK_HELD_BACK + 1, false },
	};
	struct recovered recovered;
	struct made_image *made;
	struct seen seen;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		made = a_machine();
		made_time += 1000;
		bcos_stage_put_short(&made->stage[0], made_clock, 2,
				     bcos_stage_head(BCOS_RAW_STATE, 2, cases[i].aux, 100), 100, 0, 0);
		made_seal(made, "for a test", "");
		made_end(made);
		assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
		assert_int_equal(seen.violations, 0);
		assert_int_equal(seen.marks, 20);
		assert_int_equal(recovered.unread, cases[i].sound ? 0 : 2);
		made_free(made);
	}
}

static void test_any_byte(void **state)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;
	u64 at, ring, step;
	u8 *copy;

	(void)state;
	made_seal(made, "for a test", "<0>[    0.001010] Kernel panic - not syncing: for a test\n");
	made_end(made);
	copy = malloc(made->size);
	memcpy(copy, made->bytes, made->size);
	ring = made->header.section[BCOS_IMAGE_RING].offset;
	/* Everything before the log has a sum, or does not count; most of it is unused. */
	for (at = 0, step = 1; at < ring; at += step) {
		step = made->bytes[at] ? 1 : 37;
		copy[at] ^= (u8)(1 + at % 255);
		if (!recover(copy, made->size, NULL, &recovered, &seen)) {
			assert_int_equal(seen.violations, 0);
			assert_int_equal(seen.wrong_names, 0);
			assert_false(seen.out_of_order);
			/* A seal that is damaged tells nothing, and the records end where they end. */
			assert_int_equal(seen.marks, 20);
			assert_int_equal(seen.ends, 1);
		}
		copy[at] = made->bytes[at];
	}
	free(copy);
	made_free(made);
}

static void test_any_end(void **state)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;
	u64 size, rings;
	u8 *copy;

	(void)state;
	made_end(made);
	rings = made->header.section[BCOS_IMAGE_RINGS].offset;
	for (size = 0; size < made->size; size += size < 6000 ? 13 : 1019) {
		/* The memory ends where the image does, so that ASan finds a look behind it. */
		copy = malloc(size ? size : 1);
		memcpy(copy, made->bytes, size);
		if (recover(copy, size, NULL, &recovered, &seen)) {
			assert_true(size < rings);
		} else {
			assert_true(size >= rings - 4096);
			assert_int_equal(seen.violations, 0);
			assert_false(seen.out_of_order && !seen.losses);
			assert_true(seen.marks == 20 || seen.losses);
		}
		free(copy);
	}
	made_free(made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shared_ring),
		cmocka_unit_test(test_no_such_state),
		cmocka_unit_test(test_any_byte),
		cmocka_unit_test(test_any_end),
	};

	return cmocka_run_group_tests_name("recover_damage", tests, NULL, NULL);
}
