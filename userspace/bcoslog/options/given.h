/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The options that were given: none of them replaces another one silently. */
#ifndef BCOSLOG_GIVEN_H
#define BCOSLOG_GIVEN_H

#include "option.h"

/*
 * Gives @text, which is NULL if there is none, to the option, unless an option before it would be replaced by it.
 * Return: 0, or -1 after a complaint.
 */
int option_take(struct arguments *arguments, const struct option_spec *option, const char *text);

#endif
