/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tells a log_writer what an LTT trace says. */
#ifndef CONVERT_LTT_TRACE_READER_H
#define CONVERT_LTT_TRACE_READER_H

#include "file.h"
#include "../../log/log_writer.h"

/* Memory for blocks of files that are read side by side; more, and they are read one after the other. */
#define LTT_BLOCKS_MEMORY (256ull << 20)

/**
 * struct ltt_reader - a trace that is being read
 * @trace: the trace
 * @log: who is told
 * @interrupted: does the user want no more? or NULL
 * @state: of the log that the trace was made of
 * @start: time of the first event of any CPU
 * @events: that were read
 * @spoiled: blocks that could not be read, or not to their end
 * @missing: blocks that are missing
 * @cut: files that end within a block
 * @unreadable: files that could not be opened
 * @text: room for an event as text, and for an entry
 */
struct ltt_reader {
	struct ltt_trace *trace;
	struct log_writer *log;
	bool (*interrupted)(void);
	struct bcoslog_state *state;
	u64 start;
	u64 events, spoiled, missing, cut, unreadable;
	u32 room[BCOS_ENTRY_MAX / sizeof(u32) + 1];
	char text[4096];
};

/* Returns 0; -EBADMSG if something could not be read; or another negative errno. */
int ltt_reader_run(struct ltt_reader *reader);

/* ---- ours.c ---------------------------------------------------------------- */

/* An event of a trace that was made of a log. Returns 1; 0 if it is another one; or a negative errno. */
int ltt_reader_ours(struct ltt_reader *reader, u32 cpu, const struct ltt_record *record);

/* ---- other.c ---------------------------------------------------------------- */

/* An event of a trace that was not. @current: what the CPU runs. Returns 0 or a negative errno. */
int ltt_reader_other(struct ltt_reader *reader, u32 cpu, u32 *current, const struct ltt_record *record);
/* Tells what the trace says besides its events, once these are read. Returns 0 or a negative errno. */
int ltt_reader_system(struct ltt_reader *reader);
int ltt_reader_bookmark(void *context, const struct ltt_bookmark *bookmark);

#endif
