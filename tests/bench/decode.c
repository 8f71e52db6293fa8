// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Measures how fast a log is read, natively: entries and megabytes for each second of processor time, the system's
 * share included. It measures walks with the library (by bcoslog_next(), by bcoslog_batch()), "bcoslog dump", "bcoslog
 * check", some reports, and "bcoslog convert" to each format that is a stream. All output goes to /dev/null.
 *
 * usage: decode [ENTRIES [CPUS [PROCESSES]]]
 *
 * The core writes the log: switches, and in a ring of the default size a group every 2 MiB.  A second log has the class
 * state, too: who blocks, is woken and runs at each switch.  The logs are in TMPDIR (/tmp), and in the page cache.
 * Each way to read is measured ROUNDS (5) times, and the median is taken.  The tool is $BCOSLOG, else $BUILD/bcoslog,
 * else build/bcoslog.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/rules/rules.h"
#include "bcoslog.h"
#include "account/report.h"
#include "core/write/log.h"
#include "testhost.h"

#define RING (8u << 20)
#define BURST 4096		/* switches between two copies of what is new to the file */
#define STEP 2000		/* ns between two switches, at most */
#define ROUNDS_MAX 101

struct sample {
	char path[4096];
	char tool[4096];
	u64 entries, bytes;
	bool states;
};

static __attribute__((noreturn)) void fail_with(const char *what)
{
	perror(what);
	exit(1);
}

static void prime_log(struct bcos_log *log, u32 cpus, u32 processes, u64 now)
{
	struct bcos_seen *seen = calloc(processes, sizeof(*seen));
	struct bcos_seen_cpu *cpu = calloc(cpus, sizeof(*cpu));
	u32 i;

	if (!seen || !cpu)
		fail_with("prime");
	for (i = 0; i < cpus; i++)
		cpu[i] = (struct bcos_seen_cpu){ i, i };
	for (i = 0; i < processes; i++) {
		seen[i].id = 100 + 7 * i;
		seen[i].start = 1000 + i;
		snprintf(seen[i].name, sizeof(seen[i].name), "task-%u", i);
	}
	if (bcos_log_prime(log, cpu, cpus, seen, processes, now, now))
		fail_with("prime");
	bcos_log_passed(log, now);
	free(seen);
	free(cpu);
}

/* Copies the new entries of the log to the file. */
static void copy_entries(const struct bcos_log *log, struct bcos_mark *at, int fd)
{
	static u8 buffer[1 << 20];
	struct bcos_marks marks;
	u64 entries;
	long n;

	bcos_ring_marks(&log->ring, &marks);
	while (at->offset < marks.head.offset) {
		n = bcos_ring_copy(&log->ring, at, marks.head.offset, buffer, sizeof(buffer), &entries);
		if (n <= 0 || write(fd, buffer, (size_t)n) != n)
			fail_with("copy");
		at->offset += (u64)n;
		at->entry += entries;
	}
}

/* Writes what the class state says about a switch from the process @from to @to. */
static void write_states(struct bcos_log *log, u32 cpu, u64 now, u32 from, u32 to)
{
	struct {
		struct bcos_raw raw;
		struct bcos_raw_thread thread;
	} state = { .raw = { .kind = BCOS_RAW_STATE, .units = 2 } };

	if (from != BCOS_PROCESS_IDLE && from != to) {
		state.raw.id = state.thread.id = from;
		state.raw.aux = BCOS_TASK_BLOCKED;
		bcos_log_apply(log, cpu, now, &state.raw);
	}
	if (to == BCOS_PROCESS_IDLE || from == to)
		return;
	state.raw.id = state.thread.id = to;
	state.raw.aux = BCOS_TASK_WOKEN | BCOS_RAW_BY_THREAD;
	state.thread.waker = state.thread.waker_thread = 100;
	bcos_log_apply(log, cpu, now, &state.raw);
	state.raw.aux = BCOS_TASK_RUNS;
	state.thread.priority = 120;
	bcos_log_apply(log, cpu, now, &state.raw);
}

/* Writes the log. One switch in five is to idle. */
static void write_sample(struct sample *sample, u32 cpus, u32 processes)
{
	u64 now = 1000000000, seed = 1, i;
	struct bcos_raw raw = { .kind = BCOS_RAW_SWITCH, .units = 1 };
	struct test_host context = { 0 };
	struct bcos_log log = { 0 };
	struct bcos_mark at = { 0 };
	const char *folder = getenv("TMPDIR");
	void *ring = test_ring_map(RING);
	u32 *runs = malloc(cpus * sizeof(*runs)), cpu;
	int fd;

	if (!runs)
		fail_with("runs");
	memset(runs, 0xFF, cpus * sizeof(*runs));

	snprintf(sample->path, sizeof(sample->path), "%s/bcos-decode-XXXXXX", folder ? folder : "/tmp");
	fd = mkstemp(sample->path);
	if (fd < 0 || bcos_log_init(&log, &test_host, &context, ring, RING, cpus, 1))
		fail_with(sample->path);
	prime_log(&log, cpus, processes, now);
	for (i = 0; at.entry < sample->entries; i++) {
		now += next_random(&seed) % STEP;
		raw.id = 100 + 7 * (u32)(next_random(&seed) % processes);
		if (next_random(&seed) % 5 == 0)
			raw.id = BCOS_PROCESS_IDLE;
		cpu = (u32)(next_random(&seed) % cpus);
		if (sample->states)
			write_states(&log, cpu, now, runs[cpu], raw.id);
		runs[cpu] = raw.id;
		bcos_log_apply(&log, cpu, now, &raw);
		if (i % BURST)
			continue;
		bcos_log_passed(&log, now);
		copy_entries(&log, &at, fd);
	}
	sample->entries = at.entry;
	sample->bytes = at.offset;
	if (close(fd))
		fail_with(sample->path);
	free(runs);
	bcos_log_destroy(&log);
	test_ring_unmap(ring, RING);
}

/* Returns the seconds of processor time that this process, or its children, have spent. */
static double seconds_spent(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
	       ((double)usage.ru_utime.tv_usec + (double)usage.ru_stime.tv_usec) / 1e6;
}

static double iterate_entries(const struct sample *sample)
{
	double begin = seconds_spent(RUSAGE_SELF);
	u64 entries = 0, sum = 0, times = 0;
	const struct bcos_entry *entry;
	struct bcoslog_error error;
	struct bcoslog *log;

	if (bcoslog_open(&log, sample->path, 0, &error))
		fail_with(error.text);
	while (bcoslog_next(log, &entry) > 0) {
		entries++;
		sum += entry->type;
		times ^= entry->time;
	}
	bcoslog_close(log);
	if (entries != sample->entries || !sum || !times)
		fail_with("iterate");
	return seconds_spent(RUSAGE_SELF) - begin;
}

static double iterate_batches(const struct sample *sample)
{
	double begin = seconds_spent(RUSAGE_SELF);
	u64 entries = 0, sum = 0, times = 0;
	const struct bcos_entry *entry;
	struct bcoslog_batch batch;
	struct bcoslog_error error;
	struct bcoslog *log;

	if (bcoslog_open(&log, sample->path, 0, &error))
		fail_with(error.text);
	while (bcoslog_batch(log, &batch) > 0) {
		bcoslog_each(entry, &batch) {
			entries++;
			sum += entry->type;
			times ^= entry->time;
		}
	}
	bcoslog_close(log);
	if (entries != sample->entries || !sum || !times)
		fail_with("iterate_batches");
	return seconds_spent(RUSAGE_SELF) - begin;
}

static double run_account(const struct sample *sample, bool threads)
{
	struct bcoslog_account *sums = bcoslog_account_new(NULL);
	double begin = seconds_spent(RUSAGE_SELF);
	struct bcoslog_batch batch;
	struct bcoslog_error error;
	struct bcoslog *log;

	if (!sums || bcoslog_open(&log, sample->path, 0, &error))
		fail_with(sums ? error.text : "account");
	if (threads)
		bcoslog_account_threads(sums, NULL);
	while (bcoslog_batch(log, &batch) > 0)
		if (bcoslog_account_batch(sums, &batch))
			fail_with("account");
	bcoslog_account_settle(sums);
	if (bcoslog_account_totals(sums)->entries != sample->entries)
		fail_with("account");
	bcoslog_close(log);
	begin = seconds_spent(RUSAGE_SELF) - begin;
	bcoslog_account_free(sums);
	return begin;
}

static double make_account(const struct sample *sample)
{
	return run_account(sample, false);
}

static double account_threads(const struct sample *sample)
{
	return run_account(sample, true);
}

/*
 * Runs the command @name of the tool, with its option @option and @value, or NULL.  Return: seconds of processor time.
 */
static double run_tool(const struct sample *sample, const char *name, const char *option, const char *value)
{
	char *arguments[] = { (char *)sample->tool, (char *)name, (char *)sample->path, (char *)option, (char *)value,
			      NULL };
	double begin = seconds_spent(RUSAGE_CHILDREN);
	posix_spawn_file_actions_t actions;
	int status;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	errno = posix_spawn(&pid, sample->tool, &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (errno || waitpid(pid, &status, 0) != pid || status)
		fail_with(sample->tool);
	return seconds_spent(RUSAGE_CHILDREN) - begin;
}

static double dump_log(const struct sample *sample)
{
	return run_tool(sample, "dump", NULL, NULL);
}

static double check_log(const struct sample *sample)
{
	return run_tool(sample, "check", NULL, NULL);
}

/* The command of the report that is measured. */
static const char *command;

static double report_log(const struct sample *sample)
{
	return run_tool(sample, command, NULL, NULL);
}

/* The format to which the log is converted. */
static const char *format;

static double convert_log(const struct sample *sample)
{
	return run_tool(sample, "convert", "-t", format);
}

static int compare_numbers(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;

	return (a > b) - (a < b);
}

static void measure_way(const struct sample *sample, const char *name, double (*run)(const struct sample *sample))
{
	double seconds[ROUNDS_MAX], median;
	u64 rounds = test_env("ROUNDS", 5), i;

	rounds = rounds < 1 ? 1 : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
	for (i = 0; i < rounds; i++)
		seconds[i] = run(sample);
	qsort(seconds, rounds, sizeof(seconds[0]), compare_numbers);
	median = seconds[rounds / 2];
	printf(",\"%s\":%.0f,\"%s_mb\":%.0f", name, (double)sample->entries / median, name,
	       (double)sample->bytes / median / 1e6);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct sample sample = { .entries = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000000 };
	u32 cpus = argc > 2 ? (u32)atoi(argv[2]) : 4, processes = argc > 3 ? (u32)atoi(argv[3]) : 200;
	/* These formats are streams of bytes. */
	static const char *const formats[] = { "fxt", "kel", "perfetto", "chrome", "folded", "pprof", "journald",
					       "eventheader", "trace-cmd" };
	static const char *const reports[] = { "top", "offcpu", "latency", "turns" };
	char name[64];
	size_t i;
	const char *tool = getenv("BCOSLOG"), *build = getenv("BUILD");

	if (!cpus || !processes) {
		fprintf(stderr, "usage: decode [ENTRIES [CPUS [PROCESSES]]]\n");
		return 1;
	}
	snprintf(sample.tool, sizeof(sample.tool), "%s%s", tool ? tool : build ? build : "build",
		 tool ? "" : "/bcoslog");
	write_sample(&sample, cpus, processes);
	printf("{\"cpus\":%u,\"processes\":%u,\"entries\":%llu,\"bytes\":%llu", cpus, processes,
	       (unsigned long long)sample.entries, (unsigned long long)sample.bytes);
	measure_way(&sample, "iterate", iterate_entries);
	measure_way(&sample, "iterate_batches", iterate_batches);
	measure_way(&sample, "account", make_account);
	measure_way(&sample, "dump", dump_log);
	measure_way(&sample, "check", check_log);
	for (i = 0; i < sizeof(reports) / sizeof(reports[0]); i++) {
		command = reports[i];
		measure_way(&sample, command, report_log);
	}
	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		format = formats[i];
		snprintf(name, sizeof(name), "convert_%s", format);
		measure_way(&sample, name, convert_log);
	}
	unlink(sample.path);
	sample.states = true;
	write_sample(&sample, cpus, processes);
	measure_way(&sample, "account_states", make_account);
	measure_way(&sample, "account_threads", account_threads);
	printf("}\n");
	unlink(sample.path);
	return 0;
}
