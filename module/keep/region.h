/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A region of memory that survives a warm reboot, since no kernel uses it: the user reserves it on
 * the kernel's command line. Nothing that is wrong with it makes the load fail: one sentence says
 * what to change, and the log lives in ordinary pages.
 */
#ifndef BCOS_REGION_H
#define BCOS_REGION_H

#include <linux/types.h>

/*
 * bcos_region_up() finds and maps the region that the parameters name, if there is one, and takes
 * what a former kernel left there to module/keep/last.h. Returns 0.
 */
int bcos_region_up(void);
/* The region has this log afterwards, or the former one, if nobody has released that. */
void bcos_region_down(void);

/*
 * The load succeeds: the region is that of this log, and the former one is only in the copy.
 * Returns 0.
 */
int bcos_region_settle(void);

/*
 * Gives the region back; the log then lives in ordinary pages. Before bcos_region_settle() the
 * region gets back what a former kernel left there, since the copy may end with the load.
 */
void bcos_region_refuse(void);

/* These return the mapping of the region, write-back, or NULL; its address; its size in bytes. */
void *bcos_region_base(void);
u64 bcos_region_address(void);
u64 bcos_region_size(void);

/* Is this address in the mapping? */
bool bcos_region_has(const void *address);

/*
 * Writes cached bytes back to memory, if they are in the region, before any later store. Context:
 * any, also NMI. @size may be 0.
 */
void bcos_region_write_back(const void *address, size_t size);

#endif
