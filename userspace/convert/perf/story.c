// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Wraps each record as an entry, sorts the entries by time, and interprets them in this order. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bytes/bytes.h"
#include "../eventheader/import.h"
#include "../machine/machine.h"
#include "../log/sorter.h"
#include "../log/temporary.h"
#include "story.h"

/* Memory for sorting, in bytes. */
#define MEMORY_MAX ((u64)64 << 20)

/* The type of a wrapped record, in the place of the type of an entry. */
enum happening { RECORD, RECORD_BIG, NAME, MAP, FORK, EXIT, LOST };

/* A record of a trace, in the form of an entry whose source is the CPU. */
struct wrapped {
	struct bcos_entry header;
	u32 pid, tid;
	u64 number;		/* the count of lost records, the ID of the parent, or the size of @bytes */
	u8 bytes[];
} BCOS_WIRE;

#define BYTES_MAX (BCOS_ENTRY_MAX - sizeof(struct wrapped) - 3)

struct story {
	const struct tracepoints *points;
	struct sorter *sorter;
	u64 dropped, damaged, count, first;
	bool begun;
	u32 room[BCOS_ENTRY_MAX / 4 + 1];
	/* These are set while the story is told. */
	struct log_writer *log;
	struct machine *machine;
	struct eventheader_origin origin;
	bool own;
};

struct story *story_new(const struct tracepoints *points, u64 size)
{
	struct story *story = calloc(1, sizeof(*story));
	u64 memory = size && size < MEMORY_MAX / 4 ? 4 * size : MEMORY_MAX;

	if (!story)
		return NULL;
	story->points = points;
	story->sorter = sorter_new(temporary_folder(), (size_t)memory);
	story->origin.state = bcoslog_state_new();
	if (story->sorter && story->origin.state)
		return story;
	story_free(story);
	return NULL;
}

void story_free(struct story *story)
{
	if (!story)
		return;
	sorter_free(story->sorter);
	bcoslog_state_free(story->origin.state);
	machine_free(story->machine);
	free(story);
}

static int add_happening(struct story *story, enum happening what, const struct occasion *when, u64 number,
			 const void *bytes, size_t size)
{
	struct wrapped *wrapped = (struct wrapped *)story->room;

	if (size > BYTES_MAX) {
		story->dropped++;
		return 0;
	}
	wrapped->header.size = (u16)((sizeof(*wrapped) + size + 3) & ~3u);
	wrapped->header.type = (u16)what;
	wrapped->header.source = when->cpu;
	wrapped->header.time = when->time;
	wrapped->header.precision = 0;
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
	return sorter_add(story->sorter, &wrapped->header);
}

int story_record(struct story *story, const struct occasion *when, const u8 *bytes, size_t size, bool big)
{
	if (size < 2 || !tracepoints_of(story->points, get16(bytes, big)))
		return 0;
	return add_happening(story, big ? RECORD_BIG : RECORD, when, size, bytes, size);
}

int story_name(struct story *story, const struct occasion *when, const char *name, size_t length)
{
	return add_happening(story, NAME, when, length, name, length);
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

static int tell_eventheader(struct story *story, const struct wrapped *wrapped, const struct tracepoint_record *record)
{
	const struct eventheader_occasion when = {
		.time = wrapped->header.time, .cpu = wrapped->header.source, .pid = wrapped->pid,
	};
	u32 offset = record->point->field[EVENTHEADER_FLAGS].offset;
	int r;

	if (offset > record->size || story->own != eventheader_is_own(&record->point->name))
		return 0;
	if (!story->own) {
		machine_thread(story->machine, wrapped->pid, wrapped->tid);
		machine_hear(story->machine, wrapped->tid);
	}
	r = eventheader_import(story->log, &story->origin, &record->point->name, &when, record->bytes + offset,
			       record->size - offset);
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
	if (story->own)
		return 0;
	if (wrapped->pid != 0xFFFFFFFF)
		machine_thread(story->machine, wrapped->pid, wrapped->tid);
	machine_record(story->machine, wrapped->header.time, wrapped->header.source, &record);
	return machine_error(story->machine);
}

/*
 * Interprets a wrapped record. If the trace is an export of bcoslog, only its EventHeader events are used, since they
 * tell everything.
 */
static int tell_entry(void *context, const struct bcos_entry *entry)
{
	const struct wrapped *wrapped = (const struct wrapped *)entry;
	struct story *story = context;
	u64 time = entry->time;

	if (entry->type <= RECORD_BIG)
		return tell_record(story, wrapped);
	if (story->own)
		return 0;
	switch (entry->type) {
	case NAME:
		machine_name(story->machine, time, wrapped->pid, wrapped->tid, (const char *)wrapped->bytes,
			     wrapped->number);
		break;
	case MAP:
		machine_map(story->machine, wrapped->pid, (const char *)wrapped->bytes, wrapped->number);
		break;
	case FORK:
		machine_fork(story->machine, time, wrapped->pid, wrapped->tid, (u32)wrapped->number);
		break;
	case EXIT:
		machine_exit(story->machine, time, wrapped->tid);
		break;
	case LOST:
		machine_lost(story->machine, time, entry->source, wrapped->number, "by the recorder");
		break;
	}
	return machine_error(story->machine);
}

static int state_event(struct story *story, u32 event, const char *text)
{
	const struct moment when = { story->first, 0 };

	return *text ? log_event(story->log, when, BCOS_GENERIC_PROCESS, BCOS_PROCESS_KERNEL, event, BCOS_SEVERITY_INFO,
				 text, strlen(text)) : 0;
}

static int tell_clock(struct story *story, const struct story_clock *clock)
{
	const struct moment when = { story->first, 0 };
	char text[256];
	int r = 0;

	snprintf(text, sizeof(text), "imported; times are of the recorder's clock %s: %s", clock->name, clock->is);
	if (clock->wall)
		r = log_wall_clock(story->log, when, clock->utc + (story->first - clock->time));
	r = r ? r : state_event(story, BCOS_EVENT_HOST, clock->host);
	r = r ? r : state_event(story, BCOS_EVENT_KERNEL, clock->kernel);
	return r ? r : state_event(story, BCOS_EVENT_UNSPECIFIED, text);
}

static int story_tell(struct story *story, struct log_writer *log, bool grouped, const struct story_clock *clock)
{
	int r = 0;

	story->log = log;
	story->own = tracepoints_own(story->points);
	story->origin.start = ~0ull;
	story->machine = machine_new(log, grouped);
	if (!story->machine)
		return -ENOMEM;
	if (story->begun && !story->own)
		r = tell_clock(story, clock);
	if (!r)
		r = sorter_each(story->sorter, tell_entry, story);
	machine_end(story->machine);
	return r ? r : machine_error(story->machine);
}

static void say_left_out(const char *path, u64 count, const char *what, const char *why)
{
	if (count)
		complain("%s: %llu %s%s %s %s, and %s left out", path, (unsigned long long)count, what,
			 count == 1 ? "" : "s", count == 1 ? "was" : "were", why, count == 1 ? "was" : "were");
}

int story_finish(struct story *story, const struct import *import, bool grouped, const struct story_clock *clock,
		 int damage)
{
	int r = story_tell(story, import->log, grouped, clock);

	say_left_out(import->path, story->dropped, "record", "too long for an entry");
	say_left_out(import->path, story->damaged, "EventHeader event", "damaged");
	if (r && r != -EINTR)
		complain("%s: %s", import->path, strerror(-r));
	return r ? r : damage;
}

int story_read_failed(const struct story *story, const struct import *import, int r, const char *reason)
{
	if (r == -EBADMSG)
		complain("%s: %s", import->path, reason);
	else if (r && r != -EINTR)
		complain("%s: %s", import->path, strerror(-r));
	/* If nothing could be read, there is no log to write. */
	return r == -EBADMSG && !story->count ? -EILSEQ : r;
}
