// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Creating and freeing the BPF engine: see engine.h. */
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/write/group.h"
#include "engine.h"
#include "engine_log.h"
#include "machine.h"
#include "engine/programs/refusal.h"
#include "host/linux.h"
#include "handle/error.h"

/* ---- creation and end ------------------------------------------------------------ */

static size_t power_of_two(u64 kib)
{
	size_t size = 1024;

	while (size < kib * 1024)
		size *= 2;
	return size;
}

static int make_fds(struct engine *engine)
{
	engine->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	engine->news = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	engine->compacted = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return engine->wake < 0 || engine->news < 0 || engine->compacted < 0 ? -errno : 0;
}

/*
 * Return: the size of the staging ring of each CPU in bytes.  All rings together take at most 1/64 of the machine's
 * memory, unless each ring would be smaller than its minimum, and have fewer than 2^32 units.
 */
static u32 staging_of(const struct bcoslog_bpf *options)
{
	size_t size = power_of_two(options->staging_kb), least = BCOS_BPF_UNITS_MIN * sizeof(struct bcos_unit);
	u64 most = machine_memory() / 64, numbered = (1ull << 31) * sizeof(struct bcos_unit);

	if (most > numbered)
		most = numbered;
	while (size > least && (u64)size * machine_present() > most)
		size /= 2;
	return (u32)size;
}

static struct engine *engine_new(const struct bcoslog_bpf *options)
{
	struct engine *engine = aligned_alloc(64, (sizeof(*engine) + 63) & ~63ul);

	if (!engine)
		return NULL;
	memset(engine, 0, sizeof(*engine));
	engine->options = *options;
	engine->grace.outer = engine->grace.inner = -1;
	engine->hardware.fd[0] = engine->hardware.fd[1] = engine->kernel.fd = -1;
	engine->keep.place.run = engine->keep.place.lock = engine->keep.place.pinned = -1;
	engine->wake = engine->news = engine->compacted = engine->setting = -1;
	engine->cpus = machine_cpus();
	engine->ring_size = power_of_two(options->ring_kb);
	if (engine->ring_size < bcos_log_ring_min(engine->cpus))
		engine->ring_size = bcos_log_ring_min(engine->cpus);
	engine->staging = staging_of(options);
	pthread_mutex_init(&engine->lock, NULL);
	pthread_cond_init(&engine->merged, NULL);
	/* The type of the stages requires the alignment to cache lines. */
	engine->cpu = aligned_alloc(64, (engine->cpus + 1) * sizeof(*engine->cpu));
	if (engine->cpu)
		memset(engine->cpu, 0, (engine->cpus + 1) * sizeof(*engine->cpu));
	return engine;
}

int engine_open(struct engine **result, const struct bcoslog_bpf *options, const struct engine_pins *pins,
		struct bcoslog_error *error)
{
	struct engine *engine = engine_new(options);
	int r;

	*result = NULL;
	if (!engine)
		return refusal(error, -ENOMEM, "allocating memory");
	engine->keep.wanted = *pins;
	r = engine->cpu ? make_fds(engine) : -ENOMEM;
	if (r)
		refusal(error, r, "preparing the log");
	else
		r = engine_start(engine, error);
	if (r) {
		engine_close(engine);
		return r;
	}
	*result = engine;
	return 0;
}

void engine_close(struct engine *engine)
{
	u32 cpu;

	if (!engine)
		return;
	engine_stop(engine);
	engine_keep_remove(engine);
	bcos_merge_destroy(&engine->merge);
	if (engine->ring)
		bcos_log_destroy(&engine->log);
	if (engine->keep.on)
		kept_unmap(&engine->keep.kept);
	else
		double_unmap(engine->ring, engine->ring_size);
	for (cpu = 0; engine->cpu && cpu <= engine->cpus; cpu++) {
		stream_free(&engine->cpu[cpu].stream);
		free(engine->cpu[cpu].stage.ring);
	}
	free(engine->cpu);
	told_free(&engine->told);
	if (engine->wake >= 0)
		close(engine->wake);
	if (engine->news >= 0)
		close(engine->news);
	if (engine->compacted >= 0)
		close(engine->compacted);
	pthread_cond_destroy(&engine->merged);
	pthread_mutex_destroy(&engine->lock);
	free(engine->emitted.unit);
	free(engine);
}
