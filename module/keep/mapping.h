/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mapping of the log has the control page, then the ring's data, twice in a row, so that no
 * entry wraps. Its pages are those of the image.
 */
#ifndef BCOS_MAPPING_H
#define BCOS_MAPPING_H

#include <linux/types.h>

/*
 * Rounds bcos_params.ring_kb up, and raises it to what the possible CPUs need. Returns 0.
 */
int bcos_mapping_settle(void);

/**
 * bcos_mapping_up() - allocate and map the ring
 *
 * Context: module load; may sleep. The image is planned.
 * Return: 0, -ENOMEM or -EINTR.
 */
int bcos_mapping_up(void);
void bcos_mapping_down(void);

void *bcos_mapping_base(void);
u64 bcos_mapping_size(void);
void *bcos_mapping_ring(void);
u64 bcos_mapping_ring_size(void);

#endif
