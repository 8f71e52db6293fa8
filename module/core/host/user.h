/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * User space's half of module/core/host/host.h: the kernel's names on C11 and the compiler's
 * atomics.
 */
#ifndef BCOS_HOST_USER_H
#define BCOS_HOST_USER_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif
/* User space has nobody to report a broken invariant to. */
#define host_broken(condition) unlikely(condition)
#ifndef noinline
#define noinline __attribute__((noinline))
#endif
#define ____cacheline_aligned __attribute__((aligned(64)))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define barrier() __asm__ volatile("" ::: "memory")
#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v) __atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#define smp_load_acquire(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define smp_store_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)

/* See module/core/raw/stage.h. */
#ifdef __aarch64__

#define host_barrier_before() __asm__ volatile("dsb ish" ::: "memory")

static inline void host_barrier_after(u64 time)
{
	(void)time;
	__asm__ volatile("isb\n\tdmb ish" ::: "memory");
}

#else

#define host_barrier_before() smp_mb()

/*
 * The exchange cannot happen before @time is known; a fence for memory does not wait for a clock.
 */
static inline void host_barrier_after(u64 time)
{
	u64 sink = 0;

	(void)__atomic_exchange_n(&sink, time, __ATOMIC_SEQ_CST);
	__asm__ volatile("" : : "m"(sink) : "memory");
}

#endif

#define sizeof_field(type, member)	sizeof(((type *)NULL)->member)

#define container_of(address, type, member)						\
	((type *)(void *)((char *)(address) - offsetof(type, member)))

/* Returns @a * @b / 2^@shift. The product has 128 bits. */
static __always_inline u64 host_multiply_shift(u64 a, u64 b, unsigned int shift)
{
	return (u64)((__extension__ (unsigned __int128)a * b) >> shift);
}

#define host_prefetch(address) __builtin_prefetch(address)

static inline void host_relax(void)
{
	__asm__ volatile("" ::: "memory");
}

#ifdef __SANITIZE_THREAD__
#define BCOS_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define BCOS_TSAN 1
#endif
#endif

/*
 * The thread sanitizer checks a memcpy() even in functions that it is told to leave out. So under
 * it, this copies byte by byte.
 */
#ifdef BCOS_TSAN
__attribute__((no_sanitize("thread"), unused)) static void
host_copy_racy(void *to, const void *from, size_t size)
{
	volatile const char *source = from;
	char *target = to;

	while (size--)
		*target++ = *source++;
}
#else
#define host_copy_racy(to, from, size) memcpy((to), (from), (size))
#endif

/*
 * Works like the kernel's scnprintf(): returns the bytes that are written, without the final zero.
 */
static inline __attribute__((format(printf, 3, 4))) int
host_format(char *buf, size_t size, const char *fmt, ...)
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
