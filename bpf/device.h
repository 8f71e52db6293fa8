/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Devices: keys, and what is transferred.  User space names those that it is
 * told of; one that transfers something before that, or of which user space
 * is told nothing (another network namespace), is named here.  Where functions
 * can be hooked, programs also see them come and go, when they do.
 */
#ifndef BCOS_BPF_DEVICE_H
#define BCOS_BPF_DEVICE_H

#include "stage.h"

struct bcos_bpf_named {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, u64);
	__type(value, u8);
};

extern struct bcos_bpf_named bcos_named SEC(".maps");

/* A name that user space completes. */
struct bcos_bpf_device {
	struct bcos_raw raw;
	struct bcos_raw_event event;
	struct bcos_raw_device device;
	char name[16];
	char sort[16];			/* of a network interface: as rtnetlink has it, or empty */
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
 * 16 bytes at @name are what it is called; so many at @sort, or NULL, what it is; @aux is BCOS_RAW_ELSEWHERE or
 * none.  It is there now: of what has gone nobody may say so.
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

/* As the module's bcos_device_put(). */
static __always_inline void bcos_device_put(u8 kind, u16 aux, u32 id, u64 key, u64 amount)
{
	struct bcos_bpf_amount record = {
		.raw = { .kind = kind, .units = 2, .aux = aux, .id = id },
		.device = { .key = key, .amount = amount },
	};

	bcos_put(&record, sizeof(record));
}

/* Whether or not it is known here that it was there: the map forgets the least recently used. */
static __always_inline void bcos_device_gone(u64 key)
{
	bpf_map_delete_elem(&bcos_named, &key);
	bcos_device_put(BCOS_RAW_DEVICE_GONE, 0, 0, key, 0);
}

#endif
