// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * CPU time: what the log's Assign CPU entries give each process of a known
 * workload (bursts of 20 ms and more) is what the kernel's own accounting,
 * getrusage, gives it, within 1 %. That is exact where time is: on one CPU
 * that counts instructions. With several CPUs the emulator takes them away
 * between the kernel's clock and its tracepoint; what holds there is printed.
 * The debug kernels' own checks lie there as well: over 1 % under KCSAN.
 *
 * guest: icount=yes timeout=300 debug=no args=exact
 * guest: cpus=2 timeout=120 args=informational
 * guest: icount=yes timeout=300 debug=no engine=bpf args=exact
 */
#include "lib.h"

#include <pthread.h>

#define MS 1000000ull
#define PERCENT_MAX 1.0

static void rests(uint64_t ns)
{
	struct timespec time = { 0, (long)ns };

	nanosleep(&time, NULL);
}

/* Bursts with rests between them; others compete for the CPU. */
static void bursts_and_rests(void *unused)
{
	int i;

	for (i = 0; i < 8; i++) {
		burn((20 + 2 * (unsigned int)i) * MS);
		rests(3 * MS);
	}
}

static int pipes[2][2];

/* Two of them, one after the other. */
static void takes_turns(void *argument)
{
	int number = (int)(intptr_t)argument, i;
	char token = 0;

	for (i = 0; i < 5; i++) {
		if (read(pipes[number][0], &token, 1) != 1)
			die("read");
		burn((20 + 10 * (unsigned int)number) * MS);
		if (write(pipes[!number][1], &token, 1) != 1)
			die("write");
	}
}

static void *burns(void *unused)
{
	int i;

	for (i = 0; i < 3; i++) {
		burn(25 * MS);
		rests(2 * MS);
	}
	return NULL;
}

static void has_threads(void *unused)
{
	pthread_t threads[3];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(threads); i++)
		if (pthread_create(&threads[i], NULL, burns, NULL))
			die("pthread_create");
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_join(threads[i], NULL);
}

static void burns_once(void *unused)
{
	burn(30 * MS);
}

static struct worker {
	const char *what;
	void (*body)(void *);
	intptr_t argument;
	pid_t pid;
	struct rusage usage;
} workers[] = {
	{ .what = "bursts and rests", .body = bursts_and_rests },
	{ .what = "bursts and rests, another", .body = bursts_and_rests },
	{ .what = "bursts and rests, a third", .body = bursts_and_rests },
	{ .what = "turns by a pipe", .body = takes_turns, .argument = 0 },
	{ .what = "turns by a pipe, the other", .body = takes_turns, .argument = 1 },
	{ .what = "three threads", .body = has_threads },
	{ .what = "one burst", .body = burns_once },
	{ .what = "one burst, another", .body = burns_once },
};

static uint64_t accounted(const struct rusage *usage)
{
	return (uint64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000000u +
	       (uint64_t)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1000u;
}

static void work(void)
{
	size_t i;

	if (pipe(pipes[0]) || pipe(pipes[1]) || write(pipes[0][1], "", 1) != 1)
		die("pipe");
	for (i = 0; i < ARRAY_SIZE(workers); i++)
		workers[i].pid = spawn(workers[i].body, (void *)workers[i].argument);
	for (i = 0; i < ARRAY_SIZE(workers); i++)
		if (reap(workers[i].pid, &workers[i].usage))
			die("a worker failed");
}

static void judge(const struct log *log, bool exact)
{
	struct lives lives = lives_of(log);
	double percent, worst = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(workers); i++) {
		const struct life *life = life_since(&lives, (uint32_t)workers[i].pid, 0);
		uint64_t kernel = accounted(&workers[i].usage), found = life ? life->cpu_ns : 0;

		percent = 100.0 * ((double)found - (double)kernel) / (double)kernel;
		if (percent < 0 ? -percent > worst : percent > worst)
			worst = percent < 0 ? -percent : percent;
		if (exact)
			ok(percent <= PERCENT_MAX && percent >= -PERCENT_MAX,
			   "%s: %.3f ms, by the kernel %.3f ms: %+.3f %%", workers[i].what,
			   (double)found / 1e6, (double)kernel / 1e6, percent);
		else
			note("%s: %.3f ms, by the kernel %.3f ms: %+.3f %%", workers[i].what,
			     (double)found / 1e6, (double)kernel / 1e6, percent);
	}
	ok(!exact || worst <= PERCENT_MAX, "the worst difference is %.3f %%", worst);
	lives_free(&lives);
}

int main(int argc, char **argv)
{
	bool exact = argc == 2 && !strcmp(argv[1], "exact");
	pid_t pids[ARRAY_SIZE(workers)];
	struct log log = { NULL, 0 };
	size_t i;
	int fd;

	load("");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	work();
	for (i = 0; i < ARRAY_SIZE(workers); i++)
		pids[i] = workers[i].pid;
	log_append_ended(&log, fd, pids, ARRAY_SIZE(pids));
	close(fd);
	log_check(&log, "the workload");
	judge(&log, exact);
	log_free(&log);
	unload();
	return finish();
}
