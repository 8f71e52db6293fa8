// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Idle states of CPUs and states of tasks, as generic events (5.3, 5.11). */
#include "core/format/phrase.h"
#include "core/write/emit.h"
#include "core/write/event.h"
#include "rules.h"

_Static_assert(BCOS_STATE_BLOCKED + BCOS_TASK_DEAD == BCOS_STATE_DEAD &&
	       BCOS_STATE_BLOCKED + BCOS_TASK_STATES == BCOS_STATES,
	       "the same states in the same order");

void bcos_states_idle(struct bcos_log *log, u32 number, const struct bcos_raw *raw)
{
	struct bcos_cpu *cpu = &log->model.cpus[number];
	const struct bcos_device *by;
	char text[100 + BCOS_DEVICE_NAME_MAX];
	int length;

	if (raw->id != BCOS_RAW_AWAKE) {
		cpu->idle_since = log->time;
		cpu->idle_state = raw->id;
		cpu->interrupted_by = BCOS_NO_DEVICE;
		return;
	}
	if (!cpu->idle_since)
		return;
	/*
	 * A CPU may also be woken by a timer or another CPU, without an interrupt of a device, and
	 * some CPUs are awake before the interrupt comes.
	 */
	by = NULL;
	if (cpu->interrupted_by != BCOS_NO_DEVICE)
		by = bcos_model_device(&log->model, cpu->interrupted_by);
	length = bcos_phrase_idle(text, sizeof(text), cpu->idle_state, log->time - cpu->idle_since,
				  by ? by->id : BCOS_MESSAGE_UNKNOWN, by ? by->name : NULL,
				  by ? by->name_length : 0);
	cpu->idle_since = 0;
	bcos_log_event(log, BCOS_GENERIC_CPU, number, log->time, log->time_precision,
		       BCOS_EVENT_IDLE, BCOS_SEVERITY_DEBUG, text, (size_t)length);
}

void bcos_states_task(struct bcos_log *log, const struct bcos_raw *raw)
{
	const struct bcos_raw_thread *thread = (const struct bcos_raw_thread *)(raw + 1);
	const struct bcos_process *process = bcos_model_process(&log->model, raw->id);
	/* The last threads of a process run for a while after its death. */
	u32 source = process && !process->hidden ? raw->id : BCOS_PROCESS_KERNEL;
	char text[80];
	int length;

	length = bcos_phrase_thread(text, sizeof(text), (u32)thread->id,
				    BCOS_STATE_BLOCKED + raw->aux);
	bcos_log_event(log, BCOS_GENERIC_PROCESS, source, log->time, log->time_precision,
		       BCOS_EVENT_TASK_STATE, BCOS_SEVERITY_DEBUG, text, (size_t)length);
}
