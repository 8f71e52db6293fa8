// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The loads: switches between two processes, interrupts, and short lives of processes. */
#include "bench.h"

#include <sched.h>
#include <signal.h>

/* ---- sched_switch: two processes on one CPU hand a byte to and fro -------------------- */

static struct {
	int there[2], back[2];
	pid_t pid;
} pong;

static void be_pong(void *unused)
{
	char byte;

	while (read(pong.there[0], &byte, 1) == 1)
		if (write(pong.back[1], &byte, 1) != 1)
			give_up("write");
}

static uint64_t switches_of(pid_t pid)
{
	return status_figure(pid, "voluntary_ctxt_switches") + status_figure(pid, "nonvoluntary_ctxt_switches");
}

static uint64_t run_switches(unsigned int events)
{
	uint64_t before = switches_of(getpid()) + switches_of(pong.pid);
	unsigned int i;
	char byte = 'x';

	for (i = 0; i < events / 2; i++)
		if (write(pong.there[1], &byte, 1) != 1 || read(pong.back[0], &byte, 1) != 1)
			give_up("ping");
	return switches_of(getpid()) + switches_of(pong.pid) - before;
}

static void start_switches(void)
{
	if (pipe2(pong.there, O_CLOEXEC) || pipe2(pong.back, O_CLOEXEC))
		give_up("pipe");
	/* A woken process never preempts, so all switches take the same path. */
	if (sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){ 0 }))
		give_up("SCHED_BATCH");
	pong.pid = spawn_bound(be_pong, NULL);
}

static void stop_switches(void)
{
	end_child(pong.pid);
	close(pong.there[0]);
	close(pong.there[1]);
	close(pong.back[0]);
	close(pong.back[1]);
}

const struct load switch_load = { "sched_switch", start_switches, run_switches, NULL, stop_switches };

/* ---- irq_handler_entry ----------------------------------------------------------------- */

void raise_interrupts(unsigned int count)
{
	if (!write_file("/sys/module/interrupts/parameters/raise", "%u", count))
		give_up("raise");
}

static uint64_t run_interrupts(unsigned int events)
{
	raise_interrupts(events);
	return events;
}

static void do_nothing(void) {}

const struct load interrupt_load = { "irq_handler_entry", do_nothing, run_interrupts, NULL, do_nothing };

/* ---- fork, exec, exit ------------------------------------------------------------------ */

#define PROGRAM "/tmp/bench-program"
#define SPENT "/sys/module/stopwatch/parameters/spent"

static void start_processes(void)
{
	/* A woken process never preempts, so all lives have the same switches. */
	if (sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){ 0 }))
		give_up("SCHED_BATCH");
	make_program(PROGRAM);
	load_other("stopwatch", "");
}

static void live_once(void)
{
	pid_t pid = vfork();

	if (pid < 0)
		give_up("vfork");
	if (!pid)
		become_program(PROGRAM, 1);
	reap_child(pid, NULL);
}

static uint64_t run_processes(unsigned int events)
{
	unsigned int i;

	if (!write_file(SPENT, "0"))
		give_up("stopwatch");
	for (i = 0; i < events; i++)
		live_once();
	return events;
}

/*
 * A life takes a hundred times as many instructions as the probes that are to be measured, and its memory alone makes
 * that number vary by more than the probes take.  So stopwatch.kmod counts the instructions of the probes where they
 * run; a cycle is a nanosecond there.
 */
static uint64_t in_probes(void)
{
	char text[30];

	if (read_file(SPENT, text, sizeof(text)) < 0)
		give_up("stopwatch");
	return strtoull(text, NULL, 10);
}

static void stop_processes(void)
{
	unload_other("stopwatch");
	unlink(PROGRAM);
}

const struct load process_load = { "fork+exec+exit", start_processes, run_processes, in_probes, stop_processes };
