/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Families: which of the collected lives is the parent of which other one. */
#ifndef BCOSLOG_VIEWS_FAMILY_H
#define BCOSLOG_VIEWS_FAMILY_H

#include "views/track/lives.h"

#define FAMILY_NONE ((size_t)-1)

/*
 * The place of a life in its family. All are indices of lives, or FAMILY_NONE. @parent is the life that had the ID of the
 * parent when this one began, if it was collected; a parent is always before its children in time, so nobody is among
 * his own forefathers. @child is the first child, and @next the next one of the same parent.
 */
struct family {
	size_t parent, child, next;
};

/*
 * Finds the families of all lives, an element of @family for each. The order of children is that of the lives.
 * Return: 0, or -ENOMEM.
 */
int family_find(struct family *family, const struct lives *lives);

#endif
