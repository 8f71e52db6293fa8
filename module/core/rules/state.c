// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes idle states of CPUs and states of threads as generic events (5.3, 5.11). */
#include "core/format/thread_text.h"
#include "core/write/event.h"
#include "rules.h"

#define SAME(name) ((int)BCOS_TASK_##name == (int)BCOS_STATE_##name)
_Static_assert(SAME(RUNS) && SAME(BLOCKED) && SAME(BLOCKED_HARD) && SAME(WOKEN) && SAME(STOPPED) &&
	       SAME(DEAD), "the same states");

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
	 * A timer or another CPU may have woken this one, without an interrupt of a device. Some
	 * CPUs are awake before the interrupt that wakes them is recorded.
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

/*
 * Sets the device of the interrupt line @number. A line that devices share, or that the log has no
 * device for, since the class irq is off, leaves the kind of the interrupt open.
 */
static void set_line(struct bcos_log *log, u32 number, struct bcos_thread_phrase *phrase)
{
	const struct bcos_line *line = bcos_model_line_first(&log->model, number);

	if (!line || !line->device || bcos_model_line_next(line)) {
		phrase->by = BCOS_WOKEN_BY_INTERRUPT;
		return;
	}
	phrase->device = line->device->id;
}

/* Sets the waker in @phrase. */
static void set_waker(struct bcos_log *log, u32 cpu, const struct bcos_raw *raw,
		      struct bcos_thread_phrase *phrase)
{
	const struct bcos_raw_thread *thread = (const struct bcos_raw_thread *)(raw + 1);

	phrase->by = (enum bcos_woken_by)BCOS_RAW_WAKER_OF(raw->aux);
	phrase->has_cpu = true;
	phrase->cpu = cpu;
	if (phrase->by == BCOS_WOKEN_BY_LINE)
		set_line(log, thread->waker, phrase);
	if (!bcos_names_waker(phrase->by))
		return;
	phrase->waker = bcos_thread_shown(log, thread->waker);
	phrase->waker_thread = thread->waker_thread;
}

/* Sets how and where the thread left its CPU. */
static void set_left(const struct bcos_raw *raw, struct bcos_thread_phrase *phrase)
{
	const struct bcos_raw_thread *thread = (const struct bcos_raw_thread *)(raw + 1);
	u32 number = thread->call & ~BCOS_RAW_COMPAT;

	switch (phrase->state) {
	case BCOS_TASK_TRACED:
		phrase->state = BCOS_STATE_STOPPED;
		phrase->stop = BCOS_STOP_TRACER;
		break;
	case BCOS_TASK_FROZEN:
		phrase->state = BCOS_STATE_STOPPED;
		phrase->stop = BCOS_STOP_FREEZER;
		break;
	case BCOS_TASK_HELD_BACK:
		phrase->state = BCOS_STATE_HELD_BACK;
		break;
	}
	phrase->io = raw->aux & BCOS_RAW_FOR_IO;
	phrase->place = (enum bcos_thread_place)BCOS_RAW_PLACE_OF(raw->aux);
	if (phrase->place != BCOS_PLACE_CALL)
		return;
	phrase->call = number < BCOS_THREAD_NO_CALL ? number : BCOS_THREAD_NO_CALL;
	if (thread->call & BCOS_RAW_COMPAT)
		phrase->call |= BCOS_FUNCTION_COMPAT;
}

void bcos_states_task(struct bcos_log *log, u32 cpu, const struct bcos_raw *raw)
{
	const struct bcos_raw_thread *thread = (const struct bcos_raw_thread *)(raw + 1);
	struct bcos_thread_phrase phrase = { .thread = thread->id,
					     .state = BCOS_RAW_STATE_OF(raw->aux) };

	if (phrase.state == BCOS_STATE_WOKEN) {
		set_waker(log, cpu, raw, &phrase);
		if (bcos_wakings_hold(log, raw->id, &phrase))
			return;
	} else if (phrase.state == BCOS_STATE_RUNS) {
		phrase.has_cpu = true;
		phrase.cpu = cpu;
		phrase.has_priority = true;
		phrase.priority = (s32)thread->priority;
		bcos_wakings_join(log, &phrase);
	} else {
		set_left(raw, &phrase);
		bcos_wakings_tell(log, phrase.thread);
		if (phrase.state == BCOS_STATE_DEAD)
			bcos_wakings_tell_of(log, phrase.thread);
	}
	/*
	 * The last threads of a process run for a while after the log shows its death, as the
	 * kernel's.
	 */
	bcos_thread_tell(log, raw->id, &phrase);
	if (phrase.state == BCOS_STATE_DEAD)
		bcos_threads_ended(log, raw->id, phrase.thread);
}
