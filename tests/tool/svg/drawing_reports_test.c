// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The drawings of reports, shape by shape: of a log from 1 s to 2 s, whose stretches of 500 ms are 370 wide. */
#include "made_drawing.h"
#include "svg/rows.h"
#include "svg/svg_cpu.h"
#include "svg/svg_io.h"
#include "svg/svg_power.h"

#define RECT(class, x, y, width, height) \
	"<rect class=\"" class "\" x=\"" #x "\" y=\"" #y "\" width=\"" #width "\" height=\"" #height "\"/>\n"
#define TIPPED(class, x, y, width, height, tip) \
	"<rect class=\"" class "\" x=\"" #x "\" y=\"" #y "\" width=\"" #width "\" height=\"" #height "\"><title>" \
	tip "</title></rect>\n"
#define TEXT(class, x, y, text) "<text class=\"" class "\" x=\"" #x "\" y=\"" #y "\">" text "</text>\n"
#define LABEL(y, text) TEXT("label", 192, y, text)
#define NOTE(x, y, text) TEXT("note", x, y, text)
#define PATH(class, points) "<path class=\"" class "\" d=\"" points "\"/>\n"

/* ---- cpu -------------------------------------------------------------------------------------------- */

static void use_cpu(u32 cpu, u32 core, enum bcoslog_use use, u64 begin, u64 end)
{
	svg_cpu_interval(&(struct bcoslog_interval){ .cpu = cpu, .core = core, .use = use, .begin = begin * MS,
		.end = end * MS }, SECOND);
}

/* CPU 2 is there in the second half alone. */
static void what_cpus_were_used_for(void **state)
{
	begin_report(SECOND, 2 * SECOND);
	svg_cpu_width(500 * MS);
	use_cpu(0, 0, BCOSLOG_USE_PROCESS, 1000, 1250);
	use_cpu(2, 1, BCOSLOG_USE_IDLE, 1500, 2000);
	use_cpu(0, 0, BCOSLOG_USE_KERNEL, 1250, 1500);
	use_cpu(1, 0, BCOSLOG_USE_UNKNOWN, 1000, 1500);
	use_cpu(1, 0, BCOSLOG_USE_PROCESS, 1500, 1500);
	use_cpu(0, 0, BCOSLOG_USE_IDLE, 1500, 2000);
	use_cpu(1, 0, BCOSLOG_USE_IDLE, 1500, 2000);
	assert_int_equal(svg_cpu_draw(&report), 0);
	assert_after_axis(
		RECT("process", 200, 40, 12, 12) NOTE(218, 50, "processes") RECT("kernel", 300, 40, 12, 12) NOTE(318,
			50, "kernel")
		RECT("idle", 400, 40, 12, 12) NOTE(418, 50, "idle") RECT("unknown", 500, 40, 12, 12) NOTE(518, 50,
			"unknown")
		LABEL(86, "all CPUs")
		RECT("process", 200, 91, 370, 9) RECT("kernel", 200, 82, 370, 9) RECT("unknown", 200, 64, 370, 18)
			RECT("idle", 570, 64, 370, 36)
		LABEL(130, "core 0")
		RECT("process", 200, 135, 370, 9) RECT("kernel", 200, 126, 370, 9) RECT("unknown", 200, 108, 370, 18)
		RECT("idle", 570, 108, 370, 36)
		LABEL(174, "core 1") RECT("idle", 570, 152, 370, 36)
		LABEL(218, "CPU 0") RECT("process", 200, 214, 370, 18) RECT("kernel", 200, 196, 370, 18) RECT("idle",
			570, 196, 370, 36)
		LABEL(262, "CPU 1") RECT("unknown", 200, 240, 370, 36) RECT("idle", 570, 240, 370, 36)
		LABEL(306, "CPU 2") RECT("idle", 570, 284, 370, 36)
		"</svg>\n");
}

static bool has_too_many_stretches(void)
{
	svg_cpu_width(MS);
	use_cpu(0, 0, BCOSLOG_USE_PROCESS, 1000, 2000);
	return svg_cpu_draw(&report) == -ENOMEM;
}

static void too_many_stretches(void **state)
{
	begin_report(SECOND, 2 * SECOND);
	assert_complains("bcoslog: a drawing has at most 256 stretches of time: choose a wider --every, or a part "
		"of the log by "
			 "--since and --until\n", has_too_many_stretches());
	assert_drawn("");
}

/* ---- io --------------------------------------------------------------------------------------------- */

static void what_devices_transferred(void **state)
{
	struct bcoslog_account_device disk = { .serial = 5, .name = "former", .name_length = 6 };
	const struct bcoslog_account_device net = { .serial = 2, .name = "eth0", .name_length = 4 };

	begin_report(SECOND, 2 * SECOND);
	svg_io_width(500 * MS);
	svg_io_transfer(&disk, SECOND, false, 1100 * MS, 1024);
	svg_io_interrupt(&disk, SECOND, 1100 * MS);
	svg_io_interrupt(&net, SECOND, SECOND);
	disk.name = "sda";
	disk.name_length = 3;
	svg_io_transfer(&disk, SECOND, true, 1200 * MS, 512);
	svg_io_interrupt(&disk, SECOND, 1200 * MS);
	svg_io_transfer(&disk, SECOND, true, 1600 * MS, 2048);
	svg_io_fault(&disk, SECOND, 1600 * MS);
	chart_unknown(NULL, BCOSLOG_LOST_TRANSFERS, 1500 * MS, 1600 * MS);
	chart_unknown(NULL, BCOSLOG_LOST_CALLS, 1000 * MS, 1100 * MS);
	assert_int_equal(svg_io_draw(&report), 0);
	assert_after_axis(
		RECT("in", 200, 40, 12, 12) NOTE(218, 50, "in") RECT("out", 300, 40, 12, 12) NOTE(318, 50, "out")
		RECT("kernel", 405, 44, 2, 4) NOTE(418, 50, "interrupts") RECT("critical", 504, 44, 4, 4) NOTE(518,
			50, "failures")
		LABEL(86, "sda") LABEL(100, "up to 4096 bytes/s")
		"<line class=\"axis\" x1=\"200\" y1=\"82\" x2=\"940\" y2=\"82\"/>\n"
		TIPPED("in", 200, 73, 370, 9, "1024 bytes in, 512 bytes out") TIPPED("out", 200, 82, 370, 4.5,
			"1024 bytes in, 512 bytes out")
		TIPPED("out", 570, 82, 370, 18, "0 bytes in, 2048 bytes out")
		TIPPED("kernel", 200, 80, 2, 4, "interrupts: 2") TIPPED("critical", 570, 100, 4, 4, "failed: 1")
		LABEL(130, "eth0") LABEL(144, "up to 0 bytes/s")
		"<line class=\"axis\" x1=\"200\" y1=\"126\" x2=\"940\" y2=\"126\"/>\n"
		TIPPED("kernel", 200, 124, 2, 4, "interrupts: 1")
		TIPPED("loss", 570, 60, 74, 96, "the log does not tell of all that happened here")
		"</svg>\n");
}

/* ---- power ------------------------------------------------------------------------------------------ */

static void use_core(u32 core, u64 begin, u64 end, u32 power, u64 performance, bool least)
{
	svg_power_segment(&(struct bcoslog_segment){ .core = core, .begin = begin * MS, .end = end * MS,
		.power_known = power,
						     .power = power, .performance_known = performance,
							.performance = performance,
						     .at_least = least }, SECOND);
}

/*
 * Power is in 2 mW, performance in 8000 instructions a second. The second half of core 0 is known in part, the power
 * of core 1 never.
 */
static void power_and_performance(void **state)
{
	begin_report(SECOND, 2 * SECOND);
	svg_power_width(500 * MS);
	use_core(0, 1000, 1500, 100, 1000, false);
	use_core(0, 1500, 1500, 900, 9000, true);
	use_core(0, 1500, 2000, 300, 0, false);
	use_core(1, 1000, 2000, 0, 500, false);
	assert_int_equal(svg_power_draw(&report), 0);
	assert_after_axis(
		LABEL(86, "all cores: power") LABEL(100, "up to 0.6 W + 1 core unknown")
		TIPPED("unknown", 200, 64, 370, 36, "1 core unknown") TIPPED("unknown", 570, 64, 370, 36,
			"1 core unknown")
		PATH("second", "M200 88L570 88L570 64L940 64")
		LABEL(130, "all cores: performance") LABEL(144, "up to 12 M instr/s + 1 core unknown")
		TIPPED("unknown", 570, 108, 370, 36, "1 core unknown") PATH("first",
			"M200 108L570 108L570 132L940 132")
		LABEL(174, "core 0: power") LABEL(188, "up to 0.6 W") PATH("second",
			"M200 176L570 176L570 152L940 152")
		LABEL(218, "core 0: performance") LABEL(232, "up to 8 M instr/s") RECT("unknown", 570, 196, 370, 36)
		PATH("first", "M200 196L570 196")
		LABEL(262, "core 1: power") LABEL(276, "unknown") RECT("unknown", 200, 240, 370, 36) RECT("unknown",
			570, 240, 370, 36)
		LABEL(306, "core 1: performance") LABEL(320, "up to 4 M instr/s") PATH("first",
			"M200 284L570 284L570 284L940 284")
		"</svg>\n");
}

/*
 * Stretches that are there in part, as the first one of 600 ms here, have a line of their own, which joins the next
 * one.
 */
static void partial_stretches_of_power(void **state)
{
	const char *text;

	begin_report(SECOND, 2 * SECOND);
	svg_power_width(600 * MS);
	use_core(0, 1000, 1200, 100, 0, true);
	use_core(0, 1200, 1800, 50, 0, false);
	use_core(0, 1800, 2000, 100, 0, false);
	use_core(1, 1000, 2000, 0, 0, false);
	use_core(2, 1000, 2000, 0, 0, false);
	assert_int_equal(svg_power_draw(&report), 0);
	text = take_after_axis();
	assert_true(has_line(text, LABEL(100, "up to &gt;=0.2 W + 2 cores unknown")));
	assert_true(has_line(text, TIPPED("unknown", 200, 64, 148, 36, "2 cores unknown")));
	assert_true(has_line(text, PATH("second partial", "M200 152L348 152") PATH("second",
		"M348 152L348 170L792 170")
			     PATH("second partial", "M792 170L792 152L940 152")));
}

/* ---- amounts over time ------------------------------------------------------------------------------ */

/* Asserts the sums of one series; the others have none. */
static void assert_sums(const struct timeline *timeline, u64 width, u64 first, unsigned int series,
	const double *sums, size_t count)
{
	unsigned int other;
	size_t i;

	assert_int_equal(timeline->width, width);
	assert_int_equal(timeline->first, first);
	assert_int_equal(timeline->count, count);
	for (i = 0; i < TIMELINE_BUCKETS; i++)
		for (other = 0; other < TIMELINE_SERIES; other++)
			assert_true(timeline->sum[i][other] == (other == series && i < count ? sums[i] : 0));
}

#define KIB 1024ull

/* Stretches 260 and 261 are of number 130 then, which is the 129th from number 2 on. */
static void stretches_double_until_all_fits(void **state)
{
	static struct timeline timeline, wide;
	static const double few[] = { 1, 5, 5 };
	const double sums[129] = { [0] = 1, [1] = 10, [128] = 6 };
	unsigned int series;

	for (series = 0; series < TIMELINE_SERIES; series++) {
		memset(&timeline, 0, sizeof(timeline));
		timeline_add(&timeline, 5 * KIB, 6 * KIB, 8 * KIB, series, 10);
		timeline_add(&timeline, 5 * KIB, 5 * KIB, 5 * KIB, series, 1);
		assert_sums(&timeline, KIB, 5, series, few, 3);
		/* Neither what is before all, nor what ends before it begins. */
		timeline_add(&timeline, 5 * KIB, 5 * KIB - 1, 7 * KIB, series, 7);
		timeline_add(&timeline, 5 * KIB, 7 * KIB, 7 * KIB - 1, series, 7);
		assert_sums(&timeline, KIB, 5, series, few, 3);
		/* The last one for which there is room, and the next. */
		timeline_add(&timeline, 5 * KIB, 260 * KIB, 261 * KIB, series, 2);
		assert_int_equal(timeline.width, KIB);
		assert_int_equal(timeline.count, 256);
		timeline_add(&timeline, 5 * KIB, 261 * KIB, 261 * KIB, series, 4);
		assert_sums(&timeline, 2 * KIB, 2, series, sums, 129);
	}
	timeline_add(&wide, 5 * KIB, 260 * KIB, 261 * KIB + 1, 0, 1);
	assert_int_equal(wide.width, 2 * KIB);
	assert_int_equal(timeline_from(&timeline, 1, 0), 6 * KIB);
	assert_int_equal(timeline_from(&timeline, 0, 5 * KIB), 5 * KIB);
	assert_int_equal(timeline_to(&timeline, 1, 1000 * KIB), 8 * KIB);
	assert_int_equal(timeline_to(&timeline, 1, 8 * KIB), 8 * KIB);
	assert_int_equal(timeline_to(&timeline, 1, 7 * KIB), 7 * KIB);
	assert_int_equal(timeline_to(&timeline, 1, 5 * KIB), 5 * KIB);
}

static void stretches_of_a_width(void **state)
{
	static struct timeline timeline = { .fixed = 10 };

	timeline_add(&timeline, 20, 25, 45, 1, 20);
	assert_sums(&timeline, 10, 2, 1, (const double []){ 5, 10, 5 }, 3);
	timeline_add(&timeline, 20, 2579, 2579, 1, 3);
	assert_false(timeline.overflow);
	assert_int_equal(timeline.count, 256);
	timeline_add(&timeline, 20, 2580, 2580, 1, 3);
	assert_true(timeline.overflow);
	assert_int_equal(timeline.width, 10);
}

static void the_end_of_all_time(void **state)
{
	static struct timeline timeline = { .fixed = 1ull << 60 };

	timeline_add(&timeline, 0, UINT64_MAX - 100, UINT64_MAX, 1, 8);
	assert_int_equal(timeline.count, 16);
	assert_true(timeline.sum[15][1] == 8);
	assert_int_equal(timeline_to(&timeline, 15, UINT64_MAX), UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		drawing_test(what_cpus_were_used_for),
		drawing_test(too_many_stretches),
		drawing_test(what_devices_transferred),
		drawing_test(power_and_performance),
		drawing_test(partial_stretches_of_power),
		cmocka_unit_test(stretches_double_until_all_fits),
		cmocka_unit_test(stretches_of_a_width),
		cmocka_unit_test(the_end_of_all_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
