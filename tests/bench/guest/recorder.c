// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Measures bcoslog record: the CPU time that it takes for an entry of the device, and how often it wakes up meanwhile.
 * Only the recorder counts, and not the load, so there is no measurement without a recorder.
 */
#include "bench.h"

#include <signal.h>
#include <sys/resource.h>

#define KEPT "/tmp/kept"

static struct tool recorder;
static int fd = -1;
/* The values at begin_stretch(). */
static uint64_t head, waits, busy;
/* The number of the recorder's wake-ups for each zone. */
static double woke;

static void start_load(void) { switch_load.start(); }
static void stop_load(void) { switch_load.stop(); }

static uint64_t run_recorded(unsigned int events)
{
	return recorder.pid ? switch_load.run(events) : events;
}

static uint64_t ns_of(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_usec * 1000u;
}

/* Returns the CPU time in ns of the children that have ended. */
static uint64_t spent_by_children(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_CHILDREN, &usage))
		give_up("getrusage");
	return ns_of(&usage.ru_utime) + ns_of(&usage.ru_stime);
}

static uint64_t waits_of_recorder(void)
{
	return status_figure(recorder.pid, "voluntary_ctxt_switches");
}

/* An entry that the recorder did not get costs nothing, so a run with losses gives no figure. */
static void lose_nothing(void)
{
	struct bcos_status status = status_of(fd);
	int i;

	errno = 0;
	for (i = 0; i < BCOS_LOST_REASONS; i++)
		if (status.lost[i])
			give_up("bcos_evlog lost %llu records for reason %d", (unsigned long long)status.lost[i], i);
}

/* Dies unless the files have at least so many entries. */
static void have_kept(uint64_t entries)
{
	char least[24], *arguments[] = { "/bin/sh", "-c", "[ $(/bcos/bcoslog status --boots --json " KEPT
					 " | sed 's/.*\"entries\":\\([0-9]*\\).*/\\1/') -ge $0 ]", least, NULL };

	snprintf(least, sizeof(least), "%llu", (unsigned long long)entries);
	tool_run("kept", arguments);
}

/*
 * Ends the recorder, which then writes what it has not written yet.  Return: its CPU time in ns since begin_stretch().
 */
static uint64_t spent_since(void)
{
	uint64_t before = spent_by_children(), bytes, ns;

	if (!recorder.pid)
		return 0;
	lose_nothing();
	bytes = flush_log(fd) - head;
	woke = (double)(waits_of_recorder() - waits) * (double)status_of(fd).ring_size / 4 / (double)bytes;
	tool_stop(&recorder, SIGINT);
	recorder.pid = 0;
	ns = spent_by_children() - before - busy;
	/*
	 * A switch takes 24 bytes. At most one entry in a hundred is historical and says nothing new, so it is not
	 * kept.
	 */
	have_kept(bytes / 24 * 99 / 100);
	return ns;
}

const struct load record_load = { "record", start_load, run_recorded, spent_since, stop_load };

/* Fills the ring first, as it is when a recorder has run for a while. */
static void start_recorder(void)
{
	char *arguments[] = { "/bcos/bcoslog", "--classes", "default", "record", "-o", KEPT, NULL };

	load_module("");
	fd = open_log(O_RDONLY);
	while (!status_of(fd).compactions) {
		raise_interrupts(10000);
		flush_log(fd);
	}
	recorder = tool_start("bcoslog", arguments);
}

/* By now the recorder has read what the ring had at its start, and sleeps. */
static void begin_stretch(void)
{
	char path[40], text[100];

	snprintf(path, sizeof(path), "/proc/%d/schedstat", recorder.pid);
	if (read_file(path, text, sizeof(text)) <= 0)
		give_up("%s", path);
	busy = strtoull(text, NULL, 10);
	head = flush_log(fd);
	waits = waits_of_recorder();
}

static double count_wakeups(void) { return woke; }

static void stop_recorder(void)
{
	char *arguments[] = { "/bin/rm", "-r", KEPT, NULL };

	close(fd);
	fd = -1;
	if (try_unload())
		give_up("rmmod bcos_evlog");
	tool_run("rm", arguments);
}

const struct variant record_variants[] = {
	{ "bcos-record", "`bcoslog --classes default record`, an entry of the device", "/bcos/bcoslog", start_recorder, stop_recorder,
	  begin_stretch, NULL, NULL, NULL, count_wakeups },
	{ 0 }
};
