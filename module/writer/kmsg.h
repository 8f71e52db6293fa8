/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The log writer reads the lines of the kernel's log from the kernel's own buffer. There each line
 * has its level and time, whatever context printed it, and printing costs no more than without this
 * module.
 */
#ifndef BCOS_KMSG_H
#define BCOS_KMSG_H

#include "core/raw/stage.h"
#include "core/write/log.h"

/*
 * bcos_kmsg_up() creates the staging for lines of the kernel's log. For the merge it is the source
 * after those of the CPUs.
 */
int bcos_kmsg_up(void);
void bcos_kmsg_down(void);
struct bcos_stage *bcos_kmsg_stage(void);

/* These start and stop the recording of lines. The mask calls them. */
void bcos_kmsg_on(bool on);

/**
 * bcos_kmsg_read() - stage the lines that are new
 * @log: counts the lines that the kernel overwrote before they were read (BCOS_LOST_SOURCE), and
 *   states this loss
 * @horizon: ns since boot; lines without a time were printed since then
 *
 * Context: the log writer, before a pass.
 * Return: true if there are more lines than found room.
 */
bool bcos_kmsg_read(struct bcos_log *log, u64 horizon);

/* Returns the number of a record before which each line is staged. Context: any. */
u64 bcos_kmsg_staged(void);

/**
 * bcos_kmsg_rest() - get the newest lines that are not staged, at the end of the kernel
 * @text: out: the lines, as of syslog(2)
 * @size: of @text in bytes
 * @first: out: number of the first of these records
 * @missing: out: number of records before it that do not fit
 *
 * Context: any, also NMI; the log writer may be anywhere. Takes no lock.
 * Return: bytes of @text; 0 if there are no lines, or the class is off.
 */
size_t bcos_kmsg_rest(char *text, size_t size, u64 *first, u64 *missing);

#endif
