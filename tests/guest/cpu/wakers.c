// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Class state: who woke a thread, and which thread a CPU runs. Two threads of a process hand a byte to and fro through
 * pipes and compute in between; one of them sleeps while the other computes. Each thread's own clock says how long it
 * ran, which is the sum of its stretches in the log, within 2 % on a CPU that counts instructions.
 *
 * BPF programs tell interrupts from threads also on a kernel whose symbols do not say where it counts interrupts. Where
 * they cannot read the count at all, the log says that it was one of the two.
 *
 * guest: icount=yes timeout=300 debug=no also=6.1
 * guest: icount=yes timeout=300 debug=no also=6.1 engine=bpf
 * guest: icount=yes timeout=300 debug=no also=6.1 engine=bpf x86=arm64;has;the;count;in;the;task args=hidden
 * guest: icount=yes timeout=300 debug=no also=6.1 engine=bpf x86=arm64;has;the;count;in;the;task args=uncounted
 */
#include "lib.h"

#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/syscall.h>

#define PROGRAM "/tmp/exits"
#define MS 1000000ull
#define TURNS 5
#define THREADS 2
#define PERCENT_MAX 2.0
#define SYMBOLS "/proc/kallsyms"

static struct shared {
	pid_t tid[THREADS];
	uint64_t ns[THREADS];
	volatile bool has_slept;	/* the second thread */
} *shared;

static int pipes[THREADS][2];
static struct log everything;

static void hand_over(int number)
{
	char token = 0;
	int i;

	shared->tid[number] = (pid_t)syscall(SYS_gettid);
	for (i = 0; i < TURNS; i++) {
		if (read(pipes[number][0], &token, 1) != 1)
			give_up("read");
		burn_cpu((10 + 10 * (unsigned int)number) * MS);
		if (write(pipes[!number][1], &token, 1) != 1)
			give_up("write");
	}
	/* The timer comes amid the first thread, which has nothing to do with it. */
	if (number)
		sleep_off_cpu(20000);
	else
		while (!shared->has_slept)
			;
	if (number)
		shared->has_slept = true;
	shared->ns[number] = now_ns(CLOCK_THREAD_CPUTIME_ID);
}

static void *be_second(void *unused)
{
	hand_over(1);
	return NULL;
}

static void two_threads(void *unused)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, be_second, NULL))
		give_up("pthread_create");
	if (write(pipes[0][1], "", 1) != 1)
		give_up("write");
	hand_over(0);
	pthread_join(thread, NULL);
}

static void *exec_in_thread(void *unused)
{
	shared->tid[0] = (pid_t)syscall(SYS_gettid);
	become_program(PROGRAM, 0);
	return NULL;
}

static void execs_elsewhere(void *unused)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, exec_in_thread, NULL))
		give_up("pthread_create");
	for (;;)
		pause();
}

/* ---- what the log says ------------------------------------------------------------------ */

static bool is_state(const struct bcos_entry *entry, pid_t pid)
{
	return entry->type == BCOS_GENERIC_PROCESS && entry->source == (uint32_t)pid && is_thread_event(entry);
}

/* Returns how many state events of the process tell this. */
static int count_texts(pid_t pid, const char *text, ...) PRINTF(2, 3);
static int count_texts(pid_t pid, const char *text, ...)
{
	char wanted[120];
	va_list list;
	int found = 0;

	va_start(list, text);
	vsnprintf(wanted, sizeof(wanted), text, list);
	va_end(list);
	for_each_entry(entry, &everything)
		found += is_state(entry, pid) && thread_tells(entry, wanted, true);
	return found;
}

/*
 * Sums up the stretches of each thread, from "runs" to the next assignment of the CPU, or to the next "runs" of the
 * process.
 */
static void sum_stretches(pid_t pid, uint64_t *ns)
{
	int running = -1, next = -1, i;
	bool assigned = false;
	uint64_t since = 0;
	char runs[60];

	for_each_entry(entry, &everything) {
		if (entry->type == BCOS_ASSIGN_CPU && entry->source == 0) {
			if (running >= 0)
				ns[running] += entry->time - since;
			assigned = entry_word(entry) == (uint32_t)pid;
			running = assigned ? next : -1;
			since = entry->time;
		}
		for (i = 0; i < THREADS && is_state(entry, pid); i++) {
			snprintf(runs, sizeof(runs), "thread %d runs on CPU 0 ", shared->tid[i]);
			if (strncmp(entry_text(entry), runs, strlen(runs)))
				continue;
			if (running >= 0)
				ns[running] += entry->time - since;
			next = i;
			running = assigned ? i : -1;
			since = entry->time;
		}
	}
}

static void compare_times(pid_t pid)
{
	uint64_t ns[THREADS] = { 0 };
	double percent;
	int i;

	sum_stretches(pid, ns);
	for (i = 0; i < THREADS; i++) {
		percent = 100.0 * ((double)ns[i] - (double)shared->ns[i]) / (double)shared->ns[i];
		make_point(percent <= PERCENT_MAX && percent >= -PERCENT_MAX,
			   "thread %d ran for %llu us as the log says, %llu us by its own clock (%+.2f %%)", i + 1,
			   (unsigned long long)ns[i] / 1000, (unsigned long long)shared->ns[i] / 1000, percent);
	}
}

/* A thread that execs goes on under the ID of the process. */
static void test_exec(void)
{
	pid_t pid = spawn_child(execs_elsewhere, NULL);

	reap_child(pid, NULL);
	WAIT_FOR((log_free(&everything), everything = log_take(), count_texts(pid, "thread %d dead", pid) > 1 ||
		  (count_texts(pid, "thread %d dead", pid) && count_texts(pid, "thread %d dead", shared->tid[0]))));
	make_point(count_texts(pid, "thread %d dead", shared->tid[0]) &&
		   count_texts(pid, "thread %d runs on CPU 0 at priority 120", pid) > 1,
		   "the ID of a thread that execs is gone, and that of the process runs");
}

/* Hides from this process where the kernel counts interrupts, as a kernel without CONFIG_KALLSYMS_ALL does. */
static void hide_count(void)
{
	FILE *from = fopen(SYMBOLS, "re"), *to = fopen("/tmp/symbols", "we");
	char line[512], name[256];
	int hidden = 0;

	if (!from || !to)
		give_up(SYMBOLS);
	while (fgets(line, sizeof(line), from)) {
		if (sscanf(line, "%*s %*c %255s", name) == 1 &&
		    (!strcmp(name, "__preempt_count") || !strcmp(name, "pcpu_hot")))
			hidden++;
		else
			fputs(line, to);
	}
	fclose(from);
	if (fclose(to) || unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("/tmp/symbols", SYMBOLS, NULL, MS_BIND, NULL))
		give_up("another " SYMBOLS);
	make_point(hidden > 0, "%d symbols are hidden", hidden);
}

/* Judges who woke the two threads of the process, by pipes and by a timer. */
static void judge_wakers(pid_t pid, bool counted)
{
	/* A thread that begins is woken by the one that began it in any case. */
	const char *by = counted ? "process" : "an interrupt or process";
	int born;

	make_point(count_texts(pid, "thread %d woken by process %d thread %d on CPU 0", pid, getpid(), getpid()) == 1,
		   "a process is first woken by the one that began it");
	born = count_texts(pid, "thread %d woken by process %d thread %d on CPU 0", shared->tid[1], pid, pid);
	make_point(counted ? born >= TURNS : born == 1, "the second thread is woken by the first one when it begins");
	make_point(count_texts(pid, "thread %d woken by %s %d thread %d on CPU 0", shared->tid[1], by, pid, pid) >=
			   TURNS - 1,
		   "and by %s %d later", by, pid);
	make_point(count_texts(pid, "thread %d woken by %s %d thread %d on CPU 0", pid, by, pid, shared->tid[1]) >=
			   TURNS - 1,
		   "the first thread is woken by %s %d", by, pid);
	if (counted) {
		make_point(count_texts(pid, "thread %d woken by a timer on CPU 0", shared->tid[1]) >= 1,
			   "who sleeps is woken by a timer, amid another thread");
		return;
	}
	make_point(count_texts(pid, "thread %d woken by %s %d thread %d on CPU 0", shared->tid[1], by, pid, pid) >= TURNS,
		   "who sleeps is woken by %s %d", by, pid);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	bool counted = strcmp(what, "uncounted");
	pid_t pid;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED || pipe(pipes[0]) || pipe(pipes[1]))
		give_up("shared memory and pipes");
	make_program(PROGRAM);
	if (!strcmp(what, "hidden"))
		hide_count();
	load_module(counted ? "mask=assign,state ring_kb=65536" : "mask=assign,state ring_kb=65536 no_count=1");
	pid = spawn_child(two_threads, NULL);
	if (reap_child(pid, NULL))
		give_up("a thread failed");
	WAIT_FOR((log_free(&everything), everything = log_take(), count_texts(pid, "thread %d dead", pid)));
	judge_wakers(pid, counted);
	make_point(count_texts(pid, "thread %d runs on CPU 0 at priority 120", pid) >= TURNS,
		   "the CPU runs it, at its priority");
	compare_times(pid);
	test_exec();
	log_check(&everything, "the log with wakers and threads");
	unload_module();
	return finish_test();
}
