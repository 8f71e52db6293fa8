/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Allocations that fail on demand, by the module withhold.kmod, which counts them. A test that uses them says how many
 * failed, so that it cannot pass where none did.
 */
#ifndef BCOS_TESTS_GUEST_FAULT_H
#define BCOS_TESTS_GUEST_FAULT_H

#include <stdbool.h>

/*
 * The functions on the stack of what may fail: those of bcos_evlog, which has to be loaded; also of a module that is loaded
 * to about the same place, while it is loaded, after FAULT_MODULE has been said; or any.
 */
enum fault_place { FAULT_MODULE, FAULT_LOADING, FAULT_ANYWHERE };

/* Prepares the kernel for faults, and repairs it. Allocations work in between, unless the next functions are called. */
void faults_load(void);
void faults_unload(void);

/* Limits the next faults to this place. */
void faults_at(enum fault_place place);

/* From now on each allocation at that place fails, whoever makes it. */
void faults_begin(void);
/* Allocations work again. Return: how many failed. */
unsigned int faults_end(void);

/* The n-th allocation that the calling thread makes at that place will fail. */
void fault_arm(unsigned int n);
/* Return: has it failed? */
bool fault_disarm(void);

#endif
