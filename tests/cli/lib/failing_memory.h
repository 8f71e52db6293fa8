/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Allocations fail when a test asks for that. They are those of the whole program, which includes this file once. */
#ifndef BCOS_TESTS_CLI_FAILING_MEMORY_H
#define BCOS_TESTS_CLI_FAILING_MEMORY_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* These are the functions of the sanitizer, if there is one. */
void *__interceptor_malloc(size_t size) __attribute__((weak));
void *__interceptor_calloc(size_t count, size_t size) __attribute__((weak));
void *__interceptor_realloc(void *old, size_t size) __attribute__((weak));
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

/* The allocation that fails, which is counted down; 0: none fails. */
static unsigned int failing;

static bool is_failing(void)
{
	return failing && !--failing;
}

void *malloc(size_t size)
{
	if (is_failing())
		return errno = ENOMEM, NULL;
	return __interceptor_malloc ? __interceptor_malloc(size) : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	if (is_failing())
		return errno = ENOMEM, NULL;
	return __interceptor_calloc ? __interceptor_calloc(count, size) : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	if (is_failing())
		return errno = ENOMEM, NULL;
	return __interceptor_realloc ? __interceptor_realloc(old, size) : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
	return realloc(old, count * size);
}

char *strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = malloc(size);

	return copy ? memcpy(copy, text, size) : NULL;
}

#endif
