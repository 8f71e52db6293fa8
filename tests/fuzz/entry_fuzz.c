// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Gives any bytes to bcos_entry_check(): it reads nothing beyond them, and calls an entry well-formed if and only if
 * the oracle's own reading does.
 */
#include <stdlib.h>
#include "core/format/entry.h"
#include "oracle_state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct oracle oracle;
	enum bcos_malformed wrong = bcos_entry_check(data, size);
	const struct bcos_type *type;
	const char *text, *other;
	struct bcos_entry header;
	size_t length = 0;
	u32 aligned[16384];

	other = parse_entry(&oracle, data, size);
	if (wrong) {
		/* The oracle does not judge the sizes of kernel API entries, so any size is right. */
		if (!other)
			abort();
		return 0;
	}
	memcpy(&header, data, sizeof(header));
	if (header.size > size || header.size < 20)
		abort();
	/* bcos_entry_check() does not judge times. */
	if (header.time > UINT64_MAX - header.precision)
		return other ? 0 : (abort(), 0);
	type = bcos_type_of(header.type);
	memcpy(aligned, data, header.size);
	/* The oracle accepts only entries of defined types that are exactly as we write them. */
	if ((!type || bcos_entry_unusual((const struct bcos_entry *)aligned)) != !!other)
		abort();
	text = bcos_entry_text((const struct bcos_entry *)aligned, &length);
	if (!type)
		return text != NULL ? (abort(), 0) : 0;
	if (!other && text && (length != oracle.text_length || memcmp(text, oracle.text, length)))
		abort();
	if (text && length && text + length > (const char *)aligned + header.size)
		abort();
	return 0;
}
