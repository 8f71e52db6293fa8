// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Network namespaces and their devices: see space.h. */
#include "space.h"

static struct bcos_space *find_space(const struct bcos_model *model, u32 number)
{
	return (struct bcos_space *)bcos_index_find(&model->spaces, number);
}

u32 bcos_model_space_devices(const struct bcos_model *model, u32 number)
{
	const struct bcos_space *space = find_space(model, number);

	return space ? space->devices : 0;
}

bool bcos_model_enter_space(struct bcos_model *model, struct bcos_device *device, u32 number)
{
	struct bcos_space *space = find_space(model, number);

	if (!space) {
		space = bcos_heap_alloc(&model->heap, sizeof(*space));
		if (!space)
			return false;
		space->item.key = number;
		bcos_index_add(&model->spaces, &model->heap, &space->item);
	}
	space->devices++;
	device->space = space;
	model->elsewhere_count++;
	return true;
}

void bcos_model_leave_space(struct bcos_model *model, struct bcos_device *device)
{
	struct bcos_space *space = device->space;

	if (!space)
		return;
	device->space = NULL;
	model->elsewhere_count--;
	if (--space->devices)
		return;
	bcos_index_remove(&model->spaces, &space->item);
	bcos_heap_free(&model->heap, space, sizeof(*space));
}
