// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * CPU time: the log's Assign CPU entries give each process of a known workload (bursts of 20 ms and more) the time that
 * the kernel's own accounting, getrusage, gives it, within 1 %. This is exact where time is: on one CPU that counts
 * instructions. With several CPUs the emulator takes them away between the kernel's clock and its tracepoint, so the
 * test only prints the differences. The debug kernels' own checks lie there as well, and take over 1 % under KCSAN.
 *
 * The account of the same log, from which all reports come, has to agree: bcoslog top for each process, and bcoslog cpu
 * for idle time, which /proc/stat counts in ticks.
 *
 * guest: icount=yes timeout=300 debug=no args=exact
 * guest: cpus=2 timeout=120 args=informational
 * guest: icount=yes timeout=300 debug=no engine=bpf args=exact
 */
#include "lib.h"

#include <pthread.h>

#define MS 1000000ull
#define PERCENT_MAX 1.0

static void rest_briefly(uint64_t ns)
{
	struct timespec time = { 0, (long)ns };

	nanosleep(&time, NULL);
}

/* Computes in bursts with rests between them, while others compete for the CPU. */
static void bursts_and_rests(void *unused)
{
	int i;

	for (i = 0; i < 8; i++) {
		burn_cpu((20 + 2 * (unsigned int)i) * MS);
		rest_briefly(3 * MS);
	}
}

static int pipes[2][2];

/* Two processes compute by turns. */
static void takes_turns(void *argument)
{
	int number = (int)(intptr_t)argument, i;
	char token = 0;

	for (i = 0; i < 5; i++) {
		if (read(pipes[number][0], &token, 1) != 1)
			give_up("read");
		burn_cpu((20 + 10 * (unsigned int)number) * MS);
		if (write(pipes[!number][1], &token, 1) != 1)
			give_up("write");
	}
}

static void *burn_and_rest(void *unused)
{
	int i;

	for (i = 0; i < 3; i++) {
		burn_cpu(25 * MS);
		rest_briefly(2 * MS);
	}
	return NULL;
}

static void has_threads(void *unused)
{
	pthread_t threads[3];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(threads); i++)
		if (pthread_create(&threads[i], NULL, burn_and_rest, NULL))
			give_up("pthread_create");
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_join(threads[i], NULL);
}

static void burns_once(void *unused)
{
	burn_cpu(30 * MS);
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

static uint64_t time_of_usage(const struct rusage *usage)
{
	return (uint64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000000u +
	       (uint64_t)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1000u;
}

static void run_workers(void)
{
	size_t i;

	if (pipe(pipes[0]) || pipe(pipes[1]) || write(pipes[0][1], "", 1) != 1)
		give_up("pipe");
	for (i = 0; i < ARRAY_SIZE(workers); i++)
		workers[i].pid = spawn_child(workers[i].body, (void *)workers[i].argument);
	for (i = 0; i < ARRAY_SIZE(workers); i++)
		if (reap_child(workers[i].pid, &workers[i].usage))
			give_up("a worker failed");
}

static void judge_times(const struct log *log, bool exact)
{
	struct lives lives = lives_of(log);
	double percent, worst = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(workers); i++) {
		const struct life *life = life_since(&lives, (uint32_t)workers[i].pid, 0);
		uint64_t kernel = time_of_usage(&workers[i].usage), found = life ? life->cpu_ns : 0;

		percent = 100.0 * ((double)found - (double)kernel) / (double)kernel;
		if (percent < 0 ? -percent > worst : percent > worst)
			worst = percent < 0 ? -percent : percent;
		if (exact)
			make_point(percent <= PERCENT_MAX && percent >= -PERCENT_MAX,
				   "%s: %.3f ms, by the kernel %.3f ms: %+.3f %%", workers[i].what,
				   (double)found / 1e6, (double)kernel / 1e6, percent);
		else
			print_note("%s: %.3f ms, by the kernel %.3f ms: %+.3f %%", workers[i].what,
				   (double)found / 1e6, (double)kernel / 1e6, percent);
	}
	make_point(!exact || worst <= PERCENT_MAX, "the worst difference is %.3f %%", worst);
	lives_free(&lives);
}

/* ---- what bcoslog tells of it --------------------------------------------------------------- */

static char path[] = "/tmp/cputime.log";

static void save_log(const struct log *log)
{
	FILE *file = fopen(path, "w");

	if (!file || fwrite(log->bytes, 1, log->size, file) != log->size || fclose(file))
		give_up("%s", path);
}

/*
 * Finds the first line of a command's CSV that begins with @begin. Return: the rest of this line, or NULL if there is
 * none.
 */
static const char *find_told(const char *command, const char *begin)
{
	static char line[400];
	FILE *pipe = popen(command, "r");
	bool found = false;

	while (pipe && !found && fgets(line, sizeof(line), pipe))
		found = !strncmp(line, begin, strlen(begin));
	while (pipe && fgetc(pipe) != EOF)
		;
	if (!pipe || pclose(pipe))
		give_up("%s", command);
	return found ? line + strlen(begin) : NULL;
}

static void judge_processes(bool exact)
{
	char command[200], begin[24];
	unsigned long long found;
	const char *row;
	double percent;
	size_t i;

	snprintf(command, sizeof(command), "./bcoslog top --once -n 0 --csv %s", path);
	for (i = 0; i < ARRAY_SIZE(workers); i++) {
		uint64_t kernel = time_of_usage(&workers[i].usage);

		snprintf(begin, sizeof(begin), "%d,", workers[i].pid);
		row = find_told(command, begin);
		if (!row || sscanf(row, "\"%*[^\"]\",%llu", &found) != 1)
			found = 0;
		percent = 100.0 * ((double)found - (double)kernel) / (double)kernel;
		make_point(found && (!exact || (percent <= PERCENT_MAX && percent >= -PERCENT_MAX)),
			   "bcoslog top: %s: %.3f ms, by getrusage %.3f ms", workers[i].what, (double)found / 1e6,
			   (double)kernel / 1e6);
	}
}

/*
 * Returns the idle time of all CPUs in ns, with their time waiting for disks. The kernel counts both in ticks of user
 * space.
 */
static uint64_t idle_ns(void)
{
	unsigned long long user, nice, kernel, idle, iowait;
	FILE *file = fopen("/proc/stat", "r");

	if (!file || fscanf(file, "cpu %llu %llu %llu %llu %llu", &user, &nice, &kernel, &idle, &iowait) != 5)
		give_up("/proc/stat");
	fclose(file);
	return (idle + iowait) * (1000 * MS / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* @kernel: idle time from @from to @until as /proc/stat has it, cut to a tick at both ends on each CPU. */
static void judge_idle(uint64_t kernel, uint64_t from, uint64_t until, bool exact)
{
	uint64_t cpus = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN), tick = 1000 * MS / (uint64_t)sysconf(_SC_CLK_TCK);
	uint64_t tolerance = 4 * cpus * tick + (until - from) * cpus / 50;
	unsigned long long online = 0, idle = 0;
	char command[300];
	const char *row;
	bool near;

	snprintf(command, sizeof(command), "./bcoslog cpu --csv --since %llu.%09llu --until %llu.%09llu %s",
		 (unsigned long long)(from / (1000 * MS)), (unsigned long long)(from % (1000 * MS)),
		 (unsigned long long)(until / (1000 * MS)), (unsigned long long)(until % (1000 * MS)), path);
	row = find_told(command, "\"all\",,");
	if (!row || sscanf(row, "%llu,%*u,%*u,%llu,", &online, &idle) != 2)
		online = 0;
	/* The log ends at its last entry, which may be a little before @until. */
	make_point(online <= (until - from) * cpus && (until - from) * cpus - online <= tolerance,
		   "bcoslog cpu: %llu CPUs were online for %.3f ms each",
		   (unsigned long long)cpus, (double)online / (double)cpus / 1e6);
	near = idle <= kernel + tolerance && kernel <= idle + tolerance;
	make_point(!exact || near, "bcoslog cpu: idle for %.3f ms, by /proc/stat %.3f ms, within %.3f",
		   (double)idle / 1e6, (double)kernel / 1e6, (double)tolerance / 1e6);
}

int main(int argc, char **argv)
{
	bool exact = argc == 2 && !strcmp(argv[1], "exact");
	pid_t pids[ARRAY_SIZE(workers)];
	struct log log = { NULL, 0 };
	uint64_t from, until, idle;
	size_t i;
	int fd;

	load_module("");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	from = now_ns(CLOCK_BOOTTIME);
	idle = idle_ns();
	run_workers();
	idle = idle_ns() - idle;
	until = now_ns(CLOCK_BOOTTIME);
	for (i = 0; i < ARRAY_SIZE(workers); i++)
		pids[i] = workers[i].pid;
	log_append_ended(&log, fd, pids, ARRAY_SIZE(pids));
	close(fd);
	log_check(&log, "the workload");
	judge_times(&log, exact);
	save_log(&log);
	judge_processes(exact);
	judge_idle(idle, from, until, exact);
	log_free(&log);
	unload_module();
	return finish_test();
}
