/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Importers write a log by this. They tell facts in any order of time, and the log_writer makes a log of them that
 * passes bcoslog check:
 * - it begins with a complete group: whatever is first heard of without its birth was there from the beginning
 * - entries are in the order of time; facts of equal times are in the order in which they were told
 * - whatever is used has a name: the one that was told, else "?"
 * - a process that ends leaves its CPUs to the kernel first, and its devices are cancelled; a CPU that goes offline
 *   becomes idle first; a core goes offline after its CPUs
 * - names and texts are valid UTF-8 and fit into an entry; a transfer that does not fit into 32 bits is split
 *
 * All facts are kept until log_writer_end(), in bounded memory and a temporary file.
 *
 * Functions return 0 or a negative errno: -ENOMEM, also if all names take more than 1 GiB, or an errno of the temporary
 * file or of what takes the log. After a failure all other calls fail likewise.
 */
#ifndef CONVERT_LOG_WRITER_H
#define CONVERT_LOG_WRITER_H

#include "bcoslog.h"
#include "core/host/user.h"

struct log_writer;

/* When something happened: at some time from @time to @time + @precision. */
struct moment {
	u64 time;
	u32 precision;
};

/* The precision of whatever began at an unknown time before it was found. */
#define SINCE_BOOT 0xFFFFFFFFu

/**
 * struct log_writer_options - how a log is written
 * @put: takes each entry of the log; returns 0 or a negative errno
 * @context: for @put
 * @folder: where the temporary file goes; NULL: $TMPDIR or /tmp
 * @memory: for sorting, bytes; 0: 64 MiB
 */
struct log_writer_options {
	int (*put)(void *context, const struct bcos_entry *entry);
	void *context;
	const char *folder;
	size_t memory;
};

/* Return: NULL if there is no memory. */
struct log_writer *log_writer_new(const struct log_writer_options *options);
void log_writer_free(struct log_writer *writer);
/* Writes the log. Nothing is told later. */
int log_writer_end(struct log_writer *writer);
/* Returns the error of the first call that failed, or 0. */
int log_writer_error(const struct log_writer *writer);

/* How many facts were left out because no entry can say them: about process 0xFFFFFFFF, or ends of process 0. */
u64 log_writer_dropped(const struct log_writer *writer);

/* ---- what was there when the log began, or of which nobody knows when it began ---- */

/*
 * These tell no event: their subjects are part of the first group, and began at @start. { 0, SINCE_BOOT } is the moment
 * of what began at some time before the log. A later call for the same subject replaces an earlier one.
 */
int log_known_process(struct log_writer *writer, struct moment start, u32 id, const char *name, size_t length);
int log_known_core(struct log_writer *writer, struct moment start, u32 id, u16 idle_power, u16 power_difference,
		   const u32 *performance, size_t performances);
int log_known_cpu(struct log_writer *writer, struct moment start, u32 id, u32 core);
int log_known_device(struct log_writer *writer, struct moment start, u32 id, u32 driver, const char *name,
		     size_t length);
/* The CPU had been assigned to the process since @start. */
int log_known_assign(struct log_writer *writer, struct moment start, u32 cpu, u32 process);

/*
 * These tell a name, and not when its bearer began: it is the name of a bearer that is used, or ends, without having
 * been named.
 */
int log_name_process(struct log_writer *writer, u32 id, const char *name, size_t length);
int log_name_device(struct log_writer *writer, u32 id, u32 driver, const char *name, size_t length);

/* ---- what happened --------------------------------------------------------- */

/* A process begins, or its name changes. */
int log_process(struct log_writer *writer, struct moment when, u32 id, const char *name, size_t length);
int log_process_end(struct log_writer *writer, struct moment when, u32 id, u32 status);
/* Power is in 2 mW units, 0: unknown. The table is extended where it is too short for the CPUs of the core. */
int log_core_online(struct log_writer *writer, struct moment when, u32 id, u16 idle_power, u16 power_difference,
		    const u32 *performance, size_t performances);
int log_core_offline(struct log_writer *writer, struct moment when, u32 id);
int log_cpu_online(struct log_writer *writer, struct moment when, u32 id, u32 core);
int log_cpu_offline(struct log_writer *writer, struct moment when, u32 id);
/* @process: BCOS_PROCESS_KERNEL, BCOS_PROCESS_IDLE, or a process */
int log_assign(struct log_writer *writer, struct moment when, u32 cpu, u32 process);
int log_device(struct log_writer *writer, struct moment when, u32 id, u32 driver, const char *name, size_t length);
int log_device_end(struct log_writer *writer, struct moment when, u32 id, u32 status);
int log_input(struct log_writer *writer, struct moment when, u32 device, u64 bytes);
int log_output(struct log_writer *writer, struct moment when, u32 device, u64 bytes);
/* @number: of the interrupt within the device */
int log_irq(struct log_writer *writer, struct moment when, u32 device, u32 number);
/* No functions: the numbers are not known. */
int log_calls(struct log_writer *writer, struct moment when, u32 process, const u32 *functions, size_t count);
/* @type: BCOS_GENERIC_*. An ID of a core, CPU or device that is not 0 and has no bit 31 gets that bit. */
int log_event(struct log_writer *writer, struct moment when, u16 type, u32 source, u32 event_id, u8 severity,
	      const char *text, size_t length);

/**
 * log_loss() - a source did not record everything
 * @writer: the log_writer
 * @when: the earliest time of what is missing
 * @until: its latest time
 * @cpu: of which
 * @count: how much
 * @what: of what, as "assignments", "interrupts", "transfers", "kernel calls", "devices"; "events" is anything
 * @why: a few words
 */
int log_loss(struct log_writer *writer, struct moment when, u64 until, u32 cpu, u64 count, const char *what,
	     const char *why);

/* ---- statements of the log about itself, of process 0 ------------------------ */

/* @utc: ns since 1970, which the wall clock showed at @when */
int log_wall_clock(struct log_writer *writer, struct moment when, u64 utc);
/* @event_id: BCOS_EVENT_BOOT, _HOST, _KERNEL or _VERSION; @text as the uapi header says */
int log_statement(struct log_writer *writer, u32 event_id, const char *text);

/* ---- whole entries ----------------------------------------------------------- */

/* Tells what a well-formed entry says, by the functions above. A historical entry tells what is known. */
int log_entry(struct log_writer *writer, const struct bcos_entry *entry);

/*
 * Writes an entry as it is, in the order of these calls, and nothing else of what is told: for formats that can hold a
 * log byte for byte.
 */
int log_verbatim(struct log_writer *writer, const struct bcos_entry *entry);
/* Was log_verbatim() called? */
bool log_writer_is_verbatim(const struct log_writer *writer);

#endif
