// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The log as messages for a collector: see translator.h. */
#include "entry.h"
#include "message.h"
#include "phrase.h"
#include "translator.h"

void bcos_view_init(struct bcos_view *view, u32 self)
{
	memset(view, 0, sizeof(*view));
	view->self = self;
}

void bcos_view_put(struct bcos_view *view, const struct bcos_entry *entry)
{
	view->entry = entry;
	view->step = 0;
}

static bool wants(const struct bcos_view *view, u32 id)
{
	return view->mask >> (id < 32 ? id - 1 : 31) & 1;
}

static bool monitors(const struct bcos_view *view, u32 id, u32 kind)
{
	return wants(view, id) && view->monitor & kind;
}

static u32 stamp(const struct bcos_view *view, u64 time)
{
	return view->timer ? view->timer(view->context, time) : (u32)time;
}

/* Makes a message whose first word is the entry's time. */
static void say(struct bcos_view *view, u32 id, u32 count, u32 second, u32 third)
{
	view->id = id;
	view->count = count;
	view->words[0] = stamp(view, view->entry->time);
	view->words[1] = second;
	view->words[2] = third;
}

static void sleep_message(struct bcos_view *view, const char *text, size_t length)
{
	u32 interrupt;
	u64 slept;

	if (!bcos_phrase_idle_parse(text, length, &slept, &interrupt))
		return;
	say(view, BCOS_MESSAGE_SLEEP, 3, stamp(view, view->entry->time), interrupt);
	view->words[0] = stamp(view, view->entry->time - slept);
}

static void state_message(struct bcos_view *view, const char *text, size_t length)
{
	u32 thread, state;

	if (bcos_phrase_thread_parse(text, length, &thread, &state))
		say(view, BCOS_MESSAGE_TASK_STATE, 3, thread, state);
}

/* ---- entries ----------------------------------------------------------------------- */

static void custom_message(struct bcos_view *view, u32 id, const char *text, size_t length)
{
	int count;

	if (length == strlen(BCOS_MESSAGE_TIMED) && !memcmp(text, BCOS_MESSAGE_TIMED, length)) {
		say(view, id, 1, 0, 0);
		return;
	}
	count = bcos_words_parse(view->words, text, length);
	if (count < 0)
		return;
	view->id = id;
	view->count = (u32)count;
}

static void generic(struct bcos_view *view)
{
	const struct bcos_generic *event = (const struct bcos_generic *)view->entry;
	size_t length;
	const char *text = bcos_entry_text(view->entry, &length);
	u32 id = event->event_id;
	u64 missed;

	switch (view->entry->type) {
	case BCOS_GENERIC_CPU:
		if (id == BCOS_EVENT_LOSS)
			view->dropped += bcos_phrase_lost_count(text, length);
		else if (id == BCOS_EVENT_IDLE && wants(view, BCOS_MESSAGE_SLEEP))
			sleep_message(view, text, length);
		break;
	case BCOS_GENERIC_DEVICE:
		if (id == BCOS_EVENT_MISSED && view->entry->source == BCOS_DEVICE_SELF &&
		    bcos_phrase_missed_parse(text, length, &missed))
			view->dropped += missed;
		break;
	case BCOS_GENERIC_PROCESS:
		if (id == BCOS_EVENT_TASK_STATE) {
			if (view->entry->source != view->self &&
			    monitors(view, BCOS_MESSAGE_TASK_STATE, BCOS_MONITOR_STATE))
				state_message(view, text, length);
			break;
		}
		id ^= BCOS_EVENT_MESSAGE;
		if (id >= BCOS_MESSAGE_ID_MIN && id <= BCOS_MESSAGE_ID_MAX && wants(view, id))
			custom_message(view, id, text, length);
		break;
	}
}

/* Gives a message for each function, or one message if the function numbers are suppressed. */
static void packet(struct bcos_view *view, u32 step)
{
	const struct bcos_kernel_api *call = (const struct bcos_kernel_api *)view->entry;
	u32 count = (view->entry->size - (u32)sizeof(*call)) / (u32)sizeof(u32);

	if (view->entry->source == view->self || !monitors(view, BCOS_MESSAGE_PACKET, BCOS_MONITOR_SERVICE))
		return;
	if (step < count)
		say(view, BCOS_MESSAGE_PACKET, 3, view->entry->source, call->function[step]);
	else if (!step)
		say(view, BCOS_MESSAGE_PACKET, 3, view->entry->source, BCOS_MESSAGE_UNKNOWN);
}

static void assignment(struct bcos_view *view, u32 step)
{
	u32 process = ((const struct bcos_assign_cpu *)view->entry)->process;

	if (process == view->self)
		return;
	if (!step && wants(view, BCOS_MESSAGE_SWITCH))
		say(view, BCOS_MESSAGE_SWITCH, 2, process, 0);
	if (step && process != BCOS_PROCESS_KERNEL && process != BCOS_PROCESS_IDLE &&
	    monitors(view, BCOS_MESSAGE_TASK_STATE, BCOS_MONITOR_SWAP))
		say(view, BCOS_MESSAGE_TASK_STATE, 3, process, BCOS_STATE_RUNS);
}

/*
 * Makes message number @step of the entry, if it is to be shown. Returns true if there may be
 * another.
 */
static bool look(struct bcos_view *view, u32 step)
{
	const struct bcos_entry *entry = view->entry;

	switch (entry->type) {
	case BCOS_ASSIGN_CPU:
		assignment(view, step);
		return !step;
	case BCOS_KERNEL_API:
		packet(view, step);
		return (step + 2) * sizeof(u32) <= entry->size - sizeof(struct bcos_kernel_api);
	case BCOS_IRQ:
		if (wants(view, BCOS_MESSAGE_INTERRUPT))
			say(view, BCOS_MESSAGE_INTERRUPT, 3, entry->source, ((const struct bcos_irq *)entry)->number);
		return false;
	case BCOS_GENERIC_PROCESS:
	case BCOS_GENERIC_CPU:
	case BCOS_GENERIC_DEVICE:
		generic(view);
		return false;
	case BCOS_SET_PROCESS_NAME:
	case BCOS_CANCEL_PROCESS_NAME:
	case BCOS_CORE_ONLINE:
	case BCOS_CORE_OFFLINE:
	case BCOS_CPU_ONLINE:
	case BCOS_CPU_OFFLINE:
		if (monitors(view, BCOS_MESSAGE_KERNEL_EVENT, BCOS_MONITOR_EVENT))
			say(view, BCOS_MESSAGE_KERNEL_EVENT, 2, entry->type, 0);
		return false;
	default:
		return false;
	}
}

int bcos_view_get(struct bcos_view *view, u32 *id, u32 *dropped, u32 *words, u32 *size)
{
	u32 room = *size;

	while (!view->id) {
		if (!view->entry)
			return 0;
		if (!look(view, view->step++))
			view->entry = NULL;
	}
	*size = view->count;
	if (view->count > room)
		return -EMSGSIZE;
	*id = view->id;
	*dropped = view->dropped < 0xFFFFFFFFu ? (u32)view->dropped : 0xFFFFFFFFu;
	memcpy(words, view->words, view->count * sizeof(u32));
	view->id = 0;
	view->dropped = 0;
	return (int)view->count;
}
