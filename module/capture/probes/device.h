/* SPDX-License-Identifier: GPL-2.0-only */
/* All sources of device records have this part in common. */
#ifndef BCOS_PROBES_DEVICE_H
#define BCOS_PROBES_DEVICE_H

#include <linux/device.h>

#include "probes.h"

/*
 * Returns the key of a device in records: its range of IDs and its address, whose two upper bits
 * are always the same.
 */
static __always_inline u64 bcos_device_key(u32 range, const void *device)
{
	return BCOS_RAW_KEY(range, (unsigned long)device);
}

/**
 * struct bcos_found - a device to announce
 * @key: bcos_device_key()
 * @name: name of the device
 * @parent: parent device, or NULL
 * @stacked: the device passes its transfers on to other devices
 * @found: the device existed before the log, or a walk found it
 * @space: number of its network namespace; 0: the initial one, or none
 * @by_user: the current process is its driver
 */
struct bcos_found {
	u64 key;
	const char *name;
	const struct device *parent;
	bool stacked;
	bool found;
	u32 space;
	bool by_user;
};

/* Announces a device, or its new name. May sleep. */
void bcos_device_announce(const struct bcos_found *found);

/*
 * Adds the record of a device to @seen, the list of a walk, if there is room. Counts the record's
 * units in any case. Context: any.
 */
void bcos_device_see(struct bcos_seen_devices *seen, const struct bcos_found *found);

/* Announces that a device is gone; @surprise: it was removed without warning. Context: any. */
void bcos_device_gone(u64 key, bool surprise);

/* Announces that a network link is up or down. Context: any. */
void bcos_device_link(u64 key, bool up);

/**
 * bcos_device_put() - stage a record about a device
 * @kind: one of BCOS_RAW_DEVICE_GONE to BCOS_RAW_FAULT
 * @aux: as raw.h defines it for this kind
 * @id: as raw.h defines it for this kind
 * @key: key of the device
 * @amount: as in struct bcos_raw_device
 *
 * Context: any.
 */
static __always_inline void bcos_device_put(enum bcos_raw_kind kind, u16 aux, u32 id, u64 key,
					    u64 amount)
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

/* The sources announce all existing devices when they come up. May sleep. */
int bcos_block_up(void);
void bcos_block_down(void);
int bcos_net_up(void);
void bcos_net_down(void);
int bcos_input_up(void);
void bcos_input_down(void);
int bcos_announced_up(void);
void bcos_announced_down(void);

/*
 * Each of these adds the devices of one source to @seen, as of a moment at which no device comes or
 * goes. May sleep, and wait for whoever adds or removes devices. Only one walk may run at a time.
 *
 * Return: 0 or a negative errno, after which nothing stays registered.
 */
int bcos_block_walk(struct bcos_seen_devices *seen);
int bcos_net_walk(struct bcos_seen_devices *seen);
int bcos_input_walk(struct bcos_seen_devices *seen);
int bcos_announced_walk(struct bcos_seen_devices *seen);

/* Is the class "io" on? Input devices need this, since they have no tracepoint. */
extern bool bcos_io_on;

#endif
