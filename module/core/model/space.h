/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Network namespaces other than the recorder's. Anybody may make these, and interfaces in them, so
 * the log limits the interfaces of all of them together, and those of each.
 */
#ifndef BCOS_CORE_SPACE_H
#define BCOS_CORE_SPACE_H

#include "model.h"

/* A namespace exists in the model as long as it has devices. */
struct bcos_space {
	struct bcos_item item;		/* by the number of the namespace */
	u32 devices;
};

/* Returns how many devices the model has in the namespace with this number. */
u32 bcos_model_space_devices(const struct bcos_model *model, u32 number);
/* Puts a device, which is in none, into a namespace. Returns false if there is no memory. */
bool bcos_model_enter_space(struct bcos_model *model, struct bcos_device *device, u32 number);
/* Takes a device out of its namespace, if it is in one. */
void bcos_model_leave_space(struct bcos_model *model, struct bcos_device *device);

#endif
