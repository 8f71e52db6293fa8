/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Raw records that come from memory which may be damaged.  The core trusts records, so they are checked before it gets
 * them.
 */
#ifndef BCOSLOG_RAW_CHECK_H
#define BCOSLOG_RAW_CHECK_H

#include "core/raw/raw.h"

/**
 * raw_is_sound() - can the core apply a record?
 * @raw: the record, in one piece of @units units
 * @units: at least 1, at most BCOS_RAW_UNITS_MAX
 * @cpus: CPU IDs are below this
 *
 * Return: true if the record has the number of units that it says, and all parts that its kind requires.
 */
bool raw_is_sound(const struct bcos_raw *raw, u32 units, u32 cpus);

#endif
