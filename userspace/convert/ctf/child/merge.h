/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reads a CTF trace by Babeltrace 2's source.ctf.fs: a graph of that source and a sink, which is ours. The sink has an
 * iterator for each stream and takes their events in the order of time; those of a log have a number besides, which
 * orders events of the same time.
 */
#ifndef CONVERT_CTF_MERGE_H
#define CONVERT_CTF_MERGE_H

#include "../library.h"

/**
 * struct ctf_stream - a stream of a trace
 * @iterator: gives its messages
 * @messages: some of them
 * @count: how many
 * @at: the first one that is not taken yet
 * @cpu: as the packet says
 * @ended: there is no other message
 * @time: of the message at @at
 * @order: likewise
 */
struct ctf_stream {
	bt_message_iterator *iterator;
	bt_message_array_const messages;
	u64 count, at;
	u32 cpu;
	bool ended;
	u64 time;
	u32 order;
};

/**
 * struct ctf_moment - when and where
 * @time: ns since boot, or since the clock began
 * @cpu: the CPU
 */
struct ctf_moment {
	u64 time;
	u32 cpu;
};

/**
 * struct ctf_taker - who takes what is read
 * @begin: called once, before anything else
 * @event: called for each event, in the order of time
 * @lost: @count events, or packets, were lost until @until
 * @context: for these functions, which return 0 or a negative errno
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
	const bt_clock_class *clock;	/* the first one, at whose origin times begin */
	s64 base;			/* ns from the origin of the clock to there */
	bool begun;
	int error;
	u64 damaged;			/* streams that cannot be read to their end */
	char why[600];			/* of the first one, or of a failure */
};

/* Reads all. Returns 0 or a negative errno; -EBADMSG with a reason in @why if nothing can be read. */
int ctf_merge_run(struct ctf_merge *merge, const char *folder, const struct ctf_taker *taker);
void ctf_merge_free(struct ctf_merge *merge);

#endif
