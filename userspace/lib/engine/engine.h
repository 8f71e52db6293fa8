/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The BPF engine: what the programs recorded becomes a log in memory, written
 * by a thread.  Where a kernel thread and /dev/bcos_evlog are in the module.
 */
#ifndef BCOSLOG_ENGINE_H
#define BCOSLOG_ENGINE_H

#include <errno.h>

#include "core/ring/cursor.h"

#include "bcoslog_bpf.h"

struct engine;

/* Where somebody reads the log.  Each reader has one of its own. */
struct engine_view {
	struct bcos_cursor cursor;
	bool bound;			/* it has begun, at what was the oldest entry then */
};

#ifdef BCOSLOG_HAVE_BPF

/**
 * engine_open() - begin to record
 * @engine: out
 * @options: checked
 * @error: out: why it failed
 *
 * When it returns the log has its first group.
 *
 * Return: 0 or a negative errno.
 */
int engine_open(struct engine **engine, const struct bcoslog_bpf *options, struct bcoslog_error *error);

/* The last pass, and no more; what is in the log stays.  Return: 0, or why the log writer gave up. */
int engine_stop(struct engine *engine);

/* NULL is ignored. */
void engine_close(struct engine *engine);

/* Readable when there is news, or when the log was compacted: to be cleared by engine_clear() before looking. */
int engine_news(const struct engine *engine);
int engine_compacted(const struct engine *engine);
void engine_clear(int fd);

/**
 * engine_read() - the next whole entries
 * @engine: the engine
 * @view: this reader's
 * @to: buffer
 * @size: of it, at least BCOS_CURSOR_ROOM
 * @end: as far as the log is read, of engine_end(), or all ones
 *
 * Return: bytes; 0: there are none now; -EMSGSIZE; or why the log writer gave up.
 */
long engine_read(struct engine *engine, struct engine_view *view, void *to, size_t size, __u64 end);

/* Offset of the log's end now. */
__u64 engine_end(const struct engine *engine);

/* Everything that happened before the call is in the log.  Return: 0, or why the log writer gave up. */
int engine_flush(struct engine *engine);

void engine_status(struct engine *engine, struct bcos_status *status);
void engine_compaction(struct engine *engine, struct bcos_compaction *compaction);

#else
static inline int engine_open(struct engine **engine, const struct bcoslog_bpf *options, struct bcoslog_error *error)
{
	(void)engine, (void)options, (void)error;
	return -ENOSYS;
}

static inline int engine_stop(struct engine *engine)
{
	(void)engine;
	return -ENOSYS;
}

static inline void engine_close(struct engine *engine)
{
	(void)engine;
}

static inline int engine_news(const struct engine *engine)
{
	(void)engine;
	return -1;
}

static inline int engine_compacted(const struct engine *engine)
{
	(void)engine;
	return -1;
}

static inline void engine_clear(int fd)
{
	(void)fd;
}

static inline long engine_read(struct engine *engine, struct engine_view *view, void *to, size_t size, __u64 end)
{
	(void)engine, (void)view, (void)to, (void)size, (void)end;
	return -ENOSYS;
}

static inline __u64 engine_end(const struct engine *engine)
{
	(void)engine;
	return 0;
}

static inline int engine_flush(struct engine *engine)
{
	(void)engine;
	return -ENOSYS;
}

static inline void engine_status(struct engine *engine, struct bcos_status *status)
{
	(void)engine, (void)status;
}

static inline void engine_compaction(struct engine *engine, struct bcos_compaction *compaction)
{
	(void)engine, (void)compaction;
}
#endif

#endif
