// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The exporter that writes a log as a perf.data recording of user_events tracepoints of the provider "bcos". */
#include <errno.h>
#include <stdlib.h>

#include "../../carried/carried.h"
#include "../../eventheader/write/write.h"
#include "write.h"
#include "../../tracepoints/write/write.h"

/* The tracepoints of the scheduler, which follow those of the events. */
enum { SCHED_SWITCH, SCHED_WAKING, SCHED_WAKEUP, SCHED_POINTS };

struct own {
	struct encoder encoder;
	struct perf_writer writer;
	struct switches *switches;	/* NULL: the user does not want switches */
	u32 sched_points;		/* index of the first tracepoint of the scheduler */
	struct perf_point points[EVENT_POINTS + SCHED_POINTS];
	u64 time;		/* time of the newest event */
};

/* The fields that the kernel gives a tracepoint which was registered with EVENTHEADER_REGISTER. */
static const char event_fields[] =
	"\tfield:u8 eventheader_flags;\toffset:8;\tsize:1;\tsigned:0;\n"
	"\tfield:u8 version;\toffset:9;\tsize:1;\tsigned:0;\n"
	"\tfield:u16 id;\toffset:10;\tsize:2;\tsigned:0;\n"
	"\tfield:u16 tag;\toffset:12;\tsize:2;\tsigned:0;\n"
	"\tfield:u8 opcode;\toffset:14;\tsize:1;\tsigned:0;\n"
	"\tfield:u8 level;\toffset:15;\tsize:1;\tsigned:0;\n";
static const char event_print[] =
	"\"eventheader_flags=%u version=%u id=%u tag=%u opcode=%u level=%u\", REC->eventheader_flags, REC->version, "
	"REC->id, REC->tag, REC->opcode, REC->level";

/* Makes the head of a sample of @size bytes. @point is one of the tracepoints of the scheduler. */
static struct perf_sample_head sched_head(const struct own *own, const struct switches_place *place, u32 point,
					  size_t size)
{
	u32 index = own->sched_points + point;
	/* The kernel, the idle process and the unknown process have the same number as their thread. */
	u32 process = place->process && place->process < BCOSLOG_NO_PROCESS ? place->process : place->thread;

	return (struct perf_sample_head){
		.type = PERF_SAMPLE, .size = (u16)size, .id = index + 1, .pid = process, .tid = place->thread,
		.time = place->time, .cpu = place->cpu, .raw_size = (u32)size - PERF_BEFORE_RAW,
		.number = (u16)(PERF_POINT_FIRST + index), .common_pid = place->thread,
	};
}

static void put_switch(void *context, const struct switches_place *place, const struct switch_fields *told)
{
	struct own *own = context;
	struct {
		struct perf_sample_head head;
		struct switch_fields fields;
		u32 padding;
	} __attribute__((packed)) record = { .fields = *told };

	_Static_assert(!(sizeof(record) % 8), "records are whole words");
	record.head = sched_head(own, place, SCHED_SWITCH, sizeof(record));
	outfile_bytes(own->writer.file, &record, sizeof(record));
	perf_writer_go_on(&own->writer);
}

/* Writes both events of a wake-up. Readers use one of them; older readers only know the second one. */
static void put_wake(void *context, const struct switches_place *place, const struct wake_fields *told)
{
	struct own *own = context;
	struct {
		struct perf_sample_head head;
		struct wake_fields fields;
	} __attribute__((packed)) record = { .fields = *told };

	_Static_assert(!(sizeof(record) % 8), "records are whole words");
	record.head = sched_head(own, place, SCHED_WAKING, sizeof(record));
	record.head.flags = place->interrupt ? PERF_IN_HARDIRQ : 0;
	outfile_bytes(own->writer.file, &record, sizeof(record));
	record.head = sched_head(own, place, SCHED_WAKEUP, sizeof(record));
	record.head.flags = place->interrupt ? PERF_IN_HARDIRQ : 0;
	outfile_bytes(own->writer.file, &record, sizeof(record));
	perf_writer_go_on(&own->writer);
}

static void put_name(void *context, const struct switches_place *place, const char *name, size_t length)
{
	struct own *own = context;

	perf_writer_name(&own->writer, place->time, place->process, place->thread, name, length);
}

static void name_thread(struct own *own, u32 thread, const char *name)
{
	perf_writer_name(&own->writer, 0, thread, thread, name, strlen(name));
}

static int begin_export(struct export *export)
{
	static const struct switches_sinks sinks = { put_switch, put_wake, put_name };
	static const struct perf_point waking = WAKE_POINT("sched_waking"), wakeup = WAKE_POINT("sched_wakeup");
	struct own *own = calloc(1, sizeof(*own));
	size_t i, count;
	int r;

	if (!own || encoder_init(&own->encoder)) {
		free(own);
		complain("there is no memory");
		return -ENOMEM;
	}
	export->own = own;
	count = own->encoder.points_count;
	for (i = 0; i < count; i++)
		own->points[i] =
			(struct perf_point){"user_events", own->encoder.points[i].name, event_fields, event_print};
	if (convert_option(export->options, "switches")) {
		own->switches = switches_new(&sinks, own);
		if (!own->switches) {
			complain("there is no memory");
			return -ENOMEM;
		}
		own->sched_points = (u32)count;
		own->points[count++] = switches_point;
		own->points[count++] = waking;
		own->points[count++] = wakeup;
	}
	r = perf_writer_begin(&own->writer, &export->output->file, own->points, count);
	if (r)
		return r;
	name_thread(own, SWITCHES_KERNEL, "kernel");
	if (own->switches) {
		name_thread(own, SWITCHES_UNKNOWN, "unknown");
		name_thread(own, SWITCHES_INTERRUPT, "interrupt");
	}
	return 0;
}

static bool is_about(u16 type, u16 subject)
{
	return (type & BCOS_TYPE_SUBJECT_MASK) == subject;
}

/*
 * Returns the process that readers show for an event. Linux numbers the idle thread 0, so the kernel, to which the events
 * of no process belong, has another number.
 */
static u32 process_of(const struct bcos_entry *entry)
{
	u32 process = BCOS_PROCESS_KERNEL;

	if (is_about(entry->type, BCOS_SUBJECT_PROCESS))
		process = entry->source;
	else if ((entry->type & ~BCOS_TYPE_HISTORICAL) == BCOS_ASSIGN_CPU)
		process = ((const struct bcos_assign_cpu *)entry)->process;
	return process == BCOS_PROCESS_IDLE ? 0 : process == BCOS_PROCESS_KERNEL ? SWITCHES_KERNEL : process;
}

/* Writes the name of a process, for readers that show names of threads. */
static void tell_name(struct own *own, const struct bcos_entry *entry, u64 time)
{
	size_t length;
	const char *name = bcoslog_text(entry, &length);

	/* Readers would give the name of process 0 to the idle thread. The kernel has its name from the beginning. */
	if (name && entry->source != BCOS_PROCESS_KERNEL && is_about(entry->type, BCOS_SUBJECT_PROCESS) &&
	    !(entry->type & ~(BCOS_TYPE_SUBJECT_MASK | BCOS_TYPE_HISTORICAL)))
		perf_writer_name(&own->writer, time, entry->source, entry->source, name, length);
}

static int export_entry(struct export *export, const struct bcos_entry *entry)
{
	struct own *own = export->own;
	struct outfile *file = &export->output->file;
	size_t room = PERF_RECORD_MAX - sizeof(struct perf_sample_head), size;
	struct perf_sample_head *head;
	unsigned int point;

	/*
	 * A historical entry has an earlier time than the entries before it, so its event gets the time of the newest
	 * entry.
	 */
	if (!(entry->type & BCOS_TYPE_HISTORICAL) || entry->time > own->time)
		own->time = entry->time;
	if (unlikely(encoder_template(&own->encoder, entry->type)->activity))
		tell_name(own, entry, own->time);
	head = outfile_reserve(file, PERF_RECORD_MAX + EVENT_ROOM);
	size = encoder_event(&own->encoder, entry, (u8 *)(head + 1), room, &point);
	if (unlikely(!size)) {
		complain("there is no memory");
		return -ENOMEM;
	}
	memset((u8 *)(head + 1) + size, 0, 8);
	size = (sizeof(*head) + size + 7) & ~(size_t)7;
	head->type = PERF_SAMPLE;
	head->misc = 0;
	head->size = (u16)size;
	head->id = point + 1;
	head->pid = head->tid = head->common_pid = process_of(entry);
	head->time = own->time;
	head->cpu = is_about(entry->type, BCOS_SUBJECT_CPU) ? entry->source : 0;
	head->zero = 0;
	head->raw_size = (u32)size - PERF_BEFORE_RAW;
	head->number = (u16)(PERF_POINT_FIRST + point);
	head->flags = head->preempt_count = 0;
	outfile_commit(file, size);
	if (unlikely(bcoslog_is_missed(entry)))
		encoder_forget(&own->encoder);
	if (own->switches && switches_entry(own->switches, entry))
		return export_no_memory(export);
	perf_writer_go_on(&own->writer);
	return file->error ? -file->error : 0;
}

static int export_resumed(struct export *export)
{
	struct own *own = export->own;

	encoder_forget(&own->encoder);
	if (own->switches)
		switches_forget(own->switches);
	return 0;
}

static int end_export(struct export *export)
{
	struct own *own = export->own;
	u64 left_out;

	if (own->switches) {
		switches_end(own->switches);
		left_out = switches_left_out(own->switches);
		if (left_out)
			complain("%llu %s of CPUs above 65535 %s no switch", (unsigned long long)left_out,
				 left_out == 1 ? "assignment" : "assignments", left_out == 1 ? "is" : "are");
	}
	return perf_writer_end(&own->writer) ? : carrier_append(export);
}

static void release_export(struct export *export)
{
	struct own *own = export->own;

	if (own) {
		encoder_destroy(&own->encoder);
		switches_free(own->switches);
	}
	free(own);
}

static const struct convert_option options[] = {
	{ "switches", NULL,
	  "write also sched:sched_switch and sched:sched_waking, for perf sched" },
	CONVERT_CARRY_OPTIONS,
	{ NULL, NULL, NULL },
};

const struct exporter eventheader_exporter = {
	.name = "eventheader",
	.suffix = ".eventheader.data .perf.data",
	.help = "perf.data with EventHeader events of the provider bcos",
	.options = options,
	.carries = true,
	.begin = begin_export,
	.entry = export_entry,
	.resumed = export_resumed,
	.end = end_export,
	.free = release_export,
};
