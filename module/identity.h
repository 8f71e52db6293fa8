/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel knows of this machine that the log states of itself: see core/statement.h. */
#ifndef BCOS_IDENTITY_H
#define BCOS_IDENTITY_H

#include "core/statement.h"

/* What does not change.  Context: may sleep; once, while the module is loaded. */
void bcos_identity_up(void);

/* As it is now.  Context: the log writer. */
const struct bcos_statements *bcos_identity_now(void);

#endif
