/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The simulated memory of model.h, as the scheduler sees it. */
#ifndef TEST_MODEL_MEMORY_H
#define TEST_MODEL_MEMORY_H

#include "model.h"

/* The thread that runs, or -1: none, and all accesses go to real memory. */
extern int memory_thread;
/* The place whose ordering is switched off, or MODEL_ALL_ON. */
extern int memory_off;
/*
 * True if an execution found a contended word or a store that may overtake a load: from now on executions have more
 * choices.
 */
extern bool memory_learned;

/* Begins another program: no word is known to be contended. */
void memory_forget(void);
/* Begins another execution: all store buffers are empty. */
void memory_begin(void);
/*
 * Called when memory_thread begins to run and when it stops: real memory then holds, or no longer holds, what this
 * thread sees.
 */
void memory_enter(void);
void memory_leave(void);
/* Makes all stores of all threads visible. */
void memory_settle(void);

/* Has the thread stored the promised value, if there is a promise? (memory.c explains promises.) */
bool memory_keeps_promises(void);

/* model.c: ends this execution, which does not count. */
void model_discard(void) __attribute__((noreturn));
/* model.c: returns the kind of a place. */
enum model_kind model_kind_of(int number);

/* model.c: model_choose() returns a number below @options. At model_point() another thread may go on. */
int model_choose(int options);
void model_point(void);

#endif
