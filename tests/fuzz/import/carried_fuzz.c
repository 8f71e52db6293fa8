// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Takes any bytes as the log that an export carries. The input is size and sum of the log, and then the notes and frames. The
 * seal around them is right, since a fuzzer does not find sums.
 */
#include "import_fuzz.h"
#include "check/check.h"
#include "../../../userspace/convert/carried/carried.h"

struct built {
	u8 *at;
	size_t size;
};

static bool get_bytes(void *context, u64 offset, void *to, size_t size)
{
	const struct built *bytes = context;

	if (offset > bytes->size || size > bytes->size - offset)
		return false;
	memcpy(to, bytes->at + offset, size);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzzed fuzzed = { 0 };
	struct log_writer_options options = { .put = put_entry, .context = &fuzzed, .memory = SORTER_MEMORY_MIN };
	struct seal seal = { 0 };
	struct input input = { .fd = -1 };
	struct import import = { .input = &input, .path = "input" };
	struct built bytes;
	struct carried carried = { .get = get_bytes, .context = &bytes };
	struct sum none = { 0 };

	if (size < 16)
		return 0;
	memcpy(&seal.log_size, data, 8);
	memcpy(&seal.log_sum, data + 8, 8);
	seal.packed = size - 16;
	seal.export_sum = sum_end(&none);
	bytes.size = carried.size = seal.packed + CARRIED_SEAL;
	bytes.at = malloc(bytes.size);
	fuzzed.check = bcoslog_check_new(judge_violation, &fuzzed);
	fuzzed.writer = import.log = log_writer_new(&options);
	if (!bytes.at || !fuzzed.check || !import.log)
		abort();
	memcpy(bytes.at, data + 16, seal.packed);
	seal_put(bytes.at + seal.packed, &seal);
	/* What is written is a whole log, or nothing. */
	if (carried_take(&import, &carried) == 1 ? fuzzed.offset != seal.log_size : fuzzed.offset != 0)
		abort();
	log_writer_free(import.log);
	bcoslog_check_free(fuzzed.check);
	free(bytes.at);
	return 0;
}
