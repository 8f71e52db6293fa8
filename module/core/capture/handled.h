/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The interrupt amid which a CPU wakes a thread, and its kind. Both engines decide alike. */
#ifndef BCOS_CORE_HANDLED_H
#define BCOS_CORE_HANDLED_H

#include "core/raw/raw.h"

/* What a CPU does: what the task says that it runs, or an interrupt or softirq amid that task. */
enum bcos_context {
	BCOS_IN_TASK,
	BCOS_IN_INTERRUPT,	/* of one or the other kind */
	BCOS_IN_HARD,
	BCOS_IN_SOFT,
	BCOS_IN_EITHER,		/* nobody can tell */
};

/*
 * What a CPU handles, as its own probes say while the class state is on. Each of these begins and
 * ends on one CPU. An interrupt can come amid a softirq, but not amid another interrupt.
 */
struct bcos_handled {
	u32 line;		/* of a device, plus 1; 0: none */
	u16 softirq;		/* number, plus 1; 0: none */
	u16 timer;		/* a high-resolution timer has expired, and its function runs */
};

/* Numbers of softirqs, from include/linux/interrupt.h; these are part of the kernel's ABI. */
#define BCOS_SOFTIRQ_TIMER	1
#define BCOS_SOFTIRQ_NET_TX	2
#define BCOS_SOFTIRQ_NET_RX	3
#define BCOS_SOFTIRQ_BLOCK	4
#define BCOS_SOFTIRQ_HRTIMER	8

/*
 * Returns what woke a thread amid an interrupt. In a hard one that is no line's, it is a timer if
 * the function of one runs, unless that may be one of the softirq amid which the interrupt came.
 */
static __always_inline enum bcos_waker bcos_interrupt_kind(enum bcos_context context,
							   const struct bcos_handled *handled)
{
	if (context == BCOS_IN_HARD) {
		if (handled->line)
			return BCOS_WAKER_LINE;
		return handled->timer && handled->softirq != BCOS_SOFTIRQ_HRTIMER + 1 ?
			       BCOS_WAKER_TIMER : BCOS_WAKER_INTERRUPT;
	}
	if (context != BCOS_IN_SOFT)
		return BCOS_WAKER_INTERRUPT;
	switch (handled->softirq) {
	case BCOS_SOFTIRQ_TIMER + 1:
	case BCOS_SOFTIRQ_HRTIMER + 1:
		return BCOS_WAKER_TIMER;
	case BCOS_SOFTIRQ_NET_TX + 1:
	case BCOS_SOFTIRQ_NET_RX + 1:
		return BCOS_WAKER_NET;
	case BCOS_SOFTIRQ_BLOCK + 1:
		return BCOS_WAKER_BLOCK;
	default:
		return BCOS_WAKER_INTERRUPT;
	}
}

#endif
