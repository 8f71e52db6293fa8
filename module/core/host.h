/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The only seam between the portable core and what it is compiled into.
 *
 * BPF programs see raw records alone, and so no more than the types. The other
 * hosts provide: u8..u64, bool, size_t; memcpy, memset, memcmp, memchr, strlen,
 * strnlen, strncmp, strcmp; READ_ONCE, WRITE_ONCE, barrier, smp_mb, smp_rmb,
 * smp_wmb, smp_load_acquire, smp_store_release; host_barrier_before(), a
 * full barrier that has ended before a clock is read that follows it, and
 * host_barrier_after(time), one that does not begin before the clock was read; likely,
 * unlikely, __always_inline, noinline; EINVAL and its like;
 * host_format(), which is scnprintf; host_relax() for a loop that waits;
 * host_multiply_shift(a, b, n), a * b / 2^n in full; host_prefetch(address);
 * host_copy_racy(), a memcpy whose source may change meanwhile, so that the
 * caller must check afterwards whether it did.
 */
#ifndef BCOS_CORE_HOST_H
#define BCOS_CORE_HOST_H

#ifdef __bpf__
#include "../../bpf/host_bpf.h"
#elif defined(__KERNEL__)
#include "../host_kernel.h"
#else
#include "../../userspace/lib/host_user.h"
#endif

#include "../uapi/bcos_evlog.h"

/* CPUs of a core whose performance is told apart by how many of them are busy. */
#define BCOS_SIBLINGS 8

/* What a core is likely to take and to do (5.5.1, 5.5.2). */
struct bcos_estimate {
	u32 idle_mw;		/* 0: unknown */
	u32 busy_mw;		/* in all, not on top of that */
	u32 performance;	/* instructions in 125 us, of each CPU of it, where they were not counted */
	u32 guessed;		/* 1: that is an estimate; 0: it is stated, or not known */
	u32 counted[BCOS_SIBLINGS];	/* the same while one more than the index of its CPUs are busy; 0: not counted yet */
};

/**
 * struct bcos_host - what the core asks of its host at run time
 * @alloc: zeroed memory, or NULL; called in the log writer's context only, may sleep
 * @free: gives it back; NULL is ignored
 * @core_of: core ID of a CPU that is or was online
 * @estimate: of a core, by one of its CPUs; all zeros is unknown, and so it is without this callback
 * @random: a number that nobody can guess; without this callback it is always the same
 *
 * Every callback gets the context pointer that came with the structure.
 */
struct bcos_host {
	void *(*alloc)(void *context, size_t size);
	void (*free)(void *context, void *memory, size_t size);
	u32 (*core_of)(void *context, u32 cpu);
	void (*estimate)(void *context, u32 cpu, struct bcos_estimate *estimate);
	u64 (*random)(void *context);
};

#endif
