/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Writes each entry of a log as an event of a trace of CTF 1.8. The trace is a folder with the metadata, which is text
 * that describes all events, and one stream of packets for each CPU.
 *
 * All functions here go on after a failure, without effect. The first one stays in @error and @why of the trace, where
 * the exporter finds it.
 */
#ifndef CONVERT_CTF_WRITE_H
#define CONVERT_CTF_WRITE_H

#include "../schema.h"
#include "bcoslog.h"
#include "core/format/phrase.h"
#include "state/chain.h"
#include "state/table.h"

/* ---- the trace ---------------------------------------------------------------------- */

/* What precedes the events in each packet. The metadata describes it. Sizes are in bits. */
struct ctf_packet_header {
	u32 magic;
	u8 uuid[16];
	u32 stream;
	u64 instance;
	u64 size, content;
	u64 begin, end;		/* nanoseconds since boot */
	u64 discarded;		/* events of the CPU that were lost until the end of this packet */
	u64 sequence;
	u32 cpu;
} __attribute__((packed));

/* What precedes the fields of each event. */
struct ctf_event_header {
	u16 layout;
	u64 time;
	u32 order, precision;
} __attribute__((packed));

/**
 * struct ctf_cpu - a CPU and its stream
 * @node: holds the CPU's ID
 * @known_link: its place in ctf_writer.known
 * @stated_link: its place in ctf_writer.stated
 * @packet: the open packet, if @used is not 0
 * @used: bytes of the packet so far, with its header
 * @room: bytes that @packet has room for
 * @begin: time at which the packet begins
 * @last: time of the CPU's last event
 * @written: bytes of the packets before
 * @sequence: how many packets there were before
 * @lossy: events were lost during the packet, which ends at @until
 * @lost: how many events were lost so far
 * @until: the latest time of a lost event
 * @known: the log has said which process has the CPU
 * @gone: while the log does not say it: the CPU was idle when it went offline
 * @stated: a group has stated that the CPU runs @stated_process, which holds from the next entry that is not historical
 *   on
 * @stated_process: see @stated
 * @process: the process that has the CPU
 * @owner: the process after which the thread that has the CPU is named: @process, or the one that this thread ends
 * @ended: the name of @owner if the log has cancelled it, else NULL
 * @ended_process: the process whose name @ended is
 * @state: prev_state of the switch that ends the turn of @process
 * @threaded: the log has said which thread of @process has the CPU
 * @thread: that thread
 * @priority: priority of @thread, by LTTng's numbers
 * @next_process: the process of @next_thread
 * @next_thread: the thread that runs when the CPU is assigned to @next_process; 0: the log has not said
 * @next_priority: priority of @next_thread
 */
struct ctf_cpu {
	struct node node;
	struct link known_link, stated_link;
	u8 *packet;
	size_t used, room;
	u64 begin, last, written, sequence;
	bool lossy;
	u64 lost, until;
	bool known, gone, stated;
	u32 stated_process, process, owner;
	char *ended;
	u32 ended_process;
	s32 state;
	bool threaded;
	u32 thread, next_process, next_thread;
	s32 priority, next_priority;
};

/* The environment of the trace. Its texts may be empty. */
struct ctf_environment {
	u64 wall;		/* the wall clock at time 0, in ns since 1970, below 2^63 - 1; or 0 */
	bool has_wall;
	char host[256], release[256], machine[64];
};

/* A field has at most this many bytes, unless it is a longer text or list. */
#define CTF_FIELD_ROOM 32u
/* An event has at most this many bytes without longer texts and lists. */
#define CTF_EVENT_MAX (sizeof(struct ctf_event_header) + (CTF_FIELDS_MAX + 1) * CTF_FIELD_ROOM)

/**
 * struct ctf_trace - a trace that is being written
 * @folder: descriptor of the trace's folder, or -1
 * @error: the first failure, as a negative errno, or 0
 * @why: the reason of that failure
 * @uuid: a random number that stands in the metadata and in each packet
 * @latest: the latest time that a trace can have
 * @order: number of the log's entry that is being written
 * @cpus: a table of struct ctf_cpu
 * @recent: the CPU that was asked for last, or NULL
 * @broken: stands for all CPUs after a failure; its packet is @scratch
 * @scratch: room for the fields of one event
 * @text: room for a text that is made valid UTF-8
 */
struct ctf_trace {
	int folder;
	int error;
	char why[128];
	u8 uuid[16];
	u64 latest;
	u32 order;
	struct table cpus;
	struct ctf_cpu *recent;
	struct ctf_cpu broken;
	u8 scratch[CTF_EVENT_MAX];
	char text[3 * 65536];
};

/* An event that is being written. @field is the next field of its layout. */
struct ctf_event {
	struct ctf_trace *trace;
	struct ctf_cpu *cpu;
	const struct ctf_field *field;
};

/* Makes the folder @path. */
void ctf_trace_begin(struct ctf_trace *trace, const char *path, const struct ctf_environment *environment);
/* Writes all open packets. */
void ctf_trace_end(struct ctf_trace *trace);
void ctf_trace_free(struct ctf_trace *trace);
/* Notes a failure, if it is the first one. @error is a negative errno. */
void ctf_trace_fail(struct ctf_trace *trace, int error, const char *what);
/* Likewise, for a file or folder that cannot be written. */
void ctf_trace_fail_write(struct ctf_trace *trace, int error);

/* Returns a CPU, which is added if it is new. */
struct ctf_cpu *ctf_trace_cpu(struct ctf_trace *trace, u32 id);
/* Calls @take for each CPU. */
void ctf_trace_each(struct ctf_trace *trace, void (*take)(void *context, struct ctf_cpu *cpu), void *context);
/* @count events of the CPU were lost between @time and @until. */
void ctf_trace_lost(struct ctf_trace *trace, struct ctf_cpu *cpu, u64 time, u64 until, u64 count);

/*
 * Begins an event of a CPU, whose fields the caller puts in the order of its layout. @time may not be before that of the
 * CPU's last event.
 */
struct ctf_event ctf_event_begin(struct ctf_trace *trace, struct ctf_cpu *cpu, enum ctf_layout_id layout, u64 time,
				 u32 precision);

/* How many bytes a number has, by its kind. */
extern const u8 ctf_widths[CTF_KINDS];

static inline void ctf_put(struct ctf_event *event, u64 value)
{
	struct ctf_cpu *cpu = event->cpu;

	memcpy(cpu->packet + cpu->used, &value, sizeof(value));
	cpu->used += ctf_widths[event->field++->kind];
}

static inline void ctf_put_signed(struct ctf_event *event, s64 value)
{
	ctf_put(event, (u64)value);
}

void ctf_put_text(struct ctf_event *event, const char *text, size_t length);
void ctf_put_list(struct ctf_event *event, const u32 *numbers, size_t count);

/* Writes the file of the metadata. */
void ctf_metadata_write(struct ctf_trace *trace, const struct ctf_environment *environment);

/* ---- the log ------------------------------------------------------------------------ */

/* The priority where the log tells none, by LTTng's numbers, which begin at the first one that is not real-time. */
#define CTF_PRIORITY 20

/* Bytes of entries that are held until the time of the first entry is known. */
#define CTF_GROUP_MAX (64u << 20)

/* A device. Its interrupts have the numbers from 64 times its ordinal on. */
struct ctf_device {
	struct node node;
	u32 ordinal;
};

/* Each switch has two names, so those that fit are kept as they stand in packets. A name of another process has size 0. */
#define CTF_COMMS 1024u

struct ctf_comm {
	u32 process, size;
	char text[CTF_FIELD_ROOM];
};

/**
 * struct ctf_writer - a trace that is made from a log
 * @trace: the trace
 * @folder: path of the trace's folder
 * @group: entries before the first one that is neither historical nor a statement
 * @group_size: bytes of these entries
 * @group_room: bytes that have memory
 * @begun: the trace has begun
 * @dumping: the first group is being written
 * @follows: the log has told of a state of a thread
 * @known: the CPUs that may have ctf_cpu.known
 * @stated: the CPUs that may have ctf_cpu.stated
 * @now: time of the last entry that is not historical
 * @state: the state of the log, without assignments of CPUs
 * @home: the CPU that the last entry about a CPU named; its stream takes entries that name no CPU
 * @waits: the birth of a process waits for the next entry, which may tell the parent
 * @birth: the entry of that birth
 * @running: for each process that runs when the log begins, its CPU, in the ordinal of a struct ctf_device
 * @threads: for each thread that is not the first of its process, that process, likewise
 * @endings: for each process whose last thread the log counts for the kernel, the CPU that this thread has, likewise
 * @turns: for each thread that runs, and each process with a thread that the log has not named, its CPU, likewise; it is
 *   kept once the log @follows threads, and may be out of date
 * @devices: a table of struct ctf_device
 * @ordinals: how many devices have an ordinal
 * @comms: names of processes, by the process modulo CTF_COMMS
 * @skipped: how many entries have a type that the specification does not define
 */
struct ctf_writer {
	struct ctf_trace trace;
	char *folder;
	u8 *group;
	size_t group_size, group_room;
	bool begun, dumping, follows;
	struct chain known, stated;
	u64 now;
	struct bcoslog_state *state;
	struct ctf_cpu *home;
	bool waits;
	u32 birth[BCOS_ENTRY_MAX / 4 + 1];
	struct table running, threads, endings, turns, devices;
	u32 ordinals;
	struct ctf_comm comms[CTF_COMMS];
	u64 skipped;
};

/* These return 0 or the negative errno in @trace.error. */
int ctf_writer_begin(struct ctf_writer *writer, const char *folder);
int ctf_writer_entry(struct ctf_writer *writer, const struct bcos_entry *entry);
/* The log goes on after damage, so nothing that was known has to be true any more. */
int ctf_writer_forget(struct ctf_writer *writer);
int ctf_writer_end(struct ctf_writer *writer);
void ctf_writer_free(struct ctf_writer *writer);

/* ---- event.c ------------------------------------------------------------------------ */

/* Begins an event for an entry, with the current time, in the stream of @cpu; NULL: in that of writer->home. */
struct ctf_event ctf_begin(struct ctf_writer *writer, struct ctf_cpu *cpu, enum ctf_layout_id layout,
			   const struct bcos_entry *entry);
/* Writes an entry of any type as the event of its type in ctf_type_layouts, which is not one of LTTng's. */
void ctf_put_fields(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry);
/* Puts the name of a process, or of the idle thread of a CPU. */
void ctf_put_comm(struct ctf_writer *writer, struct ctf_event *event, u32 cpu, u32 process);
/* The name of a process has changed. */
void ctf_forget_comm(struct ctf_writer *writer, u32 process);
/* Returns the number of an interrupt of a device in the trace. */
s32 ctf_irq(struct ctf_writer *writer, u32 device, u32 number);

/* ---- process.c ---------------------------------------------------------------------- */

void ctf_put_assign(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry);
/* @told: the entry after @entry if it tells the parent, or NULL */
void ctf_put_birth(struct ctf_writer *writer, const struct bcos_entry *entry, const struct bcos_entry *told);
void ctf_put_process_end(struct ctf_writer *writer, const struct bcos_entry *entry);
/* Writes a generic event of any subject. */
void ctf_put_generic(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry);

/* ---- thread.c ----------------------------------------------------------------------- */

/* The CPU switches to a process. @tells: the field bcos_process, from which an import restores the assignment. */
void ctf_put_switch(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry, u32 process,
		    s32 tells);
/* From @time on, or from the last event of the CPU on if that is later, nobody knows what the CPU runs. */
void ctf_lose_cpu(struct ctf_writer *writer, struct ctf_cpu *cpu, u64 time);
/* Writes the events of a thread that is woken. */
void ctf_put_wakeup(struct ctf_writer *writer, const struct bcos_entry *entry, const struct bcos_thread_phrase *phrase);
/* Notes that a thread runs, or is about to leave its CPU. The entry itself becomes a separate event. */
void ctf_tell_thread(struct ctf_writer *writer, const struct bcos_entry *entry,
		     const struct bcos_thread_phrase *phrase);

/* ---- ending.c: threads of processes that end ------------------------------------------ */

/* Notes a number of an ID in a table of struct ctf_device, instead of the one that it had. */
void ctf_note_number(struct ctf_writer *writer, struct table *table, u32 id, u32 number);
/* An entry tells of a thread of a process. */
void ctf_note_thread(struct ctf_writer *writer, u32 process, const struct bcos_thread_phrase *phrase);
/* Returns the process that a thread belongs to, for which the log counts it or, if it ends, has counted it before. */
u32 ctf_owner(const struct ctf_writer *writer, u32 process, u32 thread);
/* The CPU runs a thread of cpu->owner that the log counts for the kernel. */
void ctf_ending_runs(struct ctf_writer *writer, const struct ctf_cpu *cpu);
/* A process ends. Returns the CPU that its last thread still has, where it is freed when it leaves that; else NULL. */
struct ctf_cpu *ctf_ending_stays(struct ctf_writer *writer, const struct bcos_entry *entry);
/* The event of the switch with which a thread has left the CPU is written: frees the process that the thread has ended. */
void ctf_ending_left(struct ctf_writer *writer, struct ctf_cpu *cpu, u64 time, u32 precision);

/* ---- device.c ----------------------------------------------------------------------- */

/* Writes an input or output. */
void ctf_put_transfer(struct ctf_writer *writer, const struct bcos_entry *entry);
void ctf_put_irq(struct ctf_writer *writer, const struct bcos_entry *entry);

/* ---- dump.c: historical entries ------------------------------------------------- */

/* Writes a historical entry that tells something new. */
void ctf_put_historical(struct ctf_writer *writer, const struct bcos_entry *entry);
/* Learns from a historical entry which CPU each process has when the log begins. */
void ctf_learn_running(struct ctf_writer *writer, const struct bcos_entry *entry);

#endif
