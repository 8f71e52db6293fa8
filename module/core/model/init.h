/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Creates and destroys a model. */
#ifndef BCOS_CORE_INIT_H
#define BCOS_CORE_INIT_H

#include "model.h"

/**
 * bcos_model_init() - initialise an empty model
 * @model: zeroed
 * @host: where memory comes from
 * @context: argument of the callbacks of @host
 * @cpu_limit: all CPU IDs are below this
 *
 * Context: may sleep.
 * Return: 0, or -ENOMEM with nothing left allocated.
 */
int bcos_model_init(struct bcos_model *model, const struct bcos_host *host, void *context,
		    u32 cpu_limit);
/* Frees all that the model holds. A model that is zeroed has nothing to free. */
void bcos_model_destroy(struct bcos_model *model);

#endif
