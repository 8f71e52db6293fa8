// SPDX-License-Identifier: GPL-2.0-only
/*
 * A clock that the kernel may use in the place of the time stamp counter. The first reading of this clock takes long,
 * and the kernel's time stands still meanwhile, as if a hypervisor took the CPU away at that moment. Unloading the
 * module makes the counter unstable, as if the kernel's own watchdog had found that.
 */
#include <linux/clocksource.h>
#include <linux/delay.h>
#include <linux/module.h>
#ifdef CONFIG_X86
#include <asm/tsc.h>

#define STILL_MS 50

static bool first;

/* The kernel calls this when it begins to use the clock. */
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

/* The owner stays unset, so that the module can be unloaded while the kernel uses the clock. */
static struct clocksource mistrust_clock = {
	.name = "mistrust",
	.rating = 1,		/* the kernel uses it only when it is asked to */
	.read = mistrust_read,
	.enable = mistrust_enable,
	.mask = CLOCKSOURCE_MASK(64),
	.flags = CLOCK_SOURCE_IS_CONTINUOUS,
};

static int __init mistrust_init(void)
{
	return clocksource_register_khz(&mistrust_clock, tsc_khz);
}

static void __exit mistrust_exit(void)
{
	mark_tsc_unstable("a test says so");
	clocksource_unregister(&mistrust_clock);
}

module_exit(mistrust_exit);
#else
/* Other processors have no such counter. */
static int __init mistrust_init(void)
{
	return -ENODEV;
}
#endif

module_init(mistrust_init);

MODULE_DESCRIPTION("A clock in the place of the time stamp counter");
MODULE_LICENSE("GPL");
