// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A tolerant reader of XML. It works in place, so what it passes on lies in the document. */
#include <stdlib.h>

#include "markup.h"

/**
 * struct reader - the state of reading
 * @at: the next character of the document
 * @end: end of the document
 * @depth: how many elements are open, without ignored ones
 * @ignored: how many open elements are too deep, or inside one that is
 * @names: names of the open elements
 */
struct reader {
	const struct markup *markup;
	void *context;
	char *at, *end;
	unsigned int depth, ignored;
	const char *names[MARKUP_DEPTH];
};

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_space(struct reader *reader)
{
	while (reader->at < reader->end && is_space(*reader->at))
		reader->at++;
}

/* Moves to after the next @word, or to the end. */
static void skip_past(struct reader *reader, const char *word)
{
	size_t length = strlen(word);
	char *found = memmem(reader->at, (size_t)(reader->end - reader->at), word, length);

	reader->at = found ? found + length : reader->end;
}

/* Returns the character for an entity, or 0 if the entity is unknown. @at: the text between "&" and ";". */
static u32 entity_character(const char *at, size_t length)
{
	static const struct {
		const char *name;
		char character;
	} known[] = { { "lt", '<' }, { "gt", '>' }, { "amp", '&' }, { "quot", '"' }, { "apos", '\'' } };
	u32 value = 0, base = 10, digit;
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i].name) == length && !memcmp(known[i].name, at, length))
			return (u8)known[i].character;
	if (length < 2 || at[0] != '#')
		return 0;
	i = 1;
	if (at[1] == 'x' || at[1] == 'X') {
		base = 16;
		i = 2;
	}
	for (; i < length; i++) {
		digit = at[i] >= '0' && at[i] <= '9' ? (u32)(at[i] - '0') :
			(at[i] | 0x20) >= 'a' && (at[i] | 0x20) <= 'f' ? (u32)(at[i] | 0x20) - 'a' + 10 : 16;
		if (digit >= base || value > 0x10FFFF)
			return 0;
		value = value * base + digit;
	}
	return value > 0x10FFFF ? 0 : value;
}

/* Puts a character as UTF-8, which is never longer than its entity. Returns the place after it. */
static char *put_character(char *to, u32 c)
{
	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xC0 | c >> 6);
		*to++ = (char)(0x80 | (c & 0x3F));
	} else if (c < 0x10000) {
		*to++ = (char)(0xE0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 0x3F));
		*to++ = (char)(0x80 | (c & 0x3F));
	} else {
		*to++ = (char)(0xF0 | c >> 18);
		*to++ = (char)(0x80 | (c >> 12 & 0x3F));
		*to++ = (char)(0x80 | (c >> 6 & 0x3F));
		*to++ = (char)(0x80 | (c & 0x3F));
	}
	return to;
}

/* Resolves the entities of a text in place. Returns the new length. */
static size_t resolve_entities(char *text, size_t length)
{
	char *to = text, *at = text, *end = text + length, *semicolon;
	u32 c;

	while (at < end) {
		c = 0;
		if (*at == '&') {
			semicolon = memchr(at, ';', (size_t)(end - at) < 12 ? (size_t)(end - at) : 12);
			if (semicolon)
				c = entity_character(at + 1, (size_t)(semicolon - at - 1));
		}
		if (c) {
			to = put_character(to, c);
			at = semicolon + 1;
		} else {
			*to++ = *at++;
		}
	}
	return (size_t)(to - text);
}

/*
 * Takes a word up to white space, "<", ">" or "/>", and for a name up to "=". A name becomes lower case. No zero ends
 * it.
 */
static char *take_word(struct reader *reader, bool name, size_t *length)
{
	char *begin = reader->at, c;

	for (; reader->at < reader->end; reader->at++) {
		c = *reader->at;
		if (is_space(c) || c == '>' || c == '<' || (name && c == '=') ||
		    (c == '/' && (reader->at + 1 == reader->end || reader->at[1] == '>')))
			break;
		if (name && c >= 'A' && c <= 'Z')
			*reader->at = (char)(c | 0x20);
	}
	*length = (size_t)(reader->at - begin);
	return begin;
}

static char *take_value(struct reader *reader, size_t *length)
{
	char quote = reader->at < reader->end ? *reader->at : 0, *begin;

	if (quote != '"' && quote != '\'')
		return take_word(reader, false, length);
	begin = ++reader->at;
	while (reader->at < reader->end && *reader->at != quote)
		reader->at++;
	*length = (size_t)(reader->at - begin);
	if (reader->at < reader->end)
		reader->at++;
	return begin;
}

static int close_innermost(struct reader *reader)
{
	if (reader->ignored) {
		reader->ignored--;
		return 0;
	}
	reader->depth--;
	return reader->markup->close ? reader->markup->close(reader->context) : 0;
}

static bool is_open(const struct reader *reader, const char *name)
{
	unsigned int i;

	for (i = reader->depth; i--;)
		if (!strcmp(reader->names[i], name))
			return true;
	return false;
}

/* Closes the element @name. If no such element is open, the tag closes the innermost element. */
static int close_tag(struct reader *reader, const char *name)
{
	bool known;
	int r;

	if (reader->ignored)
		return close_innermost(reader);
	if (!reader->depth || (reader->markup->empty && reader->markup->empty(name)))
		return 0;
	known = is_open(reader, name);
	while (known && strcmp(reader->names[reader->depth - 1], name)) {
		r = close_innermost(reader);
		if (r)
			return r;
	}
	return close_innermost(reader);
}

static int open_element(struct reader *reader, const struct markup_element *element, bool empty)
{
	int r;

	/* This opening tag stands in the place of a closing one. */
	if (!strcmp(element->name, "description") && reader->depth && !reader->ignored &&
	    !strcmp(reader->names[reader->depth - 1], "description"))
		return close_innermost(reader);
	if (reader->ignored || reader->depth == MARKUP_DEPTH) {
		reader->ignored += !empty && reader->ignored < UINT32_MAX;
		return 0;
	}
	reader->names[reader->depth++] = element->name;
	r = reader->markup->open ? reader->markup->open(reader->context, element) : 0;
	return !r && empty ? close_innermost(reader) : r;
}

/* Takes the attributes of a tag, and the end of the tag. */
static void take_attributes(struct reader *reader, struct markup_element *element, bool *empty)
{
	char *name, *value;
	size_t name_length, length;

	for (;;) {
		skip_space(reader);
		if (reader->at == reader->end || *reader->at == '>' || *reader->at == '<')
			break;
		if (*reader->at == '/') {
			*empty = true;
			reader->at++;
			continue;
		}
		*empty = false;
		name = take_word(reader, true, &name_length);
		skip_space(reader);
		value = name;
		length = 0;
		if (reader->at < reader->end && *reader->at == '=') {
			reader->at++;
			skip_space(reader);
			value = take_value(reader, &length);
		}
		if (element->count == MARKUP_ATTRIBUTES)
			continue;
		/* Attributes are copied, since the character after a value is still needed and cannot become a zero. */
		element->attributes[element->count].name = strndup(name, name_length);
		element->attributes[element->count].value = strndup(value, resolve_entities(value, length));
		element->count++;
	}
	if (reader->at < reader->end && *reader->at == '>')
		reader->at++;
}

static void forget_element(struct markup_element *element)
{
	unsigned int i;

	for (i = 0; i < element->count; i++) {
		free((char *)element->attributes[i].name);
		free((char *)element->attributes[i].value);
	}
}

/*
 * Takes a tag after its "<". The name of the element stays in the document, moved back by one byte for its terminating
 * zero.
 */
static int take_tag(struct reader *reader)
{
	struct markup_element element = { .count = 0 };
	bool closes = *reader->at == '/', empty = false;
	size_t length;
	char *name;
	int r = 0;

	if (closes)
		reader->at++;
	skip_space(reader);
	name = take_word(reader, true, &length);
	/* The "<" or "/" before the name makes room for the terminating zero. */
	name--;
	memmove(name, name + 1, length);
	name[length] = 0;
	take_attributes(reader, &element, &empty);
	element.name = name;
	if (length && closes)
		r = close_tag(reader, name);
	else if (length)
		r = open_element(reader, &element, empty || (reader->markup->empty && reader->markup->empty(name)));
	forget_element(&element);
	return r;
}

static int take_text(struct reader *reader)
{
	char *begin = reader->at, *found = memchr(begin, '<', (size_t)(reader->end - begin));
	size_t length;

	reader->at = found ? found : reader->end;
	length = (size_t)(reader->at - begin);
	if (!reader->markup->text || !reader->depth || reader->ignored || !length)
		return 0;
	return reader->markup->text(reader->context, begin, resolve_entities(begin, length));
}

static bool begins_with(const struct reader *reader, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(reader->end - reader->at) >= length && !memcmp(reader->at, word, length);
}

int markup_read(char *bytes, size_t size, const struct markup *markup, void *context)
{
	struct reader reader = { .markup = markup, .context = context, .at = bytes, .end = bytes + size };
	int r = 0;

	while (!r && reader.at < reader.end) {
		if (*reader.at != '<') {
			r = take_text(&reader);
		} else if (begins_with(&reader, "<!--")) {
			skip_past(&reader, "-->");
		} else if (begins_with(&reader, "<?") || begins_with(&reader, "<!")) {
			skip_past(&reader, ">");
		} else {
			reader.at++;
			if (reader.at < reader.end)
				r = take_tag(&reader);
		}
	}
	while (!r && (reader.ignored || reader.depth))
		r = close_innermost(&reader);
	return r;
}

const char *markup_value(const struct markup_element *element, const char *name)
{
	unsigned int i;

	for (i = 0; i < element->count; i++)
		if (element->attributes[i].name && !strcmp(element->attributes[i].name, name))
			return element->attributes[i].value;
	return NULL;
}
