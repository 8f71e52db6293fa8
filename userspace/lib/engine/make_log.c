// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Making the log and its merge, in memory or in an image: see engine_log.h. */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "engine_log.h"
#include "host/linux.h"
#include "machine.h"

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
	.cgroup = machine_cgroup,
};

/* ---- log and merge ------------------------------------------------------------------- */

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

int engine_make_merge(struct engine *engine)
{
	struct bcos_stage *stage;
	struct bcos_unit *ring;
	u32 cpu;
	int r;

	bcos_merge_destroy(&engine->merge);
	memset(&engine->merge, 0, sizeof(engine->merge));
	r = bcos_merge_init(&engine->merge, &engine->log, engine->cpus + 1);
	for (cpu = 0; cpu <= engine->cpus && !r; cpu++) {
		stage = &engine->cpu[cpu].stage;
		free(stage->ring);
		memset(stage, 0, sizeof(*stage));
		ring = calloc(256, sizeof(*ring));
		if (!ring)
			return -ENOMEM;
		bcos_stage_init(stage, ring, 256);
		bcos_merge_add(&engine->merge, cpu, stage);
	}
	return r;
}

int engine_make_log(struct engine *engine)
{
	struct kept *kept = &engine->keep.kept;
	int r = 0;

	if (engine->keep.on) {
		engine->ring = kept->ring;
		engine->ring_size = kept->ring_size;
	} else {
		r = map_ring(engine);
	}
	if (!r)
		r = bcos_log_init(&engine->log, &engine_host, engine, engine->ring, engine->ring_size, engine->cpus, 1);
	if (r)
		return r;
	if (engine->keep.on)
		bcos_ring_share(&engine->log.ring, bcos_image_part(kept->publisher.header, kept->image, BCOS_IMAGE_CONTROL),
				kept->publisher.header->page_size);
	return engine_make_merge(engine);
}

int engine_begin_anew(struct engine *engine)
{
	struct bcos_log *log = &engine->log;
	struct bcos_ring ring = log->ring;
	u64 time = log->time;
	int r;

	bcos_log_destroy(log);
	memset(log, 0, sizeof(*log));
	r = bcos_log_init(log, &engine_host, engine, engine->ring, engine->ring_size, engine->cpus, 1);
	if (r)
		return r;
	log->ring = ring;
	log->time = time;
	/* The next entry is the first one of a group. */
	log->ring.due = log->ring.easy = 0;
	return engine_make_merge(engine);
}
