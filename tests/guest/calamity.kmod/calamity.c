// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the kernel panic at a moment that is as bad as can be, when 1 is written to the parameter "go":
 *
 *	where=probe	amid a record: a CPU has just set its mark, which is at the address "mark" of each CPU
 *	where=writer	amid the publication of a pass: the writer has not made the sum that makes it valid
 *	where=twice	and once more, in a notifier of the first panic
 */
#include <linux/hw_breakpoint.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/panic_notifier.h>
#include <linux/perf_event.h>

static char *where = "twice";
module_param(where, charp, 0444);
static ulong mark;
module_param(mark, ulong, 0444);

static void calamity_in_probe(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	panic("calamity in a probe");
}

static int calamity_watch(void)
{
	struct perf_event_attr attr;
	struct perf_event *event;

	hw_breakpoint_init(&attr);
	attr.bp_addr = (unsigned long)per_cpu_ptr((void __percpu *)mark, 0);
	attr.bp_len = HW_BREAKPOINT_LEN_4;
	attr.bp_type = HW_BREAKPOINT_W;
	event = perf_event_create_kernel_counter(&attr, 0, NULL, calamity_in_probe, NULL);
	return PTR_ERR_OR_ZERO(event);
}

static int calamity_in_writer(struct kprobe *probe, struct pt_regs *regs)
{
	panic("calamity in the writer");
	return 0;
}

static struct kprobe calamity_probe = {
	.symbol_name = "bcos_image_pass_sum",
	.pre_handler = calamity_in_writer,
};

static int calamity_again(struct notifier_block *block, unsigned long unused, void *text)
{
	static bool again;

	if (!again) {
		again = true;
		panic("calamity again");
	}
	return NOTIFY_DONE;
}

static struct notifier_block calamity_block = { .notifier_call = calamity_again };

static int calamity_go(const char *text, const struct kernel_param *unused)
{
	if (!strcmp(where, "probe"))
		return calamity_watch();
	if (!strcmp(where, "writer"))
		return register_kprobe(&calamity_probe);
	atomic_notifier_chain_register(&panic_notifier_list, &calamity_block);
	panic("calamity");
	return 0;
}

static const struct kernel_param_ops calamity_ops = { .set = calamity_go };

module_param_cb(go, &calamity_ops, NULL, 0200);

/* It cannot be unloaded. */
static int __init calamity_init(void)
{
	return 0;
}

module_init(calamity_init);
MODULE_DESCRIPTION("Makes the kernel panic in the middle of what bcos_evlog does");
MODULE_LICENSE("GPL");
