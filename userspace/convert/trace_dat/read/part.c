// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Parts that both versions share: options and compressed parts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef BCOSLOG_HAVE_ZSTD
#include <zstd.h>
#endif

#include "../../bytes.h"
#include "read.h"

enum option {
	OPTION_CLOCK = 4,
	OPTION_UNAME = 5,
	OPTION_OFFSET = 7,
	OPTION_VERSION = 9,
	OPTION_TSC = 14,
};

/* Takes the clock in brackets out of "[local] global counter ...", or a name without brackets. */
static void take_clock(struct trace_dat *file, const char *text, size_t size)
{
	const char *open = memchr(text, '[', size),
		   *close = open ? memchr(open, ']', size - (size_t)(open - text)) : NULL;

	/* No name is not a name. */
	if (close && close > open + 1)
		snprintf(file->clock, sizeof(file->clock), "%.*s", (int)(close - open - 1), open + 1);
	else if (!open && strnlen(text, size))
		snprintf(file->clock, sizeof(file->clock), "%.*s", (int)strnlen(text, size), text);
}

/* Takes the third word of "Linux host 6.12.1 ...", which is the release. */
static void take_kernel(struct trace_dat *file, const char *text, size_t size)
{
	char words[256], *word, *rest;

	snprintf(words, sizeof(words), "%.*s", (int)strnlen(text, size), text);
	strtok_r(words, " ", &rest);
	strtok_r(NULL, " ", &rest);
	word = strtok_r(NULL, " ", &rest);
	if (word)
		snprintf(file->kernel, sizeof(file->kernel), "kernel %s", word);
}

void trace_dat_option(struct trace_dat *file, u32 id, const u8 *bytes, size_t size)
{
	char number[32];

	switch (id) {
	case OPTION_CLOCK:
		take_clock(file, (const char *)bytes, size);
		break;
	case OPTION_VERSION:
		if (!*file->clock && size > sizeof(TRACE_DAT_OURS) && !memcmp(bytes, TRACE_DAT_OURS, sizeof(TRACE_DAT_OURS) - 1))
			take_clock(file, (const char *)bytes, size);
		break;
	case OPTION_UNAME:
		take_kernel(file, (const char *)bytes, size);
		break;
	case OPTION_OFFSET:
		snprintf(number, sizeof(number), "%.*s", (int)strnlen((const char *)bytes, size), (const char *)bytes);
		file->shift = strtoll(number, NULL, 0);
		break;
	case OPTION_TSC:
		if (size < 16)
			break;
		file->mult = get32(bytes, file->big);
		file->tsc_shift = get32(bytes + 4, file->big);
		file->tsc = file->tsc_shift < 64;
		file->tsc_offset = get64(bytes + 8, file->big);
		break;
	}
}

int trace_dat_keep_buffer(struct trace_dat *file, const struct trace_buffer *buffer)
{
	u64 left = file->input->size;
	struct trace_buffer *others;
	bool any = false;
	u32 i;

	for (i = 0; i < buffer->count; i++) {
		if (buffer->cpus[i].size > left) {
			free(buffer->cpus);
			return trace_dat_damaged(file, "the pages of its CPUs overlap, or are longer than the file");
		}
		left -= buffer->cpus[i].size;
		any |= buffer->cpus[i].size != 0;
	}
	if (any && !file->buffer.count) {
		file->buffer = *buffer;
		return 0;
	}
	others = any ? reallocarray(file->others, file->others_count + 1, sizeof(*others)) : NULL;
	if (others) {
		file->others = others;
		others[file->others_count++] = *buffer;
		return 0;
	}
	free(buffer->cpus);
	return any ? -ENOMEM : 0;
}

int trace_dat_unpack(struct trace_dat *file, const u8 *from, size_t size, u8 *to, size_t length)
{
	int r = guard_unpack(file->input->guard, length);

	if (r)
		return r;
	if (strcmp(file->compression, "zstd")) {
		file->reason = "its compression is unknown; trace-cmd convert --compression none writes it without";
		return -ENOTSUP;
	}
#ifdef BCOSLOG_HAVE_ZSTD
	if (ZSTD_decompress(to, length, from, size) == length)
		return 0;
	return trace_dat_damaged(file, "a compressed part is damaged");
#else
	(void)from, (void)size, (void)to, (void)length;
	file->reason = "it is compressed, and bcoslog was built without libzstd; trace-cmd convert --compression none "
		       "writes it without";
	return -ENOTSUP;
#endif
}
