// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Lives that are not fork, exec and exit: vfork, and user-mode helpers, which the kernel starts. child.h says what has
 * to be in the log of each process.
 *
 * guest: cpus=2 timeout=120 also=all
 * guest: cpus=2 timeout=120 engine=bpf also=all
 * guest: cpus=2 append=nohz_full=1 timeout=120 engine=bpf
 */
#include "child.h"

#include <limits.h>
#include <signal.h>

#define HELPER "/tmp/bcos_helper"
#define HELPER_PID "/tmp/bcos_helper.pid"
#define HELPER_CODE 31

/* ---- vfork ---------------------------------------------------------------------------- */

static pid_t vfork_and_exec(void)
{
	pid_t pid = vfork();

	if (!pid)
		become_program(CHILD_PROGRAM, 12);
	return pid;
}

static pid_t vfork_and_exit(void)
{
	pid_t pid = vfork();

	if (!pid)
		_exit(13);
	return pid;
}

static void test_vfork(void)
{
	struct life life;
	int status;
	pid_t pid;

	child_forget();
	pid = vfork_and_exec();
	status = reap_child(pid, NULL);
	make_point(lived_once(pid, 2, termination_of(status, true), &life) && !strcmp(life.name, "exits"),
		   "vfork and exec: one life, named \"%s\", wait status 0x%x", life.name, status);
	pid = vfork_and_exit();
	status = reap_child(pid, NULL);
	make_point(lived_once(pid, 1, termination_of(status, true), &life),
		   "vfork and exit: one life, wait status 0x%x", status);
}

/* ---- user-mode helpers ------------------------------------------------------------------- */

/* The kernel runs this program with a core dump on standard input. */
static int helper_main(void)
{
	char buffer[4096];
	FILE *file;

	while (read(0, buffer, sizeof(buffer)) > 0)
		;
	file = fopen(HELPER_PID ".new", "we");
	if (!file)
		return 1;
	fprintf(file, "%d\n", getpid());
	fclose(file);
	return rename(HELPER_PID ".new", HELPER_PID) ? 1 : HELPER_CODE;
}

static void crash_child(void *unused)
{
	raise(SIGABRT);
}

/* A helper is shown as the kernel until its exec. Then it has the CPU although nothing was switched. */
static void judge_helper(pid_t pid)
{
	struct life life;

	if (make_point(lived_once(pid, 1, HELPER_CODE, &life),
		       "a user-mode helper is born at its exec, and ends once"))
		make_point(!strcmp(life.name, "bcos_helper"), "its only name is \"%s\"", life.name);
	else
		make_point(false, "its only name is \"%s\"", life.name);
	if (!make_point(life.first && life.first->time == life.born, "it is assigned a CPU at once") &&
	    life.birth)
		log_print(&child_log, life.birth, life.first, 12);
}

static void test_helper(void)
{
	char old[256], new[64], text[32], self[PATH_MAX] = "";
	int status;

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0 ||
	    (symlink(self, HELPER) && errno != EEXIST))
		give_up("%s", HELPER);
	if (read_file("/proc/sys/kernel/core_pattern", old, sizeof(old)) <= 0) {
		skip_point("no core dumps here", "a user-mode helper");
		return;
	}
	unlink(HELPER_PID);
	child_forget();
	snprintf(new, sizeof(new), "|" HELPER);
	if (!write_file("/proc/sys/kernel/core_pattern", "%s", new))
		give_up("core_pattern");
	status = reap_child(spawn_child(crash_child, NULL), NULL);
	make_point(WIFSIGNALED(status) && WCOREDUMP(status), "a core dump is handed to a helper");
	WAIT_FOR(read_file(HELPER_PID, text, sizeof(text)) > 0);
	write_file("/proc/sys/kernel/core_pattern", "%s", old);
	judge_helper(atoi(text));
}

int main(int argc, char **argv)
{
	if (strstr(argv[0], "bcos_helper"))
		return helper_main();
	children_begin();
	test_vfork();
	test_helper();
	children_finish();
	return finish_test();
}
