/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the tool asks of an open log beyond its entries: control of the device and of waits, and of the BPF engine. */
#ifndef BCOSLOG_READER_INTERNAL_H
#define BCOSLOG_READER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "bcoslog.h"
#include "bcoslog_bpf.h"
#include "bcoslog_reader.h"
#include "core/host/user.h"

/*
 * Control of the device, and of waits.
 *
 * Each function returns 0 or a negative errno.  -ENOTTY means that the log is a file or a stream.
 * -ENOTSUP means that BPF programs record the log.  Such a log supports only bcoslog_status(), bcoslog_compaction(),
 * bcoslog_flush(), and a bcoslog_mask() that changes no class.
 */

/*
 * Return: the offset, from the place where reading began, of the entry that bcoslog_next() returned last, or of the
 * first entry that bcoslog_batch() returned last.
 */
__u64 bcoslog_offset(const struct bcoslog *log);

/**
 * bcoslog_hangup() - make waits fail with -EPIPE once nobody reads the program's output any more
 * @log: the log
 * @fd: the writing end of a pipe, such as standard output
 */
void bcoslog_hangup(struct bcoslog *log, int fd);

/* Ask for the status of the log. */
int bcoslog_status(struct bcoslog *log, struct bcos_status *status);

/* Ask for the newest compaction, and acknowledge it. */
int bcoslog_compaction(struct bcoslog *log, struct bcos_compaction *compaction);

/* Let bcoslog_wait() and poll() return only when at least @bytes bytes are unread. */
int bcoslog_watermark(struct bcoslog *log, __u32 bytes);

/* Write all events that have happened before the call into the log.  @head receives the position after them. */
int bcoslog_flush(struct bcoslog *log, __u64 *head);

/* Stop recording the classes @clear, then record the classes @set.  @mask receives the result, and may be NULL. */
int bcoslog_mask(struct bcoslog *log, __u32 clear, __u32 set, struct bcos_mask *mask);

/**
 * bcoslog_request() - record classes of a single process or device
 * @log: the log, opened with BCOSLOG_CONTROL
 * @classes: BCOS_CLASS_API for a process; BCOS_CLASS_IO, BCOS_CLASS_IRQ or both for a device
 * @source: ID of the process or device
 * @on: true records the classes of @source although the mask excludes them; false takes such a request back
 *
 * Return: 0 or a negative errno; -ENOSPC if there are requests for too many processes, -ENODEV if the log knows no
 * such device, -ENOENT if there is no such request to take back.
 */
int bcoslog_request(struct bcoslog *log, __u32 classes, __u32 source, bool on);

/*
 * Wait until there is a compaction that bcoslog_compaction() has not acknowledged.
 * Context: sleeps.  Return: as bcoslog_wait().
 */
int bcoslog_wait_compaction(struct bcoslog *log, int timeout);

/* Return: the name of the class with the number @bit; NULL if there is none. */
const char *bcoslog_class(unsigned int bit);

/**
 * bcoslog_class_mask() - convert the name of a class to its mask
 * @word: the name of a class, "all", "none", "default", or a number
 * @length: length of @word in bytes
 * @mask: receives the mask, BCOS_CLASS_*
 *
 * Return: 0 or -EINVAL.
 */
int bcoslog_class_mask(const char *word, size_t length, __u32 *mask);

/* ---- the BPF engine ---------------------------------------------------------------- */

struct engine_pins;

/* Begin to record as bcoslog_open_bpf() does, in a log of which @pins (engine/keep/wanted.h) say what outlives the process. */
int reader_open_bpf(struct bcoslog **log, const struct bcoslog_bpf *options, const struct engine_pins *pins,
		    unsigned int flags, struct bcoslog_error *error);

/* Return: the classes that the engine can record, BCOS_CLASS_*; 0 if this library was built without the engine. */
__u32 bcoslog_bpf_classes(void);

/**
 * bcoslog_bpf_knows_wakers() - can the programs read whether a CPU handles an interrupt?
 *
 * If they cannot, the log says of most wake-ups "by an interrupt or process": one of the two.
 *
 * Return: 1 if they can, 0 if not; -ENOSYS if this library was built without the engine, or another negative errno if
 * this kernel does not describe its types.
 */
int bcoslog_bpf_knows_wakers(void);

/**
 * bcoslog_stop_bpf() - stop recording, and keep the log open
 * @log: a log of bcoslog_open_bpf(); for any other log the function does nothing
 *
 * The events before this call can still be read.  After them the log ends, even if it was opened with BCOSLOG_FOLLOW.
 *
 * Return: 0 or a negative errno.
 */
int bcoslog_stop_bpf(struct bcoslog *log);

/**
 * bcoslog_leave_bpf() - let the log that outlives its recorder stay when it is closed
 * @log: a log of reader_open_bpf(); for any other log the function does nothing
 *
 * Without this call bcoslog_close() removes it, since its reader has all of it elsewhere.
 *
 * Return: true if there is one, with which the next recorder goes on.
 */
bool bcoslog_leave_bpf(struct bcoslog *log);

/**
 * bcoslog_share_bpf() - open another reader of a log that this process records
 * @log: receives the handle, which another thread may use than the one that uses @of
 * @of: a log of bcoslog_open_bpf(), which must stay open until @log is closed
 * @flags: BCOSLOG_FOLLOW; without it the log ends with the events before this call; BCOSLOG_NEWEST
 * @error: receives the reason of a failure
 *
 * The reader begins at the oldest entry, or with BCOSLOG_NEWEST at the newest group.  Readers take nothing away from each other.
 *
 * Return: 0 or a negative errno.
 */
int bcoslog_share_bpf(struct bcoslog **log, struct bcoslog *of, unsigned int flags, struct bcoslog_error *error);

/* ---- batches that are held back -------------------------------------------------- */

struct held_batch;

/**
 * struct batches - batches that are held back; zeros are none
 * @oldest: the batch that is taken next; NULL: there is none
 * @newest: the one that was held last
 * @taken: the one that was taken last, whose memory the next one gets
 * @size: bytes of entries that are held
 */
struct batches {
	struct held_batch *oldest, *newest, *taken;
	size_t size;
};

/* Holds back the entries of a batch.  Return: 0 or -ENOMEM. */
int batches_hold(struct batches *batches, const struct bcoslog_batch *batch);
/* Return: the bytes that are held back. */
static inline size_t batches_size(const struct batches *batches)
{
	return batches->size;
}
/*
 * Takes the oldest batch, if more than @least bytes are held back. It is valid until the next call with @batches.
 * Return: whether there is one.
 */
bool batches_take(struct batches *batches, size_t least, struct bcoslog_batch *batch);
/* Frees the batches, and leaves none. */
void batches_free(struct batches *batches);

#endif
