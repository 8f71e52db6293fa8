/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An open log, for the files of the library. */
#ifndef BCOSLOG_HANDLE_H
#define BCOSLOG_HANDLE_H

#include "core/format/entry.h"

#include "bcoslog.h"
#include "error.h"

struct archive;
struct engine;
struct engine_view;
struct mapping;

/* Twice the size of the largest entry, and small enough for the cache of a CPU. */
#define HANDLE_BUFFER (128u << 10)
/* Room after the buffer for the largest entry and zeros. */
#define HANDLE_ASIDE (BCOS_ENTRY_MAX + 9u)

/* The newest damage of a log. */
struct damage {
	enum bcos_malformed what;
	bool searching;			/* a search for the next group continues at bcoslog.at */
	bool nowhere;			/* no later entry can be recognised */
	u16 size;			/* size of the entry to skip */
	u64 offset;			/* offset of its first byte */
};

struct bcoslog {
	enum bcoslog_kind kind;
	unsigned int flags;		/* BCOSLOG_* */
	int fd;
	bool owned;			/* close fd at the end */
	bool given;			/* likewise, though the caller opened it */
	bool nonblocking;		/* read() returns EAGAIN instead of waiting */
	bool ended;			/* no more entries will come */
	int interrupt;			/* eventfd, readable after bcoslog_interrupt() */
	int growth;			/* inotify of a followed file, or -1 */
	int hangup;			/* output whose reader may go away, or -1 */
	u64 limit;			/* greatest time of an entry that belongs to the log */
	u64 position;			/* of a file: where reading continues */
	u64 offset;			/* offset of the entry or batch that the caller got last */
	u64 base;			/* offset of the first byte of the buffer */
	size_t at, end;			/* the unread part of the buffer */
	size_t checked;			/* end of the whole entries that belong to the log */
	bool recognised;		/* an entry of a known type has come, so this is a log */
	size_t walked;			/* end of the entries that were searched for one */
	struct damage damage;
	bool mapped;			/* mapping has been attempted */
	struct mapping *mapping;	/* of a device that is not followed, or NULL */
	struct archive *archive;	/* of a recorded directory or file, or NULL */
	struct engine *engine;		/* of a log that this process records, or NULL */
	struct engine_view *view;	/* this reader of the engine */
	bool shared;			/* another handle owns the engine */
	u64 last;			/* position up to which the engine has been read */
	char *name;			/* for error messages */
	struct bcoslog_error error;
	u8 *buffer;
};

int error_read(struct bcoslog *log, int code);
/* Fill log->error from log->damage.  Return: -EBADMSG. */
int error_damage(struct bcoslog *log, enum bcoslog_resumes resumes, u64 lost);
/* Fill log->error: the input is not a BCOS log.  Return: -EILSEQ. */
int error_no_log(struct bcoslog *log);

/* Read more bytes into the buffer.  Return: 1; 0 if there are none now; a negative errno. */
int handle_fill(struct bcoslog *log);

/* Moves the entries that were not read yet to the beginning of the buffer, so that handle_fill() has room after them. */
static inline void handle_compact(struct bcoslog *log)
{
	if (!log->at)
		return;
	memmove(log->buffer, log->buffer + log->at, log->end - log->at);
	log->base += log->at;
	log->end -= log->at;
	log->at = log->checked = 0;
}

/* ---- damage.c ------------------------------------------------------------- */

/*
 * Decide at the beginning whether this is a log. Return: 1; 0 if that requires more bytes; otherwise as
 * damage_begin().
 */
int damage_recognise(struct bcoslog *log);
/* Note that the bytes at log->at are not an entry, as @what says.  Return: as damage_search(). */
int damage_begin(struct bcoslog *log, enum bcos_malformed what);
/*
 * Search the place at which reading can resume.
 * Return: 0 if that requires more bytes; -EBADMSG when it is found or does
 * not exist; -EILSEQ; another negative errno.
 */
int damage_search(struct bcoslog *log);

/* Return: true if the log grows by itself: the device, and a log that this process records. */
static inline bool handle_is_live(const struct bcoslog *log)
{
	return log->kind == BCOSLOG_DEVICE || log->kind == BCOSLOG_BPF;
}

#endif
