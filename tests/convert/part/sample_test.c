// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests samples of perf: with every set of fields, in the order of perf_event_open(2), in either byte order, and cut
 * anywhere.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../userspace/convert/perf/read/read.h"

#define TIME 0x1122334455667788ull
#define PID 0x01020304u
#define TID 0x05060708u
#define CPU 0x0A0B0C0Du
#define ID_OF_FIRST 0xF000000000000001ull
#define ID_OF_SECOND 0x1000000000000002ull

static const u32 fields[] = {
	PERF_IDENTIFIER, PERF_IP, PERF_TID, PERF_TIME, PERF_ADDR, PERF_ID, PERF_STREAM_ID, PERF_CPU, PERF_PERIOD,
	PERF_READ, PERF_CALLCHAIN, PERF_RAW,
};

struct built {
	u8 at[512];
	size_t size;
	bool big;
};

static void put_number(struct built *bytes, u64 number, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		bytes->at[bytes->size + i] = (u8)(number >> 8 * (bytes->big ? size - 1 - i : i));
	bytes->size += size;
}

static void put_read(struct built *bytes, u64 format)
{
	u64 count = format & PERF_READ_GROUP ? 3 : 1, i;

	if (format & PERF_READ_GROUP)
		put_number(bytes, count, 8);
	put_number(bytes, 77, format & PERF_READ_ENABLED ? 8 : 0);
	put_number(bytes, 78, format & PERF_READ_RUNNING ? 8 : 0);
	for (i = 0; i < count; i++) {
		put_number(bytes, 90 + i, 8);
		put_number(bytes, 91, format & PERF_READ_ID ? 8 : 0);
		put_number(bytes, 92, format & PERF_READ_LOST ? 8 : 0);
	}
}

static void put_field(struct built *bytes, u32 field, u64 read_format)
{
	switch (field) {
	case PERF_IDENTIFIER:
	case PERF_ID:
		put_number(bytes, ID_OF_SECOND, 8);
		break;
	case PERF_TID:
		put_number(bytes, PID, 4);
		put_number(bytes, TID, 4);
		break;
	case PERF_TIME:
		put_number(bytes, TIME, 8);
		break;
	case PERF_CPU:
		put_number(bytes, CPU, 4);
		put_number(bytes, 99, 4);
		break;
	case PERF_READ:
		put_read(bytes, read_format);
		break;
	case PERF_CALLCHAIN:
		put_number(bytes, 2, 8);
		put_number(bytes, 1, 8);
		put_number(bytes, 2, 8);
		break;
	case PERF_RAW:
		put_number(bytes, 5, 4);
		memcpy(bytes->at + bytes->size, "hello", 5);
		bytes->size += 5;
		break;
	default:
		put_number(bytes, 88, 8);
		break;
	}
}

/* Makes a reader with two attributes, which have the same fields. */
static void make_reader(struct perf_reader *reader, struct perf_attr *attrs, struct perf_id *ids, u64 type, u64 format)
{
	*reader = (struct perf_reader){ .attrs = attrs, .attrs_count = 2, .ids = ids, .ids_count = 2 };
	attrs[0] = attrs[1] = (struct perf_attr){ .sample_type = type, .read_format = format };
	ids[0] = (struct perf_id){ ID_OF_FIRST, 0 };
	ids[1] = (struct perf_id){ ID_OF_SECOND, 1 };
}

/* Parses a copy in memory of its exact size. */
static bool parse_copy(struct perf_reader *reader, const struct built *bytes, size_t size, struct perf_sample *sample,
		       u8 **memory)
{
	struct perf_record record = { .size = size };

	*memory = malloc(size ? size : 1);
	memcpy(*memory, bytes->at, size);
	record.bytes = *memory;
	reader->big = bytes->big;
	return perf_parse_sample(reader, &record, sample);
}

static void is_sample(const struct perf_sample *sample, const struct perf_reader *reader, u64 type)
{
	assert_ptr_equal(sample->attr, &reader->attrs[type & (PERF_IDENTIFIER | PERF_ID) ? 1 : 0]);
	assert_true(sample->has == type);
	assert_int_equal(sample->pid, type & PERF_TID ? PID : 0);
	assert_int_equal(sample->tid, type & PERF_TID ? TID : 0);
	assert_true(sample->time == (type & PERF_TIME ? TIME : 0));
	assert_int_equal(sample->cpu, type & PERF_CPU ? CPU : 0);
	assert_int_equal(sample->raw_size, type & PERF_RAW ? 5 : 0);
	if (type & PERF_RAW)
		assert_memory_equal(sample->raw, "hello", 5);
}

static void every_set(void **state)
{
	const unsigned int count = sizeof(fields) / sizeof(fields[0]);
	struct perf_reader reader;
	struct perf_attr attrs[2];
	struct perf_sample sample;
	struct perf_id ids[2];
	unsigned int set, i;
	u8 *memory;
	size_t cut;

	(void)state;
	for (set = 0; set < 2u << count; set++) {
		struct built bytes = { .big = set >> count };
		/* The five bits of the read format vary with the set. */
		u64 type = 0, format = set * 2654435761u >> 27;

		for (i = 0; i < count; i++) {
			if (!(set >> i & 1))
				continue;
			type |= fields[i];
			put_field(&bytes, fields[i], format);
		}
		make_reader(&reader, attrs, ids, type, format);
		assert_true(parse_copy(&reader, &bytes, bytes.size, &sample, &memory));
		is_sample(&sample, &reader, type);
		free(memory);
		for (cut = set % 16 ? bytes.size - !!bytes.size : 0; cut < bytes.size; cut++) {
			assert_false(parse_copy(&reader, &bytes, cut, &sample, &memory));
			free(memory);
		}
	}
}

/* Counts would overflow if they were multiplied. */
static void no_such_counts(void **state)
{
	static const u64 counts[] = { 3, 0x2000000000000000, UINT64_MAX, 0x2000000000000002 };
	struct perf_reader reader;
	struct perf_attr attrs[2];
	struct perf_sample sample;
	struct perf_id ids[2];
	u8 *memory;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct built chain = { .big = false }, group = { .big = false };

		put_number(&chain, counts[i], 8);
		put_number(&chain, 0, 8);
		put_number(&chain, 0, 8);
		make_reader(&reader, attrs, ids, PERF_CALLCHAIN, 0);
		assert_false(parse_copy(&reader, &chain, chain.size, &sample, &memory));
		free(memory);
		put_number(&group, counts[i], 8);
		put_number(&group, 0, 8);
		put_number(&group, 0, 8);
		make_reader(&reader, attrs, ids, PERF_READ, PERF_READ_GROUP);
		assert_false(parse_copy(&reader, &group, group.size, &sample, &memory));
		free(memory);
	}
}

/* Nobody knows the ID of a sample. If there is one attribute, the sample belongs to it, and else to none. */
static void unknown_ids(void **state)
{
	struct built bytes = { .big = false };
	struct perf_reader reader;
	struct perf_attr attrs[2];
	struct perf_sample sample;
	struct perf_id ids[2];
	u8 *memory;

	(void)state;
	put_number(&bytes, 12345, 8);
	make_reader(&reader, attrs, ids, PERF_IDENTIFIER, 0);
	assert_false(parse_copy(&reader, &bytes, 8, &sample, &memory));
	assert_null(sample.attr);
	free(memory);
	reader.attrs_count = 1;
	assert_true(parse_copy(&reader, &bytes, 8, &sample, &memory));
	assert_ptr_equal(sample.attr, attrs);
	free(memory);
	reader.ids_count = 0;
	assert_true(parse_copy(&reader, &bytes, 8, &sample, &memory));
	free(memory);
	reader.attrs = NULL;
	assert_false(parse_copy(&reader, &bytes, 8, &sample, &memory));
	free(memory);
}

/* The kernel adds these fields to other records: process and thread, time, ID, stream, CPU, identifier. */
static void trailers_of_records(void **state)
{
	static const u32 added[] = { PERF_TID, PERF_TIME, PERF_ID, PERF_STREAM_ID, PERF_CPU, PERF_IDENTIFIER };
	struct perf_reader reader;
	struct perf_attr attrs[2];
	struct perf_sample sample;
	struct perf_id ids[2];
	unsigned int set, i;
	size_t left;

	(void)state;
	for (set = 0; set < 128; set++) {
		struct built bytes = { .big = set >> 6 };
		struct perf_record record = { .bytes = bytes.at };
		u64 type = PERF_IP | PERF_RAW, has = 0;

		put_number(&bytes, 1, 8);
		put_number(&bytes, 2, 4);
		for (i = 0; i < 6; i++) {
			if (!(set >> i & 1))
				continue;
			has |= added[i];
			put_field(&bytes, added[i], 0);
		}
		record.size = bytes.size;
		make_reader(&reader, attrs, ids, type | has, 0);
		reader.big = bytes.big;
		perf_parse_trailer(&reader, &record, &sample, &left);
		assert_int_equal(left, bytes.size);
		assert_int_equal(sample.has, 0);
		attrs[0].flags = PERF_FLAG_SAMPLE_ID_ALL;
		perf_parse_trailer(&reader, &record, &sample, &left);
		assert_int_equal(left, 12);
		assert_true(sample.has == has);
		assert_int_equal(sample.pid, has & PERF_TID ? PID : 0);
		assert_int_equal(sample.tid, has & PERF_TID ? TID : 0);
		assert_true(sample.time == (has & PERF_TIME ? TIME : 0));
		assert_int_equal(sample.cpu, has & PERF_CPU ? CPU : 0);
		/* A record that is too short for its trailer has no field. */
		record.bytes += bytes.size - 7;
		record.size = 7;
		perf_parse_trailer(&reader, &record, &sample, &left);
		assert_int_equal(left, 7);
		assert_int_equal(sample.has, 0);
		if (!has)
			continue;
		record.bytes -= 1;
		record.size = 8;
		perf_parse_trailer(&reader, &record, &sample, &left);
		assert_int_equal(left, 0);
		assert_int_equal(__builtin_popcountll(sample.has), 1);
		reader.attrs = NULL;
		perf_parse_trailer(&reader, &record, &sample, &left);
		assert_int_equal(left, 8);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_set),
		cmocka_unit_test(no_such_counts),
		cmocka_unit_test(unknown_ids),
		cmocka_unit_test(trailers_of_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
