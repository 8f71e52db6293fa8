// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes and parses the texts of losses: see loss_text.h. */
#include "loss_text.h"

/* ---- writing ------------------------------------------------------------------------ */

int bcos_loss_text_count(char *text, int at, int size, u64 count, const char *what)
{
	if (!at)
		at = host_format(text, (size_t)size, "lost");
	if (!count)
		return at;
	return at + host_format(text + at, (size_t)(size - at), "%s %llu %s", at > 4 ? "," : "",
				(unsigned long long)count, what);
}

static int append_time(char *text, int at, int size, const char *word, u64 time)
{
	u32 rest = (u32)(time % 1000000000u);

	return at + host_format(text + at, (size_t)(size - at), ", %s %llu.%09u s", word,
				(unsigned long long)(time / 1000000000u), rest);
}

int bcos_loss_text_end(char *text, int at, int size, const char *reason, u64 stated, u64 begin,
		       u64 end)
{
	if (reason)
		at += host_format(text + at, (size_t)(size - at), ": %s", reason);
	if (begin < stated)
		at = append_time(text, at, size, "since", begin);
	return append_time(text, at, size, "until", end < begin ? begin : end);
}

/* ---- counts and kinds --------------------------------------------------------------- */

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

static bool begins_with(const char *text, size_t length, const char *word)
{
	size_t size = strlen(word);

	return length >= size && !memcmp(text, word, size);
}

/* Returns the kinds that the words after a count name; all kinds for words that are unknown. */
static u32 kinds_of_words(const char *text, size_t length)
{
	static const struct {
		const char *word;
		u32 kinds;
	} known[] = {
		{ "births and deaths", BCOS_LOSS_OF_LIVES },
		{ "births or devices", BCOS_LOSS_OF_LIVES | BCOS_LOSS_OF_DEVICES },
		{ "births, devices or senders of signals",
		  BCOS_LOSS_OF_LIVES | BCOS_LOSS_OF_DEVICES | BCOS_LOSS_OF_EVENTS },
		{ "executed programs", BCOS_LOSS_OF_EVENTS },
		{ "requests of disks", BCOS_LOSS_OF_EVENTS | BCOS_LOSS_OF_REQUESTS },
		{ "network interfaces", BCOS_LOSS_OF_DEVICES },
		{ "input devices", BCOS_LOSS_OF_DEVICES | BCOS_LOSS_OF_TRANSFERS },
		{ "packets", BCOS_LOSS_OF_TRANSFERS },
		{ "assignments or more, or task states",
		  BCOS_LOSS_OF_ASSIGNMENTS | BCOS_LOSS_OF_EVENTS | BCOS_LOSS_OF_STATES },
		{ "assignments", BCOS_LOSS_OF_ASSIGNMENTS },
		{ "interrupts", BCOS_LOSS_OF_INTERRUPTS },
		{ "user events", BCOS_LOSS_OF_EVENTS },
		{ "kernel messages", BCOS_LOSS_OF_EVENTS },
		{ "transfers", BCOS_LOSS_OF_TRANSFERS },
		{ "kernel calls", BCOS_LOSS_OF_CALLS },
		{ "idle states", BCOS_LOSS_OF_EVENTS },
		{ "task states", BCOS_LOSS_OF_EVENTS | BCOS_LOSS_OF_STATES },
		{ "devices", BCOS_LOSS_OF_DEVICES },
		{ "message or more about devices", BCOS_LOSS_OF_DEVICES },
		/* Only other modules ask for events there, and these are generic. */
		{ "events: asked for in a non-maskable interrupt", BCOS_LOSS_OF_EVENTS },
		/*
		 * These records are about processes or devices that the log does not name, so no
		 * CPU time is unknown.
		 */
		{ "records: about what has no name here",
		  BCOS_LOSS_OF_TRANSFERS | BCOS_LOSS_OF_EVENTS },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (begins_with(text, length, known[i].word))
			return known[i].kinds;
	return BCOS_LOSS_OF_ALL;
}

/* Sums up the counts, as far as 64 bits go, and finds the kinds and the end of the words. */
static size_t parse_counts(const char *text, size_t length, u64 *sum, u32 *kinds)
{
	size_t at = 4;
	u64 count;

	*sum = 0;
	*kinds = 0;
	if (!begins_with(text, length, "lost"))
		return 0;
	while (at + 1 < length && text[at] == ' ' && is_digit(text[at + 1])) {
		count = 0;
		for (at++; at < length && is_digit(text[at]); at++)
			count = count > (~(u64)0 - 9) / 10 ? ~(u64)0 :
							     count * 10 + (u64)(text[at] - '0');
		*sum = count > ~(u64)0 - *sum ? ~(u64)0 : *sum + count;
		while (at < length && text[at] == ' ')
			at++;
		*kinds |= kinds_of_words(text + at, length - at);
		/* Further words after a comma that have no count belong to the same kind. */
		while (at < length && text[at] != ':' &&
		       !(text[at] == ',' && at + 2 < length && text[at + 1] == ' ' &&
			 is_digit(text[at + 2])))
			at++;
		if (at == length || text[at] == ':')
			break;
		at++;
	}
	return at;
}

u64 bcos_loss_text_counted(const char *text, size_t length)
{
	u32 kinds;
	u64 sum;

	parse_counts(text, length, &sum, &kinds);
	return sum;
}

/* ---- times -------------------------------------------------------------------------- */

/*
 * If the text ends with ", @word N.N s", sets *@time to that time and cuts the text there. At most
 * nine digits after the point count. Returns false if another text is there, or if the time has
 * more than 64 bits.
 */
static bool cut_time(const char *text, size_t *length, const char *word, u64 *time)
{
	size_t at = *length, begin, size = strlen(word);
	u64 seconds = 0, rest = 0;
	u32 digits;

	if (at < 2 || memcmp(text + at - 2, " s", 2))
		return false;
	at -= 2;
	for (begin = at; begin && (is_digit(text[begin - 1]) || text[begin - 1] == '.'); begin--)
		;
	if (begin == at || begin < size || memcmp(text + begin - size, word, size))
		return false;
	*length = begin - size;
	for (; begin < at && text[begin] != '.'; begin++) {
		seconds = seconds * 10 + (u64)(text[begin] - '0');
		if (seconds > ~(u64)0 / 1000000000u - 1)
			return false;
	}
	for (digits = 0; digits < 9; digits++) {
		rest *= 10;
		if (begin + 1 < at && text[begin + 1] != '.')
			rest += (u64)(text[++begin] - '0');
	}
	*time = seconds * 1000000000u + rest;
	return true;
}

/* Sets the times of a loss that the entry states later than it began. */
static void set_late(struct bcos_loss_stated *loss, u64 since, bool has_until, u64 until,
		     u32 precision)
{
	if (has_until && until >= since)
		loss->end = until;
	else if (precision <= 1)
		loss->end = loss->begin;
	loss->open = precision == 0xFFFFFFFFu && !has_until;
	loss->begin = since;
	loss->late = true;
}

/* Sets begin and end, and returns the length of the text before the times. */
static size_t parse_times(struct bcos_loss_stated *loss, const char *text, size_t length, u64 time,
			  u32 precision)
{
	bool saturated = precision == 0xFFFFFFFFu;
	u64 since = 0, until = 0;
	bool has_until = cut_time(text, &length, ", until ", &until);
	bool has_since = cut_time(text, &length, ", since ", &since);

	loss->begin = time;
	loss->end = time > ~(u64)0 - precision ? ~(u64)0 : time + precision;
	if (has_since && since < time) {
		set_late(loss, since, has_until, until, precision);
		return length;
	}
	has_until = has_until && until >= time;
	loss->open = saturated && !has_until;
	/* The precision is at least as long as the loss, unless it has its greatest value. */
	if (has_until && (saturated || until > loss->end))
		loss->end = until;
	return length;
}

static void parse_words(struct bcos_loss_stated *loss, const char *text, size_t length)
{
	size_t at = parse_counts(text, length, &loss->count, &loss->kinds);

	if (!loss->kinds)
		loss->kinds = BCOS_LOSS_OF_ALL;
	loss->what = text + (at > 5 ? 5 : 0);
	loss->what_length = at > 5 ? at - 5 : 0;
	loss->reason = text + length;
	for (; at < length; at++) {
		if (text[at] != ':')
			continue;
		for (at++; at < length && text[at] == ' '; at++)
			;
		loss->reason = text + at;
		break;
	}
	loss->reason_length = (size_t)(text + length - loss->reason);
}

void bcos_loss_text_parse(struct bcos_loss_stated *loss, const char *text, size_t length, u64 time,
			  u32 precision)
{
	memset(loss, 0, sizeof(*loss));
	/* Zeros pad the texts of entries. */
	while (length && !text[length - 1])
		length--;
	length = parse_times(loss, text, length, time, precision);
	parse_words(loss, text, length);
}
