/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads LTT traces. Their files may be anything, so nothing in them is trusted. */
#ifndef CONVERT_LTT_READ_READ_H
#define CONVERT_LTT_READ_READ_H

#include "bcoslog_account.h"

#include "../../log/log_writer.h"
#include "../ltt.h"

/* The descriptions of a trace: the files in eventdefs/ describe facilities, their events, and the layout of each event. */

/* Limits on what is kept of the descriptions, which may be hostile. */
#define LTT_NODES_MAX (1u << 15)
#define LTT_TEXT_MAX (1u << 20)

enum ltt_kind {
	LTT_KIND_FACILITY,
	LTT_KIND_EVENT,
	LTT_KIND_TYPE,
	LTT_KIND_FIELD,
	LTT_KIND_INT,
	LTT_KIND_UINT,
	LTT_KIND_FLOAT,
	LTT_KIND_STRING,
	LTT_KIND_ENUM,
	LTT_KIND_ARRAY,
	LTT_KIND_SEQUENCE,
	LTT_KIND_STRUCT,
	LTT_KIND_UNION,
	LTT_KIND_TYPEREF,
};

/* Sizes of the integers and longs of a machine, by its model: LP32, ILP32, LP64 or ILP64. */
struct ltt_sizes {
	u32 medium, large;
};

/* Returns false if @name is none of these models. */
bool ltt_sizes_by_name(struct ltt_sizes *sizes, const char *name);

/**
 * struct ltt_node - an element of a description
 * @kind: LTT_KIND_*
 * @name: offset in the texts of the name of a facility, event, type, field or reference; for an enum, of its labels;
 *   for an integer, of its format of printf()
 * @size: bytes of a number, of a length, or of a union's code; for an array the count of its elements; for a facility
 *   its checksum
 * @child: the first element in it; 0: none
 * @next: the next element with the same parent; 0: none
 * @count: how many elements are in it
 * @target: for a reference, the type; 0 until that is known
 */
struct ltt_node {
	u32 kind;
	u32 name;
	u32 size;
	u32 child, next;
	u32 count;
	u32 target;
};

/**
 * struct ltt_facilities - all descriptions of a trace
 * @nodes: the nodes; node 0 stands for none
 * @count: how many nodes there are
 * @room: how many nodes have memory
 * @first: the first facility
 * @last: the last facility
 * @texts: names, each with a terminating zero; offset 0 is ""
 * @texts_size: bytes of the texts
 * @texts_room: bytes that have memory
 * @sizes: sizes of integers on the traced machine
 */
struct ltt_facilities {
	struct ltt_node *nodes;
	u32 count, room;
	u32 first, last;
	char *texts;
	u32 texts_size, texts_room;
	struct ltt_sizes sizes;
};

int ltt_facilities_init(struct ltt_facilities *facilities, struct ltt_sizes sizes);
void ltt_facilities_free(struct ltt_facilities *facilities);

/**
 * ltt_facilities_read() - add the descriptions of one file
 * @facilities: the descriptions of the trace
 * @bytes: the file; the function changes the bytes
 * @size: size of the file
 *
 * Return: 0, -ENOMEM, or -E2BIG if the descriptions exceed the limits.
 */
int ltt_facilities_read(struct ltt_facilities *facilities, char *bytes, size_t size);

/**
 * ltt_facilities_find() - find the facility that was loaded
 * @facilities: the descriptions of the trace
 * @name: name of the facility
 * @checksum: checksum of the facility
 * @nth: how many other checksums with this name were loaded before
 *
 * The description of the format does not say how a checksum is computed. So only facilities of bcoslog are recognised
 * by their checksum. Among several other facilities of one name, the order of the descriptions is taken for the order
 * of loading.
 *
 * Return: the node of the facility, or 0.
 */
u32 ltt_facilities_find(const struct ltt_facilities *facilities, const char *name, u32 checksum, u32 nth);

/* Returns the node of the event with this number in the facility, or 0. */
u32 ltt_facility_event(const struct ltt_facilities *facilities, u32 facility, u32 number);

static inline const struct ltt_node *ltt_node(const struct ltt_facilities *facilities, u32 node)
{
	return &facilities->nodes[node];
}

static inline const char *ltt_name(const struct ltt_facilities *facilities, const struct ltt_node *node)
{
	return facilities->texts + node->name;
}

/* An LTT trace that is open for reading: the data that all its files share. */

/* Limits for the size of a block: the smallest that can hold an event, and the largest that gets memory. */
#define LTT_BLOCK_MIN 64
#define LTT_BLOCK_MAX (64u << 20)
/* Limits for the size of an XML file, and for the count of files in a folder. */
#define LTT_XML_MAX (16u << 20)
#define LTT_FILES_MAX 65536u
#define LTT_IDS 65536u

/* The attributes in info/system.xml, in the order of the file. */
enum ltt_attribute {
	LTT_NODE_NAME,
	LTT_DOMAINNAME,
	LTT_CPU,
	LTT_ARCH_SIZE,
	LTT_ENDIAN,
	LTT_KERNEL_NAME,
	LTT_KERNEL_RELEASE,
	LTT_KERNEL_VERSION,
	LTT_MACHINE,
	LTT_PROCESSOR,
	LTT_HARDWARE_PLATFORM,
	LTT_OPERATING_SYSTEM,
	LTT_MAJOR_VERSION,
	LTT_MINOR_VERSION,
	LTT_BLOCK_SIZE,
	LTT_ATTRIBUTES,
};

extern const char *const ltt_attributes[LTT_ATTRIBUTES];

/**
 * struct ltt_trace - a trace
 * @folder: path of the trace
 * @why: after a failure: a sentence without full stop that names the cause
 * @comment: the text in system.xml, or NULL
 * @system: the attributes of system.xml; NULL for those that are missing
 * @facilities: the descriptions of all facilities
 * @events: for each ID the node of its event; 0 if nothing describes it
 * @event_facilities: for each ID the node of its event's facility
 * @cpus: numbers of the files in cpu/, in ascending order
 * @cpus_count: how many there are
 * @block: size of a block
 * @wide: block IDs have eight bytes
 * @swap: the trace has the other byte order
 * @anchored: @zero is known
 * @zero: time of the wall clock at boot, in ns
 * @rate_ns: in this many nanoseconds
 * @rate_cycles: the counter counts this many cycles; 0: not known
 * @undescribed: how many facilities were loaded without a description
 */
struct ltt_trace {
	char *folder;
	char why[512];
	char *comment;
	char *system[LTT_ATTRIBUTES];
	struct ltt_facilities facilities;
	u32 *events, *event_facilities;
	u32 *cpus;
	u32 cpus_count;
	u32 block;
	bool wide, swap, anchored;
	u64 zero;
	u64 rate_ns, rate_cycles;
	u32 undescribed;
};

/* Reads info/, eventdefs/ and control/facilities. Returns 0 or, after setting @why, a negative errno. */
int ltt_trace_open(struct ltt_trace *trace, const char *folder);
void ltt_trace_close(struct ltt_trace *trace);

/* Returns the path of a file of the trace, which the caller frees, or NULL if there is no memory. */
char *ltt_trace_path(const struct ltt_trace *trace, const char *name);
char *ltt_trace_cpu_path(const struct ltt_trace *trace, u32 cpu);

/**
 * struct ltt_bookmark - an element <location> of bookmarks.xml
 * @name: its name, or NULL
 * @text: its text, which no zero terminates
 * @length: bytes of @text
 * @has_cpu: it names a CPU
 * @cpu: the CPU
 * @cycles: @begin and @end are in cycles, not in ns
 * @begin: beginning of the interval
 * @end: end of the interval; equal to @begin for a moment
 */
struct ltt_bookmark {
	const char *name, *text;
	size_t length;
	bool has_cpu, cycles;
	u32 cpu;
	u64 begin, end;
};

/*
 * Reads info/bookmarks.xml, if there is one, and calls @take for each bookmark. Returns 0 or a negative errno, also of
 * @take.
 */
int ltt_bookmarks_read(struct ltt_trace *trace, int (*take)(void *context, const struct ltt_bookmark *bookmark),
		       void *context);

/* Converts seconds with decimals to ns, at most 2^64 - 1. Returns false if @text is no such number. */
bool ltt_seconds(const char *text, u64 *ns);

/* The XML files of an LTT trace. */

/* Reads a whole file of at most LTT_XML_MAX bytes. The caller frees @bytes. Returns 0 or a negative errno. */
int ltt_xml_file(const char *path, char **bytes, size_t *size);

/* Reads info/system.xml into trace->system. Returns 0 or a negative errno. */
int ltt_system_read(struct ltt_trace *trace);

/* Decodes an event of an LTT trace by its description. */

/* How deep types may contain each other. */
#define LTT_DEPTH 32

/* Bytes from which values are taken one after the other. */
struct ltt_cursor {
	const u8 *at, *end;
	bool swap;		/* the bytes are in the other byte order */
};

/* Takes a number of 1, 2, 4 or 8 bytes. Returns false if there are too few bytes. */
static inline bool ltt_take(struct ltt_cursor *cursor, u32 size, u64 *value)
{
	u16 two;
	u32 four;

	if ((size_t)(cursor->end - cursor->at) < size)
		return false;
	switch (size) {
	case 1:
		*value = *cursor->at;
		break;
	case 2:
		memcpy(&two, cursor->at, sizeof(two));
		*value = cursor->swap ? __builtin_bswap16(two) : two;
		break;
	case 4:
		memcpy(&four, cursor->at, sizeof(four));
		*value = cursor->swap ? __builtin_bswap32(four) : four;
		break;
	default:
		memcpy(value, cursor->at, sizeof(*value));
		if (cursor->swap)
			*value = __builtin_bswap64(*value);
		break;
	}
	cursor->at += size;
	return true;
}

/**
 * struct ltt_value - a number or a string of an event
 * @field: name of the innermost field around the value; "": there is none
 * @kind: LTT_KIND_INT, _UINT, _FLOAT, _STRING or _ENUM; or LTT_KIND_ARRAY: the elements of an array follow, up to
 *   array_end()
 * @number: value of an integer, sign extended, or of an enum; for an array the count of its elements
 * @real: value of a float
 * @single: the float has 32 bits
 * @format: of an integer: the format of printf() that its description gives, or ""
 * @text: text of a string, or label of an enum
 * @length: bytes of @text
 */
struct ltt_value {
	const char *field;
	enum ltt_kind kind;
	u64 number;
	double real;
	bool single;
	const char *format;
	const char *text;
	size_t length;
};

/**
 * struct ltt_visitor - functions that get the values of an event
 * @value: called for each value, in the order of the bytes
 * @array_end: called after the last element of the innermost array; or NULL
 */
struct ltt_visitor {
	void (*value)(void *context, const struct ltt_value *value);
	void (*array_end)(void *context);
};

/**
 * ltt_walk() - decode an event
 * @facilities: the descriptions of the trace
 * @event: the node of the event
 * @cursor: the fields; if the function returns true, @cursor is after them
 * @visitor: gets the values; or NULL
 * @context: passed to @visitor
 *
 * Return: false if the bytes do not fit the description; then it is unknown where the event ends.
 */
bool ltt_walk(const struct ltt_facilities *facilities, u32 event, struct ltt_cursor *cursor,
	      const struct ltt_visitor *visitor, void *context);

/**
 * ltt_describe() - write an event as text: "facility.event field=value field=value"
 * @facilities: the descriptions of the trace
 * @facility: the node of the event's facility
 * @event: the node of the event
 * @cursor: the fields, which ltt_walk() has accepted
 * @text: out: the text, which no zero terminates
 * @size: size of @text; a longer text is cut
 *
 * Return: length of the text.
 */
size_t ltt_describe(const struct ltt_facilities *facilities, u32 facility, u32 event, struct ltt_cursor cursor,
		    char *text, size_t size);

/* Reads one file of an LTT trace event by event, and survives damaged blocks. */

/* A time value. */
struct ltt_stamp {
	u64 ns;			/* of the wall clock, or of another clock of the tracer */
	u64 cycles;
};

/**
 * struct ltt_file - a file that is open for reading
 * @trace: the trace that it belongs to
 * @path: its path
 * @blocks: how many whole blocks it has
 * @rest: how many bytes follow the last whole block
 * @next: number of the next block
 * @bytes: the current block
 * @cursor: the next event in the block
 * @begin: the time value of the block's block_start
 * @end: the time value of the block's block_end
 * @value: the last time value
 * @delta_ns: times of events count nanoseconds, not cycles
 * @has_id: @id is known
 * @id: ID of the last block
 * @time: time of the last event, in ns since boot
 * @lost: how many blocks before the next one, or before the end of the file, could not be decoded
 * @lost_from: when the first of these began, or the time of the last event before it
 * @missing: how many blocks are missing, by the IDs of the others
 * @spoiled: how many blocks could not be read, or not to their end
 */
struct ltt_file {
	struct ltt_trace *trace;
	const char *path;
	u64 blocks, rest, next;
	u8 *bytes;
	struct ltt_cursor cursor;
	struct ltt_stamp begin, end, value;
	bool delta_ns, has_id;
	u64 id;
	u64 time;
	u64 lost, lost_from;
	u64 missing, spoiled;
};

enum ltt_record_kind {
	LTT_RECORD_EVENT,
	LTT_RECORD_GAP,		/* events are missing, from record.from to record.time */
};

/**
 * struct ltt_record - an event or a gap, which ltt_file_next() found
 * @kind: LTT_RECORD_*
 * @id: for an event: its ID
 * @node: for an event: the node of its description
 * @time: time of the event, or end of the gap, in ns since boot
 * @from: for a gap: its beginning, in ns since boot
 * @blocks: for a gap: how many blocks are missing
 * @fields: for an event: its fields, which ltt_walk() has accepted
 */
struct ltt_record {
	enum ltt_record_kind kind;
	u16 id;
	u32 node;
	u64 time, from, blocks;
	struct ltt_cursor fields;
};

/* Opens a file. Returns 0 or a negative errno. */
int ltt_file_open(struct ltt_file *file, struct ltt_trace *trace, const char *path);
void ltt_file_close(struct ltt_file *file);

/* Gets the next event or gap. Returns 1; 0 at the end of the file; or a negative errno. */
int ltt_file_next(struct ltt_file *file, struct ltt_record *record);

/*
 * Learns from the first block of a file, as far as that tells them, the byte order of the trace, the length of its
 * block IDs, and the rate of its cycle counter. Returns 0, -ENODATA if the file has no whole block, or another negative
 * errno.
 */
int ltt_file_learn(struct ltt_trace *trace, const char *path);

/* Converts a time value to ns since boot. The first call decides when the machine booted. */
u64 ltt_boot_time(struct ltt_trace *trace, struct ltt_stamp stamp);
/* Converts a value of the cycle counter to ns since boot. */
u64 ltt_cycles_time(const struct ltt_trace *trace, u64 cycles);

/* Reads the events of an LTT trace, and tells them to a log_writer. */

/*
 * Files are read side by side while their blocks fit into this much memory; otherwise one file is read after the other.
 */
#define LTT_BLOCKS_MEMORY (256ull << 20)

/* The process of a CPU before its first switch. */
#define LTT_UNKNOWN BCOSLOG_NO_PROCESS

/**
 * struct ltt_reader - a trace that is being read
 * @trace: the trace
 * @log: the log_writer
 * @interrupted: says whether the user wants to stop; or NULL
 * @start: time of the first event of any CPU
 * @last: time of the last event that was read
 * @events: how many events were read
 * @switch_fields: how many fields of switches were left out
 * @idle_processes: how many descriptions of process 0 were left out
 * @spoiled: how many blocks could not be read, or not to their end
 * @missing: how many blocks are missing
 * @cut: how many files end inside a block
 * @unreadable: how many files could not be opened
 * @text: space for an event as text
 */
struct ltt_reader {
	struct ltt_trace *trace;
	struct log_writer *log;
	bool (*interrupted)(void);
	u64 start, last;
	u64 switch_fields, idle_processes;
	u64 events, spoiled, missing, cut, unreadable;
	char text[4096];
};

/* Returns 0; -EBADMSG if a part of the trace could not be read; or another negative errno. */
int ltt_reader_run(struct ltt_reader *reader);

/* ---- other.c ---------------------------------------------------------------- */

/* Takes an event. @current: the process that the CPU runs. Returns 0 or a negative errno. */
int ltt_reader_other(struct ltt_reader *reader, u32 cpu, u32 *current, const struct ltt_record *record);
/* Tells what the trace says apart from its events, which have to be read before. Returns 0 or a negative errno. */
int ltt_reader_system(struct ltt_reader *reader);
int ltt_reader_bookmark(void *context, const struct ltt_bookmark *bookmark);

#endif
