// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sample: everything that bcos_evlog offers to other modules, at work.
 *
 * A command is written to the parameter "run", and what it returned stands in
 * the parameter "result":
 *
 *	put ID COUNT	COUNT words, of which the n-th (from 0) is ID << 16 | n
 *	irq ID COUNT	the same from an interrupt
 *	nmi ID COUNT	the same from each NMI from now on (on x86 alone); "nmi 0 0" tells what the last one returned
 *	timed ID
 *	must ID
 *	mask MASK	set, and get
 *	register HOW	a collector; 0: of whoever writes this, 1: of a kernel thread
 *	unregister
 *	masks EVENTS MONITOR	of the collector: set, and get
 *	timer ON	times in units of 1024 ns
 *	get SIZE	with room for so many words
 *	wait SIZE
 *	timeout SIZE MS
 */
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/workqueue.h>
#ifdef CONFIG_X86
#include <asm/nmi.h>
#endif

#include "bcos_evlog_module.h"

#define MOST 120

static char result[64 + 9 * MOST];
static struct bcos_evlog_collector *collector;

/* ---- putting ------------------------------------------------------------------------ */

static int put_message(u32 id, u32 count)
{
	u32 words[MOST], i;

	for (i = 0; i < count && i < MOST; i++)
		words[i] = id << 16 | i;
	return bcos_evlog_put(id, words, count);
}

static void from_interrupt(struct irq_work *work);

static struct {
	struct irq_work work;
	u32 id, count;
	int returned;
} interrupt = {
	.work = IRQ_WORK_INIT_HARD(from_interrupt),
};

static void from_interrupt(struct irq_work *work)
{
	interrupt.returned = in_hardirq() ? put_message(interrupt.id, interrupt.count) : -EDOM;
}

static int put_in_interrupt(u32 id, u32 count)
{
	interrupt.id = id;
	interrupt.count = count;
	irq_work_queue(&interrupt.work);
	irq_work_sync(&interrupt.work);
	return interrupt.returned;
}

static struct {
	u32 id, count;
	u32 seen;
	int returned;
} nmi;

#ifdef CONFIG_X86

static int from_nmi(unsigned int type, struct pt_regs *regs)
{
	if (!READ_ONCE(nmi.id))
		return NMI_DONE;
	nmi.returned = put_message(nmi.id, nmi.count);
	WRITE_ONCE(nmi.seen, nmi.seen + 1);
	return NMI_HANDLED;
}

static int hear_nmis(void)
{
	return register_nmi_handler(NMI_LOCAL, from_nmi, 0, "bcos_sample");
}

static void hear_no_nmis(void)
{
	unregister_nmi_handler(NMI_LOCAL, "bcos_sample");
}

#else

static int hear_nmis(void)
{
	return 0;
}

static void hear_no_nmis(void)
{
}

#endif

/* ---- collecting ---------------------------------------------------------------------- */

static void register_collector(struct work_struct *unused)
{
	collector = bcos_evlog_register_as_collector();
	if (IS_ERR(collector))
		collector = NULL;
}

static DECLARE_WORK(registration, register_collector);

static u32 slow_clock(void *context, u64 time)
{
	return time >> *(u32 *)context;
}

static int collect_message(const char *how, u32 size, u32 milliseconds)
{
	u32 words[MOST], id = 0, dropped = 0, i;
	int returned, length;

	size = min_t(u32, size, MOST);
	if (!strcmp(how, "wait"))
		returned = bcos_evlog_get_wait(collector, &id, &dropped, words, &size);
	else if (!strcmp(how, "timeout"))
		returned = bcos_evlog_get_wait_timeout(collector, &id, &dropped, words, &size, milliseconds);
	else
		returned = bcos_evlog_get(collector, &id, &dropped, words, &size);
	length = scnprintf(result, sizeof(result), "%d %u %u %u:", returned, size, id, dropped);
	for (i = 0; returned > 0 && i < size; i++)
		length += scnprintf(result + length, sizeof(result) - length, " %x", words[i]);
	return 0;
}

static int command_of_collector(const char *word, u32 first, u32 second)
{
	static u32 shift = 10;

	if (!collector)
		return -ENODEV;
	if (!strcmp(word, "masks")) {
		bcos_evlog_collector_set_mask(collector, first);
		bcos_evlog_collector_set_monitor_mask(collector, second);
		scnprintf(result, sizeof(result), "%x %x", bcos_evlog_collector_get_mask(collector),
			  bcos_evlog_collector_get_monitor_mask(collector));
	} else if (!strcmp(word, "timer")) {
		bcos_evlog_collector_set_timer(collector, first ? slow_clock : NULL, &shift);
		strscpy(result, "0", sizeof(result));
	} else if (!strcmp(word, "unregister")) {
		bcos_evlog_unregister_collector(collector);
		collector = NULL;
		strscpy(result, "0", sizeof(result));
	} else {
		return collect_message(word, first, second);
	}
	return 0;
}

/* ---- commands ------------------------------------------------------------------------ */

static int store_result(long long value)
{
	scnprintf(result, sizeof(result), "%lld", value);
	return 0;
}

static int run_command(const char *text, const struct kernel_param *unused)
{
	u32 first = 0, second = 0;
	char word[16];

	if (sscanf(text, "%15s %i %i", word, &first, &second) < 1)
		return -EINVAL;
	if (!strcmp(word, "put"))
		return store_result(put_message(first, second));
	if (!strcmp(word, "irq"))
		return store_result(put_in_interrupt(first, second));
	if (!strcmp(word, "nmi")) {
		WRITE_ONCE(nmi.count, second);
		WRITE_ONCE(nmi.id, first);
		scnprintf(result, sizeof(result), "%u %d", READ_ONCE(nmi.seen), nmi.returned);
		return 0;
	}
	if (!strcmp(word, "timed"))
		return store_result(bcos_evlog_put_timed(first));
	if (!strcmp(word, "must"))
		return store_result(bcos_evlog_must_log(first));
	if (!strcmp(word, "mask")) {
		bcos_evlog_set_mask(first);
		return store_result(bcos_evlog_get_mask());
	}
	if (!strcmp(word, "register") && !collector) {
		if (first)
			schedule_work(&registration);
		else
			register_collector(NULL);
		flush_work(&registration);
		return store_result(collector ? 0 : -ENOMEM);
	}
	return command_of_collector(word, first, second);
}

static const struct kernel_param_ops run_operations = { .set = run_command };

module_param_cb(run, &run_operations, NULL, 0200);
module_param_string(result, result, sizeof(result), 0444);

static int __init sample_init(void)
{
	return hear_nmis();
}

static void __exit sample_exit(void)
{
	hear_no_nmis();
	if (collector)
		bcos_evlog_unregister_collector(collector);
}

module_init(sample_init);
module_exit(sample_exit);
MODULE_DESCRIPTION("Puts messages into the log and collects them");
MODULE_LICENSE("GPL");
