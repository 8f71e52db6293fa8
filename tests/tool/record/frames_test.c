// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The frames of a recording: where they end, and which of them begin with a group. */
#include "made_frames.h"

/* ---- sizes ------------------------------------------------------------------------------------------ */

/* Gives assignments of CPU 0, of 24 bytes each, from a time on. */
static void give_assignments(u64 time, u32 count)
{
	static u8 many[24 * 50000];
	struct bcoslog_batch batch = { .first = (struct bcos_entry *)many, .end = (void *)(many + 24 * count) };
	const struct bcos_entry *done = batch.first;
	u32 i;

	for (i = 0; i < count; i++)
		memcpy(many + 24 * i, assign(0, time + i, 10), 24);
	assert_int_equal(recording_entries(recording, &batch, &done), 0);
	assert_ptr_equal(done, batch.end);
}

/* 204 bytes, and 43683 times 24, are the first that are not less than 2^20. */
static void a_frame_has_a_mebibyte(void **state)
{
	give_log();
	give_assignments(3000, 43683);
	assert_int_equal(frame_count, 0);
	give_assignments(50000, 1);
	assert_int_equal(frame_count, 1);
	assert_int_equal(frames[0].note.raw, 204 + 43683 * 24);
	assert_note(0, 7 + 43683, ARCHIVE_KEY | ARCHIVE_WALL, 1000, 3000 + 43682);
	flush_recording();
	assert_string_equal(told_in(1), "runs 0 @50000");
	/* One of just 2^20 bytes: with a name that takes 28, and 43681 times 24. */
	begin_recording(state);
	give_log();
	gives(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 11, 70, "eleven"));
	give_assignments(3000, 43682);
	assert_int_equal(frame_count, 1);
	assert_int_equal(frames[0].note.raw, 1 << 20);
}

/* More than 2^24 bytes after a group comes the next one: 16 frames have 16777356. */
static void a_group_comes_again(void **state)
{
	u32 i;

	give_log();
	give_assignments(3000, 43683);
	for (i = 1; i < 16; i++)
		give_assignments(i * 50000, 43691);
	give_assignments(1000000, 1);
	flush_recording();
	assert_int_equal(frame_count, 17);
	for (i = 1; i < 16; i++)
		assert_note(i, 43691, ARCHIVE_WALL, i * 50000, i * 50000 + 43690);
	assert_string_equal(told_in(16), GROUP ", was 0 @793690, wall clock 50.000792690 @793690, runs 0 @1000000");
	assert_string_equal(calls, "bFFFFFFFFFFFFFFFFF");
}

/* A group of 629 kB takes a 32nd part of 20.1 MB: its own frame and 19 others have more, and 18 others less. */
static void a_large_group_comes_less_often(void **state)
{
	u32 i;

	give_log();
	for (i = 0; i < 13106; i++)
		gives(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 100 + i, 60, "a name that has 27 letters."));
	flush_recording();
	is_full = true;
	gives(assign(0, 2000, 10));
	flush_recording();
	assert_string_equal(calls, "bFfF");
	assert_int_equal(frames[1].note.flags, ARCHIVE_KEY | ARCHIVE_WALL);
	for (i = 0; i < 19; i++) {
		give_assignments(3000 + i * 50000, 43691);
		flush_recording();
		assert_note(2 + i, 43691, ARCHIVE_WALL, 3000 + i * 50000, 3000 + i * 50000 + 43690);
	}
	gives(assign(0, 2000000, 10));
	flush_recording();
	assert_int_equal(frames[21].note.flags, ARCHIVE_KEY | ARCHIVE_WALL);
}

/* Within a group a frame has 15 MiB at most: 15421 names of 1020 bytes are the first that have them. */
static void a_group_of_several_frames(void **state)
{
	static u32 large[255];
	struct bcos_entry *entry = (struct bcos_entry *)large;
	u32 i;

	memset(large, 'x', sizeof(large));
	*entry = (struct bcos_entry){ .size = 1020, .type = BCOS_HIST_SET_PROCESS_NAME, .time = 1, .precision = 1 };
	gives(assign(0, 5, 10));
	flush_recording();
	for (i = 0; i < 15422; i++) {
		entry->source = i + 1;
		assert_int_equal(frame_count, 1);
		gives(entry);
	}
	assert_int_equal(frame_count, 2);
	assert_int_equal(frames[1].note.entries, 15421);
	/* The rest ends before the first event. */
	gives(assign(0, 6, 10));
	assert_int_equal(frame_count, 2);
	flush_recording();
	assert_int_equal(frames[2].note.entries, 2);
}

/* ---- other files --------------------------------------------------------------------------------------- */

/* The group at the beginning of a file has what each CPU runs, in the order in which that was said. */
static void a_file_begins_as_of_its_first_entry(void **state)
{
	give_log();
	gives(made_word(&made, BCOS_HIST_CPU_ONLINE, 1023, 6, 0));
	gives(made_word(&made, BCOS_HIST_CPU_ONLINE, 1024, 6, 0));
	gives(assign(1023, 2001, 10));
	gives(assign(1024, 2002, 10));
	gives(assign(1023, 2003, 0));
	gives(assign(1024, 2004, 0));
	gives(made_word(&made, BCOS_IRQ, 3, 2005, 1));
	flush_recording();
	is_full = true;
	gives(assign(0, 3000, 0));
	/* It became full meanwhile, but this frame has a group. */
	gives(made_word(&made, BCOS_IRQ, 3, 3001, 1));
	flush_recording();
	gives(assign(0, 3002, 10));
	flush_recording();
	assert_string_equal(calls, "bFfFF");
	assert_string_equal(told_in(1), "core 0 @5, cpu 0 @6, cpu 1023 @6, cpu 1024 @6, name 0 @0, name 10 @50, "
			    "device 3 @60, was 0 @2000, was 1023 @2003, was 1024 @2004, wall clock 50.000001005 @2005, "
			    "runs 0 @3000, irq 3 @3001");
	assert_string_equal(told_in(2), "runs 0 @3002");
}

/* A file that became full after the frame had begun is closed before the next one that begins with a group. */
static void a_file_that_becomes_full_within_a_frame(void **state)
{
	give_log();
	gives(assign(0, 2500, 11));
	flush_recording();
	gives(assign(0, 3000, 10));
	gives(assign(1, 3001, 10));
	is_full = true;
	flush_recording();
	assert_string_equal(calls, "bFF");
	gives(assign(0, 3002, 10));
	flush_recording();
	assert_string_equal(calls, "bFFfF");
	assert_string_equal(told_in(2), GROUP ", was 0 @3000, wall clock 50.000002001 @3001, runs 0 @3002");
	/* An assignment that waited once does not come again. */
	gives(assign(0, 4000, 0));
	flush_recording();
	is_full = true;
	gives(assign(0, 4001, 10));
	flush_recording();
	assert_string_equal(told_in(4), GROUP ", was 0 @4000, wall clock 50.000003000 @4000, runs 0 @4001");
}

/* Such a log began before the recorder, as a pipe may. */
static void a_log_without_a_group(void **state)
{
	gives(statement(1000, BCOS_EVENT_CLOCK, "wall clock 50.000000000"));
	gives(assign(0, 2000, 10));
	flush_recording();
	is_full = true;
	gives(assign(0, 2001, 10));
	flush_recording();
	assert_string_equal(calls, "bFF");
	assert_string_equal(told_in(1), "runs 0 @2001");
}

/* It has more bytes than it needs, all of which are recorded. */
static void a_longer_entry(void **state)
{
	u32 body[] = { 10, 0x12345678 };
	const struct bcos_entry *entry;

	give_log();
	gives(made_entry(&made, BCOS_ASSIGN_CPU, 0, 2001, body, sizeof(body)));
	gives(assign(0, 2002, 10));
	flush_recording();
	assert_string_equal(told_in(0),
			    GROUP ", wall clock 50.000000000 @1000, runs 0 @2000, runs 0 @2001, runs 0 @2002");
	entry = (const struct bcos_entry *)(frames[0].raw + 204);
	assert_int_equal(entry->size, 28);
	assert_memory_equal(entry + 1, body, sizeof(body));
}

#define FIRST "01020304-0506-0708-090a-0b0c0d0e0f10"
#define SECOND "11020304-0506-0708-090a-0b0c0d0e0f10"

/* A log that is not of this machine says whose it is, and of which boot. */
static void each_boot_has_files_of_its_own(void **state)
{
	struct archive_header empty = { 0 };
	u32 of_this_machine;

	for (of_this_machine = 0; of_this_machine < 2; of_this_machine++) {
		begin_recording(state);
		recording_free(recording);
		recording = recording_new(STORE, &empty, of_this_machine);
		give_group();
		gives(statement(1000, BCOS_EVENT_BOOT, "boot " FIRST));
		gives(statement(1000, BCOS_EVENT_HOST, "host one"));
		gives(assign(0, 2000, 10));
		/* It says so again. */
		gives(statement(2500, BCOS_EVENT_HOST, "host one"));
		gives(assign(0, 3000, 10));
		gives(missed(3000));
		give_group();
		gives(statement(100, BCOS_EVENT_BOOT, "boot " SECOND));
		gives(assign(0, 2000, 10));
		flush_recording();
		assert_string_equal(calls, of_this_machine ? "bFF" : "bFbfF");
		assert_string_equal(frames[0].header.machine.host, of_this_machine ? "" : "one");
		assert_int_equal(frames[0].header.boot[0], of_this_machine ? 0 : 1);
		assert_int_equal(frames[1].header.boot[0], of_this_machine ? 0 : 17);
		assert_string_equal(told_in(1), "missed @3000, " GROUP ", boot " SECOND " @100, runs 0 @2000");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		recording_test(a_frame_has_a_mebibyte),
		recording_test(a_group_comes_again),
		recording_test(a_large_group_comes_less_often),
		recording_test(a_group_of_several_frames),
		recording_test(a_file_begins_as_of_its_first_entry),
		recording_test(a_file_that_becomes_full_within_a_frame),
		recording_test(a_log_without_a_group),
		recording_test(a_longer_entry),
		recording_test(each_boot_has_files_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
