// SPDX-License-Identifier: GPL-2.0-only
/* Ticks are off while the machine sleeps, when the TSC may stop or restart: see tick.h. */
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/smp.h>
#include <linux/suspend.h>
#include <linux/tracepoint.h>

#include "capture/clock.h"
#include "capture/staging.h"
#include "params.h"
#include "writer/writer.h"
#include "tick.h"

/*
 * Guards bcos_asleep, bcos_ticks_wanted, and which clock stamps records. The holder may wait for
 * the log writer.
 */
static DEFINE_MUTEX(bcos_ticks_lock);

static bool bcos_asleep;
static bool bcos_ticks_wanted;

static void bcos_ticks_on(void)
{
	lockdep_assert_held(&bcos_ticks_lock);
	if (bcos_asleep)
		return;
	bcos_clock_expect_ticks();
	bcos_writer_new_timebase();
	bcos_clock_start_ticks();
}

static void bcos_touch(void *unused)
{
	bcos_stage_touch(this_cpu_ptr(&bcos_stages), bcos_clock);
}

/* Ensures that no staging ring has ticks any more or gets any. */
static void bcos_ticks_off(void)
{
	lockdep_assert_held(&bcos_ticks_lock);
	bcos_clock_stop_ticks();
	tracepoint_synchronize_unregister();
	on_each_cpu(bcos_touch, NULL, 1);
	bcos_writer_settle();
}

static int bcos_on_sleep(struct notifier_block *block, unsigned long event, void *unused)
{
	mutex_lock(&bcos_ticks_lock);
	switch (event) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		bcos_asleep = true;
		bcos_ticks_off();
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		bcos_asleep = false;
		bcos_ticks_on();
		break;
	}
	mutex_unlock(&bcos_ticks_lock);
	return NOTIFY_OK;
}

static struct notifier_block bcos_sleep_block = { .notifier_call = bcos_on_sleep };

int bcos_ticks_up(void)
{
	int error;

	if (!bcos_params.tsc || !bcos_clock_watch())
		return 0;
	error = register_pm_notifier(&bcos_sleep_block);
	if (error) {
		bcos_clock_unwatch();
		return error;
	}
	bcos_ticks_wanted = true;
	mutex_lock(&bcos_ticks_lock);
	bcos_ticks_on();
	mutex_unlock(&bcos_ticks_lock);
	return 0;
}

void bcos_ticks_down(void)
{
	if (!bcos_ticks_wanted)
		return;
	unregister_pm_notifier(&bcos_sleep_block);
	bcos_clock_unwatch();
}
