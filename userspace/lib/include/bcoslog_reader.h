/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions of libbcoslog that open a log and read its entries.  Programs include bcoslog.h. */
#ifndef BCOSLOG_READER_H
#define BCOSLOG_READER_H

#include <stddef.h>

#include "bcos_evlog.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct bcoslog;

/**
 * enum bcoslog_resumes - the place at which bcoslog_skip() resumes after damage
 * @BCOSLOG_NOWHERE: reading cannot resume, because no later entry can be recognised
 * @BCOSLOG_BEHIND: reading resumes at the entry after the damaged one; nothing else is lost
 * @BCOSLOG_AT_GROUP: reading resumes at the next group of historical entries; the entries before the group are lost,
 *	so the caller forgets the state it has gathered (bcoslog_state_forget())
 */
enum bcoslog_resumes {
	BCOSLOG_NOWHERE,
	BCOSLOG_BEHIND,
	BCOSLOG_AT_GROUP,
};

/**
 * struct bcoslog_error - the reason why a function failed
 * @code: the errno as a positive number; EBADMSG means that the log is damaged, EILSEQ that the input is no BCOS log
 * @word: a short, stable word for the kind of damage, such as "bad-size"; NULL unless @code is EBADMSG
 * @offset: offset of the first byte of the damaged entry; valid if @code is EBADMSG
 * @lost: number of bytes from @offset on that bcoslog_skip() leaves out; valid if @code is EBADMSG
 * @resumes: where bcoslog_skip() resumes; valid if @code is EBADMSG
 * @text: one sentence, without a full stop, that names the cause and the remedy
 */
struct bcoslog_error {
	int code;
	const char *word;
	__u64 offset;
	__u64 lost;
	enum bcoslog_resumes resumes;
	char text[512];
};

/**
 * enum bcoslog_kind - the source of a log
 * @BCOSLOG_DEVICE: the device /dev/bcos_evlog
 * @BCOSLOG_FILE: a regular file
 * @BCOSLOG_STREAM: a pipe, a socket or another stream that cannot be rewound
 * @BCOSLOG_BPF: BPF programs that this process has started (bcoslog_bpf.h)
 * @BCOSLOG_RECORDING: a recorded directory or one of its files (bcoslog_archive.h)
 */
enum bcoslog_kind {
	BCOSLOG_DEVICE,
	BCOSLOG_FILE,
	BCOSLOG_STREAM,
	BCOSLOG_BPF,
	BCOSLOG_RECORDING,
};

/* Flags of the functions that open a log. */
#define BCOSLOG_FOLLOW	(1u << 0)	/* at the end of a device, file or recording, bcoslog_wait() waits for more */
#define BCOSLOG_CONTROL	(1u << 1)	/* open the device for writing, too, as bcoslog_emit() requires */
#define BCOSLOG_CLOSE	(1u << 2)	/* bcoslog_close() closes the descriptor of bcoslog_open_fd(), too */
#define BCOSLOG_NEWEST	(1u << 3)	/* a followed device or BPF log begins at its newest group, not at its oldest */
#define BCOSLOG_WAKINGS	(1u << 4)	/* wakings of threads are entries at their time, and not told by later ones (bcoslog(5)) */
/**
 * bcoslog_open() - open a log
 * @log: receives the handle
 * @path: a device, a file, a recorded directory, or "-" for standard input
 * @flags: BCOSLOG_FOLLOW and BCOSLOG_CONTROL, or 0
 * @error: receives the reason of a failure
 *
 * Without BCOSLOG_FOLLOW, the log of a device ends with the events that happened before this call.
 *
 * Return: 0 or a negative errno; -EPROTO if this library and the loaded module speak different versions of the
 * protocol.
 */
int bcoslog_open(struct bcoslog **log, const char *path, unsigned int flags,
		 struct bcoslog_error *error);

/**
 * bcoslog_open_fd() - open a log by a file descriptor
 * @log: receives the handle
 * @fd: a descriptor that is open for reading; the caller keeps the descriptor, and closes it after bcoslog_close()
 *	unless @flags contains BCOSLOG_CLOSE
 * @name: the name by which error messages call the log
 * @flags: BCOSLOG_FOLLOW, BCOSLOG_CONTROL and BCOSLOG_CLOSE, or 0
 * @error: receives the reason of a failure
 *
 * The library does not change the flags of the descriptor.
 *
 * Return: as bcoslog_open().
 */
int bcoslog_open_fd(struct bcoslog **log, int fd, const char *name, unsigned int flags,
		    struct bcoslog_error *error);

/**
 * bcoslog_close() - close a log and free all its memory
 * @log: the log; NULL is ignored
 */
void bcoslog_close(struct bcoslog *log);

/* Return: the source of the log. */
enum bcoslog_kind bcoslog_kind(const struct bcoslog *log);

/* Return: a descriptor for poll(), which the library owns; the caller neither reads nor closes the descriptor. */
int bcoslog_fd(const struct bcoslog *log);

/* Return: the reason of the last failure, valid until the next call with this handle. */
const struct bcoslog_error *bcoslog_error(const struct bcoslog *log);

/**
 * bcoslog_next() - read the next entry without waiting
 * @log: the log
 * @entry: receives the entry, which is well-formed, aligned to 4 bytes, and valid until the next call
 *
 * The function accepts every entry that the specification allows.  If an entry is not aligned or padded as
 * bcos_evlog would write it, @entry points to a copy that is followed by zeros.
 *
 * Return: 1 for an entry; 0 at the present end of the log (see bcoslog_wait()); -EBADMSG if the log is damaged at
 * this place (see bcoslog_skip()); -EILSEQ if the input is not a BCOS log; another negative errno.
 */
int bcoslog_next(struct bcoslog *log, const struct bcos_entry **entry);

/**
 * struct bcoslog_batch - consecutive entries in memory
 * @first: the first entry; each entry before @end is well-formed and aligned to 4 bytes
 * @end: the first byte after the last entry
 * @offset: offset of @first in the log, from the place where reading began
 */
struct bcoslog_batch {
	const struct bcos_entry *first, *end;
	__u64 offset;
};

/**
 * bcoslog_batch() - read the next entries without waiting
 * @log: the log
 * @batch: receives at least one entry; the entries are valid until the next call
 *
 * This function serves programs that read many millions of entries.  In the program at the top of bcoslog.h the
 * function replaces bcoslog_next():
 *
 *	while ((more = bcoslog_batch(log, &batch)) > 0)
 *		bcoslog_each(entry, &batch)
 *			use(entry);
 *
 * Return: as bcoslog_next().
 */
int bcoslog_batch(struct bcoslog *log, struct bcoslog_batch *batch);

/* Return: the entry after @entry. */
static inline const struct bcos_entry *bcoslog_after(const struct bcos_entry *entry)
{
	return (const struct bcos_entry *)((const char *)entry + entry->size);
}

/* Return: the offset of an entry of the batch in the log, from the place where reading began. */
static inline __u64 bcoslog_batch_offset(const struct bcoslog_batch *batch,
					 const struct bcos_entry *entry)
{
	return batch->offset + (__u64)((const char *)entry - (const char *)batch->first);
}

/* Loop over the entries of a batch. */
#define bcoslog_each(entry, batch) \
	for ((entry) = (batch)->first; (entry) != (batch)->end; (entry) = bcoslog_after(entry))

/**
 * bcoslog_batch_index() - list the beginnings of the entries of a batch
 * @batch: the batch
 * @index: receives, in ascending order, the offset in bytes of each entry from @batch->first; NULL to count only
 * @room: number of elements that @index has room for
 *
 * This function serves languages in which a loop over entries is slow.
 *
 * Context: any thread.
 * Return: the number of entries in the batch; @index receives at most the first @room of them.
 */
size_t bcoslog_batch_index(const struct bcoslog_batch *batch, __u32 *index, size_t room);

/**
 * bcoslog_skip() - resume reading after -EBADMSG
 * @log: the log
 *
 * If the size of the damaged entry can be trusted, only that entry is left out.  Otherwise reading resumes at the
 * next group of historical entries.  The fields resumes and lost of bcoslog_error() say where reading resumes, and how
 * many bytes are left out.
 *
 * Return: 0, or -EBADMSG if no later entry can be recognised.
 */
int bcoslog_skip(struct bcoslog *log);

/**
 * bcoslog_wait() - wait for more entries after bcoslog_next() has returned 0
 * @log: the log
 * @timeout: milliseconds; -1 waits without a limit
 *
 * The function waits for a stream until the stream ends.  It waits for a device, a file or a recording only if the
 * log was opened with BCOSLOG_FOLLOW.
 *
 * Context: sleeps.
 * Return: 1 if bcoslog_next() may find more; 0 if no more entries will come; -EINTR after bcoslog_interrupt();
 * -ETIMEDOUT; another negative errno.
 */
int bcoslog_wait(struct bcoslog *log, int timeout);

/**
 * bcoslog_interrupt() - make the present wait and all later waits fail with -EINTR
 * @log: the log
 *
 * A search for the end of damage ends, too, as if there were no more entries now.
 *
 * Context: any thread, and signal handlers.
 */
void bcoslog_interrupt(struct bcoslog *log);

/**
 * bcoslog_emit() - write a generic event into the log (5.3, 5.7, 5.11, 5.16)
 * @log: the log, opened with BCOSLOG_CONTROL
 * @type: BCOS_GENERIC_PROCESS for an event of the caller; with CAP_PERFMON also the types of a core, CPU or device
 * @source: 0 for the caller; otherwise the ID of the core, CPU or device
 * @id: the event ID
 * @severity: 0 to 255 (5.3.2)
 * @text: UTF-8, at most BCOS_EVENT_TEXT_MAX bytes
 *
 * BCOSLOG_CONTROL requires the right to read the device.  A program that may only write to it uses write(2).
 *
 * Return: 0 or a negative errno; -EMSGSIZE or -EINVAL for the text, -ENODEV for the source, -EPERM without
 * CAP_PERFMON where it is required, -ENOBUFS if the event was lost, which the log states.
 */
int bcoslog_emit(struct bcoslog *log, __u16 type, __u32 source, __u32 id, __u8 severity, const char *text);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
