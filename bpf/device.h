/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Devices: their keys, names and transfers. User space names the devices for which it gets uevents.
 * A program names a device that transfers something before user space has named it, or that is in
 * another network namespace, from which user space gets no uevents. Where programs can attach to
 * functions, they also record at once when devices appear and disappear.
 */
#ifndef BCOS_BPF_DEVICE_H
#define BCOS_BPF_DEVICE_H

#include "stage.h"

/* The keys of devices that are named. */
struct bcos_bpf_named {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, u64);
	__type(value, u8);
};

extern struct bcos_bpf_named bcos_named SEC(".maps");

/* A DEVICE record. User space completes the names. */
struct bcos_bpf_device {
	struct bcos_raw raw;
	struct bcos_raw_event event;
	struct bcos_raw_device device;
	char name[16];
	char sort[16];			/* of a network interface: kind in rtnetlink, or empty */
};

struct bcos_bpf_amount {
	struct bcos_raw raw;
	struct bcos_raw_device device;
};

static __always_inline bool bcos_is_named(u64 key)
{
	return bpf_map_lookup_elem(&bcos_named, &key);
}

/*
 * Names a device, which must exist at this moment. @name is an array of 16 bytes. @sort is the kind
 * of a network interface, or NULL. @aux is BCOS_RAW_ELSEWHERE or 0.
 */
static __always_inline void bcos_name_device(u64 key, u16 aux, const void *name, const void *sort)
{
	struct bcos_bpf_device record = {
		.raw = { .kind = BCOS_RAW_DEVICE, .units = 5, .aux = aux },
		.device = { .key = key },
	};
	u8 one = 1;

	bpf_probe_read_kernel_str(record.name, sizeof(record.name), name);
	if (sort)
		bpf_probe_read_kernel_str(record.sort, sizeof(record.sort), sort);
	if (bcos_put(&record, sizeof(record)))
		bpf_map_update_elem(&bcos_named, &key, &one, BPF_ANY);
}

/* Stages a record about a device: the counterpart of bcos_device_put() in the module. */
static __always_inline void bcos_device_put(u8 kind, u16 aux, u32 id, u64 key, u64 amount)
{
	struct bcos_bpf_amount record = {
		.raw = { .kind = kind, .units = 2, .aux = aux, .id = id },
		.device = { .key = key, .amount = amount },
	};

	bcos_put(&record, sizeof(record));
}

/*
 * Records that a device is gone. The record is needed even if the map lacks the key, since the map
 * forgets the keys that were least recently used.
 */
static __always_inline void bcos_device_gone(u64 key)
{
	bpf_map_delete_elem(&bcos_named, &key);
	bcos_device_put(BCOS_RAW_DEVICE_GONE, 0, 0, key, 0);
}

#endif
