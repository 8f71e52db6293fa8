// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Records interrupts: the counterpart of module/capture/probes/irq.c, and of the part of
 * kernel_time.c about interrupts.
 */
#include "task.h"

#define IRQF_SHARED		0x80

static __always_inline u32 fingerprint_of(const struct irqaction *action)
{
	return bcos_action_fingerprint((unsigned long)action,
				       (unsigned long)BPF_CORE_READ(action, name),
				       (unsigned long)BPF_CORE_READ(action, dev_id));
}

/* Records the handler's name; user space finds the name of the sending device. */
static __noinline int put_name(struct bcos_seen_action *seen, u32 irq, u32 fingerprint,
			       const struct irqaction *action)
{
	struct {
		struct bcos_raw raw;
		char name[BCOS_RAW_IRQ_NAME_SIZE], bus[BCOS_RAW_IRQ_BUS];
	} record = {
		.raw = {
			.kind = BCOS_RAW_IRQ_NAME,
			.units = 5,
			.aux = bcos_action_tag(fingerprint),
		},
	};

	record.raw.id = irq | (BPF_CORE_READ(action, flags) & IRQF_SHARED ? BCOS_RAW_SHARED : 0);
	if (bpf_probe_read_kernel_str(record.name, sizeof(record.name),
				      BPF_CORE_READ(action, name)) < 2)
		record.name[0] = '?';
	if (bcos_put(&record, sizeof(record))) {
		seen->irq = irq;
		seen->fingerprint = fingerprint;
	}
	return 0;
}

static __always_inline void note_interrupt(struct bcos_bpf_cpu *cpu, u32 number)
{
	cpu->interrupted = cpu->current_id;
	if (cpu->current_id != BCOS_PROCESS_NONE && cpu->current_id != BCOS_PROCESS_KERNEL)
		bcos_assign(cpu, number, BCOS_PROCESS_KERNEL);
}

/* This is a raw tracepoint, since the verifier forbids arithmetic on typed pointers. */
SEC("raw_tp/irq_handler_entry")
int bcos_on_irq_handler_entry(struct bpf_raw_tracepoint_args *context)
{
	int irq = (int)context->args[0];
	const struct irqaction *action = (void *)context->args[1];
	u32 number, fingerprint;
	struct bcos_bpf_cpu *cpu = bcos_this_cpu(&number);
	struct bcos_seen_action *seen;

	if (!cpu || bcos_action_is_of_cpu(BPF_CORE_READ(action, flags)))
		return 0;
	cpu->handled.line = irq + 1;
	if (bcos_config.classes & BCOS_CLASS_IRQ) {
		fingerprint = fingerprint_of(action);
		seen = &cpu->seen[bcos_action_slot(irq, fingerprint)];
		if (bcos_action_is_seen(seen, irq, fingerprint))
			bcos_put_one(cpu, number, BCOS_RAW_IRQ, bcos_action_tag(fingerprint), irq);
		else
			put_name(seen, irq, fingerprint, action);
	}
	if (bcos_config.classes & BCOS_CLASS_KERNEL_TIME)
		note_interrupt(cpu, number);
	return 0;
}

SEC("tp_btf/irq_handler_exit")
int BPF_PROG(bcos_on_irq_handler_exit)
{
	u32 number, id;
	struct bcos_bpf_cpu *cpu = bcos_this_cpu(&number);

	if (!cpu)
		return 0;
	cpu->handled.line = 0;
	/* The process is looked up anew, since its last thread may have exited meanwhile. */
	if (cpu->interrupted != BCOS_PROCESS_NONE && cpu->interrupted != BCOS_PROCESS_KERNEL) {
		id = bcos_task_process(bpf_get_current_task_btf());
		if (id != cpu->current_id)
			bcos_assign(cpu, number, id);
	}
	cpu->interrupted = BCOS_PROCESS_NONE;
	return 0;
}

static __always_inline struct bcos_handled *handled_here(void)
{
	u32 number;
	struct bcos_bpf_cpu *cpu = bcos_this_cpu(&number);

	return cpu ? &cpu->handled : NULL;
}

SEC("tp_btf/softirq_entry")
int BPF_PROG(bcos_on_softirq_entry, unsigned int number)
{
	struct bcos_handled *handled = handled_here();

	if (handled)
		handled->softirq = number + 1;
	return 0;
}

SEC("tp_btf/softirq_exit")
int BPF_PROG(bcos_on_softirq_exit)
{
	struct bcos_handled *handled = handled_here();

	if (handled)
		handled->softirq = 0;
	return 0;
}

SEC("tp_btf/hrtimer_expire_entry")
int BPF_PROG(bcos_on_hrtimer_entry)
{
	struct bcos_handled *handled = handled_here();

	if (handled)
		handled->timer = 1;
	return 0;
}

SEC("tp_btf/hrtimer_expire_exit")
int BPF_PROG(bcos_on_hrtimer_exit)
{
	struct bcos_handled *handled = handled_here();

	if (handled)
		handled->timer = 0;
	return 0;
}
