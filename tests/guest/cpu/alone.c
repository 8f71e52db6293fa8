// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * With the class kernel_time alone, switches are recorded as they are with "assign": the log begins with what each CPU
 * runs, and a process ends with its last switch, and not when its last thread begins to exit.
 *
 * guest: cpus=2 timeout=120
 * guest: cpus=2 timeout=120 engine=bpf
 *
 * The oracle is the end of a pipe: a process that exits closes it after the kernel's tracepoint of its exit, and before
 * its last switch, since thousands of other files follow.
 */
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

#include "lib.h"

#define FILES 8000
#define ROUNDS 20

static struct log everything;
static int ends[2];

/* Returns how many CPUs the first group assigns. */
static int assigned_at_first(void)
{
	int count = 0;

	for_each_entry(entry, &everything) {
		if (!(entry->type & BCOS_TYPE_HISTORICAL))
			break;
		count += entry->type == BCOS_HIST_ASSIGN_CPU;
	}
	return count;
}

static void opens_many(void *unused)
{
	struct rlimit limit = { FILES + 100, FILES + 100 };
	int i;

	close(ends[0]);
	pin_to(1);
	if (setrlimit(RLIMIT_NOFILE, &limit))
		give_up("setrlimit");
	for (i = 0; i < FILES; i++)
		if (eventfd(0, 0) < 0)
			give_up("eventfd");
	_exit(3);
}

/* Returns the time at which the pipe of a child was closed, and the child's ID in *@child. */
static uint64_t closed_by(pid_t *child)
{
	uint64_t time;
	char byte;

	if (pipe2(ends, O_NONBLOCK))
		give_up("pipe2");
	*child = spawn_child(opens_many, NULL);
	close(ends[1]);
	while (read(ends[0], &byte, 1))
		;
	time = now_ns(CLOCK_BOOTTIME);
	close(ends[0]);
	reap_child(*child, NULL);
	return time;
}

/* Does the log cancel the name of a process only after the process has closed its files? */
static bool ends_after_files(void)
{
	const struct bcos_entry *cancelled = NULL;
	uint64_t closed;
	pid_t child;
	int fd = open_log(O_RDONLY | O_NONBLOCK);

	closed = closed_by(&child);
	log_append_ended(&everything, fd, &child, 1);
	close(fd);
	cancelled = entry_find(&everything, NULL, BCOS_CANCEL_PROCESS_NAME, (uint32_t)child);
	if (!cancelled)
		give_up("the log does not tell of the end of process %d", child);
	if (cancelled->time > closed)
		return true;
	print_note("process %d: cancelled %lld us before its first file was closed", child,
		   (long long)(closed - cancelled->time) / 1000);
	return false;
}

int main(void)
{
	int round, fd;

	pin_to(0);
	/* CPU 1 is idle meanwhile, so no switch there says what it runs. */
	usleep(200000);
	load_module("mask=kernel_time ring_kb=16384");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	log_append(&everything, fd, 0);
	close(fd);
	make_point(assigned_at_first() == count_cpus(), "the log begins with what each of %d CPUs runs (%d)",
		   count_cpus(), assigned_at_first());
	for (round = 0; round < ROUNDS && !ends_after_files(); round++)
		log_free(&everything);
	make_point(round < ROUNDS, "a process ends with its last switch (round %d)", round);
	unload_module();
	return finish_test();
}
