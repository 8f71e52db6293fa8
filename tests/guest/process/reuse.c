// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * IDs come again at once: with a pid_max of 420, 2,000 processes share about a hundred IDs, and many incarnations of
 * one ID fall into one merge. Each birth has its own end, with the status of that very process.
 *
 * guest: cpus=2 timeout=120:300 rounds=2000:10000 debug-rounds=1000
 * guest: cpus=2 timeout=120:300 rounds=1000:10000 engine=bpf
 */
#include "lib.h"

#include <signal.h>

#define PROGRAM "/tmp/exits"
#define PID_MAX "/proc/sys/kernel/pid_max"
#define AT_ONCE 12

struct child {
	pid_t pid;
	int status;
};

static void start_child(struct child *child, int number)
{
	int code = number * 11 % 250;

	child->pid = fork();
	if (child->pid < 0)
		give_up("fork");
	if (child->pid)
		return;
	if (number % 3 == 0)
		become_program(PROGRAM, code);
	if (number % 3 == 1)
		kill(getpid(), number % 2 ? SIGKILL : SIGUSR1);
	_exit(code);
}

static void run_all(struct child *children, int count)
{
	int started = 0, stopped = 0;

	while (stopped < count) {
		while (started < count && started < stopped + AT_ONCE) {
			start_child(&children[started], started);
			started++;
		}
		children[stopped].status = reap_child(children[stopped].pid, NULL);
		stopped++;
	}
}

/* Lives of each child's ID have to come in the order of the forks. */
static void judge_lives(const struct log *log, const struct child *children, int count, int merges)
{
	struct lives lives = lives_of(log);
	int missing = 0, endless = 0, wrong = 0, born = 0, most = 0, i, nth;
	static int uses[1 << 22];
	size_t k;

	for (k = 0; k < lives.count; k++)
		born += !lives.life[k].before;
	for (i = 0; i < count; i++) {
		const struct life *life = NULL;

		nth = uses[children[i].pid]++;
		most = nth + 1 > most ? nth + 1 : most;
		for (k = 0; k < lives.count; k++) {
			if (lives.life[k].id != (uint32_t)children[i].pid || lives.life[k].before)
				continue;
			life = &lives.life[k];
			if (!nth--)
				break;
		}
		if (!life || k == lives.count)
			missing++;
		else if (!life->dead)
			endless++;
		else if (life->status != termination_of(children[i].status, true) && wrong++ < 5)
			print_note("fork %d, process %d: status 0x%08x, wait status 0x%x", i, life->id,
				   life->status, children[i].status);
	}
	if (by_engine())
		print_note("one ID came %d times in %d merges", most, merges);
	else
		make_point(most > 2 * merges + 1,
			   "IDs come again within one merge (one of them %d times in %d merges)", most, merges);
	make_point(!missing && born == count, "%d births for %d forks (%d missing)", born, count, missing);
	make_point(!endless, "each of them has its end (%d have none)", endless);
	make_point(!wrong, "each end is that of the right incarnation (%d are not)", wrong);
	lives_free(&lives);
}

int main(void)
{
	int count = get_rounds(2000), fd, i;
	struct log log = { NULL, 0 };
	struct bcos_status before, after;
	int merges;
	struct child *children = calloc((size_t)count, sizeof(*children));
	pid_t *pids = calloc((size_t)count, sizeof(*pids));
	char old[32];

	if (!children || !pids)
		give_up("no memory");
	make_program(PROGRAM);
	/*
	 * load_module() may skip the test, so it comes before the change of pid_max, which other tests must not find.
	 */
	load_module("ring_kb=32768");
	if (read_file(PID_MAX, old, sizeof(old)) <= 0 || !write_file(PID_MAX, "420"))
		give_up(PID_MAX);
	before = status_of(-1);
	/* Nobody has the log open, so merges are few. */
	run_all(children, count);
	after = status_of(-1);
	write_file(PID_MAX, "%s", old);
	for (i = 0; i < count; i++)
		pids[i] = children[i].pid;
	fd = open_log(O_RDONLY | O_NONBLOCK);
	log_append_ended(&log, fd, pids, (size_t)count);
	merges = (int)(after.wakeups - before.wakeups);
	after = status_of(fd);
	close(fd);
	make_point(!after.unnamed && !after.compactions, "nothing is unnamed, and the whole log is here");
	log_check(&log, "%d processes with a pid_max of 420", count);
	judge_lives(&log, children, count, merges);
	log_free(&log);
	unload_module();
	return finish_test();
}
