// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Reads the descriptions that trace-cmd and perf put into a recording: "header_page\0", u64 size, text;
 * "header_event\0", u64 size, text; u32 count of ftrace's own events, and for each u64 size and text; u32 count of
 * systems, and for each its name with a zero, u32 count of events, and for each u64 size and text. The rest is not
 * needed here.
 */
#include <errno.h>

#include "../../bytes.h"
#include "../../intake/guard.h"
#include "read.h"

static bool take_text(struct bytes *rest, const char **text, size_t *size)
{
	u64 length;

	if (!bytes_take64(rest, &length) || length > (u64)(rest->end - rest->at))
		return false;
	*text = (const char *)rest->at;
	*size = (size_t)length;
	rest->at += length;
	return true;
}

static bool pass_header(struct bytes *rest, const char *name)
{
	const char *word = bytes_take_word(rest), *text;
	size_t size;

	return word && !strcmp(word, name) && take_text(rest, &text, &size);
}

static int take_descriptions(struct tracepoints *points, struct bytes *rest, const char *system, u32 count)
{
	const char *text;
	size_t size;
	int r = 0;

	for (; count && !r; count--) {
		r = guard_error(NULL);
		if (!r)
			r = take_text(rest, &text, &size) ? tracepoints_describe(points, system, text, size) : -EBADMSG;
	}
	return r;
}

static int take_system(struct tracepoints *points, struct bytes *rest)
{
	const char *system = bytes_take_word(rest);
	u32 count;

	if (!system || !bytes_take32(rest, &count))
		return -EBADMSG;
	return take_descriptions(points, rest, system, count);
}

int tracepoints_describe_systems(struct tracepoints *points, const u8 *bytes, size_t size, bool big, size_t *used)
{
	struct bytes rest = { bytes, bytes + size, big };
	u32 count;
	int r = 0;

	if (!bytes_take32(&rest, &count))
		return -EBADMSG;
	for (; count && !r; count--)
		r = take_system(points, &rest);
	if (used)
		*used = (size_t)(rest.at - bytes);
	return r;
}

int tracepoints_describe_own(struct tracepoints *points, const u8 *bytes, size_t size, bool big)
{
	struct bytes rest = { bytes, bytes + size, big };
	u32 count;

	return bytes_take32(&rest, &count) ? take_descriptions(points, &rest, "ftrace", count) : -EBADMSG;
}

int tracepoints_describe_all(struct tracepoints *points, const u8 *bytes, size_t size, bool big, size_t *used)
{
	struct bytes rest = { bytes, bytes + size, big };
	u32 count;
	int r;

	if (!pass_header(&rest, "header_page") || !pass_header(&rest, "header_event") || !bytes_take32(&rest, &count))
		return -EBADMSG;
	r = take_descriptions(points, &rest, "ftrace", count);
	if (r)
		return r;
	r = tracepoints_describe_systems(points, rest.at, (size_t)(rest.end - rest.at), big, used);
	if (used)
		*used += (size_t)(rest.at - bytes);
	return r;
}
