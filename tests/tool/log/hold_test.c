// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Entries that wait until the log states the wall clock, statements that are repeated, and notes about what is missing.
 * Each test has a process of its own, since the clock is known from then on.
 */
#include <sys/wait.h>

#include "log/hold.h"
#include "log/notes.h"
#include "log/run.h"
#include "made_system.h"
#include "log/statements.h"
#include "made_log.h"
#include "output/times.h"

/* ---- a log of several batches ---------------------------------------------------------------- */

static u8 bytes[8192];
static size_t used;
static struct made made;
static struct run run;
/* The entries that were passed on, by their times, and where each batch begins. */
static u64 times[32], offsets[8];
static size_t count, batches;
static int pass_error;

static int take_entries(struct run *of, const struct bcoslog_batch *batch)
{
	const struct bcos_entry *entry;

	offsets[batches++] = batch->offset;
	bcoslog_each(entry, batch)
		times[count++] = entry->time;
	return pass_error;
}

static void add_entry(const struct bcos_entry *entry)
{
	memcpy(bytes + used, entry, entry->size);
	used += entry->size;
}

static void add_history(u64 time)
{
	add_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, time, "ten"));
}

static void add_statement(u64 time, u32 id, const char *text)
{
	add_entry(made_event(&made, BCOS_GENERIC_PROCESS, 0, time, id, 0x40, text));
}

static void add_event(u64 time)
{
	add_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, time, 10));
}

/* Gives what was added since the last time. */
static int give_entries(u64 offset)
{
	struct bcoslog_batch batch = {
		.first = (const struct bcos_entry *)bytes, .end = (const struct bcos_entry *)(bytes + used),
			.offset = offset,
	};
	int r = hold_entries(&run, &batch);

	memset(bytes, 0xFF, used);
	used = 0;
	return r;
}

static void begin_log(void)
{
	struct bcoslog_error error;

	made_text("/log", "");
	run = (struct run){ .entries = take_entries, .path = "log" };
	assert_int_equal(bcoslog_open(&run.log, made_path("/log"), 0, &error), 0);
	wall_needed = true;
}

/* Runs a part of a test in a process of its own. */
static void in_child(void (*part)(void))
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		begin_log();
		part();
		bcoslog_close(run.log);
		exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

#define UNKNOWN_CLOCK "bcoslog: the log does not state the wall clock, and nothing says that it is of this boot: " \
	"its times can be shown since boot alone\n"
#define CLOCK_OF_NOW \
	"bcoslog: the log does not state the wall clock: its times are by this machine's, as it is set now\n"

/* ---- waiting for the clock ---------------------------------------------------------------------- */

static void history_waits(void)
{
	add_history(1);
	add_history(2);
	assert_complains("", give_entries(100) == 0);
	add_history(3);
	assert_complains("", give_entries(200) == 0);
	assert_int_equal(batches, 0);
	/* A notice that something was missed is no event. */
	add_entry(made_event(&made, BCOS_GENERIC_DEVICE, BCOS_DEVICE_SELF, 4, BCOS_EVENT_MISSED, 0xC0, "missed"));
	add_statement(5, BCOS_EVENT_HOST, "host x");
	assert_complains("", give_entries(300) == 0);
	assert_int_equal(batches, 0);
	add_statement(6, BCOS_EVENT_CLOCK, "wall clock 50.000000000");
	add_event(7);
	assert_complains("", give_entries(400) == 0);
	assert_int_equal(batches, 2);
	assert_int_equal(offsets[0], 100);
	assert_int_equal(offsets[1], 400);
	assert_int_equal(count, 7);
	for (count = 0; count < 7; count++)
		assert_int_equal(times[count], count + 1);
	/* From now on nothing waits. */
	add_history(8);
	assert_complains("", give_entries(500) == 0);
	assert_int_equal(batches, 3);
	assert_complains("", hold_end(&run) == 0);
	assert_int_equal(batches, 3);
}

static void a_log_that_never_states_it(void)
{
	add_history(1);
	add_event(2);
	assert_complains(UNKNOWN_CLOCK, give_entries(0) == -EINVAL);
	assert_int_equal(batches, 0);
}

static void a_log_that_ends_before(void)
{
	assert_complains("", hold_end(&run) == 0);
	add_history(1);
	assert_complains("", give_entries(0) == 0);
	assert_complains(UNKNOWN_CLOCK, hold_end(&run) == -EINVAL);
	/* It is said once, and stays true. */
	assert_complains("", hold_end(&run) == -EINVAL);
	assert_int_equal(batches, 0);
}

static const char *own_boot(void)
{
	static char text[80] = "boot ";
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");

	assert_non_null(file);
	assert_non_null(fgets(text + 5, sizeof(text) - 5, file));
	fclose(file);
	text[strcspn(text, "\n")] = '\0';
	return text;
}

static void a_log_of_this_boot(void)
{
	int before = dup(STDIN_FILENO), after;

	close(before);
	add_history(1);
	add_statement(2, BCOS_EVENT_BOOT, own_boot());
	assert_complains("", give_entries(0) == 0);
	assert_int_equal(batches, 0);
	/* No descriptor stays. */
	after = dup(STDIN_FILENO);
	close(after);
	assert_int_equal(before, after);
	add_event(3);
	assert_complains(CLOCK_OF_NOW, give_entries(70) == 0);
	assert_int_equal(batches, 2);
	assert_int_equal(count, 3);
}

static void a_log_of_this_boot_that_ends(void)
{
	add_statement(2, BCOS_EVENT_BOOT, own_boot());
	assert_complains("", give_entries(30) == 0);
	assert_complains(CLOCK_OF_NOW, hold_end(&run) == 0);
	assert_int_equal(batches, 1);
	assert_int_equal(offsets[0], 30);
}

/* A longer text, another one, another statement, and another kind of entry do not tell of this boot. */
static void a_log_of_another_boot(void)
{
	char text[100];

	snprintf(text, sizeof(text), "%s0", own_boot());
	add_statement(2, BCOS_EVENT_BOOT, text);
	snprintf(text, sizeof(text), "%s", own_boot());
	text[strlen(text) - 1] ^= 1;
	add_statement(2, BCOS_EVENT_BOOT, text);
	add_statement(2, BCOS_EVENT_HOST, own_boot());
	snprintf(text, sizeof(text), "%s", own_boot());
	text[0] = 'r';
	add_statement(2, BCOS_EVENT_BOOT, text);
	add_event(3);
	assert_complains(UNKNOWN_CLOCK, give_entries(70) == -EINVAL);
}

/* Passing them on may fail: those that waited, and the others. */
static void passing_on_fails(void)
{
	add_history(1);
	assert_complains("", give_entries(0) == 0);
	pass_error = -ENOSPC;
	add_statement(2, BCOS_EVENT_CLOCK, "wall clock 50.000000000");
	assert_complains("", give_entries(100) == -ENOSPC);
	assert_int_equal(batches, 1);
	assert_complains("", give_entries(200) == -ENOSPC);
}

static void a_clock_that_nobody_needs(void)
{
	wall_needed = false;
	add_event(3);
	assert_complains("", give_entries(0) == 0);
	assert_int_equal(batches, 1);
}

#define own_process(part) static void test_##part(void **state) { in_child(part); }
own_process(history_waits)
own_process(a_log_that_never_states_it)
own_process(a_log_that_ends_before)
own_process(a_log_of_this_boot)
own_process(a_log_of_this_boot_that_ends)
own_process(a_log_of_another_boot)
own_process(passing_on_fails)
own_process(a_clock_that_nobody_needs)

/* ---- statements ------------------------------------------------------------------------------------ */

static struct {
	u64 time;
	char text[64];
} told[16];
static size_t told_count;

static int take_statement(void *context, const struct bcos_entry *entry)
{
	size_t length;
	const char *text = bcoslog_text(entry, &length);

	told[told_count].time = entry->time;
	snprintf(told[told_count++].text, 64, "%.*s", (int)length, text);
	return told_count == 16 ? -EIO : 0;
}

/* Each of them as it was stated last, the clock as of the time at which it is repeated. */
static void statements_are_repeated(void **state)
{
	static struct statements statements;
	static u32 large[600];
	struct bcos_generic *event = (struct bcos_generic *)large;
	size_t i;

	statements_learn(&statements, made_event(&made, BCOS_GENERIC_PROCESS, 0, 1000, BCOS_EVENT_CLOCK, 0x40,
		"wall clock 49.0"));
	statements_learn(&statements, made_event(&made, BCOS_GENERIC_PROCESS, 0, 1000, BCOS_EVENT_HOST, 0x40,
		"host one"));
	/* No statements: another process, another event, history. */
	statements_learn(&statements, made_event(&made, BCOS_GENERIC_PROCESS, 7, 1000, BCOS_EVENT_HOST, 0x40,
		"host two"));
	statements_learn(&statements, made_event(&made, BCOS_GENERIC_PROCESS, 0, 1000, 5, 0x40, "host three"));
	statements_learn(&statements, made_event(&made, BCOS_GENERIC_PROCESS, 0, 1000, BCOS_EVENT_CLOCK, 0x40,
						 "wall clock 50.000000000"));
	statements_learn(&statements, made_event(&made, BCOS_GENERIC_PROCESS, 0, 1000, BCOS_EVENT_BOOT, 0x40,
		"boot x"));
	/* One that is longer than any of ours is left out. */
	event->header = (struct bcos_entry){ .size = 2052, .type = BCOS_GENERIC_PROCESS };
	event->event_id = BCOS_EVENT_KERNEL;
	memset(event->text, 'x', 1024);
	statements_learn(&statements, &event->header);
	assert_int_equal(statements_put(&statements, 2500000000, take_statement, NULL), 0);
	assert_int_equal(told_count, 3);
	assert_string_equal(told[0].text, "wall clock 52.499999000");
	assert_string_equal(told[1].text, "host one");
	assert_string_equal(told[2].text, "boot x");
	for (i = 0; i < 3; i++)
		assert_int_equal(told[i].time, 2500000000);
	/* And once more, as of another time. */
	told_count = 0;
	assert_int_equal(statements_put(&statements, 1000000001, take_statement, NULL), 0);
	assert_string_equal(told[0].text, "wall clock 50.999999001");
	told_count = 15;
	assert_int_equal(statements_put(&statements, 5, take_statement, NULL), -EIO);
	assert_int_equal(told_count, 16);
	told_count = 0;
	statements_forget(&statements);
	assert_int_equal(statements_put(&statements, 5, take_statement, NULL), 0);
	assert_int_equal(told_count, 0);
}

/* ---- notes ---------------------------------------------------------------------------------------------- */

static void lose_assignments(void)
{
	note_entry(made_event(&made, BCOS_GENERIC_CPU, 0, 1, BCOS_EVENT_LOSS, 0x80, "lost 1 assignments"));
}

static void miss_events(const char *text)
{
	note_entry(made_event(&made, BCOS_GENERIC_DEVICE, BCOS_DEVICE_SELF, 1, BCOS_EVENT_MISSED, 0x80, text));
}

#define assert_notes(text) assert_complains(text, (notes_say(), true))

static void notes_about_what_is_missing(void)
{
	note_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 1, 10));
	note_entry(made_event(&made, BCOS_GENERIC_CPU, 0, 1, 5, 0x80, "lost"));
	assert_notes("");
	lose_assignments();
	assert_notes("bcoslog: the log states 1 loss, of assignments: not everything that happened there is in it; "
		     "bcoslog losses lists it\n");
	lose_assignments();
	assert_notes("bcoslog: the log states 2 losses, of assignments: not everything that happened there is in it; "
		     "bcoslog losses lists them\n");
	miss_events("missed");
	miss_events("nothing is recorde");
	assert_notes("bcoslog: the log states 2 losses, of assignments: not everything that happened there is in it; "
		     "bcoslog losses lists them\n"
		     "bcoslog: the log went on faster than it was read, 2 times: what was overwritten is missing\n");
	miss_events("nothing is recorded");
	assert_notes("bcoslog: the log states 2 losses, of assignments: not everything that happened there is in it; "
		     "bcoslog losses lists them\n"
		     "bcoslog: the log went on faster than it was read, 2 times: what was overwritten is missing\n"
		     "bcoslog: the recording has a gap at 1 place: what happened then is missing\n");
	miss_events("the recording has nothing of it");
	miss_events("another boot");
	assert_notes("bcoslog: the log states 2 losses, of assignments: not everything that happened there is in it; "
		     "bcoslog losses lists them\n"
		     "bcoslog: the log went on faster than it was read, 2 times: what was overwritten is missing\n"
		     "bcoslog: the recording has a gap at 3 places: what happened then is missing\n");
}

static void a_reader_that_is_overtaken_once(void)
{
	miss_events("missed");
	assert_notes("bcoslog: the log went on faster than it was read, 1 time: what was overwritten is missing\n");
}

own_process(notes_about_what_is_missing)
own_process(a_reader_that_is_overtaken_once)

int main(void)
{
	const struct CMUnitTest tests[] = {
		made_test(test_history_waits),
		made_test(test_a_log_that_never_states_it),
		made_test(test_a_log_that_ends_before),
		made_test(test_a_log_of_this_boot),
		made_test(test_a_log_of_this_boot_that_ends),
		made_test(test_a_log_of_another_boot),
		made_test(test_passing_on_fails),
		made_test(test_a_clock_that_nobody_needs),
		cmocka_unit_test(statements_are_repeated),
		made_test(test_notes_about_what_is_missing),
		made_test(test_a_reader_that_is_overtaken_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
