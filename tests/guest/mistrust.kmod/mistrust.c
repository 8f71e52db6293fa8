// SPDX-License-Identifier: GPL-2.0-only
/* As the kernel's own watchdog would: the time stamp counter is no good. */
#include <linux/module.h>
#include <asm/tsc.h>

static int __init mistrust_init(void)
{
	mark_tsc_unstable("a test says so");
	return 0;
}

static void __exit mistrust_exit(void)
{
}

module_init(mistrust_init);
module_exit(mistrust_exit);

MODULE_DESCRIPTION("Makes the kernel give up the time stamp counter");
MODULE_LICENSE("GPL");
