// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Writes complaints to standard error. A complaint may quote a log, a trace, the name of a file or another program, so
 * each is escaped here: it is one line, and harmless to a terminal and a journal.
 */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "complain.h"
#include "entry/text.h"

static const char *about;

/* Complaints that are held back. Those that find no room are dropped. */
static struct {
	bool on;
	size_t used;
	char text[16384];
} held;

/*
 * Return: what helps if the complaint ends with what the C library says of an error, and that names no remedy; "" if it
 * does not.
 */
static const char *remedy_of(const char *said)
{
	size_t length = strlen(said), i;
	const char *words;
	static const struct {
		int error;
		const char *remedy;
	} remedies[] = {
		{ EMFILE, ": close some, or allow more (ulimit -n)" },
		{ ENFILE, ": close some, or let the kernel have more (sysctl fs.file-max)" },
	};

	for (i = 0; i < sizeof(remedies) / sizeof(remedies[0]); i++) {
		words = strerror(remedies[i].error);
		if (length > strlen(words) && !strcmp(said + length - strlen(words), words))
			return remedies[i].remedy;
	}
	return "";
}

void complain(const char *format, ...)
{
	char said[1024], text[2048];
	size_t named = 0;
	va_list args;
	int n;

	if (about)
		named = (size_t)snprintf(said, sizeof(said) / 2, "%.200s: ", about);
	va_start(args, format);
	vsnprintf(said + named, sizeof(said) - named, format, args);
	va_end(args);
	escape_sentence(text, sizeof(text), said);
	if (!held.on) {
		fprintf(stderr, "bcoslog: %s%s\n", text, remedy_of(said));
		return;
	}
	n = snprintf(held.text + held.used, sizeof(held.text) - held.used, "bcoslog: %s%s\n", text, remedy_of(said));
	if (held.used + (size_t)n < sizeof(held.text))
		held.used += (size_t)n;
}

void complain_about(const char *name)
{
	about = name;
}

void complain_hold(bool on)
{
	held.on = on;
	if (on)
		return;
	fwrite(held.text, held.used, 1, stderr);
	held.used = 0;
}

bool complain_take(char *text, size_t room)
{
	const char *said = held.text + strlen("bcoslog: "), *end = memchr(held.text, '\n', held.used);
	bool found = end;

	if (found)
		snprintf(text, room, "%.*s", (int)(end - said), said);
	held.on = false;
	held.used = 0;
	return found;
}
