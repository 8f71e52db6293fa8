// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Deaths by the kernel: faults, timers, limits, terminals and control groups. Where a timer and the process itself sent
 * the same signal, the last one counts. death.h says which deaths are expected.
 *
 * guest: cpus=2 timeout=120:300 also=6.1
 * guest: cpus=2 timeout=120:300 engine=bpf also=6.1
 */
#include "death.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <termios.h>

#define CGROUP "/sys/fs/cgroup"
#define GROUP CGROUP "/bcos-deaths"
#define GROUP_BYTES (8 << 20)

/* ---- faults, timers, limits ------------------------------------------------------ */

static void reads_nothing(int unused)
{
	int *volatile nowhere = NULL;

	_exit(*(volatile int *)nowhere);
}

static void writes_text(int unused)
{
	*(volatile char *)(uintptr_t)reads_nothing = 0;
	_exit(126);
}

/* A fault goes through even if its signal is blocked. */
static void faults_blocked(int unused)
{
	sigset_t set;

	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	reads_nothing(0);
}

/* Only a processor of x86 notices a division by zero. */
#ifdef __x86_64__
static void die_dividing(int unused)
{
	__asm__ volatile("xorl %%ecx, %%ecx\n\txorl %%edx, %%edx\n\tmovl $1, %%eax\n\tidivl %%ecx"
			 :
			 :
			 : "eax", "ecx", "edx", "cc");
	_exit(126);
}
#define BREAKPOINT "int3"
#define NO_INSTRUCTION "ud2"
#else
#define BREAKPOINT "brk #0"
#define NO_INSTRUCTION "udf #0"
#endif

static void die_trapping(int unused)
{
	__asm__ volatile(BREAKPOINT);
	_exit(126);
}

static void is_undefined(int unused)
{
	__asm__ volatile(NO_INSTRUCTION);
}

static void reads_after_file(int unused)
{
	int fd = open("/tmp/empty", O_RDWR | O_CREAT | O_TRUNC, 0600);
	volatile char *map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	if (map == MAP_FAILED)
		give_up("mmap");
	_exit(*map);
}

static void die_alarmed(int unused)
{
	struct itimerval soon = { .it_value.tv_usec = 1000 };

	setitimer(ITIMER_REAL, &soon, NULL);
	sleep_for_ever();
}

static void times_out(int number)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = number };
	struct itimerspec soon = { .it_value.tv_nsec = 1000000 };
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &soon, NULL))
		give_up("timer");
	sleep_for_ever();
}

static void die_profiled(int unused)
{
	struct itimerval soon = { .it_value.tv_usec = 1000 };

	setitimer(ITIMER_PROF, &soon, NULL);
	burn_cpu(60000000000u);
}

static void writes_pipe(int unused)
{
	int pipe_of[2];

	if (pipe(pipe_of))
		give_up("pipe");
	close(pipe_of[0]);
	signal(SIGPIPE, SIG_DFL);
	if (write(pipe_of[1], "x", 1) == 1)
		_exit(125);
	_exit(126);
}

static void writes_too_much(int unused)
{
	struct rlimit limit = { 1, 1 };
	int fd = open("/tmp/limited", O_RDWR | O_CREAT | O_TRUNC, 0600);

	setrlimit(RLIMIT_FSIZE, &limit);
	signal(SIGXFSZ, SIG_DFL);
	if (write(fd, "xx", 2) == 1 && write(fd, "x", 1) == 1)
		_exit(125);
	_exit(126);
}

static void uses_up_cpu(int unused)
{
	struct rlimit limit = { 1, RLIM_INFINITY };

	setrlimit(RLIMIT_CPU, &limit);
	burn_cpu(60000000000u);
}

static volatile sig_atomic_t handled;

static void handle_signal(int number)
{
	handled = number;
}

/* The last sender counts: the timer sends the signal first, and then the process itself. */
static void timer_then_user(int unused)
{
	struct itimerval soon = { .it_value.tv_usec = 1000 };

	signal(SIGALRM, handle_signal);
	setitimer(ITIMER_REAL, &soon, NULL);
	WAIT_FOR(handled == SIGALRM);
	signal(SIGALRM, SIG_DFL);
	raise(SIGALRM);
}

static void user_then_timer(int unused)
{
	signal(SIGALRM, handle_signal);
	raise(SIGALRM);
	if (handled != SIGALRM)
		give_up("no SIGALRM");
	signal(SIGALRM, SIG_DFL);
	die_alarmed(0);
}

/* ---- a terminal -------------------------------------------------------------------- */

static int terminal = -1;	/* master of a pseudo-terminal */

static void open_terminal(void)
{
	terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal < 0 || unlockpt(terminal))
		give_up("posix_openpt");
}

/* The parent has the master, and the slave becomes the child's controlling terminal. */
static void sits_at_terminal(int unused)
{
	char name[64];

	if (setsid() < 0 || ptsname_r(terminal, name, sizeof(name)))
		give_up("setsid, ptsname");
	if (open(name, O_RDWR) < 0)
		give_up("%s", name);
	close(terminal);
	sleep_for_ever();
}

static void act_type(pid_t pid, int character)
{
	char byte = (char)character;

	if (write(terminal, &byte, 1) != 1)
		give_up("write to the terminal");
}

static void act_hang_up(pid_t pid, int unused)
{
	close(terminal);
	terminal = -1;
}

/* ---- a control group ----------------------------------------------------------------- */

/* Makes a control group in which memory is limited. Returns false if the kernel has no such groups. */
static bool make_group(void)
{
	if (!write_file(CGROUP "/cgroup.subtree_control", "+memory") ||
	    (mkdir(GROUP, 0755) && errno != EEXIST) ||
	    !write_file(GROUP "/memory.max", "%d", GROUP_BYTES))
		return false;
	write_file(GROUP "/memory.swap.max", "0");
	return true;
}

static void joins_group(void)
{
	if (!write_file(GROUP "/cgroup.procs", "0"))
		give_up(GROUP "/cgroup.procs");
}

static void waits_in_group(int unused)
{
	joins_group();
	sleep_for_ever();
}

static void fills_memory(int unused)
{
	size_t size = 8 * GROUP_BYTES, i;
	char *memory;

	joins_group();
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		give_up("mmap");
	for (i = 0; i < size; i += 4096)
		memory[i] = 1;
	_exit(126);
}

static void act_kill_group(pid_t pid, int unused)
{
	if (!write_file(GROUP "/cgroup.kill", "1"))
		give_up(GROUP "/cgroup.kill");
}

static const struct way ways[] = {
	{ "SIGSEGV, unmapped", reads_nothing, 0, NULL, 0, KERNEL, SIGSEGV },
	{ "SIGSEGV, not writable", writes_text, 0, NULL, 0, KERNEL, SIGSEGV },
	{ "SIGSEGV, blocked", faults_blocked, 0, NULL, 0, KERNEL, SIGSEGV },
#ifdef __x86_64__
	{ "SIGFPE", die_dividing, 0, NULL, 0, KERNEL, SIGFPE },
#endif
	{ "SIGTRAP", die_trapping, 0, NULL, 0, KERNEL, SIGTRAP },
	{ "SIGILL", is_undefined, 0, NULL, 0, KERNEL, SIGILL },
	{ "SIGBUS", reads_after_file, 0, NULL, 0, KERNEL, SIGBUS },
	{ "SIGALRM by setitimer", die_alarmed, 0, NULL, 0, KERNEL, SIGALRM },
	{ "SIGPROF by setitimer", die_profiled, 0, NULL, 0, KERNEL, SIGPROF },
	{ "SIGALRM by timer_create", times_out, SIGALRM, NULL, 0, KERNEL, SIGALRM },
	{ "signal 45 by timer_create", times_out, 45, NULL, 0, KERNEL, 45 },
	{ "SIGPIPE", writes_pipe, 0, NULL, 0, KERNEL, SIGPIPE },
	{ "SIGXFSZ", writes_too_much, 0, NULL, 0, KERNEL, SIGXFSZ },
	{ "SIGXCPU", uses_up_cpu, 0, NULL, 0, KERNEL, SIGXCPU },
	{ "SIGINT from a terminal", sits_at_terminal, 0, act_type, 3, KERNEL, SIGINT },
	{ "SIGHUP from a terminal", sits_at_terminal, 0, act_hang_up, 0, KERNEL, SIGHUP },
	{ "a timer first, then raise(SIGALRM)", timer_then_user, 0, NULL, 0, USER, SIGALRM },
	{ "raise(SIGALRM) first, then a timer", user_then_timer, 0, NULL, 0, KERNEL, SIGALRM },
	{ "cgroup.kill", waits_in_group, 0, act_kill_group, 0, USER, SIGKILL },
	{ "out of memory in a control group", fills_memory, 0, NULL, 0, KERNEL, SIGKILL, .victim = true },
};

static void die_here(struct death *death, const struct way *way, bool groups)
{
	death->way = way;
	death->skipped = !groups && (way->body == fills_memory || way->body == waits_in_group);
	if (death->skipped)
		return;
	if (way->body == sits_at_terminal)
		open_terminal();
	die_by(death);
	if (terminal >= 0)
		close(terminal);
	terminal = -1;
}

int main(void)
{
	static struct death deaths[ARRAY_SIZE(ways)];
	bool groups = make_group();
	struct log log;
	size_t i;
	int fd;

	deaths_begin();
	load_module("");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	for (i = 0; i < ARRAY_SIZE(ways); i++)
		die_here(&deaths[i], &ways[i], groups);
	log = log_of_deaths(fd, deaths, ARRAY_SIZE(deaths));
	close(fd);
	log_check(&log, "%zu deaths", ARRAY_SIZE(deaths));
	judge_ways(&log, deaths, ARRAY_SIZE(deaths), "no memory control groups here");
	log_free(&log);
	rmdir(GROUP);
	unload_module();
	return finish_test();
}
