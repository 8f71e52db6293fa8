/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Programs that bcoslog starts. They are in PREFIX/libexec, or beside bcoslog in the folder in which it was built.
 *
 * bcoslog-convert and bcoslog-serve have some of the commands, and take the arguments of bcoslog: see
 * commands/elsewhere.c. bcoslog-read
 * opens the device: see helper.h.
 */
#ifndef BCOSLOG_LIBEXEC_H
#define BCOSLOG_LIBEXEC_H

#include <stdbool.h>
#include <stddef.h>

/* The arguments of this program, which main() sets. */
extern char **libexec_arguments;

/* Gets the path of a program in PREFIX/libexec.  Return: whether this user may run it. */
bool libexec_find(char *path, size_t size, const char *program);

/*
 * Starts @program with the arguments of this program, in its place.
 * Return: a negative errno; -ENOENT if there is no such program for this user.
 */
int libexec_start(const char *program);

#endif
