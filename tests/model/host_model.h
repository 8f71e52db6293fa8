/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * core/host/user.h, except that everything that orders accesses uses the simulated memory of model.h. The compiler
 * includes this file before all others.
 */
#ifndef TEST_MODEL_HOST_MODEL_H
#define TEST_MODEL_HOST_MODEL_H

#include <stdlib.h>

#include "core/host/user.h"
#include "model.h"

#undef smp_mb
#undef smp_rmb
#undef smp_wmb
#undef READ_ONCE
#undef WRITE_ONCE
#undef smp_load_acquire
#undef smp_store_release
#undef host_barrier_before
#undef host_barrier_after
#undef host_copy_racy

/* The number of the place at which this macro stands, which is looked up once. */
#define MODEL_HERE(kind, what) ({ \
	static int here_; \
	if (!here_) \
		here_ = model_name(kind, __FILE__, __func__, __LINE__, what) + 1; \
	here_ - 1; \
})

#define smp_mb() model_barrier(MODEL_FULL, MODEL_HERE(MODEL_FULL, ""))
#define smp_rmb() model_barrier(MODEL_READ, MODEL_HERE(MODEL_READ, ""))
#define smp_wmb() model_barrier(MODEL_WRITE, MODEL_HERE(MODEL_WRITE, ""))
#define READ_ONCE(x) ((__typeof__((x) + 0))model_load(&(x), sizeof(x), -1))
#define WRITE_ONCE(x, v) model_store(&(x), sizeof(x), (uint64_t)(v), -1)
#define smp_load_acquire(p) ((__typeof__(*(p) + 0))model_load((p), sizeof(*(p)), MODEL_HERE(MODEL_ACQUIRE, #p)))
#define smp_store_release(p, v) model_store((p), sizeof(*(p)), (uint64_t)(v), MODEL_HERE(MODEL_RELEASE, #p))

#define host_barrier_before() model_barrier(MODEL_FULL, MODEL_HERE(MODEL_FULL, ""))
#define host_barrier_after(time) ((void)(time), model_barrier(MODEL_FULL, MODEL_HERE(MODEL_FULL, "")))
#define host_copy_racy(to, from, size) model_memcpy((to), (from), (size))

/* The compiler does not instrument the C library, so its functions would bypass the simulated memory. */
#define memcpy(to, from, size) model_memcpy((to), (from), (size))
#define memset(to, value, size) model_memset((to), (value), (size))

#endif
