/* SPDX-License-Identifier: GPL-2.0-only */
/* Decides when records have ticks of the TSC: not while the machine sleeps. */
#ifndef BCOS_TICKS_H
#define BCOS_TICKS_H

/*
 * Turns ticks on if the parameter allows it and the kernel trusts the counter. The log must have
 * begun.
 */
int bcos_ticks_up(void);
/* Must run before the probes are removed. */
void bcos_ticks_down(void);

#endif
