// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Loads that starve the log writer, or do not: see starvation.h. */
#include "starvation.h"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <termios.h>

#include "device.h"

static int serial = -1;

/* Makes interrupts: the port asks for more after each 16 bytes. */
static void make_interrupts(void)
{
	static const char line[] = "...............................................................\n";

	if (write(serial, line, sizeof(line) - 1) < 0 && errno != EAGAIN)
		give_up("write to the serial port");
}

/* These are more than twice as many as 64 KiB of staging hold. */
#define SWITCHES 9000

/* By CPU: how often its hogs have taken turns, in memory that all share, and whose turn it was last. */
static volatile uint32_t *switched;
static volatile bool hog_was_last[WITNESSED_CPUS];

struct hog {
	int cpu;
	int births;		/* children while it switches */
	int storm;		/* children after that, all at once */
};

static bool all_have_switched(void)
{
	int cpu;

	for (cpu = 0; cpu < WITNESSED_CPUS; cpu++)
		if (switched[cpu] < SWITCHES)
			return false;
	return true;
}

static void be_born(void *argument)
{
	_exit(7);
}

/* Gives the caller a real-time priority, or an ordinary one if @priority is 0. */
static void be_real_time(int priority)
{
	struct sched_param parameter = { .sched_priority = priority };

	if (sched_setscheduler(0, priority ? SCHED_FIFO : SCHED_OTHER, &parameter))
		give_up("sched_setscheduler %d", priority);
}

/*
 * On each CPU two processes have one real-time priority, and each yields to the other one and to none below. When they
 * have done so often enough, they keep their CPU until those of all CPUs have.
 */
static void yield_to_the_other(const struct hog *hog, bool is_hog)
{
	if (switched[hog->cpu] >= SWITCHES)
		return;
	/* If the other process waits for something, nothing is switched. */
	if (hog_was_last[hog->cpu] != is_hog)
		switched[hog->cpu]++;
	hog_was_last[hog->cpu] = is_hog;
	sched_yield();
}

static int be_one(void *argument)
{
	const struct hog *hog = argument;
	unsigned int round = 0;

	while (!all_have_switched()) {
		if (round++ % 64 == 0)
			make_interrupts();
		yield_to_the_other(hog, false);
	}
	return 0;
}

static void be_hog(void *argument)
{
	struct hog *hog = argument;
	uint32_t born = 0;

	if (!pin_to(hog->cpu))
		give_up("pin to CPU %d", hog->cpu);
	be_real_time(10);
	clone_process(be_one, hog);
	while (!all_have_switched()) {
		if (switched[hog->cpu] * (uint32_t)hog->births > born * SWITCHES) {
			reap_child(spawn_child(be_born, NULL), NULL);
			born++;
		}
		yield_to_the_other(hog, true);
	}
	/* Do not wait for any of these children, so that this CPU is never idle. */
	signal(SIGCHLD, SIG_IGN);
	for (born = 0; born < (uint32_t)hog->storm; born++) {
		spawn_child(be_born, NULL);
		sched_yield();
	}
}

/*
 * Has a priority below the hogs and above the writer: this process runs while a hog waits for a lock, so that the
 * writer does not.
 */
static void be_lid(void *argument)
{
	uint64_t enough = now_ns(CLOCK_MONOTONIC) + 10000000000u;

	if (!pin_to(*(int *)argument))
		give_up("pin to CPU %d", *(int *)argument);
	be_real_time(5);
	while (now_ns(CLOCK_MONOTONIC) < enough)
		;
}

void starve_log_writer(int births, int storm)
{
	pid_t pid[WITNESSED_CPUS], lid[WITNESSED_CPUS];
	struct hog hog[WITNESSED_CPUS];
	int status, i;

	/* Start the hogs from a priority above theirs, or the first one would keep the others from starting. */
	be_real_time(20);
	if (!write_file("/proc/sys/kernel/sched_rt_runtime_us", "-1"))
		give_up("sched_rt_runtime_us");
	for (i = 0; i < WITNESSED_CPUS; i++) {
		switched[i] = 0;
		hog[i] = (struct hog){ i, births, storm };
	}
	for (i = 0; i < WITNESSED_CPUS; i++) {
		lid[i] = spawn_bound(be_lid, &hog[i].cpu);
		pid[i] = spawn_bound(be_hog, &hog[i]);
	}
	for (i = 0; i < WITNESSED_CPUS; i++)
		if (reap_child(pid[i], NULL))
			give_up("a hog failed");
	for (i = 0; i < WITNESSED_CPUS; i++)
		end_child(lid[i]);
	/* The clones of the hogs are children of this process, too. */
	while (wait(&status) > 0)
		if (status)
			give_up("a hog failed: wait status 0x%x", status);
	be_real_time(0);
	if (!write_file("/proc/sys/kernel/sched_rt_runtime_us", "950000"))
		give_up("sched_rt_runtime_us");
}

void be_ordinary(int births, int storm)
{
	struct switcher switcher[WITNESSED_CPUS];
	int i;

	for (i = 0; i < WITNESSED_CPUS; i++)
		switcher[i] = switcher_start(i);
	for (i = 0; i < births; i++) {
		reap_child(spawn_child(be_born, NULL), NULL);
		make_interrupts();
	}
	for (i = 0; i < WITNESSED_CPUS; i++)
		switcher_stop(&switcher[i]);
}

/*
 * Reads the numbered lines of /proc/interrupts, without that of the local timer: the other lines change all the time.
 */
static void read_interrupts(char *text, size_t size)
{
	char *line, *to = text, *next = text;
	size_t length;

	if (read_file("/proc/interrupts", text, size) <= 0)
		give_up("/proc/interrupts");
	while ((line = next) && *line) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		length = strlen(line);
		if (strtol(line, NULL, 10) <= 0 || strstr(line, "arch_timer"))
			continue;
		memmove(to, line, length);
		to += length;
	}
	*to = '\0';
}

void be_quiet(void)
{
	char before[16384], after[16384];
	cpu_set_t all;
	int cpu;

	if (sched_getaffinity(0, sizeof(all), &all))
		give_up("sched_getaffinity");
	tcdrain(serial);
	do {
		read_interrupts(before, sizeof(before));
		usleep(5000);
		read_interrupts(after, sizeof(after));
	} while (strcmp(before, after));
	/* An interrupt is counted when it begins, and is over when this process gets its turn on the CPU. */
	for (cpu = 0; cpu < WITNESSED_CPUS; cpu++)
		if (!pin_to(cpu))
			give_up("pin to CPU %d", cpu);
	if (sched_setaffinity(0, sizeof(all), &all))
		give_up("sched_setaffinity");
}

void loads_begin(void)
{
	serial = open("/dev/ttyS0", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (serial < 0)
		give_up("/dev/ttyS0");
	switched = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (switched == MAP_FAILED)
		give_up("mmap");
}
