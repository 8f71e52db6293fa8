// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Gathers kernel calls into entries: see call.h. */
#include "core/rules/rules.h"
#include "core/write/emit.h"
#include "core/write/group.h"
#include "call.h"

/* An entry's precision has 32 bits. */
#define STRETCH_MAX 0xFFFFFFFFull

/*
 * Does @raw end the stretch of @process: does the CPU switch to another user process, or does the
 * process end or exec? A switch to the kernel does not end the stretch, since the process calls the
 * kernel.
 */
static bool ends_stretch(const struct bcos_raw *raw, u32 process)
{
	switch (raw->kind) {
	case BCOS_RAW_SWITCH:
		return raw->id != process && raw->id != BCOS_PROCESS_KERNEL;
	case BCOS_RAW_EXEC:
	case BCOS_RAW_EXIT:
	case BCOS_RAW_DEAD:
		return true;
	default:
		return false;
	}
}

/*
 * Returns the number of a call as the log has it: bit 31 marks the compat ABI, and
 * BCOS_FUNCTION_NONE in the other bits means that the call has no number.
 */
static u32 number_of(u16 aux)
{
	u32 number = aux & BCOS_RAW_NO_NUMBER;

	if (number == BCOS_RAW_NO_NUMBER)
		number = BCOS_FUNCTION_NONE;
	return number | (aux & BCOS_RAW_COMPAT ? BCOS_FUNCTION_COMPAT : 0);
}

/*
 * Gathers the numbers of calls from the tail of @source on, and raises *@last to the latest
 * possible time of the last call. Returns how many calls there are.
 */
static u32 gather_calls(struct bcos_source *source, struct bcos_timebase *timebase, u64 until,
			u32 *call, u64 *last)
{
	const struct bcos_raw *first = bcos_source_record(source, source->tail), *raw;
	u64 tail = source->tail, time, latest;
	u32 count = 0;

	for (; tail != source->head && count < BCOS_CALLS_MAX; tail += raw->units) {
		raw = bcos_source_record(source, tail);
		if (tail != source->tail && ends_stretch(raw, first->id))
			break;
		if (raw->kind != BCOS_RAW_API)
			continue;
		time = bcos_timebase_time(timebase, raw->time);
		if (raw->id != first->id ||
		    (count && (time >= until || time - source->time > STRETCH_MAX)))
			break;
		latest = bcos_latest(time, timebase->line.precision);
		if (*last < latest)
			*last = latest;
		call[count++] = number_of(raw->aux);
		source->gathered = tail + 1;
	}
	return count;
}

static void emit_calls(struct bcos_log *log, u32 process, const u32 *call, u32 count)
{
	u32 bytes = (u32)(sizeof(struct bcos_kernel_api) +
			  (log->hide_calls ? 0 : count * sizeof(*call)));
	struct bcos_kernel_api *entry;
	u32 source = bcos_log_speaker(log, process, 0);
	struct bcos_process *speaker = bcos_model_process(&log->model, source);

	if (!log->begun)
		return;
	if (speaker)
		bcos_emit_stated(log, speaker);
	entry = bcos_emit_open(log, bytes, BCOS_KERNEL_API, source, log->time, log->time_precision);
	if (!log->hide_calls)
		memcpy(entry->function, call, count * sizeof(*call));
	bcos_emit_close(log, bytes);
}

void bcos_call_apply(struct bcos_log *log, struct bcos_source *source,
		     struct bcos_timebase *timebase, u64 until, u32 *call)
{
	const struct bcos_raw *raw = bcos_source_record(source, source->tail);
	u64 last = bcos_latest(source->time, source->precision);
	u32 count;

	if (source->tail >= source->gathered) {
		bcos_log_begin_if_due(log, source->time);
		count = gather_calls(source, timebase, until, call, &last);
		bcos_log_at(log, source->time, bcos_reach(source->time, last));
		emit_calls(log, raw->id, call, count);
		log->interesting |= !bcos_log_is_quiet(log, raw->id);
		bcos_log_settle(log);
	}
	source->tail++;
}
