// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Lives that are not fork, exec, exit: threads in all orders, seccomp, vfork,
 * user-mode helpers, I/O workers. Whatever its threads do, a process is born
 * once and ends once, with the status that waitpid() gave.
 *
 * guest: cpus=2 timeout=120:300 rounds=100:1000 rt=yes
 */
#include "lib.h"

#include <dirent.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define PROGRAM "/tmp/exits"
#define HELPER "/tmp/bcos_helper"
#define HELPER_PID "/tmp/bcos_helper.pid"
#define HELPER_CODE 31
#define SKEW 1000000	/* ns that the kernel's fast clock and ours may differ */
#define THREADS 6
#define UNAVAILABLE 99

/* What a child tells its parent. */
struct shared {
	pid_t tids[16];		/* of threads: never processes of the log */
	volatile int count;
	volatile int go;
	volatile uint64_t time;
};

static struct shared *shared;
static struct log everything;
static int fd;

static pid_t own_tid(void)
{
	return (pid_t)syscall(SYS_gettid);
}

static void add_tid(pid_t tid)
{
	int at = __atomic_fetch_add(&shared->count, 1, __ATOMIC_SEQ_CST);

	if (at < (int)ARRAY_SIZE(shared->tids))
		shared->tids[at] = tid;
}

static void start_thread(void *(*body)(void *), void *argument)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, body, argument))
		die("pthread_create");
}

static void *sleeps(void *unused)
{
	add_tid(own_tid());
	for (;;)
		pause();
	return NULL;
}

static void *burns(void *unused)
{
	add_tid(own_tid());
	for (;;)
		burn(1000000);
	return NULL;
}

/* ---- judging -------------------------------------------------------------------- */

/* Is this ID, of a thread, the ID of a process in the log? */
static bool is_process(const struct lives *lives, pid_t id)
{
	size_t i;

	for (i = 0; i < lives->count; i++)
		if (lives->life[i].id == (uint32_t)id)
			return true;
	return false;
}

/*
 * One life of this process, of @names names, with the end that @status tells.
 * Where this says yes, *@found is it (its entries until the log is read on).
 */
static bool lived_once(pid_t pid, int names, uint32_t status, struct life *found)
{
	struct lives lives;
	int count = 0, threads = shared->count, k;
	bool good = true;
	size_t i;

	memset(found, 0, sizeof(*found));
	log_append_ended(&everything, fd, &pid, 1);
	lives = lives_of(&everything);
	for (i = 0; i < lives.count; i++) {
		if (lives.life[i].id != (uint32_t)pid)
			continue;
		*found = lives.life[i];
		count++;
	}
	if (count != 1 || !found->dead || found->status != status ||
	    found->names != (uint32_t)names) {
		note("process %d: %d lives, %u names of %d, %s, status 0x%08x (0x%08x is right)",
		     pid, count, found->names, names, found->dead ? "ended" : "no end",
		     found->status, status);
		good = false;
	}
	for (k = 0; k < threads && k < (int)ARRAY_SIZE(shared->tids); k++) {
		if (shared->tids[k] == pid || !is_process(&lives, shared->tids[k]))
			continue;
		note("thread %d of process %d is a process in the log", shared->tids[k], pid);
		good = false;
	}
	lives_free(&lives);
	return good;
}

/* Runs a child; the point is that it lived once.  @user: a signal came from user space. */
static struct life child_lives(const char *what, void (*body)(void *), int names, bool user)
{
	struct life life;
	int status;
	pid_t pid;

	memset(shared, 0, sizeof(*shared));
	pid = spawn(body, NULL);
	status = reap(pid, NULL);
	if (WIFEXITED(status) && WEXITSTATUS(status) == UNAVAILABLE) {
		skip("this kernel has no such thing", "%s", what);
		memset(&life, 0, sizeof(life));
		return life;
	}
	ok(lived_once(pid, names, termination(status, user), &life),
	   "%s: one life, wait status 0x%x", what, status);
	return life;
}

/* ---- threads ---------------------------------------------------------------------- */

static void *execs(void *unused)
{
	add_tid(own_tid());
	WAIT_FOR(shared->count == THREADS);
	become(PROGRAM, 21);
}

static void exec_from_thread(void *unused)
{
	int i;

	for (i = 1; i < THREADS; i++)
		start_thread(i % 2 ? sleeps : burns, NULL);
	start_thread(execs, NULL);
	for (;;)
		pause();
}

static bool is_dead(pid_t tid)
{
	char path[64], text[256], *end;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	if (read_file(path, text, sizeof(text)) <= 0)
		return true;
	end = strrchr(text, ')');
	return end && (end[2] == 'Z' || end[2] == 'X');
}

static void *outlives_leader(void *unused)
{
	add_tid(own_tid());
	WAIT_FOR(is_dead(getpid()));
	burn(20000000);
	shared->time = now_ns(CLOCK_BOOTTIME);
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
	WAIT_FOR(shared->count == THREADS);
	syscall(SYS_exit_group, 33);
	return NULL;
}

static void exit_group_with_threads(void *unused)
{
	int i;

	for (i = 1; i < THREADS; i++)
		start_thread(i % 2 ? sleeps : burns, NULL);
	start_thread(exits_group, NULL);
	for (;;)
		pause();
}

static void *exits_with_others(void *number)
{
	add_tid(own_tid());
	while (!shared->go)
		sched_yield();
	syscall(SYS_exit, 40 + (int)(intptr_t)number);
	return NULL;
}

/* All threads, the leader too, exit at once: whose last switch is the last, and on which CPU? */
static void all_exit_at_once(void *unused)
{
	int i;

	for (i = 1; i < THREADS; i++)
		start_thread(exits_with_others, (void *)(intptr_t)i);
	WAIT_FOR(shared->count == THREADS - 1);
	shared->go = 1;
	syscall(SYS_exit, 40);
}

static void exit_at_once(int count)
{
	pid_t *pids = calloc((size_t)count, sizeof(*pids));
	int *statuses = calloc((size_t)count, sizeof(*statuses)), good = 0, i;
	struct life life;

	for (i = 0; i < count; i++) {
		memset(shared, 0, sizeof(*shared));
		pids[i] = spawn(all_exit_at_once, NULL);
		statuses[i] = reap(pids[i], NULL);
	}
	log_append_ended(&everything, fd, pids, (size_t)count);
	memset(shared, 0, sizeof(*shared));
	for (i = 0; i < count; i++)
		good += lived_once(pids[i], 1, termination(statuses[i], true), &life);
	ok(good == count,
	   "%d threads exit at once: %d of %d processes live once, with the right code",
	   THREADS, good, count);
	free(statuses);
	free(pids);
}

static void test_threads(void)
{
	struct life life;

	life = child_lives("exec from a thread that is not the leader", exec_from_thread, 2, true);
	ok(!strcmp(life.name, "exits"), "its name is the program's: \"%s\"", life.name);
	life = child_lives("a leader that dies before its thread", leader_dies_first, 1, true);
	ok(life.died + SKEW >= shared->time, "it ends with its thread");
	child_lives("exit_group in a process with threads", exit_group_with_threads, 1, true);
	exit_at_once(rounds(100));
}

/* ---- seccomp ------------------------------------------------------------------------ */

/* From now on getppid() ends the caller. */
static void forbid(unsigned int action)
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
		_exit(UNAVAILABLE);
}

static void killed_process(void *unused)
{
	forbid(SECCOMP_RET_KILL_PROCESS);
	start_thread(sleeps, NULL);
	WAIT_FOR(shared->count == 1);
	syscall(SYS_getppid);
	_exit(126);
}

static void killed_only_thread(void *unused)
{
	forbid(SECCOMP_RET_KILL_THREAD);
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
	forbid(SECCOMP_RET_KILL_THREAD);
	start_thread(does_forbidden, NULL);
	WAIT_FOR(shared->count == 1 && is_dead(shared->tids[0]));
	_exit(9);
}

static void strict(void *unused)
{
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		_exit(UNAVAILABLE);
	syscall(SYS_getppid);
	syscall(SYS_exit, 126);
}

static void test_seccomp(void)
{
	child_lives("seccomp kills a process with threads", killed_process, 1, false);
	child_lives("seccomp kills the only thread", killed_only_thread, 1, false);
	child_lives("seccomp kills one thread of two", survives_thread, 1, false);
	child_lives("strict seccomp", strict, 1, false);
}

/* ---- vfork ---------------------------------------------------------------------------- */

static pid_t vfork_and_exec(void)
{
	pid_t pid = vfork();

	if (!pid)
		become(PROGRAM, 12);
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

	memset(shared, 0, sizeof(*shared));
	pid = vfork_and_exec();
	status = reap(pid, NULL);
	ok(lived_once(pid, 2, termination(status, true), &life) && !strcmp(life.name, "exits"),
	   "vfork and exec: one life, named \"%s\", wait status 0x%x", life.name, status);
	pid = vfork_and_exit();
	status = reap(pid, NULL);
	ok(lived_once(pid, 1, termination(status, true), &life),
	   "vfork and exit: one life, wait status 0x%x", status);
}

/* ---- user-mode helpers ------------------------------------------------------------------- */

/* The kernel runs us with a core dump on standard input. */
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

static void crashes(void *unused)
{
	raise(SIGABRT);
}

/* It is the kernel until its exec; then it has the CPU although nothing was switched. */
static void judge_helper(pid_t pid)
{
	struct life life;

	if (ok(lived_once(pid, 1, HELPER_CODE, &life),
	       "a user-mode helper is born at its exec, and ends once"))
		ok(!strcmp(life.name, "bcos_helper"), "its only name is \"%s\"", life.name);
	else
		ok(false, "its only name is \"%s\"", life.name);
	if (!ok(life.first && life.first->time == life.born, "it is assigned a CPU at once") &&
	    life.birth)
		log_print(&everything, life.birth, life.first, 12);
}

static void test_helper(void)
{
	char old[256], new[64], text[32], self[PATH_MAX] = "";
	int status;

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0 ||
	    (symlink(self, HELPER) && errno != EEXIST))
		die("%s", HELPER);
	if (read_file("/proc/sys/kernel/core_pattern", old, sizeof(old)) <= 0) {
		skip("no core dumps here", "a user-mode helper");
		return;
	}
	unlink(HELPER_PID);
	memset(shared, 0, sizeof(*shared));
	snprintf(new, sizeof(new), "|" HELPER);
	if (!write_file("/proc/sys/kernel/core_pattern", "%s", new))
		die("core_pattern");
	status = reap(spawn(crashes, NULL), NULL);
	ok(WIFSIGNALED(status) && WCOREDUMP(status), "a core dump is handed to a helper");
	WAIT_FOR(read_file(HELPER_PID, text, sizeof(text)) > 0);
	write_file("/proc/sys/kernel/core_pattern", "%s", old);
	judge_helper(atoi(text));
}

/* ---- I/O workers ------------------------------------------------------------------------- */

#define IO_BYTES (64 << 20)

static int ring_setup(struct io_uring_params *parameters)
{
	memset(parameters, 0, sizeof(*parameters));
	return (int)syscall(SYS_io_uring_setup, 4, parameters);
}

/* Has a worker read a lot of zeros. */
static void submit_read(int ring, const struct io_uring_params *parameters, int zero, void *buffer)
{
	size_t size = parameters->sq_off.array + parameters->sq_entries * sizeof(uint32_t);
	char *queue =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
	struct io_uring_sqe *entries =
		mmap(NULL, parameters->sq_entries * sizeof(*entries), PROT_READ | PROT_WRITE,
		     MAP_SHARED, ring, IORING_OFF_SQES);

	if (queue == MAP_FAILED || entries == MAP_FAILED)
		die("mmap of the rings");
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
		die("io_uring_enter");
}

/* Threads that we did not start. */
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
		_exit(UNAVAILABLE);
	if (zero < 0 || buffer == MAP_FAILED)
		die("/dev/zero");
	submit_read(ring, &parameters, zero, buffer);
	WAIT_FOR(add_workers());
	while (syscall(SYS_io_uring_enter, ring, 0, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0)
		if (errno != EINTR)
			die("io_uring_enter");
	_exit(11);
}

static void test_workers(void)
{
	struct life life =
		child_lives("I/O workers belong to their process", works_asynchronously, 1, true);
	bool assigned = false;

	if (!life.id)
		return;
	for_each_entry(entry, &everything)
		assigned = assigned || (entry->type == BCOS_ASSIGN_CPU &&
					entry_word(entry) == (uint32_t)shared->tids[0]);
	ok(shared->count > 0 && !assigned, "no CPU is assigned to worker %d itself",
	   shared->tids[0]);
}

int main(int argc, char **argv)
{
	struct bcos_status status;

	if (strstr(argv[0], "bcos_helper"))
		return helper_main();
	make_program(PROGRAM);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		die("mmap");
	load("");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	test_threads();
	test_seccomp();
	test_vfork();
	test_helper();
	test_workers();
	log_append(&everything, fd, 0);
	status = status_of(fd);
	close(fd);
	log_check(&everything, "all these lives");
	ok(!status.unnamed, "no ID was used without a name (%llu)",
	   (unsigned long long)status.unnamed);
	unload();
	return finish();
}
