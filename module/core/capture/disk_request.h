/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What probes and BPF programs tell of a request of a disk. The includer provides
 * BCOS_REQUEST_BIT(flags, NAME): bit REQ_NAME of the kernel's flags, as 0 or 1.
 */
#ifndef BCOS_CORE_DISK_REQUEST_H
#define BCOS_CORE_DISK_REQUEST_H

#include "core/raw/raw.h"

/* Returns the flags of a request as records hold them, without branches. */
static __always_inline u16 bcos_disk_request_flags(u32 flags)
{
	return (u16)(BCOS_REQUEST_BIT(flags, SYNC) * BCOS_REQUEST_SYNC |
		     BCOS_REQUEST_BIT(flags, META) * BCOS_REQUEST_META |
		     BCOS_REQUEST_BIT(flags, FUA) * BCOS_REQUEST_FUA |
		     BCOS_REQUEST_BIT(flags, PREFLUSH) * BCOS_REQUEST_PREFLUSH |
		     BCOS_REQUEST_BIT(flags, RAHEAD) * BCOS_REQUEST_AHEAD);
}

/* Returns the unit after the first one of REQUEST_START. */
static __always_inline struct bcos_raw_request_start
bcos_disk_request_start(u64 request, u32 thread, u32 whose)
{
	return (struct bcos_raw_request_start){
		.request_low = (u32)request,
		.request_high = (u16)(request >> 32),
		.thread = thread,
		.whose = whose,
	};
}

/* Returns the unit after the first one of REQUEST_END. */
static __always_inline struct bcos_raw_request_end
bcos_disk_request_end(u64 request, u64 sector, u32 bytes)
{
	return (struct bcos_raw_request_end){
		.request_low = (u32)request,
		.request_high = (u16)(request >> 32),
		.sector_low = (u32)sector,
		.sector_high = (u16)(sector >> 32),
		.bytes = bytes,
	};
}

#endif
