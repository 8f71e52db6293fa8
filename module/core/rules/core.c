// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Applies records about cores: frequency limits, by which Linux also throttles, and machine checks.
 */
#include "core/write/dropped.h"
#include "core/write/emit.h"
#include "core/write/event.h"
#include "rules.h"

/* Bits of IA32_MCi_STATUS. */
#define UNCORRECTED	(1ull << 61)
#define MISC_VALID	(1ull << 59)
#define ADDRESS_VALID	(1ull << 58)

/*
 * This also runs when a CPU comes online, since an engine may report the limits of a CPU before the
 * CPU's first record.
 */
void bcos_cores_write_limits(struct bcos_log *log, u32 number)
{
	const struct bcos_cpu *cpu = &log->model.cpus[number];
	struct bcos_core *core = cpu->core;
	char text[80];
	int length;

	/*
	 * Linux sets the limits of the CPUs of a core one after the other. Only the first of these
	 * changes the limits of the core.
	 */
	if (!log->begun || !cpu->most_khz ||
	    (core->least_khz == cpu->least_khz && core->most_khz == cpu->most_khz))
		return;
	core->least_khz = cpu->least_khz;
	core->most_khz = cpu->most_khz;
	length = host_format(text, sizeof(text), "frequency limits %u to %u kHz", core->least_khz,
			     core->most_khz);
	bcos_log_event(log, BCOS_GENERIC_CORE, core->id, log->time, log->time_precision, 0,
		       BCOS_SEVERITY_INFO, text, (size_t)length);
}

void bcos_cores_limits(struct bcos_log *log, const struct bcos_raw *raw)
{
	const struct bcos_raw_limits *limits = (const struct bcos_raw_limits *)(raw + 1);
	struct bcos_cpu *cpu;

	if (raw->id >= log->model.cpu_limit)
		return;
	cpu = &log->model.cpus[raw->id];
	/*
	 * CPUs of one core may have different limits, and Linux reports the same ones repeatedly.
	 * Each of these reports would seem to change the limits of the core.
	 */
	if (cpu->online && cpu->core->most_khz && cpu->least_khz == limits->least &&
	    cpu->most_khz == limits->most)
		return;
	cpu->least_khz = limits->least;
	cpu->most_khz = limits->most;
	if (cpu->online)
		bcos_cores_write_limits(log, raw->id);
}

void bcos_cores_check(struct bcos_log *log, u32 by, const struct bcos_raw *raw)
{
	const struct bcos_raw_check *check = (const struct bcos_raw_check *)(raw + 1);
	const struct bcos_model *model = &log->model;
	bool uncorrected = check->status & UNCORRECTED;
	/*
	 * Firmware may blame a CPU that is unknown or offline. The source is the reporting CPU's
	 * core then.
	 */
	u32 cpu = raw->id < model->cpu_limit && model->cpus[raw->id].online ? raw->id : by;
	char text[160];
	size_t length;

	if (!model->cpus[cpu].online)
		return bcos_log_stray(log);
	length = (size_t)host_format(text, sizeof(text),
				     "machine check on CPU %d, %s: bank %llu, status %#llx",
				     (int)raw->id, uncorrected ? "not corrected" : "corrected",
				     (unsigned long long)check->bank,
				     (unsigned long long)check->status);
	if (check->status & ADDRESS_VALID)
		length += (size_t)host_format(text + length, sizeof(text) - length,
					      ", address %#llx",
					      (unsigned long long)check->address);
	if (check->status & MISC_VALID)
		length += (size_t)host_format(text + length, sizeof(text) - length, ", misc %#llx",
					      (unsigned long long)check->misc);
	bcos_log_event(log, BCOS_GENERIC_CORE, model->cpus[cpu].core->id, log->time,
		       log->time_precision, 0,
		       uncorrected ? BCOS_SEVERITY_CRITICAL : BCOS_SEVERITY_ERROR, text, length);
}
