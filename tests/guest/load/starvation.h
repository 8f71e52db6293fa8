/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loads that starve the log writer, or do not, on a machine with as many CPUs as a witness has. */
#ifndef BCOS_TESTS_GUEST_STARVATION_H
#define BCOS_TESTS_GUEST_STARVATION_H

#include "testimony.h"

/* The test calls this before the other functions. */
void loads_begin(void);
/*
 * Starves the log writer: on each CPU processes of real-time priority switch more often than staging can hold, and make
 * interrupts. They fork @births children meanwhile, and then @storm children all at once.
 */
void starve_log_writer(int births, int storm);
/* Makes the load of a machine whose processes wait for each other all the time, while the writer gets its turn. */
void be_ordinary(int births, int storm);
/* Waits until the load has made its last interrupt, and a moment longer. */
void be_quiet(void);

#endif
