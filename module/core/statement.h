/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Statements: what a log says of itself directly behind each group of historical entries, and again where it changes:
 * which classes of the default are off, the wall clock, and which boot, host, kernel and version wrote it. So whoever
 * has a part of it knows these, too.
 */
#ifndef BCOS_CORE_STATEMENT_H
#define BCOS_CORE_STATEMENT_H

#include "host.h"

struct bcos_log;

/* What the host knows. A text is UTF-8 or not, and empty if it is not known: then it is not stated. */
struct bcos_statements {
	bool clock;		/* the next two are known */
	u32 error;		/* ns, at least 1 */
	u64 offset;		/* ns from the time since boot to that of the wall clock, at least; at most @error more */
	char boot[64];		/* UUID */
	char host[80];
	char kernel[144];	/* release and architecture */
	char version[64];	/* all of the text */
};

/* Bytes that all of them take at most, each with the longest text. */
#define BCOS_STATEMENTS_MAX 1280

/**
 * bcos_log_say() - what the host knows now
 * @log: the log
 * @now: copied
 * @time: ns since boot, when it was asked; not before the last time
 *
 * What differs from the last time is stated in the log, if that has begun. So is the wall clock if it cannot be the
 * same within both errors, but not twice in a second: what was set again before that is stated with a later call.
 *
 * Context: the log writer, between passes.
 */
void bcos_log_say(struct bcos_log *log, const struct bcos_statements *now, u64 time);

/**
 * bcos_log_recorded() - the classes that are recorded from here on
 * @log: the log
 * @mask: BCOS_CLASS_*
 *
 * While assignments are not, the log has none, nor historical ones: what a CPU did before is not what it does. That
 * the mask changed states whoever changes it.
 *
 * Context: the log writer, between passes.
 */
void bcos_log_recorded(struct bcos_log *log, u32 mask);

/* Text of the entry that says that the mask changed.  Return: its length. */
int bcos_mask_words(char *text, size_t size, u32 from, u32 to);

/* Behind a group. */
void bcos_statements_write(struct bcos_log *log);

/* Bytes that bcos_statements_write() takes now. */
u64 bcos_statements_bytes(const struct bcos_log *log);

#endif
