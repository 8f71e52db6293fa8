/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reads the subset of XML that LTT traces use, more tolerantly than XML allows: the examples on the page of the format
 * leave out quotes, close tags with another name, and open them in the place of closing them. A reader of XML would
 * refuse them.
 */
#ifndef CONVERT_LTT_MARKUP_H
#define CONVERT_LTT_MARKUP_H

#include "core/host/user.h"

/* Elements within elements; deeper ones are left out. */
#define MARKUP_DEPTH 48
#define MARKUP_ATTRIBUTES 32

struct markup_attribute {
	const char *name, *value;
};

/**
 * struct markup_element - an element that begins
 * @name: in lower case
 * @count: of attributes; more than MARKUP_ATTRIBUTES are left out
 * @attributes: names in lower case, values without quotes, valid during the call
 */
struct markup_element {
	const char *name;
	unsigned int count;
	struct markup_attribute attributes[MARKUP_ATTRIBUTES];
};

/**
 * struct markup - who hears what is read
 * @empty: has an element of this name never anything within, so that it needs no end?
 * @open: an element begins
 * @close: the innermost element ends; each one that began ends
 * @text: text directly within the innermost element, in pieces, entities resolved
 *
 * Functions may be NULL. A negative errno from one of them ends reading.
 */
struct markup {
	bool (*empty)(const char *name);
	int (*open)(void *context, const struct markup_element *element);
	int (*close)(void *context);
	int (*text)(void *context, const char *text, size_t length);
};

/**
 * markup_read() - read a whole document
 * @bytes: of it; they are changed
 * @size: of them
 * @markup: who hears of it
 * @context: for its functions
 *
 * Return: 0, or the negative errno of a function.
 */
int markup_read(char *bytes, size_t size, const struct markup *markup, void *context);

/* The value of an attribute, or NULL. */
const char *markup_value(const struct markup_element *element, const char *name);

#endif
