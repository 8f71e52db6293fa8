// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * On each CPU two processes hand a byte to and fro as fast as this guest can, which is a switch each time. With the
 * memory that the module has by default no switch is lost.
 *
 * guest: cpus=2 rounds=30000:300000 timeout=120:600
 * guest: cpus=8 rounds=4000:40000 debug-rounds=1000 timeout=120:600
 *
 * The oracle is the kernel's count of each process' switches: whenever one of them is switched out, another process
 * follows, and that is an Assign CPU.
 */
#include "device.h"


#define CPUS_MAX 8

struct pair {
	int cpu, there[2], back[2];
	pid_t ping, pong;
};

static void pong(void *argument)
{
	struct pair *pair = argument;
	char byte;

	if (!pin(pair->cpu))
		die("pin");
	close(pair->there[1]);
	while (read(pair->there[0], &byte, 1) == 1)
		if (write(pair->back[1], &byte, 1) != 1)
			die("write");
}

/* Hands the byte over ROUNDS times. */
static void ping(void *argument)
{
	struct pair *pair = argument;
	int i, count = rounds(30000);
	char byte = 'x';

	if (!pin(pair->cpu))
		die("pin");
	for (i = 0; i < count; i++)
		if (write(pair->there[1], &byte, 1) != 1 || read(pair->back[0], &byte, 1) != 1)
			die("ping");
}

static void start(struct pair *pair, int cpu)
{
	pair->cpu = cpu;
	if (pipe2(pair->there, O_CLOEXEC) || pipe2(pair->back, O_CLOEXEC))
		die("pipe");
	pair->pong = spawn(pong, pair);
	pair->ping = spawn(ping, pair);
	close(pair->there[0]);
	close(pair->there[1]);
	close(pair->back[0]);
	close(pair->back[1]);
}

static unsigned long long stop(struct pair *pair)
{
	struct rusage ping, pong;

	if (reap(pair->ping, &ping) || reap(pair->pong, &pong))
		die("a process failed");
	return (unsigned long long)(ping.ru_nvcsw + ping.ru_nivcsw + pong.ru_nvcsw + pong.ru_nivcsw);
}

int main(void)
{
	unsigned long long switches = 0, lost = 0, written;
	struct bcos_status before, after;
	struct pair pair[CPUS_MAX];
	struct log log;
	uint64_t begin;
	double seconds;
	int cpu, i, fd;

	load("");
	fd = open_log(O_RDONLY);
	flush_log(fd);
	before = status_of(fd);
	begin = now_ns(CLOCK_MONOTONIC);
	for (cpu = 0; cpu < cpus() && cpu < CPUS_MAX; cpu++)
		start(&pair[cpu], cpu);
	while (cpu--)
		switches += stop(&pair[cpu]);
	seconds = (double)(now_ns(CLOCK_MONOTONIC) - begin) / 1e9;
	flush_log(fd);
	after = status_of(fd);
	written = after.entries - after.historical - (before.entries - before.historical);
	for (i = 0; i < BCOS_LOST_REASONS; i++)
		lost += after.lost[i];
	note("%llu switches in %.2f s: %.0f a second on %d CPUs", switches, seconds, (double)switches / seconds,
	     cpus());
	ok(switches >= 2ull * (unsigned int)rounds(30000), "the processes took turns");
	ok(!lost, "nothing is lost (%llu)", lost);
	ok(written >= switches, "each switch is an entry (%llu entries, %llu switches)", written, switches);
	log = log_snapshot();
	log_check(&log, "the log that was written meanwhile");
	log_free(&log);
	close(fd);
	unload();
	return finish();
}
