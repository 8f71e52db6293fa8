/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * This header is the only seam between the portable core and what it is compiled into.
 *
 * BPF programs see only raw records, so they need only the types. The other hosts provide:
 * - u8..u64, bool, size_t, EINVAL and the other error numbers
 * - memcpy, memset, memcmp, memchr, strlen, strnlen, strncmp, strcmp
 * - READ_ONCE, WRITE_ONCE, barrier, smp_mb, smp_rmb, smp_wmb, smp_load_acquire, smp_store_release
 * - likely, unlikely, __always_inline, noinline, container_of
 * - host_barrier_before(): a full barrier that ends before a clock that follows it is read
 * - host_barrier_after(time): a full barrier that begins only after the clock gave @time
 * - host_format(): scnprintf
 * - host_broken(condition): returns @condition; if it is true, an invariant is broken, and the
 *   kernel reports that
 * - host_relax(): for the body of a loop that waits
 * - host_multiply_shift(a, b, n): a * b / 2^n, by a product of 128 bits
 * - host_prefetch(address)
 * - host_copy_racy(): a memcpy() whose source may change meanwhile; the caller must check
 *   afterwards whether the source has changed
 */
#ifndef BCOS_CORE_HOST_H
#define BCOS_CORE_HOST_H

#ifdef __bpf__
#include "bpf.h"
#elif defined(__KERNEL__)
#include "kernel.h"
#else
#include "user.h"
#endif

#include "uapi/bcos_evlog.h"

/* A core has separate performance values for up to this many busy CPUs. */
#define BCOS_SIBLINGS 8

/* The estimated power and performance of a core (5.5.1, 5.5.2). */
struct bcos_estimate {
	u32 idle_mw;		/* 0: unknown */
	u32 busy_mw;		/* the whole power, not only what is above idle_mw */
	u32 performance;	/* instructions in 125 us per CPU, where @counted is 0 */
	u32 guessed;		/* 1: performance is an estimate; 0: it is stated or unknown */
	/*
	 * counted[n]: instructions in 125 us per CPU while n + 1 CPUs are busy; 0: not counted yet
	 */
	u32 counted[BCOS_SIBLINGS];
};

/**
 * struct bcos_host - what the core asks of its host at run time
 * @alloc: returns zeroed memory, or NULL; only the log writer calls it, and it may sleep
 * @free: gives memory back; NULL is ignored
 * @core_of: returns the core ID of a CPU that is or was online
 * @estimate: fills in the estimate of a core, given one of its CPUs; all zeros means unknown;
 *   optional
 * @cgroup: writes the path of the control group that the process @id with the tag @tag is in to
 *   @path, which has BCOS_RAW_PATH_MAX bytes, and BCOS_RAW_CGROUP_* to @flags; the process was in
 *   it at a time from @since to *@until, ns since boot; returns the bytes, or 0 if it is unknown;
 *   optional
 * @random: returns a number that nobody can guess; optional, without it the number is constant
 *
 * Every callback gets the context pointer that came with the structure.
 */
struct bcos_host {
	void *(*alloc)(void *context, size_t size);
	void (*free)(void *context, void *memory, size_t size);
	u32 (*core_of)(void *context, u32 cpu);
	void (*estimate)(void *context, u32 cpu, struct bcos_estimate *estimate);
	u64 (*random)(void *context);
	u32 (*cgroup)(void *context, u32 id, u32 tag, u64 since, char *path, u16 *flags,
		      u64 *until);
};

#endif
