// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A pass of the log writer of the BPF engine.
 *
 * The pass reads the clock, and waits for a grace period.  Let W be the time of this
 * reading.  After the grace period every program that ran before W has ended, so all
 * events before W are in the rings or counted as lost.  Programs that start later
 * take times after W.  The pass moves the records of each ring to a stream, which
 * sorts them.  The records before W go through the merge of the core; the records
 * after W stay in the streams for the next pass.
 */
#include <stdlib.h>

#include "core/capture/hook.h"
#include "core/model/device.h"
#include "engine_log.h"
#include "machine.h"
#include "host/linux.h"

#define MS 1000000ull

/* The greatest number of units that the pass merges before it releases the lock for readers of the status. */
#define PASS_UNITS 4096

/* The shortest interval between walks of the processes, and between readings of the cores. */
#define WALK_PERIOD (100 * MS)
#define ESTIMATE_PERIOD (1000 * MS)
/* How long missed switches that are stated together wait, in ns. */
#define UNSEEN_WAIT (1000 * MS)

/* The clock of the merge shows the time at which the present pass began. */
static _Thread_local u64 pass_time;

static u64 pass_clock(void)
{
	return pass_time;
}

/* ---- filling the stages --------------------------------------------------------- */

/* Make room for @units more units in the stage of a CPU.  Return: 0 or -ENOMEM. */
static int stage_grow(struct engine *engine, u32 cpu, u64 units)
{
	struct bcos_stage *stage = &engine->cpu[cpu].stage;
	u64 used = stage->head - stage->tail, size = stage->size ? stage->size : 256, at;
	struct bcos_unit *ring;

	while (size < used + units)
		size *= 2;
	if (size == stage->size)
		return 0;
	ring = malloc(size * sizeof(*ring));
	if (!ring)
		return -ENOMEM;
	for (at = stage->tail; at < stage->head; at++)
		ring[at & (size - 1)] = stage->ring[at & stage->mask];
	free(stage->ring);
	stage->ring = ring;
	stage->mask = size - 1;
	WRITE_ONCE(stage->size, size);
	bcos_merge_add(&engine->merge, cpu, stage);
	return 0;
}

static int stage_records(struct engine *engine, u32 cpu, u64 before)
{
	struct engine_cpu *own = &engine->cpu[cpu];
	struct bcos_stage *stage = &own->stage;
	const struct bcos_unit *unit;
	const struct bcos_raw *raw;
	size_t taken = 0;
	u32 i;

	while ((raw = stream_next(&own->stream, &taken, before))) {
		if (stage->head + raw->units > stage->tail + stage->size && stage_grow(engine, cpu, raw->units))
			return -ENOMEM;
		unit = (const struct bcos_unit *)raw;
		for (i = 0; i < raw->units; i++)
			stage->ring[stage->head++ & stage->mask] = unit[i];
		stage->last = raw->time;
	}
	stream_forget(&own->stream, taken);
	return 0;
}

/* The number of attempts to copy the loss counters of a CPU. If all fail, the copy of the last pass stays. */
#define TRIES 1000

bool engine_copy_losses(const struct bcos_bpf_cpu *programs, struct bcos_stage *stage)
{
	struct bcos_stage_lost copy;
	u32 sequence, tries;

	for (tries = 0; tries < TRIES; tries++) {
		sequence = smp_load_acquire(&programs->lost.sequence);
		/* A program is writing, so a copy would be torn. */
		if (READ_ONCE(programs->losing))
			continue;
		host_copy_racy(&copy, &programs->lost, sizeof(copy));
		smp_rmb();
		/*
		 * A program counts its write in "sequence" before it takes itself out of "losing". This function reads
		 * "losing" first, so it does not miss a write that ends between the two reads.
		 */
		if (smp_load_acquire(&programs->losing) || READ_ONCE(programs->lost.sequence) != sequence)
			continue;
		/* The core takes an odd sequence for that of counters which are being written. */
		copy.sequence = 2 * sequence;
		stage->lost = copy;
		return true;
	}
	return false;
}

static int stage_all(struct engine *engine, u64 before)
{
	u64 missed = programs_missed(engine->programs), devices_lost = 0;
	u32 cpu;
	int r;

	for (cpu = 0; cpu <= engine->cpus; cpu++) {
		r = stage_records(engine, cpu, before);
		if (r)
			return r;
		if (cpu == engine->cpus)
			break;
		engine_copy_losses(programs_cpu(engine->programs, cpu), &engine->cpu[cpu].stage);
		devices_lost += engine->cpu[cpu].stage.lost.count[BCOS_LOSS_DEVICE];
	}
	/* The kernel does not say on which CPU a program did not run. */
	engine->cpu[engine_spokesman(engine)].stage.nested += missed - engine->missed;
	engine->list_devices = devices_lost != engine->devices_lost;
	engine->devices_lost = devices_lost;
	engine->missed = missed;
	return 0;
}

/* ---- the pass -------------------------------------------------------------------- */

/* Walk the processes again, as at the beginning of the log: each difference from the model is a lost event. */
static int walk_again(struct engine *engine)
{
	u64 from = clock_now(CLOCK_BOOTTIME), now = clock_now(CLOCK_MONOTONIC);
	struct bcos_seen *seen;
	u32 count;
	int r;

	if (now < engine->next_walk)
		return 0;
	engine->next_walk = now + WALK_PERIOD;
	r = programs_walk(engine->programs, &seen, &count);
	if (!r)
		bcos_log_walked(&engine->log, seen, count, from, clock_now(CLOCK_BOOTTIME));
	return r == -ENOMEM ? 0 : r;
}

/*
 * State the host again if somebody has renamed it, and the wall clock if it was set without notice.
 * Return: was the wall clock set just now?  Then nothing is stated yet.
 */
static bool look_at_host(struct engine *engine)
{
	struct bcos_statements now;

	machine_statements(&now);
	if (machine_clock_was_set(engine->setting))
		return true;
	bcos_log_say(&engine->log, &now, clock_now(CLOCK_BOOTTIME));
	return false;
}

/* State the wall clock, which was set just now: nearly all that is merged was before that. */
static void state_clock(struct engine *engine)
{
	struct bcos_statements now;

	machine_statements(&now);
	bcos_log_clock_set(&engine->log, &now, pass_time);
}

/* Read the counters of the CPUs. Only this thread changes the model, so this function reads it without the lock. */
static void look_at_counters(struct engine *engine, u64 now)
{
	u32 cpu;

	if (!engine->counters.cpu)
		return;
	for (cpu = 0; cpu < engine->cpus; cpu++)
		engine->counted_core[cpu] = engine->log.model.cpus[cpu].online && engine_core(engine, cpu) ?
						    engine->cpu[cpu].core :
						    COUNTERS_OFFLINE;
	counters_look(&engine->counters, engine->counted_core, now);
}

static void merge_all(struct engine *engine)
{
	bool more, set;
	u64 now = clock_now(CLOCK_MONOTONIC);
	u32 cpu;

	if (now >= engine->next_estimate) {
		look_at_counters(engine, now);
		pthread_mutex_lock(&engine->lock);
		set = look_at_host(engine);
		pthread_mutex_unlock(&engine->lock);
	} else {
		set = machine_clock_was_set(engine->setting);
	}
	do {
		pthread_mutex_lock(&engine->lock);
		more = bcos_merge_pass(&engine->merge, pass_clock, PASS_UNITS);
		engine_keep_part(engine);
		pthread_mutex_unlock(&engine->lock);
	} while (more);
	for (cpu = 0; cpu < engine->cpus; cpu++)
		WRITE_ONCE(programs_cpu(engine->programs, cpu)->taken, engine->cpu[cpu].stage.taken);
	pthread_mutex_lock(&engine->lock);
	if (set)
		state_clock(engine);
	if (now >= engine->next_estimate) {
		engine->next_estimate = now + ESTIMATE_PERIOD;
		bcos_log_estimate(&engine->log, engine->merge.now);
	}
	engine->passes++;
	engine_keep_pass(engine);
	pthread_mutex_unlock(&engine->lock);
}

int engine_pass(struct engine *engine)
{
	u64 time;
	int r;

	/* The records of user space have the time of the previous reading, which was after the last pass had begun. */
	time = clock_now(CLOCK_BOOTTIME);
	if (engine->list_devices)
		hardware_list_again(&engine->hardware);
	hardware_read(&engine->hardware);
	engine->keep.lines_time = engine->kernel.since;
	kernel_log_read(&engine->kernel);
	engine_take_emitted(engine);
	r = engine->error ?: grace_wait(&engine->grace) ?: programs_drain(engine->programs, engine_take, engine) ?:
	    told_place(&engine->told, &engine->cpu->stream, sizeof(*engine->cpu), engine->cpus,
		       &engine->cpu[engine->cpus].stream);
	/*
	 * The last pass writes the records before @time, and so does each one that may become the last. Others state what
	 * has waited for a second.
	 */
	r = r ?: engine_write_unseen(engine, READ_ONCE(engine->ending) || engine->keep.on ? time : time - UNSEEN_WAIT);
	r = r ?: stage_all(engine, time);
	if (r)
		return r;
	pass_time = time;
	merge_all(engine);
	if (!engine->log.needs_walk || engine->log.seen)
		return 0;
	pthread_mutex_lock(&engine->lock);
	r = walk_again(engine);
	pthread_mutex_unlock(&engine->lock);
	return r;
}

/* ---- the beginning --------------------------------------------------------------- */

bool engine_core(struct engine *engine, u32 cpu)
{
	struct engine_cpu *own = &engine->cpu[cpu];

	if (!own->has_core)
		own->has_core = machine_core(cpu, &own->core);
	return own->has_core;
}

static u32 find_cpus(struct engine *engine, struct bcos_seen_cpu *found)
{
	u32 *online = calloc(engine->cpus, sizeof(*online)), count, i, kept = 0;

	if (!online)
		return 0;
	count = machine_online(online, engine->cpus);
	for (i = 0; i < count; i++) {
		if (online[i] < engine->cpus && engine_core(engine, online[i]))
			found[kept++] = (struct bcos_seen_cpu){ .cpu = online[i], .core = engine->cpu[online[i]].core };
	}
	free(online);
	return kept;
}

int engine_begin(struct engine *engine)
{
	struct bcos_seen_cpu *found = calloc(engine->cpus, sizeof(*found));
	struct bcos_seen *seen = NULL;
	u32 count, cpus, i;
	u64 from;
	int r;

	if (!found)
		return -ENOMEM;
	r = grace_wait(&engine->grace);
	hardware_scan(&engine->hardware);
	cpus = find_cpus(engine, found);
	if (!cpus)
		r = r ?: -ENOENT;
	/* A CPU that has gone offline meanwhile has nothing to record. */
	for (i = 0; i < cpus && !r && engine->options.classes & BCOS_CLASSES_SWITCHES; i++)
		programs_restate(engine->programs, found[i].cpu);
	from = clock_now(CLOCK_BOOTTIME);
	r = r ?: programs_walk(engine->programs, &seen, &count);
	/* The activity of this process is no news for readers, so that engine and readers do not wake each other. */
	engine->log.quiet[0] = programs_self(engine->programs);
	engine->log.quiets = 1;
	bcos_log_recorded(&engine->log, engine->options.classes & ~engine->unavailable);
	/* A setting of the clock before the log begins is no event of it: the log begins with what the clock shows then. */
	while (look_at_host(engine))
		;
	if (!r)
		r = bcos_log_prime(&engine->log, found, cpus, seen, count, from, clock_now(CLOCK_BOOTTIME));
	free(seen);
	free(found);
	return r ?: engine_pass(engine);
}

int engine_merge_rest(struct engine *engine)
{
	u64 horizon;
	u32 tries;
	int r = 0;

	/* A place that is empty twice belongs to a program that ended, so that all is read then. */
	for (tries = 0; tries < 3 && !r; tries++) {
		kernel_log_read(&engine->kernel);
		engine_take_emitted(engine);
		pass_time = clock_now(CLOCK_BOOTTIME);
		r = grace_wait(&engine->grace) ?: programs_drain(engine->programs, engine_take, engine) ?:
		    engine_write_unseen(engine, pass_time) ?: stage_all(engine, pass_time);
	}
	do {
		horizon = engine->merge.horizon;
		if (!r)
			bcos_merge_pass(&engine->merge, pass_clock, ~0u);
	} while (!r && engine->merge.horizon != horizon);
	return r;
}

int engine_go_on(struct engine *engine)
{
	engine->log.quiet[0] = programs_self(engine->programs);
	engine->log.quiets = 1;
	/* What the kernel announced meanwhile nobody heard. */
	engine->list_devices = true;
	return engine_pass(engine);
}
