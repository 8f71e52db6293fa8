// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The text of events about quotas and stalls of control groups: see pressure.h. */
#include "core/format/entry.h"
#include "pressure.h"

static const char *const kinds[PRESSURE_KINDS] = {
	[PRESSURE_CPU] = " cpu ", [PRESSURE_IO] = " io ", [PRESSURE_MEMORY] = " memory ",
};

size_t pressure_text(char text[PRESSURE_TEXT], const struct pressure *pressure)
{
	u16 flags = (u16)((pressure->cpu ? BCOS_RAW_CGROUP_CPU : 0) | (pressure->cut ? BCOS_RAW_CGROUP_CUT : 0));
	size_t length = bcos_cgroup_format(text, pressure->path, strlen(pressure->path), flags, false);
	char *end = text + length;
	int i;

	end += sprintf(end, " in %llu", (unsigned long long)pressure->span);
	if (pressure->quota)
		end += sprintf(end, " quota %llu of %llu", (unsigned long long)pressure->quota,
			       (unsigned long long)pressure->period);
	if (pressure->times || pressure->throttled)
		end += sprintf(end, " throttled %llu times %llu", (unsigned long long)pressure->times,
			       (unsigned long long)pressure->throttled);
	for (i = 0; i < PRESSURE_KINDS; i++)
		if (pressure->stalled[i])
			end += sprintf(end, "%s%llu", kinds[i], (unsigned long long)pressure->stalled[i]);
	return (size_t)(end - text);
}

/* Takes @word from the beginning of the text.  Return: whether it is there. */
static bool take_word(const char **at, const char *end, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(end - *at) < length || memcmp(*at, word, length))
		return false;
	*at += length;
	return true;
}

/* Takes a decimal number.  Return: whether there is one of 64 bits. */
static bool take_number(const char **at, const char *end, u64 *number)
{
	const char *from = *at;

	for (*number = 0; *at < end && **at >= '0' && **at <= '9'; (*at)++)
		if (__builtin_mul_overflow(*number, (u64)10, number) ||
		    __builtin_add_overflow(*number, (u64)(**at - '0'), number))
			return false;
	return *at > from;
}

/* Return: the end of the path's string, with "..." if that follows; NULL if there is none. */
static const char *path_end(const char *at, const char *end)
{
	at = memchr(at, '"', (size_t)(end - at));
	if (!at)
		return NULL;
	for (at++; at < end && *at != '"'; at++)
		if (*at == '\\' && ++at == end)
			return NULL;
	if (at == end)
		return NULL;
	at++;
	take_word(&at, end, "...");
	return at;
}

static bool parse_parts(struct pressure *pressure, const char *at, const char *end)
{
	int i;

	if (!take_word(&at, end, " in ") || !take_number(&at, end, &pressure->span))
		return false;
	if (take_word(&at, end, " quota ") &&
	    !(take_number(&at, end, &pressure->quota) && take_word(&at, end, " of ") && take_number(&at, end, &pressure->period)))
		return false;
	if (take_word(&at, end, " throttled ") &&
	    !(take_number(&at, end, &pressure->times) && take_word(&at, end, " times ") &&
	      take_number(&at, end, &pressure->throttled)))
		return false;
	for (i = 0; i < PRESSURE_KINDS; i++)
		if (take_word(&at, end, kinds[i]) && !take_number(&at, end, &pressure->stalled[i]))
			return false;
	return at == end;
}

bool pressure_read(struct pressure *pressure, char *room, const struct bcos_entry *entry)
{
	struct bcos_in_cgroup told;
	const char *text, *end;
	size_t length;

	if (entry->type != BCOS_GENERIC_DEVICE || entry->source != BCOS_DEVICE_SELF ||
	    ((const struct bcos_generic *)entry)->event_id != BCOS_EVENT_PRESSURE)
		return false;
	text = bcoslog_text(entry, &length);
	if (!length || length > BCOS_EVENT_TEXT_MAX)
		return false;
	end = path_end(text, text + length);
	if (!end || !bcos_cgroup_parse(&told, room, text, (size_t)(end - text)))
		return false;
	*pressure = (struct pressure){ .cpu = told.cpu, .cut = told.cut, .path = told.path };
	return parse_parts(pressure, end, text + length);
}

bool pressure_concerns(const struct pressure *of, const char *path, bool cpu)
{
	size_t length = strlen(of->path), whole = strlen(path);

	if (of->cpu != cpu)
		return false;
	/* What is left of a path that was cut is its end. */
	if (of->cut)
		return whole >= length && !strcmp(path + whole - length, of->path);
	if (!strcmp(of->path, "/"))
		return true;
	return !strncmp(path, of->path, length) && (path[length] == '/' || !path[length]);
}
