/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Each entry of a log becomes an event of a trace, in the stream of its CPU. */
#ifndef CONVERT_CTF_WRITER_H
#define CONVERT_CTF_WRITER_H

#include "bcoslog.h"
#include "core/format/phrase.h"
#include "trace.h"

/* The messages that wait until the time of the first entry is known. */
#define CTF_GROUP_MAX (64u << 20)

/* A device; the numbers of its interrupts begin at 64 times its ordinal. */
struct ctf_device {
	struct node node;
	u32 ordinal;
};

/**
 * struct ctf_writer - a trace that is made of a log
 * @trace: of it
 * @folder: where it is written; the library makes it
 * @group: entries of before the first one that is neither historical nor a statement
 * @group_size: bytes of them
 * @group_room: for so many there is memory
 * @begun: the trace has begun
 * @dumping: the first group is being written
 * @now: time of the last entry that is not historical
 * @state: of the log, but for who has which CPU
 * @home: where events go that are of no CPU: the one that was heard of last
 * @waits: a birth waits for the entry after it, which may tell the parent
 * @birth: the entry that waits
 * @running: the CPU of each process that runs when the log begins, of struct ctf_device
 * @devices: of struct ctf_device
 * @ordinals: of devices so far
 * @skipped: entries of types that the specification does not define
 */
struct ctf_writer {
	struct ctf_trace trace;
	char *folder;
	u8 *group;
	size_t group_size, group_room;
	bool begun, dumping;
	u64 now;
	struct bcoslog_state *state;
	struct ctf_cpu *home;
	bool waits;
	u32 birth[BCOS_ENTRY_MAX / 4 + 1];
	struct table running, devices;
	u32 ordinals;
	u64 skipped;
};

/* Functions return 0 or a negative errno, with a reason in @trace.why, or empty if it is the errno's. */
int ctf_writer_begin(struct ctf_writer *writer, const char *folder);
int ctf_writer_entry(struct ctf_writer *writer, const struct bcos_entry *entry);
/* The log goes on after damage: nothing of before has to be true any more. */
int ctf_writer_forget(struct ctf_writer *writer);
int ctf_writer_end(struct ctf_writer *writer);
void ctf_writer_free(struct ctf_writer *writer);

/* ---- event.c ------------------------------------------------------------------------ */

/* An event whose time is now; of @cpu or, if that is NULL, of the one that was heard of last. */
int ctf_begin(struct ctf_writer *writer, struct ctf_event *event, struct ctf_cpu *cpu, enum ctf_layout_id layout,
	      const struct bcos_entry *entry);
/* An event of the number of the entry's source and, if it has one, of the number that follows. */
int ctf_put_numbers(struct ctf_writer *writer, struct ctf_cpu *cpu, enum ctf_layout_id layout,
		    const struct bcos_entry *entry, bool two);
/* The name of a process, or of the idle thread of a CPU. */
int ctf_put_comm(struct ctf_writer *writer, struct ctf_event *event, u32 cpu, u32 process);

/* ---- process.c ---------------------------------------------------------------------- */

int ctf_put_assign(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry);
/* @told: the entry after it, which tells the parent, or NULL */
int ctf_put_birth(struct ctf_writer *writer, const struct bcos_entry *entry, const struct bcos_entry *told);
int ctf_put_rename(struct ctf_writer *writer, const struct bcos_entry *entry);
int ctf_put_process_end(struct ctf_writer *writer, const struct bcos_entry *entry);
int ctf_put_calls(struct ctf_writer *writer, const struct bcos_entry *entry);
/* Also of cores, CPUs and devices. */
int ctf_put_generic(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry);

/* ---- thread.c ----------------------------------------------------------------------- */

/* A CPU goes to a process; @tells: what the switch says of the process, for whoever makes a log of it. */
int ctf_put_switch(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry, u32 process, s32 tells);
/* An event of a thread that is woken, which is the entry. */
int ctf_put_wakeup(struct ctf_writer *writer, const struct bcos_entry *entry, const struct bcos_thread_phrase *phrase);
/* A thread runs, or is about to leave its CPU; the entry is an event of its own. */
int ctf_tell_thread(struct ctf_writer *writer, const struct bcos_entry *entry, const struct bcos_thread_phrase *phrase);

/* ---- device.c ----------------------------------------------------------------------- */

int ctf_put_device(struct ctf_writer *writer, const struct bcos_entry *entry);
/* Input or output. */
int ctf_put_transfer(struct ctf_writer *writer, const struct bcos_entry *entry);
int ctf_put_irq(struct ctf_writer *writer, const struct bcos_entry *entry);

/* ---- dump.c: historical entries ------------------------------------------------- */

/* The number that the trace gives to an interrupt of a device. */
s32 ctf_irq(struct ctf_writer *writer, u32 device, u32 number);
/* A historical entry that says something new. */
int ctf_put_historical(struct ctf_writer *writer, const struct bcos_entry *entry);
/* An entry of a core that comes online, with its list. */
int ctf_put_core(struct ctf_writer *writer, struct ctf_event *event, const struct bcos_entry *entry);
/* Which CPU has each process when the log begins. */
int ctf_learn_running(struct ctf_writer *writer, const struct bcos_entry *entry);

#endif
