// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Statements of losses that occur although no ring is full. */
#include "core/format/loss_text.h"
#include "engine_log.h"
#include "host/clock.h"

struct loss {
	struct bcos_raw raw;
	struct bcos_raw_event event;
	char text[120 + BCOS_LOSS_TEXT_END];
};

u32 engine_spokesman(const struct engine *engine)
{
	u32 cpu = bcos_log_spokesman(&engine->log);

	return cpu < engine->cpus ? cpu : engine->cpus - 1;
}

/* Return: a span as the precision of an entry, in which all ones stand for this value and all greater values. */
static u32 precision_of(u64 span)
{
	return span < 0xFFFFFFFFu ? (u32)span : 0xFFFFFFFFu;
}

/*
 * Create the record of a loss on @cpu between @begin and @end. The log may have entries that are newer than @begin
 * already: then the entry that states the loss comes after them, and its text says since when.
 */
static void describe_loss(const struct engine *engine, struct loss *loss, u32 cpu, u64 count, const char *what,
			  u64 begin, u64 end)
{
	u64 stated = begin < engine->merge.horizon ? engine->merge.horizon : begin;
	int length;

	memset(loss, 0, sizeof(*loss));
	length = bcos_loss_text_count(loss->text, 0, sizeof(loss->text), count, what);
	length = bcos_loss_text_end(loss->text, length, sizeof(loss->text), NULL, stated, begin, end);
	loss->event.length = (u16)length;
	loss->event.event_id = BCOS_EVENT_LOSS;
	loss->event.precision = precision_of(end > stated ? end - stated : 0);
	loss->raw.time = stated;
	loss->raw.kind = BCOS_RAW_EVENT;
	loss->raw.aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_CPU, BCOS_SEVERITY_ERROR);
	loss->raw.id = cpu;
	loss->raw.units = (u8)(2 + ((u32)length + sizeof(struct bcos_unit) - 1) / sizeof(struct bcos_unit));
}

static void count_lost(struct engine *engine, u32 reason, u64 count)
{
	pthread_mutex_lock(&engine->lock);
	engine->log.stats.lost[reason] += count;
	pthread_mutex_unlock(&engine->lock);
}

void engine_lost(void *context, u64 count, const char *what, u64 since)
{
	u64 now = clock_now(CLOCK_BOOTTIME);
	struct engine *engine = context;
	struct loss loss;

	describe_loss(engine, &loss, engine_spokesman(engine), count, what, since, now);
	engine_take_other(engine, (const struct bcos_unit *)&loss, loss.raw.units);
	count_lost(engine, BCOS_LOST_SOURCE, count);
}

/* The shortest interval in ns between two statements of missed switches of a CPU. */
#define STATE_PERIOD 1000000000ull

static int write_unseen(struct engine *engine, u32 cpu, u64 time, u64 end)
{
	struct engine_cpu *own = &engine->cpu[cpu];
	const char *what = engine->options.classes & BCOS_CLASS_STATE ?
				   "assignments or more, or task states: the kernel told of no switch" :
				   "assignments or more: the kernel told of no switch";
	struct loss loss;

	describe_loss(engine, &loss, cpu, own->unseen, what, own->unseen_since, end);
	/* The time of the loss is that of the missed switch which is stated with it. */
	if (loss.raw.time < time)
		loss.raw.time = time;
	own->unseen = 0;
	own->unseen_stated = time;
	return stream_add(&own->stream, (const struct bcos_unit *)&loss, loss.raw.units);
}

/*
 * The CPU was assigned to the process that leaves it, but it is unknown when, and whether the CPU executed other
 * processes before.  Therefore the log gets an assignment to this process whose precision reaches up to @record, and
 * states a loss.
 */
int engine_unseen(struct engine *engine, u32 cpu, const struct bcos_raw *record)
{
	struct engine_cpu *own = &engine->cpu[cpu];
	struct {
		struct bcos_raw raw;
		struct bcos_raw_event event;
	} assigned;
	u64 since = own->switched;
	int r = 0;

	/* The assignment comes after the entries that are already in the log. */
	if (since < engine->merge.horizon)
		since = engine->merge.horizon < record->time ? engine->merge.horizon : record->time;
	memset(&assigned, 0, sizeof(assigned));
	assigned.raw = (struct bcos_raw){ .time = since, .kind = BCOS_RAW_ASSIGN, .units = 2, .id = record->id };
	assigned.event.precision = precision_of(record->time - since);
	count_lost(engine, BCOS_LOST_NESTED, 1);
	if (!own->unseen++)
		own->unseen_since = since;
	/* The loss comes before the assignment, which makes the use of the CPU known again. */
	if (!own->unseen_stated || since - own->unseen_stated >= STATE_PERIOD)
		r = write_unseen(engine, cpu, since, record->time);
	return r ?: stream_add(&own->stream, (const struct bcos_unit *)&assigned, 2);
}

int engine_write_unseen(struct engine *engine, u64 time)
{
	u32 cpu;
	int r = 0;

	for (cpu = 0; cpu < engine->cpus && !r; cpu++)
		if (engine->cpu[cpu].unseen)
			r = write_unseen(engine, cpu, time, time);
	return r;
}
