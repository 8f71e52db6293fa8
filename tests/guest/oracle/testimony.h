/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The records of the witness (witness.kmod), for tests that compare them with the log. */
#ifndef BCOS_TESTS_GUEST_TESTIMONY_H
#define BCOS_TESTS_GUEST_TESTIMONY_H

#include "lib.h"

#include "../witness.kmod/witness.h"

/* The number of CPUs of the machine. */
#define WITNESSED_CPUS 2

struct testimony {
	struct witness_record *record;
	size_t count;
	size_t begin[WITNESSED_CPUS + 1];	/* first record of each CPU */
};

/* Writes "start", "stop" or "reset" to the witness. */
void tell_witness(const char *word);
/* Returns everything that the witness has written down. Dies if it had too little room. */
struct testimony testimony_hear(void);
void testimony_free(struct testimony *all);

/* Returns how often the log recorded anew what a CPU runs, without a change. */
size_t testimony_renewals(const struct testimony *all, int cpu, uint64_t from, uint64_t until);
/* Returns the first moment from @time on around which the witness saw no interrupt for a millisecond to each side. */
uint64_t testimony_quiet(const struct testimony *all, uint64_t time);
/* Returns the number of interrupts from @begin on, before @end. */
uint64_t testimony_interrupts(const struct testimony *all, uint64_t begin, uint64_t end);

#endif
