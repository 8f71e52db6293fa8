/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where the log lies that outlives its recorder: its image in a folder of /run, the maps of the programs in one of the
 * BPF file system.  Both folders have one name.  A lock in each says whose they are, since processes may share one folder and
 * not the other; it ends with its process, however that ends.
 */
#ifndef BCOSLOG_PLACE_H
#define BCOSLOG_PLACE_H

#include "core/host/user.h"

#include "bcoslog.h"

#define PLACE_RUN	"/run"
#define PLACE_PINS	"/sys/fs/bpf"

/* Names in the folder in /run: the image, one that is being made, one that nobody could go on with, and the lock. */
#define PLACE_IMAGE	"image"
#define PLACE_NEW	"image.new"
#define PLACE_ASIDE	"image.former"
#define PLACE_LOCK	"lock"

/* The longest name, and the most bytes of a path that is made of one. */
#define PLACE_NAME	32
#define PLACE_PATH	128

/* @run, @lock, @pinned: descriptors, -1 if closed; @pins: the folder in the BPF file system, which @pinned locks */
struct place {
	char name[PLACE_NAME + 1];
	int run, lock, pinned;
	char pins[PLACE_PATH];
};

/**
 * place_open() - make the folders if they are not there, and lock them
 * @place: receives the place; place_close() closes it, also after a failure
 * @name: of the folders: letters, digits, - and _
 * @error: receives the reason of a failure
 *
 * Others must not be able to write to the folders.  The descriptors belong to the calling thread.
 *
 * Return: 0; -EBUSY if another process has the lock; another negative errno.
 */
int place_open(struct place *place, const char *name, struct bcoslog_error *error);
/* Give up the lock.  The folders stay. */
void place_close(struct place *place);
/* Likewise, and remove the folders, unless they have a log, or are those of another process. */
void place_vacate(struct place *place);

/* Choose a folder for the pins of a recorder that begins, which nobody has. */
void place_name_pins(const struct place *place, char pins[PLACE_PATH]);
/* Remove the pins of all recorders but of those whose folders are @keep and @other. */
void place_tidy(const struct place *place, const char *keep, const char *other);

#endif
