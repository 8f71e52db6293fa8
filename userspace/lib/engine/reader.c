// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The readers of the BPF engine: see engine.h. */
#include "core/write/figures.h"
#include "engine.h"
#include "engine_log.h"
#include "version.h"

int engine_news(const struct engine *engine)
{
	return engine->news;
}

int engine_compacted(const struct engine *engine)
{
	return engine->compacted;
}

__u64 engine_end(const struct engine *engine)
{
	struct bcos_marks marks;

	if (engine->keep.on)
		return READ_ONCE(engine->keep.shown);
	bcos_ring_marks(&engine->log.ring, &marks);
	return marks.head.offset;
}

long engine_read(struct engine *engine, struct engine_view *view, void *to, size_t size, __u64 end)
{
	struct bcos_cursor next;
	struct bcos_marks marks;
	long part;

	if (engine->keep.on && READ_ONCE(engine->keep.shown) < end)
		end = READ_ONCE(engine->keep.shown);
	if (!view->bound) {
		bcos_ring_marks(&engine->log.ring, &marks);
		view->cursor.place = view->newest ? marks.group : marks.oldest;
		view->bound = true;
	}
	part = bcos_cursor_read(&engine->log.ring, &view->cursor, end, to, size, &next);
	if (part > 0)
		view->cursor = next;
	return part ? part : READ_ONCE(engine->failed);
}

int engine_flush(struct engine *engine)
{
	u64 asked;
	int r;

	if (!engine->started)
		return engine->failed;
	pthread_mutex_lock(&engine->lock);
	asked = ++engine->asked;
	engine_tell(engine->wake);
	while (engine->answered < asked && !engine->failed)
		pthread_cond_wait(&engine->merged, &engine->lock);
	r = engine->failed;
	pthread_mutex_unlock(&engine->lock);
	return r;
}

void engine_status(struct engine *engine, struct bcos_status *status)
{
	u32 cpu;

	pthread_mutex_lock(&engine->lock);
	bcos_log_status(&engine->log, status);
	status->batches = engine->passes;
	status->wakeups = engine->wakeups;
	pthread_mutex_unlock(&engine->lock);
	status->abi_version = BCOS_ABI_VERSION;
	host_format(status->version, sizeof(status->version), "%s", BCOS_VERSION);
	status->staging_bytes = engine->programs_bytes;
	status->staging_kb = engine->staging / 1024;
	status->memory = status->staging_bytes + engine->ring_size;
	for (cpu = 0; cpu < engine->cpus; cpu++)
		status->memory += READ_ONCE(engine->cpu[cpu].stage.size) * sizeof(struct bcos_unit);
	status->readers = 1;
	status->mask = engine->options.classes;
	status->active = status->mask & ~engine->unavailable;
}

void engine_compaction(struct engine *engine, struct bcos_compaction *compaction)
{
	struct bcos_marks *known = &engine->known, marks;

	engine_clear(engine->compacted);
	bcos_ring_marks(&engine->log.ring, &marks);
	compaction->count = marks.compactions - known->compactions;
	compaction->bytes = marks.oldest.offset - known->oldest.offset;
	compaction->entries = marks.oldest.entry - known->oldest.entry;
	compaction->time = marks.compaction_time;
	known->oldest = marks.oldest;
	known->compactions = marks.compactions;
}
