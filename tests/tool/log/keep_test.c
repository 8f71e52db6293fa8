// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A part of a log as a log that explains itself: the group before it, the names that it needs, and what else is kept. */
#include <errno.h>

#include "log/notes.h"
#include "log/run.h"
#include "output/output.h"
#include "said.h"
#include "failing_memory.h"
#include "log/keep.h"
#include "made_log.h"
#include "options/filter.h"
#include "output/times.h"

/* ---- the filter and the output are those of the test ---------------------------------------------------- */

volatile sig_atomic_t run_signal;
bool run_finishing, run_whole_batches;
struct output output;

static bool wanted, narrow, over, active;

bool filter_wants(const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	return wanted;
}

bool filter_narrows(void)
{
	return narrow;
}

bool filter_over(void)
{
	return over;
}

bool filter_active(void)
{
	return active;
}

void note_entry(const struct bcos_entry *entry)
{
	note_call("noted %llu", (unsigned long long)entry->time);
}

void output_bytes(const void *bytes, size_t size)
{
	note_call("%zu bytes", size);
}

/* ---- entries as text ------------------------------------------------------------------------------------------ */

static const char *word_of(u16 type)
{
	switch (type & ~BCOS_TYPE_HISTORICAL) {
	case BCOS_CORE_ONLINE: return "core";
	case BCOS_CORE_OFFLINE: return "core off";
	case BCOS_CPU_ONLINE: return "cpu";
	case BCOS_CPU_OFFLINE: return "cpu off";
	case BCOS_ASSIGN_CPU: return "assign";
	case BCOS_SET_PROCESS_NAME: return "process";
	case BCOS_CANCEL_PROCESS_NAME: return "end";
	case BCOS_SET_DEVICE_NAME: return "device";
	case BCOS_CANCEL_DEVICE_NAME: return "device off";
	case BCOS_IRQ: return "irq";
	default: return "event";
	}
}

/* Writes the words of an entry's body as numbers, or its name. */
static void put_body(char *text, size_t room, const struct bcos_entry *entry)
{
	const u32 *word = (const u32 *)(entry + 1), *end = (const u32 *)((const char *)entry + entry->size);
	u16 type = entry->type & ~BCOS_TYPE_HISTORICAL;
	const char *said;
	size_t length;

	if (type == BCOS_SET_PROCESS_NAME || type == BCOS_SET_DEVICE_NAME) {
		if (type == BCOS_SET_DEVICE_NAME)
			snprintf(text, room, " %u", *word++);
		snprintf(text + strlen(text), room - strlen(text), " \"%.*s\"", (int)((const char *)end - (const char *)word),
			 (const char *)word);
		return;
	}
	said = bcoslog_text(entry, &length);
	if (said) {
		snprintf(text, room, " \"%.*s\"", (int)length, said);
		return;
	}
	for (; word < end; word++)
		snprintf(text + strlen(text), room - strlen(text), " %x", *word);
}

static int put_error;
static unsigned int until_error;

/* Notes an entry such as "h-process 10 @50+1 "ten"", with its time and precision. */
static int note_kept(void *context, const struct bcos_entry *entry)
{
	char body[200] = "";

	assert_ptr_equal(context, done);
	put_body(body, sizeof(body), entry);
	note_call("%s%s %x @%llu+%d%s", entry->type & BCOS_TYPE_HISTORICAL ? "h-" : "", word_of(entry->type),
		  entry->source,
		  (unsigned long long)entry->time, (int)entry->precision, body);
	return until_error && !--until_error ? put_error : 0;
}

/* ---- the log ------------------------------------------------------------------------------------------------------ */

static struct keep *keep;
static struct made made;

static int begin_test(void **state)
{
	wanted = narrow = over = active = false;
	until_error = 0;
	done[0] = '\0';
	keep = keep_new(note_kept, done);
	return !keep;
}

static int end_test(void **state)
{
	keep_free(keep);
	return 0;
}

#define take(entry) assert_int_equal(keep_entry(keep, entry), 0)

static const struct bcos_entry *make_event(u32 process, u64 time, u32 id, const char *text)
{
	return made_event(&made, BCOS_GENERIC_PROCESS, process, time, id, 0x40, text);
}

static const struct bcos_entry *assign_cpu(u32 cpu, u64 time, u32 process)
{
	return made_word(&made, BCOS_ASSIGN_CPU, cpu, time, process);
}

/* Begins a log: CPU 0 is 10's, CPU 1 idle, and nobody knows of CPU 2; at 1 us the clock shows 50 s. */
static void begin_log(void)
{
	static const u32 performance[] = { 0x1000, 0x700 };
	u32 i;

	take(made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 5, 0x64, 0x12C, performance, 2));
	for (i = 0; i < 3; i++)
		take(made_word(&made, BCOS_HIST_CPU_ONLINE, i, 6 + i, 0));
	take(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel"));
	take(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 50, "ten"));
	take(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 20, 60, "twenty"));
	take(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 30, 65, "thirty"));
	take(made_device(&made, BCOS_HIST_SET_DEVICE_NAME, 3, 70, 30, "sda"));
	take(made_word(&made, BCOS_HIST_ASSIGN_CPU, 0, 80, 10));
	take(made_word(&made, BCOS_HIST_ASSIGN_CPU, 1, 81, BCOS_PROCESS_IDLE));
	take(make_event(0, 1000, BCOS_EVENT_CLOCK, "wall clock 50.000000000"));
	take(make_event(0, 1001, BCOS_EVENT_HOST, "host x"));
	take(make_event(10, 1002, 0, "before"));
	assert_string_equal(take_calls(), "");
}

/* The group before the first entry that is kept; the clock moves to its time. */
#define MACHINE "h-core 0 @5+1 12c0064 1000 700; h-cpu 0 @6+1 0; h-cpu 1 @7+1 0; h-cpu 2 @8+1 0; " \
	"h-process 0 @0+1 \"kernel\"; "
#define CLOCK(time, clock) "event 0 @" time "+1 \"wall clock " clock "\"; event 0 @" time "+1 \"host x\"; "
#define ASSIGNED "h-process a @50+1 \"ten\"; h-assign 0 @80+1 a; h-assign 1 @81+1 ffffffff; "
#define GROUP MACHINE ASSIGNED CLOCK("2000", "50.000001000")

/* Begins a part with an event of process 20, which alone the filter is about. */
static void begin_part(void)
{
	narrow = wanted = true;
	take(make_event(20, 2000, 0, "first"));
	assert_string_equal(take_calls(), MACHINE CLOCK("2000", "50.000001000") "h-process 14 @60+1 \"twenty\"; "
			    "event 14 @2000+1 \"first\"; ");
	wanted = false;
}

/* ---- the group ---------------------------------------------------------------------------------------------------- */

/* The state of the log comes first, and then each name just before its first use. */
static void the_state_before_a_part(void **state)
{
	begin_log();
	/* Another entry of CPU 0 changes nothing. */
	take(made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 6, 0));
	wanted = true;
	take(made_word(&made, BCOS_IRQ, 3, 2000, 7));
	assert_string_equal(take_calls(),
			    GROUP "h-process 1e @65+1 \"thirty\"; h-device 3 @70+1 30 \"sda\"; irq 3 @2000+1 7; ");
	take(assign_cpu(2, 2001, 20));
	assert_string_equal(take_calls(), "h-process 14 @60+1 \"twenty\"; assign 2 @2001+1 14; ");
	take(made_word(&made, BCOS_IRQ, 3, 2002, 7));
	assert_string_equal(take_calls(), "irq 3 @2002+1 7; ");
	/* History of the log itself is left out, and nobody has a name that the log does not tell. */
	take(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 40, 90, "forty"));
	take(make_event(50, 2003, 0, "unnamed"));
	assert_string_equal(take_calls(), "event 32 @2003+1 \"unnamed\"; ");
	take(make_event(40, 2004, 0, "named"));
	assert_string_equal(take_calls(), "h-process 28 @90+1 \"forty\"; event 28 @2004+1 \"named\"; ");
}

/* A reader would think that a process still has the CPU when an assignment after it is left out. */
static void no_assignments_in_a_narrow_part(void **state)
{
	begin_log();
	begin_part();
}

/* All that were ever online, once, however many they are; those that are not online any more have no entry. */
static void many_cpus(void **state)
{
	static const u32 performance[] = { 1 };
	char expected[4000] = "";
	u32 i;

	for (i = 0; i < 40; i++) {
		take(made_core(&made, BCOS_HIST_CORE_ONLINE, i, 5, 0, 0, performance, 1));
		snprintf(expected + strlen(expected), sizeof(expected) - strlen(expected), i ? "h-core %x @5+1 0 1; " : "", i);
	}
	for (i = 0; i < 40; i++) {
		take(made_word(&made, BCOS_HIST_CPU_ONLINE, i, 6, i));
		snprintf(expected + strlen(expected), sizeof(expected) - strlen(expected), i ? "h-cpu %x @6+1 %x; " : "", i, i);
	}
	take(made_word(&made, BCOS_HIST_CPU_ONLINE, 7, 6, 7));
	take(made_word(&made, BCOS_HIST_ASSIGN_CPU, 0, 80, 10));
	take(made_entry(&made, BCOS_CPU_OFFLINE, 0, 90, NULL, 0));
	take(made_entry(&made, BCOS_CORE_OFFLINE, 0, 91, NULL, 0));
	wanted = true;
	take(make_event(0, 100, 0, "x"));
	strcat(expected, "event 0 @100+1 \"x\"; ");
	assert_string_equal(take_calls(), expected);
}

/* ---- entries that the part needs --------------------------------------------------------------------------------------- */

static void lives_of_processes(void **state)
{
	begin_log();
	begin_part();
	/* The renaming and the end of a process of the part are kept, and those of others are not. */
	take(made_name(&made, BCOS_SET_PROCESS_NAME, 20, 2001, "renamed"));
	take(made_name(&made, BCOS_SET_PROCESS_NAME, 10, 2002, "other"));
	take(made_word(&made, BCOS_CANCEL_PROCESS_NAME, 10, 2003, 0));
	take(make_event(20, 2004, 0, "other"));
	take(made_word(&made, BCOS_CANCEL_PROCESS_NAME, 20, 2005, 9));
	take(made_word(&made, BCOS_CANCEL_PROCESS_NAME, 20, 2006, 9));
	assert_string_equal(take_calls(), "process 14 @2001+1 \"renamed\"; end 14 @2005+1 9; ");
}

/* In the part the process still has its CPU, so it cannot end there. */
static void an_end_that_is_left_out(void **state)
{
	begin_log();
	begin_part();
	wanted = true;
	take(assign_cpu(0, 2001, 20));
	wanted = false;
	take(assign_cpu(0, 2002, 30));
	take(made_word(&made, BCOS_CANCEL_PROCESS_NAME, 20, 2003, 0));
	wanted = true;
	take(made_word(&made, BCOS_CANCEL_PROCESS_NAME, 20, 2004, 0));
	assert_string_equal(take_calls(), "assign 0 @2001+1 14; ");
	take(made_word(&made, BCOS_CANCEL_PROCESS_NAME, 60, 2005, 1));
	assert_string_equal(take_calls(), "end 3c @2005+1 1; ");
}

/* An assignment of nothing is kept if the part says that a process has the CPU. */
static void idle_assignments(void **state)
{
	begin_log();
	begin_part();
	take(assign_cpu(0, 2001, BCOS_PROCESS_IDLE));
	assert_string_equal(take_calls(), "");
	wanted = true;
	take(assign_cpu(0, 2002, 20));
	wanted = false;
	take(assign_cpu(1, 2003, BCOS_PROCESS_IDLE));
	take(assign_cpu(0, 2004, 30));
	take(assign_cpu(0, 2005, BCOS_PROCESS_IDLE));
	take(assign_cpu(0, 2006, BCOS_PROCESS_IDLE));
	assert_string_equal(take_calls(), "assign 0 @2002+1 14; assign 0 @2005+1 ffffffff; ");
}

static void device_names(void **state)
{
	begin_log();
	begin_part();
	take(made_device(&made, BCOS_SET_DEVICE_NAME, 3, 2001, 10, "sdb"));
	take(made_entry(&made, BCOS_CANCEL_DEVICE_NAME, 3, 2002, NULL, 0));
	take(made_device(&made, BCOS_SET_DEVICE_NAME, 3, 2003, 30, "sdc"));
	assert_string_equal(take_calls(), "");
	/* The name of before comes first, then that of the driver, if it is no other one. */
	wanted = true;
	take(made_device(&made, BCOS_SET_DEVICE_NAME, 3, 2004, 10, "sdd"));
	assert_string_equal(take_calls(),
			    "h-process a @50+1 \"ten\"; h-process 1e @65+1 \"thirty\"; h-device 3 @2003+1 30 \"sdc\"; "
			    "device 3 @2004+1 10 \"sdd\"; ");
	wanted = false;
	take(made_device(&made, BCOS_SET_DEVICE_NAME, 3, 2005, 0, "sde"));
	take(made_entry(&made, BCOS_CANCEL_DEVICE_NAME, 3, 2006, NULL, 0));
	take(made_entry(&made, BCOS_CANCEL_DEVICE_NAME, 3, 2007, NULL, 0));
	assert_string_equal(take_calls(), "device 3 @2005+1 0 \"sde\"; device off 3 @2006+1; ");
}

static void the_machine(void **state)
{
	static const u32 performance[] = { 1 };

	begin_log();
	begin_part();
	take(made_entry(&made, BCOS_CPU_OFFLINE, 2, 2001, NULL, 0));
	take(made_word(&made, BCOS_CPU_ONLINE, 2, 2002, 0));
	take(made_core(&made, BCOS_CORE_ONLINE, 1, 2003, 0, 0, performance, 1));
	take(made_entry(&made, BCOS_CORE_OFFLINE, 1, 2004, NULL, 0));
	take(make_event(0, 2005, BCOS_EVENT_HOST, "host y"));
	take(made_event(&made, BCOS_GENERIC_CPU, 0, 2006, BCOS_EVENT_LOSS, 0xC0, "lost 1 events"));
	take(made_word(&made, BCOS_IRQ, 3, 2007, 7));
	assert_string_equal(take_calls(), "cpu off 2 @2001+1; cpu 2 @2002+1 0; core 1 @2003+1 0 1; core off 1 @2004+1; "
			    "event 0 @2005+1 \"host y\"; event 0 @2006+1 \"lost 1 events\"; ");
	/* After the end of the window nothing is needed. */
	over = true;
	take(made_entry(&made, BCOS_CPU_OFFLINE, 2, 2008, NULL, 0));
	assert_string_equal(take_calls(), "");
}

/* After a notice that entries are missing all is told anew that the log tells anew; before the part it is left out. */
static void something_is_missing(void **state)
{
	const u32 self = BCOS_DEVICE_SELF;

	wanted = true;
	take(made_event(&made, BCOS_GENERIC_DEVICE, self, 4, BCOS_EVENT_MISSED, 0xC0, "missed"));
	wanted = false;
	begin_log();
	begin_part();
	take(made_event(&made, BCOS_GENERIC_DEVICE, self, 2001, BCOS_EVENT_MISSED, 0xC0, "missed"));
	assert_string_equal(take_calls(), "event c0000000 @2001+1 \"missed\"; ");
	take(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 20, 60, "twenty"));
	take(made_entry(&made, BCOS_CPU_OFFLINE, 2, 2002, NULL, 0));
	assert_string_equal(take_calls(), "");
	wanted = true;
	take(make_event(20, 2003, 0, "again"));
	assert_string_equal(take_calls(),
			    CLOCK("2003", "50.000001003") "h-process 14 @60+1 \"twenty\"; event 14 @2003+1 \"again\"; ");
}

/* ---- errors -------------------------------------------------------------------------------------------------------------- */

/* Any of the entries cannot be written: the error is passed on, and nothing follows it. */
static void an_entry_cannot_be_written(void **state)
{
	char all[4000];
	unsigned int i;

	for (i = 1; i <= 13; i++) {
		begin_log();
		wanted = true;
		until_error = i;
		put_error = -EIO;
		assert_int_equal(keep_entry(keep, made_word(&made, BCOS_IRQ, 3, 2000, 7)), i <= 13 ? -EIO : 0);
		if (i > 1)
			assert_int_equal(strncmp(done, all, strlen(all)), 0);
		strcpy(all, take_calls());
		end_test(state);
		begin_test(state);
	}
	assert_string_equal(all, GROUP "h-process 1e @65+1 \"thirty\"; h-device 3 @70+1 30 \"sda\"; irq 3 @2000+1 7; ");
}

static void no_memory(void **state)
{
	struct run run = { .path = "LOG" };
	struct keep *none;
	unsigned int number;

	for (number = 1; ; number++) {
		failing = number;
		none = keep_new(note_kept, done);
		failing = 0;
		if (none)
			break;
	}
	keep_free(none);
	assert_true(number > 3);
	active = true;
	assert_complains("bcoslog: no memory\n", (failing = 1, keep_run(&run)) == -1);
	/* The list of CPUs cannot grow. */
	failing = 1;
	assert_int_equal(keep_entry(keep, made_word(&made, BCOS_HIST_CPU_ONLINE, 1, 6, 0)), -ENOMEM);
	failing = 0;
}

/* ---- a pass ---------------------------------------------------------------------------------------------------------------- */

static void a_pass(void **state)
{
	u8 bytes[64];
	struct bcoslog_batch batch = { .first = (const struct bcos_entry *)bytes };
	char *command[] = { NULL };
	struct run run = { .path = "LOG" };

	memcpy(bytes, assign_cpu(0, 100, 10), 24);
	memcpy(bytes + 24, assign_cpu(1, 200, 10), 24);
	batch.end = (const struct bcos_entry *)(bytes + 48);
	/* Without a filter all is written as it is. */
	assert_int_equal(keep_run(&run), 0);
	assert_null(run.context);
	assert_int_equal(run.entries(&run, &batch), 0);
	assert_string_equal(take_calls(), "noted 100; noted 200; 48 bytes; ");
	/* With one, or with a command, of which only the time matters. */
	active = wanted = true;
	assert_int_equal(keep_run(&run), 0);
	assert_non_null(run.context);
	assert_int_equal(run.entries(&run, &batch), 0);
	assert_string_equal(take_calls(), "noted 100; 24 bytes; noted 200; 24 bytes; ");
	run_signal = 15;
	assert_int_equal(run.entries(&run, &batch), 0);
	assert_string_equal(take_calls(), "");
	run_signal = 0;
	keep_free(run.context);
	active = false;
	run.command = command;
	run.context = NULL;
	assert_int_equal(keep_run(&run), 0);
	assert_non_null(run.context);
	memcpy(bytes, made_word(&made, BCOS_HIST_CPU_ONLINE, 1, 6, 0), 24);
	assert_complains("bcoslog: no memory for the names in LOG\n", (failing = 1, run.entries(&run, &batch)) == -ENOMEM);
	failing = 0;
	keep_free(run.context);
}

#define keep_test(test) cmocka_unit_test_setup_teardown(test, begin_test, end_test)

int main(void)
{
	const struct CMUnitTest tests[] = {
		keep_test(the_state_before_a_part),
		keep_test(no_assignments_in_a_narrow_part),
		keep_test(many_cpus),
		keep_test(lives_of_processes),
		keep_test(an_end_that_is_left_out),
		keep_test(idle_assignments),
		keep_test(device_names),
		keep_test(the_machine),
		keep_test(something_is_missing),
		keep_test(an_entry_cannot_be_written),
		keep_test(no_memory),
		keep_test(a_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
