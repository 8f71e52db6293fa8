/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The physical memory of a machine, in a file: an ELF dump, as kdump's makedumpfile -E and QEMU's dump-guest-memory
 * write it, a compressed dump (packed.h), or the bytes themselves.  Memory that the file lacks is zeros, since
 * makedumpfile leaves out such pages.
 */
#ifndef BCOSLOG_MEMORY_H
#define BCOSLOG_MEMORY_H

#include "core/host/user.h"

#include "bcoslog.h"

/* A piece of memory that lies in the file. */
struct memory_piece {
	u64 address;
	u64 size;
	u64 offset;			/* in the file */
};

struct packed;

struct memory {
	int fd;				/* the caller's */
	bool elf;
	struct packed *packed;		/* NULL: the file is no compressed dump; else there are no pieces */
	struct memory_piece *piece;	/* by address; none overlaps another */
	u32 pieces;
	u64 bytes;			/* of all pieces, or of all pages that are packed */
	u64 stored;			/* bytes of the file that have memory */
	u64 cut;			/* bytes that the headers claim behind the end of the file */
	bool broken;			/* packed pages that were read are damaged, and became zeros */
	bool unsearched;		/* packed pages could not be searched: they are damaged, or packed in an unknown way */
	bool incomplete;		/* the dump says that it was not written to its end */
	const char *library;		/* which this program lacks, so that pages were not searched or read; NULL: none */
	bool refused;			/* pages that were read need such a library, and became zeros */
	int error;			/* errno of the newest read that failed; 0: none did */
};

/**
 * memory_open() - find the pieces of memory in a file
 * @memory: receives them
 * @fd: a file that can be sought
 * @name: its name for messages
 * @error: receives the reason of a failure
 *
 * A file may end before the memory that its headers claim, as a copy does that was not finished.
 *
 * Return: 0; -ENOTSUP for a format that this function does not read; -EBADMSG for a damaged file; another negative errno.
 */
int memory_open(struct memory *memory, int fd, const char *name, struct bcoslog_error *error);
void memory_close(struct memory *memory);

/* Return: whether the file has any of the @size bytes of memory at @address. */
bool memory_has(const struct memory *memory, u64 address, size_t size);

/* Read @size bytes of memory at @address; what the file lacks, or does not give, becomes zeros. */
void memory_read(struct memory *memory, u64 address, void *to, size_t size);

/**
 * memory_find() - find the pages that begin with some bytes
 * @memory: the memory
 * @bytes: the bytes
 * @size: number of @bytes
 * @from: the address at which the search begins
 * @address: receives the address of the first such page from there on
 *
 * Searches that go on behind each find read each byte of the file a few times at most.
 *
 * Return: 1; 0 if there is none; -ENOMEM; -EINTR if the program wants no more (archive_patience); -EBADMSG if a compressed
 * dump claims more than its file can have.
 */
int memory_find(struct memory *memory, const void *bytes, size_t size, u64 from, u64 *address);

#endif
