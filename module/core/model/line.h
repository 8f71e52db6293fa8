/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Interrupt lines in the model, and the devices that own them. */
#ifndef BCOS_CORE_LINE_H
#define BCOS_CORE_LINE_H

#include "model.h"

/* Adds a line without a device. Returns NULL if there is no memory. */
struct bcos_line *bcos_model_add_line(struct bcos_model *model, u32 number, u16 tag,
				      const char *name, size_t length);
/* Removes a line from its device and from the model. */
void bcos_model_remove_line(struct bcos_model *model, struct bcos_line *line);

/*
 * Does the interrupt line belong to this device, judged by the names of both and of the device's
 * ancestors?
 */
bool bcos_model_is_owner(const struct bcos_device *device, const struct bcos_line *line);

/**
 * bcos_model_owner() - find the announced device that an interrupt line belongs to
 * @model: the model
 * @line: a line with a name
 *
 * The owner is the device of lowest ID for which bcos_model_is_owner() holds: it has ancestors, and
 * either one of them sends the interrupt, or the action's name begins with the name of the device
 * or of an ancestor. A device without ancestors has no interrupts, since anybody may name a virtual
 * interface after somebody else's device.
 *
 * Context: the log writer.
 * Return: the device, or NULL if there is none.
 */
struct bcos_device *bcos_model_owner(const struct bcos_model *model, const struct bcos_line *line);

/*
 * Makes @device the owner of @line, and gives the line the lowest number that is free there
 * (5.17.1). @own: the device exists only for its lines.
 */
void bcos_model_give_line(struct bcos_model *model, struct bcos_line *line,
			  struct bcos_device *device, bool own);

#endif
