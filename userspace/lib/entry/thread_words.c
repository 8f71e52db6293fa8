// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes what an entry says about a thread in words: see who.h. The log itself has digits, which are shorter. */
#include <stdarg.h>
#include <stdio.h>

#include "entry/who.h"
#include "core/format/message.h"
#include "core/format/thread_text.h"

struct words {
	char *text;
	size_t length;
};

__attribute__((format(printf, 2, 3))) static void add(struct words *words, const char *format, ...)
{
	va_list list;
	int more;

	va_start(list, format);
	more = vsnprintf(words->text + words->length, BCOSLOG_THREAD_WORDS - words->length, format, list);
	va_end(list);
	if (more > 0)
		words->length += (size_t)more;
}

static void add_call(struct words *words, const struct bcos_thread_phrase *phrase, const char *(*call_name)(__u32 call))
{
	u32 number = phrase->call & ~BCOS_FUNCTION_COMPAT;
	const char *name = call_name && number != BCOS_THREAD_NO_CALL ? call_name(phrase->call) : NULL;

	if (name)
		add(words, " in %.40s", name);
	else if (number == BCOS_THREAD_NO_CALL)
		add(words, " in a system call without a number");
	else
		add(words, " in system call %u%s", number, phrase->call & BCOS_FUNCTION_COMPAT ? " of the 32-bit ABI" : "");
}

static void add_place(struct words *words, const struct bcos_thread_phrase *phrase, const char *(*call_name)(__u32 call))
{
	switch (phrase->place) {
	case BCOS_PLACE_CALL:
		add_call(words, phrase, call_name);
		break;
	case BCOS_PLACE_OUTSIDE:
		add(words, phrase->state == BCOS_STATE_BLOCKED_HARD ? " in a page fault" : " outside system calls");
		break;
	case BCOS_PLACE_EXIT:
		add(words, " at its end");
		break;
	default:
		break;
	}
}

static void add_left(struct words *words, const struct bcos_thread_phrase *phrase, const char *(*call_name)(__u32 call))
{
	static const char *const stops[] = {
		[BCOS_STOP_SIGNAL] = "stopped", [BCOS_STOP_TRACER] = "stopped by a tracer",
		[BCOS_STOP_FREEZER] = "stopped by the freezer",
	};

	switch (phrase->state) {
	case BCOS_STATE_DEAD:
		add(words, "dead");
		return;
	case BCOS_STATE_HELD_BACK:
		add(words, "held back, since its control group has used its quota");
		return;
	case BCOS_STATE_STOPPED:
		add(words, "%s", stops[phrase->stop]);
		return;
	}
	add(words, "blocked");
	add_place(words, phrase, call_name);
	if (phrase->io)
		add(words, ", for I/O");
	if (phrase->state == BCOS_STATE_BLOCKED_HARD)
		add(words, ", not to be interrupted");
}

static void add_waker(struct words *words, const struct bcos_thread_phrase *phrase)
{
	switch (phrase->by) {
	case BCOS_WOKEN_BY_THREAD:
		add(words, " by process %u thread %u", phrase->waker, phrase->waker_thread);
		break;
	case BCOS_WOKEN_BY_EITHER:
		add(words, " by an interrupt or process %u thread %u", phrase->waker, phrase->waker_thread);
		break;
	case BCOS_WOKEN_BY_INTERRUPT:
		add(words, " by an interrupt");
		break;
	case BCOS_WOKEN_BY_TIMER:
		add(words, " by a timer");
		break;
	case BCOS_WOKEN_BY_LINE:
		add(words, " by an interrupt of device 0x%08X", phrase->device);
		break;
	case BCOS_WOKEN_BY_BLOCK:
		add(words, " by the end of a request to a disk");
		break;
	case BCOS_WOKEN_BY_NET:
		add(words, " by the network");
		break;
	default:
		break;
	}
	if (phrase->has_waker_cpu)
		add(words, " on CPU %u", phrase->waker_cpu);
}

static void add_turn(struct words *words, const struct bcos_thread_phrase *phrase)
{
	if (phrase->state == BCOS_STATE_WOKEN) {
		add(words, "woken");
		add_waker(words, phrase);
		if (!phrase->has_waker_cpu && phrase->has_cpu)
			add(words, " on CPU %u", phrase->cpu);
		if (phrase->by == BCOS_WOKEN_LOST)
			add(words, ", and who did it is lost");
		if (phrase->delay)
			add(words, ", %llu ns before", (unsigned long long)phrase->delay);
		return;
	}
	add(words, "runs on CPU %u at priority %d", phrase->cpu, phrase->priority);
	if (phrase->by == BCOS_WOKEN_LOST)
		add(words, ", woken, and who did it is lost");
	if (!phrase->by || phrase->by == BCOS_WOKEN_LOST)
		return;
	add(words, ", woken %llu ns before", (unsigned long long)phrase->delay);
	add_waker(words, phrase);
}

size_t bcoslog_thread_words(char text[BCOSLOG_THREAD_WORDS], const struct bcos_entry *entry,
			    const char *(*call_name)(__u32 call))
{
	struct words words = { .text = text };
	struct bcos_thread_phrase phrase;
	struct bcos_thread_name name;

	text[0] = 0;
	if (bcos_thread_name_read(&name, entry)) {
		add(&words, "thread %u is named %.*s", name.thread, (int)name.length, name.name);
		return words.length;
	}
	if (!bcos_thread_read(&phrase, entry) ||
	    ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_TASK_STATE)
		return 0;
	add(&words, "thread %u ", phrase.thread);
	if (phrase.state == BCOS_STATE_RUNS || phrase.state == BCOS_STATE_WOKEN)
		add_turn(&words, &phrase);
	else
		add_left(&words, &phrase, call_name);
	return words.length;
}
