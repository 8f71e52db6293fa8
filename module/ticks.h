/* SPDX-License-Identifier: GPL-2.0-only */
/* From when to when records are stamped with ticks: not while the machine sleeps. */
#ifndef BCOS_TICKS_H
#define BCOS_TICKS_H

/* Bring-up: where the kernel trusts the counter, and by the parameter.  The log has begun. */
int bcos_ticks_up(void);
/* Before the probes go. */
void bcos_ticks_down(void);

#endif
