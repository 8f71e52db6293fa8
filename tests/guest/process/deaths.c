// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Deaths by exit, with each code, and by signals that processes send, with each of the calls that there are for it.
 * death.h says which deaths are expected; the origin is user space.
 *
 * guest: cpus=2 timeout=120:300 also=6.1
 * guest: cpus=2 timeout=120:300 engine=bpf
 */
#include "death.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>

/* ---- ways to die: in the child ------------------------------------------------ */

static void die_waiting(int unused)
{
	sleep_for_ever();
}

static void waits_for_core(int unused)
{
	struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };

	if (chdir("/tmp") || setrlimit(RLIMIT_CORE, &unlimited))
		give_up("RLIMIT_CORE");
	sleep_for_ever();
}

static void die_stopped(int unused)
{
	report_ready();
	raise(SIGSTOP);
	_exit(126);
}

static void kills_itself(int number)
{
	kill(getpid(), number);
	sleep_for_ever();
}

static void die_raising(int number)
{
	raise(number);
	_exit(126);
}

static void die_aborting(int unused)
{
	abort();
}

static void die_queueing(int number)
{
	union sigval value = { .sival_int = 1 };

	sigqueue(getpid(), number, value);
	_exit(126);
}

static void *waiting_thread(void *unused)
{
	sleep_for_ever();
	return NULL;
}

static void die_threaded(int unused)
{
	pthread_t thread;
	int i;

	for (i = 0; i < 3; i++)
		if (pthread_create(&thread, NULL, waiting_thread, NULL))
			give_up("pthread_create");
	for (;;)
		pause();
}

static void kills_thread(int number)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, waiting_thread, NULL))
		give_up("pthread_create");
	WAIT_FOR(is_ready());
	pthread_kill(thread, number);
	sleep_for_ever();
}

/* ---- and what the parent does to it, once it is ready -------------------------- */

static void act_kill(pid_t pid, int number)
{
	kill(pid, number);
}

static void act_tgkill(pid_t pid, int number)
{
	syscall(SYS_tgkill, pid, pid, number);
}

static void act_queue(pid_t pid, int number)
{
	union sigval value = { .sival_int = 1 };

	sigqueue(pid, number, value);
}

static void act_kill_stopped(pid_t pid, int number)
{
	siginfo_t info;

	if (waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOWAIT))
		give_up("waitid");
	kill(pid, number);
}

static const struct way ways[] = {
	{ "kill(SIGTERM) by another process", die_waiting, 0, act_kill, SIGTERM, USER, SIGTERM },
	{ "kill(SIGKILL)", die_waiting, 0, act_kill, SIGKILL, USER, SIGKILL },
	{ "kill(SIGHUP)", die_waiting, 0, act_kill, SIGHUP, USER, SIGHUP },
	{ "kill(SIGINT)", die_waiting, 0, act_kill, SIGINT, USER, SIGINT },
	{ "kill(SIGUSR2)", die_waiting, 0, act_kill, SIGUSR2, USER, SIGUSR2 },
	{ "kill(SIGPIPE)", die_waiting, 0, act_kill, SIGPIPE, USER, SIGPIPE },
	{ "kill(SIGALRM)", die_waiting, 0, act_kill, SIGALRM, USER, SIGALRM },
	{ "kill(SIGSEGV), no fault", die_waiting, 0, act_kill, SIGSEGV, USER, SIGSEGV },
	{ "kill(SIGQUIT) with a core dump", waits_for_core, 0, act_kill, SIGQUIT, USER, SIGQUIT },
	{ "kill(SIGKILL) while it is stopped", die_stopped, 0, act_kill_stopped, SIGKILL, USER, SIGKILL },
	{ "kill(SIGKILL) of a threaded process", die_threaded, 0, act_kill, SIGKILL, USER, SIGKILL },
	{ "kill(first real-time signal)", die_waiting, 0, act_kill, 34, USER, 34 },
	{ "kill(signal 64)", die_waiting, 0, act_kill, 64, USER, 64 },
	{ "kill of itself", kills_itself, SIGTERM, NULL, 0, USER, SIGTERM },
	{ "tgkill(SIGTERM)", die_waiting, 0, act_tgkill, SIGTERM, USER, SIGTERM },
	{ "sigqueue(SIGTERM) by another process", die_waiting, 0, act_queue, SIGTERM, USER, SIGTERM },
	{ "sigqueue(40) of itself", die_queueing, 40, NULL, 0, USER, 40 },
	{ "raise(SIGFPE), no fault", die_raising, SIGFPE, NULL, 0, USER, SIGFPE },
	{ "abort()", die_aborting, 0, NULL, 0, USER, SIGABRT },
	{ "pthread_kill(SIGTERM) of a thread", kills_thread, SIGTERM, NULL, 0, USER, SIGTERM },
};

/* ---- exits --------------------------------------------------------------------- */

static int exit_code(int i)
{
	static const int sample[] = { 0, 1, 2, 3, 7, 42, 64, 77, 126, 127, 128, 129, 137, 143, 192,
				      200, 254, 255 };

	if (is_full_run())
		return i < 256 ? i : -1;
	return i < (int)ARRAY_SIZE(sample) ? sample[i] : -1;
}

static void run_exit(void *code)
{
	_exit((int)(intptr_t)code);
}

static void judge_exits(const struct log *log, const struct death *deaths, size_t count)
{
	struct lives lives = lives_of(log);
	bool good = true;
	size_t i;

	for (i = 0; i < count; i++)
		good &= is_told(log, &lives, &deaths[i]);
	make_point(good, "%zu exit codes", count);
	lives_free(&lives);
}

int main(void)
{
	static struct death deaths[256 + ARRAY_SIZE(ways)];
	size_t exits, count = 0, i;
	struct log log;
	int fd, code;

	deaths_begin();
	load_module("");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	for (; (code = exit_code((int)count)) >= 0; count++) {
		deaths[count].pid = spawn_child(run_exit, (void *)(intptr_t)code);
		deaths[count].status = reap_child(deaths[count].pid, NULL);
	}
	exits = count;
	for (i = 0; i < ARRAY_SIZE(ways); i++, count++) {
		deaths[count].way = &ways[i];
		die_by(&deaths[count]);
	}
	log = log_of_deaths(fd, deaths, count);
	close(fd);
	log_check(&log, "%zu deaths", count);
	judge_ways(&log, deaths, count, NULL);
	judge_exits(&log, deaths, exits);
	log_free(&log);
	unload_module();
	return finish_test();
}
