// SPDX-License-Identifier: GPL-2.0-only
/*
 * Raises interrupts on demand, of a line without a device. They take the kernel's whole path from the flow handler on,
 * with the tracepoint, and nothing in it depends on how a device is emulated.
 *
 * A number N that is written to /sys/module/interrupts/parameters/raise raises N interrupts.
 */
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>

static int line = -1;

static irqreturn_t on_interrupt(int irq, void *data)
{
	return IRQ_HANDLED;
}

static int raise_set(const char *text, const struct kernel_param *kp)
{
	unsigned int count;

	if (kstrtouint(text, 0, &count))
		return -EINVAL;
	if (line < 0)
		return -ENODEV;
	while (count--) {
		local_irq_disable();
		generic_handle_irq(line);
		local_irq_enable();
		cond_resched();
	}
	return 0;
}

static const struct kernel_param_ops raise_ops = { .set = raise_set };

module_param_cb(raise, &raise_ops, NULL, 0200);
MODULE_PARM_DESC(raise, "Raise so many interrupts");

static int __init interrupts_init(void)
{
	int error, irq = irq_alloc_desc(NUMA_NO_NODE);

	if (irq < 0)
		return irq;
	irq_set_chip_and_handler(irq, &dummy_irq_chip, handle_simple_irq);
	error = request_irq(irq, on_interrupt, 0, "bench", NULL);
	if (error) {
		irq_free_desc(irq);
		return error;
	}
	line = irq;
	return 0;
}

static void __exit interrupts_exit(void)
{
	free_irq(line, NULL);
	irq_free_desc(line);
}

module_init(interrupts_init);
module_exit(interrupts_exit);
MODULE_DESCRIPTION("Interrupts on demand");
MODULE_LICENSE("GPL");
