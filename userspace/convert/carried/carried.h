/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The log within an export. A format says less than a log, so an export carries the log itself where the format has room
 * for it, and a conversion back returns the same bytes. The log is packed as a recording is (lib/archive/format/format.h):
 *
 *	note, frame	any number of these pairs
 *	seal		a skippable frame: magic number, size, "BCOSseal", u32 version, u32 0; then of the log,
 *			unpacked, u64 size and sum; u64 size of the pairs; of the export without the carried log,
 *			u64 size and sum; and u64 sum of the seal from the word on
 *
 * The sums reveal accidental damage, and that somebody has changed the export; they are no proof against whoever wants to
 * deceive. So nothing of a carried log is trusted: it is checked as any input is.
 */
#ifndef CONVERT_CARRIED_H
#define CONVERT_CARRIED_H

#include "../convert.h"

/* The name of the file with the carried log, in an export that is a directory. */
#define CARRIED_NAME "log.bcos.zst"
/* Size of the seal in bytes. */
#define CARRIED_SEAL 72u
/* Unless it is asked for, a log is carried only if it takes less than this part of the export's size. */
#define CARRIED_SHARE 5

/* ---- sum.c ------------------------------------------------------------------------------- */

/* The sum of bytes so far, and how many they are. */
struct sum {
	u64 size, value;
	u8 part[8];
};

void sum_add(struct sum *sum, const void *bytes, size_t size);
/* Returns the sum of all bytes. None may be added after it. */
u64 sum_end(struct sum *sum);
/*
 * Adds the first @size bytes of a file. Returns 0, -EINTR, -EBADMSG if the file is shorter, or another negative errno.
 * @guard: counts what is read, or NULL.
 */
int sum_add_file(struct sum *sum, int fd, u64 size, struct guard *guard);
/* The same for the first bytes of an input, which has to be seekable. */
int sum_add_input(struct sum *sum, struct input *input, u64 size);
/*
 * Adds the names and contents of all files below a folder, in the order of their names, but for the carried log and
 * hidden files. Returns 0 or a negative errno.
 */
int sum_add_folder(struct sum *sum, const char *folder, struct guard *guard);

/* ---- seal.c ------------------------------------------------------------------------------ */

/* What the seal says. @packed: size of the pairs of note and frame. */
struct seal {
	u64 log_size, log_sum, packed, export_size, export_sum;
};

void seal_put(u8 to[CARRIED_SEAL], const struct seal *seal);
/* Returns false if the bytes are no seal, or a damaged one. */
bool seal_get(const u8 from[CARRIED_SEAL], struct seal *seal);

/* ---- carrier.c: an export ---------------------------------------------------------------- */

/*
 * Packs the log that goes into an export. The carrier keeps it in a temporary file, since the export's size, on which it
 * depends whether the log is carried, is known only at the end.
 */
struct carrier;

/*
 * @output: the output, beside which the temporary file is
 * @asked: the user has asked for the carried log, so it is carried however large it is, and a failure is an error
 * Returns NULL if it was not asked for and there is no memory, file or zstd; or, with *@r, after a complaint.
 */
struct carrier *carrier_new(const char *output, bool asked, int *r);
void carrier_free(struct carrier *carrier);
/* Adds an entry. A failure shows in carrier_seal(). */
void carrier_add(struct carrier *carrier, const struct bcos_entry *entry);
/* The log is damaged here, which its entries do not tell, so it cannot be carried. */
void carrier_spoil(struct carrier *carrier);

/*
 * These functions end a carried log, after all else of the export is written. @export->carrier may be NULL. They return the
 * size of the carried log; 0 if none is carried; or, after a complaint, a negative errno.
 */
/* The export is the folder @folder, which gets the file CARRIED_NAME. @export_size: its size so far. */
s64 carrier_into_folder(struct export *export, const char *folder, u64 export_size);
/* The export is @export->output->file. The caller writes the carried log there, which it gets from carrier_get(). */
s64 carrier_into_file(struct export *export);
/* The same, for a format whose readers pass over what follows the end: this writes the carried log there. */
int carrier_append(struct export *export);
/* Reads the carried log from @offset on. Returns 0 or, after a complaint, a negative errno. */
int carrier_get(struct export *export, u64 offset, void *to, size_t size);

/* ---- carried.c: an import ---------------------------------------------------------------- */

/**
 * struct carried - a carried log that was found in an input
 * @get: reads bytes of it; returns false if it has none there
 * @context: passed to @get
 * @size: its size, with the seal
 * @sum: the sum of the rest of the input
 */
struct carried {
	bool (*get)(void *context, u64 offset, void *to, size_t size);
	void *context;
	u64 size;
	struct sum sum;
};

/**
 * carried_take() - make a log of the carried one
 * @import: the import
 * @carried: the carried log
 *
 * The whole carried log is read and checked before the log_writer gets anything. It is left out, after a complaint, if it
 * is damaged, or if the rest of the input is not the export that it was put into.
 *
 * Return: 1: the log is written, and the import is done; 0: it is left out, and the caller reads the input as any other; or
 * a negative errno.
 */
int carried_take(struct import *import, struct carried *carried);
/* The same for a file, which has a carried log if a seal is its end. A pipe has none. */
int carried_take_tail(struct import *import);
/* The same for the folder of an export, which need not have a carried log. */
int carried_take_folder(struct import *import, const char *folder);

#endif
