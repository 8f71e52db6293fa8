// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * With -fsanitize=thread the compiler calls these functions for each access to memory. They pass the access to the
 * simulated memory.
 */
#include "model.h"

void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void __tsan_read_range(void *address, unsigned long size);
void __tsan_write_range(void *address, unsigned long size);

void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller)
{
	(void)caller;
}

void __tsan_func_exit(void)
{
}

void __tsan_read_range(void *address, unsigned long size)
{
	model_plain_read(address, size);
}

void __tsan_write_range(void *address, unsigned long size)
{
	model_plain_write(address, size);
}

#define ACCESS(direction, name, size) \
	void __tsan_##name(void *address); \
	void __tsan_##name(void *address) \
	{ \
		model_plain_##direction(address, size); \
	}

ACCESS(read, read1, 1)
ACCESS(read, read2, 2)
ACCESS(read, read4, 4)
ACCESS(read, read8, 8)
ACCESS(read, read16, 16)
ACCESS(read, unaligned_read2, 2)
ACCESS(read, unaligned_read4, 4)
ACCESS(read, unaligned_read8, 8)
ACCESS(read, unaligned_read16, 16)
ACCESS(read, volatile_read1, 1)
ACCESS(read, volatile_read2, 2)
ACCESS(read, volatile_read4, 4)
ACCESS(read, volatile_read8, 8)
ACCESS(write, write1, 1)
ACCESS(write, write2, 2)
ACCESS(write, write4, 4)
ACCESS(write, write8, 8)
ACCESS(write, write16, 16)
ACCESS(write, unaligned_write2, 2)
ACCESS(write, unaligned_write4, 4)
ACCESS(write, unaligned_write8, 8)
ACCESS(write, unaligned_write16, 16)
ACCESS(write, volatile_write1, 1)
ACCESS(write, volatile_write2, 2)
ACCESS(write, volatile_write4, 4)
ACCESS(write, volatile_write8, 8)
