// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The BPF engine: its programs alone, and everything until the log is read.
 *
 * For the measurement of the programs alone, bcoslog is stopped, since their records fit into the rings. Otherwise
 * bcoslog's work after the last event counts by the CPU time that it takes, since bcoslog does not hurry.
 */
#include "bench.h"

#include <dirent.h>
#include <signal.h>

/* This program is built only where libbpf is, and so is the engine. */
#define NEEDS "/bcos/bench-bpf"

static struct tool recorder;

/* Returns the number of the recorder's threads, and in @busy the CPU time in ns that they have used. */
static int count_threads(uint64_t *busy)
{
	char path[300], text[100];
	const struct dirent *entry;
	int count = 0;
	DIR *folder;

	*busy = 0;
	snprintf(path, sizeof(path), "/proc/%d/task", recorder.pid);
	folder = opendir(path);
	while (folder && (entry = readdir(folder))) {
		snprintf(path, sizeof(path), "/proc/%d/task/%s/schedstat", recorder.pid, entry->d_name);
		if (entry->d_name[0] == '.' || read_file(path, text, sizeof(text)) <= 0)
			continue;
		*busy += strtoull(text, NULL, 10);
		count++;
	}
	if (folder)
		closedir(folder);
	return count;
}

static uint64_t busy_time(void)
{
	uint64_t ns;

	return count_threads(&ns) ? ns : 0;
}

static bool has_begun(void)
{
	uint64_t ns;

	/* The log writer's thread is started when the log has begun. */
	return count_threads(&ns) == 2;
}

/* Returns the bytes of the log that the recorder has given out. */
static uint64_t bytes_given(void)
{
	char path[40], text[200];
	const char *at;

	snprintf(path, sizeof(path), "/proc/%d/io", recorder.pid);
	at = read_file(path, text, sizeof(text)) > 0 ? strstr(text, "wchar: ") : NULL;
	if (!at)
		give_up("%s", path);
	return strtoull(at + 7, NULL, 10);
}

static void start_recorder(char *classes)
{
	/* The log writer compacts the ring as it fills. */
	char *arguments[] = { "/bin/sh", "-c", "exec /bcos/bcoslog --engine bpf --ring 2048 --classes $0 cat -f "
			      ">/dev/null", classes, NULL };

	recorder = tool_start("bcoslog", arguments);
	WAIT_FOR(has_begun());
}

static void record_switches(void) { start_recorder("assign"); }
static void record_interrupts(void) { start_recorder("irq"); }

static void hold_recorder(void)
{
	if (kill(recorder.pid, SIGSTOP))
		give_up("kill");
}

static void stop_recorder(void)
{
	kill(recorder.pid, SIGCONT);
	tool_stop(&recorder, SIGTERM);
}

static uint64_t given_before;

static void begin_stretch(void)
{
	given_before = bytes_given();
}

static uint64_t await_events(uint64_t events)
{
	uint64_t before = busy_time();

	/* An event takes 24 bytes; one event in a hundred may have none. */
	WAIT_FOR(bytes_given() - given_before >= events * 24 * 99 / 100);
	return busy_time() - before;
}

const struct variant engine_variants[] = {
	{ "bcos-bpf-probe", "bcos_evlog, BPF engine, programs", NEEDS, record_switches, stop_recorder, hold_recorder },
	{ "bcos-bpf", "bcos_evlog, BPF engine, all until it is read", NEEDS, record_switches, stop_recorder,
	  begin_stretch, await_events },
	{ "bcos-bpf-irq", "bcos_evlog, BPF engine, programs", NEEDS, record_interrupts, stop_recorder, hold_recorder },
	{ 0 }
};
