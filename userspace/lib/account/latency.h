/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The log-linear histogram in which latencies are counted: 16 buckets for each power of two of ns. */
#ifndef BCOSLOG_ACCOUNT_LATENCY_H
#define BCOSLOG_ACCOUNT_LATENCY_H

#include "core/host/user.h"

#define LATENCY_STEPS 16
#define LATENCY_BUCKETS (60 * LATENCY_STEPS + LATENCY_STEPS)

/* Return: the bucket of a latency. */
static inline u32 latency_bucket(u64 span)
{
	u32 power;

	if (span < LATENCY_STEPS)
		return (u32)span;
	power = 63 - (u32)__builtin_clzll(span) - 4;
	return (power + 1) * LATENCY_STEPS + (u32)(span >> power) - LATENCY_STEPS;
}

/* Return: the greatest latency that belongs to a bucket. */
static inline u64 latency_bucket_end(u32 bucket)
{
	u32 power;

	if (bucket < LATENCY_STEPS)
		return bucket;
	power = bucket / LATENCY_STEPS - 1;
	return (((u64)(bucket % LATENCY_STEPS) + LATENCY_STEPS + 1) << power) - 1;
}

#endif
