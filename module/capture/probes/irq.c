// SPDX-License-Identifier: GPL-2.0-only
/* Records interrupts, when a handler is about to run. */
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/msi.h>
#include <trace/events/irq.h>

#include "core/capture/action.h"
#include "probes.h"

static_assert(BCOS_ACTION_PERCPU == IRQF_PERCPU);

/* Actions whose name this CPU has staged. */
static DEFINE_PER_CPU(struct bcos_seen_action[BCOS_ACTION_SLOTS], bcos_seen_actions);

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
		.aux = bcos_action_tag(fingerprint),
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
	u32 fingerprint = bcos_action_fingerprint((unsigned long)action,
						  (unsigned long)action->name,
						  (unsigned long)action->dev_id);
	struct bcos_seen_action *seen = this_cpu_ptr(bcos_seen_actions) +
					bcos_action_slot(irq, fingerprint);

	if (unlikely(bcos_action_is_of_cpu(action->flags)))
		return;
	if (likely(bcos_action_is_seen(seen, irq, fingerprint)))
		bcos_put_one(this_cpu_ptr(&bcos_stages),
			     bcos_stage_word(BCOS_RAW_IRQ, bcos_action_tag(fingerprint), irq));
	else
		bcos_stage_irq_name(seen, irq, fingerprint, action);
}

static void __maybe_unused bcos_check_prototypes(void)
{
	check_trace_callback_type_irq_handler_entry(bcos_on_irq_handler_entry);
}
