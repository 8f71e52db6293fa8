/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Makes files of a made-up system in a folder of their own, for tests of what bcoslog doctor looks at. */
#ifndef BCOS_TESTS_CLI_MADE_SYSTEM_H
#define BCOS_TESTS_CLI_MADE_SYSTEM_H

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>

#include "printed.h"
#include "doctor/doctor.h"

static char made_root[] = "/tmp/made-system.XXXXXX";

static inline const char *made_path(const char *name)
{
	static char path[1024];

	snprintf(path, sizeof(path), "%s%s", made_root, name);
	return path;
}

/* Makes a file with these bytes, and the folders above it. */
static inline void made_bytes(const char *name, const void *bytes, size_t size)
{
	char path[1024], *slash;
	int fd;

	snprintf(path, sizeof(path), "%s", made_path(name));
	for (slash = strchr(path + sizeof(made_root), '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		assert_true(!mkdir(path, 0700) || errno == EEXIST);
		*slash = '/';
	}
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	close(fd);
}

static inline void made_text(const char *name, const char *text)
{
	made_bytes(name, text, strlen(text));
}

static inline int made_remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
	return remove(path);
}

/* Makes an empty system. This is a setup function of tests. */
static inline int made_begin(void **state)
{
	memcpy(made_root + sizeof(made_root) - 7, "XXXXXX", 6);
	return mkdtemp(made_root) ? 0 : -1;
}

static inline int made_end(void **state)
{
	return nftw(made_root, made_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#define made_test(test) cmocka_unit_test_setup_teardown(test, made_begin, made_end)

#endif
