/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The state of the simulated memory. The accesses in access.c call memory.c to change it. */
#ifndef TEST_MODEL_SIMULATION_H
#define TEST_MODEL_SIMULATION_H

#include <stddef.h>

#include "memory.h"

#define MEMORY_STORES 512
#define MEMORY_PATCHES 64

struct word {
	uint64_t execution;		/* in which the other members were initialised */
	uint64_t *real;
	uint64_t *again;		/* the second mapping, or NULL */
	uint32_t newest;
	uint64_t seen[MODEL_THREADS];	/* time of the newest version that each thread has seen */
	uint8_t readers, writers;	/* masks of threads, over all executions */
	bool contended;			/* one thread writes it and another one uses it, so loads have choices */
};

struct store {
	struct word *word;		/* NULL if this is a write barrier */
	uint64_t mask, value;
	bool release;
	bool overtakes;			/* its release is switched off */
};

struct thread {
	struct store store[MEMORY_STORES];
	int stores;
	uint64_t floor;			/* no load is performed before this moment from now on */
	uint64_t newest_load;		/* the latest moment at which a load was performed */
	char *written;			/* memory that compiled code writes now */
	size_t written_size;
	struct word *patched[MEMORY_PATCHES];	/* words of which real memory holds older versions */
	int patches;
};

extern struct thread memory_threads[MODEL_THREADS];
/* The time of the newest version. */
extern uint64_t memory_now;

void memory_die(const char *what) __attribute__((noreturn));

/* Returns the word at an address, or NULL if its memory is not shared. */
struct word *memory_word_at(const void *address);
/* Returns the mask of @size bytes at @offset in a word. */
uint64_t memory_mask_of(size_t offset, size_t size);
/* Returns the value that a thread sees in a word: the newest version, and over it the thread's own stores. */
uint64_t memory_seen_by(const struct thread *self, const struct word *what);
/* Puts a value into real memory. */
void memory_show(struct word *what, uint64_t value);

/* Performs a load, and adds a store to a thread's buffer. @place is that of an acquire, or -1. */
uint64_t memory_load(struct thread *self, struct word *what, int place);
void memory_push(struct thread *self, struct store store);
/* Makes all stores of a thread visible. */
void memory_flush(struct thread *self);
/* Takes older versions out of real memory again, and stores what compiled code has written since the last call. */
void memory_settle_thread(struct thread *self);

#endif
