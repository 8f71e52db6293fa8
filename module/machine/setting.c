// SPDX-License-Identifier: GPL-2.0-only
/* Watches for settings of the wall clock: see setting.h. */
#include <linux/atomic.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/pvclock_gtod.h>

#include "capture/clock.h"
#include "capture/staging.h"
#include "setting.h"

static atomic64_t bcos_setting;	/* ns since boot; 0: none */

/*
 * The kernel calls this while it updates its clock, with @was_set if somebody sets the wall clock,
 * and in some other cases, of which the log states nothing since the clock stays the same.
 * Interrupts are off, and nobody can read the kernel's clock until this returns.
 */
static int bcos_setting_note(struct notifier_block *block, unsigned long was_set, void *timekeeper)
{
	if (was_set) {
		/*
		 * Pairs with bcos_setting_stated(): if this leaves the time of an older setting,
		 * the log writer reads the new clock when it states that one. The exchange orders
		 * nothing when it fails.
		 */
		smp_mb();
		atomic64_cmpxchg(&bcos_setting, 0, bcos_now());
		bcos_staging_kick(this_cpu_ptr(&bcos_stages));
	}
	return NOTIFY_OK;
}

static struct notifier_block bcos_setting_block = { .notifier_call = bcos_setting_note };

int bcos_setting_up(void)
{
	/* This calls bcos_setting_note() at once, with @was_set. */
	return pvclock_gtod_register_notifier(&bcos_setting_block);
}

void bcos_setting_down(void)
{
	pvclock_gtod_unregister_notifier(&bcos_setting_block);
}

u64 bcos_setting_time(void)
{
	return atomic64_read(&bcos_setting);
}

void bcos_setting_stated(void)
{
	atomic64_set(&bcos_setting, 0);
	/* Pairs with bcos_setting_note(): the caller reads the clock after this. */
	smp_mb();
}
