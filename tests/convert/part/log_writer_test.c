// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * test: rounds=60:3000
 * Tests the log that a log_writer makes of facts: what it says, that it passes the check whatever the facts are, and
 * its memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>


#include "../../../userspace/convert/log/log_writer.h"
#include "check/check.h"

/* This is a function of AddressSanitizer, whose header not every compiler brings. */
size_t __sanitizer_get_current_allocated_bytes(void);

#define IDLE BCOS_PROCESS_IDLE
#define BEFORE ((struct moment){ 0, SINCE_BOOT })
#define SMALL (256u << 10)
#define AT(time) ((struct moment){ (time), 1 })

/* ---- a log as lines, and its check ------------------------------------------- */

static char lines[1 << 16];
static size_t used;
static struct bcoslog_check *check;
static u64 offset, entries, newest, most_memory;
static bool writes_lines;

static void fail_violation(void *context, const struct bcoslog_violation *violation)
{
	if (!violation->legal)
		fail_msg("%s: %s, at byte %llu of:\n%s", violation->word, violation->reason,
			 (unsigned long long)violation->offset, lines);
}

static void print_line(const struct bcos_entry *entry)
{
	const struct bcos_assign_cpu *number = (const struct bcos_assign_cpu *)entry;
	size_t length = 0;
	const char *text = bcoslog_text(entry, &length);

	used += (size_t)snprintf(lines + used, sizeof(lines) - used, "%llu+%u %s %u", (unsigned long long)entry->time,
				 entry->precision, bcoslog_type_name(entry->type), entry->source);
	if (entry->size >= sizeof(*number) && !(text && !(entry->type & 0x6000) && entry->type != BCOS_GENERIC_PROCESS))
		used += (size_t)snprintf(lines + used, sizeof(lines) - used, " %d", (int)number->process);
	if (text)
		used += (size_t)snprintf(lines + used, sizeof(lines) - used, " \"%.*s\"", (int)length, text);
	used += (size_t)snprintf(lines + used, sizeof(lines) - used, "\n");
	assert_true(used < sizeof(lines));
}

static int put_entry(void *context, const struct bcos_entry *entry)
{
	size_t memory = __sanitizer_get_current_allocated_bytes();

	if (memory > most_memory)
		most_memory = memory;
	if (writes_lines)
		print_line(entry);
	assert_int_equal(entry->size % 4, 0);
	assert_int_equal(bcoslog_check_entry(check, offset, entry), 0);
	offset += entry->size;
	entries++;
	if (!(entry->type & BCOS_TYPE_HISTORICAL)) {
		assert_true(entry->time >= newest);
		newest = entry->time;
	}
	return 0;
}

static struct log_writer *begin_writer(size_t memory)
{
	struct log_writer_options options = { .put = put_entry, .memory = memory ? memory : SMALL };
	struct log_writer *writer = log_writer_new(&options);

	assert_non_null(writer);
	check = bcoslog_check_new(fail_violation, NULL);
	assert_non_null(check);
	used = 0;
	lines[0] = 0;
	offset = entries = newest = most_memory = 0;
	writes_lines = memory == 0;
	return writer;
}

static void end_writer(struct log_writer *writer, const char *expected)
{
	assert_int_equal(log_writer_end(writer), 0);
	bcoslog_check_end(check);
	if (expected)
		assert_string_equal(lines, expected);
	bcoslog_check_free(check);
	log_writer_free(writer);
}

/* ---- what it says ------------------------------------------------------------------ */

#define KERNEL "0+4294967295 Historical Set Process Name 0 \"kernel\"\n"

static void nothing_is_a_log_too(void **state)
{
	end_writer(begin_writer(0), "0+4294967295 Historical Core Online 0 0\n"
		      "0+4294967295 Historical CPU Online 0 0\n"
		      KERNEL);
}

static void what_is_first_used_was_there(void **state)
{
	struct log_writer *w = begin_writer(0);

	log_assign(w, AT(300), 1, 7);
	log_name_process(w, 7, "seven", 5);
	log_irq(w, AT(200), 0x40000000, 3);
	end_writer(w, "0+4294967295 Historical Core Online 1 0\n"
	       "0+4294967295 Historical CPU Online 1 1\n"
	       KERNEL
	       "0+4294967295 Historical Set Process Name 7 \"seven\"\n"
	       "0+4294967295 Historical Set Device Name 1073741824 0 \"?\"\n"
	       "200+1 IRQ 1073741824 3\n"
	       "300+1 Assign CPU 1 7\n");
}

/* A CPU about which nothing else is told has a core with its number. */
static void cpus_have_a_core(void **state)
{
	struct log_writer *w = begin_writer(0);

	log_cpu_offline(w, AT(200), 3);
	log_core_offline(w, AT(300), 5);
	log_cpu_online(w, AT(400), 7, 6);
	end_writer(w, "0+4294967295 Historical Core Online 3 0\n"
	       "0+4294967295 Historical Core Online 5 0\n"
	       "0+4294967295 Historical Core Online 6 0\n"
	       "0+4294967295 Historical CPU Online 3 3\n"
	       KERNEL
	       "200+1 CPU Offline 3\n"
	       "300+1 Core Offline 5\n"
	       "400+1 CPU Online 7 6\n");
}

#define GROUP "0+4294967295 Historical Core Online 0 0\n" \
	      "0+4294967295 Historical CPU Online 0 0\n" \
	      KERNEL \
	      "0+4294967295 Historical Set Device Name 3221225472 0 \"?\"\n"

/*
 * The process is first used at the last time that there is. So the group does not have it, and the log may not state
 * its name after the group as if the group went on. No time is later, so nothing can be imprecise.
 */
static void what_is_used_at_the_end_of_time_is_born(void **state)
{
	struct log_writer *w = begin_writer(0);

	log_event(w, AT(~0ull - 1), BCOS_GENERIC_DEVICE, BCOS_DEVICE_SELF, BCOS_EVENT_MISSED, 0x80, "x", 1);
	log_event(w, AT(~0ull), BCOS_GENERIC_PROCESS, 7, 1, 3, "x", 1);
	end_writer(w, GROUP
	       "18446744073709551614+1 Generic Device 3221225472 -2147483646 \"x\"\n"
	       GROUP
	       "18446744073709551615+0 Set Process Name 7 \"?\"\n"
	       "18446744073709551615+0 Generic Process 7 1 \"x\"\n");
}

static void what_is_born_was_not_there(void **state)
{
	struct log_writer *w = begin_writer(0);

	log_known_core(w, AT(5), 0, 10, 20, NULL, 0);
	log_known_cpu(w, AT(6), 0, 0);
	log_assign(w, AT(300), 0, 7);
	log_process(w, AT(299), 7, "new", 3);
	log_process_end(w, AT(400), 7, 3);
	end_writer(w, "5+1 Historical Core Online 0 1310730\n"
	       "6+1 Historical CPU Online 0 0\n"
	       KERNEL
	       "299+1 Set Process Name 7 \"new\"\n"
	       "300+1 Assign CPU 0 7\n"
	       "400+1 Assign CPU 0 0\n"
	       "400+1 Cancel Process Name 7 3\n");
}

static void an_id_that_comes_again_began_after_its_end(void **state)
{
	struct log_writer *w = begin_writer(0);

	log_known_cpu(w, BEFORE, 0, 0);
	log_process(w, AT(10), 7, "a", 1);
	log_process_end(w, AT(20), 7, 0);
	log_assign(w, AT(100), 0, 7);
	end_writer(w, "0+4294967295 Historical Core Online 0 0\n"
	       "0+4294967295 Historical CPU Online 0 0\n"
	       KERNEL
	       "10+1 Set Process Name 7 \"a\"\n"
	       "20+1 Cancel Process Name 7 0\n"
	       "21+79 Historical Set Process Name 7 \"?\"\n"
	       "100+1 Assign CPU 0 7\n");
}

static void devices_end_before_their_driver(void **state)
{
	struct log_writer *w = begin_writer(0);

	log_known_cpu(w, BEFORE, 0, 0);
	log_process(w, AT(10), 7, "driver", 6);
	log_device(w, AT(11), 1, 7, "sdb", 3);
	log_process_end(w, AT(20), 7, 0);
	end_writer(w, "0+4294967295 Historical Core Online 0 0\n"
	       "0+4294967295 Historical CPU Online 0 0\n"
	       KERNEL
	       "10+1 Set Process Name 7 \"driver\"\n"
	       "11+1 Set Device Name 1 7 \"sdb\"\n"
	       "20+1 Cancel Device Name 1 2147483647\n"
	       "20+1 Cancel Process Name 7 0\n");
}

static void cpus_are_left_before_they_go(void **state)
{
	struct log_writer *w = begin_writer(0);

	log_known_cpu(w, BEFORE, 0, 0);
	log_known_cpu(w, BEFORE, 1, 0);
	log_known_assign(w, AT(3), 1, 9);
	log_core_offline(w, AT(20), 0);
	log_assign(w, AT(30), 0, 9);
	end_writer(w, "0+4294967295 Historical Core Online 0 0\n"
	       "0+4294967295 Historical CPU Online 0 0\n"
	       "0+4294967295 Historical CPU Online 1 0\n"
	       KERNEL
	       "0+4294967295 Historical Set Process Name 9 \"?\"\n"
	       "3+1 Historical Assign CPU 1 9\n"
	       "20+1 CPU Offline 0\n"
	       "20+1 Assign CPU 1 -1\n"
	       "20+1 CPU Offline 1\n"
	       "20+1 Core Offline 0\n"
	       "30+1 Core Online 0 0\n"
	       "30+1 CPU Online 0 0\n"
	       "30+1 Assign CPU 0 9\n");
}

/* The CPUs of a core and the devices of a driver end in the order of their IDs, which no hash decides. */
static void ends_have_an_order(void **state)
{
	struct log_writer *w = begin_writer(0);
	char expected[4096] = "0+4294967295 Historical Core Online 9 0\n", *to = expected + strlen(expected);
	u32 i;

	for (i = 0; i < 8; i++) {
		log_known_cpu(w, BEFORE, 7 * i % 8, 9);
		to += sprintf(to, "0+4294967295 Historical CPU Online %u 9\n", i);
	}
	to += sprintf(to, KERNEL "0+4294967295 Historical Set Process Name 5 \"driver\"\n");
	log_known_process(w, BEFORE, 5, "driver", 6);
	for (i = 0; i < 8; i++) {
		log_known_device(w, BEFORE, 3 * i % 8, 5, "disk", 4);
		to += sprintf(to, "0+4294967295 Historical Set Device Name %u 5 \"disk\"\n", i);
	}
	log_core_offline(w, AT(20), 9);
	log_process_end(w, AT(30), 5, 0);
	for (i = 0; i < 8; i++)
		to += sprintf(to, "20+1 CPU Offline %u\n", i);
	to += sprintf(to, "20+1 Core Offline 9\n");
	for (i = 0; i < 8; i++)
		to += sprintf(to, "30+1 Cancel Device Name %u 2147483647\n", i);
	sprintf(to, "30+1 Cancel Process Name 5 0\n");
	end_writer(w, expected);
}

static void numbers_and_texts_fit(void **state)
{
	static char text[70000];
	struct log_writer *w = begin_writer(0);

	memset(text, 'x', sizeof(text));
	memcpy(text, "\xC3\xA4 \xFF \xC3", 6);
	log_known_cpu(w, BEFORE, 0, 0);
	log_name_device(w, 0, 0, "sda", 3);
	log_output(w, AT(1), 0, 0x1FFFFFFFFull);
	log_event(w, AT(2), BCOS_GENERIC_CPU, 0, 5, 0x40, text, 6);
	log_loss(w, AT(3), 1000000003u, 0, 12, "assignments", "ring full");
	log_process(w, AT(4), IDLE, "nobody", 6);
	log_wall_clock(w, AT(5), 1700000000000000001ull);
	assert_int_equal(log_writer_dropped(w), 1);
	end_writer(w, "0+4294967295 Historical Core Online 0 0\n"
	       "0+4294967295 Historical CPU Online 0 0\n"
	       KERNEL
	       "0+4294967295 Historical Set Device Name 0 0 \"sda\"\n"
	       "1+1 Device Output 0 -1\n"
	       "1+1 Device Output 0 -1\n"
	       "1+1 Device Output 0 1\n"
	       "2+1 Generic CPU 0 -2147483643 \"\xC3\xA4 \xEF\xBF\xBD \xEF\xBF\xBD\"\n"
	       "3+1000000000 Generic CPU 0 -2147483647 \"lost 12 assignments: ring full, until 1.000000003 s\"\n"
	       "5+1 Generic Process 0 -1073741808 \"wall clock 1700000000.000000001\"\n");
	w = begin_writer(SIZE_MAX >> 40);
	log_process(w, AT(1), 5, text, sizeof(text));
	log_event(w, AT(2), BCOS_GENERIC_PROCESS, 5, 0, 0, text, sizeof(text));
	end_writer(w, NULL);
	assert_true(offset > 2 * 65500);
}

static void verbatim_is_nothing_else(void **state)
{
	struct bcos_assign_cpu entry = { { sizeof(entry), BCOS_HIST_CORE_ONLINE, 4, 3, 2 }, 1 };
	struct log_writer *w = begin_writer(0);

	log_assign(w, AT(100), 0, 7);
	log_verbatim(w, &entry.header);
	log_assign(w, AT(100), 0, 7);
	assert_int_equal(log_writer_end(w), 0);
	assert_string_equal(lines, "3+2 Historical Core Online 4 1\n");
	bcoslog_check_free(check);
	log_writer_free(w);
}

/* ---- anything ----------------------------------------------------------------------- */

static u64 seed;

static u32 random_below(u32 below)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(seed >> 33) % below;
}

static struct moment some_time(void)
{
	u32 kind = random_below(40);

	if (kind == 0)
		return (struct moment){ ~0ull - random_below(3), random_below(1000) };
	return kind == 1 ? AT(0) : (struct moment){ random_below(500), random_below(3) * 1000 };
}

static void tell_anything(struct log_writer *w)
{
	static const u32 table[] = { 1, 2, 3 };
	static const char text[] = "te\xFFxt\0more";
	struct moment when = some_time();
	u32 id = random_below(12) ? random_below(6) : 0u - random_below(3),
	other = random_below(12) ? random_below(6) : 0u - random_below(3);

	switch (random_below(24)) {
	case 0: log_known_process(w, when, id, text, random_below(10)); break;
	case 1: log_known_core(w, when, id, 1, 2, table, random_below(4)); break;
	case 2: log_known_cpu(w, when, id, other); break;
	case 3: log_known_device(w, when, id, other, text, random_below(10)); break;
	case 4: log_known_assign(w, when, id, other); break;
	case 5: log_name_process(w, id, text, random_below(10)); break;
	case 6: log_name_device(w, id, other, text, random_below(10)); break;
	case 7: case 8: log_process(w, when, id, text, random_below(10)); break;
	case 9: case 10: log_process_end(w, when, id, other); break;
	case 11: log_core_online(w, when, id, 1, 2, table, random_below(4)); break;
	case 12: log_core_offline(w, when, id); break;
	case 13: log_cpu_online(w, when, id, other); break;
	case 14: log_cpu_offline(w, when, id); break;
	case 15: case 16: log_assign(w, when, id, other); break;
	case 17: log_device(w, when, id, other, text, random_below(10)); break;
	case 18: log_device_end(w, when, id, other); break;
	case 19: log_input(w, when, id, random_below(3) * 0xFFFFFFFFull); break;
	case 20: log_irq(w, when, id, other); break;
	case 21: log_calls(w, when, id, table, random_below(4)); break;
	case 22: log_event(w, when, (u16)(random_below(4) << 13), id, other, 3, text, random_below(10)); break;
	default:
		if (random_below(4))
			log_loss(w, when, 3, id, 1, "events", "any");
		else
			log_event(w, when, BCOS_GENERIC_DEVICE, BCOS_DEVICE_SELF, BCOS_EVENT_MISSED, 0x80, text, 3);
		break;
	}
}

static void anything_becomes_a_log(void **state)
{
	const char *given = getenv("SEED"), *rounds = getenv("ROUNDS");
	unsigned int round, n, count = rounds ? (unsigned int)atoi(rounds) : 60;
	u64 first = given ? strtoull(given, NULL, 0) : (u64)clock() ^ (u64)(uintptr_t)&first;
	struct log_writer *w;

	printf("# SEED=%llu\n", (unsigned long long)first);
	for (round = 0; round < count * 20; round++) {
		seed = first + round;
		w = begin_writer(0);
		for (n = 1 + random_below(200); n; n--)
			tell_anything(w);
		end_writer(w, NULL);
	}
}

/* ---- memory --------------------------------------------------------------------------- */

#define MANY 3000000u

static void memory_is_bounded(void **state)
{
	struct log_writer *w = begin_writer(1 << 20);
	u32 i;

	/* This is a permutation: every time from 1 to MANY comes once, in no order. */
	for (i = 0; i < MANY; i++)
		assert_int_equal(log_assign(w, (struct moment){ 1 + (u64)i * 1299709u % MANY, 1 }, i % 4, i % 100 + 1),
				 0);
	end_writer(w, NULL);
	assert_int_equal(entries, MANY + 4 + 4 + 101);
	assert_int_equal(newest, MANY);
	if (most_memory > 4 << 20)
		fail_msg("%llu bytes were allocated for a sorter of 1 MiB", (unsigned long long)most_memory);
}

static void equal_times_stay_in_order(void **state)
{
	struct log_writer *w = begin_writer(SIZE_MAX >> 46);
	u32 i;

	writes_lines = false;
	/* These are enough for several levels of runs. A process is born, runs and ends at each time, in this order. */
	for (i = 0; i < 60000; i++) {
		u64 time = 1 + (u64)i * 7919 % 60000 / 8;

		log_process(w, AT(time), i + 1, "x", 1);
		log_assign(w, AT(time), 0, i + 1);
		log_process_end(w, AT(time), i + 1, 0);
	}
	end_writer(w, NULL);
	/* Each process has a name, two assignments and an end, and the writer had to make up none of them. */
	assert_int_equal(entries, 60000 * 4 + 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_a_log_too),
		cmocka_unit_test(what_is_first_used_was_there),
		cmocka_unit_test(cpus_have_a_core),
		cmocka_unit_test(what_is_used_at_the_end_of_time_is_born),
		cmocka_unit_test(what_is_born_was_not_there),
		cmocka_unit_test(an_id_that_comes_again_began_after_its_end),
		cmocka_unit_test(devices_end_before_their_driver),
		cmocka_unit_test(cpus_are_left_before_they_go),
		cmocka_unit_test(ends_have_an_order),
		cmocka_unit_test(numbers_and_texts_fit),
		cmocka_unit_test(verbatim_is_nothing_else),
		cmocka_unit_test(anything_becomes_a_log),
		cmocka_unit_test(equal_times_stay_in_order),
		cmocka_unit_test(memory_is_bounded),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
