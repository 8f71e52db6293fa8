/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel log lines, which the log writer reads from the kernel's own buffer. There each line has
 * its level and time, whatever its context, and printing costs no more than before.
 */
#ifndef BCOS_KMSG_H
#define BCOS_KMSG_H

#include "core/raw/stage.h"
#include "core/write/log.h"

/*
 * Brings up the staging for kernel log lines, which the merge has as the source after those of the
 * CPUs.
 */
int bcos_kmsg_up(void);
void bcos_kmsg_down(void);
struct bcos_stage *bcos_kmsg_stage(void);

/* These start and stop the recording of lines. The mask calls them. */
void bcos_kmsg_on(bool on);

/**
 * bcos_kmsg_read() - stage the lines that are new
 * @log: counts those that were gone before they were read (BCOS_LOST_SOURCE), which are stated as a
 *   loss
 * @horizon: ns since boot; lines without a time were printed since then
 *
 * Context: the log writer, before a pass.
 * Return: there are more than found room.
 */
bool bcos_kmsg_read(struct bcos_log *log, u64 horizon);

#endif
