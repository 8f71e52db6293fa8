// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lets CPUs and cores come online, go offline, and run processes, in the model and in the log. */
#include "core/capture/hook.h"
#include "core/model/core.h"
#include "core/model/process.h"
#include "core/write/dropped.h"
#include "core/write/emit.h"
#include "core/write/group.h"
#include "rules.h"
#include "shortcut.h"

static u64 core_size(const struct bcos_core *core)
{
	return sizeof(struct bcos_core_online) + core->present * sizeof(u32);
}

/*
 * Counts one more online CPU of @core. Returns true if the core has just come online, or its
 * performance table has become larger.
 */
static bool core_gains(struct bcos_model *model, struct bcos_core *core)
{
	bool first = !core->online, larger = core->online == core->present;

	if (!first)
		model->core_bytes -= core_size(core);
	else
		model->core_count++;
	core->online++;
	if (larger)
		core->present++;
	model->core_bytes += core_size(core);
	return first || larger;
}

/*
 * Asks the host for the estimate of a core, to which @cpu belongs. Returns true if the estimate
 * changed.
 */
static bool estimate_core(struct bcos_model *model, struct bcos_core *core, u32 cpu)
{
	struct bcos_estimate now = { 0 };

	if (model->heap.host->estimate)
		model->heap.host->estimate(model->heap.context, cpu, &now);
	if (!memcmp(&now, &core->estimate, sizeof(now)))
		return false;
	core->estimate = now;
	return true;
}

void bcos_log_estimate(struct bcos_log *log, u64 now)
{
	struct bcos_model *model = &log->model;
	struct bcos_core *core;
	u32 number;

	/* The estimates changed at some time since the newest record. */
	bcos_log_at(log, log->time,
		    bcos_precision(log->precision, now > log->time ? now - log->time : 0));
	for (number = 0; number < model->cpu_limit; number++) {
		core = model->cpus[number].core;
		/* Each core is looked at once, when its first online CPU is found. */
		if (!model->cpus[number].online || core->estimated == model->estimates + 1)
			continue;
		core->estimated = model->estimates + 1;
		if (estimate_core(model, core, number) && log->begun)
			bcos_emit_core(log, core, BCOS_CORE_ONLINE, log->time, log->time_precision);
	}
	model->estimates++;
	bcos_log_settle(log);
}

struct bcos_cpu *bcos_cpu_up(struct bcos_log *log, u32 number)
{
	struct bcos_model *model = &log->model;
	struct bcos_cpu *cpu = &model->cpus[number];
	struct bcos_core *core;
	bool changed;

	if (likely(cpu->online))
		return cpu;
	core = bcos_model_core(model, model->heap.host->core_of(model->heap.context, number));
	if (!core) {
		bcos_log_starved(log);
		return NULL;
	}
	if (!core->online) {
		core->start = log->time;
		core->precision = log->time_precision;
	}
	changed = estimate_core(model, core, number);
	changed |= core_gains(model, core);
	if (changed && log->begun)
		bcos_emit_core(log, core, BCOS_CORE_ONLINE, log->time, log->time_precision);
	cpu->online = true;
	cpu->assigned = false;
	cpu->core = core;
	cpu->start = log->time;
	cpu->precision = log->time_precision;
	cpu->actual = BCOS_PROCESS_IDLE;
	cpu->holder = NULL;
	model->cpus_online++;
	if (log->begun)
		bcos_emit_word(log, BCOS_CPU_ONLINE, number, core->id, log->time,
			       log->time_precision);
	/* A CPU comes online in its idle task. */
	bcos_cpu_assign(log, number, BCOS_PROCESS_IDLE);
	bcos_cores_write_limits(log, number);
	return cpu;
}

void bcos_cpu_down(struct bcos_log *log, u32 number)
{
	struct bcos_model *model = &log->model;
	struct bcos_cpu *cpu = &model->cpus[number];
	struct bcos_core *core = cpu->core;

	if (!cpu->online)
		return;
	bcos_cpu_assign(log, number, BCOS_PROCESS_IDLE);
	/* A CPU must be idle before it goes offline, even if assignments are not recorded. */
	if (!(log->mask & BCOS_CLASSES_SWITCHES) && log->begun)
		bcos_emit_word(log, BCOS_ASSIGN_CPU, number, BCOS_PROCESS_IDLE, log->time,
			       log->time_precision);
	cpu->online = false;
	cpu->assigned = false;
	cpu->start = log->time;
	/* The limits may differ when the CPU comes back. */
	cpu->least_khz = 0;
	cpu->most_khz = 0;
	model->cpus_online--;
	model->core_bytes -= core_size(core);
	core->online--;
	if (core->online)
		model->core_bytes += core_size(core);
	else
		model->core_count--;
	if (!log->begun)
		return;
	bcos_emit_bare(log, BCOS_CPU_OFFLINE, number);
	if (!core->online)
		bcos_emit_bare(log, BCOS_CORE_OFFLINE, core->id);
}

/*
 * Returns the process that the log shows for the ID in a record: the kernel for a hidden or unknown
 * process, NULL for idle.
 */
static struct bcos_process *shown_process(struct bcos_log *log, u32 id)
{
	struct bcos_process *process;

	if (id == BCOS_PROCESS_IDLE)
		return NULL;
	process = bcos_model_process(&log->model, id);
	if (process && !process->hidden)
		return process;
	if (!process)
		bcos_log_unnamed(log);
	return log->model.kernel;
}

static void show_process(struct bcos_log *log, u32 number, struct bcos_process *process)
{
	struct bcos_cpu *cpu = &log->model.cpus[number];
	bool ready = !process || bcos_is_ready(log, process);

	if (!(log->mask & BCOS_CLASSES_SWITCHES))
		return;
	if (unlikely(!ready))
		bcos_model_ran(&log->model, process);
	if (!cpu->assigned || cpu->holder != process) {
		cpu->assigned = true;
		bcos_model_hold(cpu, process, process ? process->id : BCOS_PROCESS_IDLE, log->time,
				log->time_precision);
		if (!log->begun)
			return;
		if (unlikely(!ready))
			bcos_emit_stated(log, process);
		bcos_emit_word(log, BCOS_ASSIGN_CPU, number, cpu->process, log->time,
			       log->time_precision);
	}
	if (unlikely(!ready) && bcos_is_stated(log, process->stated))
		process->ready = log->ring.now.group.offset;
}

void bcos_cpu_assign(struct bcos_log *log, u32 number, u32 id)
{
	log->model.cpus[number].actual = id;
	show_process(log, number, shown_process(log, id));
}

void bcos_cpu_reveal(struct bcos_log *log, struct bcos_process *process)
{
	struct bcos_model *model = &log->model;
	u32 number;

	if (process->hidden)
		return;
	for (number = 0; number < model->cpu_limit; number++)
		if (model->cpus[number].online && model->cpus[number].actual == process->id)
			show_process(log, number, process);
}

/*
 * Is the process the one that the CPU runs? For a hidden process the log shows the kernel, so this
 * looks at the ID in the records.
 */
static bool runs_process(const struct bcos_cpu *cpu, const struct bcos_process *process)
{
	if (likely(!process->hidden))
		return cpu->holder == process;
	return cpu->online && cpu->actual == process->id;
}

/* Assigns a CPU to the kernel if the CPU runs @process. */
static __always_inline void release_cpu(struct bcos_log *log, u32 number,
					const struct bcos_process *process)
{
	struct bcos_process *kernel = log->model.kernel;
	struct bcos_cpu *cpu = &log->model.cpus[number];

	if (!runs_process(cpu, process))
		return;
	if (unlikely(!log->begun || !cpu->assigned || !bcos_is_ready(log, kernel) ||
		     !bcos_shortcut_assign(log, cpu, log->time, log->time_precision,
					   BCOS_PROCESS_KERNEL, kernel)))
		bcos_cpu_assign(log, number, BCOS_PROCESS_KERNEL);
}

/* This is not inlined, since most processes die on the only CPU that runs them. */
static noinline void release_all(struct bcos_log *log, const struct bcos_process *process)
{
	u32 number;

	for (number = 0; (process->cpus || process->hidden) && number < log->model.cpu_limit;
	     number++)
		release_cpu(log, number, process);
}

void bcos_cpu_release(struct bcos_log *log, struct bcos_process *process, u32 first)
{
	release_cpu(log, first, process);
	if (unlikely(process->cpus || process->hidden))
		release_all(log, process);
}

int bcos_cpu_prime(struct bcos_log *log, const struct bcos_seen_cpu *seen, u32 count, u64 now)
{
	struct bcos_model *model = &log->model;
	struct bcos_core *core;
	struct bcos_cpu *cpu;
	u32 i;

	for (i = 0; i < count; i++) {
		core = bcos_model_core(model, seen[i].core);
		if (!core)
			return -ENOMEM;
		cpu = &model->cpus[seen[i].cpu];
		/* The CPU came online at some unknown time since boot. */
		cpu->precision = bcos_precision(now, 0);
		core->precision = cpu->precision;
		core_gains(model, core);
		estimate_core(model, core, seen[i].cpu);
		cpu->online = true;
		cpu->core = core;
		cpu->actual = BCOS_PROCESS_IDLE;
		model->cpus_online++;
	}
	return 0;
}
