/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An import of the Fuchsia trace format, as its parts share it. */
#ifndef CONVERT_FXT_IMPORT_H
#define CONVERT_FXT_IMPORT_H

#include "core/format/entry.h"
#include "fxt.h"

/* Bytes of a string; not terminated. */
struct fxt_string {
	const char *text;
	size_t length;
};

struct fxt_reference {
	u64 pid, tid;
};

/* More of them than this are read with one table. */
#define FXT_PROVIDERS 64
/* All strings of all tables together. */
#define FXT_STRINGS_MAX (256u << 20)

/**
 * struct fxt_provider - a provider, and what its records refer to
 * @id: its number
 * @ours: it is bcoslog
 * @name: for messages
 * @rate: ticks a second
 * @time: ns, of its last record that has one
 * @strings: its table, allocated one by one
 * @threads: its table
 */
struct fxt_provider {
	u32 id;
	bool ours;
	char name[64];
	u64 rate;
	u64 time;
	struct fxt_string *strings;
	struct fxt_reference threads[256];
};

/* A koid, and all that is known of it. */
struct fxt_koid {
	struct fxt_koid *next;
	u64 koid;
	u64 process;			/* of a thread: the koid of its process */
	u32 id;				/* of a process: its ID in the log */
	bool is_thread;
	bool is_device;			/* of bcoslog: of this ID */
	bool named;			/* of a process */
	u32 hash;			/* of its name */
};

#define FXT_KOID_BITS 8		/* of the buckets at first */
#define FXT_KOIDS_MAX (8u << 20)

struct fxt_value {
	struct fxt_string name, text;
	enum fxt_argument type;
	u64 value;
};

#define FXT_ARGUMENTS 15

struct fxt_import {
	struct import *import;
	bool swapped;			/* written on a machine of the other byte order */
	struct fxt_provider *providers[FXT_PROVIDERS];
	unsigned int provider_count;
	struct fxt_provider *provider;	/* the one whose records these are */
	u64 strings;			/* bytes of all tables */
	struct fxt_koid **koids;	/* 1 << koid_bits buckets */
	unsigned int koid_bits;
	u64 koid_count;
	u32 next_id;			/* of koids that are no 32-bit ID */
	u64 damaged;			/* records that contradict themselves */
	u64 words[FXT_WORDS_MAX + 1];	/* the record */
	unsigned int count, at;
	bool bad;			/* the record ends before what it has to hold */
	struct fxt_value arguments[FXT_ARGUMENTS + 1];
	unsigned int argument_count;
	/* From bcoslog: a text or list that goes on in the next record; the CPU whose switch only repeats what is known. */
	char *whole;
	size_t whole_used;
	u64 repeated_cpu;
	u64 repeated_time;
	struct bcoslog_state *state;	/* what it has told */
	u64 start;			/* when its first event happened, in ns; ~0 before that */
	/* The embedded log. */
	u8 *blob;
	size_t blob_used;
	char text[FXT_WORDS_MAX * 24];
};

/* An event, as it was read. */
struct fxt_happened {
	enum fxt_event type;
	u64 time;			/* ns */
	u32 precision;
	struct fxt_reference thread;
	struct fxt_string category, name;
	u64 extra;			/* the type's word */
};

static inline bool fxt_is(struct fxt_string string, const char *text)
{
	return string.length == strlen(text) && !memcmp(string.text, text, string.length);
}

/* ---- import_values.c: what the record holds next; @bad is set where it ends before ---- */

u64 fxt_next(struct fxt_import *fxt);
/* Bytes, which are in the order of bytes whatever that of the words is. */
struct fxt_string fxt_stream(struct fxt_import *fxt, size_t length);
struct fxt_string fxt_string_of(struct fxt_import *fxt, u64 reference);
struct fxt_reference fxt_thread_of_ref(struct fxt_import *fxt, u64 reference);
void fxt_read_arguments(struct fxt_import *fxt, unsigned int count);
/* Ticks as nanoseconds. */
u64 fxt_time_of(struct fxt_import *fxt, u64 ticks);
/* How long a tick is, in whole nanoseconds: in that time something happened at. */
u32 fxt_tick_of(const struct fxt_import *fxt);

/* ---- import_records.c --------------------------------------------------------- */

/* Tells what the record says; of one that is large, of @large words, its beginning is there. Returns 0 or a negative errno. */
int fxt_record(struct fxt_import *fxt, u64 large);

/* ---- import_objects.c: each returns 0 or a negative errno ---------------------- */

int fxt_user_object(struct fxt_import *fxt, u64 header);
int fxt_blob(struct fxt_import *fxt, struct fxt_string name, size_t bytes);
/* A large record of @size words. */
int fxt_large_record(struct fxt_import *fxt, u64 size);

/* ---- tables.c ------------------------------------------------------------------ */

/* Goes on with the records of a provider. Returns 0 or -ENOMEM. */
int fxt_use_provider(struct fxt_import *fxt, u32 id);
int fxt_set_string(struct fxt_import *fxt, unsigned int index, const char *text, size_t length);
void fxt_free_tables(struct fxt_import *fxt);
/* Finds or adds a koid. Returns NULL if there is no memory, or if there are too many. */
struct fxt_koid *fxt_koid(struct fxt_import *fxt, u64 koid, bool is_thread);
/* Returns the process ID in the log. */
u32 fxt_process_id(struct fxt_import *fxt, u64 koid);
/* Returns the koid of the process of a thread, 0 if nobody told. */
u64 fxt_process_of(const struct fxt_import *fxt, u64 tid);
struct fxt_value *fxt_find(struct fxt_import *fxt, const char *name);
/* Returns the value of an argument that is a number, else @otherwise. */
u64 fxt_number(struct fxt_import *fxt, const char *name, u64 otherwise);

/* ---- ours.c, foreign.c ---------------------------------------------------------- */

/* Tells an event. Each returns 0 or a negative errno. */
int fxt_ours(struct fxt_import *fxt, const struct fxt_happened *event);
/* An object of bcoslog tells what a group states: when its subject began. Each returns 0 or a negative errno. */
int fxt_our_process(struct fxt_import *fxt, u64 koid, struct fxt_string name);
int fxt_our_device(struct fxt_import *fxt, struct fxt_string name);
int fxt_foreign(struct fxt_import *fxt, const struct fxt_happened *event);

#endif
