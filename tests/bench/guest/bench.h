/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The instrument measures the cost of an event under each tracer: the difference between a stretch of a load with the
 * tracer and one without it, in one boot.
 *
 * In an --icount guest a nanosecond is an instruction.
 */
#ifndef BCOS_BENCH_H
#define BCOS_BENCH_H

#include "device.h"

/* A load causes events. */
struct load {
	const char *name;
	void (*start)(void);
	/* Causes about @events events.  Return: the number that the kernel counted. */
	uint64_t (*run)(unsigned int events);
	/* May be NULL. Returns the ns of the last run() that count, if not all of them do. */
	uint64_t (*spent)(void);
	void (*stop)(void);
};

extern const struct load switch_load, interrupt_load, process_load, record_load;

/* Raises interrupts by interrupts.kmod: the fastest way to make many events. */
void raise_interrupts(unsigned int count);

/* A variant is a tracer, with its settings, that records the events. */
struct variant {
	const char *name;
	const char *what;		/* as the tables name it */
	const char *needs;		/* a file without which the guest leaves this variant out */
	void (*on)(void);
	void (*off)(void);
	/* May be NULL. Is called just before the time that is measured. */
	void (*begin)(void);
	/* May be NULL. Does the work that is left for @events events.  Return: the ns that this took. */
	uint64_t (*settle)(uint64_t events);
	/* May be NULL. Returns the bytes that are kept for each of @events events since begin(); < 0 if unknown. */
	double (*bytes)(uint64_t events);
	/* May be NULL. Has the tracer worked outside of its probes since begin()? */
	bool (*worked)(void);
	/* May be NULL. Returns how often the tracer woke up for each zone of the ring. */
	double (*wakeups)(void);
};

/* The last element of each array has no name. */
extern const struct variant floor_variants[], our_variants[], bpf_variants[], engine_variants[], ftrace_variants[],
	perf_variants[], lttng_variants[], record_variants[];

/* ---- programs of others --------------------------------------------------------- */

struct tool {
	pid_t pid;
	int to, from;		/* its standard input and output */
	const char *name;
};

/* Starts a program that goes on. Its error output goes to /tmp/NAME.log. */
struct tool tool_start(const char *name, char *const *arguments);
/*
 * Reads one line of the program's output, without the newline. If there is none, dies with the program's error output.
 */
void tool_line(struct tool *tool, char *line, size_t size);
/* Closes the program's input, sends it a signal (or 0), and waits until it is gone. */
void tool_stop(struct tool *tool, int signal);
/* Runs a program to its end, and dies if it does not succeed. */
void tool_run(const char *name, char *const *arguments);

#endif
