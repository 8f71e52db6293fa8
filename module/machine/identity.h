/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the facts about this machine that the log states: see core/write/log.h. */
#ifndef BCOS_IDENTITY_H
#define BCOS_IDENTITY_H

#include "core/write/log.h"

/* Finds the facts that never change. Context: module load; may sleep. */
void bcos_identity_up(void);

/* Returns the current facts. Context: the log writer. */
const struct bcos_statements *bcos_identity_now(void);

#endif
