/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The story of a process, for people and for programs. */
#ifndef BCOSLOG_VIEWS_STORY_H
#define BCOSLOG_VIEWS_STORY_H

#include "life.h"
#include "output/object.h"

/* On a page. */
void story_page(const struct life *life);
/* Prints the life as a JSON object.  Return: 0, or -ENOMEM after a complaint. */
int story_json(const struct life *life);

/* The lines of its threads, and the same for the object. */
void story_threads(const struct life *life);
void story_add_threads(struct object *object, const struct life *life);

#endif
