/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Cores in the model, in the order of their IDs. */
#ifndef BCOS_CORE_CORE_H
#define BCOS_CORE_CORE_H

#include "model.h"

/* Finds or adds a core. Returns NULL if there is no memory. */
struct bcos_core *bcos_model_core(struct bcos_model *model, u32 id);

#endif
