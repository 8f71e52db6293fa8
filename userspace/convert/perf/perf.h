/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * perf.data, as a file and as a pipe.
 *
 * A file begins with the magic, u64 its own size (104), u64 the size of an attribute with its section of IDs, the
 * sections (u64 offset, u64 size) of the attributes, the data and the event types, and 256 bits that tell which
 * features exist. The sections of the features follow the data. In a pipe only the magic and the size (16) precede the
 * data, and records tell everything else. The magic also tells the byte order of the whole recording.
 */
#ifndef CONVERT_PERF_PERF_H
#define CONVERT_PERF_PERF_H

#define PERF_MAGIC		"PERFILE2"
#define PERF_MAGIC_SWAPPED	"2ELIFREP"
#define PERF_HEADER_SIZE	104
#define PERF_PIPE_HEADER_SIZE	16

/* Offsets in the header. */
#define PERF_HEADER_ATTR_SIZE	16
#define PERF_HEADER_ATTRS	24
#define PERF_HEADER_DATA	40
#define PERF_HEADER_TYPES	56
#define PERF_HEADER_FEATURES	72

enum perf_feature {
	PERF_TRACING_DATA = 1,
	PERF_HOSTNAME = 3,
	PERF_OSRELEASE = 4,
	PERF_ARCH = 6,
	PERF_NRCPUS = 7,
	PERF_EVENT_DESC = 12,
	PERF_CLOCKID = 23,
	PERF_DIR_FORMAT = 24,
	PERF_COMPRESSED_FEATURE = 27,
	PERF_CLOCK_DATA = 29,
};

/* Offsets in an attribute. */
#define PERF_ATTR_TYPE		0
#define PERF_ATTR_SIZE		4
#define PERF_ATTR_CONFIG	8
#define PERF_ATTR_PERIOD	16
#define PERF_ATTR_SAMPLE_TYPE	24
#define PERF_ATTR_READ_FORMAT	32
#define PERF_ATTR_FLAGS		40
#define PERF_ATTR_CLOCKID	92
/* The size in the first version, and the size that is written. */
#define PERF_ATTR_MIN		64
#define PERF_ATTR_WRITTEN	128

#define PERF_ATTR_TRACEPOINT	2

/* Bits of the flags. Big-endian machines number the bits of each byte the other way round. */
#define PERF_FLAG_COMM		(1ull << 9)
#define PERF_FLAG_TASK		(1ull << 13)
#define PERF_FLAG_SAMPLE_ID_ALL	(1ull << 18)
#define PERF_FLAG_CLOCKID	(1ull << 25)

/* The parts of a sample, in the order in which a sample holds them. */
#define PERF_IDENTIFIER		(1u << 16)
#define PERF_IP			(1u << 0)
#define PERF_TID		(1u << 1)
#define PERF_TIME		(1u << 2)
#define PERF_ADDR		(1u << 3)
#define PERF_ID			(1u << 6)
#define PERF_STREAM_ID		(1u << 9)
#define PERF_CPU		(1u << 7)
#define PERF_PERIOD		(1u << 8)
#define PERF_READ		(1u << 4)
#define PERF_CALLCHAIN		(1u << 5)
#define PERF_RAW		(1u << 10)

#define PERF_READ_ENABLED	(1u << 0)
#define PERF_READ_RUNNING	(1u << 1)
#define PERF_READ_ID		(1u << 2)
#define PERF_READ_GROUP		(1u << 3)
#define PERF_READ_LOST		(1u << 4)

/* The header of a record: u32 type, u16 misc, u16 size including this header. */
#define PERF_RECORD_HEADER	8

enum perf_type {
	PERF_MMAP = 1,
	PERF_LOST = 2,
	PERF_COMM = 3,
	PERF_EXIT = 4,
	PERF_FORK = 7,
	PERF_SAMPLE = 9,
	PERF_MMAP2 = 10,
	PERF_LOST_SAMPLES = 13,
	PERF_HEADER_ATTR = 64,
	PERF_HEADER_TRACING_DATA = 66,	/* u32 size, a multiple of 8, of the bytes that follow the record */
	PERF_FINISHED_ROUND = 68,
	PERF_AUXTRACE = 71,		/* u64 size of the bytes that follow the record */
	PERF_HEADER_FEATURE = 80,
	PERF_COMPRESSED = 81,
	PERF_COMPRESSED2 = 83,
};

/* Bit in @misc of a COMM: an exec changed the name. */
#define PERF_MISC_COMM_EXEC	(1u << 13)

#endif
