// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The BPF engine: its programs alone, and everything until the log is read.
 *
 * For the programs alone bcoslog is stopped while they are measured: what they record fits into their rings.
 */
#include "bench.h"

#include <dirent.h>
#include <signal.h>

/* Built where libbpf is. */
#define NEEDS "/bcos/bench-bpf"

static struct tool recorder;

static int threads_of(pid_t pid)
{
	char path[40];
	DIR *folder;
	int count = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	folder = opendir(path);
	while (folder && readdir(folder))
		count++;
	if (folder)
		closedir(folder);
	return count - 2;
}

static void record(char *classes)
{
	char *arguments[] = { "/bin/sh", "-c", "exec /bcos/bcoslog --engine bpf --classes $0 cat -f >/dev/null", classes,
			      NULL };

	recorder = tool_start("bcoslog", arguments);
	/* Its log writer is started when the log has begun. */
	WAIT_FOR(threads_of(recorder.pid) == 2);
}

static void record_switches(void) { record("assign"); }
static void record_interrupts(void) { record("irq"); }

static void hold(void)
{
	if (kill(recorder.pid, SIGSTOP))
		die("kill");
}

static void end_held(void)
{
	kill(recorder.pid, SIGCONT);
	tool_stop(&recorder, SIGTERM);
}

/* It writes and reads the rest before it ends. */
static void settle(void)
{
	tool_stop(&recorder, SIGTERM);
}

static void nothing(void) { }

const struct variant engine_variants[] = {
	{ "bcos-bpf-probe", "bcos_evlog, BPF engine, programs", NEEDS, record_switches, end_held, hold },
	{ "bcos-bpf", "bcos_evlog, BPF engine, all until it is read", NEEDS, record_switches, nothing, NULL, settle },
	{ "bcos-bpf-irq", "bcos_evlog, BPF engine, programs", NEEDS, record_interrupts, end_held, hold },
	{ 0 }
};
