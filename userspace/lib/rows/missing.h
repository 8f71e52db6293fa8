/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a log states as missing, from when until when: losses, classes that were off, notices of an overtaken reader, and gaps
 * of a recording.
 */
#ifndef BCOSLOG_ROWS_MISSING_H
#define BCOSLOG_ROWS_MISSING_H

#include "bcoslog_account.h"
#include "core/host/user.h"
#include "entry/gap.h"

/**
 * struct missing_part - a part of a log of which something is missing
 * @begin: the earliest time of what is missing, ns since boot
 * @end: the latest one
 * @open: the log does not tell the end, which may be later
 * @one_cpu: @cpu states it; otherwise it concerns all CPUs
 * @cpu: ID of the CPU
 * @lost: the kinds of what is missing, BCOSLOG_LOST_*
 * @count: how many events or entries are missing; 0: the log does not tell
 * @what: what is missing, in words, which no zero byte terminates
 * @why: the reason likewise; NULL: the log gives none
 * @what_length: length of @what in bytes
 * @why_length: length of @why in bytes
 * @stated: when the log states it
 */
struct missing_part {
	u64 begin, end;
	bool open, one_cpu;
	u32 cpu, lost;
	u64 count;
	const char *what, *why;
	size_t what_length, why_length;
	u64 stated;
};

struct missing_notice;

/**
 * struct missing - what is known of it so far; zeros at first, but for @part and @context
 * @part: called for each part when its end is known. Its texts are valid until the call returns
 * @context: first argument of @part
 */
struct missing {
	void (*part)(void *context, const struct missing_part *part);
	void *context;
	struct missing_notice *notices;	/* those after which no group has come */
	size_t count, room;
	bool grouped;			/* that group has begun */
	u32 off;			/* classes that are off, of those that are on by default */
	u64 off_since[32];
};

/* Apply the next entry of the log.  Return: 0 or -ENOMEM. */
int missing_entry(struct missing *missing, const struct bcos_entry *entry);
/* End what lasts at the end of the log, the time @end. */
void missing_end(struct missing *missing, u64 end);
void missing_free(struct missing *missing);

#endif
