// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Import of the Fuchsia trace format: the log that a trace carries in blobs at its end. */
#include "../../carried/carried.h"
#include "read.h"

/* The sizes of the records with a whole blob, and with the seal, in bytes. */
#define BLOB_RECORD (8 + FXT_BLOB_MAX)
#define SEAL_RECORD (8 + CARRIED_SEAL)

_Static_assert(FXT_BLOB_MAX % 8 == 0 && CARRIED_SEAL % 8 == 0, "these blobs have no padding");

/* The place of the blobs. @begin: offset of the first one in the input; @packed: bytes of the log in them, without seal. */
struct place {
	struct input *input;
	u64 begin, packed;
};

static u64 record_header(u64 size)
{
	return FXT_BLOB_HEADER | (1 + (size + 7) / 8) << 4 | size << 32;
}

/* Reads bytes of one blob. */
static bool get_part(const struct place *place, u64 offset, void *to, size_t size)
{
	u64 blob = offset / FXT_BLOB_MAX, in_blob = offset % FXT_BLOB_MAX;

	return input_at(place->input, place->begin + blob * BLOB_RECORD + 8 + in_blob, to, size);
}

static bool get_bytes(void *context, u64 offset, void *to, size_t size)
{
	const struct place *place = context;
	u8 *bytes = to;
	size_t n;

	/* The seal is asked for as a whole. */
	if (offset >= place->packed)
		return input_at(place->input, place->input->size - CARRIED_SEAL, to, size);
	for (; size; bytes += n, offset += n, size -= n) {
		n = FXT_BLOB_MAX - offset % FXT_BLOB_MAX;
		n = n < size ? n : size;
		if (!get_part(place, offset, bytes, n))
			return false;
	}
	return true;
}

int fxt_take_carried(struct fxt_import *fxt)
{
	struct input *input = fxt->import->input;
	struct place place = { .input = input };
	struct carried carried = { .get = get_bytes, .context = &place };
	u64 header, blobs;
	u8 bytes[CARRIED_SEAL];
	struct seal seal;
	int r;

	if (!input_is_seekable(input) || input->size < SEAL_RECORD ||
	    !input_at(input, input->size - SEAL_RECORD, &header, sizeof(header)) ||
	    header != record_header(CARRIED_SEAL) ||
	    !input_at(input, input->size - CARRIED_SEAL, bytes, sizeof(bytes)))
		return 0;
	place.packed = seal_get(bytes, &seal) ? seal.packed : 0;
	blobs = place.packed / FXT_BLOB_MAX * BLOB_RECORD;
	if (place.packed % FXT_BLOB_MAX)
		blobs += 8 + (place.packed % FXT_BLOB_MAX + 7) / 8 * 8;
	if (place.packed > input->size || blobs > input->size - SEAL_RECORD)
		place.packed = blobs = 0;
	place.begin = input->size - SEAL_RECORD - blobs;
	carried.size = place.packed + CARRIED_SEAL;
	r = sum_add_input(&carried.sum, input, place.begin);
	r = r ? r : carried_take(fxt->import, &carried);
	fxt->carried_said = !r;
	return r;
}
