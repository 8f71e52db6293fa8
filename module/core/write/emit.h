/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Functions inside the core that write entries.
 *
 * Functions about a change (bcos_emit_set_*(), bcos_emit_cancel_*(), bcos_emit_irq()) write one
 * entry at log->time, after historical entries of the subjects that the log has not named since the
 * newest group; before the log has begun they write nothing. The others write exactly the entry
 * that they are asked for. None of them starts a group: the caller brings the model up to date and
 * then calls bcos_log_settle() (group.h), so a group never shows half a change.
 *
 * All of this runs in the log writer. Numbers in parentheses are sections of the specification.
 */
#ifndef BCOS_CORE_EMIT_H
#define BCOS_CORE_EMIT_H

#include "core/format/entry.h"
#include "log.h"

/* Returns the sum of two spans in ns, saturated as a precision is (4.4). */
static inline u32 bcos_precision(u64 a, u64 b)
{
	return a + b < a || a + b > 0xFFFFFFFFu ? 0xFFFFFFFFu : (u32)(a + b);
}

/* Returns the latest possible time of an event whose earliest time is @time; ~0 means unknown. */
static inline u64 bcos_latest(u64 time, u32 precision)
{
	return precision == 0xFFFFFFFFu || time + precision < time ? ~0ull : time + precision;
}

/*
 * Returns the precision of an entry at @time whose event happened at @latest or earlier. The
 * precision is at least 1 ns.
 */
static inline u32 bcos_reach(u64 time, u64 latest)
{
	return latest > time ? bcos_precision(latest - time, 0) : 1;
}

/*
 * Sets the log's time, which never steps back: an event that is older than the log's time gets that
 * time, and a precision that keeps the latest possible time of the event.
 */
static __always_inline void bcos_log_at(struct bcos_log *log, u64 time, u32 precision)
{
	if (unlikely(time < log->time)) {
		log->stats.clamped++;
		precision = bcos_reach(log->time, bcos_latest(time, precision));
		time = log->time;
	}
	log->time = time;
	log->time_precision = precision;
}

/*
 * Opens an entry of @bytes at the head, with its header filled in and its last word zero. The
 * caller fills in the rest, and bcos_emit_close() commits it.
 */
void *bcos_emit_open(struct bcos_log *log, u32 bytes, u16 type, u32 source, u64 time,
		     u32 precision);
/* Commits the entry of @bytes that bcos_emit_open() opened. */
void bcos_emit_close(struct bcos_log *log, u32 bytes);

/* These write historical entries (5.18, 5.22), for groups and for re-statements. */
void bcos_emit_process(struct bcos_log *log, struct bcos_process *process, u16 type, u64 time,
		       u32 precision);
void bcos_emit_device(struct bcos_log *log, struct bcos_device *device, u16 type, u64 time,
		      u32 precision);
void bcos_emit_core(struct bcos_log *log, const struct bcos_core *core, u16 type, u64 time,
		    u32 precision);
/* Writes an entry whose body is one 32-bit word. */
void bcos_emit_word(struct bcos_log *log, u16 type, u32 source, u32 word, u64 time, u32 precision);
/* Writes an entry without a body. */
void bcos_emit_bare(struct bcos_log *log, u16 type, u32 source);

/* Fills in the header of an entry. */
static __always_inline void bcos_put_header(struct bcos_entry *header, u32 bytes, u16 type,
					    u32 source, u64 time, u32 precision)
{
	header->size = (u16)bytes;
	header->type = type;
	header->source = source;
	header->time = time;
	header->precision = precision;
}

/* Writes an entry with one word (5.10, 5.17). There must be room for it. */
static __always_inline void bcos_put_easy_word(struct bcos_ring *ring, u16 type, u32 source,
					       u32 word, u64 time, u32 precision)
{
	struct bcos_assign_cpu *entry = bcos_ring_head(ring);

	bcos_put_header(&entry->header, sizeof(*entry), type, source, time, precision);
	entry->process = word;
	bcos_ring_commit(ring, sizeof(*entry));
}

/* Writes an entry with one word, for which there may be no room. */
void bcos_emit_word_slowly(struct bcos_log *log, u16 type, u32 source, u32 word, u64 time,
			   u32 precision);

/* Writes an entry with one word. */
static __always_inline void bcos_put_word(struct bcos_log *log, u16 type, u32 source, u32 word,
					  u64 time, u32 precision)
{
	if (unlikely(!bcos_ring_is_easy(&log->ring, sizeof(struct bcos_assign_cpu))))
		return bcos_emit_word_slowly(log, type, source, word, time, precision);
	bcos_put_easy_word(&log->ring, type, source, word, time, precision);
	if (type & BCOS_TYPE_HISTORICAL)
		log->stats.historical++;
}

/* Writes the name of a process if the name is long, or if there may be no room for it. */
void bcos_emit_process_slowly(struct bcos_log *log, struct bcos_process *process, u16 type,
			      u64 time, u32 precision);

/*
 * Writes an entry with a process name (5.1, 5.18). This copies BCOS_RAW_NAME bytes; the next entry
 * overwrites those that are after the end of this one. A copy of constant size is cheaper than a
 * copy of the name's length.
 */
static __always_inline void bcos_put_process(struct bcos_log *log, struct bcos_process *process,
					     u16 type, u64 time, u32 precision)
{
	struct bcos_ring *ring = &log->ring;
	struct bcos_process_name *entry = bcos_ring_head(ring);
	u32 bytes = process->bytes;

	if (unlikely(process->name_length > BCOS_RAW_NAME ||
		     !bcos_ring_is_easy(ring, sizeof(*entry) + BCOS_RAW_NAME)))
		return bcos_emit_process_slowly(log, process, type, time, precision);
	process->stated = ring->now.head.offset + 1;
	bcos_put_header(&entry->header, bytes, type, process->id, time, precision);
	memcpy(entry->name, process->name, BCOS_RAW_NAME);
	bcos_ring_commit(ring, bytes);
	if (type & BCOS_TYPE_HISTORICAL)
		log->stats.historical++;
}

/*
 * Has the log named a process or device since the newest group? @stated is that of the subject.
 * Names before that group do not count, since a snapshot may later begin at the group and lack what
 * came before.
 */
static __always_inline bool bcos_is_stated(const struct bcos_log *log, u64 stated)
{
	return stated > log->ring.now.group.offset;
}

/*
 * Has the log named the process since the newest group, and was the process born or has it run
 * since then? If so, a switch to it changes nothing in the model's order of processes.
 */
static __always_inline bool bcos_is_ready(const struct bcos_log *log,
					  const struct bcos_process *process)
{
	return process->ready == log->ring.now.group.offset;
}

/* Re-states the process, even if the log has named it since the newest group. */
void bcos_emit_restated(struct bcos_log *log, struct bcos_process *process);

/*
 * Re-states the process (or the device and its driver, bcos_emit_stated_device()) unless the log
 * has named it since the newest group.
 */
static __always_inline void bcos_emit_stated(struct bcos_log *log, struct bcos_process *process)
{
	if (unlikely(!bcos_is_stated(log, process->stated)) && log->begun)
		bcos_emit_restated(log, process);
}

void bcos_emit_stated_device(struct bcos_log *log, struct bcos_device *device);

/* Writes the name of a thread whose process the model has, at the log's time. */
struct bcos_thread;
void bcos_emit_thread(struct bcos_log *log, struct bcos_thread *thread);

/* Writes the name of thread @id, if it has one that no entry since the newest group gives. */
void bcos_emit_stated_thread(struct bcos_log *log, u32 id);

/* Writes the name of a process that begins, execs or is renamed. */
static __always_inline void bcos_emit_set_process(struct bcos_log *log,
						  struct bcos_process *process)
{
	process->named = log->time;
	if (likely(log->begun))
		bcos_put_process(log, process, BCOS_SET_PROCESS_NAME, log->time,
				 log->time_precision);
}

/* Writes that a process has ended, with its termination status. */
static __always_inline void bcos_emit_cancel_process(struct bcos_log *log,
						     struct bcos_process *process, u32 status)
{
	if (unlikely(!log->begun))
		return;
	bcos_emit_stated(log, process);
	bcos_put_word(log, BCOS_CANCEL_PROCESS_NAME, process->id, status, log->time,
		      log->time_precision);
}

/* These write a name, the end of a name, and an interrupt of a device. */
void bcos_emit_set_device(struct bcos_log *log, struct bcos_device *device);
void bcos_emit_cancel_device(struct bcos_log *log, struct bcos_device *device, u32 status);
void bcos_emit_irq(struct bcos_log *log, struct bcos_device *device, u32 number);

/* Converts an estimate to the power fields of Core Online, in units of 2 mW (5.5.1). */
void bcos_power_fields(const struct bcos_estimate *estimate, u16 *idle, u16 *difference);

/*
 * Opens a generic event at the head of a log that has begun and has stated the event's source. The
 * text may have @room bytes. bcos_event_close() commits the event.
 */
static inline struct bcos_generic *bcos_event_open(struct bcos_log *log, size_t room)
{
	/* bcos_event_close() may write a word after the text. */
	return bcos_ring_reserve(&log->ring,
				 (u32)bcos_entry_size(BCOS_GENERIC_TEXT, room + sizeof(u32)),
				 log->time);
}

/* Commits the event that bcos_event_open() opened. Its text has @length bytes. */
static inline void bcos_event_close(struct bcos_log *log, struct bcos_generic *entry, u16 type,
				    u32 source, u32 id, u8 severity, size_t length)
{
	u32 bytes = (u32)bcos_entry_size(BCOS_GENERIC_TEXT, length), end = 0;

	bcos_put_header(&entry->header, bytes, type, source, log->time, log->time_precision);
	entry->event_id = id;
	entry->severity = severity;
	/*
	 * Zeros pad the text. The next entry overwrites those that are after the end of this entry.
	 */
	memcpy(entry->text + length, &end, sizeof(end));
	bcos_ring_commit(&log->ring, bytes);
}

#endif
