/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A JSON object on a line of its own: complete, or an error. */
#ifndef BCOSLOG_OBJECT_H
#define BCOSLOG_OBJECT_H

#include <jansson.h>

#include "output.h"

/**
 * struct object - a JSON object that is put together
 * @json: from json_object(); NULL, as where there is no memory, makes it fail, too
 * @failed: not 0: a key or value could not be added
 */
struct object {
	json_t *json;
	int failed;
};

/* Takes @value, NULL too: what could not be allocated makes the object fail as a whole. */
void object_add(struct object *object, const char *key, json_t *value);

void object_number(struct object *object, const char *key, u64 value);
/* A time since boot; if times of the wall clock are asked for, that one stands beside it as @key_wall. */
void object_time(struct object *object, const char *key, u64 time);
void object_text(struct object *object, const char *key, const char *text, size_t length);
/* A word, or null. */
void object_word(struct object *object, const char *key, const char *word);

/*
 * Prints it on a line of its own, all of it or nothing, and frees it; @what it is about, for the complaint.
 * Return: 0 or -ENOMEM, after saying so.
 */
int object_print(struct object *object, const char *what);

#endif
