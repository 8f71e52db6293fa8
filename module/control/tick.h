/* SPDX-License-Identifier: GPL-2.0-only */
/* Decides when records have ticks of the TSC: not while the machine sleeps. */
#ifndef BCOS_TICKS_H
#define BCOS_TICKS_H

/**
 * bcos_ticks_up() - turn ticks on, if the parameter allows that and the kernel trusts the counter
 *
 * Context: module load, once the log has begun; may sleep.
 * Return: 0, also if ticks stay off; or the error of the registration for sleep.
 */
int bcos_ticks_up(void);
/* Stops watching the kernel's clock and sleep. This must run before the probes are removed. */
void bcos_ticks_down(void);

#endif
