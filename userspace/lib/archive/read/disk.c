// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Opening, locking and reading the files of a recording, again if a signal interrupts the system call. */
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

u64 archive_skip_hole(int fd, u64 place)
{
	/* The descriptor may share its position with one of the caller's, which keeps its position. */
	off_t before = lseek(fd, 0, SEEK_CUR), data = lseek(fd, (off_t)place, SEEK_DATA);
	int error = errno;

	if (before >= 0)
		lseek(fd, before, SEEK_SET);
	if (data >= 0)
		return (u64)data;
	return error == ENXIO ? ~0ull : place;
}

/*
 * The lock belongs to the open file, so that it ends with the recorder, and no other descriptor of the recorder ends it
 * before. On file systems without locks a reader may take the half of a frame that is being written for damage.
 */
bool archive_is_written(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return !fcntl(fd, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK;
}

void archive_lock_written(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	fcntl(fd, F_OFD_SETLK, &lock);
}
