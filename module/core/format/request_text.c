// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes and reads the texts of requests of disks: see request_text.h. */
#include "request_text.h"
#include "scan.h"

static const char operations[BCOS_OPERATIONS] = { 'R', 'W', 'F', 'D', 'N' };

static const struct {
	char letter;
	u16 flag;
} flags[] = {
	{ 's', BCOS_REQUEST_SYNC }, { 'm', BCOS_REQUEST_META }, { 'u', BCOS_REQUEST_FUA },
	{ 'f', BCOS_REQUEST_PREFLUSH }, { 'a', BCOS_REQUEST_AHEAD }, { 'p', BCOS_REQUEST_PART },
};

#define FLAGS (sizeof(flags) / sizeof(flags[0]))

/* Writes the digits from the end of a small buffer, since the number of digits is not known. */
static char *put_decimal(char *to, u64 number)
{
	char digits[20];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	memcpy(to, digits + at, sizeof(digits) - at);
	return to + sizeof(digits) - at;
}

static char *put_after(char *to, char letter, u64 number)
{
	*to++ = letter;
	return put_decimal(to, number);
}

/* Writes " ", the letter and the number, or nothing if the number is 0. */
static char *put_optional(char *to, char letter, u32 number)
{
	if (!number)
		return to;
	*to++ = ' ';
	return put_after(to, letter, number);
}

static char *put_times(char *to, const struct bcos_request_told *told)
{
	if (told->has_start && !told->has_issue)
		return put_after(to, '=', told->queue);
	if (told->has_start)
		to = put_decimal(to, told->queue);
	else
		*to++ = '?';
	return told->has_issue ? put_after(to, '+', told->service) : to;
}

size_t bcos_request_format(char *text, const struct bcos_request_told *told)
{
	char *to = text;
	size_t i;

	*to++ = operations[told->operation];
	for (i = 0; i < FLAGS; i++)
		if (told->flags & flags[i].flag)
			*to++ = flags[i].letter;
	to = put_decimal(to, told->device);
	to = put_after(to, ' ', told->bytes);
	to = put_after(to, '@', told->sector);
	*to++ = ' ';
	to = put_times(to, told);
	to = put_optional(to, 't', told->thread);
	to = put_optional(to, 'p', told->process);
	to = put_optional(to, 'c', told->cgroup);
	return (size_t)(put_optional(to, 'e', told->error) - text);
}

static bool take_letter(struct bcos_scan *scan, char letter)
{
	if (bcos_scan_ends(scan) || *scan->at != letter)
		return false;
	scan->at++;
	return true;
}

static bool take_kind(struct bcos_scan *scan, struct bcos_request_told *told)
{
	u32 i = 0;

	while (i < BCOS_OPERATIONS && !take_letter(scan, operations[i]))
		i++;
	if (i == BCOS_OPERATIONS)
		return false;
	told->operation = (enum bcos_operation)i;
	for (i = 0; i < FLAGS; i++)
		if (take_letter(scan, flags[i].letter))
			told->flags |= flags[i].flag;
	return true;
}

static bool take_times(struct bcos_scan *scan, struct bcos_request_told *told)
{
	told->has_start = true;
	if (take_letter(scan, '='))
		return bcos_scan_number(scan, ~0ull, &told->queue);
	told->has_start = !take_letter(scan, '?');
	if (told->has_start && !bcos_scan_number(scan, ~0ull, &told->queue))
		return false;
	told->has_issue = take_letter(scan, '+');
	if (told->has_issue)
		return bcos_scan_number(scan, ~0ull, &told->service);
	return !told->has_start;
}

/* Reads " ", the letter and a number that is not 0. Leaves the number as it is if there is none. */
static bool take_optional(struct bcos_scan *scan, char letter, u32 *number)
{
	if (scan->end - scan->at < 2 || scan->at[0] != ' ' || scan->at[1] != letter)
		return true;
	scan->at += 2;
	return bcos_scan_u32(scan, number) && *number;
}

bool bcos_request_parse(struct bcos_request_told *told, const char *text, size_t length)
{
	struct bcos_scan scan = bcos_scan_begin(text, length);

	memset(told, 0, sizeof(*told));
	return take_kind(&scan, told) && bcos_scan_u32(&scan, &told->device) &&
	       take_letter(&scan, ' ') && bcos_scan_u32(&scan, &told->bytes) &&
	       take_letter(&scan, '@') && bcos_scan_number(&scan, ~0ull, &told->sector) &&
	       take_letter(&scan, ' ') && take_times(&scan, told) &&
	       take_optional(&scan, 't', &told->thread) &&
	       take_optional(&scan, 'p', &told->process) &&
	       take_optional(&scan, 'c', &told->cgroup) &&
	       take_optional(&scan, 'e', &told->error) && bcos_scan_ends(&scan);
}
