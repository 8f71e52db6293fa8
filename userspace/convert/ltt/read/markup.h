/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reads the subset of XML that LTT traces use. The reader tolerates what the examples in the description of the format
 * do and XML forbids: they leave out quotes, close an element under another name, and have an opening tag in the place
 * of a closing one.
 */
#ifndef CONVERT_LTT_MARKUP_H
#define CONVERT_LTT_MARKUP_H

#include "core/host/user.h"

/* How deep elements may contain each other. Deeper ones are ignored. */
#define MARKUP_DEPTH 48
#define MARKUP_ATTRIBUTES 32

struct markup_attribute {
	const char *name, *value;
};

/**
 * struct markup_element - an element that begins
 * @name: its name, in lower case
 * @count: how many attributes it has; those beyond MARKUP_ATTRIBUTES are left out
 * @attributes: names in lower case, and values without quotes; valid during the call
 */
struct markup_element {
	const char *name;
	unsigned int count;
	struct markup_attribute attributes[MARKUP_ATTRIBUTES];
};

/**
 * struct markup - functions that get what is read
 * @empty: says whether an element of this name never contains anything, so that it needs no closing tag
 * @open: called when an element begins
 * @close: called when the innermost element ends; each element that began also ends
 * @text: called for each piece of text directly in the innermost element, with entities resolved
 *
 * Each function may be NULL. A negative errno from one of them ends the reading.
 */
struct markup {
	bool (*empty)(const char *name);
	int (*open)(void *context, const struct markup_element *element);
	int (*close)(void *context);
	int (*text)(void *context, const char *text, size_t length);
};

/**
 * markup_read() - read a whole document
 * @bytes: the document; the function changes the bytes
 * @size: size of the document
 * @markup: gets what is read
 * @context: passed to the functions of @markup
 *
 * Return: 0, or the negative errno of a function.
 */
int markup_read(char *bytes, size_t size, const struct markup *markup, void *context);

/* Returns the value of an attribute, or NULL if the element lacks it. */
const char *markup_value(const struct markup_element *element, const char *name);

#endif
