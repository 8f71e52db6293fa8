/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The BPF engine: a thread writes the records of BPF programs into a log in memory.
 * The engine does in a process what the log writer and the device of the module do in
 * the kernel.
 */
#ifndef BCOSLOG_ENGINE_H
#define BCOSLOG_ENGINE_H

#include <errno.h>

#include "core/ring/cursor.h"

#include "bcoslog_bpf.h"
#include "engine/keep/wanted.h"

struct engine;

/* The position of one reader in the log. */
struct engine_view {
	struct bcos_cursor cursor;
	bool bound;			/* reading has begun, so @cursor is valid */
	bool newest;			/* reading begins at the newest group */
};

#ifdef BCOSLOG_HAVE_BPF

/**
 * engine_open() - begin to record
 * @engine: receives the engine
 * @options: valid options
 * @pins: what outlives this process
 * @error: receives the reason of a failure; without one its text says what @pins ask and is not possible, or is empty
 *
 * The log contains its first group when the function returns.
 *
 * Return: 0 or a negative errno.
 */
int engine_open(struct engine **engine, const struct bcoslog_bpf *options, const struct engine_pins *pins,
		struct bcoslog_error *error);

/* Stop recording after a last pass.  The log stays.  Return: 0, or the error that ended the log writer earlier. */
int engine_stop(struct engine *engine);

/* End the recording, and free the log.  NULL is ignored. */
void engine_close(struct engine *engine);

/*
 * Let the log that outlives its recorder stay, also after engine_close(), so that the next recorder goes on with it.
 * Return: true if there is one.
 */
bool engine_leave(struct engine *engine);

/* Return: a descriptor that becomes readable when there are new entries. */
int engine_news(const struct engine *engine);
/* Return: a descriptor that becomes readable after a compaction. */
int engine_compacted(const struct engine *engine);
/* Make one of these descriptors unreadable; the caller does so before it looks for entries or compactions. */
void engine_clear(int fd);

/**
 * engine_read() - copy the next whole entries
 * @engine: the engine
 * @view: the position of the reader
 * @to: the buffer
 * @size: size of the buffer in bytes, at least BCOS_CURSOR_ROOM
 * @end: position from engine_end() at which to stop, or all ones
 *
 * Return: the number of bytes; 0 if there are no entries now; -EMSGSIZE if the buffer is too small; the error that
 * ended the log writer.
 */
long engine_read(struct engine *engine, struct engine_view *view, void *to, size_t size, __u64 end);

/**
 * engine_emit() - write an event of the log itself, BCOS_DEVICE_SELF, with the next pass
 * @engine: the engine
 * @id: event ID
 * @severity: of the event
 * @text: UTF-8
 * @length: bytes of @text, at most BCOS_RAW_TEXT
 *
 * Return: 0 or -ENOMEM.
 */
int engine_emit(struct engine *engine, u32 id, u8 severity, const char *text, size_t length);

/* Return: the present position of the end of the log. */
__u64 engine_end(const struct engine *engine);

/* Write all events before the call into the log.  Return: 0, or the error that ended the log writer. */
int engine_flush(struct engine *engine);

/* These functions do what bcoslog_status() and bcoslog_compaction() do. */
void engine_status(struct engine *engine, struct bcos_status *status);
void engine_compaction(struct engine *engine, struct bcos_compaction *compaction);

#else
static inline int engine_open(struct engine **engine, const struct bcoslog_bpf *options, const struct engine_pins *pins,
			      struct bcoslog_error *error)
{
	(void)engine, (void)options, (void)pins, (void)error;
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

static inline bool engine_leave(struct engine *engine)
{
	(void)engine;
	return false;
}

static inline int engine_emit(struct engine *engine, u32 id, u8 severity, const char *text, size_t length)
{
	(void)engine, (void)id, (void)severity, (void)text, (void)length;
	return -ENOSYS;
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
