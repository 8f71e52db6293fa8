// SPDX-License-Identifier: GPL-2.0-only
/*
 * By a write to its parameter "now" the time stamp counter is no good, as the kernel's own watchdog would find. The clock
 * that the kernel takes instead lets it wait for its first reading, and the kernel's time stands still meanwhile. So it is
 * where a hypervisor takes the CPU away just then.
 */
#include <linux/clocksource.h>
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <asm/tsc.h>

#define STILL_MS 2

static bool first;

/* The kernel takes this clock. */
static int mistrust_enable(struct clocksource *clock)
{
	first = true;
	return 0;
}

static u64 mistrust_read(struct clocksource *clock)
{
	if (first) {
		first = false;
		mdelay(STILL_MS);
	}
	return rdtsc_ordered();
}

/* Its owner stays unset, so that the module can go while the kernel uses it. */
static struct clocksource mistrust_clock = {
	.name = "mistrust",
	.rating = 290,		/* less than the counter's, more than that of any other */
	.read = mistrust_read,
	.enable = mistrust_enable,
	.mask = CLOCKSOURCE_MASK(64),
	.flags = CLOCK_SOURCE_IS_CONTINUOUS,
};

static int mistrust_now(const char *value, const struct kernel_param *kp)
{
	mark_tsc_unstable("a test says so");
	return 0;
}

static const struct kernel_param_ops mistrust_ops = { .set = mistrust_now };
module_param_cb(now, &mistrust_ops, NULL, 0200);

static int __init mistrust_init(void)
{
	return clocksource_register_khz(&mistrust_clock, tsc_khz);
}

static void __exit mistrust_exit(void)
{
	clocksource_unregister(&mistrust_clock);
}

module_init(mistrust_init);
module_exit(mistrust_exit);

MODULE_DESCRIPTION("Makes the kernel give up the time stamp counter");
MODULE_LICENSE("GPL");
