/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libbcoslog: recorded directories, as bcoslog record writes them.
 *
 * bcoslog_open() opens a directory or one of its files like any other log. What it gives is the log of one machine:
 * its boots one after the other, on one time line. Times are those since the boot with which reading begins; later boots
 * are lined up by the wall clock. Between boots, and where something is missing, stands the notice that bcoslog_is_missed()
 * recognises. With BCOSLOG_FOLLOW it goes on as the recorder writes.
 *
 *	struct bcoslog_window window = { .size = sizeof(window), .since = BCOSLOG_MOMENT_WALL, .since_ns = utc };
 *
 *	if (!bcoslog_open(&log, "/var/lib/bcos_evlog", 0, &error) && !bcoslog_set_window(log, &window))
 *		while (bcoslog_next(log, &entry) > 0)
 *			use(entry);
 *
 * Only the frames are read and unpacked in which that time is.
 */
#ifndef BCOSLOG_ARCHIVE_H
#define BCOSLOG_ARCHIVE_H

#include "bcoslog.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Where the recorder of the system keeps its directory. */
#define BCOSLOG_RECORD_DIRECTORY "/var/lib/bcos_evlog"

/* The end of the name of each recorded file. */
#define BCOSLOG_RECORD_SUFFIX ".bcos.zst"

enum bcoslog_moment {
	BCOSLOG_MOMENT_NONE,	/* no limit */
	BCOSLOG_MOMENT_BOOT,	/* ns since boot, of the latest boot */
	BCOSLOG_MOMENT_WALL,	/* ns since 1970, UTC */
};

/**
 * struct bcoslog_window - a part of a recording
 * @size: of this structure
 * @since: what @since_ns is
 * @until: what @until_ns is
 * @since_ns: reading begins before this moment, at the nearest place where the log explains itself
 * @until_ns: reading ends after this moment
 */
struct bcoslog_window {
	__u32 size;
	__u32 since;
	__u32 until;
	__u32 reserved;
	__u64 since_ns;
	__u64 until_ns;
};

/**
 * bcoslog_set_window() - read only a part of a recording
 * @log: a recorded directory or file from which nothing was read yet
 * @window: which part; entries that stand before and after it may be given, too
 *
 * Return: 0 or a negative errno; ENOTTY: it is no recording; EBUSY: reading has begun.
 */
int bcoslog_set_window(struct bcoslog *log, const struct bcoslog_window *window);

/**
 * struct bcoslog_boot - a boot in a recording
 * @size: of this structure; in
 * @flags: BCOSLOG_BOOT_*
 * @host: name of the machine, ends with a zero
 * @boot: its ID as text, ends with a zero; empty: unknown
 * @first: time of its first entry, ns since boot
 * @last: of its last one
 * @begin: what the wall clock showed, as it was stated first; utc 0: never
 * @end: and last
 * @files: so many
 * @entries: in them
 * @losses: entries that state one
 * @stored: bytes on disk
 * @raw: bytes of entries
 */
struct bcoslog_boot {
	__u32 size;
	__u32 flags;
	char host[64];
	char boot[40];
	__u64 first, last;
	struct bcoslog_wall begin, end;
	__u64 files;
	__u64 entries;
	__u64 losses;
	__u64 stored;
	__u64 raw;
};

/* It is of the machine that is read. */
#define BCOSLOG_BOOT_READ	(1u << 0)

/**
 * bcoslog_boot() - what a recording holds
 * @log: a recorded directory or file
 * @index: from 0; by machine, and in order of time
 * @boot: out
 *
 * Return: 1; 0 if there is none of this index; a negative errno: ENOTTY: it is no recording.
 */
int bcoslog_boot(struct bcoslog *log, __u32 index, struct bcoslog_boot *boot);

/**
 * bcoslog_set_machine() - of several machines in a directory, read this one
 * @log: a recorded directory from which nothing was read yet
 * @host: its name
 *
 * Without it this machine is read if it is there, else the one that recorded last.
 *
 * Return: 0 or a negative errno; ENOENT: no such machine is there.
 */
int bcoslog_set_machine(struct bcoslog *log, const char *host);

/**
 * bcoslog_set_boot() - of several boots of a machine, read this one
 * @log: a recorded directory from which nothing was read yet
 * @boot: its ID, as bcoslog_boot() gives it
 *
 * Times are those since this boot, and what a log of bcoslog_set_live() has follows only if it is of this boot.
 *
 * Return: 0 or a negative errno; ENOENT: the machine that is read has no such boot.
 */
int bcoslog_set_boot(struct bcoslog *log, const char *boot);

/**
 * bcoslog_set_live() - what a log has that its recording does not have yet
 * @log: a recorded directory
 * @live: the log that is recorded into it; it is closed together with @log
 *
 * Where the recording ends, reading goes on with the entries of @live that come after it, if they are of the machine that
 * is read.
 *
 * Return: 0 or a negative errno; ENOTTY: @log is no recording; EBUSY: it has such a log already.
 */
int bcoslog_set_live(struct bcoslog *log, struct bcoslog *live);

/**
 * bcoslog_state_group() - a complete group of historical entries
 * @state: the state that it states
 * @put: called for each entry: cores, CPUs, processes, devices, assignments.  Return: 0, or what ends it
 * @context: for @put
 *
 * A log that begins with it explains itself, whatever was before. Statements are not among it.
 *
 * Return: 0, or what @put returned.
 */
int bcoslog_state_group(const struct bcoslog_state *state, int (*put)(void *context, const struct bcos_entry *entry),
			void *context);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
