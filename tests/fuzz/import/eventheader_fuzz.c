// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Gives any bytes to the reader of EventHeader events. The first byte says how much room the text of the event has.
 */
#include "../../../userspace/convert/eventheader/read/read.h"
#include "check/check.h"
#include "import_fuzz.h"

static void check_text(const uint8_t *data, size_t size, size_t room)
{
	struct eventheader_event event;
	char *text = malloc(room);
	size_t length;

	if (eventheader_parse(&event, data, size)) {
		length = eventheader_text(&event, text, room);
		if (length > room || !bcos_utf8_valid(text, length))
			abort();
	}
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct eventheader_occasion when = { .time = 1000, .cpu = 1, .pid = 50 };
	struct fuzzed fuzzed = { 0 };
	struct log_writer_options options = { .put = put_entry, .context = &fuzzed, .memory = SORTER_MEMORY_MIN };
	struct eventheader_name name;
	struct log_writer *writer;
	uint8_t *copy;

	if (!size)
		return 0;
	copy = malloc(size);
	memcpy(copy, data + 1, size - 1);
	check_text(copy, size - 1, 16 + 64 * (size_t)(data[0] >> 1));
	writer = log_writer_new(&options);
	fuzzed.check = bcoslog_check_new(judge_violation, NULL);
	if (!writer || !fuzzed.check || !eventheader_parse_name(&name, "other_L4K1"))
		abort();
	eventheader_import(writer, &name, &when, copy, size - 1);
	log_writer_end(writer);
	bcoslog_check_end(fuzzed.check);
	log_writer_free(writer);
	bcoslog_check_free(fuzzed.check);
	free(copy);
	return 0;
}
