/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Adds, names and removes devices in the model. */
#ifndef BCOS_CORE_DEVICE_H
#define BCOS_CORE_DEVICE_H

#include "model.h"

/*
 * Adds a device with a free ID in the range of @range: the ID that was freed last, else the lowest
 * ID that was never used. @key is 0 if records do not name the device. Returns NULL if there is no
 * memory or no ID left.
 */
struct bcos_device *bcos_model_add_device(struct bcos_model *model, u32 range, u64 key,
					  const char *name, size_t length);
/* Gives a device another name, cleaned. */
void bcos_model_rename_device(struct bcos_model *model, struct bcos_device *device,
			      const char *name, size_t length);
/* Is @name, once cleaned, the name of the device? */
bool bcos_model_device_has_name(const struct bcos_device *device, const char *name, size_t length);
/*
 * Sets the ancestors of a new device. @buses has their names, each of which ends with a zero byte.
 * Returns false if there is no memory.
 */
bool bcos_model_hang(struct bcos_model *model, struct bcos_device *device, const char *buses,
		     size_t bytes);
/* Sets the process that drives the device. */
void bcos_model_set_driver(struct bcos_model *model, struct bcos_device *device, u32 driver);
/* Sets the classes that are recorded for the device whatever the mask says. */
void bcos_model_set_requests(struct bcos_model *model, struct bcos_device *device, u32 classes);
/* Removes a device and its interrupt lines. */
void bcos_model_remove_device(struct bcos_model *model, struct bcos_device *device);

/*
 * Returns the device with the next higher ID after @device, or the first one if @device is NULL.
 * Returns NULL at the end.
 */
struct bcos_device *bcos_model_next_device(const struct bcos_model *model,
					   const struct bcos_device *device);

#endif
