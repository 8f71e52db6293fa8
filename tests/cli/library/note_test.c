// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests how entries fill the note of a frame and the header of its file, and the notice that something is missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "equal_notes.h"
#include "made_log.h"

static struct made made;

static void add_clock(struct archive_note *note, u64 time, const char *text)
{
	archive_note_entry(note, made_event(&made, BCOS_GENERIC_PROCESS, 0, time, BCOS_EVENT_CLOCK, 0x40, text));
}

static void a_note_of_entries(void **state)
{
	struct archive_note note;

	(void)state;
	memset(&note, 0xFF, sizeof(note));
	archive_note_begin(&note);
	assert_notes_equal(&note, &(struct archive_note){ .first = 1 });
	archive_note_entry(&note, made_entry(&made, BCOS_HIST_CORE_ONLINE, 0, 5000, NULL, 0));
	archive_note_entry(&note, made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 6000, 0));
	assert_notes_equal(&note, &(struct archive_note){ .flags = 1, .entries = 2, .historical = 2, .first = 1 });
	archive_note_entry(&note, made_name(&made, BCOS_SET_PROCESS_NAME, 7, 800, "seven"));
	archive_note_entry(&note, made_event(&made, BCOS_GENERIC_CPU, 0, 900, BCOS_EVENT_LOSS, 0x80,
					     "lost 1 assignments"));
	archive_note_entry(&note, made_event(&made, BCOS_GENERIC_DEVICE, BCOS_DEVICE_SELF, 850, BCOS_EVENT_MISSED, 0x80,
					     "missed"));
	/* Times may go back a little, and the last one is the largest. */
	assert_notes_equal(&note, &(struct archive_note){ .flags = 1, .entries = 5, .historical = 2, .losses = 1,
							  .first = 800, .last = 900 });
	add_clock(&note, 1000, "wall clock 50.000000000");
	assert_int_equal(note.flags, 5);
	assert_true(note.set == 0 && note.wall.boot == 1000 && note.wall.utc == 50000000000);
	/* 500 ns later the wall clock has gone on by 700 ns, so it was set by 200. */
	add_clock(&note, 1500, "wall clock 50.000000700");
	assert_true(note.set == 200 && note.wall.boot == 1500 && note.wall.utc == 50000000700);
	/* Then the wall clock is set back by 1000. */
	add_clock(&note, 1600, "wall clock 49.999999800");
	assert_true(note.set == (u64)-800 && note.wall.utc == 49999999800);
	archive_note_entry(&note, made_name(&made, BCOS_SET_PROCESS_NAME, 8, 1700, "eight"));
	assert_true(note.flags == 5 && note.set == (u64)-800 && note.wall.boot == 1600 && note.last == 1700);
	assert_int_equal(note.entries, 9);
}

/* One notice may precede the group, but no second one, and no other entry. */
static void a_group_after_a_notice(void **state)
{
	struct archive_note note;
	unsigned int notices;

	(void)state;
	for (notices = 1; notices <= 2; notices++) {
		archive_note_begin(&note);
		while (note.entries < notices)
			archive_note_entry(&note, made_event(&made, BCOS_GENERIC_DEVICE, BCOS_DEVICE_SELF, 0,
							     BCOS_EVENT_MISSED, 0x80, "missed"));
		/* The time of this first entry is 0. */
		assert_true(note.first == 0 && note.last == 0);
		archive_note_entry(&note, made_entry(&made, BCOS_HIST_CORE_ONLINE, 0, 5, NULL, 0));
		assert_int_equal(note.flags, notices == 1 ? 3 : 2);
	}
	archive_note_begin(&note);
	archive_note_entry(&note, made_name(&made, BCOS_SET_PROCESS_NAME, 7, 8, "seven"));
	archive_note_entry(&note, made_entry(&made, BCOS_HIST_CORE_ONLINE, 0, 5, NULL, 0));
	assert_int_equal(note.flags, 0);
	archive_note_begin(&note);
	archive_note_entry(&note, made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 6, 0));
	assert_int_equal(note.flags, 0);
}

static bool states_event(struct archive_header *known, u32 source, u32 event, const char *text)
{
	return archive_header_entry(known, made_event(&made, BCOS_GENERIC_PROCESS, source, 1, event, 0x40, text));
}

static void a_header_of_entries(void **state)
{
	static const u8 id[ARCHIVE_BOOT] = { 0xB0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0xBF };
	static const char boot[] = "boot b0010203-0405-0607-0809-0a0b0c0d0ebf";
	struct archive_header known;
	char text[100] = "host ";

	(void)state;
	memset(&known, 0xEE, sizeof(known));
	assert_false(states_event(&known, 1, BCOS_EVENT_BOOT, boot) ||
		     states_event(&known, 0, BCOS_EVENT_KERNEL, boot) ||
		     states_event(&known, 0, BCOS_EVENT_BOOT, boot + 1) ||
		     states_event(&known, 0, BCOS_EVENT_HOST, boot) ||
		     states_event(&known, 0, BCOS_EVENT_BOOT, "boo"));
	assert_false(archive_header_entry(&known, made_event(&made, BCOS_GENERIC_CPU, 0, 1, BCOS_EVENT_BOOT, 0x40,
							     boot)));
	assert_true(states_event(&known, 0, BCOS_EVENT_BOOT, boot));
	assert_memory_equal(known.boot, id, ARCHIVE_BOOT);
	assert_int_equal(known.machine.host[0], (char)0xEE);
	assert_true(states_event(&known, 0, BCOS_EVENT_HOST, "host machine"));
	assert_string_equal(known.machine.host, "machine");
	/* The name of a host has room for 63 bytes. */
	memset(text + 5, 'y', 64);
	assert_true(states_event(&known, 0, BCOS_EVENT_HOST, text));
	assert_int_equal(strlen(known.machine.host), 63);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_note_of_entries), cmocka_unit_test(a_group_after_a_notice),
		cmocka_unit_test(a_header_of_entries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
