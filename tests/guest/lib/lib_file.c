// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading and writing small files: see lib.h. */
#include "lib.h"

#include <stdarg.h>

bool write_file(const char *path, const char *text, ...)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), length, error;
	char buffer[512];
	va_list list;
	bool good;

	if (fd < 0)
		return false;
	va_start(list, text);
	length = vsnprintf(buffer, sizeof(buffer), text, list);
	va_end(list);
	good = write(fd, buffer, (size_t)length) == length;
	error = errno;
	close(fd);
	errno = error;
	return good;
}

ssize_t read_file(const char *path, char *to, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t done = 0;
	ssize_t got = 0;

	to[0] = '\0';
	if (fd < 0)
		return -1;
	while (done < size - 1 && (got = read(fd, to + done, size - 1 - done)) > 0)
		done += (size_t)got;
	close(fd);
	to[done] = '\0';
	return got < 0 ? -1 : (ssize_t)done;
}

bool can_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}
