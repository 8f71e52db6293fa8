// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Times: how they are shown, and how users write them; numbers. */
#include <time.h>

#include "options/number.h"
#include "output/output.h"
#include "printed.h"
#include "options/when.h"
#include "output/times.h"

/* ---- as they are shown ----------------------------------------------------------------- */

static struct bcos_entry *made_entry(u16 type, u64 time, u32 precision)
{
	static struct bcos_entry entry;

	entry = (struct bcos_entry){ .size = sizeof(entry), .type = type, .time = time, .precision = precision };
	return &entry;
}

static void a_span_has_the_units_that_it_needs(void **state)
{
	static const struct {
		u64 ns;
		const char *text;
	} spans[] = {
		{ 0, "0.000 s" }, { 1999999, "0.001 s" }, { 59999999999, "59.999 s" },
		{ 60000000000, "1 min 0 s" }, { 3599999999999, "59 min 59 s" },
		{ 3600000000000, "1 h 0 min 0 s" }, { 3725000000000, "1 h 2 min 5 s" }, { 86399000000000, "23 h 59 min 59 s" },
		{ 86400000000000, "1 d 0 h 0 min 0 s" }, { 90061000000000, "1 d 1 h 1 min 1 s" },
		{ UINT64_MAX, "213503 d 23 h 34 min 33 s" },
	};
	char text[SPAN_TEXT];
	size_t i;

	for (i = 0; i < sizeof(spans) / sizeof(spans[0]); i++)
		assert_string_equal(span_text(text, spans[i].ns), spans[i].text);
}

struct stamp {
	u64 time;
	const char *text;
};

/* The clock of all of these. */
static struct clock shown;

/* These follow each other in one output. */
static void assert_stamps(enum time_mode mode, const struct stamp *stamps, size_t count)
{
	size_t i;

	shown.mode = mode;
	for (i = 0; i < count; i++) {
		put_stamp(&shown, made_entry(BCOS_ASSIGN_CPU, stamps[i].time, 1));
		assert_printed(stamps[i].text);
	}
	shown.mode = TIME_BOOT;
}

#define ASSERT_STAMPS(mode, ...) \
	assert_stamps(mode, (const struct stamp []){ __VA_ARGS__ }, sizeof((struct stamp []){ __VA_ARGS__ }) / sizeof(struct stamp))

/* Seven places before the point, and more if they are needed. Minus stands before the digits. */
static void stamps_of_each_mode(void **state)
{
	ASSERT_STAMPS(TIME_BOOT,
		      { 0, "      0.000000000" }, { 1, "      0.000000001" }, { 999999999, "      0.999999999" },
		      { 1000000000, "      1.000000000" }, { 1999999999, "      1.999999999" }, { 999999999, "      0.999999999" },
		      { 1234567123456789, "1234567.123456789" }, { 12345678000000001, "12345678.000000001" },
		      { UINT64_MAX, "18446744073.709551615" });
	ASSERT_STAMPS(TIME_RELATIVE,
		      { 5000000000, "      0.000000000" }, { 6500000000, "      1.500000000" }, { 4999999999, "     -0.000000001" },
		      { 0, "     -5.000000000" }, { 12345000000000, "  12340.000000000" });
	ASSERT_STAMPS(TIME_DELTA,
		      { 5000000000, "      0.000000000" }, { 7000000001, "      2.000000001" }, { 7000000002, "      0.000000001" },
		      { 7000000000, "     -0.000000002" });
}

/* A million seconds after 1970, as the log tells, on the 12th of January. */
static void by_the_wall_clock(void **state)
{
	char text[TIME_TEXT], programs[WALL_TEXT];

	wall_forget(&shown);
	assert_int_equal(wall_add(&shown, &(struct bcoslog_wall){ .boot = 2000000000, .utc = 1000000000000000 }), 0);
	ASSERT_STAMPS(TIME_WALL,
		      { 2000000000, "1970-01-12 13:46:40.000000" }, { 2000001999, "1970-01-12 13:46:40.000001" },
		      { 2999999999, "1970-01-12 13:46:40.999999" }, { 3000000000, "1970-01-12 13:46:41.000000" },
		      { 1999999999, "1970-01-12 13:46:39.999999" });
	shown.mode = TIME_WALL;
	/* The text ends whatever was in the buffer. */
	memset(output.buffer, 'x', TIME_TEXT * 2);
	put_string("before ");
	time_text(&shown, text, 2500000000);
	assert_string_equal(text, "1970-01-12 13:46:40.500000");
	assert_printed("before ");
	assert_int_equal(wall_text(&shown, programs, 2000000001), 30);
	assert_string_equal(programs, "1970-01-12T13:46:40.000000001Z");
	shown.mode = TIME_BOOT;
	time_text(&shown, text, 2500000001);
	assert_string_equal(text, "2.500000001");
	time_text(&shown, text, 12345678901234567890ull);
	assert_string_equal(text, "12345678901.234567890");
	assert_printed("");
}

/* Something had begun when the log found it; only history tells of that. */
static void since_boot_is_a_word(void **state)
{
	put_stamp(&shown, made_entry(BCOS_HIST_SET_PROCESS_NAME, 5, 0xFFFFFFFF));
	assert_printed("       since boot");
	shown.mode = TIME_WALL;
	put_stamp(&shown, made_entry(BCOS_HIST_SET_PROCESS_NAME, 5, 0xFFFFFFFF));
	assert_printed("                since boot");
	shown.mode = TIME_BOOT;
	put_stamp(&shown, made_entry(BCOS_HIST_SET_PROCESS_NAME, 5, 0xFFFFFFFE));
	assert_printed("      0.000000005");
	put_stamp(&shown, made_entry(BCOS_SET_PROCESS_NAME, 5, 0xFFFFFFFF));
	assert_printed("      0.000000005");
}

/* It is rounded up, since the latest possible time is in it. */
static void a_precision_has_the_unit_that_fits(void **state)
{
	static const struct {
		u16 type;
		u32 precision;
		const char *text;
	} cases[] = {
		{ BCOS_SET_PROCESS_NAME, 0, "" }, { BCOS_SET_PROCESS_NAME, 1, "" }, { BCOS_SET_PROCESS_NAME, 2, "  +2ns" },
		{ BCOS_SET_PROCESS_NAME, 9999, "  +9999ns" }, { BCOS_SET_PROCESS_NAME, 10000, "  +10us" },
		{ BCOS_SET_PROCESS_NAME, 10001, "  +11us" }, { BCOS_SET_PROCESS_NAME, 9999999, "  +10000us" },
		{ BCOS_SET_PROCESS_NAME, 10000000, "  +10ms" }, { BCOS_SET_PROCESS_NAME, 10000001, "  +11ms" },
		{ BCOS_SET_PROCESS_NAME, 0xFFFFFFFE, "  +4295ms" }, { BCOS_SET_PROCESS_NAME, 0xFFFFFFFF, "  or later" },
		{ BCOS_HIST_SET_PROCESS_NAME, 0xFFFFFFFF, "" }, { BCOS_HIST_SET_PROCESS_NAME, 7, "  +7ns" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put_precision(made_entry(cases[i].type, 5, cases[i].precision));
		assert_printed(cases[i].text);
	}
}

/* Times of the wall clock have six digits, so that a microsecond is in the last of them. */
static void uncertain_is_what_changes_the_last_digit(void **state)
{
	wall_forget(&shown);
	assert_int_equal(wall_add(&shown, &(struct bcoslog_wall){ .boot = 0, .utc = 0, .precision = 400 }), 0);
	put_uncertainty(&shown, made_entry(BCOS_SET_PROCESS_NAME, 5, 1));
	assert_printed("");
	put_uncertainty(&shown, made_entry(BCOS_SET_PROCESS_NAME, 5, 2));
	assert_printed("  +2ns");
	shown.mode = TIME_WALL;
	put_uncertainty(&shown, made_entry(BCOS_SET_PROCESS_NAME, 5, 600));
	assert_printed("");
	put_uncertainty(&shown, made_entry(BCOS_SET_PROCESS_NAME, 5, 601));
	assert_printed("  +1001ns");
	put_uncertainty(&shown, made_entry(BCOS_SET_PROCESS_NAME, 5, 0xFFFFFFFF));
	assert_printed("  or later");
	put_uncertainty(&shown, made_entry(BCOS_HIST_SET_PROCESS_NAME, 5, 0xFFFFFFFF));
	assert_printed("");
	shown.mode = TIME_BOOT;
}

/* ---- as they are written ---------------------------------------------------------------- */

/* Which complaint there is, is told by tests/cli/golden/times.cases. */
static bool is_taken(int result)
{
	/* A refusal is a negative number. */
	return result == 0;
}

static void parsed_durations(void **state)
{
	static const struct {
		const char *text;
		u64 ns;
	} cases[] = {
		{ "0s", 0 }, { "1ns", 1 }, { "1us", 1000 }, { "1ms", 1000000 }, { "1s", 1000000000 }, { "1m", 60000000000 },
		{ "1min", 60000000000 }, { "1h", 3600000000000 }, { "1d", 86400000000000 },
		{ "1h 30m", 5400000000000 }, { "1h30m", 5400000000000 }, { "1d 1h 1min 1s 1ms 1us 1ns", 90061001001001 },
		{ "1.5s", 1500000000 }, { "0.000000001s", 1 }, { "0.0000000019s", 1 }, { "1.25ms", 1250000 },
		{ "0.5d", 43200000000000 }, { "18446744073709551615ns", UINT64_MAX },
		{ "18446744073s 709551615ns", UINT64_MAX }, { "18446744073.709551615s", UINT64_MAX },
	};
	/* The last ones do not fit into 64 bits: as a number, as a product, as a sum, and by their fraction alone. */
	static const char *const refused[] = {
		"", "5", "s", "-5s", "5 s", "5S", "5sec", "5.s", ".5s", "5s 3", "5s x", "1h,30m",
		"18446744073709551616ns", "99999999999999999999ns", "18446744074s", "18446744073s 709551616ns",
		"18446744073.709551616s",
	};
	size_t i;
	u64 ns;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ns = 1;
		assert_complains("", is_taken(parse_duration("--every", cases[i].text, &ns)));
		assert_true(ns == cases[i].ns);
	}
	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		assert_names("--every", refused[i], !is_taken(parse_duration("--every", refused[i], &ns)));
}

static void assert_moment(const char *text, enum when kind, u64 ns)
{
	struct time_asked moment = { 0 };

	assert_complains("", is_taken(parse_moment("--since", text, &moment)));
	assert_int_equal(moment.kind, kind);
	assert_true(moment.ns == ns);
}

static void assert_no_moment(const char *text)
{
	struct time_asked moment;

	assert_names("--since", text, !is_taken(parse_moment("--since", text, &moment)));
	assert_int_equal(moment.kind, WHEN_NONE);
}

/* TZ is UTC here. */
static void parsed_moments(void **state)
{
	static const struct {
		const char *text;
		enum when kind;
		u64 ns;
	} cases[] = {
		{ "5s", WHEN_BEFORE, 5000000000 }, { "-5s", WHEN_BEFORE, 5000000000 },
		{ "123.5", WHEN_BOOT, 123500000000 }, { "0", WHEN_BOOT, 0 },
		{ "14:03", WHEN_CLOCK, 50580000000000 }, { "14:03:05", WHEN_CLOCK, 50585000000000 },
		{ "14:03:05.5", WHEN_CLOCK, 50585500000000 }, { "00:00", WHEN_CLOCK, 0 }, { "23:59:60", WHEN_CLOCK, 86400000000000 },
		{ "1970-01-12", WHEN_WALL, 950400000000000 }, { "1970-01-12 13:46", WHEN_WALL, 999960000000000 },
		{ "1970-01-12T13:46:40.25", WHEN_WALL, 1000000250000000 }, { "1970-01-12 13:46:40Z", WHEN_WALL, 1000000000000000 },
		{ "1970-01-01", WHEN_WALL, 0 }, { "2024-02-29", WHEN_WALL, 1709164800000000000 },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_moment(cases[i].text, cases[i].kind, cases[i].ns);
}

static void local_times(void **state)
{
	setenv("TZ", "XXX-2", 1);
	tzset();
	assert_moment("1970-01-12 15:46:40", WHEN_WALL, 1000000000000000);
	assert_moment("1970-01-12 13:46:40Z", WHEN_WALL, 1000000000000000);
	/* In UTC this is in 1969. */
	assert_no_moment("1970-01-01 01:00");
	assert_no_moment("1970-01-01");
	assert_moment("1970-01-01 02:00", WHEN_WALL, 0);
	assert_no_moment("1970-01-01 02:00+0201");
	assert_no_moment("1970-01-01 22:00+2300");
	setenv("TZ", "UTC0", 1);
	tzset();
}

/* In summer the clock is an hour ahead: noon is 10:00 in the zone of 0, as it is 11:00 in winter. */
static void summer_time(void **state)
{
	const u64 noon = 1782900000000000000, hour = 3600000000000;
	struct time_asked clock = { .kind = WHEN_CLOCK, .ns = 11 * hour };

	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	assert_moment("2026-07-01 12:00", WHEN_WALL, noon);
	assert_moment("2026-01-01 12:00", WHEN_WALL, 1767265200000000000);
	assert_true(clock_on_day(&clock, noon, 0).ns == noon - hour);
	assert_true(clock_on_day(&clock, noon, -1).ns == noon - 25 * hour);
	clock.zoned = true;
	assert_true(clock_on_day(&clock, noon, 0).ns == noon + hour);
	setenv("TZ", "UTC0", 1);
	tzset();
}

static void what_is_no_moment(void **state)
{
	static const char *const texts[] = {
		"", "x", "-", "--5s", "-5", "1.", ".5", "1.5x", "24:00", "14:60", "14:03:61", "14:3:", "14:", "14:03:", "1:2:3:4", "14:-3",
		"14:03x", "2026-13-01", "2026-00-01", "2026-02-30", "2025-02-29", "2026-01-00", "2026-01-32", "2026-01-01x",
		"2026-01-01 ", "2026-01-01 24:00", "2026-01-01Zx", "1969-12-31", "1969-12-31 23:59:59", "2026-01", "-2026-01-01",
		"18446744074", "18446744073.709551616",
	};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_no_moment(texts[i]);
}

/* On the 25th of October 2026 the clock goes from 03:00 back to 02:00 at 01:00 UTC, on the 29th of March from 02:00 to 03:00. */
static void hours_that_exist_twice_or_never(void **state)
{
	const u64 back = 1792890000000000000, forward = 1774746000000000000, hour = 3600000000000;
	struct time_asked moment;

	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	assert_int_equal(parse_moment("x", "2026-10-25 02:30", &moment), 0);
	assert_true(moment.ns == back - hour / 2 && moment.later == back + hour / 2 && !moment.skipped);
	assert_int_equal(parse_moment("x", "2026-10-25 03:00", &moment), 0);
	assert_true(moment.ns == back + hour && moment.later == moment.ns);
	assert_int_equal(parse_moment("x", "2026-03-29 02:30", &moment), 0);
	assert_true(moment.ns == forward && moment.later == forward && moment.skipped);
	assert_int_equal(parse_moment("x", "2026-03-29 03:00", &moment), 0);
	assert_true(moment.ns == forward && !moment.skipped);
	setenv("TZ", "UTC0", 1);
	tzset();
}

static void times_with_a_zone(void **state)
{
	const u64 noon = 1782900000000000000, hour = 3600000000000;
	struct time_asked moment;

	assert_moment("2026-07-01 12:00:00+0200", WHEN_WALL, noon);
	assert_moment("2026-07-01T12:00:00 +02:00", WHEN_WALL, noon);
	assert_moment("2026-07-01 04:30-0530", WHEN_WALL, noon);
	assert_moment("2026-07-01 10:00 Z", WHEN_WALL, noon);
	assert_int_equal(parse_moment("x", "12:00:00.5+0200", &moment), 0);
	assert_true(moment.kind == WHEN_CLOCK && moment.zoned && moment.zone == 7200 && moment.ns == 12 * hour + 500000000);
	assert_true(clock_on_day(&moment, noon, 0).ns == noon + 500000000);
	assert_no_moment("12:00+1");
	assert_no_moment("12:00+02000");
	assert_no_moment("12:00+0260");
	assert_no_moment("12:00+02:0");
	assert_no_moment("2026-07-01 12:00 CEST");
}

/* ---- numbers ----------------------------------------------------- */

static void parsed_numbers(void **state)
{
	static const struct {
		const char *text;
		u64 most, number;
		bool taken;
	} cases[] = {
		{ "19", 19, 19, true }, { "0x10", 19, 16, true }, { "18446744073709551615", UINT64_MAX, UINT64_MAX, true },
		{ "20", 19 }, { "", 19 }, { "-1", 19 }, { "1x", 19 }, { "18446744073709551616", UINT64_MAX },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		u64 number = 0;

		if (!cases[i].taken) {
			assert_names("--level", cases[i].text, !is_taken(parse_number("--level", cases[i].text, cases[i].most, &number)));
			continue;
		}
		assert_complains("", is_taken(parse_number("--level", cases[i].text, cases[i].most, &number)));
		assert_true(number == cases[i].number);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_span_has_the_units_that_it_needs),
		cmocka_unit_test(stamps_of_each_mode),
		cmocka_unit_test(by_the_wall_clock),
		cmocka_unit_test(since_boot_is_a_word),
		cmocka_unit_test(a_precision_has_the_unit_that_fits),
		cmocka_unit_test(uncertain_is_what_changes_the_last_digit),
		cmocka_unit_test(parsed_durations),
		cmocka_unit_test(parsed_moments),
		cmocka_unit_test(local_times),
		cmocka_unit_test(summer_time),
		cmocka_unit_test(what_is_no_moment),
		cmocka_unit_test(hours_that_exist_twice_or_never),
		cmocka_unit_test(times_with_a_zone),
		cmocka_unit_test(parsed_numbers),
	};

	setenv("TZ", "UTC0", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
