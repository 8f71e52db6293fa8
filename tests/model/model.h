/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An exhaustive scheduler for lock-free code: it runs the real functions of the core in every order that it allows, on
 * a simulated memory that reorders.
 *
 * The core is compiled with the instrumentation of the thread sanitizer, but without its runtime: each access to memory
 * calls a function of hooks.c, and host_model.h replaces READ_ONCE(), barriers and their like. Threads are coroutines,
 * and only one of them runs at a time. The scheduler tries all choices one after another, depth first:
 * - which thread goes on at each load, full barrier and clock, with a bounded number of preemptions;
 * - how much of what other threads have stored is visible to a load: a store stays in the buffer of its thread until a
 *   load sees it, and only what a barrier orders leaves the buffer in order;
 * - how old the value is that a load returns: a load may have been performed at any time since the last barrier that
 *   orders loads, but a thread never sees a location go back.
 *
 * So stores overtake stores, loads overtake loads, and loads overtake stores. A store overtakes an earlier load of its
 * thread only where the release or acquire that forbids it is switched off. A load that depends on the value of another
 * load may overtake that, which real processors other than an Alpha never do.
 *
 * Each place with a barrier, an acquire or a release has a name and can be switched off. A test explores a
 * program as it is, where nothing may fail, and then without each of its barriers in turn, where something must.
 */
#ifndef TEST_MODEL_H
#define TEST_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODEL_THREADS 3

/* The kinds of places that can be switched off. */
enum model_kind {
	MODEL_ACQUIRE,
	MODEL_RELEASE,
	MODEL_FULL,
	MODEL_READ,
	MODEL_WRITE,
};

/**
 * struct model_program - a program to explore
 * @name: for messages
 * @threads: number of threads
 * @setup: runs before the threads; calls model_share() for the memory that they share
 * @thread: run until they return; they call model_fail() if something is wrong
 * @finish: runs after the threads, when all stores are visible; calls model_fail() if something is wrong
 * @preemptions: how often at most a thread that could go on is interrupted in one execution
 * @sampled: the orders are too many to run all of them, so they are chosen at random
 */
struct model_program {
	const char *name;
	int threads;
	void (*setup)(void);
	void (*thread[MODEL_THREADS])(void);
	void (*finish)(void);
	int preemptions;
	bool sampled;
};

/**
 * struct model_result - the outcome of an exploration
 * @executions: number of executions
 * @failed: an execution called model_fail(), and the exploration ended there
 * @whole: all orders were executed
 * @reason: the text of model_fail()
 */
struct model_result {
	uint64_t executions;
	bool failed;
	bool whole;
	char reason[256];
};

/* No place is switched off. */
#define MODEL_ALL_ON (-1)

/*
 * Runs @program in every order, or in at most about 2 * @limit executions, with the place @off switched off (or
 * MODEL_ALL_ON).
 */
struct model_result model_explore(const struct model_program *program, int off, uint64_t limit);

/* The number of places that were reached so far, and the name of a place. */
int model_places(void);
const char *model_place(int place);

/*
 * Declares memory that threads share. @twice: the memory is mapped a second time right after itself. Only a program's
 * setup() calls this.
 */
void model_share(void *memory, size_t size, bool twice);

/* Ends this execution: the program did something wrong. */
void model_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Advances a clock, on which all threads agree, by @step, and returns its time. */
uint64_t model_clock(uint64_t step);

/* ---- called by host_model.h and hooks.c ------------------------------------------------------------ */

int model_name(enum model_kind kind, const char *file, const char *function, int line, const char *what);
uint64_t model_load(const volatile void *address, size_t size, int place);
void model_store(volatile void *address, size_t size, uint64_t value, int place);
void model_barrier(enum model_kind kind, int place);
void model_plain_read(const void *address, size_t size);
void model_plain_write(void *address, size_t size);
void *model_memcpy(void *to, const void *from, size_t size);
void *model_memset(void *to, int value, size_t size);

#endif
