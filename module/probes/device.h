/* SPDX-License-Identifier: GPL-2.0-only */
/* What the sources of device records share: how a device is named in them, and how they are staged. */
#ifndef BCOS_PROBES_DEVICE_H
#define BCOS_PROBES_DEVICE_H

#include <linux/device.h>

#include "probes.h"

/* A device as records name it: by its range of IDs, and where it is in memory, of which the two upper bits are alike. */
static __always_inline u64 bcos_device_key(u32 range, const void *device)
{
	return BCOS_RAW_KEY(range, (unsigned long)device);
}

/**
 * struct bcos_found - a device to be announced
 * @key: bcos_device_key()
 * @name: what it is called
 * @parent: what it hangs on, or NULL
 * @stacked: it passes on to others what it is given
 * @found: it was there before the log
 * @elsewhere: it is in another network namespace than the first one
 * @by_user: the process that announces it is its driver
 */
struct bcos_found {
	u64 key;
	const char *name;
	const struct device *parent;
	bool stacked;
	bool found;
	bool elsewhere;
	bool by_user;
};

/* It is there, or is called otherwise from now on.  May sleep. */
void bcos_device_announce(const struct bcos_found *found);

/* It is gone; @surprise: it was pulled out.  Any context. */
void bcos_device_gone(u64 key, bool surprise);

/* Its link is up, or down.  Any context. */
void bcos_device_link(u64 key, bool up);

/**
 * bcos_device_put() - a record about a device
 * @kind: BCOS_RAW_DEVICE_GONE and on to BCOS_RAW_FAULT
 * @aux: as raw.h has it for this kind
 * @id: likewise
 * @key: of the device
 * @amount: as struct bcos_raw_device has it
 *
 * Context: any.
 */
static __always_inline void bcos_device_put(enum bcos_raw_kind kind, u16 aux, u32 id, u64 key, u64 amount)
{
	struct bcos_raw raw = { .kind = kind, .units = 2, .aux = aux, .id = id };
	union {
		struct bcos_raw_device device;
		struct bcos_unit unit;
	} tail = {
		.device = { .key = key, .amount = amount },
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
int bcos_announced_up(void);
void bcos_announced_down(void);

/* Is the class recorded?  For input, which has no tracepoint. */
extern bool bcos_io_on;

#endif
