// SPDX-License-Identifier: GPL-2.0-only
/* Decides when the log writer's thread runs, and answers requests to merge: see wakeup.h. */
#include <linux/atomic.h>
#include <linux/kthread.h>
#include <linux/processor.h>
#include <linux/timer.h>
#include <linux/wait.h>

#include "capture/clock.h"
#include "compat.h"
#include "waiter.h"
#include "wakeup.h"

static struct {
	wait_queue_head_t wait;		/* the thread waits here for work */
	atomic_t work;
	struct timer_list soft;		/* deferrable */
	struct timer_list hard;
	bool quiesced;
	wait_queue_head_t merged;	/* others wait here for an answer */
	atomic64_t asked;		/* number of the newest request to merge */
	u64 answered;			/* requests up to this one are done */
	/* Requests up to this one are done once the horizon passes @due; 0: there are none. */
	u64 answering;
	u64 due;
} bcos_wakeup = {
	.wait = __WAIT_QUEUE_HEAD_INITIALIZER(bcos_wakeup.wait),
	.merged = __WAIT_QUEUE_HEAD_INITIALIZER(bcos_wakeup.merged),
};

/* ---- the thread's sleep ------------------------------------------------------ */

void bcos_writer_kick(void)
{
	atomic_set(&bcos_wakeup.work, 1);
	wake_up(&bcos_wakeup.wait);
}

bool bcos_wakeup_wait(void)
{
	wait_event_idle(bcos_wakeup.wait, atomic_read(&bcos_wakeup.work) || kthread_should_stop());
	return atomic_xchg(&bcos_wakeup.work, 0);
}

static void bcos_timer(struct timer_list *timer)
{
	bcos_writer_kick();
}

static void bcos_start_timer(struct timer_list *timer, unsigned long delay)
{
	if (!READ_ONCE(bcos_wakeup.quiesced))
		mod_timer(timer, jiffies + delay);
}

void bcos_wakeup_after(unsigned long delay)
{
	bcos_start_timer(&bcos_wakeup.hard, delay);
}

void bcos_writer_arm(void)
{
	if (!timer_pending(&bcos_wakeup.soft))
		bcos_start_timer(&bcos_wakeup.soft, BCOS_PERIOD);
	if (!timer_pending(&bcos_wakeup.hard))
		bcos_start_timer(&bcos_wakeup.hard, BCOS_PERIOD_MAX);
}

void bcos_wakeup_rearm(bool interesting)
{
	/* If nobody waits, only a kick wakes the thread. */
	if (!bcos_waiters_waiting())
		return;
	bcos_start_timer(&bcos_wakeup.soft, interesting ? BCOS_PERIOD : BCOS_PERIOD_MAX);
	bcos_start_timer(&bcos_wakeup.hard, BCOS_PERIOD_MAX);
}

void bcos_writer_quiesce(void)
{
	WRITE_ONCE(bcos_wakeup.quiesced, true);
	timer_shutdown_sync(&bcos_wakeup.soft);
	timer_shutdown_sync(&bcos_wakeup.hard);
}

void bcos_wakeup_up(void)
{
	timer_setup(&bcos_wakeup.soft, bcos_timer, TIMER_DEFERRABLE);
	timer_setup(&bcos_wakeup.hard, bcos_timer, 0);
}

/* ---- requests to merge ------------------------------------------------------- */

/* Requests a merge and returns the number of the request. */
static u64 bcos_ask(void)
{
	u64 now = bcos_now(), asked;
	int tries = 1000;

	/*
	 * The clock must advance, so that the time of the pass is later than that of everything
	 * before the request.
	 */
	while (bcos_now() == now && --tries)
		cpu_relax();
	asked = atomic64_inc_return(&bcos_wakeup.asked);
	bcos_writer_kick();
	return asked;
}

static bool bcos_is_answered(u64 asked)
{
	/* Pairs with bcos_wakeup_answer(): a caller that never sleeps passes no other barrier. */
	return smp_load_acquire(&bcos_wakeup.answered) >= asked;
}

int bcos_writer_flush(void)
{
	u64 asked = bcos_ask();

	return wait_event_interruptible(bcos_wakeup.merged, bcos_is_answered(asked));
}

void bcos_writer_settle(void)
{
	u64 asked = bcos_ask();

	wait_event(bcos_wakeup.merged, bcos_is_answered(asked));
}

void bcos_writer_settle_within(unsigned long timeout)
{
	u64 asked = bcos_ask();

	wait_event_timeout(bcos_wakeup.merged, bcos_is_answered(asked), timeout);
}

u64 bcos_wakeup_asked(void)
{
	return atomic64_read(&bcos_wakeup.asked);
}

void bcos_wakeup_answer(u64 asked, u64 now, bool exact, u64 horizon)
{
	if (!bcos_wakeup.answering && exact) {
		bcos_wakeup.answering = asked;
		bcos_wakeup.due = now;
	}
	if (!bcos_wakeup.answering || horizon < bcos_wakeup.due)
		return;
	/*
	 * Pairs with bcos_is_answered(): a caller that sees the answer sees what the pass has
	 * published.
	 */
	smp_store_release(&bcos_wakeup.answered, bcos_wakeup.answering);
	bcos_wakeup.answering = 0;
}

void bcos_wakeup_merged(void)
{
	if (wq_has_sleeper(&bcos_wakeup.merged))
		wake_up_all(&bcos_wakeup.merged);
}

bool bcos_wakeup_is_due(void)
{
	return bcos_wakeup_asked() > bcos_wakeup.answered;
}
