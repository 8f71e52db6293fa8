/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the tool asks of a recorded directory beyond its entries: machines, boots, clocks, and files that are not whole. */
#ifndef BCOSLOG_ARCHIVE_RECORDING_H
#define BCOSLOG_ARCHIVE_RECORDING_H

#include <stdbool.h>

#include "bcoslog.h"
#include "bcoslog_archive.h"
#include "state/clock.h"

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
 * bcoslog_boot_place() - find out where a boot is on the line of time of what is read
 * @log: a recorded directory or file, whose window can no longer be changed afterwards
 * @index: as for bcoslog_boot()
 * @begin: receives the time of the boot itself: by so much the times of its entries are later than since that boot, ns
 * @end: receives the time of its last entry, ns; @begin if it has none that is not historical
 *
 * Return: 1; 0 if there is no boot with this number, or it is not read; -ENOTTY if @log is no recording.
 */
int bcoslog_boot_place(struct bcoslog *log, __u32 index, __u64 *begin, __u64 *end);

/* The bytes that bcoslog_boot_end() needs at most. */
#define BOOT_END_TEXT 512

/**
 * bcoslog_boot_end() - find out how a boot ended
 * @log: a recording of which nothing was read yet
 * @index: as for bcoslog_boot()
 * @text: gets what the log states of it (BCOS_EVENT_ENDED), as "panic: out of memory"; empty if it states nothing, since
 *	the boot goes on, or nobody recovered its last moment
 *
 * Return: 1; 0 if there is no boot with this number; -ENOTTY if @log is no recording; another negative errno if the last
 * frame of the boot cannot be read.
 */
int bcoslog_boot_end(struct bcoslog *log, __u32 index, char text[BOOT_END_TEXT]);

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
 * This function reads the beginning of @live. If it fails, @live remains the caller's, and reading it goes on after that.
 *
 * Return: 0 or a negative errno; -ENOTTY if @log is no recording, -EBUSY if it has such a log already, -EXDEV if it has
 * nothing of the machine of @live.
 */
int bcoslog_set_live(struct bcoslog *log, struct bcoslog *live);

#endif
