// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The log of an image has what was merged and what was not, in order, and says how the machine ended and what is lost.
 *
 * test: timeout=300:900
 */
#include "seen.h"

static void test_reset(void **state)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;

	(void)state;
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.marks, 20);
	assert_false(seen.out_of_order);
	assert_int_equal(seen.reads, 2);
	assert_int_equal(seen.ends, 1);
	assert_int_equal(seen.losses, 0);
	assert_non_null(strstr(seen.end, "without notice"));
	assert_int_equal(recovered.unread, 0);
	made_free(made);
}

static void test_panic(void **state)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;

	(void)state;
	made_seal(made, "for a test", "<0>[    0.001010] Kernel panic - not syncing: for a test\n"
				      "<4>[    0.001011] CPU: 0\n");
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.marks, 20);
	assert_false(seen.out_of_order);
	assert_string_equal(seen.end, "panic: for a test");
	assert_int_equal(seen.panics, 1);
	made_free(made);
}

/* Lines that the kernel printed after the newest record, which is what a panic does, by a clock without ticks. */
static void test_late_lines(void **state)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;
	char lines[100];

	(void)state;
	made_time += 50000000;
	snprintf(lines, sizeof(lines), "<0>[    0.%06u] Kernel panic - not syncing: for a test\n",
		 (u32)(made_time / 1000 - 1000));
	made_seal(made, "for a test", lines);
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.marks, 20);
	assert_int_equal(seen.panics, 1);
	assert_int_equal(seen.losses, 0);
	assert_int_equal(recovered.unread, 0);
	made_free(made);
}

/* A kernel with printk.time=0 prints lines without times. */
static void test_lines_without_times(void **state)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;

	(void)state;
	made_seal(made, "for a test", "<0>Kernel panic - not syncing: for a test\n<4>[drm] off\n");
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.marks, 20);
	assert_false(seen.out_of_order);
	assert_int_equal(seen.panics, 1);
	assert_int_equal(recovered.unread, 0);
	made_free(made);
}

/* The log writer makes a pass after the image was sealed, and the kernel still records something. */
static void pass_after_seal(u64 state, u32 marks)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;

	/* CPU 0 has begun its record when the seal is written. */
	made->stage[0].mark = 1;
	made_seal(made, "for a test", "");
	made->stage[0].mark = 0;
	made->header.state = state;
	made_mark(made, 0);
	made_mark(made, 1);
	made_merge(made);
	made_publish(made);
	made_mark(made, 0);
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.marks, marks);
	assert_int_equal(seen.losses, 0);
	assert_int_equal(recovered.unread, 0);
	made_free(made);
}

static void test_pass_after_seal(void **state)
{
	(void)state;
	pass_after_seal(BCOS_IMAGE_SEALED, 23);
	pass_after_seal(BCOS_IMAGE_CLEAN, 23);
}

/* A clean end is sealed, and CPU 0 is amid a record then if @amid; it puts one after that if @ends. */
static void record_after_seal(bool amid, bool ends, u32 losses)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;

	made->stage[0].mark = amid;
	made_seal(made, "for a test", "");
	made->stage[0].mark = 0;
	made->header.state = BCOS_IMAGE_CLEAN;
	if (ends)
		made_mark(made, 0);
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.marks, 20 + ends);
	assert_int_equal(seen.losses, losses);
	assert_int_equal(recovered.unread, 0);
	made_free(made);
}

/* What the kernel recorded after a clean end was sealed is there, too, and no loss is stated of a record that is. */
static void test_record_after_seal(void **state)
{
	(void)state;
	record_after_seal(false, true, 0);
	record_after_seal(true, true, 0);
	record_after_seal(true, false, 1);
}

/* More marks than the ring has room for: as many as the seal says are stated as lost. */
static void test_losses(void **state)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;
	u32 i;

	(void)state;
	for (i = 0; i < MADE_UNITS; i++)
		made_mark(made, 1);
	assert_true(made->stage[1].lost.count[BCOS_LOSS_USER] > 0);
	made_seal(made, "for a test", "");
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.losses, 1);
	assert_int_equal(seen.marks + made->stage[1].lost.count[BCOS_LOSS_USER], made->marks);
	made_free(made);
}

/* The newest record of a CPU is damaged, although the seal says that it is there. */
static void test_damaged_record(void **state)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;

	(void)state;
	made_seal(made, "for a test", "");
	made->ring[0][(made->stage[0].head - 3) & (MADE_UNITS - 1)].word[1] = 0;
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(recovered.unread, 3);
	assert_int_equal(seen.losses, 1);
	made_free(made);
}

/* The end of "cc1" is lost, and the birth of another process with its ID: what that does has not the name of "cc1". */
static void test_lost_birth(void **state)
{
	struct bcos_raw raw = { .kind = BCOS_RAW_EVENT, .aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_PROCESS, 64), .id = 100 };
	struct bcos_raw_event event = { .event_id = 5, .tag = MADE_TAG + 1 };
	struct made_image *made = made_new();
	struct recovered recovered;
	struct seen seen;
	u32 i;

	(void)state;
	made_merge(made);
	made_publish(made);
	for (i = 0; !made->stage[1].lost.count[BCOS_LOSS_LIFE]; i++)
		made_life(made, 1, BCOS_RAW_BIRTH, 1000 + i, 9, "as");
	made_life(made, 1, BCOS_RAW_DEAD, 100, MADE_TAG, NULL);
	made_life(made, 1, BCOS_RAW_BIRTH, 100, MADE_TAG + 1, "as");
	assert_int_equal(made->stage[1].lost.count[BCOS_LOSS_LIFE], 3);
	made_time += 1000;
	bcos_stage_put_text(&made->stage[0], made_clock, &raw, &event, "other", 5);
	made_seal(made, "for a test", "");
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.wrong_names, 0);
	/* One entry states the births and deaths. */
	assert_int_equal(seen.losses, 1);
	made_free(made);
}

static void set_seal_sum(struct made_image *made)
{
	struct bcos_image_seal *seal = bcos_image_part(&made->header, made->bytes, BCOS_IMAGE_SEAL);

	seal->sum = bcos_image_seal_sum(seal, MADE_CPUS + 1);
}

/* The machine ended while a CPU counted a loss, so nobody knows how many there are. */
static void test_torn_losses(void **state)
{
	struct made_image *made = a_machine();
	struct bcos_image_seal *seal = bcos_image_part(&made->header, made->bytes, BCOS_IMAGE_SEAL);
	struct recovered recovered;
	struct seen seen;

	(void)state;
	made_seal(made, "for a test", "");
	seal->head[1].sequence = 1;
	set_seal_sum(made);
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.losses, 1);
	made_free(made);
}

/* The end tells of records of a CPU that had no ring in the last pass. */
static void test_new_ring(void **state)
{
	struct made_image *made = a_machine();
	struct bcos_image_pass *pass = bcos_image_copy(&made->header, made->bytes, BCOS_IMAGE_PASS, made->sequence);
	struct recovered recovered;
	struct seen seen;

	(void)state;
	pass->source[1].size = 0;
	pass->sum = bcos_image_pass_sum(pass, MADE_CPUS + 1);
	made_seal(made, "for a test", "");
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.losses, 1);
	made_free(made);
}

/* A dump lacks the memory that tells where the records of a CPU end. */
static void test_missing_end(void **state)
{
	struct made_image *made = a_machine();
	struct recover_end ends[MADE_CPUS + 1] = { 0 };
	struct recovered recovered;
	struct seen seen;
	u32 cpu;

	(void)state;
	made_end(made);
	for (cpu = 1; cpu <= MADE_CPUS; cpu++)
		ends[cpu] = (struct recover_end){ .known = true, .head.head = made->stage[cpu].head };
	assert_int_equal(recover(made->bytes, made->size, ends, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.marks, 20);
	assert_int_equal(seen.losses, 1);
	made_free(made);
}

/* Recover what a panic left with these lines, of which a byte, and the seal, may be damaged.  Return: the losses. */
static u32 losses_of_lines(const char *lines, bool damaged, bool sealed)
{
	struct made_image *made = a_machine();
	struct bcos_image_kmsg *kmsg = bcos_image_part(&made->header, made->bytes, BCOS_IMAGE_KMSG);
	struct bcos_image_seal *seal = bcos_image_part(&made->header, made->bytes, BCOS_IMAGE_SEAL);
	struct recovered recovered;
	struct seen seen;

	made_seal(made, "for a test", lines);
	kmsg->first ^= damaged;
	seal->wall ^= !sealed;
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.marks, 20);
	assert_int_equal(!!recovered.unread, !!seen.losses);
	made_free(made);
	return seen.losses;
}

/* Lines that cannot be read, or have no time, are missing, and the log says so. */
static void test_missing_lines(void **state)
{
	static const char line[] = "<0>[    0.001010] Kernel panic - not syncing: for a test\n";

	(void)state;
	assert_int_equal(losses_of_lines(line, false, true), 0);
	assert_int_equal(losses_of_lines("", false, true), 0);
	assert_int_equal(losses_of_lines("", false, false), 0);
	assert_int_equal(losses_of_lines(line, true, true), 1);
	assert_int_equal(losses_of_lines("", true, true), 1);
	assert_int_equal(losses_of_lines(line, false, false), 1);
	assert_int_equal(losses_of_lines("no line\n", false, true), 1);
}
/* Stages any records, among them texts that look like records. */
static void stage_any(struct made_image *made, u32 cpu)
{
	struct bcos_raw raw = { .kind = BCOS_RAW_EVENT, .aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_PROCESS, 64), .id = 100 };
	struct bcos_raw_event event = { .event_id = 5, .tag = MADE_TAG };
	struct bcos_raw fake[4];
	u32 i;

	switch (rand() % 6) {
	case 0:
		for (i = 0; i < 4; i++)
			fake[i] = (struct bcos_raw){ .time = made_time - 1 - (u64)(rand() % 1000), .kind = BCOS_RAW_SWITCH,
						     .units = 1, .id = 100 };
		made_time += 1000;
		bcos_stage_put_text(&made->stage[cpu], made_clock, &raw, &event, (const char *)fake, sizeof(fake));
		break;
	case 1:
		made_switch(made, cpu, rand() & 1 ? 100 : 1);
		break;
	case 2:
		made_read(made, cpu, (u64)rand());
		break;
	case 3:
		made_life(made, cpu, BCOS_RAW_BIRTH, 200, 11, "as");
		made_life(made, cpu, BCOS_RAW_DEAD, 200, 11, NULL);
		break;
	default:
		made_mark(made, cpu);
	}
}

/* The walk over the records finds the true head of each ring, after any number of laps. */
static void test_heads(void **state)
{
	u32 round, i, cpu, steps;

	(void)state;
	srand(1);
	for (round = 0; round < 300; round++) {
		struct made_image *made = made_new();
		struct recovered recovered;
		struct recover_end ends[MADE_CPUS + 1] = { 0 };
		struct seen seen, told;

		steps = (u32)(rand() % 2000);
		for (i = 0; i < steps; i++) {
			stage_any(made, (u32)(rand() & 1));
			if (rand() % 50 == 0)
				made_merge(made);
		}
		made_merge(made);
		made_publish(made);
		for (i = (u32)(rand() % 150); i; i--)
			stage_any(made, (u32)(rand() & 1));
		made_end(made);
		assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
		for (cpu = 0; cpu <= MADE_CPUS; cpu++) {
			ends[cpu].known = true;
			ends[cpu].head.head = made->stage[cpu].head;
		}
		assert_int_equal(recover(made->bytes, made->size, ends, &recovered, &told), 0);
		assert_int_equal(recovered.unread, 0);
		assert_int_equal(seen.violations, 0);
		assert_int_equal(told.violations, 0);
		assert_int_equal(seen.marks, told.marks);
		assert_int_equal(seen.reads, told.reads);
		made_free(made);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_panic),
		cmocka_unit_test(test_late_lines),
		cmocka_unit_test(test_lines_without_times),
		cmocka_unit_test(test_pass_after_seal),
		cmocka_unit_test(test_record_after_seal),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_damaged_record),
		cmocka_unit_test(test_lost_birth),
		cmocka_unit_test(test_torn_losses),
		cmocka_unit_test(test_new_ring),
		cmocka_unit_test(test_missing_end),
		cmocka_unit_test(test_missing_lines),
		cmocka_unit_test(test_heads),
	};

	return cmocka_run_group_tests_name("recover", tests, NULL, NULL);
}
