// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The floor, and tracers that are part of the kernel: ftrace, BPF. */
#include "bench.h"

/* ---- the floor (floor.kmod) ------------------------------------------------------------ */

static void do_nothing(void) {}
static void empty_on(void) { load_other("floor", ""); }
static void store_on(void) { load_other("floor", "store=1"); }
static void floor_off(void) { unload_other("floor"); }
static double size_of_record(uint64_t events) { return 24; }

const struct variant floor_variants[] = {
	{ "nothing", "nothing (what the measurement itself is off by)", NULL, do_nothing, do_nothing },
	{ "empty", "an empty probe: the floor", NULL, empty_on, floor_off },
	{ "store", "a clock and one unlocked 24-byte store", NULL, store_on, floor_off, NULL, NULL, size_of_record },
	{ 0 }
};

/* ---- ftrace ------------------------------------------------------------------------------ */

#define TRACEFS "/sys/kernel/tracing/"

static void trace_set(const char *file, const char *text)
{
	char path[100];

	snprintf(path, sizeof(path), TRACEFS "%s", file);
	if (!write_file(path, "%s", text))
		give_up("%s", path);
}

static double trace_stat(const char *name)
{
	char text[1000], *at;

	if (read_file(TRACEFS "per_cpu/cpu0/stats", text, sizeof(text)) < 0)
		give_up("stats of ftrace");
	at = strstr(text, name);
	return at ? strtod(at + strlen(name), NULL) : 0;
}

static void ftrace_on(void)
{
	trace_set("trace", "");
	trace_set("events/sched/sched_switch/enable", "1");
}

static void ftrace_off(void)
{
	trace_set("events/sched/sched_switch/enable", "0");
	trace_set("trace", "");
}

static void ftrace_nameless_on(void)
{
	trace_set("options/record-cmd", "0");
	ftrace_on();
}

static void ftrace_nameless_off(void)
{
	ftrace_off();
	trace_set("options/record-cmd", "1");
}

static double ftrace_bytes(uint64_t events)
{
	double entries = trace_stat("entries: ");

	return entries > 0 ? trace_stat("bytes: ") / entries : -1;
}

const struct variant ftrace_variants[] = {
	{ "ftrace-nameless", "ftrace, no command names", TRACEFS "trace", ftrace_nameless_on, ftrace_nameless_off,
	  NULL, NULL, ftrace_bytes },
	{ "ftrace", "ftrace, default", TRACEFS "trace", ftrace_on, ftrace_off, NULL, NULL, ftrace_bytes },
	{ 0 }
};

/* ---- BPF ----------------------------------------------------------------------------------- */

#define ATTACH "/bcos/bench-bpf"

static struct tool bpf;

static void bpf_attach(char *program)
{
	char *arguments[] = { ATTACH, program, NULL }, line[16];

	bpf = tool_start("bench-bpf", arguments);
	tool_line(&bpf, line, sizeof(line));
}

static void bpf_empty_on(void) { bpf_attach("empty_switch"); }
static void bpf_array_on(void) { bpf_attach("array_switch"); }
static void bpf_ring_on(void) { bpf_attach("ring_switch"); }
static void bpf_off(void) { tool_stop(&bpf, 0); }

static double bpf_position(void)
{
	char line[32];

	if (write(bpf.to, "?\n", 2) != 2)
		give_up("bench-bpf");
	tool_line(&bpf, line, sizeof(line));
	return strtod(line, NULL);
}

static double bpf_before;

static void bpf_begin(void)
{
	bpf_before = bpf_position();
}

static double bpf_ring_bytes(uint64_t events)
{
	return (bpf_position() - bpf_before) / (double)events;
}

const struct variant bpf_variants[] = {
	{ "bpf-empty", "BPF, an empty program", ATTACH, bpf_empty_on, bpf_off },
	{ "bpf-array", "BPF per-CPU array, overwritten", ATTACH, bpf_array_on, bpf_off, NULL, NULL, size_of_record },
	{ "bpf-ring", "BPF ring buffer", ATTACH, bpf_ring_on, bpf_off, bpf_begin, NULL, bpf_ring_bytes },
	{ 0 }
};
