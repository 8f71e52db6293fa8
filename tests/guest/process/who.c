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
	print_note("the log says: %s", text);
	print_note("what was done: %s", expected);
	return false;
}

static void take_ended(pid_t pid)
{
	log_append_ended(&taken, log_fd, &pid, 1);
}

/* ---- deaths ------------------------------------------------------------------------ */

static volatile int *ready;

static void be_waiting(void *unused)
{
	*ready = 1;
	for (;;)
		pause();
}

static void be_faulting(void *unused)
{
	*(volatile int *)NULL = 0;
}

static pid_t start_victim(void)
{
	pid_t pid;

	*ready = 0;
	pid = spawn_child(be_waiting, NULL);
	WAIT_FOR(*ready);
	return pid;
}

struct order {
	pid_t victim;
	int number;
	uid_t user;
	bool queue;
};

static void kill_victim(void *argument)
{
	const struct order *order = argument;
	union sigval value = { 0 };

	prctl(PR_SET_NAME, KILLER);
	/*
	 * The real user ID counts for the log. The effective one stays root's, since other users may only signal their
	 * own processes.
	 */
	if (syscall(SYS_setresuid, order->user, 0, 0))
		give_up("setresuid");
	if (order->queue ? sigqueue(order->victim, order->number, value) : kill(order->victim, order->number))
		give_up("kill");
}

static void judge_kill(int number, uid_t user, bool queue)
{
	const struct bcos_entry *event = NULL;
	struct order order = { start_victim(), number, user, queue };
	pid_t killer = spawn_child(kill_victim, &order);
	char expected[200];
	int status = reap_child(order.victim, NULL);

	reap_child(killer, NULL);
	take_ended(order.victim);
	snprintf(expected, sizeof(expected), "signal %d code %d from process %d user %u \"" KILLER "\"", number,
		 queue ? -1 : 0, killer, user);
	make_point(WTERMSIG(status) == number && is_told(order.victim, BCOS_EVENT_KILLED, expected),
		   "killed by user %u with signal %d", user, number);
	event_texts(&taken, order.victim, BCOS_EVENT_KILLED, &event);
	event = event ? entry_after(&taken, event) : NULL;
	make_point(event && event->type == BCOS_CANCEL_PROCESS_NAME && event->source == (uint32_t)order.victim,
		   "its end follows at once");
}

static void test_killed(void)
{
	char expected[100];
	pid_t pid;

	judge_kill(SIGKILL, 0, false);
	judge_kill(SIGTERM, 1234, false);
	judge_kill(40, 4294967294u, true);
	pid = spawn_child(be_faulting, NULL);
	reap_child(pid, NULL);
	take_ended(pid);
	snprintf(expected, sizeof(expected), "signal 11 code %d from kernel", SEGV_MAPERR);
	make_point(is_told(pid, BCOS_EVENT_KILLED, expected), "killed by a fault");
}

/* ---- births ------------------------------------------------------------------------- */

static void names_itself(void *name)
{
	prctl(PR_SET_NAME, name);
}

static bool has_parent(pid_t child, pid_t parent, const char *name)
{
	char expected[100];

	take_ended(child);
	snprintf(expected, sizeof(expected), "parent %d \"%s\"", parent, name);
	return is_told(child, BCOS_EVENT_PARENT, expected);
}

static volatile pid_t *born;

/* Makes a child by the bare call. With CLONE_PARENT it is a child of the caller's parent. */
static pid_t bear_child(unsigned long flags)
{
	pid_t pid = (pid_t)syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);

	if (pid < 0)
		give_up("clone");
	if (!pid)
		_exit(0);
	return pid;
}

static void *bear_in_thread(void *flags)
{
	*born = bear_child((unsigned long)flags);
	return NULL;
}

static void bears_sibling(void *unused)
{
	*born = bear_child(CLONE_PARENT);
}

static void bears_in_thread(void *unused)
{
	pthread_t thread;

	names_itself((void *)"leader");
	if (pthread_create(&thread, NULL, bear_in_thread, NULL) || pthread_join(thread, NULL))
		give_up("thread");
	reap_child(*born, NULL);
}

static void test_parents(void)
{
	char name[64];
	pid_t pid;

	prctl(PR_GET_NAME, name);
	pid = spawn_child(names_itself, (void *)"child");
	reap_child(pid, NULL);
	make_point(has_parent(pid, getpid(), name), "the parent of a fork");
	pid = spawn_child(bears_in_thread, NULL);
	reap_child(pid, NULL);
	make_point(has_parent(*born, pid, "leader"), "a thread bears: the parent is its process");
	pid = spawn_child(bears_sibling, NULL);
	reap_child(pid, NULL);
	reap_child(*born, NULL);
	make_point(has_parent(*born, getpid(), name), "CLONE_PARENT: the parent is the caller's");
}

/* While the class is off, the log has none of these events. */
static void test_off(void)
{
	struct order order = { 0, SIGKILL, 0, false };
	pid_t killer;

	if (by_engine())
		return;
	write_file("/sys/module/bcos_evlog/parameters/mask", "0x1f");
	order.victim = start_victim();
	killer = spawn_child(kill_victim, &order);
	reap_child(order.victim, NULL);
	reap_child(killer, NULL);
	take_ended(order.victim);
	take_ended(killer);
	make_point(is_told(order.victim, BCOS_EVENT_KILLED, "") && is_told(killer, BCOS_EVENT_PARENT, ""),
		   "while the class is off there is none of it");
	write_file("/sys/module/bcos_evlog/parameters/mask", "0x21f");
	judge_kill(SIGKILL, 0, false);
}

int main(void)
{
	ready = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (ready == MAP_FAILED)
		give_up("mmap");
	born = ready + 1;
	load_module("mask=0x21f");
	log_fd = open_log(O_RDONLY | O_NONBLOCK);
	test_killed();
	test_parents();
	test_off();
	log_check(&taken, "who");
	log_free(&taken);
	close(log_fd);
	unload_module();
	return finish_test();
}
