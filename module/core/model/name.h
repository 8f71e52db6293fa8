/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The name of a process is made of its comm: at most 15 bytes of any kind, which become valid UTF-8
 * and never an empty string.
 */
#ifndef BCOS_CORE_NAME_H
#define BCOS_CORE_NAME_H

#include "core/format/entry.h"
#include "model.h"

#define BCOS_NAME_ONES 0x0101010101010101ull
#define BCOS_NAME_HIGH (BCOS_NAME_ONES << 7)

/*
 * Copies @comm, which has BCOS_RAW_NAME bytes, the last of which is ignored, and pads it with
 * zeros. Nearly every name is ASCII. Copies nothing and returns 0 if the name is not ASCII; returns
 * 0 for an empty name, too. Else returns the length of the name.
 */
static __always_inline u8 bcos_name_of_ascii(char *to, const char *comm)
{
	u64 first, second, zero;
	u8 before = 0;

	memcpy(&first, comm, sizeof(first));
	memcpy(&second, comm + sizeof(first), sizeof(second));
	second &= ~0ull >> 8;
	if (unlikely((first | second) & BCOS_NAME_HIGH))
		return 0;
	/* The lowest bit in @zero is that of the first zero byte, since no byte is above 0x7F. */
	zero = (first - BCOS_NAME_ONES) & BCOS_NAME_HIGH;
	if (zero) {
		first &= zero ^ (zero - 1);
		second = 0;
	} else {
		before = sizeof(first);
		zero = (second - BCOS_NAME_ONES) & BCOS_NAME_HIGH;
		second &= zero ^ (zero - 1);
	}
	memcpy(to, &first, sizeof(first));
	memcpy(to + sizeof(first), &second, sizeof(second));
	return (u8)(before + __builtin_ctzll(zero) / 8);
}

/* Does the work of bcos_name_of_comm() for a name that is empty or not ASCII. */
u8 bcos_name_clean_slowly(char *to, const char *comm);

/*
 * Writes the cleaned name to @to, which has BCOS_NAME_MAX bytes, and zeros up to BCOS_RAW_NAME
 * bytes at least. Returns the length of the name.
 */
static __always_inline u8 bcos_name_of_comm(char *to, const char *comm)
{
	u8 length = bcos_name_of_ascii(to, comm);

	return likely(length) ? length : bcos_name_clean_slowly(to, comm);
}

/* Sets the name of a process whose bytes the model does not count at this moment. */
static __always_inline void bcos_process_set_name(struct bcos_process *process, const char *comm)
{
	process->name_length = bcos_name_of_comm(process->name, comm);
	process->bytes = (u8)bcos_entry_size(sizeof(struct bcos_process_name),
					     process->name_length);
}

_Static_assert(sizeof(struct bcos_process_name) + BCOS_NAME_MAX < 256, "an entry's bytes are a u8");

#endif
