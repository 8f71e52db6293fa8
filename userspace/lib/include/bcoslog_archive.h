/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Recorded directories of libbcoslog, which bcoslog-record(1) writes.
 *
 * bcoslog_open() opens a recorded directory, or one of its files, like any other log.  The log is that of one machine.
 * It contains the boots of the machine one after the other.  All times are since the first boot that is read; the
 * library computes from the wall clock by how much each later boot is later.  Between boots, and where entries are
 * missing, the log contains the notice that bcoslog_is_missed() recognises.  With BCOSLOG_FOLLOW the log continues when
 * the recorder writes more.
 *
 *	struct bcoslog_window window = { .size = sizeof(window), .since = BCOSLOG_MOMENT_WALL, .since_ns = utc };
 *
 *	if (!bcoslog_open(&log, "/var/lib/bcos_evlog", 0, &error) && !bcoslog_set_window(log, &window))
 *		while (bcoslog_next(log, &entry) > 0)
 *			use(entry);
 *
 * The library reads and decompresses only the frames that contain the times of the window.
 */
#ifndef BCOSLOG_ARCHIVE_H
#define BCOSLOG_ARCHIVE_H

#include "bcoslog_reader.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The directory into which the recorder of the system writes. */
#define BCOSLOG_RECORD_DIRECTORY "/var/lib/bcos_evlog"

/* The suffix of the name of each recorded file. */
#define BCOSLOG_RECORD_SUFFIX ".bcos.zst"

/* The units of the times of a window. */
enum bcoslog_moment {
	BCOSLOG_MOMENT_NONE,	/* there is no limit */
	BCOSLOG_MOMENT_BOOT,	/* ns since the latest boot */
	BCOSLOG_MOMENT_WALL,	/* ns since 1970, UTC */
};

/**
 * struct bcoslog_window - a part of a recording
 * @size: size of this structure in bytes
 * @since: unit of @since_ns, enum bcoslog_moment
 * @until: unit of @until_ns, enum bcoslog_moment
 * @reserved: 0
 * @since_ns: reading begins before this time, at the nearest group of historical entries
 * @until_ns: reading ends after this time
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
 * @log: a recorded directory or file of which nothing has been read
 * @window: the part; the log also contains some entries before and after it
 *
 * Return: 0 or a negative errno; -ENOTTY if @log is no recording, -EBUSY if reading has begun.
 */
int bcoslog_set_window(struct bcoslog *log, const struct bcoslog_window *window);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
