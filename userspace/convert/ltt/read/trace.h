/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An LTT trace that is read: what is the same for all its files. */
#ifndef CONVERT_LTT_TRACE_H
#define CONVERT_LTT_TRACE_H

#include "facility.h"

/* Blocks of foreign traces: the smallest that holds anything, and the largest that we give memory to. */
#define LTT_BLOCK_MIN 64
#define LTT_BLOCK_MAX (64u << 20)
/* A file of XML, and how many files there can be of a kind. */
#define LTT_XML_MAX (16u << 20)
#define LTT_FILES_MAX 65536u
#define LTT_IDS 65536u

/* The attributes of info/system.xml, in their order there. */
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
 * @folder: path of it
 * @why: after a failure: a sentence without full stop
 * @system: the attributes of system.xml, each NULL if it is not there
 * @facilities: all descriptions
 * @events: the node of the event of each ID, 0 if nobody described it
 * @event_facilities: the node of its facility
 * @cpus: numbers of the files in cpu/, ascending
 * @cpus_count: of them
 * @block: bytes of a block
 * @wide: block IDs have eight bytes
 * @swap: its byte order is not ours
 * @ours: it was made of a log, so the cycle counter counts nanoseconds since boot
 * @anchored: @zero is known
 * @zero: what the wall clock showed at boot, ns
 * @rate_ns: so many ns are
 * @rate_cycles: so many cycles; 0: not known
 * @undescribed: facilities that were loaded, but that nothing describes
 */
struct ltt_trace {
	char *folder;
	char why[512];
	char *system[LTT_ATTRIBUTES];
	struct ltt_facilities facilities;
	u32 *events, *event_facilities;
	u32 *cpus;
	u32 cpus_count;
	u32 block;
	bool wide, swap, ours, anchored;
	u64 zero;
	u64 rate_ns, rate_cycles;
	u32 undescribed;
};

/* Reads info/, eventdefs/ and control/facilities. Returns 0 or a negative errno, with a reason in @why. */
int ltt_trace_open(struct ltt_trace *trace, const char *folder);
void ltt_trace_close(struct ltt_trace *trace);

/* Path of a file of the trace, to be freed; NULL if there is no memory. */
char *ltt_trace_path(const struct ltt_trace *trace, const char *name);
char *ltt_trace_cpu_path(const struct ltt_trace *trace, u32 cpu);

/**
 * struct ltt_bookmark - a <location>
 * @name: of it, or NULL
 * @text: of it, not zero terminated
 * @length: of @text
 * @has_cpu: it names one
 * @cpu: which
 * @cycles: @begin and @end count cycles, and not ns
 * @begin: of the interval
 * @end: of it; the same if it is a moment
 */
struct ltt_bookmark {
	const char *name, *text;
	size_t length;
	bool has_cpu, cycles;
	u32 cpu;
	u64 begin, end;
};

/* Reads info/bookmarks.xml; nothing is said if there is none. Returns 0 or a negative errno, also of @take. */
int ltt_bookmarks_read(struct ltt_trace *trace, int (*take)(void *context, const struct ltt_bookmark *bookmark),
		       void *context);

/* Seconds with decimals as ns; at most 2^64 - 1. Returns false if it is no number. */
bool ltt_seconds(const char *text, u64 *ns);

#endif
