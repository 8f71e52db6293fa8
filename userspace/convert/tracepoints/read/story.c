// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Wraps each record as an entry, sorts the entries by time, and interprets them in this order. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../bytes.h"
#include "../../eventheader/read/read.h"
#include "../../machine/machine.h"
#include "../../log/sorter.h"
#include "../write/write.h"
#include "host/temporary.h"
#include "read.h"

/* Memory for sorting, in bytes. */
#define MEMORY_MAX ((u64)64 << 20)

/* The type of a wrapped record, in the place of the type of an entry. */
enum happening { RECORD, RECORD_BIG, NAME, RUMOUR, MAP, FORK, EXIT, LOST, LOST_SOMEWHERE };

/* A record of a trace, in the form of an entry whose source is the CPU. */
struct wrapped {
	struct bcos_entry header;
	u32 pid, tid;
	u64 number;		/* the count of lost records, the ID of the parent, or the size of @bytes */
	u8 bytes[];
} BCOS_WIRE;

#define BYTES_MAX (BCOS_ENTRY_MAX - sizeof(struct wrapped) - 3)

struct story {
	struct tracepoints *points;
	struct sorter *sorter;
	struct guard *guard;
	u64 dropped, damaged, homeless, count, first;
	bool begun;
	u32 room[BCOS_ENTRY_MAX / 4 + 1];
	/* These are set while the story is told. */
	struct log_writer *log;
	struct machine *machine;
};

struct story *story_new(struct tracepoints *points, struct input *input)
{
	struct story *story = calloc(1, sizeof(*story));
	u64 memory = input->size && input->size < MEMORY_MAX / 4 ? 4 * input->size : MEMORY_MAX;

	if (!story)
		return NULL;
	story->points = points;
	story->guard = input->guard;
	story->sorter = sorter_new(temporary_folder(), (size_t)memory);
	if (story->sorter)
		return story;
	story_free(story);
	return NULL;
}

void story_free(struct story *story)
{
	if (!story)
		return;
	sorter_free(story->sorter);
	machine_free(story->machine);
	free(story);
}

static int add_happening(struct story *story, enum happening what, const struct occasion *when, u64 number,
			 const void *bytes, size_t size)
{
	struct wrapped *wrapped = (struct wrapped *)story->room;
	int r;

	if (size > BYTES_MAX) {
		story->dropped++;
		return 0;
	}
	wrapped->header.size = (u16)((sizeof(*wrapped) + size + 3) & ~3u);
	wrapped->header.type = (u16)what;
	wrapped->header.source = when->cpu;
	wrapped->header.time = when->time;
	wrapped->header.precision = when->precision;
	wrapped->pid = when->pid;
	wrapped->tid = when->tid;
	wrapped->number = number;
	if (size)
		memcpy(wrapped->bytes, bytes, size);
	memset(wrapped->bytes + size, 0, wrapped->header.size - sizeof(*wrapped) - size);
	story->count++;
	/* The time of a thread that was there before the recording is 0. */
	if (when->time && (!story->begun || when->time < story->first)) {
		story->begun = true;
		story->first = when->time;
	}
	r = guard_tell(story->guard, wrapped->header.size);
	return r ? r : sorter_add(story->sorter, &wrapped->header);
}

int story_record(struct story *story, const struct occasion *when, const u8 *bytes, size_t size, bool big)
{
	const struct tracepoint *point = size < 2 ? NULL : tracepoints_of(story->points, get16(bytes, big));

	story->damaged += size < 2;
	if (!point)
		return size < 2 ? 0 : tracepoints_leave_out(story->points, get16(bytes, big));
	if (when->cpu == OCCASION_NO_CPU && point->kind != TRACEPOINT_EVENTHEADER) {
		story->homeless++;
		return 0;
	}
	return add_happening(story, big ? RECORD_BIG : RECORD, when, size, bytes, size);
}

int story_name(struct story *story, const struct occasion *when, const char *name, size_t length)
{
	return add_happening(story, NAME, when, length, name, length);
}

int story_rumour(struct story *story, u32 tid, const char *name, size_t length)
{
	const struct occasion when = { .tid = tid };
	int r = add_happening(story, RUMOUR, &when, length, name, length);

	/* This is nothing that would be worth a log. */
	story->count--;
	return r;
}

int story_map(struct story *story, const struct occasion *when, const char *file, size_t length)
{
	return add_happening(story, MAP, when, length, file, length);
}

int story_fork(struct story *story, const struct occasion *when, u32 parent)
{
	return add_happening(story, FORK, when, parent, NULL, 0);
}

int story_exit(struct story *story, const struct occasion *when)
{
	return add_happening(story, EXIT, when, 0, NULL, 0);
}

int story_lost(struct story *story, const struct occasion *when, u64 count)
{
	return add_happening(story, LOST, when, count, NULL, 0);
}

int story_lost_somewhere(struct story *story, const struct occasion *when, u64 count)
{
	return add_happening(story, LOST_SOMEWHERE, when, count, NULL, 0);
}

/*
 * Returns the process that @pid of a recording is in a log. A recording that was made from a log has its own numbers for the
 * kernel, and for an unknown process.
 */
static u32 log_pid(u32 pid)
{
	return pid == SWITCHES_KERNEL ? BCOS_PROCESS_KERNEL : pid == SWITCHES_UNKNOWN ? 0xFFFFFFFF : pid;
}

static int tell_eventheader(struct story *story, const struct wrapped *wrapped, const struct tracepoint_record *record)
{
	const struct eventheader_occasion when = {
		.time = wrapped->header.time, .cpu = wrapped->header.source, .pid = log_pid(wrapped->pid),
	};
	u32 offset = record->point->field[EVENTHEADER_FLAGS].offset;
	int r;

	if (offset > record->size) {
		story->damaged++;
		return 0;
	}
	machine_thread(story->machine, wrapped->pid, wrapped->tid);
	machine_hear(story->machine, wrapped->tid);
	r = eventheader_import(story->log, &record->point->name, &when, record->bytes + offset, record->size - offset);
	story->damaged += r == 1;
	return r < 0 ? r : machine_error(story->machine);
}

static int tell_record(struct story *story, const struct wrapped *wrapped)
{
	struct tracepoint_record record = {
		.bytes = wrapped->bytes, .size = wrapped->number, .big = wrapped->header.type == RECORD_BIG,
	};

	record.point = tracepoints_of(story->points, get16(record.bytes, record.big));
	if (record.point->kind == TRACEPOINT_EVENTHEADER)
		return tell_eventheader(story, wrapped, &record);
	if (wrapped->pid != 0xFFFFFFFF)
		machine_thread(story->machine, wrapped->pid, wrapped->tid);
	machine_record(story->machine, wrapped->header.time, wrapped->header.source, &record);
	return machine_error(story->machine);
}

/* Interprets a record of the recorder itself. */
static void tell_other(struct story *story, const struct wrapped *wrapped)
{
	const char *text = (const char *)wrapped->bytes;
	u64 time = wrapped->header.time;

	switch (wrapped->header.type) {
	case NAME:
		machine_name(story->machine, time, wrapped->pid, wrapped->tid, text, wrapped->number);
		break;
	case RUMOUR:
		machine_rumour(story->machine, wrapped->tid, text, wrapped->number);
		break;
	case MAP:
		machine_map(story->machine, wrapped->pid, text, wrapped->number);
		break;
	case FORK:
		machine_fork(story->machine, time, wrapped->pid, wrapped->tid, (u32)wrapped->number, NULL, 0);
		break;
	case EXIT:
		machine_exit(story->machine, time, wrapped->tid);
		break;
	case LOST:
		machine_lost(story->machine, time, wrapped->header.source, wrapped->number, "by the recorder");
		break;
	case LOST_SOMEWHERE:
		machine_lost_before_next(story->machine, wrapped->header.source, wrapped->number, "by the recorder");
		break;
	}
}

/* Interprets a wrapped record. */
static int tell_entry(void *context, const struct bcos_entry *entry)
{
	const struct wrapped *wrapped = (const struct wrapped *)entry;
	struct story *story = context;

	if (entry->type <= RECORD_BIG)
		return tell_record(story, wrapped);
	machine_imprecise(story->machine, entry->precision);
	tell_other(story, wrapped);
	machine_imprecise(story->machine, 0);
	return machine_error(story->machine);
}
static int tell_clock(struct story *story, const struct story_clock *clock)
{
	const struct moment when = { story->first, 0 };
	char text[256];
	int r = 0;

	snprintf(text, sizeof(text), "imported; times are of the recorder's clock %s: %s", clock->name, clock->is);
	if (!*clock->name)
		snprintf(text, sizeof(text), "imported; the recording does not name the clock of its times");
	if (clock->wall)
		r = log_wall_clock(story->log, when, clock->utc + (story->first - clock->time));
	if (!r && *clock->host)
		r = log_statement(story->log, when, BCOS_EVENT_HOST, clock->host);
	if (!r && *clock->kernel)
		r = log_statement(story->log, when, BCOS_EVENT_KERNEL, clock->kernel);
	return r ? r : log_statement(story->log, when, BCOS_EVENT_UNSPECIFIED, text);
}

static int story_tell(struct story *story, struct log_writer *log, bool grouped, const struct story_clock *clock)
{
	int r = 0;

	story->log = log;
	story->machine = machine_new(log, grouped);
	if (!story->machine)
		return -ENOMEM;
	machine_starts(story->machine, story->first);
	if (story->begun)
		r = tell_clock(story, clock);
	if (!r)
		r = sorter_each(story->sorter, tell_entry, story);
	machine_end(story->machine);
	return r ? r : machine_error(story->machine);
}

static void leave_out(struct story *story, struct left_out *left)
{
	left_out_add(left, "record", LEFT_OUT_TOO_LONG, story->dropped);
	left_out_add(left, "EventHeader event or record", LEFT_OUT_DAMAGED, story->damaged);
	left_out_add(left, "sample without a CPU", "it is unknown which CPU they are about", story->homeless);
	tracepoints_left_out(story->points, left);
	if (story->machine)
		machine_left_out(story->machine, left);
}

int story_finish(struct story *story, struct import *import, bool grouped, const struct story_clock *clock,
		 int damage)
{
	int r = story_tell(story, import->log, grouped, clock);

	leave_out(story, &import->left);
	if (r && !guard_error(story->guard))
		complain("%s: %s", import->path, strerror(-r));
	return r ? r : damage;
}

int story_read_failed(const struct story *story, const struct import *import, int r, const char *reason)
{
	/* The caller says what the guard has refused. */
	if (guard_error(import->input->guard))
		return guard_error(import->input->guard);
	if (r == -EBADMSG || r == -ENOTSUP)
		complain("%s: %s", import->path, reason);
	else if (r && r != -EINTR)
		complain("%s: %s", import->path, strerror(-r));
	/* If nothing could be read, there is no log to write. */
	return r == -EBADMSG && !story->count ? -EILSEQ : r;
}
