// SPDX-License-Identifier: GPL-2.0-only
/* Interrupts: records when a handler is about to run. */
#include <linux/hash.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/msi.h>
#include <trace/events/irq.h>

#include "probes.h"

#define BCOS_SEEN_BITS 6

/* Actions whose name this CPU has staged, in a direct-mapped cache. */
struct bcos_seen_action {
	u32 irq;
	u32 fingerprint;	/* 0: none */
};

static DEFINE_PER_CPU(struct bcos_seen_action[1 << BCOS_SEEN_BITS], bcos_seen_actions);

/*
 * The fingerprint changes when a line gets another handler, or when the memory of an action is
 * reused.
 */
static __always_inline u32 bcos_action_fingerprint(const struct irqaction *action)
{
	u64 mixed = (unsigned long)action;

	mixed = mixed * GOLDEN_RATIO_64 + (unsigned long)action->name;
	mixed = mixed * GOLDEN_RATIO_64 + (unsigned long)action->dev_id;
	return hash_64(mixed, 32) | 1;
}

static notrace void bcos_copy_name(char *to, size_t size, const char *name)
{
	size_t i;

	for (i = 0; i < size - 1 && name[i]; i++)
		to[i] = name[i];
}

/* Returns the name of the device that sends a message-signalled interrupt, or an empty string. */
static notrace const char *bcos_irq_sender(u32 irq)
{
	struct irq_data *data = irq_get_irq_data(irq);
	struct msi_desc *message = data ? irq_data_get_msi_desc(data) : NULL;

	return message && message->dev ? dev_name(message->dev) : "";
}

static noinline notrace void bcos_stage_irq_name(struct bcos_seen_action *seen, u32 irq,
						 u32 fingerprint, const struct irqaction *action)
{
	struct bcos_raw raw = {
		.kind = BCOS_RAW_IRQ_NAME,
		.units = 5,
		.aux = fingerprint >> 16,
		.id = irq | (action->flags & IRQF_SHARED ? BCOS_RAW_SHARED : 0),
	};
	union {
		struct {
			char name[BCOS_RAW_IRQ_NAME_SIZE], bus[BCOS_RAW_IRQ_BUS];
		};
		struct bcos_unit unit[4];
	} tail = {};
	enum bcos_staged result;

	bcos_copy_name(tail.name, sizeof(tail.name), action->name ?: "?");
	bcos_copy_name(tail.bus, sizeof(tail.bus), bcos_irq_sender(irq));
	result = bcos_put(this_cpu_ptr(&bcos_stages), &raw, tail.unit);
	if (result == BCOS_STAGED || result == BCOS_STAGED_KICK) {
		seen->irq = irq;
		seen->fingerprint = fingerprint;
	}
}

notrace void bcos_on_irq_handler_entry(void *data, int irq, struct irqaction *action)
{
	struct bcos_seen_action *seen = this_cpu_ptr(bcos_seen_actions);
	u32 fingerprint = bcos_action_fingerprint(action);

	/* Actions that share a line have different fingerprints, and so mostly different slots. */
	seen += ((u32)irq ^ fingerprint >> 16) & ((1 << BCOS_SEEN_BITS) - 1);
	if (likely(seen->irq == (u32)irq && seen->fingerprint == fingerprint))
		bcos_put_one(this_cpu_ptr(&bcos_stages),
			     bcos_stage_word(BCOS_RAW_IRQ, fingerprint >> 16, irq));
	else
		bcos_stage_irq_name(seen, irq, fingerprint, action);
}

static void __maybe_unused bcos_check_prototypes(void)
{
	check_trace_callback_type_irq_handler_entry(bcos_on_irq_handler_entry);
}
