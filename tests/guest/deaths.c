// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Deaths: exit codes, signals, and who sent them. Each way to die is tried;
 * code and signal have to be those that waitpid() gave, and the origin (user
 * space or kernel) the one that the way has by its nature.
 *
 * guest: cpus=2 timeout=120:300
 */
#include "lib.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <termios.h>

#define CGROUP "/sys/fs/cgroup"
#define GROUP CGROUP "/bcos-deaths"
#define GROUP_BYTES (8 << 20)

struct shared {
	volatile int ready;
};

static struct shared *shared;
static int terminal = -1;	/* master of a pseudo-terminal */

static void ready(void)
{
	shared->ready = 1;
}

static void sleep_for_ever(void)
{
	ready();
	for (;;)
		pause();
}

/* ---- ways to die: in the child ------------------------------------------------ */

static void waits(int unused)
{
	sleep_for_ever();
}

static void waits_for_core(int unused)
{
	struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };

	if (chdir("/tmp") || setrlimit(RLIMIT_CORE, &unlimited))
		die("RLIMIT_CORE");
	sleep_for_ever();
}

static void stops(int unused)
{
	ready();
	raise(SIGSTOP);
	_exit(126);
}

static void kills_itself(int number)
{
	kill(getpid(), number);
	sleep_for_ever();
}

static void raises(int number)
{
	raise(number);
	_exit(126);
}

static void aborts(int unused)
{
	abort();
}

static void queues(int number)
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

static void threaded(int unused)
{
	pthread_t thread;
	int i;

	for (i = 0; i < 3; i++)
		if (pthread_create(&thread, NULL, waiting_thread, NULL))
			die("pthread_create");
	for (;;)
		pause();
}

static void kills_thread(int number)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, waiting_thread, NULL))
		die("pthread_create");
	WAIT_FOR(shared->ready);
	pthread_kill(thread, number);
	sleep_for_ever();
}

static void reads_nothing(int unused)
{
	int *volatile nowhere = NULL;

	_exit(*(volatile int *)nowhere);
}

static void writes_text(int unused)
{
	*(volatile char *)(uintptr_t)waits = 0;
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

static void divides(int unused)
{
	__asm__ volatile("xorl %%ecx, %%ecx\n\txorl %%edx, %%edx\n\tmovl $1, %%eax\n\tidivl %%ecx"
			 :
			 :
			 : "eax", "ecx", "edx", "cc");
	_exit(126);
}

static void traps(int unused)
{
	__asm__ volatile("int3");
	_exit(126);
}

static void is_undefined(int unused)
{
	__asm__ volatile("ud2");
}

static void reads_behind_file(int unused)
{
	int fd = open("/tmp/empty", O_RDWR | O_CREAT | O_TRUNC, 0600);
	volatile char *map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	if (map == MAP_FAILED)
		die("mmap");
	_exit(*map);
}

static void alarms(int unused)
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
		die("timer");
	sleep_for_ever();
}

static void profiles(int unused)
{
	struct itimerval soon = { .it_value.tv_usec = 1000 };

	setitimer(ITIMER_PROF, &soon, NULL);
	burn(60000000000u);
}

static void writes_pipe(int unused)
{
	int pipe_of[2];

	if (pipe(pipe_of))
		die("pipe");
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
	struct rlimit limit = { 1, 10 };

	setrlimit(RLIMIT_CPU, &limit);
	burn(60000000000u);
}

/* The master is the parent's; the slave becomes our controlling terminal. */
static void sits_at_terminal(int unused)
{
	char name[64];

	if (setsid() < 0 || ptsname_r(terminal, name, sizeof(name)))
		die("setsid, ptsname");
	if (open(name, O_RDWR) < 0)
		die("%s", name);
	close(terminal);
	sleep_for_ever();
}

static volatile sig_atomic_t handled;

static void handle(int number)
{
	handled = number;
}

/* The last sender counts: first the timer, then ourselves. */
static void timer_then_user(int unused)
{
	struct itimerval soon = { .it_value.tv_usec = 1000 };

	signal(SIGALRM, handle);
	setitimer(ITIMER_REAL, &soon, NULL);
	WAIT_FOR(handled == SIGALRM);
	signal(SIGALRM, SIG_DFL);
	raise(SIGALRM);
}

static void user_then_timer(int unused)
{
	signal(SIGALRM, handle);
	raise(SIGALRM);
	if (handled != SIGALRM)
		die("no SIGALRM");
	signal(SIGALRM, SIG_DFL);
	alarms(0);
}

static void joins_group(void)
{
	if (!write_file(GROUP "/cgroup.procs", "0"))
		die(GROUP "/cgroup.procs");
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
		die("mmap");
	for (i = 0; i < size; i += 4096)
		memory[i] = 1;
	_exit(126);
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

static void act_type(pid_t pid, int character)
{
	char byte = (char)character;

	if (write(terminal, &byte, 1) != 1)
		die("write to the terminal");
}

static void act_hang_up(pid_t pid, int unused)
{
	close(terminal);
	terminal = -1;
}

static void act_kill_group(pid_t pid, int unused)
{
	if (!write_file(GROUP "/cgroup.kill", "1"))
		die(GROUP "/cgroup.kill");
}

static void act_kill_stopped(pid_t pid, int number)
{
	siginfo_t info;

	if (waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOWAIT))
		die("waitid");
	kill(pid, number);
}

enum origin { USER, KERNEL };

static const struct way {
	const char *what;
	void (*body)(int argument);
	int argument;
	void (*act)(pid_t pid, int argument);
	int act_argument;
	enum origin origin;
	int expected;	/* signal */
} ways[] = {
	{ "kill(SIGTERM) by another process", waits, 0, act_kill, SIGTERM, USER, SIGTERM },
	{ "kill(SIGKILL)", waits, 0, act_kill, SIGKILL, USER, SIGKILL },
	{ "kill(SIGHUP)", waits, 0, act_kill, SIGHUP, USER, SIGHUP },
	{ "kill(SIGINT)", waits, 0, act_kill, SIGINT, USER, SIGINT },
	{ "kill(SIGUSR2)", waits, 0, act_kill, SIGUSR2, USER, SIGUSR2 },
	{ "kill(SIGPIPE)", waits, 0, act_kill, SIGPIPE, USER, SIGPIPE },
	{ "kill(SIGALRM)", waits, 0, act_kill, SIGALRM, USER, SIGALRM },
	{ "kill(SIGSEGV), no fault", waits, 0, act_kill, SIGSEGV, USER, SIGSEGV },
	{ "kill(SIGQUIT) with a core dump", waits_for_core, 0, act_kill, SIGQUIT, USER, SIGQUIT },
	{ "kill(SIGKILL) while it is stopped", stops, 0, act_kill_stopped, SIGKILL, USER, SIGKILL },
	{ "kill(SIGKILL) of a threaded process", threaded, 0, act_kill, SIGKILL, USER, SIGKILL },
	{ "kill(first real-time signal)", waits, 0, act_kill, 34, USER, 34 },
	{ "kill(signal 64)", waits, 0, act_kill, 64, USER, 64 },
	{ "kill of itself", kills_itself, SIGTERM, NULL, 0, USER, SIGTERM },
	{ "tgkill(SIGTERM)", waits, 0, act_tgkill, SIGTERM, USER, SIGTERM },
	{ "sigqueue(SIGTERM) by another process", waits, 0, act_queue, SIGTERM, USER, SIGTERM },
	{ "sigqueue(40) of itself", queues, 40, NULL, 0, USER, 40 },
	{ "raise(SIGFPE), no fault", raises, SIGFPE, NULL, 0, USER, SIGFPE },
	{ "abort()", aborts, 0, NULL, 0, USER, SIGABRT },
	{ "pthread_kill(SIGTERM) of a thread", kills_thread, SIGTERM, NULL, 0, USER, SIGTERM },
	{ "SIGSEGV, unmapped", reads_nothing, 0, NULL, 0, KERNEL, SIGSEGV },
	{ "SIGSEGV, not writable", writes_text, 0, NULL, 0, KERNEL, SIGSEGV },
	{ "SIGSEGV, blocked", faults_blocked, 0, NULL, 0, KERNEL, SIGSEGV },
	{ "SIGFPE", divides, 0, NULL, 0, KERNEL, SIGFPE },
	{ "SIGTRAP", traps, 0, NULL, 0, KERNEL, SIGTRAP },
	{ "SIGILL", is_undefined, 0, NULL, 0, KERNEL, SIGILL },
	{ "SIGBUS", reads_behind_file, 0, NULL, 0, KERNEL, SIGBUS },
	{ "SIGALRM by setitimer", alarms, 0, NULL, 0, KERNEL, SIGALRM },
	{ "SIGPROF by setitimer", profiles, 0, NULL, 0, KERNEL, SIGPROF },
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
	{ "out of memory in a control group", fills_memory, 0, NULL, 0, KERNEL, SIGKILL },
};

struct death {
	const struct way *way;	/* NULL: exits */
	pid_t pid;
	int status;
	bool skipped;
};

static void run_body(void *argument)
{
	const struct way *way = argument;
	sigset_t empty;
	struct rlimit none = { 0, 0 };
	int number;

	/* Whoever started us may have had signals ignored or blocked. */
	for (number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigemptyset(&empty);
	sigprocmask(SIG_SETMASK, &empty, NULL);
	setrlimit(RLIMIT_CORE, &none);
	way->body(way->argument);
}

static void open_terminal(void)
{
	terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal < 0 || unlockpt(terminal))
		die("posix_openpt");
}

static void die_by(struct death *death)
{
	const struct way *way = death->way;

	if (way->body == sits_at_terminal)
		open_terminal();
	shared->ready = 0;
	death->pid = spawn(run_body, (void *)way);
	if (way->act) {
		WAIT_FOR(shared->ready);
		way->act(death->pid, way->act_argument);
	}
	death->status = reap(death->pid, NULL);
	if (terminal >= 0)
		close(terminal);
	terminal = -1;
}

/* A control group in which memory is limited; false where the kernel has no such thing. */
static bool make_group(void)
{
	if (!write_file(CGROUP "/cgroup.subtree_control", "+memory") ||
	    (mkdir(GROUP, 0755) && errno != EEXIST) ||
	    !write_file(GROUP "/memory.max", "%d", GROUP_BYTES))
		return false;
	write_file(GROUP "/memory.swap.max", "0");
	return true;
}

static int exit_code(int i)
{
	static const int sample[] = { 0, 1, 2, 3, 7, 42, 64, 77, 126, 127, 128, 129, 137, 143, 192,
				      200, 254, 255 };

	if (full())
		return i < 256 ? i : -1;
	return i < (int)ARRAY_SIZE(sample) ? sample[i] : -1;
}

static void run_exit(void *code)
{
	_exit((int)(intptr_t)code);
}

/* The status, and whether an event says that the OOM killer chose it. */
static bool judge(const struct log *log, const struct death *death, const struct life *life)
{
	uint32_t expected = termination(death->status, !death->way || death->way->origin == USER);
	bool oom = death->way && death->way->body == fills_memory;
	const struct bcos_entry *entry;
	int victims = 0;

	if (!life || !life->dead) {
		note("process %d is %s", death->pid, life ? "not cancelled" : "not there");
		return false;
	}
	for (entry = life->birth; entry != life->end; entry = entry_after(log, entry))
		victims += entry->type == BCOS_GENERIC_PROCESS && entry->source == life->id &&
			   ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_OOM_VICTIM;
	if (life->status != expected)
		note("the log says 0x%08x, 0x%08x is right", life->status, expected);
	if (victims != oom)
		note("%d events of the out-of-memory killer instead of %d", victims, oom);
	return life->status == expected && victims == oom;
}

static void judge_all(const struct log *log, const struct death *deaths, size_t count)
{
	struct lives lives = lives_of(log);
	const struct death *death;
	bool good, exits_good = true;
	int codes = 0;

	for (death = deaths; death < deaths + count; death++) {
		if (death->skipped) {
			skip("no memory control groups here", "%s", death->way->what);
			continue;
		}
		good = judge(log, death, life_since(&lives, (uint32_t)death->pid, 0));
		if (!death->way) {
			exits_good = exits_good && good;
			codes++;
			continue;
		}
		if (!WIFSIGNALED(death->status) ||
		    WTERMSIG(death->status) != death->way->expected) {
			note("the test itself: wait status 0x%x, not signal %d", death->status,
			     death->way->expected);
			good = false;
		}
		ok(good, "%s: 0x%08x", death->way->what,
		   termination(death->status, death->way->origin == USER));
	}
	ok(exits_good, "%d exit codes", codes);
	lives_free(&lives);
}

int main(void)
{
	static struct death deaths[ARRAY_SIZE(ways) + 256];
	static pid_t pids[ARRAY_SIZE(deaths)];
	struct log log = { NULL, 0 };
	bool groups = make_group();
	size_t count = 0, i;
	int fd, code;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		die("mmap");
	load("");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	for (i = 0; (code = exit_code((int)i)) >= 0; i++) {
		deaths[count].pid = spawn(run_exit, (void *)(intptr_t)code);
		deaths[count].status = reap(deaths[count].pid, NULL);
		count++;
	}
	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		deaths[count].way = &ways[i];
		deaths[count].skipped =
			!groups && (ways[i].body == fills_memory || ways[i].body == waits_in_group);
		if (!deaths[count].skipped)
			die_by(&deaths[count]);
		count++;
	}
	for (i = 0; i < count; i++)
		pids[i] = deaths[i].pid;
	log_append_ended(&log, fd, pids, count);
	close(fd);
	log_check(&log, "%zu deaths", count);
	judge_all(&log, deaths, count);
	log_free(&log);
	rmdir(GROUP);
	unload();
	return finish();
}
