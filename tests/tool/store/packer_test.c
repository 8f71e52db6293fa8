// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Frames that are compressed: what unpacks to the entries, or to their columns, and where memory is lacking. */
#include <errno.h>

#include "printed.h"
#include "failing_memory.h"
#include "made_log.h"
#include "record/store/packer.h"

size_t ZSTD_decompress(void *to, size_t room, const void *from, size_t size);

static u8 raw[24 * 1000], unpacked[sizeof(raw) + 100];

/* Makes entries of 24 bytes each. */
static void make_entries(u32 count)
{
	struct made made;
	u32 i;

	for (i = 0; i < count; i++)
		memcpy(raw + 24 * i, made_word(&made, BCOS_ASSIGN_CPU, i & 3, 1000 + 17 * i, i % 10), 24);
}

static size_t unpack_bytes(const u8 *bytes, size_t size)
{
	memset(unpacked, 0, sizeof(unpacked));
	return ZSTD_decompress(unpacked, sizeof(unpacked), bytes, size);
}

/* A plain frame is the entries themselves, and another one has columns after a head of 16 bytes. */
static void plain_frames_and_columns(void **state)
{
	static const int levels[] = { 1, 2, 19 };
	struct packer *packer;
	size_t stored, i;
	bool columns;
	u8 *bytes;

	make_entries(1000);
	for (i = 0; i < 3; i++) {
		packer = packer_new(levels[i], true);
		assert_non_null(packer);
		columns = true;
		bytes = packer_pack(packer, raw, sizeof(raw), 40, &stored, &columns);
		assert_non_null(bytes);
		assert_false(columns);
		assert_true(stored < sizeof(raw) / 2);
		assert_int_equal(unpack_bytes(bytes + 40, stored), sizeof(raw));
		assert_memory_equal(unpacked, raw, sizeof(raw));
		packer_free(packer);
		packer = packer_new(levels[i], false);
		columns = false;
		bytes = packer_pack(packer, raw, sizeof(raw), 40, &stored, &columns);
		assert_non_null(bytes);
		assert_true(columns);
		assert_int_equal(unpack_bytes(bytes + 40, stored), sizeof(raw) + 16);
		assert_memory_not_equal(unpacked, raw, sizeof(raw));
		packer_free(packer);
	}
	packer_free(NULL);
}

/* Bytes that are no whole entries have no columns. Each frame has a checksum, by which readers know damage. */
static void other_bytes(void **state)
{
	struct packer *packer = packer_new(1, false);
	size_t stored;
	bool columns;
	u8 *bytes;

	make_entries(10);
	bytes = packer_pack(packer, raw, 24 * 10 - 5, 0, &stored, &columns);
	assert_non_null(bytes);
	assert_false(columns);
	assert_int_equal(unpack_bytes(bytes, stored), 24 * 10 - 5);
	assert_memory_equal(unpacked, raw, 24 * 10 - 5);
	/* RFC 8878, 3.1.1.1.1.5: bit 2 of the byte after the magic number says that there is one. */
	assert_true(bytes[4] & 4);
	packer_free(packer);
}

/* Frames of growing sizes need more memory, which may be lacking; then the next one, that is smaller, has enough. */
static void no_memory(void **state)
{
	struct packer *packer;
	unsigned int number;
	size_t stored;
	bool columns;
	u8 *bytes;

	make_entries(1000);
	for (number = 1; ; number++) {
		failing = number;
		errno = 0;
		packer = packer_new(1, false);
		failing = 0;
		if (packer)
			break;
		assert_int_equal(errno, ENOMEM);
	}
	assert_true(number > 1);
	assert_non_null(packer_pack(packer, raw, 24, 0, &stored, &columns));
	for (number = 1; ; number++) {
		failing = number;
		bytes = packer_pack(packer, raw, sizeof(raw), 0, &stored, &columns);
		failing = 0;
		if (bytes)
			break;
		bytes = packer_pack(packer, raw, 24, 0, &stored, &columns);
		assert_non_null(bytes);
		assert_int_equal(unpack_bytes(bytes, stored), 24 + 16);
	}
	assert_int_equal(unpack_bytes(bytes, stored), sizeof(raw) + 16);
	packer_free(packer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_frames_and_columns),
		cmocka_unit_test(other_bytes),
		cmocka_unit_test(no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
