/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Statements are what a log says about itself, after each group of historical entries and again
 * when it changes: which default classes are off, the wall clock, and the boot, host, kernel and
 * version that wrote it. So each part of a log contains them.
 */
#ifndef BCOS_CORE_STATEMENT_H
#define BCOS_CORE_STATEMENT_H

#include "core/host/host.h"

struct bcos_log;

/* Facts that the host knows. A text may be any bytes; an empty text is unknown and not stated. */
struct bcos_statements {
	bool clock;		/* offset and error are known */
	u32 error;		/* ns, at least 1 */
	/* Ns from boot time to wall clock time, at least; at most @error ns more. */
	u64 offset;
	char boot[64];		/* UUID */
	char host[80];
	char kernel[144];	/* release and architecture */
	char version[64];	/* the whole text of the statement */
};

/* The maximum size of all statements, each with its longest text, in bytes. */
#define BCOS_STATEMENTS_MAX 1280

/**
 * bcos_log_say() - tell the log what the host knows now
 * @log: the log
 * @now: copied
 * @time: ns since boot when the host found this out; never steps back
 *
 * The log states what has changed, if it has begun. It states the wall clock anew if both values
 * cannot agree within their errors, but at most once a second; a later call states a change that
 * came too early.
 *
 * Context: the log writer, between passes.
 */
void bcos_log_say(struct bcos_log *log, const struct bcos_statements *now, u64 time);

/**
 * bcos_log_recorded() - set the classes that are recorded from here on
 * @log: the log
 * @mask: BCOS_CLASS_*
 *
 * While assignments are off, the log has neither new nor historical ones, since an old assignment
 * may be wrong by now. The caller writes the entry that says that the mask changed.
 *
 * Context: the log writer, between passes.
 */
void bcos_log_recorded(struct bcos_log *log, u32 mask);

/* Writes the text of the entry for a change of the mask. Returns its length. */
int bcos_mask_words(char *text, size_t size, u32 from, u32 to);

/* Writes all statements; this follows a group. */
void bcos_statements_write(struct bcos_log *log);

/* Returns the bytes that bcos_statements_write() would write now. */
u64 bcos_statements_bytes(const struct bcos_log *log);

#endif
