// SPDX-License-Identifier: GPL-2.0-only
/* The class mask: its text form, and changes while the log runs. */
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "core/rules/rules.h"
#include "core/write/statement.h"
#include "capture/event.h"
#include "writer/kmsg.h"
#include "mask.h"
#include "capture/probes/device.h"
#include "capture/probes/probes.h"
#include "capture/request.h"
#include "writer/statement.h"
#include "writer/writer.h"

static const struct {
	const char *name;
	u32 bits;
} bcos_classes[] = {
	{ "assign", BCOS_CLASS_ASSIGN },
	{ "irq", BCOS_CLASS_IRQ },
	{ "user", BCOS_CLASS_USER },
	{ "kmsg", BCOS_CLASS_KMSG },
	{ "io", BCOS_CLASS_IO },
	{ "api", BCOS_CLASS_API },
	{ "kernel_time", BCOS_CLASS_KERNEL_TIME },
	{ "idle", BCOS_CLASS_IDLE },
	{ "state", BCOS_CLASS_STATE },
	{ "who", BCOS_CLASS_WHO },
	{ "exec", BCOS_CLASS_EXEC },
};

enum bcos_mask_state {
	BCOS_MASK_PARAMETER,	/* not yet loaded: a change sets the initial mask */
	BCOS_MASK_CLOSED,	/* the module is being loaded or unloaded */
	BCOS_MASK_LIVE,
};

static DEFINE_MUTEX(bcos_mask_lock);
static enum bcos_mask_state bcos_mask_state;
static u32 bcos_mask = BCOS_CLASS_DEFAULT;

/* Parses one number or name of @length bytes. */
static int bcos_mask_word(const char *word, size_t length, u32 *bits)
{
	char text[16];
	size_t i;

	if (!length || length >= sizeof(text))
		return -EINVAL;
	memcpy(text, word, length);
	text[length] = 0;
	if (!strcmp(text, "all")) {
		*bits = BCOS_CLASS_ALL;
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(bcos_classes); i++) {
		if (strcmp(text, bcos_classes[i].name))
			continue;
		*bits = bcos_classes[i].bits;
		return 0;
	}
	if (kstrtouint(text, 0, bits))
		return -EINVAL;
	if (*bits == BCOS_CLASS_EVERY)
		*bits = BCOS_CLASS_ALL;
	return *bits & ~BCOS_CLASS_ALL ? -EINVAL : 0;
}

int bcos_mask_parse(const char *text, u32 *mask)
{
	u32 result = 0, bits;
	size_t length;

	for (;;) {
		length = strcspn(text, ",\n");
		if (bcos_mask_word(text, length, &bits))
			return -EINVAL;
		result |= bits;
		text += length;
		if (*text != ',')
			break;
		text++;
	}
	if (text[0] == '\n')
		text++;
	if (text[0])
		return -EINVAL;
	*mask = result;
	return 0;
}

int bcos_mask_format(char *text, size_t size, u32 mask)
{
	size_t i;
	int at = 0;

	for (i = 0; i < ARRAY_SIZE(bcos_classes); i++)
		if (mask & bcos_classes[i].bits)
			at += scnprintf(text + at, size - at, "%s%s", at ? "," : "",
					bcos_classes[i].name);
	if (!at)
		at = scnprintf(text, size, "0");
	return at;
}

bool bcos_mask_is_parameter(void)
{
	return READ_ONCE(bcos_mask_state) == BCOS_MASK_PARAMETER;
}

void bcos_mask_query(u32 *mask, u32 *active)
{
	*mask = READ_ONCE(bcos_mask);
	*active = *mask & BCOS_CLASS_SUPPORTED;
}

/* States a change in the log, after everything that happened before the call. */
static void bcos_mask_state_change(u32 from, u32 to)
{
	char text[200];
	int length = bcos_mask_words(text, sizeof(text), from, to);

	bcos_state_mask(to, text, length);
}

/* Returns the classes that are requested for single processes or devices. */
static u32 bcos_requested(void)
{
	return bcos_requested_of_devices() | (bcos_calls_are_on() ? BCOS_CLASS_API : 0);
}

/* Turns off sources that nobody wants, not even for a single device. */
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

/* Turns off classes, also in places other than their tracepoints. */
static void bcos_classes_off(u32 off)
{
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
	bcos_sources_off(off & ~bcos_requested());
	/* The end of a system call under way is no longer recorded. */
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
 * Turns classes off, writes the entry, then turns classes on: so the entry stands between their
 * events.
 */
static int bcos_mask_apply(u32 next)
{
	u32 last = bcos_mask;
	u32 off = last & ~next & BCOS_CLASS_SUPPORTED, on = next & ~last & BCOS_CLASS_SUPPORTED;
	int error;

	bcos_classes_off(off);
	/* A process that has just exited may now never be seen to die. */
	if (off & BCOS_CLASSES_SWITCHES && !(last & next & BCOS_CLASSES_SWITCHES))
		bcos_writer_resync();
	bcos_mask_state_change(last, next);
	WRITE_ONCE(bcos_mask, next);
	error = bcos_classes_on(on);
	if (error) {
		bcos_classes_off(on);
		bcos_mask_state_change(next, next & ~on);
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
	switch (bcos_mask_state) {
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
	if (classes != BCOS_CLASS_API)
		return bcos_request_device(source, classes, on);
	return bcos_calls_request(source, on);
}

/* Turns off the sources that are no longer requested. */
static void bcos_requests_tidy(u32 classes)
{
	if (bcos_mask_state == BCOS_MASK_LIVE)
		bcos_sources_off(classes & ~bcos_mask & ~bcos_requested());
}

int bcos_mask_request(u32 classes, u32 source, bool on)
{
	int before, error;

	if (mutex_lock_interruptible(&bcos_mask_lock))
		return -EINTR;
	before = bcos_mask_state == BCOS_MASK_LIVE ? bcos_request(classes, source, on) : -EBUSY;
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

/* The holder of the lock may wait for the log writer, so the writer must not take it. */
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

static void bcos_mask_enter(enum bcos_mask_state state)
{
	mutex_lock(&bcos_mask_lock);
	WRITE_ONCE(bcos_mask_state, state);
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
