// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The log tells who caused an event: the sender of a deadly signal, and the parent of a birth. The test expects what it
 * did itself: which process sent which signal, as which user, to which process; and which process is the parent of which.
 *
 * guest: cpus=2 timeout=120:300 also=6.12-rt
 * guest: cpus=2 timeout=120:300 engine=bpf
 */
#include "lib.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define KILLER "the \"killer\"\n"

static struct log taken;
static int log_fd;

/* ---- what the log says ---------------------------------------------------------- */

static bool is_told(pid_t pid, uint32_t event, const char *expected)
{
	const char *text = event_texts(&taken, pid, event, NULL);

	if (!strcmp(text, expected))
		return true;
	note("the log says: %s", text);
	note("what was done: %s", expected);
	return false;
}

static void take(pid_t pid)
{
	log_append_ended(&taken, log_fd, &pid, 1);
}

/* ---- deaths ------------------------------------------------------------------------ */

static volatile int *ready;

static void waits(void *unused)
{
	*ready = 1;
	for (;;)
		pause();
}

static void faults(void *unused)
{
	*(volatile int *)NULL = 0;
}

static pid_t victim(void)
{
	pid_t pid;

	*ready = 0;
	pid = spawn(waits, NULL);
	WAIT_FOR(*ready);
	return pid;
}

struct order {
	pid_t victim;
	int number;
	uid_t user;
	bool queue;
};

static void kills(void *argument)
{
	const struct order *order = argument;
	union sigval value = { 0 };

	prctl(PR_SET_NAME, KILLER);
	/*
	 * The real user ID counts for the log. The effective one stays root's, since other users may only signal their
	 * own processes.
	 */
	if (syscall(SYS_setresuid, order->user, 0, 0))
		die("setresuid");
	if (order->queue ? sigqueue(order->victim, order->number, value) : kill(order->victim, order->number))
		die("kill");
}

static void judge_kill(int number, uid_t user, bool queue)
{
	const struct bcos_entry *event = NULL;
	struct order order = { victim(), number, user, queue };
	pid_t killer = spawn(kills, &order);
	char expected[200];
	int status = reap(order.victim, NULL);

	reap(killer, NULL);
	take(order.victim);
	snprintf(expected, sizeof(expected), "signal %d code %d from process %d user %u \"" KILLER "\"", number,
		 queue ? -1 : 0, killer, user);
	ok(WTERMSIG(status) == number && is_told(order.victim, BCOS_EVENT_KILLED, expected),
	   "killed by user %u with signal %d", user, number);
	event_texts(&taken, order.victim, BCOS_EVENT_KILLED, &event);
	event = event ? entry_after(&taken, event) : NULL;
	ok(event && event->type == BCOS_CANCEL_PROCESS_NAME && event->source == (uint32_t)order.victim,
	   "its end follows at once");
}

static void test_killed(void)
{
	char expected[100];
	pid_t pid;

	judge_kill(SIGKILL, 0, false);
	judge_kill(SIGTERM, 1234, false);
	judge_kill(40, 4294967294u, true);
	pid = spawn(faults, NULL);
	reap(pid, NULL);
	take(pid);
	snprintf(expected, sizeof(expected), "signal 11 code %d from kernel", SEGV_MAPERR);
	ok(is_told(pid, BCOS_EVENT_KILLED, expected), "killed by a fault");
}

/* ---- births ------------------------------------------------------------------------- */

static void names_itself(void *name)
{
	prctl(PR_SET_NAME, name);
}

static bool has_parent(pid_t child, pid_t parent, const char *name)
{
	char expected[100];

	take(child);
	snprintf(expected, sizeof(expected), "parent %d \"%s\"", parent, name);
	return is_told(child, BCOS_EVENT_PARENT, expected);
}

static volatile pid_t *born;

/* Makes a child by the bare call. With CLONE_PARENT it is a child of the caller's parent. */
static pid_t bear(unsigned long flags)
{
	pid_t pid = (pid_t)syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);

	if (pid < 0)
		die("clone");
	if (!pid)
		_exit(0);
	return pid;
}

static void *bears(void *flags)
{
	*born = bear((unsigned long)flags);
	return NULL;
}

static void bears_sibling(void *unused)
{
	*born = bear(CLONE_PARENT);
}

static void bears_in_thread(void *unused)
{
	pthread_t thread;

	names_itself((void *)"leader");
	if (pthread_create(&thread, NULL, bears, NULL) || pthread_join(thread, NULL))
		die("thread");
	reap(*born, NULL);
}

static void test_parents(void)
{
	char name[64];
	pid_t pid;

	prctl(PR_GET_NAME, name);
	pid = spawn(names_itself, (void *)"child");
	reap(pid, NULL);
	ok(has_parent(pid, getpid(), name), "the parent of a fork");
	pid = spawn(bears_in_thread, NULL);
	reap(pid, NULL);
	ok(has_parent(*born, pid, "leader"), "a thread bears: the parent is its process");
	pid = spawn(bears_sibling, NULL);
	reap(pid, NULL);
	reap(*born, NULL);
	ok(has_parent(*born, getpid(), name), "CLONE_PARENT: the parent is the caller's");
}

/* While the class is off, the log has none of these events. */
static void test_off(void)
{
	struct order order = { 0, SIGKILL, 0, false };
	pid_t killer;

	if (by_engine())
		return;
	write_file("/sys/module/bcos_evlog/parameters/mask", "0x1f");
	order.victim = victim();
	killer = spawn(kills, &order);
	reap(order.victim, NULL);
	reap(killer, NULL);
	take(order.victim);
	take(killer);
	ok(is_told(order.victim, BCOS_EVENT_KILLED, "") && is_told(killer, BCOS_EVENT_PARENT, ""),
	   "while the class is off there is none of it");
	write_file("/sys/module/bcos_evlog/parameters/mask", "0x21f");
	judge_kill(SIGKILL, 0, false);
}

int main(void)
{
	ready = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (ready == MAP_FAILED)
		die("mmap");
	born = ready + 1;
	load("mask=0x21f");
	log_fd = open_log(O_RDONLY | O_NONBLOCK);
	test_killed();
	test_parents();
	test_off();
	log_check(&taken, "who");
	log_free(&taken);
	close(log_fd);
	unload();
	return finish();
}
