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

#include <stdbool.h>

#include "bcoslog.h"

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

/**
 * struct bcoslog_boot - a boot in a recording
 * @size: size of this structure in bytes, which the caller sets
 * @flags: BCOSLOG_BOOT_*
 * @host: name of the machine, terminated by a zero byte
 * @boot: ID of the boot as text, terminated by a zero byte; empty if unknown
 * @first: time of its first entry, ns since boot
 * @last: time of its last entry, ns since boot
 * @begin: the first reading of the wall clock; the field utc is 0 if there is none
 * @end: the last reading of the wall clock
 * @files: number of files
 * @entries: number of entries
 * @losses: number of entries that state a loss
 * @stored: size of the files, bytes
 * @raw: size of the entries without compression, bytes
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

/* The boot belongs to the machine whose log is read. */
#define BCOSLOG_BOOT_READ	(1u << 0)

/**
 * bcoslog_boot() - list the boots of a recording
 * @log: a recorded directory or file
 * @index: number of the boot, from 0 on; boots are ordered by machine, then by time
 * @boot: receives the boot
 *
 * Return: 1; 0 if there is no boot with this number; -ENOTTY if @log is no recording.
 */
int bcoslog_boot(struct bcoslog *log, __u32 index, struct bcoslog_boot *boot);

/**
 * bcoslog_boot_machine() - find out the ID of the machine of a boot
 * @log: a recorded directory or file
 * @index: number of the boot, as for bcoslog_boot()
 * @machine: receives the ID as text, terminated by a zero byte; empty if unknown
 *
 * Machines of the same name have different IDs.  The ID is a hash of the content of /etc/machine-id, which cannot be
 * computed from the hash.
 *
 * Return: 1; 0 if there is no boot with this number; -ENOTTY if @log is no recording.
 */
int bcoslog_boot_machine(struct bcoslog *log, __u32 index, char machine[40]);

/**
 * bcoslog_flaw() - list the files of a recording that are not read, or may lack their end
 * @log: a recorded directory or file
 * @index: 0 at first; the function moves it on
 * @text: receives a sentence about the next such file, terminated by a zero byte: of files with equal contents one is
 *	read, a file can have no whole frame, and a file that its recorder did not end can lack its last entries
 * @room: size of @text in bytes, at least 1
 *
 * Damage that reading meets is no part of this list.
 *
 * Return: 1; 0 if there is no further file; -ENOTTY if @log is no recording.
 */
int bcoslog_flaw(struct bcoslog *log, __u32 *index, char *text, size_t room);

/**
 * bcoslog_set_machine() - choose the machine whose log is read from a directory of several machines
 * @log: a recorded directory from which nothing has been read
 * @machine: name of the machine, or its ID, of which the first eight digits are enough
 *
 * Without this call, the library reads the log of the machine on which it runs, if the directory has one, and otherwise
 * that of the machine that recorded last.
 *
 * Return: 0 or a negative errno; -ENOENT if the directory has no such machine, -ENOTUNIQ if it has several.
 */
int bcoslog_set_machine(struct bcoslog *log, const char *machine);

/**
 * bcoslog_set_boot() - read only one boot of a machine
 * @log: a recorded directory of which nothing has been read
 * @boot: ID of the boot, as bcoslog_boot() gives it
 *
 * All times are then since this boot.  Reading continues with the log of bcoslog_set_live() only if that log belongs to
 * this boot.
 *
 * Return: 0 or a negative errno; -ENOENT if the machine has no such boot in the recording.
 */
int bcoslog_set_boot(struct bcoslog *log, const char *boot);

/**
 * bcoslog_recording_clock() - find out what the wall clock showed throughout a recording
 * @log: a recorded directory or file
 * @whole: the times are since the first boot of the recording.  Otherwise they are as those of the entries that are read:
 *	since the first boot in the window, after which the window can no longer be changed
 * @clock: receives the readings of the wall clock
 * @first: receives the time of the first entry that is not historical, ns
 * @last: receives the time of the last one, ns
 *
 * The index of the recording tells most of it.  Only the parts in which somebody set the clock are decompressed.
 *
 * Return: 1; 0 if the recording has no entries that are not historical; -ENOTTY if @log is no recording; another negative
 * errno.
 */
int bcoslog_recording_clock(struct bcoslog *log, bool whole, struct bcoslog_clock *clock, __u64 *first, __u64 *last);

/**
 * bcoslog_set_live() - continue a recording with the log that is being recorded
 * @log: a recorded directory
 * @live: the log that a recorder writes into the directory; bcoslog_close() of @log closes @live, too
 *
 * At the end of the recording, reading continues with the later entries of @live, if they belong to the machine that is
 * read.
 *
 * Return: 0 or a negative errno; -ENOTTY if @log is no recording, -EBUSY if it has such a log already.
 */
int bcoslog_set_live(struct bcoslog *log, struct bcoslog *live);

/**
 * bcoslog_state_group() - create a complete group of historical entries
 * @state: the state that the group describes
 * @put: called for each entry: first the cores, then CPUs, processes, devices and assignments; it returns 0, or
 *	another value to stop
 * @context: first argument of @put
 *
 * A log that begins with this group explains itself.  The group does not include statements.
 *
 * Return: 0, or the value with which @put stopped.
 */
int bcoslog_state_group(const struct bcoslog_state *state, int (*put)(void *context, const struct bcos_entry *entry),
			void *context);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
