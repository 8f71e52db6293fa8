// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * No process that calls the device holds up the log writer, however seldom it gets the processor.
 *
 * guest: cpus=2 append=preempt=full rounds=1:4 timeout=240:600
 *
 * A process keeps one CPU busy and sleeps for a moment now and then. Only then the caller runs, whose policy is
 * SCHED_IDLE. It makes one call of the device after another, and when the moment is over, it stays where it is in a
 * call for as long as the other process is busy. On the other CPU two processes switch, and a process of a higher
 * priority than the log writer's asks for merges, and waits: that is how late the writer is. The longest such wait is
 * compared with the longest one without the caller. A writer that waits for the caller is late by as long as the busy
 * process is busy, again and again. A host that stands still once does not do so again at the next try.
 */
#include "device.h"

#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#define TRIES 3
#define BUSY 500000000ull	/* ns */
#define PAUSE 1500		/* us */

static struct {
	volatile uint32_t calls;
	volatile uint32_t pauses;	/* pauses of the busy process so far */
} *shared;

static int device;

/* ---- the calls ------------------------------------------------------------------- */

static int call_status(void)
{
	struct bcos_status status = { 0 };

	return ioctl(device, BCOS_IOC_STATUS, &status);
}

static int call_compaction(void)
{
	struct bcos_compaction compaction = { 0 };

	return ioctl(device, BCOS_IOC_COMPACTION, &compaction);
}

static int call_watermark(void)
{
	struct bcos_watermark watermark = { .bytes = 4096 };

	return ioctl(device, BCOS_IOC_WATERMARK, &watermark);
}

static int call_flush(void)
{
	struct bcos_flush flush = { 0 };

	return ioctl(device, BCOS_IOC_FLUSH, &flush);
}

static int call_mask(void)
{
	struct bcos_mask mask = { .set = BCOS_CLASS_IDLE };

	if (shared->calls & 1)
		mask = (struct bcos_mask){ .clear = BCOS_CLASS_IDLE };
	return ioctl(device, BCOS_IOC_MASK, &mask);
}

static int call_emit_process(void)
{
	struct bcos_emit emit = { .type = BCOS_GENERIC_PROCESS, .event_id = 1, .length = 5, .text = "hello" };

	return ioctl(device, BCOS_IOC_EMIT, &emit);
}

static int call_emit_cpu(void)
{
	struct bcos_emit emit = { .type = BCOS_GENERIC_CPU, .event_id = 0x80000099, .length = 5, .text = "hello" };

	return ioctl(device, BCOS_IOC_EMIT, &emit);
}

/* Asks for classes of the log's own device, or takes that back. */
static int call_request_device(void)
{
	struct bcos_request request = { .classes = BCOS_CLASS_IO, .source = 0xC0000000, .on = !(shared->calls & 1) };

	return ioctl(device, BCOS_IOC_REQUEST, &request);
}

static int call_request_process(void)
{
	struct bcos_request request = { .classes = BCOS_CLASS_API, .source = 1, .on = !(shared->calls & 1) };

	return ioctl(device, BCOS_IOC_REQUEST, &request);
}

static const struct call {
	const char *name;
	int (*call)(void);
	uint32_t pauses;	/* pauses during which the call is made again and again */
} calls[] = {
	{ "BCOS_IOC_STATUS", call_status, 36 },
	{ "BCOS_IOC_COMPACTION", call_compaction, 2 },
	{ "BCOS_IOC_WATERMARK", call_watermark, 2 },
	{ "BCOS_IOC_FLUSH", call_flush, 2 },
	{ "BCOS_IOC_MASK", call_mask, 2 },
	{ "BCOS_IOC_EMIT of a process", call_emit_process, 2 },
	{ "BCOS_IOC_EMIT of a CPU", call_emit_cpu, 3 },
	{ "BCOS_IOC_REQUEST of a device", call_request_device, 3 },
	{ "BCOS_IOC_REQUEST of a process", call_request_process, 2 },
};

static void be_busy(void *argument)
{
	uint64_t until;

	if (!pin_to(0))
		give_up("pin");
	for (;;) {
		until = now_ns(CLOCK_MONOTONIC) + BUSY;
		while (now_ns(CLOCK_MONOTONIC) < until)
			;
		usleep(PAUSE);
		shared->pauses++;
	}
}

static void be_idle_caller(void *argument)
{
	const struct call *call = argument;
	struct sched_param parameter = { 0 };

	if (!pin_to(0) || sched_setscheduler(0, SCHED_IDLE, &parameter))
		give_up("SCHED_IDLE");
	for (;;) {
		if (call->call())
			give_up("%s", call->name);
		shared->calls++;
	}
}

/* ---- the writer's delay -------------------------------------------------------------- */

struct delay {
	uint64_t longest;	/* ns */
	uint64_t lost;		/* records */
};

static uint64_t lost_so_far(int fd)
{
	struct bcos_status status = status_of(fd);

	return status.lost[BCOS_LOST_STAGING];
}

/* Measures how late the writer is while a process makes @call again and again; NULL: no process does. */
static struct delay measure_delay(int fd, const struct call *call)
{
	struct delay delay = { .lost = lost_so_far(fd) };
	uint64_t begin, waited;
	uint32_t pauses = shared->pauses + (call ? call->pauses : 4) * (uint32_t)get_rounds(1);
	pid_t caller = 0;

	shared->calls = 0;
	if (call)
		caller = spawn_bound(be_idle_caller, (void *)call);
	while (shared->pauses < pauses || (call && !shared->calls)) {
		usleep(2000);
		begin = now_ns(CLOCK_MONOTONIC);
		flush_log(fd);
		waited = now_ns(CLOCK_MONOTONIC) - begin;
		if (waited > delay.longest)
			delay.longest = waited;
	}
	if (caller)
		end_child(caller);
	delay.lost = lost_so_far(fd) - delay.lost;
	return delay;
}

static void compare_delay(int fd, const struct call *call, struct delay *without)
{
	struct delay with;
	bool late, lost;
	int try = 0;

	do {
		if (try)
			*without = measure_delay(fd, NULL);
		with = measure_delay(fd, call);
		late = with.longest > without->longest + BUSY * 6 / 10;
		lost = with.lost > without->lost;
		print_note("%s: the writer is late by %.1f ms at most (%.1f without), %llu records lost, %u calls",
			   call->name,
			   (double)with.longest / 1e6, (double)without->longest / 1e6, (unsigned long long)with.lost,
			   shared->calls);
	} while ((late || lost) && ++try < TRIES);
	make_point(!late, "%s by a process that hardly runs does not hold up the log writer", call->name);
	make_point(!lost, "nor loses a record");
}

int main(void)
{
	struct sched_param above = { .sched_priority = 2 };
	struct switcher switcher;
	struct delay without;
	struct log log;
	pid_t busy;
	size_t i;
	int fd;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		give_up("mmap");
	load_module("staging_kb=128");
	fd = open_log(O_RDONLY);
	device = open_log(O_RDWR);
	switcher = switcher_start(1);
	busy = spawn_bound(be_busy, NULL);
	if (!pin_to(1) || sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &above))
		give_up("SCHED_FIFO");
	without = measure_delay(fd, NULL);
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		compare_delay(fd, &calls[i], &without);
	end_child(busy);
	switcher_stop(&switcher);
	log = log_snapshot();
	log_check(&log, "the log that was written meanwhile");
	log_free(&log);
	close(device);
	close(fd);
	unload_module();
	return finish_test();
}
