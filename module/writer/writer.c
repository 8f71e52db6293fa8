// SPDX-License-Identifier: GPL-2.0-only
/*
 * The log writer. Only its thread uses the log and the merge, and no lock that it takes can delay
 * it for long. Others request a merge and wait until the horizon has passed the time of a pass that
 * saw their request, or submit a job, or read what the thread has published.
 *
 * The order of locks, outermost first (module/DESIGN.md, 10.3):
 *
 *	bcos_mask_lock			the holder may wait for this thread
 *	    hotplug lock of the kernel	likewise, while the log begins and CPUs are prepared
 *	bcos_ticks_lock			likewise
 *	reader->lock			no holder waits for this thread
 *	bcos_waiters_lock		this thread takes it
 *	    waiter->wait.lock		likewise
 *	bcos_course_lock		this thread and the kernel's update of its clock take it
 *	waiter->acknowledge, bcos_users_lock
 *
 * A lock is taken under the lock of the line above only if its line is indented.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/llist.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "capture/clock.h"
#include "capture/missed.h"
#include "capture/staging.h"
#include "core/rules/rules.h"
#include "core/write/figures.h"
#include "machine/counter.h"
#include "machine/identity.h"
#include "machine/setting.h"
#include "keep/mapping.h"
#include "memory.h"
#include "params.h"
#include "callbacks.h"
#include "job.h"
#include "kmsg.h"
#include "publish.h"
#include "waiter.h"
#include "wakeup.h"
#include "walk.h"
#include "writer.h"

/* One pass merges at most this many units of records. */
#define BCOS_PASS_UNITS 4096

/* The thread works for at most BCOS_SLICE_NS, then sleeps for BCOS_REST_US. */
#define BCOS_SLICE_NS (5 * NSEC_PER_MSEC)
#define BCOS_REST_US 200

static struct {
	/* The thread owns log and merge; until it runs, the task that loads the module does. */
	struct bcos_log log;
	struct bcos_merge merge;
	struct bcos_figures figures;
	struct llist_head jobs;
	struct task_struct *thread;
	bool begun;			/* the thread was started */
	bool closing;			/* no more walks may begin */
	u64 horizon;			/* horizon of the last pass */
	u64 wakeups;
	u64 compactions;		/* compactions that readers know of */
	void (*requests_gone)(void);	/* called after a device with requests has gone */
	unsigned long next_walk;	/* jiffies */
	unsigned long next_estimate;	/* jiffies */
	unsigned long next_look;	/* jiffies: next look at wall clock and host name */
} bcos_writer;

/* ---- the thread ------------------------------------------------------------ */

/* Starts a walk, at most once in a period. */
static void bcos_rewalk(void)
{
	static const struct bcos_walk_writer walk_writer = {
		.time = bcos_writer_time,
		.run = bcos_writer_do,
	};

	if (READ_ONCE(bcos_writer.closing))
		return;
	if (time_before(jiffies, bcos_writer.next_walk)) {
		bcos_wakeup_after(bcos_writer.next_walk - jiffies);
		return;
	}
	bcos_writer.next_walk = jiffies + BCOS_PERIOD;
	bcos_walk_start(&bcos_writer.log, &walk_writer);
}

/* A core's speed changes with heat and limits. This looks only when the writer runs anyway. */
static void bcos_look_at_cores(struct bcos_log *log)
{
	if (time_before(jiffies, bcos_writer.next_estimate))
		return;
	bcos_writer.next_estimate = jiffies + HZ;
	bcos_count_look();
	bcos_log_estimate(log, bcos_writer.merge.now);
}

/* States the host name if somebody has changed it. A setting of the wall clock comes first. */
static void bcos_look_at_host(struct bcos_log *log)
{
	const struct bcos_statements *now;

	if (time_before(jiffies, bcos_writer.next_look) || bcos_setting_time())
		return;
	now = bcos_identity_now();
	/* The clock may have been set just before it was read. */
	if (bcos_setting_time())
		return;
	bcos_writer.next_look = jiffies + BCOS_PERIOD;
	bcos_log_say(log, now, bcos_now());
}

/*
 * States the wall clock if it was set and the log has all that happened before. Returns the time up
 * to which the log has to be merged first, or 0 if nothing is to be stated.
 */
static u64 bcos_state_clock(struct bcos_log *log)
{
	u64 set = bcos_setting_time(), due = set ? bcos_log_clock_due(log, set) : 0;

	if (!set || bcos_writer.merge.horizon < due)
		return due;
	bcos_setting_stated();
	bcos_log_clock_set(log, bcos_identity_now(), due);
	return 0;
}

/* The wall clock is stated at @due, so the writer comes back then, even if nothing else happens. */
static void bcos_come_back_at(u64 due)
{
	u64 now = bcos_now();
	unsigned long delay = due > now ? nsecs_to_jiffies(due - now) + 1 : 0;

	bcos_wakeup_after(delay > BCOS_PERIOD ? delay : BCOS_PERIOD);
}

/* After a pass that could not go beyond a setting of the wall clock. */
static void bcos_end_pause(struct bcos_log *log)
{
	u64 due;

	if (!bcos_writer.merge.pause)
		return;
	due = bcos_state_clock(log);
	if (due)
		bcos_come_back_at(due);
	else
		/* The records of later times have waited for the statement. */
		bcos_writer_kick();
}

/*
 * Answers the requests up to number @asked. A caller sees its entries, figures and news as soon as
 * it sees the answer, even if it never slept, so the answer comes last.
 */
static void bcos_answer(bool news, u64 asked)
{
	if (news)
		bcos_waiters_news();
	bcos_wakeup_answer(asked, bcos_writer.merge.now, bcos_writer.merge.exact,
			   bcos_writer.merge.horizon);
}

/*
 * Merges once. Returns true if there is more to merge right now. Sets *@interesting, but never
 * clears it.
 */
static bool bcos_pass(bool *interesting)
{
	struct bcos_log *log = &bcos_writer.log;
	u32 quiet[BCOS_QUIET_MAX];
	u32 quiets = bcos_waiters_quiet(quiet, BCOS_QUIET_MAX);
	struct llist_node *done;
	bool more, walk, news;
	u64 compactions, asked;

	memcpy(log->quiet, quiet, quiets * sizeof(*quiet));
	log->quiets = quiets;
	bcos_look_at_host(log);
	asked = bcos_wakeup_asked();
	done = bcos_jobs_run(&bcos_writer.jobs, log);
	bcos_missed_tell(log);
	more = bcos_kmsg_read(log, bcos_writer.merge.horizon);
	/* The last pass may have gone beyond the setting, and this one would go further. */
	bcos_writer.merge.pause = bcos_state_clock(log);
	more |= bcos_merge_pass(&bcos_writer.merge, bcos_clock, BCOS_PASS_UNITS);
	bcos_end_pause(log);
	/* Readers and events rely on the horizon, so it never decreases. */
	WARN_ON_ONCE(bcos_writer.merge.horizon < bcos_writer.horizon);
	WRITE_ONCE(bcos_writer.horizon, bcos_writer.merge.horizon);
	bcos_look_at_cores(log);
	bcos_figures_publish(&bcos_writer.figures, log, bcos_writer.merge.passes);
	news = log->interesting;
	log->interesting = false;
	bcos_answer(news, asked);
	walk = log->needs_walk && !log->seen && !log->walking;
	/*
	 * The result of a walk is compared once the horizon has passed the walk, so another pass
	 * must follow.
	 */
	if (log->seen)
		bcos_writer_kick();
	compactions = log->ring.now.compactions;
	*interesting |= news;
	bcos_jobs_done(done);
	bcos_wakeup_merged();
	if (compactions != bcos_writer.compactions) {
		bcos_writer.compactions = compactions;
		bcos_waiters_compacted();
	}
	if (walk)
		bcos_rewalk();
	return more;
}

static void bcos_drain(void)
{
	u64 begin = bcos_now();
	bool interesting = false, ever = false, more;

	do {
		more = bcos_pass(&interesting);
		if (!more || bcos_now() - begin >= BCOS_SLICE_NS) {
			bcos_waiters_appended(interesting);
			ever |= interesting;
			interesting = false;
		}
		if (!more && !bcos_wakeup_is_due())
			break;
		if (!more || bcos_now() - begin >= BCOS_SLICE_NS) {
			usleep_range(BCOS_REST_US, 2 * BCOS_REST_US);
			begin = bcos_now();
		}
		cond_resched();
	} while (!kthread_should_stop());
	bcos_wakeup_rearm(ever);
}

static void bcos_tell_requests_gone(void)
{
	void (*tell)(void) = READ_ONCE(bcos_writer.requests_gone);

	if (!tell || !bcos_writer.log.request_gone)
		return;
	bcos_writer.log.request_gone = false;
	tell();
}

static int bcos_writer_thread(void *unused)
{
	while (!kthread_should_stop()) {
		if (!bcos_wakeup_wait())
			continue;
		WRITE_ONCE(bcos_writer.wakeups, bcos_writer.wakeups + 1);
		bcos_drain();
		bcos_tell_requests_gone();
	}
	return 0;
}

/* ---- for others ------------------------------------------------------------ */

void bcos_writer_do(bcos_job run, void *data)
{
	/* A job from the thread itself would wait for ever. */
	if (WARN_ON_ONCE(bcos_writer_is_current()))
		return;
	/*
	 * Until the thread runs, the loader of the module is alone with the log, except for CPUs
	 * that come online.
	 */
	if (READ_ONCE(bcos_writer.begun))
		bcos_jobs_do(&bcos_writer.jobs, run, data, bcos_writer_kick);
	else
		run(&bcos_writer.log, data);
}

static void bcos_new_timebase(struct bcos_log *log, void *unused)
{
	bcos_timebase_reset(&bcos_writer.merge.timebase);
	bcos_merge_time(&bcos_writer.merge, bcos_clock());
}

void bcos_writer_new_timebase(void)
{
	bcos_writer_do(bcos_new_timebase, NULL);
}

bool bcos_writer_is_current(void)
{
	return current == READ_ONCE(bcos_writer.thread);
}

u64 bcos_writer_horizon(void)
{
	return READ_ONCE(bcos_writer.horizon);
}

static void bcos_no_job(struct bcos_log *log, void *unused)
{
}

void bcos_writer_tell_requests_gone(void (*tell)(void))
{
	WRITE_ONCE(bcos_writer.requests_gone, tell);
	/* The thread may still be calling the previous function. */
	bcos_writer_do(bcos_no_job, NULL);
}

static void bcos_want_walk(struct bcos_log *log, void *unused)
{
	log->needs_walk = true;
}

void bcos_writer_resync(void)
{
	bcos_writer_do(bcos_want_walk, NULL);
}

void bcos_writer_status(struct bcos_status *status)
{
	bcos_figures_get(&bcos_writer.figures, status);
	status->wakeups = READ_ONCE(bcos_writer.wakeups);
}

const struct bcos_ring *bcos_writer_ring(void)
{
	return &bcos_writer.log.ring;
}

u64 bcos_writer_time(void)
{
	return bcos_merge_time(&bcos_writer.merge, bcos_clock());
}

struct bcos_new_cpu {
	unsigned int cpu;
	struct bcos_unit *ring;
	u64 size;
};

static void bcos_begin_stage(void *data)
{
	const struct bcos_new_cpu *new = data;

	bcos_stage_init(per_cpu_ptr(&bcos_stages, new->cpu), new->ring, new->size);
}

/*
 * A CPU that is online may be recording, so it begins to use the ring itself, in an interrupt: it
 * stages nothing meanwhile. It stays online or offline until this is done.
 */
static void bcos_add_cpu(struct bcos_log *log, void *data)
{
	const struct bcos_new_cpu *new = data;

	if (new->ring && (!cpu_online(new->cpu) ||
			  smp_call_function_single(new->cpu, bcos_begin_stage, data, true)))
		bcos_begin_stage(data);
	bcos_merge_add(&bcos_writer.merge, new->cpu, per_cpu_ptr(&bcos_stages, new->cpu));
}

void bcos_writer_add_cpu(unsigned int cpu, struct bcos_unit *ring, u64 size)
{
	struct bcos_new_cpu new = { .cpu = cpu, .ring = ring, .size = size };

	bcos_writer_do(bcos_add_cpu, &new);
}

/* ---- bring-up -------------------------------------------------------------- */

int bcos_writer_begin(const struct bcos_seen_cpu *cpus, u32 cpu_count,
		      const struct bcos_seen *seen, u32 seen_count, u64 from, u64 begin)
{
	int error;

	error = bcos_log_prime(&bcos_writer.log, cpus, cpu_count, seen, seen_count, from, begin);
	if (error)
		return error;
	bcos_figures_publish(&bcos_writer.figures, &bcos_writer.log, 0);
	WRITE_ONCE(bcos_writer.begun, true);
	wake_up_process(bcos_writer.thread);
	bcos_writer_kick();
	/*
	 * After a second the mean rate of the kernel's clock is known, and the next sample begins a
	 * line with it.
	 */
	bcos_wakeup_after(HZ);
	return 0;
}

static int bcos_log_up(void)
{
	u32 precision = max_t(u64, ktime_get_resolution_ns(), 1);
	int error;

	error = bcos_log_init(&bcos_writer.log, &bcos_kernel_host, &bcos_writer.thread,
			      bcos_mapping_ring(), bcos_mapping_ring_size(), nr_cpu_ids, precision);
	if (error)
		return error;
	bcos_ring_share(&bcos_writer.log.ring, bcos_mapping_base(), PAGE_SIZE);
	error = bcos_merge_init(&bcos_writer.merge, &bcos_writer.log, nr_cpu_ids + 1);
	if (error) {
		bcos_log_destroy(&bcos_writer.log);
		return error;
	}
	bcos_waiters_up(&bcos_writer.log.ring);
	bcos_merge_add(&bcos_writer.merge, nr_cpu_ids, bcos_kmsg_stage());
	bcos_writer.merge.sample = bcos_clock_sample;
	bcos_publish_up(&bcos_writer.merge);
	bcos_writer.log.hide_calls = !bcos_params.api_numbers;
	bcos_writer.log.elsewhere_limit = bcos_params.other_interfaces;
	bcos_identity_up();
	bcos_count_up();
	bcos_log_say(&bcos_writer.log, bcos_identity_now(), bcos_now());
	bcos_writer.next_look = jiffies + BCOS_PERIOD;
	return error;
}

static void bcos_log_down(void)
{
	bcos_count_down();
	bcos_merge_destroy(&bcos_writer.merge);
	bcos_log_destroy(&bcos_writer.log);
}

int bcos_writer_up(void)
{
	struct task_struct *thread;
	int error;

	bcos_staging_wake_by(bcos_writer_kick);
	bcos_wakeup_up();
	error = bcos_log_up();
	if (error) {
		pr_err("cannot create a log of %u KiB for CPU numbers up to %u: error %d; choose a larger ring_kb, or free memory\n",
		       bcos_params.ring_kb, nr_cpu_ids - 1, error);
		return error;
	}
	thread = kthread_create(bcos_writer_thread, NULL, "bcos_evlog");
	if (IS_ERR(thread)) {
		bcos_log_down();
		return PTR_ERR(thread);
	}
	if (bcos_params.writer_rt)
		sched_set_fifo_low(thread);
	bcos_writer.thread = thread;
	return 0;
}

void bcos_writer_down(void)
{
	bool interesting = false;

	WRITE_ONCE(bcos_writer.closing, true);
	/* Once this job has run, the thread has seen @closing. */
	bcos_writer_do(bcos_no_job, NULL);
	bcos_walk_stop();
	kthread_stop(bcos_writer.thread);
	/* On kernels without timer_shutdown_sync() the thread may have restarted a timer. */
	bcos_writer_quiesce();
	while (bcos_writer.begun && bcos_pass(&interesting))
		cond_resched();
	bcos_log_down();
}
