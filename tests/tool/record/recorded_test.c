// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Entries on their way into files: which of them are new, and what is stated of those that are missing. */
#include "made_frames.h"
#include "failing_memory.h"

/* ---- what is new ----------------------------------------------------------------------------------- */

static void a_log_becomes_frames(void **state)
{
	give_log();
	assert_int_equal(recording_time(recording), 2000);
	assert_string_equal(calls, "b");
	flush_recording();
	assert_string_equal(calls, "bF");
	assert_string_equal(told_in(0), GROUP ", wall clock 50.000000000 @1000, runs 0 @2000");
	assert_note(0, 7, ARCHIVE_KEY | ARCHIVE_WALL, 1000, 2000);
	assert_int_equal(frames[0].note.historical, 5);
	assert_int_equal(frames[0].note.raw, 204);
	assert_memory_equal(&frames[0].header, &header, sizeof(header));
	assert_null(frames[0].cause);
	flush_recording();
	gives(assign(0, 3000, 10));
	flush_recording();
	assert_string_equal(calls, "bFF");
	assert_string_equal(told_in(1), "runs 0 @3000");
	/* The clock of before is that of this frame, too. */
	assert_note(1, 1, ARCHIVE_WALL, 3000, 3000);
	assert_int_equal(frames[1].note.wall.utc, 50000000000);
	assert_int_equal(frames[1].note.wall.boot, 1000);
}

static void what_is_known_is_not_repeated(void **state)
{
	give_log();
	gives(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 50, "ten"));
	gives(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 11, 70, "eleven"));
	/* A frame does not end within a group. */
	assert_int_equal(recording_tick(recording), 0);
	assert_int_equal(frame_count, 0);
	gives(assign(0, 2000, 10));
	assert_int_equal(recording_tick(recording), 0);
	assert_string_equal(told_in(0),
			    GROUP ", wall clock 50.000000000 @1000, runs 0 @2000, name 11 @70, runs 0 @2000");
	assert_int_equal(recording_tick(recording), 0);
	assert_int_equal(frame_count, 1);
}

/* Two entries have the newest time that is recorded, and one of them is. */
static void recording_goes_on_after_the_newest_entry(void **state)
{
	kept = (struct kept_end){ .known = true, .time = 2000, .count = 1 };
	give_log();
	gives(statement(2000, BCOS_EVENT_HOST, "host x"));
	flush_recording();
	assert_int_equal(frame_count, 0);
	gives(assign(0, 2000, 11));
	gives(assign(0, 2000, 12));
	flush_recording();
	assert_string_equal(calls, "bF");
	assert_string_equal(told_in(0),
			    GROUP ", was 0 @2000, wall clock 50.000001000 @2000, host x @2000, runs 0 @2000, "
			    "runs 0 @2000");
	assert_note(0, 10, ARCHIVE_KEY | ARCHIVE_WALL, 2000, 2000);
	/* From here on everything is new. */
	gives(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 11, 70, "eleven"));
	gives(assign(0, 2000, 11));
	flush_recording();
	assert_string_equal(told_in(1), "name 11 @70, runs 0 @2000");
}

static void everything_up_to_a_time_is_recorded(void **state)
{
	kept = (struct kept_end){ .known = true, .time = 3000, .count = 1 };
	give_log();
	gives(assign(0, 2999, 10));
	gives(assign(0, 3001, 11));
	flush_recording();
	assert_string_equal(told_in(0), GROUP ", was 0 @2999, wall clock 50.000001999 @2999, runs 0 @3001");
}

static void a_gap_is_stated_first(void **state)
{
	const struct bcos_entry *notice;

	kept = (struct kept_end){ .known = true, .time = 1500, .count = 1 };
	give_log();
	flush_recording();
	assert_string_equal(told_in(0), "nothing is recorded of this time: the recorder did not run, or was too late "
			    "@1500, " GROUP ", wall clock 50.000000000 @1000, runs 0 @2000");
	assert_note(0, 8, ARCHIVE_KEY | ARCHIVE_NOTICE | ARCHIVE_WALL, 1500, 2000);
	notice = (const struct bcos_entry *)frames[0].raw;
	assert_int_equal(notice->precision, 500);
	assert_true(bcoslog_is_missed(notice));
}

static void a_part_begins_where_it_is_asked_for(void **state)
{
	kept = (struct kept_end){ .known = true, .time = 2000, .count = 1 };
	recording_part(recording, 2000, "cause");
	give_group();
	gives(assign(0, 1999, 10));
	gives(assign(0, 2000, 10));
	flush_recording();
	assert_string_equal(calls, "pF");
	assert_string_equal(frames[0].cause, "cause");
	assert_string_equal(told_in(0), GROUP ", was 0 @1999, runs 0 @2000");
}

/* A log of nothing but a group is recorded if nothing of this boot is. */
static void a_group_alone(void **state)
{
	give_group();
	assert_int_equal(recording_finish(recording), 0);
	assert_string_equal(calls, "bF");
	assert_string_equal(told_in(0), GROUP);
	begin_recording(state);
	kept = (struct kept_end){ .known = true, .time = 7, .count = 1 };
	give_group();
	assert_int_equal(recording_finish(recording), 0);
	assert_string_equal(calls, "b");
	begin_recording(state);
	assert_int_equal(recording_finish(recording), 0);
	assert_string_equal(calls, "");
	/* The rest is written at the end, and the place where it begins is not looked for again. */
	give_log();
	kept.known = true;
	assert_int_equal(recording_finish(recording), 0);
	assert_string_equal(calls, "bF");
}

static void a_machine_that_another_one_records(void **state)
{
	begin_error = -EIO;
	give_group();
	assert_int_equal(give_entry(assign(0, 2000, 10)), -EIO);
	assert_ptr_equal(stopped_at, room);
	assert_int_equal(recording_finish(recording), -EIO);
	assert_int_equal(frame_count, 0);
}

/* ---- what is missing -------------------------------------------------------------------------------- */

static void damage_is_stated_before_the_next_entry(void **state)
{
	/* No time is known yet. */
	recording_damaged(recording, 7);
	give_log();
	recording_damaged(recording, 60);
	recording_damaged(recording, 40);
	give_group();
	gives(assign(0, 4000, 10));
	flush_recording();
	assert_string_equal(calls, "bFF");
	assert_string_equal(told_in(0), GROUP ", wall clock 50.000000000 @1000, runs 0 @2000");
	assert_string_equal(told_in(1), "nothing is recorded of 100 bytes: the log is damaged there @2000, " GROUP
			    ", runs 0 @4000");
	assert_note(1, 7, ARCHIVE_KEY | ARCHIVE_NOTICE | ARCHIVE_WALL, 2000, 4000);
	/* Statements of before are none of this part of the log. */
	is_full = true;
	gives(assign(0, 5000, 10));
	flush_recording();
	assert_string_equal(told_in(2), GROUP ", was 0 @4000, runs 0 @5000");
}

/* Where the group was damaged, too, no frame can begin with one. */
static void no_group_is_known_after_damage(void **state)
{
	give_log();
	flush_recording();
	recording_damaged(recording, 1);
	is_full = true;
	gives(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 50, "ten"));
	gives(assign(0, 3000, 10));
	flush_recording();
	gives(assign(0, 3001, 10));
	flush_recording();
	assert_string_equal(calls, "bFFF");
	assert_string_equal(told_in(2), "runs 0 @3001");
}

static void a_pause_is_told_of_once(void **state)
{
	give_log();
	recording_paused(recording, 1000000000, 13390000000);
	gives(missed(5000));
	give_group();
	gives(missed(6000));
	flush_recording();
	assert_string_equal(calls, "bFFF");
	assert_string_equal(told_in(1),
			    "missed: recording paused for 12.3 s, since there was no room on the disk @5000, "
			    GROUP);
	assert_int_equal(((const struct bcos_entry *)frames[1].raw)->precision, 1);
	assert_string_equal(told_in(2), "missed @6000");
}

/* Nothing is lost while the disk is full. */
static void a_full_disk(void **state)
{
	struct bcoslog_batch batch = { .first = (struct bcos_entry *)room };
	size_t used;

	give_log();
	used = assign(0, 3000, 10)->size;
	memcpy(room, made.word, used);
	memcpy((char *)room + used, missed(4000), 36);
	batch.end = (struct bcos_entry *)((char *)room + used + 32);
	stopped_at = batch.first;
	frame_error = -ENOSPC;
	assert_int_equal(recording_entries(recording, &batch, &stopped_at), -ENOSPC);
	assert_ptr_equal(stopped_at, (char *)room + used);
	assert_int_equal(recording_flush(recording), -ENOSPC);
	assert_int_equal(recording_tick(recording), -ENOSPC);
	frame_error = 0;
	assert_int_equal(recording_flush(recording), 0);
	assert_int_equal(recording_entries(recording, &batch, &stopped_at), 0);
	flush_recording();
	assert_string_equal(told_in(0), GROUP ", wall clock 50.000000000 @1000, runs 0 @2000, runs 0 @3000");
	assert_string_equal(told_in(1), "missed @4000");
}

/* ---- want of memory ----------------------------------------------------------------------------------- */

static void without_memory(void **state)
{
	failing = 1;
	assert_null(recording_new(STORE, &header, true));
	failing = 2;
	assert_null(recording_new(STORE, &header, true));
	assert_complains("bcoslog: no memory for the recording\n",
			 (failing = 1, give_entry(assign(0, 5, 10)) == -ENOMEM));
	failing = 0;
	recording_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		recording_test(a_log_becomes_frames),
		recording_test(what_is_known_is_not_repeated),
		recording_test(recording_goes_on_after_the_newest_entry),
		recording_test(everything_up_to_a_time_is_recorded),
		recording_test(a_gap_is_stated_first),
		recording_test(a_part_begins_where_it_is_asked_for),
		recording_test(a_group_alone),
		recording_test(a_machine_that_another_one_records),
		recording_test(damage_is_stated_before_the_next_entry),
		recording_test(no_group_is_known_after_damage),
		recording_test(a_pause_is_told_of_once),
		recording_test(a_full_disk),
		recording_test(without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
