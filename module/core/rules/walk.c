// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The host walks the task list and the devices after records were lost. This file keeps the result
 * of the walk until the log has compared it, and the processes and devices that went since the walk
 * began.
 */
#include "rules.h"

/* The initial number of slots in log->gone. */
#define FIRST_GONE 256

/*
 * Devices are entered as (upper half of the key with this bit, lower half). The bit is set in every
 * key that is an address, and in no process ID.
 */
#define DEVICE_BIT 0x20000000u

static void forget_gone(struct bcos_log *log)
{
	bcos_heap_free(&log->model.heap, log->gone, log->gone_limit * sizeof(*log->gone));
	log->gone = NULL;
	log->gone_count = 0;
	log->gone_limit = 0;
	log->remembers = false;
}

/* Frees the result of the walk, which the host allocated and the model does not count. */
static void forget_seen(struct bcos_log *log)
{
	const struct bcos_heap *heap = &log->model.heap;

	bcos_heap_return(heap, log->seen, log->seen_count * sizeof(*log->seen));
	bcos_heap_return(heap, log->seen_online, log->model.cpu_limit);
	bcos_heap_return(heap, log->seen_devices.unit,
			 log->seen_devices.room * sizeof(*log->seen_devices.unit));
	log->seen_devices = (struct bcos_seen_devices){ 0 };
	log->seen = NULL;
	log->seen_online = NULL;
	log->resyncing = false;
}

void bcos_log_forget_walk(struct bcos_log *log)
{
	forget_seen(log);
	forget_gone(log);
}

void bcos_log_walk_begins(struct bcos_log *log)
{
	bcos_log_forget_walk(log);
	log->needs_walk = false;
	log->walking = true;
	log->remembers = true;
}

void bcos_log_walk_failed(struct bcos_log *log)
{
	bcos_log_forget_walk(log);
	log->walking = false;
	log->needs_walk = true;
}

void bcos_log_walked(struct bcos_log *log, struct bcos_seen *seen, u32 seen_count, u64 from,
		     u64 until)
{
	bool begun = log->walking, forgot = begun && !log->remembers;

	forget_seen(log);
	if (!begun) {
		forget_gone(log);
		log->needs_walk = false;
	}
	log->walking = false;
	log->remembers = true;
	log->seen = seen;
	log->seen_count = seen_count;
	log->seen_from = from;
	log->seen_until = until;
	/*
	 * For lack of memory the log has not noted all who died, so the result cannot be compared.
	 */
	if (forgot) {
		bcos_log_forget_walk(log);
		log->needs_walk = true;
	}
}

void bcos_log_walked_cpus(struct bcos_log *log, u8 *online)
{
	if (!log->seen) {
		bcos_heap_return(&log->model.heap, online, log->model.cpu_limit);
		return;
	}
	log->seen_online = online;
}

void bcos_log_walked_devices(struct bcos_log *log, const struct bcos_seen_devices *seen)
{
	if (log->seen)
		log->seen_devices = *seen;
	else
		bcos_heap_return(&log->model.heap, seen->unit, seen->room * sizeof(*seen->unit));
}

/*
 * Returns the slot of an incarnation in @table, or the free slot where the incarnation belongs. A
 * slot must be free.
 */
static struct bcos_incarnation *place_of(struct bcos_incarnation *table, u32 limit, u32 id, u32 tag)
{
	u32 at = (id * 0x9E3779B1u ^ tag * 0x85EBCA6Bu) >> 7;

	for (;; at++) {
		at &= limit - 1;
		if (!table[at].id || (table[at].id == id && table[at].tag == tag))
			return &table[at];
	}
}

/* Makes room for one more incarnation in log->gone. Returns true if there is no memory. */
static bool grow_gone(struct bcos_log *log)
{
	u32 limit = log->gone_limit ? 2 * log->gone_limit : FIRST_GONE, i;
	struct bcos_incarnation *larger, *one;

	if (2 * log->gone_count < log->gone_limit)
		return false;
	larger = bcos_heap_alloc(&log->model.heap, limit * sizeof(*larger));
	if (!larger)
		return true;
	for (i = 0; i < log->gone_limit; i++) {
		one = &log->gone[i];
		if (one->id)
			*place_of(larger, limit, one->id, one->tag) = *one;
	}
	bcos_heap_free(&log->model.heap, log->gone, log->gone_limit * sizeof(*larger));
	log->gone = larger;
	log->gone_limit = limit;
	return false;
}

void bcos_log_gone(struct bcos_log *log, u32 id, u32 tag)
{
	struct bcos_incarnation *place;

	if (!log->remembers || !id)
		return;
	if (grow_gone(log)) {
		bcos_log_forget_walk(log);
		log->needs_walk = true;
		return;
	}
	place = place_of(log->gone, log->gone_limit, id, tag);
	log->gone_count += !place->id;
	place->id = id;
	place->tag = tag;
}

bool bcos_log_is_gone(const struct bcos_log *log, u32 id, u32 tag)
{
	return log->gone && place_of(log->gone, log->gone_limit, id, tag)->id;
}

void bcos_log_gone_device(struct bcos_log *log, u64 key)
{
	bcos_log_gone(log, (u32)(key >> 32) | DEVICE_BIT, (u32)key);
}

bool bcos_log_is_gone_device(const struct bcos_log *log, u64 key)
{
	return bcos_log_is_gone(log, (u32)(key >> 32) | DEVICE_BIT, (u32)key);
}
