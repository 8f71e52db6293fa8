/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An action is a handler on an interrupt line. Each CPU remembers in a direct-mapped cache which
 * actions it has named. Probes and BPF programs include this, so both engines recognise an action
 * alike.
 */
#ifndef BCOS_CORE_ACTION_H
#define BCOS_CORE_ACTION_H

#include "core/host/host.h"

#define BCOS_ACTION_BITS	6
#define BCOS_ACTION_SLOTS	(1u << BCOS_ACTION_BITS)

/* IRQF_PERCPU of include/linux/interrupt.h, which BPF programs and user space lack. */
#define BCOS_ACTION_PERCPU	0x400

struct bcos_seen_action {
	u32 irq;
	u32 fingerprint;		/* 0: none */
};

/*
 * Returns the fingerprint of an action, made of the addresses of the action, its name and its
 * device. It differs when a line gets another handler, or when the memory of an action is reused.
 * It is never 0.
 */
static __always_inline u32 bcos_action_fingerprint(u64 action, u64 name, u64 device)
{
	const u64 golden = 0x61C8864680B583EBull;

	return (u32)(((action * golden + name) * golden + device) * golden >> 32) | 1;
}

/*
 * Is an action with these flags for interrupts of the CPU itself, as from its timer, or for those
 * that CPUs send to each other? Where such interrupts pass the tracepoints (arm64), the log leaves
 * them out: a reader that wakes the log writer sends one, and so would never come to the end of the
 * log.
 */
static __always_inline bool bcos_action_is_of_cpu(unsigned int flags)
{
	return flags & BCOS_ACTION_PERCPU;
}

/* Returns the part of a fingerprint that records hold. */
static __always_inline u16 bcos_action_tag(u32 fingerprint)
{
	return (u16)(fingerprint >> 16);
}

/*
 * Returns the slot of an action in the cache. Actions that share a line have different
 * fingerprints, and so mostly different slots.
 */
static __always_inline u32 bcos_action_slot(u32 irq, u32 fingerprint)
{
	return (irq ^ fingerprint >> 16) & (BCOS_ACTION_SLOTS - 1);
}

static __always_inline bool bcos_action_is_seen(const struct bcos_seen_action *seen, u32 irq,
						u32 fingerprint)
{
	return seen->irq == irq && seen->fingerprint == fingerprint;
}

#endif
