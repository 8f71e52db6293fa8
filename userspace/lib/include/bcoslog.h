/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libbcoslog: reads, follows and checks BCOS event logs, and speaks with
 * /dev/bcos_evlog.
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
 * Functions that return int return a negative errno on failure, and explain
 * it in the log's error.  A handle is for one thread at a time; only
 * bcoslog_interrupt() may be called from anywhere.  Times are nanoseconds
 * since boot, sizes and offsets bytes.
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

/* Where bcoslog_skip() goes on after damage. */
enum bcoslog_resumes {
	BCOSLOG_NOWHERE,	/* no more of the log can be recognised */
	BCOSLOG_BEHIND,		/* behind the entry, which alone is damaged */
	BCOSLOG_AT_GROUP,	/* at a group: what was known before may hold no more (bcoslog_state_forget()) */
};

/**
 * struct bcoslog_error - why something failed
 * @code: errno; EBADMSG: the log is damaged; EILSEQ: it is none at all
 * @word: of damage, a short stable word such as "bad-size"; else NULL
 * @offset: of damage, the first byte of the damaged entry
 * @lost: of damage, bytes from @offset on that are left out
 * @resumes: of damage
 * @text: a sentence that names cause and remedy, without full stop
 */
struct bcoslog_error {
	int code;
	const char *word;
	__u64 offset;
	__u64 lost;
	enum bcoslog_resumes resumes;
	char text[512];
};

enum bcoslog_kind {
	BCOSLOG_DEVICE,		/* /dev/bcos_evlog */
	BCOSLOG_FILE,		/* a regular file */
	BCOSLOG_STREAM,		/* a pipe, socket or the like */
	BCOSLOG_BPF,		/* recorded by this process (bcoslog_bpf.h) */
	BCOSLOG_RECORDING,	/* a recorded directory, or one of its files (bcoslog_archive.h) */
};

#define BCOSLOG_FOLLOW	(1u << 0)	/* device, file, recording: bcoslog_wait() waits for more */
#define BCOSLOG_CONTROL	(1u << 1)	/* device: open for writing too, as bcoslog_mask() needs */

/**
 * bcoslog_open() - open a log
 * @log: out: the handle
 * @path: device, file, recorded directory, or "-" for standard input
 * @flags: BCOSLOG_*
 * @error: out: why it failed
 *
 * Without BCOSLOG_FOLLOW, a device's log ends with what had happened by now.
 *
 * Return: 0 or a negative errno; EPROTO: tool and module do not fit.
 */
int bcoslog_open(struct bcoslog **log, const char *path, unsigned int flags,
		 struct bcoslog_error *error);

/**
 * bcoslog_open_fd() - likewise, of a descriptor that stays the caller's
 * @log: out: the handle
 * @fd: open for reading; neither its flags nor, for a pipe, more than its bytes are touched
 * @name: for messages
 * @flags: BCOSLOG_*
 * @error: out: why it failed
 */
int bcoslog_open_fd(struct bcoslog **log, int fd, const char *name, unsigned int flags,
		    struct bcoslog_error *error);

/* Give everything back.  NULL is ignored. */
void bcoslog_close(struct bcoslog *log);

enum bcoslog_kind bcoslog_kind(const struct bcoslog *log);

/* The descriptor, for poll(). */
int bcoslog_fd(const struct bcoslog *log);

/* What failed last. */
const struct bcoslog_error *bcoslog_error(const struct bcoslog *log);

/**
 * bcoslog_next() - the next entry, without waiting
 * @log: the log
 * @entry: out: well-formed, 4-byte aligned, valid until the next call
 *
 * A reader takes all that the specification allows. An entry that does not lie
 * as we would have written it is copied, with zeros behind it.
 *
 * Return: 1; 0 at the end of what there is now (see bcoslog_wait()); -EBADMSG
 * if the log is damaged here (see bcoslog_skip()); -EILSEQ if it is no log at
 * all; another negative errno.
 */
int bcoslog_next(struct bcoslog *log, const struct bcos_entry **entry);

/**
 * struct bcoslog_batch - entries in a row
 * @first: well-formed, 4-byte aligned, and so are all up to @end
 * @end: behind the last one
 * @offset: of @first, from where reading began
 */
struct bcoslog_batch {
	const struct bcos_entry *first, *end;
	__u64 offset;
};

/**
 * bcoslog_batch() - the next entries, without waiting; for who reads many millions
 * @log: the log
 * @batch: out: at least one entry, valid until the next call
 *
 * In the loop above it takes the place of bcoslog_next():
 *
 *	while ((more = bcoslog_batch(log, &batch)) > 0)
 *		bcoslog_each(entry, &batch)
 *			use(entry);
 *
 * Return: as bcoslog_next().
 */
int bcoslog_batch(struct bcoslog *log, struct bcoslog_batch *batch);

/* The entry behind @entry. */
static inline const struct bcos_entry *bcoslog_after(const struct bcos_entry *entry)
{
	return (const struct bcos_entry *)((const char *)entry + entry->size);
}

/* Its offset, from where reading began. */
static inline __u64 bcoslog_batch_offset(const struct bcoslog_batch *batch,
					 const struct bcos_entry *entry)
{
	return batch->offset + (__u64)((const char *)entry - (const char *)batch->first);
}

/* For each entry of a batch. */
#define bcoslog_each(entry, batch) \
	for ((entry) = (batch)->first; (entry) != (batch)->end; (entry) = bcoslog_after(entry))

/**
 * bcoslog_batch_index() - where the entries of a batch begin; for languages in which a loop over entries is slow
 * @batch: the batch
 * @index: out: bytes from @batch->first on, ascending; NULL: only count
 * @room: of @index
 *
 * Context: any thread.
 * Return: how many entries the batch has; the first @room of them are in @index.
 */
size_t bcoslog_batch_index(const struct bcoslog_batch *batch, __u32 *index, size_t room);

/*
 * Offset of the entry that bcoslog_next() gave last, or of the first that
 * bcoslog_batch() gave, from where reading began.
 */
__u64 bcoslog_offset(const struct bcoslog *log);

/**
 * bcoslog_skip() - after -EBADMSG, go on
 *
 * An entry whose size can be trusted is left out alone. Else it goes on at the
 * next group of historical entries; bcoslog_error() tells which, and how much
 * is left out.
 *
 * Return: 0, or -EBADMSG if nothing more can be recognised.
 */
int bcoslog_skip(struct bcoslog *log);

/**
 * bcoslog_wait() - after bcoslog_next() returned 0, wait for more
 * @log: the log
 * @timeout: milliseconds, -1 for ever
 *
 * A stream is waited for until its end, device and file only with
 * BCOSLOG_FOLLOW.
 *
 * Return: 1: look again; 0: there will be no more; -EINTR: bcoslog_interrupt()
 * was called; -ETIMEDOUT; -EPIPE: see bcoslog_hangup(); another negative errno.
 */
int bcoslog_wait(struct bcoslog *log, int timeout);

/* End this and every later wait with -EINTR.  Any thread, any signal handler. */
void bcoslog_interrupt(struct bcoslog *log);

/* Let waits end with -EPIPE when nobody reads from the pipe @fd any more. */
void bcoslog_hangup(struct bcoslog *log, int fd);

/* ---- what an entry says --------------------------------------------------- */

/* The specification's name of a type, as "Assign CPU"; NULL if it defines none. */
const char *bcoslog_type_name(__u16 type);

/* "process", "core", "CPU" or "device": what a type is about. */
const char *bcoslog_subject(__u16 type);

/* Name or text of an entry, not zero terminated; NULL if its type has none. */
const char *bcoslog_text(const struct bcos_entry *entry, size_t *length);

/* Is it an entry of 0x0010, 0x2010, 0x4010 or 0x6010. */
static inline bool bcoslog_is_generic(__u16 type)
{
	return (type & ~BCOS_TYPE_SUBJECT_MASK) == BCOS_GENERIC_PROCESS;
}

/* Is it the notice that the device wrote because this reader was overtaken. */
bool bcoslog_is_missed(const struct bcos_entry *entry);

/* Is it the statement of a loss. */
bool bcoslog_is_loss(const struct bcos_entry *entry);

/* "debug", "info", "error" or "critical" (5.3.2). */
const char *bcoslog_severity(__u8 severity);

/* What an event ID of a generic entry means; NULL if nothing describes it. */
const char *bcoslog_event(__u16 type, __u32 event_id);

enum bcoslog_end {
	BCOSLOG_EXITED,		/* value: exit code */
	BCOSLOG_OWNER,		/* value: a signal that user space sent, or 0 */
	BCOSLOG_KERNEL,		/* value: a signal from the kernel, or 0 */
};

/* Take a termination status (5.2.1) apart. */
enum bcoslog_end bcoslog_status_end(__u32 status, __u32 *value);

/* "SIGSEGV"; NULL for a number that has no name of its own. */
const char *bcoslog_signal(__u32 number);

/* ---- the state of a log --------------------------------------------------- */

/*
 * Follows a log: apply each entry, and ask who is named how and what runs
 * where.  What is returned is valid until the next bcoslog_state_apply().
 */
struct bcoslog_state;

struct bcoslog_process {
	__u32 id;
	__u32 cpus;			/* that are assigned to it */
	__u32 devices;			/* whose driver it is */
	__u32 precision;		/* of start */
	__u64 start;
	const char *name;		/* not zero terminated */
	size_t name_length;
};

struct bcoslog_device {
	__u32 id;
	__u32 driver;			/* a process */
	__u32 precision;		/* of start */
	__u64 start;
	const char *name;		/* not zero terminated */
	size_t name_length;
};

struct bcoslog_core {
	__u32 id;
	__u32 cpus;			/* of it that are online */
	__u32 precision;		/* of start */
	__u16 idle_power;		/* 2 mW units, 0 unknown */
	__u16 power_difference;
	__u64 start;
	const __u32 *performance;
	size_t performances;
};

struct bcoslog_cpu {
	__u32 id;
	__u32 core;
	__u32 precision;		/* of start */
	bool assigned;			/* process and since are known */
	__u32 process;
	__u64 start;
	__u64 since;			/* when it was assigned */
};

/* Return: NULL if there is no memory. */
struct bcoslog_state *bcoslog_state_new(void);
void bcoslog_state_free(struct bcoslog_state *state);

/* How a historical entry, or a statement, relates to what is known. */
enum bcoslog_news {
	BCOSLOG_NEWS,			/* also of every entry that is neither */
	BCOSLOG_REPEATED,		/* known, the same: to be ignored (3.1) */
	BCOSLOG_OTHER_TIME,		/* from here on: contradicts what is known */
	BCOSLOG_OTHER_NAME,
	BCOSLOG_OTHER_DRIVER,
	BCOSLOG_OTHER_CORE,
	BCOSLOG_OTHER_PROCESS,
	BCOSLOG_OTHER_ESTIMATE,
};

enum bcoslog_news bcoslog_state_compare(const struct bcoslog_state *state,
					const struct bcos_entry *entry);

/**
 * bcoslog_state_apply() - learn from the next entry of the log
 * @state: the state
 * @entry: well-formed
 *
 * An entry about something unknown teaches nothing; the notice that the
 * reader was overtaken makes the state forget everything.
 *
 * Return: 0 or -ENOMEM, also when the names would take more than 1 GiB.
 */
int bcoslog_state_apply(struct bcoslog_state *state, const struct bcos_entry *entry);

/* Know nothing any more, as where a log goes on after damage. */
void bcoslog_state_forget(struct bcoslog_state *state);

/* NULL: unnamed, or offline, as far as the log says. */
const struct bcoslog_process *bcoslog_process(const struct bcoslog_state *state, __u32 id);
const struct bcoslog_device *bcoslog_device(const struct bcoslog_state *state, __u32 id);
const struct bcoslog_core *bcoslog_core(const struct bcoslog_state *state, __u32 id);
const struct bcoslog_cpu *bcoslog_cpu(const struct bcoslog_state *state, __u32 id);

/* ---- statements ------------------------------------------------------------ */

/*
 * Behind each group of historical entries a log states which default classes are off, if one is, what the wall clock
 * showed, and which boot, host, kernel and version wrote it; and again what of it changes. Whoever follows a log takes
 * a statement that repeats what is known as it takes such a historical entry: bcoslog_state_compare() tells.
 */

/* Is it one of those, or the notice that the classes changed? */
bool bcoslog_is_statement(const struct bcos_entry *entry);

/**
 * struct bcoslog_wall - what the wall clock showed
 * @boot: ns since boot
 * @utc: ns since 1970, UTC, which it showed some time from @boot to @boot + @precision
 * @precision: ns; 0xFFFFFFFF or more
 */
struct bcoslog_wall {
	__u64 boot;
	__u64 utc;
	__u32 precision;
};

/**
 * bcoslog_wall_clock() - what an entry states of the wall clock
 * @entry: well-formed, of any type
 * @wall: out
 *
 * The statement is Generic Process 0x0010 of process 0, event BCOS_EVENT_CLOCK, with the text "wall clock
 * SECONDS.NNNNNNNNN": nine digits behind the point.
 *
 * Context: any thread.
 * Return: false if it states nothing of the wall clock, or nothing that can be understood; @wall is as it was then.
 */
bool bcoslog_wall_clock(const struct bcos_entry *entry, struct bcoslog_wall *wall);

/**
 * bcoslog_wall_time() - a time since boot as one of the wall clock
 * @wall: what it showed, of the same boot
 * @time: ns since boot, before or after @wall->boot
 *
 * Right unless the clock was set between the two, which a log states. By as much as @wall->precision it may be late.
 *
 * Context: any thread.
 * Return: ns since 1970, UTC; 0 for what is before, and at most 2^64 - 1.
 */
__u64 bcoslog_wall_time(const struct bcoslog_wall *wall, __u64 time);

/* The newest that a state was told.  NULL: it was told none; else valid until the next bcoslog_state_apply(). */
const struct bcoslog_wall *bcoslog_state_wall(const struct bcoslog_state *state);

/* ---- checking a log ------------------------------------------------------- */

struct bcoslog_check;

/**
 * struct bcoslog_violation - a place where a log breaks the rules
 * @offset: of the entry
 * @word: which rule, a short stable word such as "order"
 * @reason: a sentence without full stop
 * @legal: it is no violation: the specification allows it, but bcos_evlog does not write it so
 */
struct bcoslog_violation {
	__u64 offset;
	const char *word;
	const char *reason;
	bool legal;
};

typedef void (*bcoslog_report)(void *context, const struct bcoslog_violation *violation);

struct bcoslog_summary {
	__u64 entries;			/* malformed ones included */
	__u64 historical;
	__u64 violations;
	__u64 losses;			/* entries that state a loss */
	__u64 missed;			/* notices that the reader was overtaken */
	__u64 reserved;			/* of types that the specification does not define */
	__u64 unusual;			/* legal, but not as bcos_evlog writes them */
	__u64 lost;			/* bytes that damage left out */
};

/* Return: NULL if there is no memory. */
struct bcoslog_check *bcoslog_check_new(bcoslog_report report, void *context);
void bcoslog_check_free(struct bcoslog_check *check);

/* The next entry, well-formed.  Return: 0 or -ENOMEM. */
int bcoslog_check_entry(struct bcoslog_check *check, __u64 offset, const struct bcos_entry *entry);

/* An entry that bcoslog_next() found damaged. */
void bcoslog_check_damage(struct bcoslog_check *check, const struct bcoslog_error *error);

/* What was found; at the log's end also what can only be judged there. */
const struct bcoslog_summary *bcoslog_check_end(struct bcoslog_check *check);

/* ---- the device ----------------------------------------------------------- */

/*
 * Each returns 0 or a negative errno; ENOTTY also if the log is a file; ENOTSUP if BPF programs record it, of which
 * only status, compactions, flush and asking for the classes are known.
 */
int bcoslog_status(struct bcoslog *log, struct bcos_status *status);
int bcoslog_compaction(struct bcoslog *log, struct bcos_compaction *compaction);
int bcoslog_watermark(struct bcoslog *log, __u32 bytes);
int bcoslog_flush(struct bcoslog *log, __u64 *head);

/* Clear, then set classes.  @mask: out, may be NULL. */
int bcoslog_mask(struct bcoslog *log, __u32 clear, __u32 set, struct bcos_mask *mask);

/*
 * Record BCOS_CLASS_API of one process, or _IO and _IRQ of one device, whatever the mask says, or no more.  ENOSPC: of
 * too many processes already; ENODEV: the log knows no such device; ENOENT: there was no such request.
 */
int bcoslog_request(struct bcoslog *log, __u32 classes, __u32 source, bool on);

/**
 * bcoslog_emit() - put a generic event into the log (5.3, 5.7, 5.11, 5.16)
 * @log: opened with BCOSLOG_CONTROL, which takes the right to read, too; a program without it uses write(2)
 * @type: BCOS_GENERIC_PROCESS, of the caller; or of a core, CPU or device, with CAP_PERFMON
 * @source: 0 for the caller, else the ID
 * @id: event ID
 * @severity: 0-255
 * @text: UTF-8, at most BCOS_EVENT_TEXT_MAX bytes
 *
 * Return: 0 or a negative errno; EMSGSIZE, EINVAL for the text, ENODEV for the source, EPERM without CAP_PERFMON where
 * that takes it, ENOBUFS: it was lost, which the log states.
 */
int bcoslog_emit(struct bcoslog *log, __u16 type, __u32 source, __u32 id, __u8 severity, const char *text);

/* Wait for a compaction that was not acknowledged yet.  Return: as bcoslog_wait(). */
int bcoslog_wait_compaction(struct bcoslog *log, int timeout);

/* Name of the class of bit @bit; NULL if there is none. */
const char *bcoslog_class(unsigned int bit);

/**
 * bcoslog_class_mask() - the classes that a word names
 * @word: a name, "all", "none", "default", or a number
 * @length: of @word
 * @mask: out
 *
 * Return: 0 or -EINVAL.
 */
int bcoslog_class_mask(const char *word, size_t length, __u32 *mask);

/* Version of the library, as "0.1.0". */
const char *bcoslog_version(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
