// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Opening and reading the files of a recording, again if a signal interrupts the system call. */
#include <fcntl.h>
#include <unistd.h>

#include "archive.h"

int archive_open_file(struct archive *archive, const struct archive_file *file)
{
	int fd;

	do
		fd = archive->single ? fcntl(archive->directory, F_DUPFD_CLOEXEC, 0) :
			openat(archive->directory, file->name,
			       O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK);
	while (fd < 0 && errno == EINTR);
	return fd < 0 ? -errno : fd;
}

ssize_t archive_pread(int fd, void *to, size_t size, u64 place)
{
	ssize_t n;

	do
		n = pread(fd, to, size, (off_t)place);
	while (n < 0 && errno == EINTR);
	return n;
}
