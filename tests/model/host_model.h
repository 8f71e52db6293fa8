/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Replaces module/core/host/user.h: the same names, on the simulated memory of model.h. It is included before all else. */
#ifndef BCOS_HOST_USER_H
#define BCOS_HOST_USER_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif
#ifndef noinline
#define noinline __attribute__((noinline))
#endif
#define ____cacheline_aligned __attribute__((aligned(64)))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* The number of the place where this stands; it is looked up once. */
#define MODEL_HERE(kind, what) ({ \
	static int here_; \
	if (!here_) \
		here_ = model_name(kind, __FILE__, __func__, __LINE__, what) + 1; \
	here_ - 1; \
})

#define barrier() __asm__ volatile("" ::: "memory")
#define smp_mb() model_barrier(MODEL_FULL, MODEL_HERE(MODEL_FULL, ""))
#define smp_rmb() model_barrier(MODEL_READ, MODEL_HERE(MODEL_READ, ""))
#define smp_wmb() model_barrier(MODEL_WRITE, MODEL_HERE(MODEL_WRITE, ""))
#define READ_ONCE(x) ((__typeof__((x) + 0))model_load(&(x), sizeof(x), -1))
#define WRITE_ONCE(x, v) model_store(&(x), sizeof(x), (uint64_t)(v), -1)
#define smp_load_acquire(p) ((__typeof__(*(p) + 0))model_load((p), sizeof(*(p)), MODEL_HERE(MODEL_ACQUIRE, #p)))
#define smp_store_release(p, v) model_store((p), sizeof(*(p)), (uint64_t)(v), MODEL_HERE(MODEL_RELEASE, #p))

#define host_barrier_before() model_barrier(MODEL_FULL, MODEL_HERE(MODEL_FULL, ""))
#define host_barrier_after(time) ((void)(time), model_barrier(MODEL_FULL, MODEL_HERE(MODEL_FULL, "")))

static __always_inline u64 host_multiply_shift(u64 a, u64 b, unsigned int shift)
{
	return (u64)((__extension__ (unsigned __int128)a * b) >> shift);
}

#define host_prefetch(address) __builtin_prefetch(address)
#define host_broken(condition) (condition)
#define host_relax() __asm__ volatile("" ::: "memory")
#define host_copy_racy(to, from, size) model_memcpy((to), (from), (size))

/* Calls of the C library are not instrumented. */
#define memcpy(to, from, size) model_memcpy((to), (from), (size))
#define memset(to, value, size) model_memset((to), (value), (size))

static inline __attribute__((format(printf, 3, 4))) int host_format(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(buf, size, fmt, args);
	va_end(args);
	if (n < 0 || !size)
		return 0;
	return (size_t)n < size ? n : (int)size - 1;
}

#endif
