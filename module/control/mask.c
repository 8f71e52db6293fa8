// SPDX-License-Identifier: GPL-2.0-only
/* Changes the class mask while the log runs, and by the parameter: see mask.h. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/capability.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "capture/event.h"
#include "capture/probes/device.h"
#include "capture/probes/probes.h"
#include "capture/request.h"
#include "core/capture/hook.h"
#include "core/format/statement_text.h"
#include "core/rules/rules.h"
#include "core/write/statement.h"
#include "writer/command.h"
#include "writer/kmsg.h"
#include "writer/writer.h"
#include "class.h"
#include "mask.h"

enum bcos_mask_phase {
	BCOS_MASK_PARAMETER,	/* not yet loaded: a change sets the initial mask */
	BCOS_MASK_CLOSED,	/* the module is being loaded or unloaded */
	BCOS_MASK_LIVE,
};

/*
 * Guards bcos_mask_phase, bcos_mask, the hooks, and the requests for processes and devices. The
 * holder may wait for the log writer.
 */
static DEFINE_MUTEX(bcos_mask_lock);

static enum bcos_mask_phase bcos_mask_phase;
static u32 bcos_mask = BCOS_CLASS_DEFAULT;

void bcos_mask_query(u32 *mask, u32 *active)
{
	*mask = READ_ONCE(bcos_mask);
	*active = *mask & BCOS_CLASS_SUPPORTED;
}

/* Writes a change to the log, after everything that happened before the call. */
static void bcos_mask_write_change(u32 from, u32 to)
{
	char text[BCOS_MASK_TEXT];
	int length = bcos_mask_format(text, sizeof(text), from, to);

	bcos_write_mask(to, text, length);
}

/* Returns the classes that are requested for single processes or devices. */
static u32 bcos_requested(void)
{
	return bcos_requested_of_devices() | (bcos_calls_are_on() ? BCOS_CLASS_API : 0);
}

/* Turns off the sources of the classes @off, which nobody wants, not even for a single device. */
static void bcos_sources_off(u32 off)
{
	if (off & BCOS_CLASS_IO)
		WRITE_ONCE(bcos_io_on, false);
	bcos_probes_off(off);
}

static int bcos_sources_on(u32 on)
{
	if (on & BCOS_CLASS_IO)
		WRITE_ONCE(bcos_io_on, true);
	return bcos_probes_on(on);
}

/* Turns off the classes @off: their flags, and their sources unless there is a request. */
static void bcos_classes_off(u32 off)
{
	u32 requested;

	if (off & BCOS_CLASS_KMSG) {
		/* Lines printed until now must be recorded. */
		bcos_writer_settle();
		bcos_kmsg_on(false);
	}
	if (off & BCOS_CLASS_USER)
		WRITE_ONCE(bcos_events_on, false);
	if (off & BCOS_CLASS_API)
		WRITE_ONCE(bcos_calls.all, false);
	if (off & BCOS_CLASS_WHO)
		WRITE_ONCE(bcos_who_on, false);
	if (off & BCOS_CLASS_EXEC)
		WRITE_ONCE(bcos_exec_on, false);
	requested = bcos_requested();
	bcos_sources_off(off & ~requested);
	/* Probes that go on for a process or device have seen the flags when this returns. */
	if (off & requested)
		tracepoint_synchronize_unregister();
	/*
	 * The end of a system call under way is no longer recorded, so each CPU states its process.
	 */
	if (off & BCOS_CLASS_KERNEL_TIME)
		bcos_probes_restate();
}

static int bcos_classes_on(u32 on)
{
	if (on & BCOS_CLASS_KMSG)
		bcos_kmsg_on(true);
	if (on & BCOS_CLASS_USER)
		WRITE_ONCE(bcos_events_on, true);
	if (on & BCOS_CLASS_API)
		WRITE_ONCE(bcos_calls.all, true);
	if (on & BCOS_CLASS_WHO)
		WRITE_ONCE(bcos_who_on, true);
	if (on & BCOS_CLASS_EXEC)
		WRITE_ONCE(bcos_exec_on, true);
	return bcos_sources_on(on);
}

/*
 * Turns classes off, writes the entry that says so, then turns classes on. So the entry stands
 * between the last events of the former and the first of the latter. Moves between control groups
 * are staged before it, and ignored: after it the log asks in which groups processes are, and must
 * miss no move since then.
 */
static int bcos_mask_apply(u32 next)
{
	u32 last = bcos_mask;
	u32 off = last & ~next & BCOS_CLASS_SUPPORTED, on = next & ~last & BCOS_CLASS_SUPPORTED;
	int error;

	lockdep_assert_held(&bcos_mask_lock);
	bcos_classes_off(off);
	/* A process that has just exited may have a DEAD record that is no longer made. */
	if (off & BCOS_CLASSES_SWITCHES && !(last & next & BCOS_CLASSES_SWITCHES))
		bcos_writer_resync();
	error = bcos_probes_on(on & BCOS_CLASS_WHO);
	bcos_mask_write_change(last, next);
	WRITE_ONCE(bcos_mask, next);
	error = error ?: bcos_classes_on(on);
	/* The walk finds the names of the threads that are there already. */
	if (!error && on & BCOS_CLASS_STATE)
		bcos_writer_resync();
	if (error) {
		bcos_classes_off(on);
		bcos_mask_write_change(next, next & ~on);
		WRITE_ONCE(bcos_mask, next & ~on);
	}
	return error;
}

int bcos_mask_change(u32 clear, u32 set, u32 *mask, u32 *active)
{
	u32 next;
	int error = 0;

	if (mutex_lock_interruptible(&bcos_mask_lock))
		return -EINTR;
	next = (bcos_mask & ~clear) | set;
	switch (bcos_mask_phase) {
	case BCOS_MASK_PARAMETER:
		WRITE_ONCE(bcos_mask, next);
		break;
	case BCOS_MASK_CLOSED:
		error = -EBUSY;
		break;
	case BCOS_MASK_LIVE:
		if (next != bcos_mask)
			error = bcos_mask_apply(next);
		break;
	}
	if (mask)
		*mask = bcos_mask;
	if (active)
		*active = bcos_mask & BCOS_CLASS_SUPPORTED;
	mutex_unlock(&bcos_mask_lock);
	return error;
}

/* Returns the classes that were requested before, or an error. */
static int bcos_request(u32 classes, u32 source, bool on)
{
	lockdep_assert_held(&bcos_mask_lock);
	if (classes != BCOS_CLASS_API)
		return bcos_request_device(source, classes, on);
	return bcos_calls_request(source, on);
}

/* Turns off the sources that are no longer requested. */
static void bcos_requests_tidy(u32 classes)
{
	lockdep_assert_held(&bcos_mask_lock);
	if (bcos_mask_phase == BCOS_MASK_LIVE)
		bcos_sources_off(classes & ~bcos_mask & ~bcos_requested());
}

int bcos_mask_request(u32 classes, u32 source, bool on)
{
	int before, error;

	if (mutex_lock_interruptible(&bcos_mask_lock))
		return -EINTR;
	before = bcos_mask_phase == BCOS_MASK_LIVE ? bcos_request(classes, source, on) : -EBUSY;
	error = min(before, 0);
	if (!error && on) {
		error = bcos_sources_on(classes);
		if (error)
			bcos_request(classes & ~before, source, false);
	}
	bcos_requests_tidy(classes);
	mutex_unlock(&bcos_mask_lock);
	return error;
}

/*
 * This runs in a work item: a holder of the lock may wait for the log writer, so the writer must
 * not take it.
 */
static void bcos_tidy_requests(struct work_struct *work)
{
	mutex_lock(&bcos_mask_lock);
	bcos_requests_tidy(BCOS_LOG_REQUESTS);
	mutex_unlock(&bcos_mask_lock);
}

static DECLARE_WORK(bcos_tidy_work, bcos_tidy_requests);

static void bcos_mask_requests_gone(void)
{
	schedule_work(&bcos_tidy_work);
}

static void bcos_mask_enter(enum bcos_mask_phase phase)
{
	mutex_lock(&bcos_mask_lock);
	WRITE_ONCE(bcos_mask_phase, phase);
	mutex_unlock(&bcos_mask_lock);
}

int bcos_mask_up(void)
{
	bcos_mask_enter(BCOS_MASK_CLOSED);
	WRITE_ONCE(bcos_events_on, bcos_mask & BCOS_CLASS_USER);
	WRITE_ONCE(bcos_io_on, bcos_mask & BCOS_CLASS_IO);
	WRITE_ONCE(bcos_calls.all, bcos_mask & BCOS_CLASS_API);
	WRITE_ONCE(bcos_who_on, bcos_mask & BCOS_CLASS_WHO);
	WRITE_ONCE(bcos_exec_on, bcos_mask & BCOS_CLASS_EXEC);
	bcos_start_mask(bcos_mask);
	if (bcos_mask & BCOS_CLASS_KMSG)
		bcos_kmsg_on(true);
	return bcos_probes_up(bcos_mask & BCOS_CLASS_SUPPORTED);
}

void bcos_mask_down(void)
{
	bcos_probes_down();
}

int bcos_mask_live_up(void)
{
	bcos_mask_enter(BCOS_MASK_LIVE);
	bcos_writer_tell_requests_gone(bcos_mask_requests_gone);
	return 0;
}

void bcos_mask_live_down(void)
{
	bcos_writer_tell_requests_gone(NULL);
	cancel_work_sync(&bcos_tidy_work);
	bcos_mask_enter(BCOS_MASK_CLOSED);
}

/* ---- the parameter ----------------------------------------------------------- */

static char bcos_bad_mask[64];

static void bcos_mask_explain(void)
{
	char classes[128];

	bcos_classes_format(classes, sizeof(classes), BCOS_CLASS_ALL);
	pr_err("mask=%s is neither a number up to %#x nor a list of %s,all\n", bcos_bad_mask,
	       BCOS_CLASS_ALL, classes);
}

/* A write to /sys/module/bcos_evlog/parameters/mask also comes here. */
static int bcos_mask_set(const char *text, const struct kernel_param *kp)
{
	u32 mask;

	/* Until the module is loaded the loader chooses; later this is like BCOS_IOC_MASK. */
	if (READ_ONCE(bcos_mask_phase) != BCOS_MASK_PARAMETER && !perfmon_capable())
		return -EPERM;
	if (!bcos_classes_parse(text, &mask)) {
		bcos_bad_mask[0] = 0;
		return bcos_mask_change(BCOS_CLASS_ALL, mask, NULL, NULL);
	}
	strscpy(bcos_bad_mask, text, sizeof(bcos_bad_mask));
	bcos_bad_mask[strcspn(bcos_bad_mask, "\n")] = 0;
	if (!bcos_bad_mask[0])
		strscpy(bcos_bad_mask, "(nothing)", sizeof(bcos_bad_mask));
	if (READ_ONCE(bcos_mask_phase) == BCOS_MASK_PARAMETER)
		return 0;
	bcos_mask_explain();
	return -EINVAL;
}

static int bcos_mask_get(char *buffer, const struct kernel_param *kp)
{
	u32 mask, active;
	int length;

	bcos_mask_query(&mask, &active);
	length = bcos_classes_format(buffer, PAGE_SIZE - 1, mask);
	buffer[length++] = '\n';
	return length;
}

static const struct kernel_param_ops bcos_mask_ops = {
	.set = bcos_mask_set,
	.get = bcos_mask_get,
};

module_param_cb(mask, &bcos_mask_ops, NULL, 0644);
MODULE_PARM_DESC(mask,
		 "Classes of events to record, names or a number (assign,irq,user,kmsg,io,who)");

int bcos_mask_check(void)
{
	if (!bcos_bad_mask[0])
		return 0;
	bcos_mask_explain();
	return -EINVAL;
}
