// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Snapshots: the log is read at random moments, as cat does, during a load that is heavy on the scheduler, and after
 * it. Over at least 20 compactions of a small ring, each snapshot begins with a group of historical entries, is in
 * order, and passes the check.
 *
 * guest: cpus=2 timeout=120:300 rounds=5:20 also=6.12-rt
 * guest: cpus=8 timeout=120:300 rounds=5:20
 */
#include "lib.h"

#include <pthread.h>
#include <sys/mman.h>

#define PROGRAM "/tmp/exits"
#define COMPACTIONS 20
#define WORKERS_MAX 64

struct shared {
	volatile int stop;
};

static struct shared *shared;

/* ---- the load -------------------------------------------------------------------- */

/* Sends a token to and fro. The other side ends when this side closes its pipe. */
static void play_token(int in, int out)
{
	char token = 0;

	while (!shared->stop && write(out, &token, 1) == 1 && read(in, &token, 1) == 1)
		;
	close(out);
}

static void answer_token(int in, int out)
{
	char token = 0;

	while (read(in, &token, 1) == 1 && write(out, &token, 1) == 1)
		;
}

/* Two processes pass one token. */
static void processes_play(void *unused)
{
	int there[2], back[2];
	pid_t pid;

	if (pipe(there) || pipe(back))
		give_up("pipe");
	pid = fork();
	if (pid < 0)
		give_up("fork");
	if (!pid) {
		close(there[1]);
		answer_token(there[0], back[1]);
		_exit(0);
	}
	close(there[0]);
	play_token(back[0], there[1]);
	reap_child(pid, NULL);
}

struct ends {
	int in, out;
};

static void *thread_answers(void *argument)
{
	const struct ends *ends = argument;

	answer_token(ends->in, ends->out);
	return NULL;
}

/* Two threads pass one token: switches between them are none of the process. */
static void threads_play(void *unused)
{
	int there[2], back[2];
	pthread_t thread;
	struct ends ends;

	if (pipe(there) || pipe(back))
		give_up("pipe");
	ends = (struct ends){ there[0], back[1] };
	if (pthread_create(&thread, NULL, thread_answers, &ends))
		give_up("pthread_create");
	play_token(back[0], there[1]);
	pthread_join(thread, NULL);
}

static void fork_children(void *unused)
{
	int number;
	pid_t pid;

	for (number = 0; !shared->stop; number++) {
		pid = fork();
		if (pid < 0)
			give_up("fork");
		if (!pid && number % 2)
			become_program(PROGRAM, number % 200);
		if (!pid)
			_exit(number % 200);
		reap_child(pid, NULL);
	}
}

static pid_t workers[WORKERS_MAX];
static int worker_count;

static void start_load(void)
{
	int i;

	for (i = 0; i < (count_cpus() > 2 ? count_cpus() / 2 : 2); i++)
		workers[worker_count++] = spawn_child(processes_play, NULL);
	workers[worker_count++] = spawn_child(threads_play, NULL);
	workers[worker_count++] = spawn_child(fork_children, NULL);
}

static void stop_load(void)
{
	int i;

	shared->stop = 1;
	for (i = 0; i < worker_count; i++)
		reap_child(workers[i], NULL);
}

/* ---- snapshots -------------------------------------------------------------------- */

struct snapshot {
	struct log log;
	uint64_t compactions;
};

/* Takes a snapshot by blocking reads of many sizes, until it has as much as the log had at the beginning. */
static struct log take_snapshot(unsigned int *seed)
{
	int fd = open_log(O_RDONLY);
	struct bcos_status status = status_of(fd);
	size_t enough = status.head - status.oldest, room = enough + 262144;
	struct log log = { malloc(room), 0 };
	ssize_t got;

	if (!log.bytes)
		give_up("no memory");
	while (log.size < enough) {
		got = read(fd, log.bytes + log.size, 4096 + (size_t)rand_r(seed) % 131072);
		if (got <= 0)
			give_up("read of the log: %zd", got);
		log.size += (size_t)got;
	}
	close(fd);
	return log;
}

static bool in_order(const struct log *log)
{
	uint64_t newest = 0;

	for_each_entry(entry, log) {
		if (entry->type & BCOS_TYPE_HISTORICAL)
			continue;
		if (entry->time < newest) {
			print_note("time goes back from %llu to %llu", (unsigned long long)newest,
				   (unsigned long long)entry->time);
			return false;
		}
		newest = entry->time;
	}
	return true;
}

static uint64_t count_compactions(void)
{
	return status_of(-1).compactions;
}

int main(void)
{
	int count = get_rounds(5), grouped = 0, ordered = 0, valid = 0, overtaken = 0, i;
	struct snapshot *snapshots = calloc((size_t)count + 1, sizeof(*snapshots));
	const char *text = getenv("SEED");
	unsigned int seed =
		text ? (unsigned int)strtoul(text, NULL, 0) : (unsigned int)now_ns(CLOCK_REALTIME);
	struct beginnings beginnings;
	struct bcos_status status;
	uint64_t target = 0;
	char name[40];

	print_note("SEED=%u", seed);
	make_program(PROGRAM);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED || !snapshots)
		give_up("no memory");
	/* Staging is small, so that the writer goes on in small steps. */
	load_module("ring_kb=256 staging_kb=256");
	start_load();
	/* Without this, the test would wait for all workers whenever it looks. */
	setpriority(PRIO_PROCESS, 0, -10);
	for (i = 0; i < count; i++) {
		target += 1 + (uint64_t)rand_r(&seed) % (COMPACTIONS / (unsigned int)count + 1);
		WAIT_FOR(count_compactions() >= target);
		usleep((unsigned int)rand_r(&seed) % 20000);
		snapshots[i].log = take_snapshot(&seed);
		snapshots[i].compactions = count_compactions();
		target = snapshots[i].compactions;
	}
	WAIT_FOR(count_compactions() >= COMPACTIONS);
	stop_load();
	snapshots[count].log = log_take();
	status = status_of(-1);
	snapshots[count].compactions = status.compactions;
	make_point(status.compactions >= COMPACTIONS, "%llu compactions",
		   (unsigned long long)status.compactions);
	for (i = 0; i <= count; i++) {
		snprintf(name, sizeof(name), "snapshot-%d-cpus%d.log", i, count_cpus());
		beginnings = log_beginnings(&snapshots[i].log, NULL);
		grouped += !beginnings.broken && beginnings.whole;
		ordered += in_order(&snapshots[i].log);
		valid += log_valid(&snapshots[i].log, name);
		overtaken += log_overtaken(&snapshots[i].log);
	}
	print_note("%d of the readers were overtaken; %llu entries, %llu lost", overtaken,
		   (unsigned long long)status.entries,
		   (unsigned long long)status.lost[BCOS_LOST_STAGING]);
	make_point(grouped == count + 1, "%d of %d snapshots begin with a complete group", grouped,
		   count + 1);
	make_point(ordered == count + 1, "%d of them are in order", ordered);
	make_point(valid == count + 1, "bcoslog check: %d of them", valid);
	/* This holds unless a birth was lost, for which the writer would have to stand still for seconds. */
	if (status.unnamed && status.lost[BCOS_LOST_STAGING])
		skip_point("events were lost", "no ID was used without a name");
	else
		make_point(!status.unnamed, "no ID was used without a name");
	unload_module();
	return finish_test();
}
