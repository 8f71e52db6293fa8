// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * BPF programs do not take an interrupt for the thread amid which it came: a thread that sleeps is woken by its timer,
 * while another one, which has nothing to do with it, keeps the same CPU busy. Where the programs cannot read whether the
 * CPU handles an interrupt (BCOSLOG_BPF_NO_COUNT is such a kernel), the log says that it was one of the two. A thread
 * that reads a pipe is woken by the one that writes.
 *
 * test: cpus=1 timeout=120
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bcoslog_bpf.h"
#include "reader/reader.h"
#include "entry/who.h"

#define NAPS 30
#define TOKENS 20

static struct bcoslog *recorder;

/* How often the thread was woken, by whom. */
struct wakes {
	unsigned int thread, interrupt, either, unknown;
	unsigned int named;		/* of @thread and @either, by the process that the test expects there */
};

static void begin_recording(unsigned int flags)
{
	struct bcoslog_bpf options = { .size = sizeof(options), .classes = BCOS_CLASS_ASSIGN | BCOS_CLASS_STATE,
				       .flags = flags };
	struct bcoslog_error error;

	if (bcoslog_open_bpf(&recorder, &options, BCOSLOG_FOLLOW, &error))
		fail_msg("%s", error.text);
}

/* Ends the recording, and counts the wake-ups of @pid. */
static struct wakes count_wakes(pid_t pid, pid_t expected)
{
	struct bcoslog_thread state;
	const struct bcos_entry *entry;
	struct wakes wakes = { 0 };

	assert_int_equal(bcoslog_stop_bpf(recorder), 0);
	while (bcoslog_next(recorder, &entry) > 0) {
		if (entry->source != (uint32_t)pid || bcoslog_thread(&state, entry) || !state.by)
			continue;
		wakes.thread += state.by == BCOSLOG_WOKEN_BY_THREAD;
		/* It sleeps, so the interrupt is a timer, if the kind is told. */
		wakes.interrupt += state.by == BCOSLOG_WOKEN_BY_INTERRUPT || state.by == BCOSLOG_WOKEN_BY_TIMER;
		wakes.either += state.by == BCOSLOG_WOKEN_BY_EITHER;
		wakes.unknown += state.by == BCOSLOG_WOKEN_BY_UNKNOWN;
		if (state.by == BCOSLOG_WOKEN_BY_THREAD || state.by == BCOSLOG_WOKEN_BY_EITHER)
			wakes.named += state.waker == (uint32_t)expected;
	}
	bcoslog_close(recorder);
	print_message("woken by a thread %u times, an interrupt %u, either %u; %u named process %d\n", wakes.thread,
		      wakes.interrupt, wakes.either, wakes.named, (int)expected);
	return wakes;
}

static pid_t begin_child(const char *name)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, name);
	return 0;
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void pin_self(void)
{
	cpu_set_t cpus;
	int cpu = sched_getcpu();

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	assert_int_equal(sched_setaffinity(0, sizeof(cpus), &cpus), 0);
}

/* A child naps beside one that spins, on the CPU to which the test is pinned. */
static struct wakes nap_beside(unsigned int flags)
{
	const struct timespec nap = { .tv_nsec = 5000000 };
	struct wakes wakes;
	pid_t spins, naps;
	int i;

	begin_recording(flags);
	spins = begin_child("spins");
	while (!spins)
		;
	naps = begin_child("naps");
	if (!naps) {
		for (i = 0; i < NAPS; i++)
			nanosleep(&nap, NULL);
		_exit(0);
	}
	assert_int_equal(waitpid(naps, NULL, 0), naps);
	/* Its birth is a wake-up, too, by the test. */
	wakes = count_wakes(naps, getpid());
	end_child(spins);
	return wakes;
}

/* Waits until the process waits for something. */
static void await_sleep(pid_t pid)
{
	const struct timespec pause = { .tv_nsec = 100000 };
	char path[32], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	while (state != 'S') {
		nanosleep(&pause, NULL);
		file = fopen(path, "r");
		assert_non_null(file);
		/* The child may not have its name yet. */
		if (fscanf(file, "%*d (answers) %c", &state) != 1)
			state = 0;
		fclose(file);
	}
}

/* Two threads hand a byte to and fro. Each of the bytes finds the other thread waiting, and wakes it. */
static struct wakes pass_tokens(unsigned int flags)
{
	int to[2], fro[2], i;
	struct wakes wakes;
	char token = 0;
	pid_t pid;

	assert_int_equal(pipe(to) || pipe(fro), 0);
	begin_recording(flags);
	pid = begin_child("answers");
	if (!pid) {
		for (i = 0; i < TOKENS && read(to[0], &token, 1) == 1; i++)
			if (write(fro[1], &token, 1) != 1)
				break;
		_exit(0);
	}
	for (i = 0; i < TOKENS; i++) {
		await_sleep(pid);
		assert_int_equal(write(to[1], &token, 1), 1);
		assert_int_equal(read(fro[0], &token, 1), 1);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	wakes = count_wakes(pid, getpid());
	for (i = 0; i < 2; i++) {
		close(to[i]);
		close(fro[i]);
	}
	return wakes;
}

static void test_timer(void **state)
{
	struct wakes wakes = nap_beside(0);

	if (bcoslog_bpf_knows_wakers() == 1) {
		assert_in_range(wakes.interrupt, NAPS / 2, 2 * NAPS);
		assert_int_equal(wakes.either, 0);
	} else {
		assert_in_range(wakes.interrupt + wakes.either, NAPS / 2, 2 * NAPS);
	}
	/* All that a thread woke is the birth. */
	assert_int_equal(wakes.thread, wakes.named);
	assert_in_range(wakes.thread, 0, 1);
	assert_int_equal(wakes.unknown, 0);
}

static void test_timer_without_count(void **state)
{
#ifdef __aarch64__
	skip();
#endif
	struct wakes wakes = nap_beside(BCOSLOG_BPF_NO_COUNT);

	/* The CPU is hardly ever idle, since a thread spins there. */
	assert_in_range(wakes.either, NAPS / 2, 2 * NAPS);
	assert_in_range(wakes.thread, 0, 1);
	assert_int_equal(wakes.unknown, 0);
}

static void test_thread(void **state)
{
	struct wakes wakes = pass_tokens(0);

	if (bcoslog_bpf_knows_wakers() == 1) {
		assert_in_range(wakes.thread, TOKENS, TOKENS + 1);
		assert_int_equal(wakes.either, 0);
	}
	/* The birth may have been before the recording. */
	assert_int_equal(wakes.named, wakes.thread + wakes.either);
	assert_in_range(wakes.named, TOKENS, TOKENS + 1);
}

static void test_thread_without_count(void **state)
{
#ifdef __aarch64__
	skip();
#endif
	struct wakes wakes = pass_tokens(BCOSLOG_BPF_NO_COUNT);

	/* The birth alone is certain. */
	assert_in_range(wakes.thread, 0, 1);
	assert_in_range(wakes.either, TOKENS, TOKENS + 1);
	assert_int_equal(wakes.named, wakes.thread + wakes.either);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_timer),
		cmocka_unit_test(test_timer_without_count),
		cmocka_unit_test(test_thread),
		cmocka_unit_test(test_thread_without_count),
	};
	struct bcoslog_bpf options = { .size = sizeof(options) };
	struct bcoslog_error error;

	if (bcoslog_open_bpf(&recorder, &options, 0, &error)) {
		puts(error.text);
		return 77;
	}
	bcoslog_close(recorder);
	pin_self();
	return cmocka_run_group_tests_name("interrupts", tests, NULL, NULL);
}
