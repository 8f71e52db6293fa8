// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Classes that are recorded on request: states of threads, idle states of CPUs and what ended them, and time in the
 * kernel.
 *
 * guest: cpus=2 timeout=120 also=6.1,6.12-rt
 *
 * The oracle is the test, which sleeps, stops, ends, calls the kernel and computes; and QEMU, which presses a key.
 */
#include "device.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define MASK "assign,irq,state,idle"

static struct log everything;

static void take_everything(void)
{
	log_free(&everything);
	everything = log_take();
}

/* Returns the next event after @after with this type, source and ID whose text begins with @text, or NULL. */
static const struct bcos_entry *event_after(const struct bcos_entry *after, uint16_t type, uint32_t source,
					    uint32_t id, const char *text)
{
	const struct bcos_entry *entry = after;

	while ((entry = entry_find(&everything, entry, type, source)))
		if (((const struct bcos_generic *)entry)->event_id == id &&
		    !strncmp(entry_text(entry), text, strlen(text)))
			return entry;
	return NULL;
}

/* ---- states of threads ------------------------------------------------------------ */

/* Likewise, of an event of process @pid about a thread. */
static const struct bcos_entry *state_after(const struct bcos_entry *after, pid_t pid, const char *text)
{
	const struct bcos_entry *entry = after;

	while ((entry = entry_find(&everything, entry, BCOS_GENERIC_PROCESS, (uint32_t)pid)))
		if (is_thread_event(entry) && thread_tells(entry, text, false))
			return entry;
	return NULL;
}

static void sleeps_and_stops(void *argument)
{
	sleep_off_cpu(20000);
	raise(SIGSTOP);
}

static void test_task_states(void)
{
	static const char *const states[] = { "blocked in system call", "woken", "stopped", "woken", "dead" };
	const struct bcos_entry *entry = NULL;
	pid_t pid = spawn_child(sleeps_and_stops, NULL);
	char text[60];
	int status;
	size_t i;

	if (waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
		give_up("stop");
	/* The parent is told a moment before the child really stops, or ends. */
	snprintf(text, sizeof(text), "thread %d stopped", pid);
	WAIT_FOR((take_everything(),
		  state_after(NULL, pid, text)));
	if (kill(pid, SIGCONT))
		give_up("SIGCONT");
	reap_child(pid, NULL);
	snprintf(text, sizeof(text), "thread %d dead", pid);
	WAIT_FOR((take_everything(),
		  state_after(NULL, pid, text)));
	for (i = 0; i < ARRAY_SIZE(states); i++) {
		snprintf(text, sizeof(text), "thread %d %s", pid, states[i]);
		entry = state_after(entry, pid, text);
		if (!make_point(entry, "a thread that sleeps, stops and ends: %s", states[i]))
			break;
	}
	log_check(&everything, "the log with states of threads");
}

/* ---- names of threads -------------------------------------------------------------- */

/* A thread of this process, which takes each name of @names in turn. */
struct named {
	pthread_t thread;
	const char *names[2];
	volatile pid_t tid;
	volatile int step, done;
};

static void *take_names(void *argument)
{
	struct named *named = argument;
	size_t i;

	named->tid = (pid_t)syscall(SYS_gettid);
	for (i = 0; i < ARRAY_SIZE(named->names); i++) {
		while (named->step <= (int)i)
			usleep(1000);
		prctl(PR_SET_NAME, named->names[i]);
		named->done++;
	}
	while (named->step <= (int)i)
		usleep(1000);
	return NULL;
}

static void begin_named(struct named *named)
{
	if (pthread_create(&named->thread, NULL, take_names, named))
		give_up("pthread_create");
	while (!named->tid)
		usleep(1000);
}

static void next_name(struct named *named)
{
	int done = named->done;

	named->step++;
	while (named->done == done)
		usleep(1000);
}

/* Writes what the log says of a thread that gets a name: 5 bits of its ID in each digit, and the name. */
static void name_text(char *text, pid_t tid, const char *name)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

	for (; tid > 31; tid >>= 5)
		*text++ = digits[(tid & 31) | 32];
	*text++ = digits[tid];
	strcpy(text, name);
}

/* Waits for @count events that give the thread this name, and makes a point of that. */
static void expect_name(const struct named *named, const char *name, int count, const char *what)
{
	const struct bcos_entry *entry;
	char text[64];
	int found = 0, tries;

	name_text(text, named->tid, name);
	for (tries = 0; tries < 100 && found < count; tries++) {
		if (tries)
			usleep(20000);
		take_everything();
		for (found = 0, entry = NULL; (entry = event_after(entry, BCOS_GENERIC_PROCESS, (uint32_t)getpid(),
								   BCOS_EVENT_THREAD_NAME, text));)
			found += !strcmp(entry_text(entry), text);
	}
	make_point(found >= count, "the log names %s", what);
}

static void set_mask(const char *mask)
{
	if (!write_file("/sys/module/bcos_evlog/parameters/mask", "%s", mask))
		give_up("the mask");
}

static struct named early = { .names = { "early one", "early unseen" } }, young = { .names = { "young-1", "young \xff" } };

static void test_names(void)
{
	char own[16];

	expect_name(&early, "early one", 1, "a thread that was there before the module");
	begin_named(&young);
	prctl(PR_GET_NAME, own);
	expect_name(&young, own, 1, "a thread that begins, after the one that makes it");
	next_name(&young);
	expect_name(&young, "young-1", 1, "a thread that gets another name");
	next_name(&young);
	expect_name(&young, "young \xEF\xBF\xBD", 1, "a thread whose name is no UTF-8");
	set_mask("assign,irq,idle");
	next_name(&early);
	set_mask(MASK);
	expect_name(&early, "early unseen", 1, "a thread that got its name while the class was off");
	expect_name(&young, "young \xEF\xBF\xBD", 2, "a thread once more when the class is on again");
	early.step++, young.step++;
	pthread_join(early.thread, NULL);
	pthread_join(young.thread, NULL);
	log_check(&everything, "the log with names of threads");
}

/* ---- idle states ------------------------------------------------------------------ */

/* The log tells of an idle stretch when it ends, so each CPU gets something to do. */
static void end_idling(void)
{
	cpu_set_t all;
	int cpu;

	if (sched_getaffinity(0, sizeof(all), &all))
		give_up("sched_getaffinity");
	for (cpu = 0; cpu < 2; cpu++)
		if (!pin_to(cpu))
			give_up("running on CPU %d", cpu);
	sched_setaffinity(0, sizeof(all), &all);
}

static void test_idle(void)
{
	uint64_t begin = now_ns(CLOCK_BOOTTIME), idle[2] = { 0 }, elapsed;
	const struct bcos_entry *by_key = NULL;
	int i, cpu;

	for (i = 0; i < 50 && !by_key; i++) {
		/* QEMU releases the key when the machine has been idle for long. */
		if (run_program("/bin/host-request", "sendkey", "a", "300", NULL))
			give_up("sendkey");
		usleep(500000);
		take_everything();
		for (cpu = 0; cpu < 2 && !by_key; cpu++)
			while ((by_key = event_after(by_key, BCOS_GENERIC_CPU, (uint32_t)cpu, BCOS_EVENT_IDLE, "idle")))
				/*
				 * This is a user I/O device. The lines of keyboard and mouse belong to the first of the
				 * two.
				 */
				if (strstr(entry_text(by_key), "ended by ") && strstr(entry_text(by_key), " (0x8"))
					break;
	}
	end_idling();
	elapsed = now_ns(CLOCK_BOOTTIME) - begin;
	take_everything();
	for_each_entry(entry, &everything)
		if (entry->type == BCOS_GENERIC_CPU && entry->time > begin && entry->source < 2 &&
		    ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_IDLE)
			idle[entry->source] += strtoull(strstr(entry_text(entry), "for ") + 4, NULL, 10);
	make_point(by_key, "a CPU that a key wakes says so");
	/* The first stretch may have begun before. */
	make_point(idle[0] + idle[1] > elapsed / 4 && idle[0] < elapsed + 1000000000 && idle[1] < elapsed + 1000000000,
		   "idle time is a part of all time (%llu and %llu of %llu ms)", (unsigned long long)idle[0] / 1000000,
		   (unsigned long long)idle[1] / 1000000, (unsigned long long)elapsed / 1000000);
	log_check(&everything, "the log with idle states");
}

/* ---- time in the kernel ------------------------------------------------------------- */

#define CALLS 500

/* Computes for @ns without a call of the kernel. */
static void compute_for(uint64_t ns)
{
	uint64_t until = now_ns(CLOCK_MONOTONIC) + ns;

	while (now_ns(CLOCK_MONOTONIC) < until)
		;
}

static void make_calls(void *argument)
{
	int i;

	if (!pin_to(1))
		give_up("pin");
	for (i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	compute_for(100000000);
	for (i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
}

static bool idle_behind(pid_t pid)
{
	bool ran = false;

	for_each_entry(entry, &everything) {
		if (entry->type != BCOS_ASSIGN_CPU || entry->source != 1)
			continue;
		ran |= entry_word(entry) == (uint32_t)pid;
		if (ran && entry_word(entry) == BCOS_PROCESS_IDLE)
			return true;
	}
	return false;
}

/* @alone: class assign is off, and all assignments are in the log all the same. */
static void test_kernel_time(bool alone)
{
	uint64_t own = 0, kernel = 0, since = 0, longest = 0, stretch;
	uint32_t assigned = 0, count = 0, last = 0;
	struct bcos_mask mask = { .set = BCOS_CLASS_KERNEL_TIME, .clear = alone ? BCOS_CLASS_ASSIGN : 0 };
	const char *how = alone ? ", kernel_time alone" : "";
	int fd = open_log(O_RDWR);
	pid_t pid;

	if (ioctl(fd, BCOS_IOC_MASK, &mask))
		give_up("mask");
	pid = spawn_child(make_calls, NULL);
	reap_child(pid, NULL);
	/* The log also has to show the CPU idle after the process, though the CPU may run others first. */
	WAIT_FOR((take_everything(), idle_behind(pid)));
	for_each_entry(entry, &everything) {
		if (entry->type != BCOS_ASSIGN_CPU || entry->source != 1)
			continue;
		stretch = entry->time - since;
		if (assigned == (uint32_t)pid) {
			own += stretch;
			longest = stretch > longest ? stretch : longest;
		} else if (assigned == BCOS_PROCESS_KERNEL && last == (uint32_t)pid) {
			kernel += stretch;
		}
		last = assigned;
		assigned = entry_word(entry);
		since = entry->time;
		count += assigned == (uint32_t)pid;
	}
	make_point(count >= 2 * CALLS, "after each call the CPU is the process' again (%u times)%s", count, how);
	make_point(kernel && own > 50000000, "and between the kernel's (%llu us, own %llu us)",
		   (unsigned long long)kernel / 1000,
		   (unsigned long long)own / 1000);
	make_point(longest > 1000000, "who computes keeps it (%llu us at a stretch)",
		   (unsigned long long)longest / 1000);
	log_check(&everything, "the log with time in the kernel");
	close(fd);
}

int main(void)
{
	begin_named(&early);
	next_name(&early);
	load_module("mask=" MASK " ring_kb=65536");
	test_names();
	test_task_states();
	test_idle();
	test_kernel_time(false);
	test_kernel_time(true);
	unload_module();
	return finish_test();
}
