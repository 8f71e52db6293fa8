/* SPDX-License-Identifier: GPL-2.0-only */
/* Records generic events that programs write to the device, by write(2) or by the emit ioctl. */
#ifndef BCOS_WRITE_H
#define BCOS_WRITE_H

#include <linux/fs.h>

#include "allowance.h"

/**
 * bcos_event_emit() - stage a generic event of the caller (5.3)
 * @user: owner of the open file
 * @id: event ID
 * @severity: 0-255
 * @text: UTF-8
 * @length: bytes, at most BCOS_RAW_TEXT
 *
 * Records nothing while the class "user" is off, or if the user exceeds the parameter user_rate
 * (allowance.h).
 *
 * Context: may sleep.
 * Return: 0; -ENOBUFS: this CPU's staging is full, which the log states.
 */
int bcos_event_emit(const struct bcos_user *user, u32 id, u8 severity, const char *text,
		    size_t length);

/* The write operation of the device: one event, in the form of core/format/event_text.h. */
ssize_t bcos_event_write(struct file *file, const char __user *from, size_t size, loff_t *position);

#endif
