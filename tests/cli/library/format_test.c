// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests the frames that zstd skips in a recorded file: bytes by hand from bcoslog(5), there and back, and damage to
 * them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "equal_notes.h"

#define PARTS 2
#define HEADER 120
#define MACHINE 40
#define NOTE 96
#define INDEX (16 + 8 + HEADER + MACHINE + PARTS * (8 + NOTE) + 8)
#define SEEK (8 + 7 * 8 + 9)
#define BODY (HEADER + MACHINE + NOTE + 300 + NOTE + 500)

static const struct archive_header header = {
	.flags = 0x80000001, .sequence = 0x0102030405060708,
	.boot = { 0xB0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0xBF },
	.machine = { .id = { 0xA0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0xAF }, .host = "machine" },
};

static const struct archive_note notes[PARTS] = {
	{ .flags = 5, .stored = 300, .raw = 1000, .entries = 40, .historical = 11, .losses = 2,
	  .first = 0x1122334455667788,
	  .last = 0x2122334455667788, .wall = { .boot = 0x3122334455667788, .utc = 0x4122334455667788,
						.precision = 77 }, .set = 0x5122334455667788 },
	{ .flags = 8, .stored = 500, .raw = 16 << 20, .entries = 1, .first = 1 },
};

static const struct archive_frame frames[PARTS] = {
	{ .place = HEADER + MACHINE + NOTE, .note = notes[0] },
	{ .place = HEADER + MACHINE + NOTE + 300 + NOTE, .note = notes[1] },
};

static const struct archive_tail tail = { .frames = PARTS, .machine = true };

/* ---- the bytes by hand ----------------------------------------------------------------- */

static u8 *put_number(u8 *to, unsigned int bytes, u64 value)
{
	for (; bytes; bytes--, value >>= 8)
		*to++ = (u8)value;
	return to;
}

static u8 *put_bytes(u8 *to, const void *bytes, size_t size)
{
	memcpy(to, bytes, size);
	return to + size;
}

/* Puts the hash of a frame of @size bytes into its last eight bytes. */
static u8 *put_hash(u8 *frame, size_t size)
{
	u64 value = 14695981039346656037ull;
	size_t i;

	for (i = 8; i < size - 8; i++) {
		value ^= frame[i];
		value *= 1099511628211ull;
	}
	return put_number(frame + size - 8, 8, value);
}

static u8 *begin_frame(u8 *to, size_t size, const char *word)
{
	return put_bytes(put_number(put_number(to, 4, 0x184D2A5B), 4, size - 8), word, 8);
}

static u8 *header_by_hand(u8 *to)
{
	u8 *at = put_number(put_number(put_number(begin_frame(to, HEADER, "BCOSfile"), 4, 1), 4, header.flags), 8,
			    header.sequence);

	put_bytes(put_bytes(at, header.boot, 16), header.machine.host, 64);
	at = put_hash(to, HEADER);
	put_bytes(begin_frame(at, MACHINE, "BCOSmach"), header.machine.id, 16);
	return put_hash(at, MACHINE);
}

static u8 *note_by_hand(u8 *to, const struct archive_note *note)
{
	u8 *at = put_number(put_number(put_number(begin_frame(to, NOTE, "BCOSnote"), 4, note->flags), 4, note->stored),
			    4, note->raw);

	at = put_number(put_number(put_number(at, 4, note->entries), 4, note->historical), 4, note->losses);
	at = put_number(put_number(put_number(put_number(at, 8, note->first), 8, note->last), 8, note->wall.boot), 8,
			note->wall.utc);
	put_number(put_number(put_number(at, 4, note->wall.precision), 8, note->set), 4, 0);
	return put_hash(to, NOTE);
}

static void tail_by_hand(u8 *to)
{
	u8 *at = header_by_hand(put_number(begin_frame(to, INDEX, "BCOSindx"), 8, PARTS));
	unsigned int i;

	for (i = 0; i < PARTS; i++)
		at = note_by_hand(put_number(at, 8, frames[i].place), notes + i);
	at = put_hash(to, INDEX);
	/*
	 * Each frame has its bytes on disk, and the bytes that it unpacks to. Columns have 16 bytes more than their
	 * entries.
	 */
	at = put_number(put_number(at, 4, 0x184D2A5E), 4, SEEK - 8);
	at = put_number(put_number(at, 4, HEADER), 4, 0);
	at = put_number(put_number(at, 4, MACHINE), 4, 0);
	at = put_number(put_number(at, 4, NOTE), 4, 0);
	at = put_number(put_number(at, 4, 300), 4, 1000);
	at = put_number(put_number(at, 4, NOTE), 4, 0);
	at = put_number(put_number(at, 4, 500), 4, (16 << 20) + 16);
	at = put_number(put_number(at, 4, INDEX), 4, 0);
	put_number(put_number(put_number(at, 4, 7), 1, 0), 4, 0x8F92EAB1);
}

/* ---- there and back ---------------------------------------------------------------------- */

static void assert_header(const struct archive_header *got, bool has_machine)
{
	static const u8 unknown[ARCHIVE_ID];

	assert_int_equal(got->flags, header.flags);
	assert_true(got->sequence == header.sequence);
	assert_memory_equal(got->boot, header.boot, ARCHIVE_BOOT);
	assert_memory_equal(got->machine.host, header.machine.host, ARCHIVE_HOST);
	assert_memory_equal(got->machine.id, has_machine ? header.machine.id : unknown, ARCHIVE_ID);
}

static void a_header(void **state)
{
	u8 by_hand[HEADER + MACHINE], there[HEADER + MACHINE];
	struct archive_header back, nameless = header;
	size_t i;

	(void)state;
	header_by_hand(by_hand);
	assert_int_equal(archive_header_size(&header), HEADER + MACHINE);
	archive_put_header(there, &header);
	assert_memory_equal(there, by_hand, sizeof(there));
	assert_true(archive_get_header(by_hand, sizeof(by_hand), &back));
	assert_header(&back, true);
	for (i = 0; i < sizeof(by_hand); i++) {
		assert_int_equal(archive_get_header(by_hand, i, &back), i >= HEADER);
		by_hand[i] ^= 0x10;
		memset(&back, 0xFF, sizeof(back));
		assert_int_equal(archive_get_header(by_hand, sizeof(by_hand), &back), i >= HEADER);
		if (i >= HEADER)
			assert_header(&back, false);
		by_hand[i] ^= 0x10;
	}
	/* The header has another version, and then a name without an end. */
	by_hand[16] = 2;
	put_hash(by_hand, HEADER);
	assert_false(archive_get_header(by_hand, sizeof(by_hand), &back));
	by_hand[16] = 1;
	memset(by_hand + 48, 'x', 64);
	put_hash(by_hand, HEADER);
	assert_true(archive_get_header(by_hand, sizeof(by_hand), &back));
	assert_int_equal(strlen(back.machine.host), 63);
	/* Without an ID, the file has no frame of the machine. */
	memset(nameless.machine.id, 0, ARCHIVE_ID);
	assert_int_equal(archive_header_size(&nameless), HEADER);
	memset(there, 0xEE, sizeof(there));
	archive_put_header(there, &nameless);
	assert_int_equal(there[HEADER], 0xEE);
	nameless.machine.id[15] = 1;
	assert_int_equal(archive_header_size(&nameless), HEADER + MACHINE);
}

static bool gets_note(u32 stored, u32 raw_size)
{
	struct archive_note note = notes[0], back;
	u8 by_hand[NOTE];

	note.stored = stored;
	note.raw = raw_size;
	note_by_hand(by_hand, &note);
	return archive_get_note(by_hand, NOTE, &back);
}

static void a_note(void **state)
{
	u8 by_hand[NOTE], there[NOTE];
	struct archive_note back;
	size_t i;

	(void)state;
	note_by_hand(by_hand, notes);
	archive_put_note(there, notes);
	assert_memory_equal(there, by_hand, NOTE);
	assert_true(archive_get_note(by_hand, NOTE, &back));
	assert_notes_equal(&back, notes);
	for (i = 0; i < NOTE; i++) {
		assert_false(archive_get_note(by_hand, i, &back));
		by_hand[i] ^= 1;
		assert_false(archive_get_note(by_hand, NOTE, &back));
		by_hand[i] ^= 1;
	}
	/* A frame has 1 byte to 17 MiB on disk, and unpacks to 16 MiB at most. */
	assert_true(gets_note(1, 16 << 20) && gets_note(17 << 20, 0));
	assert_false(gets_note(0, 1) || gets_note((17 << 20) + 1, 1) || gets_note(1, (16 << 20) + 1));
}

static bool gets_tail(const u8 *bytes, u64 body)
{
	struct archive_frame back[PARTS];
	struct archive_header known;

	return archive_get_tail(bytes, &tail, body, &known, back);
}

static void a_tail(void **state)
{
	u8 by_hand[INDEX + SEEK], there[INDEX + SEEK];
	struct archive_frame back[PARTS];
	struct archive_header known;
	struct archive_tail wrong;
	size_t i;

	(void)state;
	tail_by_hand(by_hand);
	assert_int_equal(archive_tail_size(&tail), sizeof(there));
	archive_put_tail(there, &header, frames, PARTS);
	assert_memory_equal(there, by_hand, sizeof(there));
	assert_true(archive_get_tail(by_hand, &tail, BODY, &known, back));
	assert_header(&known, true);
	for (i = 0; i < PARTS; i++) {
		assert_true(back[i].place == frames[i].place);
		assert_notes_equal(&back[i].note, notes + i);
	}
	for (i = 0; i < INDEX; i++) {
		by_hand[i] ^= 0x80;
		assert_false(gets_tail(by_hand, BODY));
		by_hand[i] ^= 0x80;
	}
	/* The file is larger or smaller than the index says. */
	assert_false(gets_tail(by_hand, BODY - 1) || gets_tail(by_hand, BODY + 1) || gets_tail(by_hand, 0));
	/* The file ends after the first part. */
	assert_false(gets_tail(by_hand, HEADER + MACHINE + NOTE + 300));
	/*
	 * One part is damaged, and the hash of the whole is right: the number of frames, header, machine, first note,
	 * second note.
	 */
	for (i = 16; i < INDEX - 8; i++) {
		by_hand[i] ^= 0x40;
		put_hash(by_hand, INDEX);
		assert_false(gets_tail(by_hand, BODY));
		by_hand[i] ^= 0x40;
	}
	wrong = (struct archive_tail){ .frames = PARTS };
	assert_false(archive_get_tail(by_hand, &wrong, BODY, &known, back));
}

static bool expects_tail(u32 entries, u32 magic, struct archive_tail *expected)
{
	u8 last[9];

	put_number(put_number(put_number(last, 4, entries), 1, 0), 4, magic);
	return archive_tail_expected(last, expected);
}

/* A seek table has two frames for the file itself, one more for a machine, and two for each part. */
static void an_expected_tail(void **state)
{
	struct archive_tail expected;
	u32 entries;

	(void)state;
	for (entries = 2; entries < 9; entries++) {
		assert_true(expects_tail(entries, 0x8F92EAB1, &expected));
		assert_int_equal(expected.frames, entries / 2 - 1);
		assert_int_equal(expected.machine, entries % 2);
	}
	assert_false(expects_tail(0, 0x8F92EAB1, &expected) || expects_tail(1, 0x8F92EAB1, &expected));
	assert_false(expects_tail(7, 0x8F92EAB0, &expected));
	/* A file has at most 2^20 parts. */
	assert_true(expects_tail((2 << 20) + 3, 0x8F92EAB1, &expected));
	assert_false(expects_tail((2 << 20) + 4, 0x8F92EAB1, &expected));
}

static void an_id(void **state)
{
	static const char text[] = "b0010203-0405-0607-0809-0a0b0c0d0ebf";
	char back[37];
	u8 id[16];

	(void)state;
	assert_true(archive_id_get(id, text, 36));
	assert_memory_equal(id, header.boot, 16);
	assert_true(archive_id_get(id, "b00102030405060708090a0b0c0d0ebf", 32));
	assert_memory_equal(id, header.boot, 16);
	archive_id_text(back, header.boot);
	assert_string_equal(back, text);
	/* An ID is too short, too long, or has characters that are no digits. Nothing is written then. */
	memset(id, 0x77, sizeof(id));
	assert_false(archive_id_get(id, text, 35) || archive_id_get(id, "b0010203-0405-0607-0809-0a0b0c0d0ebf0", 37));
	assert_false(archive_id_get(id, "b00102030405060708090a0b0c0d0eb/", 32) ||
		     archive_id_get(id, "b00102030405060708090a0b0c0d0eb:", 32) ||
		     archive_id_get(id, "b00102030405060708090a0b0c0d0eb`", 32) ||
		     archive_id_get(id, "b00102030405060708090a0b0c0d0ebg", 32));
	assert_int_equal(id[0], 0x77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_header), cmocka_unit_test(a_note), cmocka_unit_test(a_tail),
		cmocka_unit_test(an_expected_tail), cmocka_unit_test(an_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
