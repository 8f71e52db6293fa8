/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The simulated memory of model.h, as the scheduler sees it. */
#ifndef TEST_MODEL_MEMORY_H
#define TEST_MODEL_MEMORY_H

#include "model.h"

/* The thread that runs; -1: none, and accesses are what they seem. */
extern int memory_thread;
/* The place that is switched off, or MODEL_ALL_ON. */
extern int memory_off;
/* A word turned out to be contended, so that executions make other choices from now on. */
extern bool memory_learned;

/* Another program: no word is known to be shared. */
void memory_forget(void);
/* Another execution: nothing is stored. */
void memory_begin(void);
/* The thread that runs goes on, or stops: what it sees becomes what lies in real memory, or ceases to. */
void memory_enter(void);
void memory_leave(void);
/* All stores of all threads become visible. */
void memory_settle(void);

/* Was each promised store really stored? */
bool memory_keeps_promises(void);

/* model.c: this execution does not count, and ends. */
void model_discard(void) __attribute__((noreturn));
/* The kind of this place. */
enum model_kind model_kind_of(int number);

/* model.c: chooses one of so many options; a moment at which another thread may go on. */
int model_choose(int options);
void model_point(void);

#endif
