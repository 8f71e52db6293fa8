/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Gathers an image from a file: an image itself, with the maps of a recorder, /dev/bcos_evlog.last, or memory in which an image is somewhere. */
#ifndef BCOSLOG_GATHER_H
#define BCOSLOG_GATHER_H

#include "recover.h"

/* A sentence why something is missing. */
#define GATHER_WHY 256

/* Each try reads an image of any size, so that there is a limit. */
#define GATHER_TRIES 8

/**
 * struct gathered - an image in one piece
 * @bytes: the image
 * @size: bytes of it
 * @ends: the ends of the stages, if the image was found in memory, or its maps were read; else NULL
 * @look: has the rings of @ends that come from maps; NULL: none do
 * @unread: why the maps of the image were not read; empty: they were, or it has none
 * @images: images that memory has, each with a good header
 * @passed: images that were begun later, and are so damaged that this one was taken
 * @pages: pages of the image, without those of CPUs that never were online
 * @absent: of these, pages that the dump does not have, and which count as zeros
 * @cut: bytes of memory that the headers of the file claim behind its end
 * @broken: pages of the image are damaged in a compressed dump, and count as zeros
 * @unsearched: pages of a compressed dump could not be searched, so that an image that was begun later may have been missed
 * @incomplete: the dump says that it was not written to its end
 * @failed: errno of a read of the file that failed, so that memory was taken for zeros; 0: none did
 */
struct gathered {
	void *bytes;
	u64 size;
	struct recover_end *ends;
	struct look *look;
	char unread[GATHER_WHY];
	u64 images, passed;
	u64 pages, absent;
	u64 cut;
	bool broken, unsearched, incomplete;
	int failed;
};

/* Return: true if the first bytes of a file are those of an image, or of a dump in which one may be. */
bool gather_knows(const void *bytes, size_t size);

/**
 * gather_image() - find the image in a file, and read it
 * @gathered: receives the image; gather_free() frees it, also after a failure
 * @fd: the file
 * @name: its name for messages
 * @error: receives the reason of a failure
 *
 * The newest records of a recorder of BPF programs are in maps, which are read, too, if that is permitted.
 *
 * If memory has several images, as after a reboot that left it alone, the one counts that was begun last by the wall
 * clock, of those that have a log. The newest GATHER_TRIES are tried.
 *
 * Return: 0; -EILSEQ if there is none; -EINTR if the program wants no more (archive_patience); another negative errno.
 */
int gather_image(struct gathered *gathered, int fd, const char *name, struct bcoslog_error *error);
void gather_free(struct gathered *gathered);

#endif
