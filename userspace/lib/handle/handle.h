/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The structure of an open log, for the files of the library that read it. */
#ifndef BCOSLOG_HANDLE_H
#define BCOSLOG_HANDLE_H

#include "core/format/entry.h"

#include "bcoslog.h"
#include "error.h"

struct archive;
struct engine;
struct engine_view;
struct mapping;
struct unfold;

/* Twice the size of the largest entry, and small enough for the cache of a CPU. */
#define HANDLE_BUFFER (128u << 10)
/* Room after the buffer for a copy of the largest entry and the zeros after it. */
#define HANDLE_ASIDE (BCOS_ENTRY_MAX + 9u)

/* The newest damage of a log. */
struct damage {
	enum bcos_malformed what;
	bool searching;			/* the search for the next group continues at the field at of struct bcoslog */
	bool nowhere;			/* no later entry can be recognised */
	u16 size;			/* size of the entry that bcoslog_skip() leaves out; 0 if it leaves out none */
	u64 offset;			/* offset of the first damaged byte */
};

struct bcoslog {
	enum bcoslog_kind kind;
	unsigned int flags;		/* BCOSLOG_* */
	int fd;
	bool owned;			/* the library opened fd, and bcoslog_close() closes it */
	int image;			/* the file from whose image the log was made, of which @fd has a log; or -1 */
	bool given;			/* the caller opened fd, and bcoslog_close() closes it (BCOSLOG_CLOSE) */
	bool nonblocking;		/* read() returns EAGAIN instead of waiting */
	bool ended;			/* no more entries will come */
	bool parted;			/* more entries come at once, so that none is given that another one could precede */
	int interrupt;			/* eventfd, readable after bcoslog_interrupt() */
	int growth;			/* inotify descriptor of a followed file, or -1 */
	int hangup;			/* descriptor of the output whose reader may go away, or -1 */
	u64 limit;			/* greatest time of an entry that belongs to the log */
	u64 position;			/* the position in a file at which reading continues */
	u64 offset;			/* offset of the entry or batch that the caller got last */
	u64 base;			/* offset of the first byte of the buffer */
	size_t at, end;			/* the unread part of the buffer */
	size_t checked;			/* end of the whole entries that belong to the log */
	bool recognised;		/* an entry of a known type has come, so this is a log */
	size_t walked;			/* end of the entries in which damage_recognise() found no known type */
	struct damage damage;
	bool mapped;			/* mapping has been attempted */
	struct mapping *mapping;	/* the mapped device, if it is not followed; otherwise NULL */
	struct archive *archive;	/* the recording, if the log is one; otherwise NULL */
	struct engine *engine;		/* the engine, if this process records the log; otherwise NULL */
	struct engine_view *view;	/* the place of this reader in the log of the engine */
	bool shared;			/* another handle owns the engine */
	u64 last;			/* position in the log of the engine at which this reader ends */
	char *name;			/* the name of the log in error messages */
	struct bcoslog_error error;
	u8 *buffer;
	struct unfold *unfold;		/* the reader of BCOSLOG_WAKINGS, or NULL */
	/* With BCOSLOG_WAKINGS: gets entries as the log has them, before the caller does; NULL: nobody */
	void (*folded)(void *context, const struct bcoslog_batch *batch);
	void *folded_context;
};

/* Fill log->error: reading failed with the errno @code.  Return: the negative errno of log->error. */
int error_read(struct bcoslog *log, int code);
/* Fill log->error from log->damage.  Return: -EBADMSG. */
int error_damage(struct bcoslog *log, enum bcoslog_resumes resumes, u64 lost);
/* Fill log->error: the input is not a BCOS log.  Return: -EILSEQ. */
int error_no_log(struct bcoslog *log);

/* Read more bytes into the buffer.  Return: 1; 0 if there are none now; a negative errno. */
int handle_fill(struct bcoslog *log);

/*
 * Has bcoslog_interrupt() been called? What reads on without giving entries to the caller asks this, since input may have
 * no end.
 */
bool handle_interrupted(const struct bcoslog *log);

/* Move the unread entries to the beginning of the buffer, so that handle_fill() has room after them. */
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
 * Decide at the beginning of the input whether it is a log.
 * Return: 1 if it is; 0 if the decision requires more bytes; otherwise as damage_begin().
 */
int damage_recognise(struct bcoslog *log);
/* Note the damage @what of the entry at log->at, and find out where reading resumes.  Return: as damage_search(). */
int damage_begin(struct bcoslog *log, enum bcos_malformed what);
/*
 * Search for the group at which reading can resume.
 * Return: 0 if the search requires more bytes; -EBADMSG if the search has found a group, or none up to the end of the
 * log; -EILSEQ if the input is no log; another negative errno.
 */
int damage_search(struct bcoslog *log);

/* Return: true if the log grows while it is read: the device, and a log that this process records. */
static inline bool handle_is_live(const struct bcoslog *log)
{
	return log->kind == BCOSLOG_DEVICE || log->kind == BCOSLOG_BPF;
}

#endif
