// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Threads that exec and exit in all orders, what seccomp does to them, and I/O workers: child.h says what has to be in
 * the log of each process.
 *
 * guest: cpus=2 timeout=120:300 rounds=100:1000 also=6.1
 * guest: cpus=2 timeout=120:300 rounds=100:1000 engine=bpf
 */
#include "child.h"

#include <dirent.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define THREADS 6
#define SKEW 1000000	/* ns by which the kernel's fast clock and CLOCK_BOOTTIME may differ */

/* ---- threads ---------------------------------------------------------------------- */

static void *exec_in_thread(void *unused)
{
	add_tid(own_tid());
	WAIT_FOR(child->count == THREADS);
	become_program(CHILD_PROGRAM, 21);
}

static void exec_from_thread(void *unused)
{
	int i;

	for (i = 1; i < THREADS; i++)
		start_thread(i % 2 ? sleeping_thread : burning_thread, NULL);
	start_thread(exec_in_thread, NULL);
	for (;;)
		pause();
}

static void *outlives_leader(void *unused)
{
	add_tid(own_tid());
	WAIT_FOR(is_thread_dead(getpid()));
	burn_cpu(20000000);
	child->time = now_ns(CLOCK_BOOTTIME);
	syscall(SYS_exit_group, 23);
	return NULL;
}

static void leader_dies_first(void *unused)
{
	start_thread(outlives_leader, NULL);
	syscall(SYS_exit, 1);
}

static void *exits_group(void *unused)
{
	add_tid(own_tid());
	WAIT_FOR(child->count == THREADS);
	syscall(SYS_exit_group, 33);
	return NULL;
}

static void exit_group_with_threads(void *unused)
{
	int i;

	for (i = 1; i < THREADS; i++)
		start_thread(i % 2 ? sleeping_thread : burning_thread, NULL);
	start_thread(exits_group, NULL);
	for (;;)
		pause();
}

static void *exits_with_others(void *number)
{
	add_tid(own_tid());
	while (!child->go)
		sched_yield();
	syscall(SYS_exit, 40 + (int)(intptr_t)number);
	return NULL;
}

/* All threads, with the leader, exit at once. It is open which of them makes the last switch, and on which CPU. */
static void all_exit_at_once(void *unused)
{
	int i;

	for (i = 1; i < THREADS; i++)
		start_thread(exits_with_others, (void *)(intptr_t)i);
	WAIT_FOR(child->count == THREADS - 1);
	child->go = 1;
	syscall(SYS_exit, 40);
}

static void exit_at_once(int count)
{
	pid_t *pids = calloc((size_t)count, sizeof(*pids));
	int *statuses = calloc((size_t)count, sizeof(*statuses)), good = 0, i;
	struct life life;

	for (i = 0; i < count; i++) {
		child_forget();
		pids[i] = spawn_child(all_exit_at_once, NULL);
		statuses[i] = reap_child(pids[i], NULL);
	}
	children_await(pids, (size_t)count);
	child_forget();
	for (i = 0; i < count; i++)
		good += lived_once(pids[i], 1, termination_of(statuses[i], true), &life);
	make_point(good == count,
		   "%d threads exit at once: %d of %d processes live once, with the right code",
		   THREADS, good, count);
	free(statuses);
	free(pids);
}

static void test_threads(void)
{
	struct life life;

	life = child_lives("exec from a thread that is not the leader", exec_from_thread, 2, true);
	make_point(!strcmp(life.name, "exits"), "its name is the program's: \"%s\"", life.name);
	life = child_lives("a leader that dies before its thread", leader_dies_first, 1, true);
	make_point(life.died + SKEW >= child->time, "it ends with its thread");
	child_lives("exit_group in a process with threads", exit_group_with_threads, 1, true);
	exit_at_once(get_rounds(100));
}

/* ---- seccomp ------------------------------------------------------------------------ */

/* From now on getppid() ends the caller. */
static void forbid_getppid(unsigned int action)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = ARRAY_SIZE(filter), .filter = filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(CHILD_UNAVAILABLE);
}

static void killed_process(void *unused)
{
	forbid_getppid(SECCOMP_RET_KILL_PROCESS);
	start_thread(sleeping_thread, NULL);
	WAIT_FOR(child->count == 1);
	syscall(SYS_getppid);
	_exit(126);
}

static void killed_only_thread(void *unused)
{
	forbid_getppid(SECCOMP_RET_KILL_THREAD);
	syscall(SYS_getppid);
	_exit(126);
}

static void *does_forbidden(void *unused)
{
	add_tid(own_tid());
	syscall(SYS_getppid);
	_exit(126);
}

static void survives_thread(void *unused)
{
	forbid_getppid(SECCOMP_RET_KILL_THREAD);
	start_thread(does_forbidden, NULL);
	WAIT_FOR(child->count == 1 && is_thread_dead(child->tids[0]));
	_exit(9);
}

static void be_strict(void *unused)
{
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		_exit(CHILD_UNAVAILABLE);
	syscall(SYS_getppid);
	syscall(SYS_exit, 126);
}

static void test_seccomp(void)
{
	child_lives("seccomp kills a process with threads", killed_process, 1, false);
	child_lives("seccomp kills the only thread", killed_only_thread, 1, false);
	child_lives("seccomp kills one thread of two", survives_thread, 1, false);
	child_lives("strict seccomp", be_strict, 1, false);
}

/* ---- I/O workers ------------------------------------------------------------------------- */

#define IO_BYTES (64 << 20)

static int ring_setup(struct io_uring_params *parameters)
{
	memset(parameters, 0, sizeof(*parameters));
	return (int)syscall(SYS_io_uring_setup, 4, parameters);
}

/* Lets an I/O worker read a lot of zeros. */
static void submit_read(int ring, const struct io_uring_params *parameters, int zero, void *buffer)
{
	size_t size = parameters->sq_off.array + parameters->sq_entries * sizeof(uint32_t);
	char *queue =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
	struct io_uring_sqe *entries =
		mmap(NULL, parameters->sq_entries * sizeof(*entries), PROT_READ | PROT_WRITE,
		     MAP_SHARED, ring, IORING_OFF_SQES);

	if (queue == MAP_FAILED || entries == MAP_FAILED)
		give_up("mmap of the rings");
	entries[0] = (struct io_uring_sqe){
		.opcode = IORING_OP_READ,
		.flags = IOSQE_ASYNC,
		.fd = zero,
		.addr = (uintptr_t)buffer,
		.len = IO_BYTES,
	};
	*(uint32_t *)(queue + parameters->sq_off.array) = 0;
	__atomic_store_n((uint32_t *)(queue + parameters->sq_off.tail), 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, ring, 1, 0, 0, NULL, 0) != 1)
		give_up("io_uring_enter");
}

/* Reports the threads that the child did not start. Return: how many there are. */
static int add_workers(void)
{
	DIR *folder = opendir("/proc/self/task");
	struct dirent *item;
	int found = 0;

	while (folder && (item = readdir(folder))) {
		if (atoi(item->d_name) <= 0 || atoi(item->d_name) == getpid())
			continue;
		add_tid(atoi(item->d_name));
		found++;
	}
	if (folder)
		closedir(folder);
	return found;
}

static void works_asynchronously(void *unused)
{
	struct io_uring_params parameters;
	int ring = ring_setup(&parameters), zero = open("/dev/zero", O_RDONLY);
	void *buffer =
		mmap(NULL, IO_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (ring < 0)
		_exit(CHILD_UNAVAILABLE);
	if (zero < 0 || buffer == MAP_FAILED)
		give_up("/dev/zero");
	submit_read(ring, &parameters, zero, buffer);
	WAIT_FOR(add_workers());
	while (syscall(SYS_io_uring_enter, ring, 0, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0)
		if (errno != EINTR)
			give_up("io_uring_enter");
	_exit(11);
}

static void test_workers(void)
{
	struct life life =
		child_lives("I/O workers belong to their process", works_asynchronously, 1, true);
	bool assigned = false;

	if (!life.id)
		return;
	for_each_entry(entry, &child_log)
		assigned = assigned || (entry->type == BCOS_ASSIGN_CPU &&
					entry_word(entry) == (uint32_t)child->tids[0]);
	make_point(child->count > 0 && !assigned, "no CPU is assigned to worker %d itself",
		   child->tids[0]);
}

int main(void)
{
	children_begin();
	test_threads();
	test_seccomp();
	test_workers();
	children_finish();
	return finish_test();
}
