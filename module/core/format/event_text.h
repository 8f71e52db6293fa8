/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Parses the text that a program writes to the device: a generic event of its own (5.3), with an
 * optional prefix.
 */
#ifndef BCOS_CORE_EVENT_TEXT_H
#define BCOS_CORE_EVENT_TEXT_H

#include "core/raw/raw.h"

/* The longest write has the prefix "<0xFF,0xFFFFFFFF>", the text, and a newline. */
#define BCOS_EVENT_LINE_MAX (17 + BCOS_RAW_TEXT + 1)

struct bcos_event_line {
	const char *text;	/* points into the parsed bytes; not zero-terminated */
	size_t length;
	u32 event_id;
	u8 severity;
};

/**
 * bcos_event_line_parse() - parse "<severity>text", "<severity,id>text" or "text"
 * @bytes: the bytes that the program wrote
 * @length: number of @bytes
 * @line: out: the parts of the event
 *
 * Numbers are decimal, or hexadecimal after 0x. Without a prefix the severity is BCOS_SEVERITY_INFO
 * and the ID 0. A prefix with a syntax error counts as text. One newline at the end is dropped.
 *
 * Context: any.
 * Return: 0; -EINVAL: the text is not UTF-8 or has a zero byte, the severity is above 255, or the
 *   ID has more than 32 bits; -EMSGSIZE: the text has more than BCOS_RAW_TEXT bytes.
 */
int bcos_event_line_parse(const char *bytes, size_t length, struct bcos_event_line *line);

#endif
