/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The losses that the log states, parsed from their texts. */
#ifndef BCOS_TESTS_GUEST_LOSS_H
#define BCOS_TESTS_GUEST_LOSS_H

#include "lib.h"

struct loss {
	uint64_t from, until;
	uint64_t life, assign, irq, nested;
};

struct losses {
	uint64_t statements, life, assign, irq, nested;
};

/*
 * Does this entry state a loss? If so, *@loss is filled in, or the test dies because it does not understand the text.
 */
bool loss_of(const struct bcos_entry *entry, struct loss *loss);
/* Returns the sum of all losses that the log states. */
struct losses losses_of(const struct log *log);

#endif
