/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The records of the witness (witness.kmod), for tests that compare them with the log. */
#ifndef BCOS_TESTS_GUEST_TESTIMONY_H
#define BCOS_TESTS_GUEST_TESTIMONY_H

#include "lib.h"

#include "../witness.kmod/witness.h"

/* On a machine with so many CPUs. */
#define WITNESSED_CPUS 2

struct testimony {
	struct witness_record *record;
	size_t count;
	size_t begin[WITNESSED_CPUS + 1];	/* of each CPU */
};

/* "start", "stop" or "reset". */
void witness(const char *word);
/* All that it has written down; dies if there was more than it had room for. */
struct testimony testimony_hear(void);
void testimony_free(struct testimony *all);

/* How often what a CPU runs was recorded anew without a change. */
size_t testimony_renewals(const struct testimony *all, int cpu, uint64_t from, uint64_t until);
/* The first moment from @time on around which it saw no interrupt for a millisecond to each side. */
uint64_t testimony_quiet(const struct testimony *all, uint64_t time);
/* Interrupts from @begin on, before @end. */
uint64_t testimony_interrupts(const struct testimony *all, uint64_t begin, uint64_t end);

#endif
