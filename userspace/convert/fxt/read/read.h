/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The data and functions that the files of an import of the Fuchsia trace format share. */
#ifndef CONVERT_FXT_READ_READ_H
#define CONVERT_FXT_READ_READ_H

#include "core/format/entry.h"

#include "../fxt.h"

/* A string, which no zero terminates. */
struct fxt_string {
	const char *text;
	size_t length;
};

/* A process and its thread. @undefined: a record refers to a thread that no record defines. */
struct fxt_reference {
	u64 pid, tid;
	bool undefined;
};

/* The last of these stands for all further ones, whose records are left out: their tables are not known apart. */
#define FXT_PROVIDERS 64
/* The strings of all tables together take at most this many bytes. */
#define FXT_STRINGS_MAX (256u << 20)

/**
 * struct fxt_provider - a provider, and the tables that its records refer to
 * @id: the number of the provider
 * @shared: it stands for all providers that are too many
 * @full: a buffer of it filled up
 * @name: its name, for messages
 * @rate: ticks per second
 * @time: time of its last record that has one, in ns
 * @strings: its string table, whose strings are allocated one by one
 * @threads: its thread table
 * @defined: which of @threads a record defined
 */
struct fxt_provider {
	u32 id;
	bool shared, full;
	char name[64];
	u64 rate;
	u64 time;
	struct fxt_string *strings;
	struct fxt_reference threads[256];
	bool defined[256];
};

/* A koid, and what records have said about it. */
struct fxt_koid {
	struct fxt_koid *next;
	u64 koid;
	u64 process;			/* for a thread: the koid of its process */
	u32 id;				/* the ID in the log of the process or thread */
	bool is_thread;
	bool named;			/* a process that has a name */
	u32 hash;			/* the hash of this name */
};

#define FXT_KOID_BITS 8		/* there are 1 << FXT_KOID_BITS buckets at first */
#define FXT_KOIDS_MAX (8u << 20)

/* The kinds of what an import leaves out. */
enum fxt_leaves {
	FXT_LEAVES_RECORD,		/* a record of an unknown type */
	FXT_LEAVES_METADATA,
	FXT_LEAVES_EVENT,
	FXT_LEAVES_SCHEDULING,
	FXT_LEAVES_LARGE,		/* a large record of an unknown type, or whose end is too far away */
	FXT_LEAVES_PROVIDER,		/* a record of a provider too many */
	FXT_LEAVES_THREAD_NAME,
	FXT_LEAVES_OBJECT_ARGUMENT,	/* arguments of the object of a process or thread */
	FXT_LEAVES_STATE,		/* the state in which a thread leaves its CPU, before any wake-up */
	FXT_LEAVES_PRIORITY,		/* the priority or weight of a thread */
	FXT_LEAVES_SWITCH_ARGUMENT,	/* other arguments of a switch or wake-up */
	FXT_LEAVES_CARRIED,		/* parts of a carried log of which nothing else tells that it is left out */
	FXT_LEAVES
};

struct fxt_value {
	struct fxt_string name, text;
	enum fxt_argument type;
	u64 value;
};

#define FXT_ARGUMENTS 15

struct fxt_import {
	struct import *import;
	bool swapped;			/* the trace comes from a machine of the other byte order */
	struct fxt_provider *providers[FXT_PROVIDERS];
	unsigned int provider_count;
	struct fxt_provider *provider;	/* the provider of the current record */
	u64 strings;			/* bytes of all string tables */
	struct fxt_koid **koids;	/* 1 << koid_bits buckets */
	unsigned int koid_bits;
	u64 multiplier;
	u64 koid_count;
	u32 next_id[2];			/* counts the IDs given to koids of processes and threads too large for an ID */
	bool wakes;			/* there was a wake-up, so the log has states of threads */
	u64 first, last;		/* times of the records; ~0 and 0: there was none yet */
	u8 cpus[0x10000 / 8];		/* bits of the CPUs that had a switch or wake-up */
	u64 left[FXT_LEAVES];
	u64 own_begun, own_ended;	/* traces by bcoslog that begin here, and that end */
	u64 damaged;			/* records that contradict themselves */
	u64 words[FXT_WORDS_MAX + 1];	/* the current record */
	unsigned int count, at;
	bool bad;			/* the current record ends before its contents do */
	struct fxt_value arguments[FXT_ARGUMENTS + 2];
	unsigned int argument_count;
	bool carried_said;		/* a complaint has told why the carried log is left out */
	char text[FXT_WORDS_MAX * 24];
};

/* An event as the record has it. */
struct fxt_happened {
	enum fxt_event type;
	u64 time;			/* ns */
	u32 precision;
	struct fxt_reference thread;
	struct fxt_string category, name;
	u64 extra; /* for types with a further word: the counter, the async or flow ID, or the duration in ns */
};

static inline bool fxt_is(struct fxt_string string, const char *text)
{
	return string.length == strlen(text) && !memcmp(string.text, text, string.length);
}

static inline void fxt_leave_out(struct fxt_import *fxt, enum fxt_leaves what)
{
	fxt->left[what]++;
}

/* ---- import_values.c: take the next value from a record, or set @bad where it ends before ---- */

u64 fxt_next(struct fxt_import *fxt);
/* Takes @length bytes. They are in their own order, even if the words of the trace are swapped. */
struct fxt_string fxt_stream(struct fxt_import *fxt, size_t length);
struct fxt_string fxt_string_of(struct fxt_import *fxt, u64 reference);
struct fxt_reference fxt_thread_of_ref(struct fxt_import *fxt, u64 reference);
void fxt_read_arguments(struct fxt_import *fxt, unsigned int count);
/* Converts ticks to nanoseconds. */
u64 fxt_time_of(struct fxt_import *fxt, u64 ticks);
/* Returns the length of a tick in nanoseconds, rounded up: the precision of a time. */
u32 fxt_tick_of(const struct fxt_import *fxt);

/* ---- import_records.c --------------------------------------------------------- */

/*
 * Takes the current record. A large record has @large words, of which the first FXT_WORDS_MAX are there. Returns 0 or a
 * negative errno.
 */
int fxt_record(struct fxt_import *fxt, u64 large);

/* ---- import_switch.c ---------------------------------------------------------- */

/* Takes a switch, a wake-up or a change of fibers. Returns 0 or a negative errno. */
int fxt_scheduling_record(struct fxt_import *fxt, u64 header);

/* ---- import_objects.c: each returns 0 or a negative errno ---------------------- */

int fxt_user_object(struct fxt_import *fxt, u64 header);
/* Takes an object that is neither a process nor a thread. */
int fxt_kernel_object(struct fxt_import *fxt, u64 type, u64 koid, struct fxt_string name);
int fxt_blob(struct fxt_import *fxt, struct fxt_string name, size_t bytes);
/* Takes a large record of @size words. */
int fxt_large_record(struct fxt_import *fxt, u64 size);

/* ---- tables.c ------------------------------------------------------------------ */

/* The records that follow belong to the provider @id. Returns 0 or -ENOMEM. */
int fxt_use_provider(struct fxt_import *fxt, u32 id);
/* A buffer of the provider @id filled up. Nothing changes if no record has named this provider. */
void fxt_set_full(struct fxt_import *fxt, u32 id);
int fxt_set_string(struct fxt_import *fxt, unsigned int index, const char *text, size_t length);
void fxt_free_tables(struct fxt_import *fxt);
/* Makes the table of koids. Returns 0 or -ENOMEM. */
int fxt_make_koids(struct fxt_import *fxt);
/* Finds or adds a koid. Returns NULL if there is no memory, or if there are too many. */
struct fxt_koid *fxt_koid(struct fxt_import *fxt, u64 koid, bool is_thread);
/* Returns the ID in the log for the koid of a process, or the process "unknown" for koid 0 and those that are too many. */
u32 fxt_process_id(struct fxt_import *fxt, u64 koid);
/* Does the koid stand for the unknown process that has a CPU in an export of bcoslog? */
bool fxt_is_unknown(const struct fxt_import *fxt, u64 koid);
/* Returns the koid of the process of a thread, or 0 if no record has told it. */
u64 fxt_process_of(const struct fxt_import *fxt, u64 tid);
/* Returns the ID in the log for the koid of a thread. */
u32 fxt_thread_id(struct fxt_import *fxt, u64 tid);
/* Returns the koid that stands for the process of a thread: that of the thread, if no process is known; 0: unknown. */
u64 fxt_owner_of(const struct fxt_import *fxt, struct fxt_reference thread);
struct fxt_value *fxt_find(struct fxt_import *fxt, const char *name);
/* Returns the value of the argument @name if it is a number, else @otherwise. */
u64 fxt_number(struct fxt_import *fxt, const char *name, u64 otherwise);

/* ---- foreign.c ------------------------------------------------------------------- */

/* Takes an event, which becomes a text. Returns 0 or a negative errno. */
int fxt_foreign(struct fxt_import *fxt, const struct fxt_happened *event);

/* ---- carried.c ------------------------------------------------------------------- */

/* Takes the log that the trace carries at its end. Returns as carried_take(). */
int fxt_take_carried(struct fxt_import *fxt);

#endif
