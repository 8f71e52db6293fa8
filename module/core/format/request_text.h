/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The text of a request of a disk (BCOS_EVENT_REQUEST), whose source is the process that issued it:
 *
 *	text = operation flags device " " bytes "@" sector " " times
 *	       [ " t" thread ] [ " p" process ] [ " c" cgroup ] [ " e" errno ]
 *	operation = "R" read | "W" write | "F" flush | "D" discard | "N" other
 *	flags = [ "s" ] [ "m" ] [ "u" ] [ "f" ] [ "a" ] [ "p" ]
 *	times = queue "+" device | "=" both | "?+" device | "?"
 *
 * Numbers are decimal, times in ns. The time of the entry is that of the completion. The thread is
 * left out if it is the process's first one, the process if the source is the one that issued the
 * request and still lives, and the cgroup, which pays for a request of a kernel thread, if there is
 * none or if a process issued the request. Flags: s somebody waits for it, m data of the file
 * system about its files, u on the medium when it completes (FUA), f the device's cache is written
 * back before, a read ahead, p a part, and others follow.
 *
 * Times with "=" are those of a request that the device never got by itself, or of which nobody saw
 * when it got it. After "?" nobody saw the beginning, so the source is process 0, whoever issued
 * it; a flush of the device's cache begins in the kernel itself.
 */
#ifndef BCOS_CORE_REQUEST_TEXT_H
#define BCOS_CORE_REQUEST_TEXT_H

#include "core/raw/raw.h"

/* What the text says. A time that is not known is 0, and so is a thread, process or cgroup. */
struct bcos_request_told {
	enum bcos_operation operation;
	u16 flags;			/* BCOS_REQUEST_* */
	bool has_start, has_issue;	/* the beginning is known; so is when the device got it */
	u32 device;
	u32 bytes;
	u64 sector;			/* of 512 bytes */
	u64 queue;			/* with has_start: ns until the device got it, or in all */
	u64 service;			/* with has_issue: ns on the device */
	u32 thread;
	u32 process;			/* that issued it and has ended */
	u32 cgroup;			/* lower half of the ID of the cgroup that pays */
	u32 error;			/* errno */
};

/* Room for any text, in bytes. */
#define BCOS_REQUEST_TEXT 160

/* Writes the text, which is not zero-terminated. Returns its length. */
size_t bcos_request_format(char *text, const struct bcos_request_told *told);
/* Reads what bcos_request_format() writes. Returns false if the bytes are no such text. */
bool bcos_request_parse(struct bcos_request_told *told, const char *text, size_t length);

#endif
