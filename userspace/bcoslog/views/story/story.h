/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Prints the life of a process, for people and for programs. */
#ifndef BCOSLOG_VIEWS_STORY_H
#define BCOSLOG_VIEWS_STORY_H

#include "life.h"
#include "output/object.h"

/* Prints the life as a page. */
void story_page(const struct life *life);
/* Prints the life as a JSON object.  Return: 0, or -ENOMEM after a complaint. */
int story_json(const struct life *life);

/* Print the threads of the life on the page, and add them to the JSON object. */
void story_threads(const struct life *life);
void story_add_threads(struct object *object, const struct life *life);
/* Adds a number that is a lower bound if events of the kinds @lost (BCOSLOG_LOST_*) were lost while the process lived. */
void story_add_counted(struct object *object, const struct life *life, const char *key, u64 number, u32 lost);

#endif
