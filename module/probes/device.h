/* SPDX-License-Identifier: GPL-2.0-only */
/* What the sources of device records share: how a device is named in them, and how they are staged. */
#ifndef BCOS_PROBES_DEVICE_H
#define BCOS_PROBES_DEVICE_H

#include <linux/device.h>

#include "probes.h"

/* A device as records name it: by its range of IDs, and where it is in memory. */
static __always_inline u32 bcos_device_key(u32 range, const void *device)
{
	return range | ((u32)((unsigned long)device >> 6) & ~BCOS_RAW_RANGE);
}

/**
 * struct bcos_found - a device to be announced
 * @key: bcos_device_key()
 * @name: what it is called
 * @parent: what it hangs on, or NULL
 * @stacked: it passes on to others what it is given
 * @found: it was there before the log
 * @by_user: the process that announces it is its driver
 */
struct bcos_found {
	u32 key;
	const char *name;
	const struct device *parent;
	bool stacked;
	bool found;
	bool by_user;
};

/* It is there, or is called otherwise from now on.  May sleep. */
void bcos_device_announce(const struct bcos_found *found);

/* It is gone; @surprise: it was pulled out.  Any context. */
void bcos_device_gone(u32 key, bool surprise);

/* Its link is up, or down.  Any context. */
void bcos_device_link(u32 key, bool up);

/**
 * bcos_device_amount() - bytes came, went, or did neither
 * @kind: BCOS_RAW_INPUT, BCOS_RAW_OUTPUT, BCOS_RAW_FAULT
 * @key: of the device
 * @bytes: how many
 * @operation: FAULT: enum bcos_operation
 * @sector: FAULT
 * @error: FAULT: a positive errno
 *
 * Context: any.
 */
static __always_inline void bcos_device_amount(enum bcos_raw_kind kind, u32 key, u64 bytes, u16 operation, u64 sector,
					       u32 error)
{
	struct bcos_raw raw = { .kind = kind, .units = 2, .aux = operation, .id = key };
	union {
		struct bcos_raw_amount amount;
		struct bcos_unit unit;
	} tail = {
		.amount.bytes = bytes,
		.amount.sector = (sector & ((1ull << BCOS_RAW_SECTOR_BITS) - 1)) | (u64)error << BCOS_RAW_SECTOR_BITS,
	};

	bcos_put_anywhere(&raw, &tail.unit);
}

/* Bring-up of the sources: whatever devices are there are announced.  May sleep. */
int bcos_block_up(void);
void bcos_block_down(void);
int bcos_net_up(void);
void bcos_net_down(void);
int bcos_input_up(void);
void bcos_input_down(void);

/* Is the class recorded?  For input, which has no tracepoint. */
extern bool bcos_io_on;

#endif
