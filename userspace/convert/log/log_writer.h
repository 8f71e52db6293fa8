/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Importers write a log with a log_writer. They tell it facts in any order of time, and it makes of them a log that
 * passes bcoslog check:
 * - The log begins with a complete group. A subject without a birth among the facts was there from the beginning.
 * - Entries are in the order of time. Facts of equal times are in the order in which they were told.
 * - Each subject has a name: the one that was told, else "?".
 * - A process that ends first leaves its CPUs to the kernel, and its devices are cancelled. A CPU that goes offline
 *   first becomes idle. A core goes offline after its CPUs.
 * - Names and texts are valid UTF-8 and fit into an entry. A transfer that does not fit into 32 bits is split.
 *
 * The log_writer keeps all facts until log_writer_end(), in bounded memory and a temporary file.
 *
 * Functions return 0 or a negative errno: -ENOMEM, which may also mean that all names take more than 1 GiB, or an errno
 * of the temporary file or of log_writer_options.put. After a failure all other calls fail with the same errno.
 */
#ifndef CONVERT_LOG_WRITER_H
#define CONVERT_LOG_WRITER_H

#include "bcoslog.h"
#include "core/host/user.h"
#include "../intake/guard.h"

struct log_writer;

/* When something happened: at some time from @time to @time + @precision. */
struct moment {
	u64 time;
	u32 precision;
};

/* The precision of the moment at which a subject began that was found later: at any time from the moment's time on. */
#define SINCE_BOOT 0xFFFFFFFFu

/**
 * struct log_writer_options - how a log is written
 * @put: called for each entry of the log; returns 0 or a negative errno
 * @context: passed to @put
 * @folder: folder of the temporary file; NULL: $TMPDIR or /tmp
 * @memory: bytes for sorting; 0: 64 MiB
 * @guard: bounds the entries, or NULL; after it has refused one, all calls fail with its error
 */
struct log_writer_options {
	int (*put)(void *context, const struct bcos_entry *entry);
	void *context;
	const char *folder;
	size_t memory;
	struct guard *guard;
};

/* Return: NULL if there is no memory. */
struct log_writer *log_writer_new(const struct log_writer_options *options);
void log_writer_free(struct log_writer *writer);
/* Writes the log. No fact may be told after it. */
int log_writer_end(struct log_writer *writer);
/* Returns the error of the first call that failed, or 0. */
int log_writer_error(const struct log_writer *writer);

/*
 * Returns how many facts were left out because no entry can state them: facts about process 0xFFFFFFFF, and ends of
 * process 0.
 */
u64 log_writer_dropped(const struct log_writer *writer);

/*
 * Returns how many facts were told, apart from statements of the log about itself, and from cores and CPUs that only
 * are there. If there are none, the input had nothing that becomes an entry.
 */
u64 log_writer_facts(const struct log_writer *writer);

/* ---- subjects that were there when the log began, or that began at an unknown time ---- */

/*
 * These functions tell of no event: their subjects become part of the first group, with @start as the moment of their
 * beginning. { 0, SINCE_BOOT } means that a subject began at some time before the log. A later call for a subject
 * replaces an earlier one.
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
 * These functions tell the name of a subject without saying when the subject began. A subject gets this name if an
 * event uses it, or ends it, and no event has named it.
 */
int log_name_process(struct log_writer *writer, u32 id, const char *name, size_t length);
int log_name_device(struct log_writer *writer, u32 id, u32 driver, const char *name, size_t length);

/* The ID of the process "unknown". */
#define PROCESS_UNKNOWN 0xFFFFFFFDu

/*
 * Gives a log the process "unknown", to which events belong whose process the recording does not tell; they are not the
 * kernel's. Returns its ID.
 */
u32 log_unknown_process(struct log_writer *writer);

/* ---- what happened --------------------------------------------------------- */

/* A process begins, or its name changes. */
int log_process(struct log_writer *writer, struct moment when, u32 id, const char *name, size_t length);
int log_process_end(struct log_writer *writer, struct moment when, u32 id, u32 status);
/*
 * Power is in units of 2 mW; 0: unknown. A table of performances that is too short for the CPUs of the core is extended
 * with zeros.
 */
int log_core_online(struct log_writer *writer, struct moment when, u32 id, u16 idle_power, u16 power_difference,
		    const u32 *performance, size_t performances);
int log_core_offline(struct log_writer *writer, struct moment when, u32 id);
int log_cpu_online(struct log_writer *writer, struct moment when, u32 id, u32 core);
int log_cpu_offline(struct log_writer *writer, struct moment when, u32 id);
/* @process: BCOS_PROCESS_KERNEL, BCOS_PROCESS_IDLE, or the ID of a process */
int log_assign(struct log_writer *writer, struct moment when, u32 cpu, u32 process);
/*
 * From @when on the source does not tell what the CPU runs, until the next log_assign() of this CPU, which the caller tells
 * later. Unless a log_loss() says so already, the log states a loss of assignments there.
 */
int log_unassign(struct log_writer *writer, struct moment when, u32 cpu);
int log_device(struct log_writer *writer, struct moment when, u32 id, u32 driver, const char *name, size_t length);
int log_device_end(struct log_writer *writer, struct moment when, u32 id, u32 status);
int log_input(struct log_writer *writer, struct moment when, u32 device, u64 bytes);
int log_output(struct log_writer *writer, struct moment when, u32 device, u64 bytes);
/* @number: the number of the interrupt within the device */
int log_irq(struct log_writer *writer, struct moment when, u32 device, u32 number);
/* An empty list of functions means that their numbers are not known. */
int log_calls(struct log_writer *writer, struct moment when, u32 process, const u32 *functions, size_t count);
/* @type: BCOS_GENERIC_*. Bit 31 is set in an event ID of a core, CPU or device that is not 0 and lacks that bit. */
int log_event(struct log_writer *writer, struct moment when, u16 type, u32 source, u32 event_id, u8 severity,
	      const char *text, size_t length);

/**
 * log_loss() - a source did not record everything
 * @writer: the log_writer
 * @when: the earliest time of a lost record
 * @until: the latest time of a lost record
 * @cpu: the CPU whose records were lost
 * @count: how many were lost
 * @what: the kind of records: "assignments", "interrupts", "transfers", "kernel calls" or "devices"; "events" is any
 *   kind
 * @why: the cause in a few words
 */
int log_loss(struct log_writer *writer, struct moment when, u64 until, u32 cpu, u64 count, const char *what,
	     const char *why);

/* ---- statements of the log about itself, of process 0 ------------------------ */

/* @utc: the time that the wall clock showed at @when, in ns since 1970 */
int log_wall_clock(struct log_writer *writer, struct moment when, u64 utc);
/*
 * @event_id: BCOS_EVENT_BOOT, _HOST, _KERNEL or _VERSION; @text: in the form that the uapi header gives for the event.
 * Or BCOS_EVENT_UNSPECIFIED, with any text about where the log comes from.
 */
int log_statement(struct log_writer *writer, struct moment when, u32 event_id, const char *text);

/* ---- whole entries ----------------------------------------------------------- */

/*
 * Writes an entry unchanged. Entries are in the order of these calls, and all other facts are ignored. This is for
 * formats that can hold a log byte for byte.
 */
int log_verbatim(struct log_writer *writer, const struct bcos_entry *entry);
/* Was log_verbatim() called? */
bool log_writer_is_verbatim(const struct log_writer *writer);

#endif
