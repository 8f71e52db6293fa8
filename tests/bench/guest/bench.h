/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The instrument: what an event costs under each tracer, by the difference
 * between a stretch of a load with it and one without, in one boot.
 *
 * In an --icount guest a nanosecond is an instruction.
 */
#ifndef BCOS_BENCH_H
#define BCOS_BENCH_H

#include "device.h"

/* The loads, which cause events. */
struct load {
	const char *name;
	void (*start)(void);
	/* Makes about so many events.  Return: how many the kernel counted. */
	uint64_t (*run)(unsigned int events);
	/* May be NULL: the ns of the last run() that count, if not all do. */
	uint64_t (*spent)(void);
	void (*stop)(void);
};

extern const struct load switch_load, interrupt_load, process_load, record_load;

/* Raises interrupts by interrupts.kmod: the fastest way to make many events. */
void raise_interrupts(unsigned int count);

/* The tracers, which record them. */
struct variant {
	const char *name;
	const char *what;		/* as the tables name it */
	const char *needs;		/* a file that the guest has, or this one is left out */
	void (*on)(void);
	void (*off)(void);
	/* May be NULL: just before the time that is measured. */
	void (*begin)(void);
	/* May be NULL: does what is left to do for so many events.  Return: the ns that it took. */
	uint64_t (*settle)(uint64_t events);
	/* May be NULL: kept for an event, of so many since begin(); < 0 unknown. */
	double (*bytes)(uint64_t events);
	/* May be NULL: has it worked outside of its probes since begin()? */
	bool (*worked)(void);
	/* May be NULL: how often it woke for each zone of the ring. */
	double (*wakeups)(void);
};

/* Each ended by one without a name. */
extern const struct variant floor_variants[], our_variants[], bpf_variants[], engine_variants[], ftrace_variants[],
	perf_variants[], lttng_variants[], record_variants[];

/* ---- programs of others --------------------------------------------------------- */

struct tool {
	pid_t pid;
	int to, from;		/* its standard input and output */
	const char *name;
};

/* Starts a program that goes on; its error output goes to /tmp/NAME.log. */
struct tool tool_start(const char *name, char *const *arguments);
/* One line of its output, without the newline; dies, with what it complained of, if there is none. */
void tool_line(struct tool *tool, char *line, size_t size);
/* Closes its input, sends it a signal (or 0) and waits until it is gone. */
void tool_stop(struct tool *tool, int signal);
/* Runs one to its end; dies if that is not a success. */
void tool_run(const char *name, char *const *arguments);

#endif
