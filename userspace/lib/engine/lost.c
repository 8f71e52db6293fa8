// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Statements of losses that occur although no ring is full. */
#include "core/format/loss_text.h"
#include "engine_log.h"
#include "host/linux.h"

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

/*
 * At most this many missed switches of a CPU are stated one by one in a second, so that a kernel which hides many of them
 * does not fill the log. Further ones are stated together.
 */
#define STATED_MAX 20
#define STATED_SPAN 1000000000ull

static int write_unseen(struct engine *engine, u32 cpu)
{
	struct engine_unseen *unseen = &engine->cpu[cpu].unseen;
	const char *what = engine->options.classes & BCOS_CLASS_STATE ?
				   "assignments or more, or task states: the kernel told of no switch" :
				   "assignments or more: the kernel told of no switch";
	struct loss loss;

	describe_loss(engine, &loss, cpu, unseen->count, what, unseen->since, unseen->until);
	unseen->count = 0;
	return stream_add(&engine->cpu[cpu].stream, (const struct bcos_unit *)&loss, loss.raw.units);
}

/* Return: true if a missed switch at @time may be stated by itself. */
static bool may_state(struct engine_unseen *unseen, u64 time)
{
	if (time - unseen->second >= STATED_SPAN) {
		unseen->second = time;
		unseen->stated = 0;
	}
	return unseen->stated++ < STATED_MAX;
}

/*
 * The process that leaves the CPU had got it at some time since the last switch that was seen, and other processes may
 * have had it before. So assignments are lost from that switch to this one, and nothing is known of this stretch; the
 * CPU is the process's at the time of @record, which the log says even if it was so before.
 */
int engine_unseen(struct engine *engine, u32 cpu, const struct bcos_raw *record)
{
	struct engine_cpu *own = &engine->cpu[cpu];
	struct {
		struct bcos_raw raw;
		struct bcos_raw_event event;
	} assigned;
	int r = 0;

	memset(&assigned, 0, sizeof(assigned));
	assigned.raw = (struct bcos_raw){ .time = record->time, .kind = BCOS_RAW_ASSIGN, .units = 2, .id = record->id };
	count_lost(engine, BCOS_LOST_NESTED, 1);
	/* Without a switch before, the time since the newest entry of the log is known to be unknown. */
	if (!own->unseen.count++)
		own->unseen.since = own->switched && own->switched < record->time ? own->switched :
				    engine->merge.horizon < record->time	  ? engine->merge.horizon :
										    record->time;
	own->unseen.until = record->time;
	if (may_state(&own->unseen, record->time))
		r = write_unseen(engine, cpu);
	return r ?: stream_add(&own->stream, (const struct bcos_unit *)&assigned, 2);
}

int engine_write_unseen(struct engine *engine, u64 before)
{
	u32 cpu;
	int r = 0;

	for (cpu = 0; cpu < engine->cpus && !r; cpu++)
		if (engine->cpu[cpu].unseen.count && engine->cpu[cpu].unseen.since < before)
			r = write_unseen(engine, cpu);
	return r;
}
