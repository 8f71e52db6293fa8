// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes and reads the texts of events about threads: see thread_text.h. */
#include "thread_text.h"

/* How the process of a waking thread is told. The numbers are part of the format. */
enum waker_process {
	PROCESS_OF_ID,		/* it has the ID of the thread */
	PROCESS_OF_SOURCE,	/* that of the thread that is woken */
	PROCESS_KERNEL,
	PROCESS_FOLLOWS,
};

#define HEAD_PRIORITY	0x40
#define HEAD_CPU	0x80

/* ---- writing ----------------------------------------------------------------------- */

static __always_inline char *put_digit(char *to, u32 value)
{
	static const char digits[] =
		"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

	*to = digits[value & 63];
	return to + 1;
}

static __always_inline char *put_number(char *to, u64 value)
{
	for (; value > 31; value >>= 5)
		to = put_digit(to, (u32)(value & 31) | 32);
	return put_digit(to, (u32)value);
}

static __always_inline char *put_digits(char *to, u32 value, u32 count)
{
	for (; count; count--, value >>= 6)
		to = put_digit(to, value);
	return to;
}

static enum bcos_thread_left left_of(const struct bcos_thread_phrase *phrase)
{
	switch (phrase->state) {
	case BCOS_STATE_DEAD:
		return BCOS_LEFT_DEAD;
	case BCOS_STATE_STOPPED:
		return (enum bcos_thread_left)(BCOS_LEFT_STOPPED + phrase->stop);
	case BCOS_STATE_BLOCKED_HARD:
		return BCOS_LEFT_BLOCKED_HARD;
	case BCOS_STATE_BLOCKED:
		return BCOS_LEFT_BLOCKED;
	default:
		return BCOS_LEFT_HELD_BACK;
	}
}

static size_t format_left(char *text, const struct bcos_thread_phrase *phrase, u32 source)
{
	u32 call = (phrase->call & 0x7FF) | (phrase->call & BCOS_FUNCTION_COMPAT ? 0x800 : 0);
	u32 head = (u32)left_of(phrase) | (u32)phrase->io << 3 | (u32)phrase->place << 4;
	char *to;

	if (phrase->place == BCOS_PLACE_CALL)
		head |= call << 6;
	to = put_digits(text, head, 3);
	if (phrase->thread != source)
		to = put_number(to, phrase->thread);
	return (size_t)(to - text);
}

static enum waker_process process_of_waker(const struct bcos_thread_phrase *phrase, u32 source)
{
	if (phrase->waker == phrase->waker_thread)
		return PROCESS_OF_ID;
	if (phrase->waker == source)
		return PROCESS_OF_SOURCE;
	return phrase->waker == BCOS_PROCESS_KERNEL ? PROCESS_KERNEL : PROCESS_FOLLOWS;
}

static char *put_waking(char *to, const struct bcos_thread_phrase *phrase, u32 process,
			bool has_cpu)
{
	if (!phrase->by || phrase->by == BCOS_WOKEN_LOST)
		return to;
	to = put_number(to, phrase->delay);
	if (bcos_names_waker(phrase->by))
		to = put_number(to, phrase->waker_thread);
	if (phrase->by == BCOS_WOKEN_BY_LINE)
		to = put_number(to, phrase->device << 2 | phrase->device >> 30);
	if (process == PROCESS_FOLLOWS)
		to = put_number(to, phrase->waker);
	return has_cpu ? put_number(to, phrase->waker_cpu) : to;
}

static size_t format_turn(char *text, const struct bcos_thread_phrase *phrase, u32 source)
{
	bool runs = phrase->state == BCOS_STATE_RUNS;
	bool has_cpu = runs && phrase->has_waker_cpu && phrase->waker_cpu != phrase->cpu;
	u32 process = PROCESS_OF_ID;
	bool has_priority = runs && phrase->has_priority &&
			    phrase->priority != BCOS_PRIORITY_NORMAL;
	char *to;

	if (bcos_names_waker(phrase->by))
		process = process_of_waker(phrase, source);
	to = put_digits(text, (u32)phrase->by | process << 4 | (has_priority ? HEAD_PRIORITY : 0) |
				      (has_cpu ? HEAD_CPU : 0), 2);
	to = put_number(to, phrase->cpu);
	to = put_waking(to, phrase, process, has_cpu);
	if (has_priority)
		to = put_number(to, (u32)(phrase->priority + 1));
	if (phrase->thread != source)
		to = put_number(to, phrase->thread);
	return (size_t)(to - text);
}

size_t bcos_thread_format(char *text, const struct bcos_thread_phrase *phrase, u32 source)
{
	if (bcos_thread_event(phrase) == BCOS_EVENT_THREAD_LEFT)
		return format_left(text, phrase, source);
	return format_turn(text, phrase, source);
}

size_t bcos_thread_name_format(char *text, const struct bcos_thread_name *name)
{
	char *to = put_number(text, name->thread);

	memcpy(to, name->name, name->length);
	return (size_t)(to - text) + name->length;
}

u32 bcos_thread_event(const struct bcos_thread_phrase *phrase)
{
	switch (phrase->state) {
	case BCOS_STATE_RUNS:
		return BCOS_EVENT_THREAD_RUNS;
	case BCOS_STATE_WOKEN:
		return BCOS_EVENT_THREAD_WOKEN;
	default:
		return BCOS_EVENT_THREAD_LEFT;
	}
}

/* ---- reading ----------------------------------------------------------------------- */

static bool take_digit(struct bcos_scan *scan, u32 *value)
{
	char c;

	if (bcos_scan_ends(scan))
		return false;
	c = *scan->at;
	if (c >= '0' && c <= '9')
		*value = (u32)(c - '0');
	else if (c >= 'A' && c <= 'Z')
		*value = (u32)(c - 'A') + 10;
	else if (c >= 'a' && c <= 'z')
		*value = (u32)(c - 'a') + 36;
	else if (c == '-' || c == '_')
		*value = c == '-' ? 62 : 63;
	else
		return false;
	scan->at++;
	return true;
}

static bool take_number(struct bcos_scan *scan, u64 most, u64 *value)
{
	u32 digit = 32, shift = 0;
	u64 part;

	*value = 0;
	for (; digit & 32; shift += 5) {
		if (!take_digit(scan, &digit))
			return false;
		part = digit & 31;
		if (shift > 60 || part << shift >> shift != part)
			return false;
		*value |= part << shift;
	}
	return *value <= most;
}

static bool take_u32(struct bcos_scan *scan, u32 *value)
{
	u64 wide;

	if (!take_number(scan, 0xFFFFFFFFu, &wide))
		return false;
	*value = (u32)wide;
	return true;
}

/* Reads the thread, or the end of the text before it. */
static bool take_thread(struct bcos_scan *scan, struct bcos_thread_phrase *phrase, u32 source)
{
	phrase->thread = source;
	return bcos_scan_ends(scan) || take_u32(scan, &phrase->thread);
}

static bool take_digits(struct bcos_scan *scan, u32 count, u32 *value)
{
	u32 digit, i;

	*value = 0;
	for (i = 0; i < count; i++) {
		if (!take_digit(scan, &digit))
			return false;
		*value |= digit << 6 * i;
	}
	return true;
}

static bool take_left(struct bcos_scan *scan, struct bcos_thread_phrase *phrase, u32 source)
{
	static const u32 states[BCOS_LEFTS] = {
		[BCOS_LEFT_BLOCKED] = BCOS_STATE_BLOCKED,
		[BCOS_LEFT_BLOCKED_HARD] = BCOS_STATE_BLOCKED_HARD,
		[BCOS_LEFT_STOPPED] = BCOS_STATE_STOPPED,
		[BCOS_LEFT_TRACED] = BCOS_STATE_STOPPED,
		[BCOS_LEFT_FROZEN] = BCOS_STATE_STOPPED,
		[BCOS_LEFT_DEAD] = BCOS_STATE_DEAD,
		[BCOS_LEFT_HELD_BACK] = BCOS_STATE_HELD_BACK,
	};
	u32 head, left;

	if (!take_digits(scan, 3, &head))
		return false;
	left = head & 7;
	if (left >= BCOS_LEFTS)
		return false;
	phrase->state = states[left];
	if (phrase->state == BCOS_STATE_STOPPED)
		phrase->stop = (enum bcos_thread_stop)(left - BCOS_LEFT_STOPPED);
	phrase->io = head >> 3 & 1;
	phrase->place = (enum bcos_thread_place)(head >> 4 & 3);
	if (phrase->place == BCOS_PLACE_CALL)
		phrase->call = (head >> 6 & 0x7FF) | (head >> 17 ? BCOS_FUNCTION_COMPAT : 0);
	return take_thread(scan, phrase, source);
}

static bool take_waking(struct bcos_scan *scan, struct bcos_thread_phrase *phrase, u32 process,
			u32 source)
{
	u32 device;

	if (!phrase->by || phrase->by == BCOS_WOKEN_LOST)
		return true;
	if (phrase->by > BCOS_WOKEN_LOST || !take_number(scan, ~0ull, &phrase->delay))
		return false;
	if (phrase->by == BCOS_WOKEN_BY_LINE) {
		if (!take_u32(scan, &device))
			return false;
		phrase->device = device >> 2 | device << 30;
	}
	if (!bcos_names_waker(phrase->by))
		return true;
	if (!take_u32(scan, &phrase->waker_thread))
		return false;
	phrase->waker = process == PROCESS_OF_ID ? phrase->waker_thread : source;
	if (process == PROCESS_KERNEL)
		phrase->waker = BCOS_PROCESS_KERNEL;
	return process != PROCESS_FOLLOWS || take_u32(scan, &phrase->waker);
}

static bool take_turn(struct bcos_scan *scan, struct bcos_thread_phrase *phrase, u32 source)
{
	u32 head, priority;

	if (!take_digits(scan, 2, &head) || !take_u32(scan, &phrase->cpu))
		return false;
	phrase->has_cpu = true;
	phrase->by = (enum bcos_woken_by)(head & 15);
	if (!take_waking(scan, phrase, head >> 4 & 3, source))
		return false;
	phrase->has_waker_cpu = phrase->by && phrase->by != BCOS_WOKEN_LOST;
	phrase->waker_cpu = phrase->has_waker_cpu ? phrase->cpu : 0;
	phrase->has_priority = phrase->state == BCOS_STATE_RUNS;
	/* Only a thread that runs has these, and a waking. */
	if ((head & (HEAD_CPU | HEAD_PRIORITY) && !phrase->has_priority) ||
	    (head & HEAD_CPU && !phrase->has_waker_cpu))
		return false;
	if (head & HEAD_CPU && !take_u32(scan, &phrase->waker_cpu))
		return false;
	if (phrase->has_priority)
		phrase->priority = BCOS_PRIORITY_NORMAL;
	if (head & HEAD_PRIORITY) {
		if (!take_u32(scan, &priority) || priority > 0x7FFFFFFF)
			return false;
		phrase->priority = (s32)priority - 1;
	}
	return take_thread(scan, phrase, source);
}

bool bcos_thread_read(struct bcos_thread_phrase *phrase, const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	struct bcos_scan scan;
	size_t length;

	if (entry->type != BCOS_GENERIC_PROCESS || entry->size <= BCOS_GENERIC_TEXT ||
	    !bcos_is_thread_event(event->event_id))
		return false;
	length = bcos_string_length(event->text, entry->size - BCOS_GENERIC_TEXT);
	if (event->event_id == BCOS_EVENT_TASK_STATE)
		return bcos_phrase_thread_parse(event->text, length, phrase);
	memset(phrase, 0, sizeof(*phrase));
	scan = bcos_scan_begin(event->text, length);
	switch (event->event_id) {
	case BCOS_EVENT_THREAD_LEFT:
		return take_left(&scan, phrase, entry->source);
	case BCOS_EVENT_THREAD_RUNS:
		phrase->state = BCOS_STATE_RUNS;
		break;
	default:
		phrase->state = BCOS_STATE_WOKEN;
		break;
	}
	return take_turn(&scan, phrase, entry->source);
}

bool bcos_thread_name_read(struct bcos_thread_name *name, const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	struct bcos_scan scan;

	if (entry->type != BCOS_GENERIC_PROCESS || entry->size <= BCOS_GENERIC_TEXT ||
	    event->event_id != BCOS_EVENT_THREAD_NAME)
		return false;
	scan = bcos_scan_begin(event->text,
			       bcos_string_length(event->text, entry->size - BCOS_GENERIC_TEXT));
	if (!take_u32(&scan, &name->thread) || bcos_scan_ends(&scan) ||
	    scan.end - scan.at > BCOS_NAME_MAX)
		return false;
	name->name = scan.at;
	name->length = (u32)(scan.end - scan.at);
	return true;
}
