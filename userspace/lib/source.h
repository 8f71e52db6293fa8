/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An open log, as the library's files share it. */
#ifndef BCOSLOG_SOURCE_H
#define BCOSLOG_SOURCE_H

#include <time.h>

#include "core/entry.h"

#include "bcoslog.h"
#include "engine/engine.h"
#include "mapping.h"

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
	struct mapping mapping;		/* of a device that is not followed */
	struct engine *engine;		/* what records it, if that is this process */
	u64 last;			/* offset in it as far as it is read */
	char *name;			/* for messages */
	struct bcoslog_error error;
	u8 *buffer;
};

/* Why @name could not be opened or asked: fills @error.  Return: -@code. */
int error_set(struct bcoslog_error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int error_open(struct bcoslog_error *error, int code, const char *name, bool device);
int error_abi(struct bcoslog_error *error, const char *name, const struct bcos_status *status);
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

/* A handle without a log yet.  Return: NULL if there is no memory, or no descriptor. */
struct bcoslog *source_new(int fd, const char *name, unsigned int flags);

/* Is @fd the device: its status, or a negative errno. */
int device_status(int fd, struct bcos_status *status);

/* Time of @clock in ns, 0 if there is no such clock. */
u64 source_clock(clockid_t clock);

/* Is this process in the PID namespace that the log is about, which has all processes? */
bool source_sees_all_processes(void);

/* Wait for @events on @fd.  Return: as bcoslog_wait(). */
int source_poll(struct bcoslog *log, int fd, short events, int timeout);

#endif
