// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Adds cores to the model: see core.h. */
#include "core.h"

struct bcos_core *bcos_model_core(struct bcos_model *model, u32 id)
{
	struct bcos_core **at = &model->cores, *core;

	while (*at && (*at)->id < id)
		at = &(*at)->next;
	if (*at && (*at)->id == id)
		return *at;
	core = bcos_heap_alloc(&model->heap, sizeof(*core));
	if (!core)
		return NULL;
	core->id = id;
	core->next = *at;
	*at = core;
	return core;
}
