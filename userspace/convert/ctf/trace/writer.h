/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writes each entry of a log as an event of a trace, in the stream of its CPU. */
#ifndef CONVERT_CTF_WRITER_H
#define CONVERT_CTF_WRITER_H

#include "bcoslog.h"
#include "core/format/phrase.h"
#include "trace.h"

/* Bytes of entries that are held until the time of the first entry is known. */
#define CTF_GROUP_MAX (64u << 20)

/* A device. Its interrupts have the numbers from 64 times its ordinal on. */
struct ctf_device {
	struct node node;
	u32 ordinal;
};

/**
 * struct ctf_writer - a trace that is made from a log
 * @trace: the trace
 * @folder: path of the trace; the library makes the folder
 * @group: entries before the first one that is neither historical nor a statement
 * @group_size: bytes of these entries
 * @group_room: bytes that have memory
 * @begun: the trace has begun
 * @dumping: the first group is being written
 * @stated: a CPU has @stated
 * @now: time of the last entry that is not historical
 * @state: the state of the log, without assignments of CPUs
 * @home: the CPU that the last entry about a CPU named; its stream takes entries that name no CPU
 * @waits: the birth of a process waits for the next entry, which may tell the parent
 * @birth: the entry of that birth
 * @running: for each process that runs when the log begins, its CPU, in the ordinal of a struct ctf_device
 * @devices: a table of struct ctf_device
 * @ordinals: how many devices have an ordinal
 * @skipped: how many entries have a type that the specification does not define
 */
struct ctf_writer {
	struct ctf_trace trace;
	char *folder;
	u8 *group;
	size_t group_size, group_room;
	bool begun, dumping, stated;
	u64 now;
	struct bcoslog_state *state;
	struct ctf_cpu *home;
	bool waits;
	u32 birth[BCOS_ENTRY_MAX / 4 + 1];
	struct table running, devices;
	u32 ordinals;
	u64 skipped;
};

/*
 * These functions return 0 or a negative errno. The reason is in @trace.why; if that is empty, the errno is the reason.
 */
int ctf_writer_begin(struct ctf_writer *writer, const char *folder);
int ctf_writer_entry(struct ctf_writer *writer, const struct bcos_entry *entry);
/* The log goes on after damage, so nothing that was known has to be true any more. */
int ctf_writer_forget(struct ctf_writer *writer);
int ctf_writer_end(struct ctf_writer *writer);
void ctf_writer_free(struct ctf_writer *writer);

/* ---- event.c ------------------------------------------------------------------------ */

/* Begins an event for an entry, with the current time, in the stream of @cpu; NULL: in that of writer->home. */
int ctf_begin(struct ctf_writer *writer, struct ctf_event *event, struct ctf_cpu *cpu, enum ctf_layout_id layout,
	      const struct bcos_entry *entry);
/* Writes an event with the entry's source and, if @two is true, the number after the entry's header. */
int ctf_put_numbers(struct ctf_writer *writer, struct ctf_cpu *cpu, enum ctf_layout_id layout,
		    const struct bcos_entry *entry, bool two);
/* Puts the name of a process, or of the idle thread of a CPU. */
int ctf_put_comm(struct ctf_writer *writer, struct ctf_event *event, u32 cpu, u32 process);

/* ---- process.c ---------------------------------------------------------------------- */

int ctf_put_assign(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry);
/* @told: the entry after @entry if it tells the parent, or NULL */
int ctf_put_birth(struct ctf_writer *writer, const struct bcos_entry *entry, const struct bcos_entry *told);
int ctf_put_rename(struct ctf_writer *writer, const struct bcos_entry *entry);
int ctf_put_process_end(struct ctf_writer *writer, const struct bcos_entry *entry);
int ctf_put_calls(struct ctf_writer *writer, const struct bcos_entry *entry);
/* Writes a generic event of any subject. */
int ctf_put_generic(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry);

/* ---- thread.c ----------------------------------------------------------------------- */

/* The CPU switches to a process. @tells: the field bcos_process, from which an import restores the assignment. */
int ctf_put_switch(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry, u32 process,
		   s32 tells);
/* From @time on, or from the last event of the CPU on if that is later, nobody knows what the CPU runs. */
int ctf_lose_cpu(struct ctf_writer *writer, struct ctf_cpu *cpu, u64 time);
/* Writes the events of a thread that is woken. */
int ctf_put_wakeup(struct ctf_writer *writer, const struct bcos_entry *entry, const struct bcos_thread_phrase *phrase);
/* Notes that a thread runs, or is about to leave its CPU. The entry itself becomes a separate event. */
int ctf_tell_thread(struct ctf_writer *writer, const struct bcos_entry *entry, const struct bcos_thread_phrase *phrase);

/* ---- device.c ----------------------------------------------------------------------- */

int ctf_put_device(struct ctf_writer *writer, const struct bcos_entry *entry);
/* Writes an input or output. */
int ctf_put_transfer(struct ctf_writer *writer, const struct bcos_entry *entry);
int ctf_put_irq(struct ctf_writer *writer, const struct bcos_entry *entry);

/* ---- dump.c: historical entries ------------------------------------------------- */

/* Returns the number of an interrupt of a device in the trace. */
s32 ctf_irq(struct ctf_writer *writer, u32 device, u32 number);
/* Writes a historical entry that tells something new. */
int ctf_put_historical(struct ctf_writer *writer, const struct bcos_entry *entry);
/* Puts the fields of an entry about a core that comes online. */
int ctf_put_core(struct ctf_writer *writer, struct ctf_event *event, const struct bcos_entry *entry);
/* Learns from a historical entry which CPU each process has when the log begins. */
int ctf_learn_running(struct ctf_writer *writer, const struct bcos_entry *entry);

#endif
