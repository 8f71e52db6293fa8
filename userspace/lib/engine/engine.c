// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Creating and freeing the BPF engine: see engine.h. */
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "core/write/group.h"
#include "engine.h"
#include "engine_log.h"
#include "machine.h"
#include "engine/programs/refusal.h"
#include "host/linux.h"
#include "handle/error.h"

/* ---- services for the core ------------------------------------------------------- */

static void *host_alloc(void *context, size_t size)
{
	(void)context;
	return calloc(1, size);
}

static void host_free(void *context, void *memory, size_t size)
{
	(void)context;
	(void)size;
	free(memory);
}

static u32 host_core_of(void *context, u32 cpu)
{
	struct engine *engine = context;

	/* The core of a CPU that has gone offline meanwhile may be unknown, and is 0 then. */
	engine_core(engine, cpu);
	return engine->cpu[cpu].core;
}

static void host_estimate(void *context, u32 cpu, struct bcos_estimate *estimate)
{
	const struct engine *engine = context;

	machine_estimate(cpu, estimate);
	counters_of(&engine->counters, cpu, estimate->counted);
}

static u64 host_random(void *context)
{
	u64 number = 0;

	(void)context;
	/* If the kernel has no random numbers yet, an address and the time replace them. */
	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != sizeof(number))
		number = (u64)(uintptr_t)&number ^ clock_now(CLOCK_MONOTONIC);
	return number;
}

static const struct bcos_host engine_host = {
	.alloc = host_alloc,
	.free = host_free,
	.core_of = host_core_of,
	.estimate = host_estimate,
	.random = host_random,
};

/* ---- creation and end ------------------------------------------------------------ */

static size_t power_of_two(u64 kib)
{
	size_t size = 1024;

	while (size < kib * 1024)
		size *= 2;
	return size;
}

/* Map the ring twice, one mapping after the other, so that each entry is contiguous. */
static int map_ring(struct engine *engine)
{
	int fd = memfd_create("bcos_evlog", MFD_CLOEXEC), r = 0;

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)engine->ring_size) || !(engine->ring = double_map(fd, 0, engine->ring_size)))
		r = -errno;
	close(fd);
	return r;
}

static int make_log(struct engine *engine)
{
	u32 cpu;
	int r;

	r = map_ring(engine);
	if (!r)
		r = bcos_log_init(&engine->log, &engine_host, engine, engine->ring, engine->ring_size, engine->cpus, 1);
	if (r)
		return r;
	r = bcos_merge_init(&engine->merge, &engine->log, engine->cpus + 1);
	if (r)
		return r;
	for (cpu = 0; cpu <= engine->cpus; cpu++) {
		struct bcos_unit *ring = calloc(256, sizeof(*ring));

		if (!ring)
			return -ENOMEM;
		bcos_stage_init(&engine->cpu[cpu].stage, ring, 256);
		bcos_merge_add(&engine->merge, cpu, &engine->cpu[cpu].stage);
	}
	return 0;
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

int engine_open(struct engine **result, const struct bcoslog_bpf *options, struct bcoslog_error *error)
{
	struct engine *engine = engine_new(options);
	int r;

	*result = NULL;
	if (!engine)
		return refusal(error, -ENOMEM, "allocating memory");
	r = engine->cpu ? make_fds(engine) ?: make_log(engine) : -ENOMEM;
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
	bcos_merge_destroy(&engine->merge);
	if (engine->ring) {
		bcos_log_destroy(&engine->log);
		double_unmap(engine->ring, engine->ring_size);
	}
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
	free(engine);
}
