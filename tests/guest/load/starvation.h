/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loads that starve the log writer, or do not, on a machine with as many CPUs as a witness has. */
#ifndef BCOS_TESTS_GUEST_STARVATION_H
#define BCOS_TESTS_GUEST_STARVATION_H

#include "testimony.h"

/* Before all others. */
void loads_begin(void);
/*
 * Hogs of real-time priority on each CPU switch more often than staging holds, and make interrupts; @births children
 * while they do, and @storm after that, all at once.
 */
void starve(int births, int storm);
/* As much as a machine does whose processes wait for each other all the time, and the writer gets its turn. */
void be_ordinary(int births, int storm);
/* Until what was begun has made its last interrupt, and a moment longer. */
void be_quiet(void);

#endif
