/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the facts about this machine that the log states: see core/write/log.h. */
#ifndef BCOS_IDENTITY_H
#define BCOS_IDENTITY_H

#include "core/write/log.h"

/* Finds the facts that never change. Context: module load; may sleep. */
void bcos_identity_up(void);

/* Returns the current facts. Context: the log writer. */
const struct bcos_statements *bcos_identity_now(void);

/* Returns the boot ID, the kernel and the version alone, which never change. Context: any. */
const struct bcos_statements *bcos_identity_names(void);

#endif
