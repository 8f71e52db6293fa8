/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads the events of an LTT trace, and tells them to a log_writer. */
#ifndef CONVERT_LTT_TRACE_READER_H
#define CONVERT_LTT_TRACE_READER_H

#include "bcoslog_account.h"
#include "file.h"
#include "../../log/log_writer.h"

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
