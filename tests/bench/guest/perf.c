// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Runs perf record as a flight recorder: it writes its file once it is told to end. */
#include "bench.h"

#include <linux/perf_event.h>
#include <signal.h>
#include <sys/stat.h>

#define PERF "/usr/bin/perf"
#define DATA "/tmp/perf.data"
#define ORDERS "/tmp/perf.orders"
#define ANSWERS "/tmp/perf.answers"

static struct tool perf;

/* Starts perf. It begins to record when it is ordered to, and answers once it has begun. */
static void perf_on(void)
{
	char *arguments[] = { PERF, "record", "--overwrite", "-a", "-B", "-N", "-D", "-1", "-e", "sched:sched_switch",
			      "-o", DATA, "--control", "fifo:" ORDERS "," ANSWERS, NULL };
	char answer[8];
	int orders, answers;

	unlink(DATA);
	if ((mkfifo(ORDERS, 0600) || mkfifo(ANSWERS, 0600)) && errno != EEXIST)
		give_up("mkfifo");
	orders = open(ORDERS, O_RDWR | O_CLOEXEC);
	answers = open(ANSWERS, O_RDWR | O_CLOEXEC);
	if (orders < 0 || answers < 0)
		give_up("fifos of perf");
	perf = tool_start("perf", arguments);
	if (write(orders, "enable\n", 7) != 7 || read(answers, answer, sizeof(answer)) <= 0)
		give_up("perf does not begin");
	close(orders);
	close(answers);
}

static void perf_off(void)
{
	tool_stop(&perf, SIGINT);
}

/* The fields at the head of a perf.data file that are needed here. */
struct data_head {
	char magic[8];
	uint64_t size, attribute_size;
	struct {
		uint64_t offset, size;
	} attributes, data;
};

/* Returns the mean size of the samples in the file. */
static double sample_bytes(FILE *file)
{
	struct perf_event_header event;
	struct data_head head;
	uint64_t at, count = 0, sum = 0;

	if (fread(&head, sizeof(head), 1, file) != 1 || memcmp(head.magic, "PERFILE2", 8))
		return -1;
	for (at = 0; at < head.data.size; at += event.size) {
		if (fseek(file, (long)(head.data.offset + at), SEEK_SET) ||
		    fread(&event, sizeof(event), 1, file) != 1 || event.size < sizeof(event))
			break;
		if (event.type != PERF_RECORD_SAMPLE)
			continue;
		count++;
		sum += event.size;
	}
	return count ? (double)sum / (double)count : -1;
}

/* Returns the bytes for an event. perf writes its file only at its end, so this ends perf, once. */
static double perf_bytes(uint64_t events)
{
	static double bytes;
	FILE *file;

	if (bytes)
		return bytes;
	kill(perf.pid, SIGINT);
	WAIT_FOR(access(DATA, R_OK) == 0 && waitid(P_PID, (id_t)perf.pid, &(siginfo_t){ 0 }, WEXITED | WNOWAIT) == 0);
	file = fopen(DATA, "r");
	if (!file)
		give_up(DATA);
	bytes = sample_bytes(file);
	fclose(file);
	return bytes;
}

const struct variant perf_variants[] = {
	{ "perf", "perf record --overwrite", PERF, perf_on, perf_off, NULL, NULL, perf_bytes },
	{ 0 }
};
