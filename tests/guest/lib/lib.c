// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Points in TAP, and what the environment asks for: see lib.h. */
#include "lib.h"

#include <stdarg.h>

static int points, failures;

bool make_point(bool good, const char *text, ...)
{
	va_list list;

	points++;
	failures += !good;
	printf("%sok %d - ", good ? "" : "not ", points);
	va_start(list, text);
	vprintf(text, list);
	va_end(list);
	putchar('\n');
	fflush(stdout);
	return good;
}

void skip_point(const char *reason, const char *text, ...)
{
	va_list list;

	points++;
	printf("ok %d - ", points);
	va_start(list, text);
	vprintf(text, list);
	va_end(list);
	printf(" # SKIP %s\n", reason);
	fflush(stdout);
}

void print_note(const char *text, ...)
{
	va_list list;

	printf("# ");
	va_start(list, text);
	vprintf(text, list);
	va_end(list);
	putchar('\n');
	fflush(stdout);
}

int finish_test(void)
{
	printf("1..%d\n", points);
	fflush(stdout);
	return failures ? 1 : 0;
}

void skip_all(const char *reason, ...)
{
	va_list list;

	va_start(list, reason);
	vprintf(reason, list);
	va_end(list);
	putchar('\n');
	fflush(stdout);
	_exit(77);
}

void give_up(const char *text, ...)
{
	int error = errno;
	va_list list;

	printf("Bail out! ");
	va_start(list, text);
	vprintf(text, list);
	va_end(list);
	printf(error ? ": %s\n" : "\n", strerror(error));
	fflush(stdout);
	_exit(1);
}

int get_rounds(int otherwise)
{
	const char *value = getenv("ROUNDS");

	return value && atoi(value) > 0 ? atoi(value) : otherwise;
}

bool is_full_run(void)
{
	const char *value = getenv("FULL");

	return value && !strcmp(value, "1");
}
