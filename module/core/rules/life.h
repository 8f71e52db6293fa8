/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Applies raw records about processes to the model and the log. */
#ifndef BCOS_CORE_LIFE_H
#define BCOS_CORE_LIFE_H

#include "core/write/log.h"

/*
 * Each of these applies one record: BIRTH or HELPER, EXEC, RENAME, EXIT or DEAD, SIGNAL, and
 * VICTIM.
 */
void bcos_life_birth(struct bcos_log *log, const struct bcos_raw *raw);
void bcos_life_exec(struct bcos_log *log, const struct bcos_raw *raw);
void bcos_life_rename(struct bcos_log *log, const struct bcos_raw *raw);
void bcos_life_death(struct bcos_log *log, u32 cpu, const struct bcos_raw *raw);
void bcos_life_signal(struct bcos_log *log, const struct bcos_raw *raw);
void bcos_life_victim(struct bcos_log *log, const struct bcos_raw *raw);

/* Applies a record of @kind about a process (bcos_raw_is_life()) that @cpu staged. */
static __always_inline void bcos_life_apply(struct bcos_log *log, u32 cpu, u8 kind,
					    const struct bcos_raw *raw)
{
	switch (kind) {
	case BCOS_RAW_BIRTH:
	case BCOS_RAW_HELPER:
		return bcos_life_birth(log, raw);
	case BCOS_RAW_EXEC:
		return bcos_life_exec(log, raw);
	case BCOS_RAW_RENAME:
		return bcos_life_rename(log, raw);
	case BCOS_RAW_EXIT:
	case BCOS_RAW_DEAD:
		return bcos_life_death(log, cpu, raw);
	case BCOS_RAW_SIGNAL:
		return bcos_life_signal(log, raw);
	case BCOS_RAW_VICTIM:
		return bcos_life_victim(log, raw);
	}
}

#endif
