/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Golden files: bytes in hexadecimal, with comments from '#' to the end of the line. */
#ifndef TEST_HEX_H
#define TEST_HEX_H

#include <stddef.h>

/* Reads @path into @to. Return: the number of bytes, or -1 after a message on stderr. */
long hex_read(const char *path, void *to, size_t size);

#endif
