// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads info/system.xml and info/bookmarks.xml. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "markup.h"
#include "read.h"

#define SECOND 1000000000ull

const char *const ltt_attributes[LTT_ATTRIBUTES] = {
	[LTT_NODE_NAME] = "node_name",
	[LTT_DOMAINNAME] = "domainname",
	[LTT_CPU] = "cpu",
	[LTT_ARCH_SIZE] = "arch_size",
	[LTT_ENDIAN] = "endian",
	[LTT_KERNEL_NAME] = "kernel_name",
	[LTT_KERNEL_RELEASE] = "kernel_release",
	[LTT_KERNEL_VERSION] = "kernel_version",
	[LTT_MACHINE] = "machine",
	[LTT_PROCESSOR] = "processor",
	[LTT_HARDWARE_PLATFORM] = "hardware_platform",
	[LTT_OPERATING_SYSTEM] = "operating_system",
	[LTT_MAJOR_VERSION] = "ltt_major_version",
	[LTT_MINOR_VERSION] = "ltt_minor_version",
	[LTT_BLOCK_SIZE] = "ltt_block_size",
};

int ltt_xml_file(const char *path, char **bytes, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), r = 0;
	struct stat stat;
	ssize_t n = 1;

	*bytes = NULL;
	*size = 0;
	if (fd < 0)
		return -errno;
	if (fstat(fd, &stat) || !S_ISREG(stat.st_mode))
		r = -EINVAL;
	else if (stat.st_size > LTT_XML_MAX)
		r = -EFBIG;
	else if (!(*bytes = malloc((size_t)stat.st_size + 1)))
		r = -ENOMEM;
	while (!r && n && *size < (size_t)stat.st_size) {
		n = read(fd, *bytes + *size, (size_t)stat.st_size - *size);
		if (n < 0 && errno != EINTR)
			r = -errno;
		*size += n > 0 ? (size_t)n : 0;
	}
	close(fd);
	if (r) {
		free(*bytes);
		*bytes = NULL;
	}
	return r;
}

static int read_markup(const struct ltt_trace *trace, const char *name, const struct markup *markup, void *context)
{
	char *path = ltt_trace_path(trace, name), *bytes;
	size_t size;
	int r = path ? ltt_xml_file(path, &bytes, &size) : -ENOMEM;

	free(path);
	if (r)
		return r;
	r = markup_read(bytes, size, markup, context);
	free(bytes);
	return r;
}

static int take_system(void *context, const struct markup_element *element)
{
	struct ltt_trace *trace = context;
	const char *value;
	size_t i;

	if (strcmp(element->name, "system"))
		return 0;
	for (i = 0; i < LTT_ATTRIBUTES; i++) {
		value = markup_value(element, ltt_attributes[i]);
		if (!value || trace->system[i])
			continue;
		trace->system[i] = strdup(value);
		if (!trace->system[i])
			return -ENOMEM;
	}
	return 0;
}

/* Keeps the text in the element, whose first piece has something other than space. */
static int take_comment(void *context, const char *text, size_t length)
{
	struct ltt_trace *trace = context;

	while (length && strchr(" \t\r\n", *text)) {
		text++;
		length--;
	}
	while (length && strchr(" \t\r\n", text[length - 1]))
		length--;
	if (!length || trace->comment)
		return 0;
	trace->comment = strndup(text, length);
	return trace->comment ? 0 : -ENOMEM;
}

int ltt_system_read(struct ltt_trace *trace)
{
	static const struct markup markup = { .open = take_system, .text = take_comment };

	return read_markup(trace, "info/system.xml", &markup, trace);
}

bool ltt_seconds(const char *text, u64 *ns)
{
	u64 seconds = 0, fraction = 0, unit = SECOND / 10;
	const char *at = text;

	for (; *at >= '0' && *at <= '9'; at++)
		seconds = seconds > UINT64_MAX / SECOND ? seconds : seconds * 10 + (u64)(*at - '0');
	if (at == text && *at != '.')
		return false;
	if (*at == '.')
		for (at++; *at >= '0' && *at <= '9'; at++) {
			fraction += (u64)(*at - '0') * unit;
			unit /= 10;
		}
	*ns = seconds > (UINT64_MAX - fraction) / SECOND ? UINT64_MAX : seconds * SECOND + fraction;
	return !*at;
}

/* ---- bookmarks --------------------------------------------------------------- */

/* The bookmark that is being read. */
struct bookmarks {
	int (*take)(void *context, const struct ltt_bookmark *bookmark);
	void *context;
	unsigned int depth, within;
	bool good;
	struct ltt_bookmark bookmark;
	char name[256];
	char text[4096];
	size_t length;
};

static bool bookmark_time(const struct markup_element *element, const char *moment, const char *begin,
			  const char *end, bool cycles, struct ltt_bookmark *bookmark)
{
	const char *words[2] = { markup_value(element, begin), markup_value(element, end) };
	u64 values[2];
	char *rest;
	size_t i;

	if (!words[0])
		words[0] = markup_value(element, moment);
	if (!words[0])
		return false;
	if (!words[1])
		words[1] = words[0];
	for (i = 0; i < 2; i++) {
		if (!cycles) {
			if (!ltt_seconds(words[i], &values[i]))
				return false;
			continue;
		}
		values[i] = strtoull(words[i], &rest, 0);
		if (rest == words[i] || *rest)
			return false;
	}
	bookmark->cycles = cycles;
	bookmark->begin = values[0];
	bookmark->end = values[1] < values[0] ? values[0] : values[1];
	return true;
}

static int begin_bookmark(void *context, const struct markup_element *element)
{
	struct bookmarks *bookmarks = context;
	struct ltt_bookmark *bookmark = &bookmarks->bookmark;
	const char *name = markup_value(element, "name"), *cpu = markup_value(element, "cpu");

	bookmarks->depth++;
	if (strcmp(element->name, "location") || bookmarks->within)
		return 0;
	bookmarks->within = bookmarks->depth;
	bookmarks->length = 0;
	memset(bookmark, 0, sizeof(*bookmark));
	snprintf(bookmarks->name, sizeof(bookmarks->name), "%s", name ? name : "");
	bookmark->name = name ? bookmarks->name : NULL;
	bookmark->has_cpu = cpu && *cpu >= '0' && *cpu <= '9';
	bookmark->cpu = bookmark->has_cpu ? (u32)strtoul(cpu, NULL, 0) : 0;
	bookmarks->good = bookmark_time(element, "time", "start_time", "end_time", false, bookmark) ||
			  bookmark_time(element, "cycle", "start_cycle", "end_cycle", true, bookmark);
	return 0;
}

static int bookmark_text(void *context, const char *text, size_t length)
{
	struct bookmarks *bookmarks = context;
	size_t room = sizeof(bookmarks->text) - bookmarks->length;

	if (!bookmarks->within)
		return 0;
	if (length > room)
		length = room;
	memcpy(bookmarks->text + bookmarks->length, text, length);
	bookmarks->length += length;
	return 0;
}

static int end_bookmark(void *context)
{
	struct bookmarks *bookmarks = context;

	if (bookmarks->depth-- != bookmarks->within || !bookmarks->within)
		return 0;
	bookmarks->within = 0;
	bookmarks->bookmark.text = bookmarks->text;
	bookmarks->bookmark.length = bookmarks->length;
	return bookmarks->good ? bookmarks->take(bookmarks->context, &bookmarks->bookmark) : 0;
}

int ltt_bookmarks_read(struct ltt_trace *trace, int (*take)(void *context, const struct ltt_bookmark *bookmark),
		       void *context)
{
	static const struct markup markup = { .open = begin_bookmark, .close = end_bookmark, .text = bookmark_text };
	struct bookmarks *bookmarks = calloc(1, sizeof(*bookmarks));
	int r = -ENOMEM;

	if (bookmarks) {
		bookmarks->take = take;
		bookmarks->context = context;
		r = read_markup(trace, "info/bookmarks.xml", &markup, bookmarks);
	}
	free(bookmarks);
	return r == -ENOENT ? 0 : r;
}
