// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests the decoder of EventHeader events with bytes that are written by hand from the description of the format, and
 * with the text that a person would write for them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../userspace/convert/eventheader/read/read.h"

/* ---- tracepoint names ---- */

static void names_and_codes(void **state)
{
	static const struct {
		const char *text;
		size_t provider;
		unsigned int level;
		uint64_t keyword;
	} good[] = {
		{ "MyProvider_L3K2a", 10, 3, 0x2A },
		{ "OtherProvider_L5K1fGperf", 13, 5, 0x1F },
		{ "a_L1K0_L4Kff", 6, 4, 0xFF },
		{ "p_LffKffffffffffffffff", 1, 255, UINT64_MAX },
		{ "p_L1K0AB1c", 1, 1, 0 },
	};
	static const char *const bad[] = {
		"", "sched_switch", "_L4K1", "p_L0K1", "p_L100K1", "p_LK1", "p_L4K", "p_L4", "p_L4k1", "p_L4K1 x",
		"p_L4KA", "p_L4K10000000000000000", "p_LFK1",
	};
	struct eventheader_name name;
	char longest[300];
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(eventheader_parse_name(&name, good[i].text));
		assert_ptr_equal(name.provider, good[i].text);
		assert_int_equal(name.provider_length, good[i].provider);
		assert_int_equal(name.level, good[i].level);
		assert_true(name.keyword == good[i].keyword);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(eventheader_parse_name(&name, bad[i]));
	memset(longest, 'p', sizeof(longest));
	strcpy(longest + 250, "_L4K1");
	assert_true(eventheader_parse_name(&name, longest));
	strcpy(longest + 251, "_L4K1");
	assert_false(eventheader_parse_name(&name, longest));
}

/* ---- events ---- */

/* Decodes a copy of the event, whose memory has its exact size, so that the sanitizer sees each access beyond it. */
static size_t text_of(const void *bytes, size_t size, char *to, size_t room)
{
	uint8_t *copy = malloc(size ? size : 1);
	struct eventheader_event event;
	char *line = malloc(room);
	size_t length = SIZE_MAX;

	memcpy(copy, bytes, size);
	if (eventheader_parse(&event, copy, size)) {
		length = eventheader_text(&event, line, room);
		assert_true(length <= room);
		memcpy(to, line, length);
		to[length] = 0;
	}
	free(line);
	free(copy);
	return length;
}

static void expect_text(const void *bytes, size_t size, const char *expected)
{
	static char text[70000];

	assert_int_not_equal(text_of(bytes, size, text, 65000), SIZE_MAX);
	assert_string_equal(text, expected);
}

#define EXPECT(bytes, text) expect_text(bytes, sizeof(bytes) - 1, text)

/*
 * The head of an event: little endian, 64 bits, extensions; version 0, ID 0, tag 0, info, level 4. Metadata of @size
 * bytes.
 */
#define HEADER "\7\0\0\0\0\0\0\4"
#define META(size) HEADER size "\0\1\0"
/* The head of an event in big endian. */
#define BIG(size) "\5\0\0\0\0\0\0\4" "\0" size "\0\1"

static void header_is_read(void **state)
{
	static const char bytes[] =
		"\7\2\1\5\1\3\1\3"			/* version 2, ID 0x501, tag 0x301, start, level 3 */
		"\3\0\x9\x80" "abc"			/* unknown, more follow */
		"\4\0\1\x80" "e;x\0"			/* metadata */
		"\x20\0\2\0" "0123456789abcdefFEDCBA9876543210"
		"payload";
	static const char big[] = "\1\1\5\1\3\1\2\5";
	struct eventheader_event event;
	size_t size;

	assert_true(eventheader_parse(&event, bytes, sizeof(bytes) - 1));
	assert_int_equal(event.version, 2);
	assert_int_equal(event.id, 0x501);
	assert_int_equal(event.tag, 0x301);
	assert_int_equal(event.opcode, EVENTHEADER_START);
	assert_int_equal(event.level, 3);
	assert_int_equal(event.name_length, 1);
	assert_memory_equal(event.name, "e", 1);
	assert_int_equal(event.fields_size, 0);
	assert_memory_equal(event.activity, "0123456789abcdef", 16);
	assert_memory_equal(event.parent, "FEDCBA9876543210", 16);
	assert_int_equal(event.payload_size, 7);
	assert_memory_equal(event.payload, "payload", 7);
	/* An event that is cut off before its payload is none. */
	for (size = 0; size < sizeof(bytes) - 1 - 7; size++)
		assert_false(eventheader_parse(&event, bytes, size));

	assert_true(eventheader_parse(&event, big, sizeof(big) - 1));
	assert_true(event.big_endian);
	assert_int_equal(event.id, 0x501);
	assert_int_equal(event.tag, 0x301);
	assert_int_equal(event.opcode, EVENTHEADER_STOP);
	assert_null(event.name);
	assert_null(event.activity);
}

static void the_first_of_each_extension_counts(void **state)
{
	static const char bytes[] =
		HEADER "\x10\0\2\x80" "0123456789abcdef" "\2\0\1\x80" "a\0" "\2\0\1\x80" "b\0"
		"\x10\0\2\x80" "FEDCBA9876543210" "\5\0\2\0" "short";
	struct eventheader_event event;

	assert_true(eventheader_parse(&event, bytes, sizeof(bytes) - 1));
	assert_memory_equal(event.name, "a", 1);
	assert_memory_equal(event.activity, "0123456789abcdef", 16);
	assert_null(event.parent);
}

static void names_and_attributes(void **state)
{
	EXPECT(META("\2") "e\0", "e");
	EXPECT(META("\22") "a;;b;c=;;\0f;;g;h\0\2" "\5", "a;b(c=;) f;g(h)=5");
	EXPECT(META("\25") "e;k=v;l=w\0f;unit=ms\0\2" "\5", "e(k=v;l=w) f(unit=ms)=5");
	EXPECT(META("\4") "\0f\0\2" "\5", "f=5");
	/* Metadata that no zero ends names nothing. */
	EXPECT(META("\1") "e", "");
	/* One name is no UTF-8, and another has a control character. */
	EXPECT(META("\3") "\xE9\n\0", "\xEF\xBF\xBD\\x0a");
}

/* Encodings 2, 3, 4 and 5 are numbers of 8 to 64 bits, each in every format. */
static void numbers_in_formats(void **state)
{
	EXPECT(META("\5") "e\0a\0\2" "\xFF", "e a=255");
	EXPECT(META("\6") "e\0a\0\x82\2" "\xFF", "e a=-1");
	EXPECT(META("\6") "e\0a\0\x82\3" "\x0F", "e a=0xf");
	EXPECT(META("\6") "e\0a\0\x82\7" "\1", "e a=true");
	EXPECT(META("\6") "e\0a\0\x82\7" "\0", "e a=false");
	EXPECT(META("\6") "e\0a\0\x82\7" "\2", "e a=2");
	EXPECT(META("\6") "e\0a\0\x82\x9" "\x0F", "e a=0f");
	EXPECT(META("\6") "e\0a\0\x82\xA" "\xE9", "e a=\"\xC3\xA9\"");
	EXPECT(META("\5") "e\0a\0\3" "\1\2", "e a=513");
	EXPECT(META("\6") "e\0a\0\x83\2" "\xFE\xFF", "e a=-2");
	EXPECT(META("\6") "e\0a\0\x83\x10" "\1\2", "e a=258");	/* a port is big endian */
	EXPECT(META("\6") "e\0a\0\x83\xB" "\xAC\x20", "e a=\"\xE2\x82\xAC\"");
	EXPECT(META("\6") "e\0a\0\x84\4" "\xFE\xFF\xFF\xFF", "e a=-2");
	EXPECT(META("\6") "e\0a\0\x84\5" "\1\1\0\0", "e a=257");
	EXPECT(META("\6") "e\0a\0\x84\6" "\0\xF1\x53\x65", "e a=2023-11-14T22:13:20Z");
	EXPECT(META("\6") "e\0a\0\x84\x8" "\0\0\xC0\x3F", "e a=1.5");
	EXPECT(META("\6") "e\0a\0\x84\x11" "\x7F\0\0\1", "e a=127.0.0.1");
	EXPECT(META("\6") "e\0a\0\x84\x9" "\1\2\3\4", "e a=01020304");
	EXPECT(META("\5") "e\0a\0\5" "\1\0\0\0\0\0\0\x80", "e a=9223372036854775809");
	EXPECT(META("\6") "e\0a\0\x85\2" "\1\0\0\0\0\0\0\x80", "e a=-9223372036854775807");
	EXPECT(META("\6") "e\0a\0\x85\6" "\0\xF1\x53\x65\0\0\0\0", "e a=2023-11-14T22:13:20Z");
	EXPECT(META("\6") "e\0a\0\x85\6" "\0\0\0\0\0\0\0\x7F", "e a=9151314442816847872");	/* no year has it */
	EXPECT(META("\6") "e\0a\0\x85\x8" "\0\0\0\0\0\0\xF8\x3F", "e a=1.5");
	/* A value whose format does not fit gets the default format. */
	EXPECT(META("\6") "e\0a\0\x82\x8" "\7", "e a=7");
	EXPECT(META("\6") "e\0a\0\x85\x10" "\7\0\0\0\0\0\0\0", "e a=7");
	EXPECT(META("\6") "e\0a\0\x82\x7F" "\7", "e a=7");
	/* The decoder skips a tag. */
	EXPECT(META("\10") "e\0a\0\x82\x81\5\6" "\7", "e a=7");
	EXPECT(BIG("\6") "e\0a\0\x83\2" "\xFF\xFE", "e a=-2");
	EXPECT(BIG("\6") "e\0a\0\x83\x10" "\1\2", "e a=258");
	EXPECT(BIG("\5") "e\0a\0\4" "\1\2\3\4", "e a=16909060");
}

/*
 * The formats of numbers and other values of a fixed size, in bytes 1, 2, 4, 8 and 16: what a value of that size prints,
 * or NULL where the format does not take it. All formats have these bytes, in little endian.
 */
#define VALUE "\1\2\3\4\5\6\7\x88\x99\xAA\xBB\xCC\xDD\xEE\xFF\x10"

static const char *const in_formats[19][5] = {
	[1] = { "1", "513", "67305985", "9801809732607083009" },
	[2] = { "1", "513", "67305985", "-8644934341102468607" },
	[3] = { "0x1", "0x201", "0x4030201", "0x8807060504030201" },
	[4] = { NULL, NULL, "67305985" },
	[5] = { NULL, NULL, "67305985" },
	[6] = { NULL, NULL, "1972-02-19T00:06:25Z", "-8644934341102468607" },	/* no year has the latter */
	[7] = { "true", "513", "67305985" },
	[8] = { NULL, NULL, "1.5399896e-36", "-5.447603722011605e-270" },
	[15] = { [4] = "01020304-0506-0788-99aa-bbccddeeff10" },
	[16] = { [1] = "258" },
	[17] = { [2] = "1.2.3.4", [4] = "102:304:506:788:99aa:bbcc:ddee:ff10" },
	[18] = { [2] = "1.2.3.4", [4] = "102:304:506:788:99aa:bbcc:ddee:ff10" },
};

/* Prints a value of an encoding in a format, and compares. */
static void expect_printed(unsigned int encoding, unsigned int format, size_t size, const char *expected)
{
	struct eventheader_value value = { .encoding = (uint8_t)encoding, .format = (uint8_t)format,
					   .bytes = (const uint8_t *)VALUE, .size = size };
	char text[64];
	size_t length = eventheader_value_text(&value, text, sizeof(text) - 1);

	text[length] = 0;
	if (strcmp(text, expected))
		fail_msg("encoding %u, format %u, %zu bytes: %s, not %s", encoding, format, size, text, expected);
}

static void each_encoding_in_each_format(void **state)
{
	static const char *const plain[] = { "1", "513", "67305985", "9801809732607083009",
					     "0102030405060788""99aabbccddeeff10" };
	static const char *const hex[] = { "01", "0102", "01020304", "0102030405060788",
					   "010203040506078899aabbccddeeff10" };
	unsigned int format, i;
	const char *text;

	(void)state;
	for (format = 1; format <= 18; format++) {
		if (format >= 9 && format <= 14)	/* bytes and texts */
			continue;
		for (i = 0; i < 5; i++) {
			text = in_formats[format][i];
			/* A value whose format does not take it is a plain number, or bytes. */
			expect_printed(EVENTHEADER_VALUE8 + i, format, (size_t)1 << i, text ? text : plain[i]);
			/* Counted bytes of any size have the format if it takes their size, and are bytes otherwise. */
			expect_printed(EVENTHEADER_STRING8, format, (size_t)1 << i, text ? text : hex[i]);
			expect_printed(EVENTHEADER_BINARY, format, (size_t)1 << i, text ? text : hex[i]);
		}
		/* There may be no value. */
		expect_printed(EVENTHEADER_STRING8, format, 0, "null");
		expect_printed(EVENTHEADER_BINARY, format, 0, "null");
		expect_printed(EVENTHEADER_BINARY, format, 3, "010203");
		expect_printed(EVENTHEADER_STRING8, format, 11, "010203040506078899aabb");
	}
	/* Wide strings are texts in all formats but that of bytes; Latin has characters of a byte. */
	EXPECT(META("\6") "e\0a\0\x88\3" "A\0\0\0", "e a=\"A\"");
	EXPECT(META("\6") "e\0a\0\x8B\xA" "\2\0\x3D\xD8\0\xDE", "e a=\"\xF0\x9F\x98\x80\"");
	EXPECT(META("\6") "e\0a\0\x8B\x9" "\1\0A\0", "e a=4100");
	EXPECT(META("\6") "e\0a\0\x8A\2" "\0\0", "e a=null");
	EXPECT(META("\6") "e\0a\0\x84\x8" "\xCD\xCC\xCC\x3D", "e a=0.1");
	EXPECT(META("\6") "e\0a\0\x85\x8" "\x9A\x99\x99\x99\x99\x99\xB9\x3F", "e a=0.1");
}

/* An event without metadata is known by its ID. */
static void events_without_metadata(void **state)
{
	EXPECT("\3\0\67\0\0\0\0\4", "event 55");
	EXPECT("\3\0\67\0\0\0\0\4" "\1\xFF", "event 55 payload=01ff");
	EXPECT("\1\0\0\67\0\0\0\4", "event 55");
}

static void wide_values(void **state)
{
	static const char value[] = "\x20\1\xD\xB8\0\0\0\0\0\0\0\0\0\0\0\1";
	char event[64];

	memcpy(event, META("\6") "e\0a\0\x86\xF", 18);
	memcpy(event + 18, value, 16);
	expect_text(event, 34, "e a=20010db8-0000-0000-0000-000000000001");
	event[17] = 0x11;
	expect_text(event, 34, "e a=2001:db8::1");
	event[17] = 0;
	expect_text(event, 34, "e a=20010db8000000000000000000000001");
	event[17] = 0xF;
	memcpy(event + 18, "\0\x11\x22\x33\x44\x55\x66\x77\x88\x99\xAA\xBB\xCC\xDD\xEE\xFF", 16);
	expect_text(event, 34, "e a=00112233-4455-6677-8899-aabbccddeeff");
}

static void strings_to_zero(void **state)
{
	/* A text reaches up to a zero, or to the end of the payload. */
	EXPECT(META("\10") "e\0a\0\7b\0\7" "one\0two", "e a=\"one\" b=\"two\"");
	EXPECT(META("\5") "e\0a\0\7", "e a=\"\"");
	EXPECT(META("\5") "e\0a\0\x8" "A\0\xAC\x20\0\0", "e a=\"A\xE2\x82\xAC\"");
	EXPECT(META("\5") "e\0a\0\x9" "A\0\0\0\0\xF6\1\0", "e a=\"A\xF0\x9F\x98\x80\"");
	/* A text has a length, in characters. */
	EXPECT(META("\10") "e\0a\0\xA" "b\0\2" "\2\0hi\5", "e a=\"hi\" b=5");
	EXPECT(META("\5") "e\0a\0\xB" "\2\0\x3D\xD8\0\xDE", "e a=\"\xF0\x9F\x98\x80\"");	/* surrogates */
	EXPECT(META("\5") "e\0a\0\xB" "\1\0\x3D\xD8", "e a=\"\xEF\xBF\xBD\"");			/* half of them */
	EXPECT(META("\5") "e\0a\0\xC" "\1\0A\0\0\0", "e a=\"A\"");
	EXPECT(BIG("\5") "e\0a\0\xB" "\0\1\x20\xAC", "e a=\"\xE2\x82\xAC\"");
	EXPECT(META("\5") "e\0a\0\xA" "\3\0a\"\\", "e a=\"a\\\"\\\\\"");
	EXPECT(META("\5") "e\0a\0\xA" "\3\0\0\n\x7F", "e a=\"\\x00\\x0a\\x7f\"");
	EXPECT(META("\5") "e\0a\0\xA" "\2\0\xC3\xA9", "e a=\"\xC3\xA9\"");
	EXPECT(META("\6") "e\0a\0\x8A\xA" "\1\0\xE9", "e a=\"\xC3\xA9\"");			/* Latin */
	EXPECT(META("\5") "e\0a\0\xA" "\1\0\xE9", "e a=\"\xEF\xBF\xBD\"");
	/* A text begins with a byte order mark. */
	EXPECT(META("\6") "e\0a\0\x8A\xC" "\4\0\xFE\xFF\0A", "e a=\"A\"");
	EXPECT(META("\6") "e\0a\0\x8A\xD" "\4\0\xEF\xBB\xBF<", "e a=\"<\"");
	EXPECT(META("\6") "e\0a\0\x8A\xE" "\2\0{}", "e a=\"{}\"");
	EXPECT(META("\6") "e\0a\0\x8A\x9" "\2\0hi", "e a=6869");
	/* A value is binary. */
	EXPECT(META("\5") "e\0a\0\xD" "\3\0\1\2\xFF", "e a=0102ff");
	EXPECT(META("\6") "e\0a\0\x8D\xB" "\2\0hi", "e a=\"hi\"");
	EXPECT(META("\6") "e\0a\0\x8D\x11" "\4\0\xA\0\0\1", "e a=10.0.0.1");
	EXPECT(META("\6") "e\0a\0\x8D\xF" "\2\0\1\2", "e a=0102");
}

static void nesting_of_fields(void **state)
{
	/* The format of a structure is the number of its fields. Later fields are beside it. */
	EXPECT(META("\17") "e\0s\0\x81\2" "x\0\2y\0\2" "z\0\2" "\1\2\3", "e s={x=1 y=2} z=3");
	/* Structures are in each other, and one has a tag. */
	EXPECT(META("\17") "e\0s\0\x81\x81\5\5" "t\0\x81\1" "x\0\2" "\1", "e s={t={x=1}}");
	EXPECT(META("\11") "e\0s\0\x81\0z\0\2" "\3", "e s={} z=3");
	/* The count of an array is in the metadata, or in the payload. */
	EXPECT(META("\12") "e\0a\0\x22\3\0z\0\2" "\1\2\3\4", "e a=[1, 2, 3] z=4");
	EXPECT(META("\10") "e\0a\0\x42z\0\2" "\2\0\1\2\4", "e a=[1, 2] z=4");
	EXPECT(META("\10") "e\0a\0\x42z\0\2" "\0\0\4", "e a=[] z=4");
	EXPECT(META("\5") "e\0a\0\x47" "\2\0x\0y\0", "e a=[\"x\", \"y\"]");
	EXPECT(META("\13") "e\0a\0\xA2\3\2\0z\0\2" "\1\2\4", "e a=[0x1, 0x2] z=4");
	/* Arrays have structures, or none. */
	EXPECT(META("\14") "e\0s\0\xC1\2x\0\2y\0\7" "\2\0\1a\0\2b\0", "e s=[{x=1 y=\"a\"}, {x=2 y=\"b\"}]");
	EXPECT(META("\17") "e\0s\0\xC1\2x\0\2y\0\7z\0\2" "\0\0\5", "e s=[] z=5");
	EXPECT(META("\16") "e\0s\0\xA1\2\2\0x\0\2y\0\2" "\1\2\3\4", "e s=[{x=1 y=2}, {x=3 y=4}]");
	/* A structure that claims more fields than are described ends with these. */
	EXPECT(META("\14") "e\0s\0\x81\24" "x\0\2y\0\2" "\1\2", "e s={x=1 y=2}");
	EXPECT(META("\14") "e\0s\0\xC1\3x\0\2y\0\2" "\0\0", "e s=[]");
	EXPECT(META("\6") "e\0s\0\x81\2", "e s={}");
	/* Bytes after the last field are no fields. */
	EXPECT(META("\5") "e\0a\0\2" "\1\2\3", "e a=1");
}

static void damage_spoils_the_rest(void **state)
{
	/* A payload that is too short spoils what lies beyond its end, and nothing else. */
	EXPECT(META("\10") "e\0a\0\2b\0\4" "\1\2", "e a=1 b=(missing)");
	EXPECT(META("\13") "e\0a\0\2b\0\xA" "c\0\2" "\1\5\0xy", "e a=1 b=(missing) c=(missing)");
	EXPECT(META("\5") "e\0a\0\x42" "\3", "e a=(missing)");
	EXPECT(META("\5") "e\0a\0\x42" "\3\0\1", "e a=[1, (missing)]");
	EXPECT(META("\14") "e\0s\0\xC1\1x\0\2z\0\2", "e s=(missing) z=(missing)");
	EXPECT(META("\11") "e\0s\0\xC1\1x\0\2" "\3\0\1", "e s=[{x=1}, (missing)]");
	/*
	 * Descriptions are invalid: an array of both kinds, a constant count of none, an unknown encoding, one that is
	 * cut.
	 */
	EXPECT(META("\12") "e\0a\0\2b\0\x62\1\0" "\1\2", "e a=1 b=(invalid)");
	EXPECT(META("\12") "e\0a\0\2b\0\x22\0\0" "\1\2", "e a=1 b=(invalid)");
	EXPECT(META("\10") "e\0a\0\2b\0\0" "\1", "e a=1 b=(invalid)");
	EXPECT(META("\10") "e\0a\0\2b\0\xE" "\1", "e a=1 b=(invalid)");
	EXPECT(META("\7") "e\0a\0\2b\0" "\1", "e a=1 b=(invalid)");
	EXPECT(META("\6") "e\0a\0\2b" "\1", "e a=1 =(invalid)");
	EXPECT(META("\5") "e\0a\0\x82" "\1", "e a=(invalid)");
	EXPECT(META("\6") "e\0a\0\x82\x81" "\1", "e a=(invalid)");
}

static void bounds_are_kept(void **state)
{
	static char text[70000];
	uint8_t event[12 + 2 + 40 * 8 + 2 + 8];
	size_t at, length, i;

	/* Nine structures are in each other. */
	memcpy(event, META("\46") "e\0", 14);
	for (at = 14, i = 0; i < 9; i++, at += 4)
		memcpy(event + at, "s\0\x81\1", 4);
	expect_text(event, at, "e s={s={s={s={s={s={s={s={s=(too deep)}}}}}}}}");

	/*
	 * Eight arrays of 65535 empty structures in each other take no more than a moment, and no more than there is
	 * room.
	 */
	memcpy(event, META("\62") "e\0", 14);
	for (at = 14, i = 0; i < 8; i++, at += 6)
		memcpy(event + at, i == 7 ? "s\0\xA1\0\xFF\xFF" : "s\0\xA1\1\xFF\xFF", 6);
	length = text_of(event, at, text, 65000);
	assert_int_equal(length, 65000);
	assert_string_equal(text + length - 3, "...");

	/* The text has 70000 bytes as hexadecimal digits, and a string that ends with a whole character. */
	uint8_t *large = calloc(1, 70000);

	memcpy(large, META("\5") "e\0a\0\xD" "\xFF\xFF", 19);
	length = text_of(large, 19 + 65535, text, 65000);
	assert_int_equal(length, 65000);
	memset(large + 19, 0xC3, 65535);
	for (i = 1; i < 65535; i += 2)
		large[19 + i] = 0xA9;
	large[16] = 0xA;
	length = text_of(large, 19 + 65535, text, 65000);
	assert_true(length <= 65000 && length >= 64998);
	assert_memory_equal(text + length - 5, "\xC3\xA9...", 5);
	free(large);
}

/*
 * A value in too little room is cut to its beginning: after any digit, after both digits of a byte, after a whole
 * character.
 */
static void cut_values(void **state)
{
	static const struct {
		uint8_t encoding, format, size, step;
		const char *bytes, *whole;
	} values[] = {
		{ EVENTHEADER_VALUE32, EVENTHEADER_UNSIGNED, 4, 1, "\xFF\xFF\xFF\xFF", "4294967295" },
		{ EVENTHEADER_VALUE64, EVENTHEADER_TIME, 8, 1, "\0\xF1\x53\x65\0\0\0\0", "2023-11-14T22:13:20Z" },
		{ EVENTHEADER_VALUE32, EVENTHEADER_IP, 4, 1, "\x7F\0\0\1", "127.0.0.1" },
		{ EVENTHEADER_VALUE32, EVENTHEADER_HEX_BYTES, 4, 2, "\1\2\3\4", "01020304" },
		{ EVENTHEADER_BINARY, EVENTHEADER_DEFAULT, 3, 2, "\xA\xB\xC", "0a0b0c" },
		{ EVENTHEADER_VALUE16, EVENTHEADER_UTF, 2, 3, "\xAC\x20", "\xE2\x82\xAC" },
	};
	struct eventheader_value value;
	size_t i, room, length;
	char *text;

	(void)state;
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		length = strlen(values[i].whole);
		value = (struct eventheader_value){ .encoding = values[i].encoding, .format = values[i].format,
						    .bytes = (const uint8_t *)values[i].bytes, .size = values[i].size };
		for (room = 0; room <= length + 1; room++) {
			text = malloc(room + !room);
			assert_int_equal(eventheader_value_text(&value, text, room),
					 room > length ? length : room / values[i].step * values[i].step);
			assert_memory_equal(text, values[i].whole, room > length ? length :
					    room / values[i].step * values[i].step);
			free(text);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_codes),
		cmocka_unit_test(header_is_read),
		cmocka_unit_test(the_first_of_each_extension_counts),
		cmocka_unit_test(names_and_attributes),
		cmocka_unit_test(numbers_in_formats),
		cmocka_unit_test(each_encoding_in_each_format),
		cmocka_unit_test(events_without_metadata),
		cmocka_unit_test(wide_values),
		cmocka_unit_test(strings_to_zero),
		cmocka_unit_test(nesting_of_fields),
		cmocka_unit_test(damage_spoils_the_rest),
		cmocka_unit_test(bounds_are_kept),
		cmocka_unit_test(cut_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
