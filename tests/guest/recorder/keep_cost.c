// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The recorder takes at most 1 % of a CPU while it keeps 100,000 entries a second of the device, if that CPU executes
 * three instructions a nanosecond (one in each cycle at 3 GHz). The guest's CPU executes one, so 3 % of it is the
 * limit. Nothing is lost meanwhile, and all of it is in the files. The recorder keeps the default classes: the states of
 * threads, which it keeps as well unless it is told so, are texts and cost more, as bcoslog-record(1) says.
 *
 * guest: icount=yes rounds=8:20 timeout=300:900 debug=no kernels=6.12 x86=the;limit;is;in;instructions;of;a;PC
 *
 * The oracle is the kernel's account of the recorder's CPU time. ROUNDS is the number of seconds of the guest.
 */
#include "device.h"

#include <glob.h>
#include <signal.h>

#define SECOND 1000000000ull
#define RATE 100000u
/* The load works this often in a second. */
#define BURSTS 100u
/* A turn is two entries or somewhat less. */
#define TURNS 640u
#define PERCENT_MAX 3.0
#define KEPT "/tmp/kept"

static void run_recorder(void *unused)
{
	execl("/bcos/bcoslog", "bcoslog", "--classes", "default", "record", "-o", KEPT, NULL);
	give_up("bcoslog");
}

/* Does the recorder sleep, because it has read what the ring had? */
static bool is_sleeping(pid_t pid)
{
	char path[40], text[400];
	const char *state;
	glob_t found;
	bool any;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (read_file(path, text, sizeof(text)) <= 0)
		give_up("%s", path);
	state = strrchr(text, ')');
	any = !glob(KEPT "/*.zst", 0, NULL, &found);
	globfree(&found);
	return any && state && state[2] == 'S';
}

/* Returns the CPU time of a process so far, in ns. */
static uint64_t spent_by(pid_t pid)
{
	char path[40], text[100];

	snprintf(path, sizeof(path), "/proc/%d/schedstat", pid);
	if (read_file(path, text, sizeof(text)) <= 0)
		give_up("%s", path);
	return strtoull(text, NULL, 10);
}

static uint64_t ns_of(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_usec * 1000u;
}

static void sleep_until(uint64_t time)
{
	struct timespec until = { (time_t)(time / SECOND), (long)(time % SECOND) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL))
		;
}

/* Makes entries for @seconds. Return: how long this took, in ns. */
static uint64_t make_entries(unsigned int seconds)
{
	uint64_t begin = now_ns(CLOCK_MONOTONIC);
	unsigned int i;

	for (i = 1; i <= seconds * BURSTS; i++) {
		switch_turns(0, TURNS);
		sleep_until(begin + i * (SECOND / BURSTS));
	}
	return now_ns(CLOCK_MONOTONIC) - begin;
}

static uint64_t count_lost(int fd)
{
	struct bcos_status status = status_of(fd);
	uint64_t sum = 0;
	int i;

	for (i = 0; i < BCOS_LOST_REASONS; i++)
		sum += status.lost[i];
	return sum;
}

/* Return: how many entries the files have. */
static uint64_t count_kept(void)
{
	FILE *pipe = popen("/bcos/bcoslog status --boots --json " KEPT, "r");
	unsigned long long entries = 0;
	char text[4000] = "";
	const char *found;

	if (!pipe || !fread(text, 1, sizeof(text) - 1, pipe) || pclose(pipe))
		give_up("bcoslog status");
	found = strstr(text, "\"entries\":");
	if (!found || sscanf(found, "\"entries\":%llu", &entries) != 1)
		give_up("bcoslog status: %s", text);
	return entries;
}

int main(void)
{
	unsigned int seconds = (unsigned int)get_rounds(8);
	uint64_t bytes, time, before, spent;
	struct rusage usage;
	double instructions, percent;
	pid_t recorder;
	int fd;

	load_module("");
	fd = open_log(O_RDONLY);
	/* The ring is full, as it is when a recorder has run for a while. */
	compact_log(fd, 1);
	recorder = spawn_child(run_recorder, NULL);
	WAIT_FOR(is_sleeping(recorder));
	before = spent_by(recorder);
	bytes = flush_log(fd);
	time = make_entries(seconds);
	bytes = flush_log(fd) - bytes;
	kill(recorder, SIGINT);
	make_point(!reap_child(recorder, &usage), "bcoslog record ends with success");
	spent = ns_of(&usage.ru_utime) + ns_of(&usage.ru_stime) - before;
	/* An entry of a switch has 24 bytes. */
	make_point(bytes / 24 >= (uint64_t)RATE * seconds, "%llu entries in %.3f s", (unsigned long long)(bytes / 24),
		   (double)time / 1e9);
	make_point(!count_lost(fd), "none of them is lost");
	/* Historical entries that say nothing new are not kept. */
	make_point(count_kept() >= (uint64_t)RATE * seconds, "all of them are in the files: %llu",
		   (unsigned long long)count_kept());
	instructions = (double)spent * 24 / (double)bytes;
	percent = 100.0 * instructions * RATE / 1e9;
	make_point(percent <= PERCENT_MAX,
		   "at 100,000 entries/s the recorder takes %.2f %% of this CPU, %.0f instructions an entry", percent,
		   instructions);
	close(fd);
	unload_module();
	return finish_test();
}
