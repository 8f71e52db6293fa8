// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tells any entries, in any order, as facts to a log_writer: they become a log that passes the check. */
#include "import_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static u32 room[BCOS_ENTRY_MAX / 4 + 1];
	struct bcos_entry *entry = (struct bcos_entry *)room;
	struct fuzzed fuzzed = { 0 };
	struct log_writer_options options = { .put = put_entry, .context = &fuzzed, .memory = SORTER_MEMORY_MIN };
	struct log_writer *writer = log_writer_new(&options);
	u16 length;

	fuzzed.check = bcoslog_check_new(judge_violation, &fuzzed);
	fuzzed.writer = writer;
	if (!fuzzed.check || !writer)
		abort();
	while (size >= sizeof(*entry)) {
		memcpy(&length, data, sizeof(length));
		if (length > size || length < sizeof(*entry))
			break;
		memset(room, 0, length + 4u);
		memcpy(room, data, length);
		if (bcos_entry_check(entry, length) == BCOS_WELL_FORMED)
			log_entry(writer, entry);
		data += length;
		size -= length;
	}
	log_writer_end(writer);
	bcoslog_check_end(fuzzed.check);
	log_writer_free(writer);
	bcoslog_check_free(fuzzed.check);
	return 0;
}
