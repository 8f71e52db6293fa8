/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reads a CTF trace with Babeltrace 2's source.ctf.fs. The graph consists of that source and a sink, which is ours. The
 * sink has an iterator for each stream and takes the events of all streams in the order of time. Events of a trace that
 * was made from a log also have a number, which orders events of equal times.
 */
#ifndef CONVERT_CTF_MERGE_H
#define CONVERT_CTF_MERGE_H

#include <babeltrace2/babeltrace.h>

#include "core/host/user.h"

/**
 * struct ctf_stream - a stream of a trace
 * @iterator: gives the messages of the stream
 * @messages: the messages that it gave last
 * @count: how many there are
 * @at: index of the first message that is not taken yet
 * @cpu: the CPU of the current packet
 * @ended: no message follows
 * @time: time of the message at @at
 * @lost: events that were lost, at an unknown time, since the event at @before; and
 * @lost_packets: packets
 * @order: number of the entry for the message at @at
 */
struct ctf_stream {
	bt_message_iterator *iterator;
	bt_message_array_const messages;
	u64 count, at;
	u32 cpu;
	bool ended;
	u64 time, before;
	u64 lost, lost_packets;
	u32 order;
};

/**
 * struct ctf_moment - when and where
 * @time: ns since boot, or since the origin of the clock
 * @cpu: the CPU
 */
struct ctf_moment {
	u64 time;
	u32 cpu;
};

/**
 * struct ctf_taker - functions that get what is read
 * @begin: called once, before anything else
 * @event: called for each event, in the order of time
 * @lost: called if @count events or packets were lost up to the time @until
 * @context: passed to these functions, which return 0 or a negative errno
 */
struct ctf_taker {
	int (*begin)(void *context, const bt_trace *trace, const bt_clock_class *clock);
	int (*event)(void *context, struct ctf_moment when, const bt_event *event);
	int (*lost)(void *context, struct ctf_moment when, u64 until, u64 count, bool packets);
	void *context;
};

struct ctf_merge {
	const struct ctf_taker *taker;
	bt_graph *graph;
	struct ctf_stream *streams;
	u32 streams_count;
	struct ctf_stream **heap;
	u32 heap_count;
	const bt_clock_class *clock;	/* the clock that was seen first; time 0 is when it began to count */
	s64 base;			/* ns from the clock's origin to time 0 */
	bool begun;
	int error;
	u64 damaged;			/* how many streams cannot be read to their end */
	char why[600];			/* the reason of the first damage, or of a failure */
};

/* Reads the whole trace. Returns 0 or a negative errno; -EBADMSG, with a reason in @why, if nothing can be read. */
int ctf_merge_run(struct ctf_merge *merge, const char *folder, const struct ctf_taker *taker);
void ctf_merge_free(struct ctf_merge *merge);

#endif
