/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Makes a log of an image (uapi/bcos_image.h): the entries that the log writer wrote, the records that lay in the
 * staging rings, merged by the same core, and statements how it ended and what is missing.
 */
#ifndef BCOSLOG_RECOVER_H
#define BCOSLOG_RECOVER_H

#include "core/image/image.h"
#include "core/raw/raw.h"

#include "bcoslog.h"

/**
 * struct recover_end - the end of a stage, as memory tells it beside the image
 * @known: @head was read
 * @head: the end
 * @ring: the ring of the stage, if that is beside the image, too; else NULL. Unit N is at N % @units
 * @units: size of @ring in units, a power of two
 */
struct recover_end {
	bool known;
	struct bcos_image_head head;
	const struct bcos_unit *ring;
	u64 units;
};

/**
 * struct recovered - what came of an image
 * @state: BCOS_IMAGE_RUNNING, BCOS_IMAGE_SEALED or BCOS_IMAGE_CLEAN
 * @dumped: the memory was dumped while the kernel was there
 * @reason: how it ended, a sentence without its period
 * @boot: boot ID
 * @kernel: release and architecture
 * @wall: ns since 1970 (UTC) when the image was begun
 * @end: when it ended, as far as known; ns since boot
 * @newest: time of the newest entry; ns since boot
 * @entries: entries of the log in the image
 * @merged: entries that were added
 * @damaged: bytes of the log that are damaged
 * @unread: units of staging rings that cannot be read
 * @keyless: the table of devices is missing, so records about them are lost
 */
struct recovered {
	u64 state;
	bool dumped;
	char reason[400];
	char boot[40];
	char kernel[144];
	u64 wall;
	u64 end, newest;
	u64 entries, merged;
	u64 damaged, unread;
	bool keyless;
};

/**
 * recover_image() - make a log of an image
 * @bytes: the image in one piece, aligned to 8 bytes; any bytes
 * @size: bytes of it
 * @ends: where the stages end, of a dump of memory; BCOS_IMAGE_CPUS_MAX + 1 of them at most, or NULL
 * @fd: an empty file; receives the log
 * @recovered: receives what came of it
 * @error: receives the reason of a failure
 *
 * Return: 0; -EILSEQ if there is no image, -EBADMSG if it is damaged, -ENODATA if it ended before its log began, or
 * another negative errno.
 */
int recover_image(const void *bytes, u64 size, const struct recover_end *ends, int fd, struct recovered *recovered,
		  struct bcoslog_error *error);

#endif
