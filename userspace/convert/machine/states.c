// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Each state of a thread is an event whose text readers parse. */
#include "parts.h"

/* Bits of the state in which a thread leaves a CPU, by the kernel's numbers. */
#define STATE_SLEEPS 0x1u
#define STATE_SLEEPS_HARD 0x2u
#define STATE_STOPS 0xCu
/* From Linux 4.14 on: the thread waits as with STATE_SLEEPS_HARD, but does not count as load. */
#define STATE_IDLES 0x80u

int states_tell(struct log_writer *log, u64 time, u32 process, const struct bcos_thread_phrase *phrase)
{
	const struct moment when = { time, 0 };
	char text[128];
	int length = bcos_phrase_thread(text, sizeof(text), phrase);

	return log_event(log, when, BCOS_GENERIC_PROCESS, process, BCOS_EVENT_TASK_STATE, BCOS_SEVERITY_DEBUG, text,
			 (size_t)length);
}

int states_leave(struct log_writer *log, u64 time, const struct side *side, u64 state)
{
	struct bcos_thread_phrase phrase = { .thread = side->thread };

	if (state & (STATE_SLEEPS_HARD | STATE_IDLES))
		phrase.state = BCOS_STATE_BLOCKED_HARD;
	else if (state & STATE_SLEEPS)
		phrase.state = BCOS_STATE_BLOCKED;
	else if (state & STATE_STOPS)
		phrase.state = BCOS_STATE_STOPPED;
	else if (state & STATE_DEAD)
		phrase.state = BCOS_STATE_DEAD;
	else
		return 0;
	return side->told ? states_tell(log, time, side->process, &phrase) : 0;
}

int states_run(struct log_writer *log, u64 time, const struct side *side, u32 cpu, const s32 *priority)
{
	const struct bcos_thread_phrase phrase = {
		.thread = side->thread, .state = BCOS_STATE_RUNS, .has_cpu = true, .cpu = cpu,
		.has_priority = priority, .priority = priority ? *priority : 0,
	};

	return side->told ? states_tell(log, time, side->process, &phrase) : 0;
}
