// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Writes events about threads (class state), and holds back that a thread was woken until it runs,
 * so that one event tells both. A waking has an event of its own if the thread does not run soon,
 * if anything else happens to the thread before, before its waker or its device ends, where records
 * are lost, and at the end of a pass: what readers see is complete. So the events of a thread keep
 * their order, and a lost record costs what it would have told.
 */
#include "core/format/thread_text.h"
#include "core/model/device.h"
#include "core/write/emit.h"
#include "core/write/event.h"
#include "rules.h"

void bcos_wakings_init(struct bcos_wakings *all)
{
	memset(all, 0, sizeof(*all));
	all->due = ~0ull;
}

static u8 *bucket_of(struct bcos_wakings *all, u32 thread)
{
	return &all->bucket[thread % BCOS_WAKINGS];
}

/* Returns the link to the waking of the thread, or to 0 if it has none. */
static u8 *find_link(struct bcos_wakings *all, u32 thread)
{
	u8 *link = bucket_of(all, thread);

	while (*link && all->waking[*link].thread != thread)
		link = &all->waking[*link].chain;
	return link;
}

static void set_due(struct bcos_wakings *all)
{
	all->due = all->oldest ? all->waking[all->oldest].time + BCOS_WAKING_SPAN : ~0ull;
}

/* Takes the waking out that @link leads to. Its content stays until another one is held. */
static struct bcos_waking *take_out(struct bcos_wakings *all, u8 *link)
{
	u8 number = *link;
	struct bcos_waking *waking = &all->waking[number];

	*link = waking->chain;
	*(waking->older ? &all->waking[waking->older].newer : &all->oldest) = waking->newer;
	*(waking->newer ? &all->waking[waking->newer].older : &all->newest) = waking->older;
	waking->chain = all->unused;
	all->unused = number;
	set_due(all);
	return waking;
}

/* Names the threads that an event tells of, which the newest group may have left out. */
static void state_names(struct bcos_log *log, const struct bcos_thread_phrase *phrase)
{
	bcos_emit_stated_thread(log, phrase->thread);
	if (bcos_names_waker(phrase->by))
		bcos_emit_stated_thread(log, phrase->waker_thread);
}

/* The event refers to the waker's process or the device, so the log must name that first. */
static void state_waker(struct bcos_log *log, const struct bcos_thread_phrase *phrase)
{
	struct bcos_process *process;
	struct bcos_device *device;

	if (bcos_names_waker(phrase->by)) {
		process = bcos_model_process(&log->model, phrase->waker);
		if (process)
			bcos_emit_stated(log, process);
	} else if (phrase->by == BCOS_WOKEN_BY_LINE) {
		device = bcos_model_device(&log->model, phrase->device);
		if (device)
			bcos_emit_stated_device(log, device);
	}
}

u32 bcos_thread_shown(const struct bcos_log *log, u32 id)
{
	const struct bcos_process *process = bcos_model_process(&log->model, id);

	return process && !process->hidden ? id : BCOS_PROCESS_KERNEL;
}

void bcos_thread_tell(struct bcos_log *log, u32 process, const struct bcos_thread_phrase *phrase)
{
	u32 source = bcos_thread_shown(log, process);
	char text[BCOS_THREAD_TEXT];
	size_t length;

	if (!log->begun)
		return;
	state_waker(log, phrase);
	if (unlikely(log->model.threads.left_out))
		state_names(log, phrase);
	length = bcos_thread_format(text, phrase, source);
	bcos_log_event(log, BCOS_GENERIC_PROCESS, source, log->time, log->time_precision,
		       bcos_thread_event(phrase), BCOS_SEVERITY_DEBUG, text, length);
}

/* Sets in @phrase how the thread was woken. */
static void set_waking(const struct bcos_log *log, struct bcos_thread_phrase *phrase,
		       const struct bcos_waking *waking)
{
	phrase->by = waking->by;
	phrase->waker = waking->waker;
	phrase->waker_thread = waking->waker_thread;
	phrase->device = waking->device;
	phrase->has_waker_cpu = true;
	phrase->waker_cpu = waking->cpu;
	phrase->delay = log->time - waking->time;
}

/* Writes a waking as an event of its own. */
static void tell_waking(struct bcos_log *log, u8 *link)
{
	const struct bcos_waking *waking = take_out(&log->wakings, link);
	struct bcos_thread_phrase phrase = { .thread = waking->thread, .state = BCOS_STATE_WOKEN,
					     .has_cpu = true, .cpu = waking->cpu };

	set_waking(log, &phrase, waking);
	bcos_thread_tell(log, waking->process, &phrase);
}

static void tell_oldest(struct bcos_log *log)
{
	struct bcos_wakings *all = &log->wakings;

	tell_waking(log, find_link(all, all->waking[all->oldest].thread));
}

void bcos_wakings_tell_all(struct bcos_log *log)
{
	while (log->wakings.oldest)
		tell_oldest(log);
}

void bcos_wakings_tell_due(struct bcos_log *log, u64 time)
{
	while (time >= log->wakings.due)
		tell_oldest(log);
}

void bcos_wakings_tell(struct bcos_log *log, u32 thread)
{
	u8 *link = find_link(&log->wakings, thread);

	if (*link)
		tell_waking(log, link);
}

void bcos_wakings_tell_of(struct bcos_log *log, u32 id)
{
	struct bcos_wakings *all = &log->wakings;
	const struct bcos_waking *waking;
	u8 number, newer;

	for (number = all->oldest; number; number = newer) {
		waking = &all->waking[number];
		newer = waking->newer;
		if (waking->process == id ||
		    (bcos_names_waker(waking->by) &&
		     (waking->waker == id || waking->waker_thread == id)))
			tell_waking(log, find_link(all, waking->thread));
	}
}

void bcos_wakings_doubt(struct bcos_log *log, u64 until)
{
	bcos_wakings_tell_all(log);
	if (until > log->wakings.doubted)
		log->wakings.doubted = until;
}

/* Returns an unused place, for which the oldest waking may have to be told. */
static u8 get_place(struct bcos_log *log)
{
	struct bcos_wakings *all = &log->wakings;
	u8 number;

	if (!all->unused && all->used < BCOS_WAKINGS - 1)
		return ++all->used;
	if (!all->unused)
		tell_oldest(log);
	number = all->unused;
	all->unused = all->waking[number].chain;
	return number;
}

bool bcos_wakings_hold(struct bcos_log *log, u32 process, const struct bcos_thread_phrase *phrase)
{
	struct bcos_wakings *all = &log->wakings;
	u8 number, *bucket = bucket_of(all, phrase->thread);
	struct bcos_waking *waking;

	bcos_wakings_tell(log, phrase->thread);
	if (!log->begun || log->time <= all->doubted || !phrase->by)
		return false;
	number = get_place(log);
	waking = &all->waking[number];
	*waking = (struct bcos_waking){
		.time = log->time, .thread = phrase->thread, .process = process, .cpu = phrase->cpu,
		.by = phrase->by, .waker = phrase->waker, .waker_thread = phrase->waker_thread,
		.device = phrase->device, .chain = *bucket, .older = all->newest,
	};
	*bucket = number;
	*(all->newest ? &all->waking[all->newest].newer : &all->oldest) = number;
	all->newest = number;
	set_due(all);
	return true;
}

void bcos_wakings_join(struct bcos_log *log, struct bcos_thread_phrase *phrase)
{
	u8 *link = find_link(&log->wakings, phrase->thread);

	if (*link)
		set_waking(log, phrase, take_out(&log->wakings, link));
}
