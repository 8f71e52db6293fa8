/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* JSON objects on lines of their own. An object is printed as a whole, or not at all. */
#ifndef BCOSLOG_OBJECT_H
#define BCOSLOG_OBJECT_H

#include <jansson.h>

#include "output.h"
#include "times.h"

/**
 * struct object - a JSON object under construction
 * @json: the result of json_object(); NULL, if there was no memory, makes all that follows fail
 * @failed: not 0 if a key or value could not be added
 */
struct object {
	json_t *json;
	int failed;
};

/* Adds @value, and takes its reference. @value is NULL if it could not be allocated: then the whole object fails. */
void object_add(struct object *object, const char *key, json_t *value);

/* Adds a number. */
void object_number(struct object *object, const char *key, u64 value);
/* Adds "status": a termination status, or null if that is BCOS_STATUS_UNKNOWN. */
void object_status(struct object *object, u32 status);
/* Adds a time in ns since boot, and if @clock shows times of the wall clock, also that one, as "@key_wall". */
void object_time(struct object *object, struct clock *clock, const char *key, u64 time);
/* Adds a string of @length bytes of UTF-8. */
void object_text(struct object *object, const char *key, const char *text, size_t length);
/*
 * Returns an object that has @inner, a thread, as "interrupt_or": an interrupt or this thread. Takes the reference of
 * @inner. If there is no memory, @object fails.
 */
json_t *object_uncertain(struct object *object, json_t *inner);
/* Adds a string, or null if @word is NULL. */
void object_word(struct object *object, const char *key, const char *word);

/* Prints a string as JSON, with its quotes; an empty one if there is no memory. */
void object_string(const char *text);

/*
 * Prints the object on a line of its own, or nothing if it failed, and frees it. @what names it in a complaint.
 * Return: 0, or -ENOMEM after a complaint.
 */
int object_print(struct object *object, const char *what);

#endif
