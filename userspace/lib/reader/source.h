/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An open log, as the library's files share it. */
#ifndef BCOSLOG_SOURCE_H
#define BCOSLOG_SOURCE_H

#include "core/format/entry.h"

#include "bcoslog.h"
#include "error.h"

struct archive;
struct engine;
struct engine_view;
struct mapping;

/* Twice the largest entry, and small enough to stay in the cache. */
#define SOURCE_BUFFER (128u << 10)
/* Room behind it for the largest entry, and zeros. */
#define SOURCE_ASIDE (BCOS_ENTRY_MAX + 9u)

/* The newest damaged place. */
struct damage {
	enum bcos_malformed what;
	bool searching;			/* for where the log goes on, from bcoslog.at on */
	bool nowhere;			/* it does not */
	u16 size;			/* of the entry that is to be skipped */
	u64 offset;			/* of its first byte */
};

struct bcoslog {
	enum bcoslog_kind kind;
	unsigned int flags;		/* BCOSLOG_* */
	int fd;
	bool owned;			/* close fd at the end */
	bool nonblocking;		/* read() returns EAGAIN instead of waiting */
	bool ended;			/* there will be no more */
	int interrupt;			/* eventfd, readable once interrupted */
	int growth;			/* inotify of a followed file, or -1 */
	int hangup;			/* output to watch, or -1 */
	u64 limit;			/* newest time that belongs to the log; all ones: any */
	u64 position;			/* of a file: bytes read, from its beginning */
	u64 offset;			/* of what was given last */
	u64 base;			/* of the buffer's first byte */
	size_t at, end;			/* what is left in the buffer */
	size_t checked;			/* up to here it is whole entries that belong to the log */
	bool recognised;		/* it has an entry of a known type, so it is a log */
	size_t walked;			/* up to here it has none */
	struct damage damage;
	bool mapped;			/* mapping was tried */
	struct mapping *mapping;	/* of a device that is not followed, or NULL */
	struct archive *archive;	/* of a recorded directory or file, or NULL */
	struct engine *engine;		/* what records it, if that is this process */
	struct engine_view *view;	/* where it is read */
	bool shared;			/* the engine is another handle's */
	u64 last;			/* offset in it as far as it is read */
	char *name;			/* for messages */
	struct bcoslog_error error;
	u8 *buffer;
};

int error_read(struct bcoslog *log, int code);
/* Of log->damage.  Return: -EBADMSG. */
int error_damage(struct bcoslog *log, enum bcoslog_resumes resumes, u64 lost);
/* It is no log at all.  Return: -EILSEQ. */
int error_no_log(struct bcoslog *log);

/* Read more behind what is left.  Return: 1, 0 if there is nothing now, or a negative errno. */
int source_fill(struct bcoslog *log);

/* ---- damage.c ------------------------------------------------------------- */

/* At its beginning: is it a log?  Return: 1, 0 if what is there now does not tell, or as damage_begin(). */
int damage_recognise(struct bcoslog *log);
/* At log->at there is no entry (@what).  Return: as damage_search(). */
int damage_begin(struct bcoslog *log, enum bcos_malformed what);
/* Look for where the log goes on.  Return: -EBADMSG; -EILSEQ; another negative errno; 0: it takes more than is there now. */
int damage_search(struct bcoslog *log);

/* A log that grows by itself: the device, or what this process records. */
static inline bool source_is_live(const struct bcoslog *log)
{
	return log->kind == BCOSLOG_DEVICE || log->kind == BCOSLOG_BPF;
}

#endif
