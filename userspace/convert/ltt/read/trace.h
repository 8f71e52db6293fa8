/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An LTT trace that is open for reading: the data that all its files share. */
#ifndef CONVERT_LTT_TRACE_H
#define CONVERT_LTT_TRACE_H

#include "facility.h"

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

#endif
