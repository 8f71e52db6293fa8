/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads and writes classes of events as people write them: names and numbers. */
#ifndef BCOS_CLASS_H
#define BCOS_CLASS_H

#include <linux/types.h>

#include "uapi/bcos_evlog.h"

/**
 * bcos_classes_parse() - parse a mask as people write it
 * @text: numbers and names of classes, separated by commas; may end with a newline
 * @mask: out
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int bcos_classes_parse(const char *text, u32 *mask);

/**
 * bcos_classes_format() - write a mask in the form of bcos_classes_parse()
 * @text: buffer
 * @size: size of @text in bytes
 * @mask: classes
 *
 * Context: any.
 * Return: bytes written, without the zero.
 */
int bcos_classes_format(char *text, size_t size, u32 mask);

#endif
