/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The memory of a machine in a compressed dump, as makedumpfile writes it without -E: a header, a map with a bit for each
 * page of memory, a descriptor for each page that is there, and the pages, each packed by itself. A page of zeros may be
 * there once, for all of them.
 */
#ifndef BCOSLOG_PACKED_H
#define BCOSLOG_PACKED_H

#include "core/host/user.h"

#include "bcoslog.h"

/* The first bytes of such a file. */
#define PACKED_MAGIC "KDUMP   "

/*
 * A search reads at most so many times the bytes of the file, whatever its descriptors claim. Pages in a dump have bytes of
 * their own but for that of zeros, which is searched once, so that a whole dump is read once. It is small since a library may
 * make 255 times as many bytes of what it reads.
 */
#define PACKED_FACTOR 2

struct packed;

/**
 * packed_open() - read the header and the map of a compressed dump
 * @packed: receives the dump, which packed_close() frees
 * @fd: the file, of the caller
 * @file_size: its bytes
 * @name: its name for messages
 * @error: receives the reason of a failure
 *
 * Memory of 1/64 more than the map is needed, and the map is a part of the file.
 *
 * Return: 0; -ENOTSUP for another machine's dump, or a part of one; -EBADMSG for a damaged file; -ENOMEM; -EIO.
 */
int packed_open(struct packed **packed, int fd, u64 file_size, const char *name, struct bcoslog_error *error);
void packed_close(struct packed *packed);

/* What of a dump is missing, as far as its pages were searched and read. */
struct packed_lack {
	u64 pages;		/* that the dump has */
	u32 page_size;		/* bytes */
	u64 cut;		/* pages that it should have, and which are behind the end of the file */
	bool broken;		/* pages that were read are damaged, and became zeros */
	bool unsearched;	/* pages could not be searched: they are damaged, or packed in an unknown way */
	bool incomplete;	/* whoever wrote it says that it did not write all */
	const char *library;	/* which this program lacks, so that pages were not searched or read; NULL: none */
	bool refused;		/* pages that were read need such a library, and became zeros */
	int error;		/* errno of the newest read that failed; 0: none did */
};

struct packed_lack packed_lack(const struct packed *packed);

/* These do what memory_has(), memory_read() and memory_find() do (memory.h). */
bool packed_has(const struct packed *packed, u64 address, size_t size);
void packed_read(struct packed *packed, u64 address, void *to, size_t size);
/* Return: likewise; also -EBADMSG if the descriptors claim more bytes than the file can have. */
int packed_find(struct packed *packed, const void *bytes, size_t size, u64 from, u64 *address);

#endif
