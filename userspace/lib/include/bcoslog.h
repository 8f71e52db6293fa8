/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libbcoslog reads, follows and checks BCOS event logs, and controls the device
 * /dev/bcos_evlog.  This program prints a log and then follows it:
 *
 *	struct bcoslog_error error;
 *	const struct bcos_entry *entry;
 *	struct bcoslog *log;
 *	int more;
 *
 *	if (bcoslog_open(&log, BCOS_DEVICE_PATH, BCOSLOG_FOLLOW, &error))
 *		errx(2, "%s", error.text);
 *	do {
 *		while ((more = bcoslog_next(log, &entry)) > 0)
 *			use(entry);
 *	} while (more == 0 && bcoslog_wait(log, -1) > 0);
 *	bcoslog_close(log);
 *
 * A function that returns int returns a negative errno when it fails, and
 * bcoslog_error() then explains the failure.  Only one thread at a time may use a
 * handle; bcoslog_interrupt() alone may be called from any thread and from signal
 * handlers.  All times are nanoseconds since boot, all sizes and offsets bytes.
 * Numbers in parentheses are sections of the BCOS event log specification.
 */
#ifndef BCOSLOG_H
#define BCOSLOG_H

#include <stdbool.h>
#include <stddef.h>

#include "bcos_evlog.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- reading a log -------------------------------------------------------- */

struct bcoslog;

/**
 * enum bcoslog_resumes - the place at which bcoslog_skip() resumes after damage
 * @BCOSLOG_NOWHERE: there is none: no later entry can be recognised
 * @BCOSLOG_BEHIND: the entry after the damaged one; nothing else is lost
 * @BCOSLOG_AT_GROUP: the next group of historical entries; the entries before it are lost, so the caller
 *	forgets the state it has gathered (bcoslog_state_forget())
 */
enum bcoslog_resumes {
	BCOSLOG_NOWHERE,
	BCOSLOG_BEHIND,
	BCOSLOG_AT_GROUP,
};

/**
 * struct bcoslog_error - the reason why a function failed
 * @code: the errno; EBADMSG means that the log is damaged, EILSEQ that the input is not a BCOS log
 * @word: a short, stable word for the kind of damage, such as "bad-size"; NULL unless @code is EBADMSG
 * @offset: offset of the first byte of the damaged entry; valid if @code is EBADMSG
 * @lost: number of bytes from @offset on that bcoslog_skip() leaves out; valid if @code is EBADMSG
 * @resumes: where bcoslog_skip() resumes; valid if @code is EBADMSG
 * @text: one sentence, without a full stop, that names the cause and the remedy
 */
struct bcoslog_error {
	int code;
	const char *word;
	__u64 offset;
	__u64 lost;
	enum bcoslog_resumes resumes;
	char text[512];
};

/**
 * enum bcoslog_kind - the source of a log
 * @BCOSLOG_DEVICE: the device /dev/bcos_evlog
 * @BCOSLOG_FILE: a regular file
 * @BCOSLOG_STREAM: a pipe, a socket or another stream that cannot be rewound
 * @BCOSLOG_BPF: BPF programs that this process has started (bcoslog_bpf.h)
 * @BCOSLOG_RECORDING: a recorded directory or one of its files (bcoslog_archive.h)
 */
enum bcoslog_kind {
	BCOSLOG_DEVICE,
	BCOSLOG_FILE,
	BCOSLOG_STREAM,
	BCOSLOG_BPF,
	BCOSLOG_RECORDING,
};

/* Flags of the functions that open a log. */
#define BCOSLOG_FOLLOW	(1u << 0)	/* at the end of a device, file or recording, bcoslog_wait() waits for more */
#define BCOSLOG_CONTROL	(1u << 1)	/* open the device for writing, too; bcoslog_mask() and others require it */
#define BCOSLOG_CLOSE	(1u << 2)	/* bcoslog_close() closes the descriptor of bcoslog_open_fd(), too */

/**
 * bcoslog_open() - open a log
 * @log: receives the handle
 * @path: a device, a file, a recorded directory, or "-" for standard input
 * @flags: BCOSLOG_FOLLOW and BCOSLOG_CONTROL, or 0
 * @error: receives the reason of a failure
 *
 * Without BCOSLOG_FOLLOW, the log of a device ends with the events that happened before this call.
 *
 * Return: 0 or a negative errno; -EPROTO if this library and the loaded module speak different versions of the
 * protocol.
 */
int bcoslog_open(struct bcoslog **log, const char *path, unsigned int flags,
		 struct bcoslog_error *error);

/**
 * bcoslog_open_fd() - open a log by a file descriptor
 * @log: receives the handle
 * @fd: a descriptor that is open for reading; the caller keeps it, and closes it after bcoslog_close(), unless the log was
 *      opened with BCOSLOG_CLOSE
 * @name: the name by which error messages call the log
 * @flags: BCOSLOG_FOLLOW, BCOSLOG_CONTROL and BCOSLOG_CLOSE, or 0
 * @error: receives the reason of a failure
 *
 * The library does not change the flags of the descriptor.
 *
 * Return: as bcoslog_open().
 */
int bcoslog_open_fd(struct bcoslog **log, int fd, const char *name, unsigned int flags,
		    struct bcoslog_error *error);

/**
 * bcoslog_close() - close a log and free all its memory
 * @log: the log; NULL is ignored
 */
void bcoslog_close(struct bcoslog *log);

/* Return: the source of the log. */
enum bcoslog_kind bcoslog_kind(const struct bcoslog *log);

/* Return: a descriptor for poll(); it stays the library's. */
int bcoslog_fd(const struct bcoslog *log);

/* Return: the reason of the last failure, valid until the next call with this handle. */
const struct bcoslog_error *bcoslog_error(const struct bcoslog *log);

/**
 * bcoslog_next() - read the next entry without waiting
 * @log: the log
 * @entry: receives the entry, which is well-formed, aligned to 4 bytes, and valid until the next call
 *
 * The function accepts every entry that the specification allows.  If an entry is not aligned or padded as
 * bcos_evlog would write it, @entry points to a copy that is followed by zeros.
 *
 * Return: 1 for an entry; 0 at the present end of the log (see bcoslog_wait()); -EBADMSG if the log is damaged at
 * this place (see bcoslog_skip()); -EILSEQ if the input is not a BCOS log; another negative errno.
 */
int bcoslog_next(struct bcoslog *log, const struct bcos_entry **entry);

/**
 * struct bcoslog_batch - consecutive entries in memory
 * @first: the first entry; each entry before @end is well-formed and aligned to 4 bytes
 * @end: the first byte after the last entry
 * @offset: offset of @first in the log, from the place where reading began
 */
struct bcoslog_batch {
	const struct bcos_entry *first, *end;
	__u64 offset;
};

/**
 * bcoslog_batch() - read the next entries without waiting
 * @log: the log
 * @batch: receives at least one entry; the entries are valid until the next call
 *
 * This function serves programs that read many millions of entries.  In the loop above it replaces
 * bcoslog_next():
 *
 *	while ((more = bcoslog_batch(log, &batch)) > 0)
 *		bcoslog_each(entry, &batch)
 *			use(entry);
 *
 * Return: as bcoslog_next().
 */
int bcoslog_batch(struct bcoslog *log, struct bcoslog_batch *batch);

/* Return: the entry after @entry. */
static inline const struct bcos_entry *bcoslog_after(const struct bcos_entry *entry)
{
	return (const struct bcos_entry *)((const char *)entry + entry->size);
}

/* Return: the offset of an entry of the batch in the log, from the place where reading began. */
static inline __u64 bcoslog_batch_offset(const struct bcoslog_batch *batch,
					 const struct bcos_entry *entry)
{
	return batch->offset + (__u64)((const char *)entry - (const char *)batch->first);
}

/* Loop over the entries of a batch. */
#define bcoslog_each(entry, batch) \
	for ((entry) = (batch)->first; (entry) != (batch)->end; (entry) = bcoslog_after(entry))

/**
 * bcoslog_batch_index() - list the beginnings of the entries of a batch
 * @batch: the batch
 * @index: receives, in ascending order, the offset in bytes of each entry from @batch->first; NULL to count only
 * @room: number of elements that @index has room for
 *
 * This function serves languages in which a loop over entries is slow.
 *
 * Context: any thread.
 * Return: the number of entries in the batch; @index receives at most the first @room of them.
 */
size_t bcoslog_batch_index(const struct bcoslog_batch *batch, __u32 *index, size_t room);

/*
 * Return: the offset, from the place where reading began, of the entry that bcoslog_next() returned last, or of the
 * first entry that bcoslog_batch() returned last.
 */
__u64 bcoslog_offset(const struct bcoslog *log);

/**
 * bcoslog_skip() - resume reading after -EBADMSG
 * @log: the log
 *
 * If the size of the damaged entry can be trusted, only that entry is left out.  Otherwise reading resumes at the
 * next group of historical entries.  The error of the failed call says which, and how many bytes are left out.
 *
 * Return: 0, or -EBADMSG if no later entry can be recognised.
 */
int bcoslog_skip(struct bcoslog *log);

/**
 * bcoslog_wait() - wait for more entries after bcoslog_next() has returned 0
 * @log: the log
 * @timeout: milliseconds; -1 waits without a limit
 *
 * The function waits for a stream until the stream ends.  It waits for a device, a file or a recording only if the
 * log was opened with BCOSLOG_FOLLOW.
 *
 * Context: sleeps.
 * Return: 1 if bcoslog_next() may find more; 0 if no more entries will come; -EINTR after bcoslog_interrupt();
 * -ETIMEDOUT; -EPIPE as bcoslog_hangup() describes; another negative errno.
 */
int bcoslog_wait(struct bcoslog *log, int timeout);

/**
 * bcoslog_interrupt() - let the present wait, and each later one, fail with -EINTR
 * @log: the log
 *
 * Context: any thread, and signal handlers.
 */
void bcoslog_interrupt(struct bcoslog *log);

/**
 * bcoslog_hangup() - let a wait fail with -EPIPE when nobody reads the program's output any more
 * @log: the log
 * @fd: the writing end of a pipe, such as standard output
 */
void bcoslog_hangup(struct bcoslog *log, int fd);

/* ---- the contents of an entry --------------------------------------------- */

/* Return: the specification's name of an entry type, such as "Assign CPU"; NULL if it does not define the type. */
const char *bcoslog_type_name(__u16 type);

/* Return: the kind of object that entries of this type describe: "process", "core", "CPU" or "device". */
const char *bcoslog_subject(__u16 type);

/* Return: the name or text of an entry, which no zero byte terminates; NULL if entries of its type have none. */
const char *bcoslog_text(const struct bcos_entry *entry, size_t *length);

/* Return: true for the types of generic events: 0x0010, 0x2010, 0x4010 and 0x6010. */
static inline bool bcoslog_is_generic(__u16 type)
{
	return (type & ~BCOS_TYPE_SUBJECT_MASK) == BCOS_GENERIC_PROCESS;
}

/* Return: true for the notice that the log has overwritten entries before this reader read them. */
bool bcoslog_is_missed(const struct bcos_entry *entry);

/* Return: true if the entry states that events were lost. */
bool bcoslog_is_loss(const struct bcos_entry *entry);

/* Return: the name of a severity: "debug", "info", "error" or "critical" (5.3.2). */
const char *bcoslog_severity(__u8 severity);

/* Return: the meaning of the event ID of a generic event; NULL if bcos_evlog does not define it. */
const char *bcoslog_event(__u16 type, __u32 event_id);

/**
 * enum bcoslog_end - the way in which a process ended
 * @BCOSLOG_EXITED: it called exit(); the value is its exit code
 * @BCOSLOG_OWNER: user space ended it; the value is the signal, or 0
 * @BCOSLOG_KERNEL: the kernel ended it; the value is the signal, or 0
 */
enum bcoslog_end {
	BCOSLOG_EXITED,
	BCOSLOG_OWNER,
	BCOSLOG_KERNEL,
};

/**
 * bcoslog_status_end() - decode a termination status (5.2.1)
 * @status: the termination status
 * @value: receives the exit code or the number of the signal
 *
 * Return: the way in which the process ended.
 */
enum bcoslog_end bcoslog_status_end(__u32 status, __u32 *value);

/* Return: the name of a signal, such as "SIGSEGV"; NULL if the number has no name of its own. */
const char *bcoslog_signal(__u32 number);

/* ---- the state of a log --------------------------------------------------- */

/*
 * A state follows a log.  The caller applies each entry, and may then ask which processes, devices, cores and CPUs
 * there are, and which process each CPU executes.  The structures that the functions return are valid until the next
 * bcoslog_state_apply().
 */
struct bcoslog_state;

/**
 * struct bcoslog_process - a process at the present place of the log
 * @id: its ID
 * @cpus: number of CPUs that execute it
 * @devices: number of devices whose driver it is
 * @precision: precision of @start (4.4), ns
 * @start: when it began
 * @name: its name, which no zero byte terminates
 * @name_length: length of @name in bytes
 */
struct bcoslog_process {
	__u32 id;
	__u32 cpus;
	__u32 devices;
	__u32 precision;
	__u64 start;
	const char *name;
	size_t name_length;
};

/**
 * struct bcoslog_device - a device at the present place of the log
 * @id: its ID
 * @driver: ID of the process that is its driver
 * @precision: precision of @start (4.4), ns
 * @start: when it became ready for use
 * @name: its name, which no zero byte terminates
 * @name_length: length of @name in bytes
 */
struct bcoslog_device {
	__u32 id;
	__u32 driver;
	__u32 precision;
	__u64 start;
	const char *name;
	size_t name_length;
};

/**
 * struct bcoslog_core - a core at the present place of the log, with its estimates (5.5)
 * @id: its ID
 * @cpus: number of its CPUs that are online
 * @precision: precision of @start (4.4), ns
 * @idle_power: power while all its CPUs are idle, in units of 2 mW; 0 if unknown
 * @power_difference: additional power while a CPU is busy, in units of 2 mW
 * @start: when it came online
 * @performance: for 1, 2, ... busy CPUs, the instructions that each of them executes in 125 us (5.5.2)
 * @performances: number of elements of @performance; 0 if unknown
 */
struct bcoslog_core {
	__u32 id;
	__u32 cpus;
	__u32 precision;
	__u16 idle_power;
	__u16 power_difference;
	__u64 start;
	const __u32 *performance;
	size_t performances;
};

/**
 * struct bcoslog_cpu - an online CPU at the present place of the log
 * @id: its ID
 * @core: ID of its core
 * @precision: precision of @start (4.4), ns
 * @assigned: the log says which process the CPU executes, and @process and @since are valid
 * @process: ID of the process that it executes; 0 is the kernel
 * @start: when it came online
 * @since: when @process was assigned to it
 */
struct bcoslog_cpu {
	__u32 id;
	__u32 core;
	__u32 precision;
	bool assigned;
	__u32 process;
	__u64 start;
	__u64 since;
};

/* Return: a state that knows nothing; NULL if there is no memory. */
struct bcoslog_state *bcoslog_state_new(void);

/* Free a state.  NULL is ignored. */
void bcoslog_state_free(struct bcoslog_state *state);

/**
 * enum bcoslog_news - the relation of a historical entry or a statement to the present state
 * @BCOSLOG_NEWS: it adds something; normal entries always do
 * @BCOSLOG_REPEATED: it repeats what is known, so readers ignore it (3.1)
 * @BCOSLOG_OTHER_TIME: it contradicts the known time
 * @BCOSLOG_OTHER_NAME: it contradicts the known name
 * @BCOSLOG_OTHER_DRIVER: it contradicts the known driver
 * @BCOSLOG_OTHER_CORE: it contradicts the known core
 * @BCOSLOG_OTHER_PROCESS: it contradicts the known assignment
 * @BCOSLOG_OTHER_ESTIMATE: it contradicts the known performance or power
 */
enum bcoslog_news {
	BCOSLOG_NEWS,
	BCOSLOG_REPEATED,
	BCOSLOG_OTHER_TIME,
	BCOSLOG_OTHER_NAME,
	BCOSLOG_OTHER_DRIVER,
	BCOSLOG_OTHER_CORE,
	BCOSLOG_OTHER_PROCESS,
	BCOSLOG_OTHER_ESTIMATE,
};

/* Return: the relation of @entry, which is well-formed, to the present state. */
enum bcoslog_news bcoslog_state_compare(const struct bcoslog_state *state,
					const struct bcos_entry *entry);

/**
 * bcoslog_state_apply() - apply the next entry of the log
 * @state: the state
 * @entry: a well-formed entry
 *
 * An entry about a process, device, core or CPU that the log has not introduced changes nothing.  The notice that
 * entries were overwritten unread empties the state.
 *
 * Return: 0, or -ENOMEM if there is no memory or the names need more than 1 GiB.
 */
int bcoslog_state_apply(struct bcoslog_state *state, const struct bcos_entry *entry);

/* Empty the state, as is necessary where reading resumes at a group after damage. */
void bcoslog_state_forget(struct bcoslog_state *state);

/* Return: the object with this ID; NULL if it does not exist, or is offline, at the present place of the log. */
const struct bcoslog_process *bcoslog_process(const struct bcoslog_state *state, __u32 id);
const struct bcoslog_device *bcoslog_device(const struct bcoslog_state *state, __u32 id);
const struct bcoslog_core *bcoslog_core(const struct bcoslog_state *state, __u32 id);
const struct bcoslog_cpu *bcoslog_cpu(const struct bcoslog_state *state, __u32 id);

/* ---- statements ------------------------------------------------------------ */

/*
 * After each group of historical entries a log states which default classes are off, the time of the wall clock, and
 * the boot, host, kernel and version that wrote it.  It states each of these again when it changes.  A reader ignores
 * a statement that repeats what is known, as it ignores such a historical entry; bcoslog_state_compare() finds both.
 */

/* Return: true for such a statement, and for the notice that the recorded classes have changed. */
bool bcoslog_is_statement(const struct bcos_entry *entry);

/**
 * struct bcoslog_wall - one reading of the wall clock
 * @boot: time of the reading, ns since boot
 * @utc: the reading, ns since 1970, UTC; the clock showed it at some time from @boot to @boot + @precision
 * @precision: ns; 0xFFFFFFFF stands for itself and for all greater values
 */
struct bcoslog_wall {
	__u64 boot;
	__u64 utc;
	__u32 precision;
};

/**
 * bcoslog_wall_clock() - read the wall clock from a statement
 * @entry: a well-formed entry of any type
 * @wall: receives the reading
 *
 * The statement is a generic event (0x0010) of process 0 with the event ID BCOS_EVENT_CLOCK and the text "wall clock
 * SECONDS.NNNNNNNNN", with nine digits after the point.
 *
 * Context: any thread.
 * Return: true; false if the entry is no such statement, or its text is malformed: @wall is not changed then.
 */
bool bcoslog_wall_clock(const struct bcos_entry *entry, struct bcoslog_wall *wall);

/**
 * bcoslog_wall_time() - convert a time since boot to a time of the wall clock
 * @wall: a reading of the wall clock in the same boot
 * @time: ns since boot, before or after @wall->boot
 *
 * The result is wrong if the clock was set between the two times, which a log states.  It may be late by up to
 * @wall->precision.
 *
 * Context: any thread.
 * Return: ns since 1970, UTC; 0 for a time before 1970, 2^64 - 1 for a time that 64 bits cannot hold.
 */
__u64 bcoslog_wall_time(const struct bcoslog_wall *wall, __u64 time);

/* Return: the newest reading of the wall clock, valid until the next bcoslog_state_apply(); NULL if there is none. */
const struct bcoslog_wall *bcoslog_state_wall(const struct bcoslog_state *state);

/* ---- checking a log ------------------------------------------------------- */

struct bcoslog_check;

/**
 * struct bcoslog_violation - a place where a log breaks a rule of the specification
 * @offset: offset of the entry that breaks it
 * @word: a short, stable word for the rule, such as "order"
 * @reason: one sentence, without a full stop
 * @legal: the specification allows it, but bcos_evlog does not write such logs; it does not count as a violation
 */
struct bcoslog_violation {
	__u64 offset;
	const char *word;
	const char *reason;
	bool legal;
};

/* The function that a check calls for each violation; @violation is valid during the call. */
typedef void (*bcoslog_report)(void *context, const struct bcoslog_violation *violation);

/**
 * struct bcoslog_summary - the result of a check
 * @entries: number of entries, including malformed ones
 * @historical: number of historical entries
 * @violations: number of violations
 * @losses: number of entries that state a loss
 * @missed: number of notices that entries were overwritten unread
 * @reserved: number of entries of types that the specification does not define
 * @unusual: number of places that are legal, but not as bcos_evlog writes them
 * @lost: number of bytes that were left out because of damage
 */
struct bcoslog_summary {
	__u64 entries;
	__u64 historical;
	__u64 violations;
	__u64 losses;
	__u64 missed;
	__u64 reserved;
	__u64 unusual;
	__u64 lost;
};

/**
 * bcoslog_check_new() - begin to check a log
 * @report: called for each violation
 * @context: first argument of @report
 *
 * Return: the check; NULL if there is no memory.
 */
struct bcoslog_check *bcoslog_check_new(bcoslog_report report, void *context);

/* Free a check.  NULL is ignored. */
void bcoslog_check_free(struct bcoslog_check *check);

/**
 * bcoslog_check_entry() - check the next entry of the log
 * @check: the check
 * @offset: offset of the entry in the log
 * @entry: a well-formed entry
 *
 * Return: 0 or -ENOMEM.
 */
int bcoslog_check_entry(struct bcoslog_check *check, __u64 offset, const struct bcos_entry *entry);

/* Count an entry that bcoslog_next() found damaged, with the error that it gave. */
void bcoslog_check_damage(struct bcoslog_check *check, const struct bcoslog_error *error);

/*
 * End the check, and report the violations that show only at the end of a log.
 * Return: the result, valid until bcoslog_check_free().
 */
const struct bcoslog_summary *bcoslog_check_end(struct bcoslog_check *check);

/* ---- the device ----------------------------------------------------------- */

/*
 * Each function of this part returns 0 or a negative errno.  -ENOTTY means that the log is a file or a stream.
 * -ENOTSUP means that BPF programs record the log, for which only bcoslog_status(), bcoslog_compaction(),
 * bcoslog_flush() and asking bcoslog_mask() for the classes work.
 */

/* Ask for the status of the log. */
int bcoslog_status(struct bcoslog *log, struct bcos_status *status);

/* Ask for the newest compaction, and acknowledge it. */
int bcoslog_compaction(struct bcoslog *log, struct bcos_compaction *compaction);

/* Let bcoslog_wait() and poll() return only when at least @bytes bytes are unread. */
int bcoslog_watermark(struct bcoslog *log, __u32 bytes);

/* Write all events that have happened before the call into the log.  @head receives the position after them. */
int bcoslog_flush(struct bcoslog *log, __u64 *head);

/* Stop recording the classes @clear, then record the classes @set.  @mask receives the result, and may be NULL. */
int bcoslog_mask(struct bcoslog *log, __u32 clear, __u32 set, struct bcos_mask *mask);

/**
 * bcoslog_request() - record classes of a single process or device
 * @log: the log, opened with BCOSLOG_CONTROL
 * @classes: BCOS_CLASS_API for a process; BCOS_CLASS_IO, BCOS_CLASS_IRQ or both for a device
 * @source: ID of the process or device
 * @on: true records the classes of @source although the mask excludes them; false takes such a request back
 *
 * Return: 0 or a negative errno; -ENOSPC if there are requests for too many processes, -ENODEV if the log knows no
 * such device, -ENOENT if there is no such request to take back.
 */
int bcoslog_request(struct bcoslog *log, __u32 classes, __u32 source, bool on);

/**
 * bcoslog_emit() - write a generic event into the log (5.3, 5.7, 5.11, 5.16)
 * @log: the log, opened with BCOSLOG_CONTROL
 * @type: BCOS_GENERIC_PROCESS for an event of the caller; with CAP_PERFMON also the types of a core, CPU or device
 * @source: 0 for the caller; otherwise the ID of the core, CPU or device
 * @id: the event ID
 * @severity: 0 to 255 (5.3.2)
 * @text: UTF-8, at most BCOS_EVENT_TEXT_MAX bytes
 *
 * BCOSLOG_CONTROL requires the right to read the device.  A program that may only write to it uses write(2).
 *
 * Return: 0 or a negative errno; -EMSGSIZE or -EINVAL for the text, -ENODEV for the source, -EPERM without
 * CAP_PERFMON where it is required, -ENOBUFS if the event was lost, which the log states.
 */
int bcoslog_emit(struct bcoslog *log, __u16 type, __u32 source, __u32 id, __u8 severity, const char *text);

/* Wait for a compaction that has not been acknowledged.  Return: as bcoslog_wait(). */
int bcoslog_wait_compaction(struct bcoslog *log, int timeout);

/* Return: the name of the class with the number @bit; NULL if there is none. */
const char *bcoslog_class(unsigned int bit);

/**
 * bcoslog_class_mask() - convert the name of a class to its mask
 * @word: the name of a class, "all", "none", "default", or a number
 * @length: length of @word in bytes
 * @mask: receives the mask, BCOS_CLASS_*
 *
 * Return: 0 or -EINVAL.
 */
int bcoslog_class_mask(const char *word, size_t length, __u32 *mask);

/* Return: the version of the library, such as "0.1.0". */
const char *bcoslog_version(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
