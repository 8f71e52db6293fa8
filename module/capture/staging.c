// SPDX-License-Identifier: GPL-2.0-only
/*
 * Staging in the kernel. The rings live until the module is unloaded. A CPU that came online while
 * there is no memory for its ring has one of size 0: core/raw/stage.c counts every record as lost,
 * and the log states that (control/hotplug.c).
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "keep/image.h"
#include "keep/region.h"
#include "memory.h"
#include "params.h"
#include "staging.h"

#define BCOS_STAGING_MIN_KB 64

DEFINE_PER_CPU_ALIGNED(struct bcos_stage, bcos_stages);

static DEFINE_PER_CPU(struct irq_work, bcos_kick_work);

static struct {
	u64 limit;	/* for all rings, in bytes */
	u64 used;
	void (*wake)(void);
} bcos_staging;

u64 bcos_staging_bytes(void)
{
	return READ_ONCE(bcos_staging.used);
}

u32 bcos_staging_kb(void)
{
	return bcos_params.staging_kb;
}

void bcos_staging_wake(void)
{
	bcos_staging.wake();
}

static void bcos_kick_handler(struct irq_work *work)
{
	bcos_staging.wake();
}

/*
 * On a CPU that is coming online or going offline no work is queued: it might stay queued as long
 * as the CPU is offline, and unloading would wait for it. Instead the callback for the dead CPU
 * wakes the writer, and a CPU that comes online kicks again at a later record. A CPU without a ring
 * never kicks, since it would do so at each event.
 */
notrace void bcos_staging_kick(struct bcos_stage *stage)
{
	if (likely(cpu_active(smp_processor_id()) && stage->size))
		irq_work_queue(this_cpu_ptr(&bcos_kick_work));
	else
		WRITE_ONCE(stage->kicked, 0);
}

notrace enum bcos_staged bcos_put_text(struct bcos_raw *raw, struct bcos_raw_event *event,
				       const char *text, size_t length)
{
	enum bcos_staged result;
	struct bcos_stage *stage;
	unsigned long flags;

	local_irq_save(flags);
	stage = this_cpu_ptr(&bcos_stages);
	result = bcos_stage_put_text(stage, bcos_clock, raw, event, text, length);
	if (result == BCOS_STAGED_KICK || result == BCOS_STAGE_LOST_KICK)
		bcos_staging_kick(stage);
	local_irq_restore(flags);
	return result;
}

notrace bool bcos_put_rest(struct bcos_stage *stage, enum bcos_staged result)
{
	if (result == BCOS_STAGED_KICK || result == BCOS_STAGE_LOST_KICK)
		bcos_staging_kick(stage);
	return result != BCOS_STAGE_NESTED;
}

/* Halves the size of the rings until those of all present CPUs fit into the limit. */
static void bcos_staging_settle_size(void)
{
	u32 asked = roundup_pow_of_two(bcos_params.staging_kb), kb = asked;
	u64 cpus = num_present_cpus();

	bcos_staging.limit = (u64)bcos_params.staging_total_kb << 10;
	if (!bcos_staging.limit)
		bcos_staging.limit = (u64)totalram_pages() * PAGE_SIZE / 64;
	while (kb > BCOS_STAGING_MIN_KB && ((u64)kb << 10) * cpus > bcos_staging.limit)
		kb /= 2;
	if (kb != asked)
		pr_info("staging_kb is lowered from %u to %u: %llu CPUs share staging_total_kb, %llu KiB\n",
			asked, kb, cpus, bcos_staging.limit >> 10);
	bcos_params.staging_kb = kb;
}

int bcos_staging_up(void)
{
	unsigned int cpu;

	bcos_staging_settle_size();
	for_each_possible_cpu(cpu)
		bcos_stage_init(per_cpu_ptr(&bcos_stages, cpu), NULL, 0);
	return 0;
}

void bcos_staging_down(void)
{
	struct bcos_stage *stage;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		stage = per_cpu_ptr(&bcos_stages, cpu);
		if (!bcos_region_has(stage->ring))
			kvfree(stage->ring);
		stage->ring = NULL;
		stage->size = 0;
	}
}

bool bcos_staging_has_ring(unsigned int cpu)
{
	return per_cpu_ptr(&bcos_stages, cpu)->ring;
}

struct bcos_unit *bcos_staging_ring(unsigned int cpu, u64 *size)
{
	u64 bytes = (u64)bcos_params.staging_kb << 10;
	struct bcos_unit *ring;

	/* A CPU that was not present at load gets a ring as large as the limit allows. */
	while (bytes > BCOS_STAGING_MIN_KB << 10 && bcos_staging.used + bytes > bcos_staging.limit)
		bytes /= 2;
	ring = bcos_image_stage_ring(cpu, bytes);
	if (!ring) {
		if (bcos_memory_is_there(bytes))
			ring = kvzalloc_node(bytes, BCOS_GFP, cpu_to_node(cpu));
		if (!ring)
			return NULL;
		bcos_image_note_stage_ring(cpu, ring, bytes);
		bcos_memory_count(bytes);
	}
	WRITE_ONCE(bcos_staging.used, bcos_staging.used + bytes);
	*size = bytes / sizeof(*ring);
	return ring;
}

void bcos_staging_wake_by(void (*wake)(void))
{
	bcos_staging.wake = wake;
}

int bcos_kicks_up(void)
{
	unsigned int cpu;

	/*
	 * The irq_work is not a hard one, since on a real-time kernel its handler could not wake a
	 * thread then.
	 */
	for_each_possible_cpu(cpu)
		init_irq_work(per_cpu_ptr(&bcos_kick_work, cpu), bcos_kick_handler);
	return 0;
}

void bcos_kicks_down(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(per_cpu_ptr(&bcos_kick_work, cpu));
}
