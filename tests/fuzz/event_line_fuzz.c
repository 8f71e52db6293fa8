// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Gives any bytes to the parsers of what a program writes and of a line of the kernel's log: the parts that they find
 * lie within the bytes, and are as they have to be.
 */
#include <stdlib.h>
#include "core/format/entry.h"
#include "core/capture/printk.h"
#include "core/format/event_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand_within(const char *text, size_t length, const char *bytes, size_t size)
{
	if (text < bytes || text + length > bytes + size)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data;
	struct bcos_printk printk;
	struct bcos_event_line line;
	int error = bcos_event_line_parse(bytes, size, &line);

	if (!error) {
		demand_within(line.text, line.length, bytes, size);
		if (line.length > BCOS_RAW_TEXT || !bcos_utf8_valid(line.text, line.length))
			abort();
	} else if (error != -EINVAL && error != -EMSGSIZE) {
		abort();
	}
	bcos_printk_parse(bytes, size, &printk);
	demand_within(printk.text, printk.length, bytes, size);
	/* The parser leaves out only what is in front of the text. */
	if (printk.text + printk.length != bytes + size || (!printk.timed && printk.time))
		abort();
	return 0;
}
