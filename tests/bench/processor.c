// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Measures one full barrier and one ordered clock read natively, since under emulation each counts as an instruction.
 *
 * Prints one object of JSON: nanoseconds each, the least of some rounds, without the loop around it.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define TIMES 2000000
#define ROUNDS 15

#if defined(__x86_64__)

static double read_clock(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* A store precedes each instruction, as in staging, so that a barrier has something to wait for. */
#define MEASURE(instruction, ...)                                                       \
	({                                                                              \
		double least_ = 1e9, begin_, took_;                                     \
		volatile uint32_t word_;                                                \
		int round_, i_;                                                         \
		for (round_ = 0; round_ < ROUNDS; round_++) {                           \
			begin_ = read_clock();                                          \
			for (i_ = 0; i_ < TIMES; i_++) {                                \
				word_ = 1;                                              \
				__asm__ volatile(instruction : : : "memory", "cc", ##__VA_ARGS__); \
			}                                                               \
			took_ = (read_clock() - begin_) / TIMES;                        \
			if (took_ < least_)                                             \
				least_ = took_;                                         \
		}                                                                       \
		(void)word_;                                                            \
		least_;                                                                 \
	})

int main(void)
{
	double loop = MEASURE("");

	printf("{\"lock_addl_ns\":%.2f,", MEASURE("lock; addl $0,-132(%%rsp)") - loop);
	printf("\"mfence_ns\":%.2f,", MEASURE("mfence") - loop);
	printf("\"rdtsc_ns\":%.2f,", MEASURE("rdtsc", "rax", "rdx") - loop);
	printf("\"lfence_rdtsc_ns\":%.2f,", MEASURE("lfence; rdtsc", "rax", "rdx") - loop);
	printf("\"rdtscp_ns\":%.2f}\n", MEASURE("rdtscp", "rax", "rcx", "rdx") - loop);
	return 0;
}

#else

int main(void)
{
	fprintf(stderr, "processor: knows x86-64 alone\n");
	return 1;
}

#endif
