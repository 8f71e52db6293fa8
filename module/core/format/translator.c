// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Translates entries to messages: see translator.h. */
#include "entry.h"
#include "loss_text.h"
#include "message.h"
#include "phrase.h"
#include "thread_text.h"
#include "translator.h"

void bcos_translator_init(struct bcos_translator *translator, u32 self)
{
	memset(translator, 0, sizeof(*translator));
	translator->self = self;
}

void bcos_translator_put(struct bcos_translator *translator, const struct bcos_entry *entry)
{
	translator->entry = entry;
	translator->step = 0;
}

static bool wants_message(const struct bcos_translator *translator, u32 id)
{
	return translator->mask >> (id < 32 ? id - 1 : 31) & 1;
}

static bool monitors_process(const struct bcos_translator *translator, u32 id, u32 kind)
{
	return wants_message(translator, id) && translator->monitor & kind;
}

static u32 time_stamp(const struct bcos_translator *translator, u64 time)
{
	return translator->timer ? translator->timer(translator->context, time) : (u32)time;
}

/* Makes a message whose first word is the entry's time. */
static void put_message(struct bcos_translator *translator, u32 id, u32 count, u32 second,
			u32 third)
{
	translator->id = id;
	translator->count = count;
	translator->words[0] = time_stamp(translator, translator->entry->time);
	translator->words[1] = second;
	translator->words[2] = third;
}

static void sleep_message(struct bcos_translator *translator, const char *text, size_t length)
{
	u32 state, interrupt;
	u64 slept;

	if (!bcos_phrase_idle_parse(text, length, &state, &slept, &interrupt))
		return;
	put_message(translator, BCOS_MESSAGE_SLEEP, 3,
		    time_stamp(translator, translator->entry->time), interrupt);
	translator->words[0] = time_stamp(translator, translator->entry->time - slept);
}

static void task_state_message(struct bcos_translator *translator)
{
	u64 time = translator->entry->time;
	struct bcos_thread_phrase phrase;

	if (!bcos_thread_told(&phrase, translator->entry))
		return;
	/*
	 * Message 4 with the state "runs" is about a process that gets a CPU, and never about a
	 * thread. An event that a thread runs may tell that it was woken before.
	 */
	if (phrase.state == BCOS_STATE_RUNS && !phrase.by)
		return;
	if (phrase.state == BCOS_STATE_RUNS)
		phrase.state = BCOS_STATE_WOKEN;
	put_message(translator, BCOS_MESSAGE_TASK_STATE, 3, phrase.thread, phrase.state);
	if (phrase.state == BCOS_STATE_WOKEN && phrase.delay < time)
		translator->words[0] = time_stamp(translator, time - phrase.delay);
}

/* ---- entries ----------------------------------------------------------------------- */

static void custom_message(struct bcos_translator *translator, u32 id, const char *text,
			   size_t length)
{
	int count;

	if (length == strlen(BCOS_MESSAGE_TIMED) && !memcmp(text, BCOS_MESSAGE_TIMED, length)) {
		put_message(translator, id, 1, 0, 0);
		return;
	}
	count = bcos_message_parse(translator->words, text, length);
	if (count < 0)
		return;
	translator->id = id;
	translator->count = (u32)count;
}

static void translate_generic(struct bcos_translator *translator)
{
	const struct bcos_generic *event = (const struct bcos_generic *)translator->entry;
	size_t length;
	const char *text = bcos_entry_text(translator->entry, &length);
	u32 id = event->event_id;
	u64 missed;

	switch (translator->entry->type) {
	case BCOS_GENERIC_CPU:
		if (id == BCOS_EVENT_LOSS)
			translator->dropped += bcos_loss_text_counted(text, length);
		else if (id == BCOS_EVENT_IDLE && wants_message(translator, BCOS_MESSAGE_SLEEP))
			sleep_message(translator, text, length);
		break;
	case BCOS_GENERIC_DEVICE:
		if (id == BCOS_EVENT_MISSED && translator->entry->source == BCOS_DEVICE_SELF &&
		    bcos_phrase_missed_parse(text, length, &missed))
			translator->dropped += missed;
		break;
	case BCOS_GENERIC_PROCESS:
		if (bcos_is_thread_event(id)) {
			if (translator->entry->source != translator->self &&
			    monitors_process(translator, BCOS_MESSAGE_TASK_STATE,
					     BCOS_MONITOR_STATE))
				task_state_message(translator);
			break;
		}
		id ^= BCOS_EVENT_MESSAGE;
		if (id >= BCOS_MESSAGE_ID_MIN && id <= BCOS_MESSAGE_ID_MAX &&
		    wants_message(translator, id))
			custom_message(translator, id, text, length);
		break;
	}
}

/*
 * Makes a message for the function number @step of the entry, or one message if function numbers
 * are suppressed.
 */
static void translate_packet(struct bcos_translator *translator, u32 step)
{
	const struct bcos_kernel_api *call = (const struct bcos_kernel_api *)translator->entry;
	u32 count = (translator->entry->size - (u32)sizeof(*call)) / (u32)sizeof(u32);

	if (translator->entry->source == translator->self ||
	    !monitors_process(translator, BCOS_MESSAGE_PACKET, BCOS_MONITOR_SERVICE))
		return;
	if (step < count)
		put_message(translator, BCOS_MESSAGE_PACKET, 3, translator->entry->source,
			    call->function[step]);
	else if (!step)
		put_message(translator, BCOS_MESSAGE_PACKET, 3, translator->entry->source,
			    BCOS_MESSAGE_UNKNOWN);
}

static void translate_assignment(struct bcos_translator *translator, u32 step)
{
	u32 process = ((const struct bcos_assign_cpu *)translator->entry)->process;

	if (process == translator->self)
		return;
	if (!step && wants_message(translator, BCOS_MESSAGE_SWITCH))
		put_message(translator, BCOS_MESSAGE_SWITCH, 2, process, 0);
	if (step && process != BCOS_PROCESS_KERNEL && process != BCOS_PROCESS_IDLE &&
	    monitors_process(translator, BCOS_MESSAGE_TASK_STATE, BCOS_MONITOR_SWAP))
		put_message(translator, BCOS_MESSAGE_TASK_STATE, 3, process, BCOS_STATE_RUNS);
}

/*
 * Makes message number @step of the entry, if the collector wants it. Returns true if the entry may
 * have another message.
 */
static bool look_at_step(struct bcos_translator *translator, u32 step)
{
	const struct bcos_entry *entry = translator->entry;

	switch (entry->type) {
	case BCOS_ASSIGN_CPU:
		translate_assignment(translator, step);
		return !step;
	case BCOS_KERNEL_API:
		translate_packet(translator, step);
		return (step + 2) * sizeof(u32) <= entry->size - sizeof(struct bcos_kernel_api);
	case BCOS_IRQ:
		if (wants_message(translator, BCOS_MESSAGE_INTERRUPT))
			put_message(translator, BCOS_MESSAGE_INTERRUPT, 3, entry->source,
				    ((const struct bcos_irq *)entry)->number);
		return false;
	case BCOS_GENERIC_PROCESS:
	case BCOS_GENERIC_CPU:
	case BCOS_GENERIC_DEVICE:
		translate_generic(translator);
		return false;
	case BCOS_SET_PROCESS_NAME:
	case BCOS_CANCEL_PROCESS_NAME:
	case BCOS_CORE_ONLINE:
	case BCOS_CORE_OFFLINE:
	case BCOS_CPU_ONLINE:
	case BCOS_CPU_OFFLINE:
		if (monitors_process(translator, BCOS_MESSAGE_KERNEL_EVENT, BCOS_MONITOR_EVENT))
			put_message(translator, BCOS_MESSAGE_KERNEL_EVENT, 2, entry->type, 0);
		return false;
	default:
		return false;
	}
}

int bcos_translator_get(struct bcos_translator *translator, u32 *id, u32 *dropped, u32 *words,
			u32 *size)
{
	u32 room = *size;

	while (!translator->id) {
		if (!translator->entry)
			return 0;
		if (!look_at_step(translator, translator->step++))
			translator->entry = NULL;
	}
	*size = translator->count;
	if (translator->count > room)
		return -EMSGSIZE;
	*id = translator->id;
	*dropped = translator->dropped < 0xFFFFFFFFu ? (u32)translator->dropped : 0xFFFFFFFFu;
	memcpy(words, translator->words, translator->count * sizeof(u32));
	translator->id = 0;
	translator->dropped = 0;
	return (int)translator->count;
}
