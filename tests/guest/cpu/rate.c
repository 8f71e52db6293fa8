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

static void play_pong(void *argument)
{
	struct pair *pair = argument;
	char byte;

	if (!pin_to(pair->cpu))
		give_up("pin");
	close(pair->there[1]);
	while (read(pair->there[0], &byte, 1) == 1)
		if (write(pair->back[1], &byte, 1) != 1)
			give_up("write");
}

/* Hands the byte over ROUNDS times. */
static void play_ping(void *argument)
{
	struct pair *pair = argument;
	int i, count = get_rounds(30000);
	char byte = 'x';

	if (!pin_to(pair->cpu))
		give_up("pin");
	for (i = 0; i < count; i++)
		if (write(pair->there[1], &byte, 1) != 1 || read(pair->back[0], &byte, 1) != 1)
			give_up("ping");
}

static void start_pair(struct pair *pair, int cpu)
{
	pair->cpu = cpu;
	if (pipe2(pair->there, O_CLOEXEC) || pipe2(pair->back, O_CLOEXEC))
		give_up("pipe");
	pair->pong = spawn_child(play_pong, pair);
	pair->ping = spawn_child(play_ping, pair);
	close(pair->there[0]);
	close(pair->there[1]);
	close(pair->back[0]);
	close(pair->back[1]);
}

static unsigned long long stop_pair(struct pair *pair)
{
	struct rusage ping, pong;

	if (reap_child(pair->ping, &ping) || reap_child(pair->pong, &pong))
		give_up("a process failed");
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

	load_module("");
	fd = open_log(O_RDONLY);
	flush_log(fd);
	before = status_of(fd);
	begin = now_ns(CLOCK_MONOTONIC);
	for (cpu = 0; cpu < count_cpus() && cpu < CPUS_MAX; cpu++)
		start_pair(&pair[cpu], cpu);
	while (cpu--)
		switches += stop_pair(&pair[cpu]);
	seconds = (double)(now_ns(CLOCK_MONOTONIC) - begin) / 1e9;
	flush_log(fd);
	after = status_of(fd);
	written = after.entries - after.historical - (before.entries - before.historical);
	for (i = 0; i < BCOS_LOST_REASONS; i++)
		lost += after.lost[i];
	print_note("%llu switches in %.2f s: %.0f a second on %d CPUs", switches, seconds, (double)switches / seconds,
		   count_cpus());
	make_point(switches >= 2ull * (unsigned int)get_rounds(30000), "the processes took turns");
	make_point(!lost, "nothing is lost (%llu)", lost);
	make_point(written >= switches, "each switch is an entry (%llu entries, %llu switches)", written, switches);
	log = log_snapshot();
	log_check(&log, "the log that was written meanwhile");
	log_free(&log);
	close(fd);
	unload_module();
	return finish_test();
}
