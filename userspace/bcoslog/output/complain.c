// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Writes complaints to standard error. A complaint may quote a log, a trace, the name of a file or another program, so
 * each is escaped here: it is one line, and harmless to a terminal and a journal.
 */
#include <stdarg.h>

#include "complain.h"
#include "entry/escape.h"

/* Complaints that are held back. Those that find no room are dropped. */
static struct {
	bool on;
	size_t used;
	char text[16384];
} held;

void complain(const char *format, ...)
{
	char said[1024], text[2048];
	va_list args;
	int n;

	va_start(args, format);
	vsnprintf(said, sizeof(said), format, args);
	va_end(args);
	escape_sentence(text, sizeof(text), said);
	if (!held.on) {
		fprintf(stderr, "bcoslog: %s\n", text);
		return;
	}
	n = snprintf(held.text + held.used, sizeof(held.text) - held.used, "bcoslog: %s\n", text);
	if (held.used + (size_t)n < sizeof(held.text))
		held.used += (size_t)n;
}

void complain_hold(bool on)
{
	held.on = on;
	if (on)
		return;
	fwrite(held.text, held.used, 1, stderr);
	held.used = 0;
}
