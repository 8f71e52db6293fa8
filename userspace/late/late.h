/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Shared libraries that only some commands need. They are opened when such a command runs, so that no other command
 * starts slower for them.
 *
 * A library has a header and a file here. The header lists its functions:
 *
 *	#define LATE_ARCHIVE_FUNCTIONS(_) _(archive_read_new) _(archive_read_free)
 *	LATE_DECLARE(late_archive, LATE_ARCHIVE_FUNCTIONS);
 *
 * and its file says what the library is called:
 *
 *	LATE_DEFINE(late_archive, LATE_ARCHIVE_FUNCTIONS, LATE_ARCHIVE_SONAME, "libarchive13");
 *
 * After late_archive_open() has returned 0, late_archive.archive_read_new() calls the function. The Makefile finds the
 * soname out (late_soname), so the library that is opened has the ABI that the program was compiled for.
 */
#ifndef USERSPACE_LATE_LATE_H
#define USERSPACE_LATE_LATE_H

#include <stddef.h>

#define LATE_POINTER(function) __typeof__(function) *function;
#define LATE_NAME(function) #function,

/* The functions have pointers of one size, one after another, as POSIX requires for dlsym(). */
#define LATE_DECLARE(library, functions) \
	struct library { functions(LATE_POINTER) }; \
	extern struct library library; \
	int library##_open(const char *feature)

#define LATE_DEFINE(library, functions, soname, package) \
	struct library library; \
	int library##_open(const char *feature) \
	{ \
		static const char *const names[] = { functions(LATE_NAME) }; \
		static int opened; \
		int r = opened ? 0 : late_open(soname, package, feature, names, sizeof(names) / sizeof(names[0]), \
					       (void **)&library); \
		opened = !r; \
		return r; \
	} \
	int library##_open(const char *feature)

/**
 * late_open() - open a shared library and find its functions
 * @soname: its name
 * @package: Debian's package that has it, for the message
 * @feature: what needs it, as the subject of a sentence: "bcoslog serve"
 * @names: names of the functions
 * @count: how many there are
 * @pointers: out: the functions
 *
 * The library stays open until the program ends.
 *
 * Return: 0 or, after a complaint, -ENOSYS.
 */
int late_open(const char *soname, const char *package, const char *feature, const char *const *names, size_t count,
	      void **pointers);

#endif
