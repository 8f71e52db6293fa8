// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads the digits of events about threads, by the tables of bcoslog(5): a decoder of the tests' own. */
#include "lib.h"

struct digits {
	const char *at, *end;
};

static uint32_t take_digit(struct digits *digits)
{
	static const char order[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
	const char *found = digits->at < digits->end && *digits->at ? strchr(order, *digits->at) : NULL;

	digits->at += !!found;
	return found ? (uint32_t)(found - order) : 0;
}

static uint64_t take_number(struct digits *digits)
{
	uint64_t number = 0;
	uint32_t digit, shift = 0;

	do {
		digit = take_digit(digits);
		number |= (uint64_t)(digit & 31) << shift;
		shift += 5;
	} while (digit & 32 && shift < 64);
	return number;
}

static uint32_t take_thread(struct digits *digits, const struct bcos_entry *entry)
{
	return digits->at < digits->end && *digits->at ? (uint32_t)take_number(digits) : entry->source;
}

static void put_left(char *text, size_t size, struct digits *digits, const struct bcos_entry *entry)
{
	static const char *const how[] = { "blocked", "blocked", "stopped", "stopped by a tracer", "stopped by the freezer", "dead",
					   "held back", "?" };
	uint32_t head = take_digit(digits), thread;
	char place[40] = "";

	head |= take_digit(digits) << 6;
	head |= take_digit(digits) << 12;
	thread = take_thread(digits, entry);
	if ((head >> 4 & 3) == 1)
		snprintf(place, sizeof(place), " in system call %u", head >> 6 & 0x7FF);
	else if ((head >> 4 & 3) == 2)
		snprintf(place, sizeof(place), " outside");
	snprintf(text, size, "thread %u %s%s%s%s", thread, how[head & 7], (head & 7) < 2 ? place : "",
		 (head & 7) < 2 && head & 8 ? ", for I/O" : "", (head & 7) == 1 ? ", not to be interrupted" : "");
}

static void put_turn(char *text, size_t size, struct digits *digits, const struct bcos_entry *entry, bool runs)
{
	static const char *const by[16] = { "", " by process", " by an interrupt", " by an interrupt or process", " by a timer",
					    " by an interrupt of a device", " by the end of a request", " by the network" };
	uint32_t head = take_digit(digits), cpu, waker = 0, process = 0, waker_cpu, thread;
	int32_t priority = 120;
	char who[120];

	head |= take_digit(digits) << 6;
	cpu = (uint32_t)take_number(digits);
	if (head & 15 && (head & 15) != 8) {
		take_number(digits);
		if ((head & 15) == 1 || (head & 15) == 3)
			waker = (uint32_t)take_number(digits);
		if ((head & 15) == 5)
			take_number(digits);
		process = (head >> 4 & 3) == 0 ? waker : (head >> 4 & 3) == 1 ? entry->source : 0;
		if ((head >> 4 & 3) == 3)
			process = (uint32_t)take_number(digits);
	}
	waker_cpu = head & 0x80 ? (uint32_t)take_number(digits) : cpu;
	if (head & 0x40)
		priority = (int32_t)take_number(digits) - 1;
	thread = take_thread(digits, entry);
	if ((head & 15) == 1 || (head & 15) == 3)
		snprintf(who, sizeof(who), "%s %u thread %u on CPU %u", by[head & 15], process, waker, waker_cpu);
	else
		snprintf(who, sizeof(who), "%s on CPU %u", by[head & 15] ? by[head & 15] : "", waker_cpu);
	if (!runs)
		snprintf(text, size, "thread %u woken%s", thread, who);
	else
		snprintf(text, size, "thread %u runs on CPU %u at priority %d%s%s", thread, cpu, priority, head & 15 ? ", woken" : "",
			 head & 15 ? who : "");
}

bool entry_thread(const struct bcos_entry *entry, char *text, size_t size)
{
	uint32_t id = ((const struct bcos_generic *)entry)->event_id;
	struct digits digits = { (const char *)entry + BCOS_GENERIC_TEXT, (const char *)entry + entry->size };

	if (entry->type != BCOS_GENERIC_PROCESS || id < BCOS_EVENT_THREAD_LEFT || id > BCOS_EVENT_THREAD_WOKEN)
		return false;
	if (id == BCOS_EVENT_THREAD_LEFT)
		put_left(text, size, &digits, entry);
	else
		put_turn(text, size, &digits, entry, id == BCOS_EVENT_THREAD_RUNS);
	return true;
}

bool thread_tells(const struct bcos_entry *entry, const char *begin, bool whole)
{
	const char *text = entry_text(entry), *waking = strstr(text, ", woken");
	size_t length = strlen(begin), first = strcspn(text, " ");
	char woken[200];

	/* An event that a thread runs tells how it was woken, too. */
	if (waking && strstr(text, " runs on CPU ")) {
		first += 1 + strcspn(text + first + 1, " ");
		snprintf(woken, sizeof(woken), "%.*s %s", (int)first, text, waking + 2);
		if (!strncmp(woken, begin, length) && (!whole || !woken[length]))
			return true;
		return !strncmp(text, begin, length) && (!whole || text + length == waking);
	}
	return !strncmp(text, begin, length) && (!whole || !text[length]);
}
