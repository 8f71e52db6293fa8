// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The output of a conversion: see output.h. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "caller.h"
#include "host/temporary.h"
#include "output.h"

int outfile_open_fd(struct outfile *file, int fd)
{
	struct stat stat;

	memset(file, 0, sizeof(*file));
	file->fd = fd;
	file->seekable = !fstat(fd, &stat) && S_ISREG(stat.st_mode) && !(fcntl(fd, F_GETFL) & O_APPEND);
	/*
	 * A descriptor that is already past offset 0, as standard output may be, is not seekable: offsets would be
	 * wrong.
	 */
	if (file->seekable && lseek(fd, 0, SEEK_CUR))
		file->seekable = false;
	file->buffer = malloc(OUTFILE_SIZE);
	if (file->buffer)
		return 0;
	close(fd);
	file->fd = -1;
	return -ENOMEM;
}

int outfile_open(struct outfile *file, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	memset(file, 0, sizeof(*file));
	file->fd = -1;
	return fd < 0 ? -errno : outfile_open_fd(file, fd);
}

static void write_all(struct outfile *file, const u8 *bytes, size_t size)
{
	size_t done = 0;
	ssize_t n;

	file->written += size;
	while (done < size && !file->error) {
		n = write(file->fd, bytes + done, size - done);
		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR || convert_interrupted())
			file->error = errno;
	}
}

int outfile_flush(struct outfile *file)
{
	write_all(file, file->buffer, file->used);
	file->used = 0;
	return -file->error;
}

void outfile_bytes(struct outfile *file, const void *bytes, size_t size)
{
	if (size > OUTFILE_SIZE - file->used)
		outfile_flush(file);
	if (size > OUTFILE_SIZE) {
		write_all(file, bytes, size);
		return;
	}
	memcpy(file->buffer + file->used, bytes, size);
	file->used += size;
}

void outfile_format(struct outfile *file, const char *format, ...)
{
	char line[4096];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (n > 0)
		outfile_bytes(file, line, (size_t)n < sizeof(line) ? (size_t)n : sizeof(line) - 1);
}

void outfile_patch(struct outfile *file, u64 offset, const void *bytes, size_t size)
{
	const u8 *from = bytes;
	ssize_t n;

	while (size && offset < file->written && !file->error) {
		n = pwrite(file->fd, from, offset + size > file->written ? (size_t)(file->written - offset) : size,
			   (off_t)offset);
		if (n < 0) {
			if (errno != EINTR || convert_interrupted())
				file->error = errno;
			continue;
		}
		offset += (u64)n;
		from += n;
		size -= (size_t)n;
	}
	if (size && !file->error)
		memcpy(file->buffer + (offset - file->written), from, size);
}

int outfile_close(struct outfile *file)
{
	if (file->fd < 0)
		return -file->error;
	outfile_flush(file);
	if (close(file->fd) && !file->error)
		file->error = errno;
	file->fd = -1;
	free(file->buffer);
	file->buffer = NULL;
	return -file->error;
}

static int output_failed(const char *path, int error)
{
	complain("%s cannot be written: %s", strcmp(path, "-") ? path : "standard output", strerror(error));
	return -error;
}

/* Writes directly to an output that can have no temporary name: standard output, a FIFO, a terminal. */
static int begin_in_place(struct output_place *place)
{
	int fd = strcmp(place->path, "-") ? open(place->path, O_WRONLY | O_CLOEXEC) :
					    fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	int r = fd < 0 ? -errno : outfile_open_fd(&place->file, fd);

	return r ? output_failed(place->path, -r) : 0;
}

/* Is this an empty directory? The final rename() puts the output into its place, so until then it stays as it is. */
static bool is_empty(const char *path)
{
	DIR *folder = opendir(path);
	const struct dirent *entry;

	if (!folder)
		return false;
	do
		entry = readdir(folder);
	while (entry && (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")));
	closedir(folder);
	return !entry;
}

static int begin_directory(struct output_place *place)
{
	struct stat stat;

	if (!strcmp(place->path, "-")) {
		complain("this format is a directory, which standard output cannot be: name one with -o");
		return -EINVAL;
	}
	if (!lstat(place->path, &stat) && !(S_ISDIR(stat.st_mode) && is_empty(place->path))) {
		complain("%s exists, and is not an empty directory: name another one", place->path);
		return -EEXIST;
	}
	if (mkdtemp(place->temporary)) {
		/* mkdtemp() makes a folder that only its owner can enter. */
		mode_t mask = umask(0);

		umask(mask);
		chmod(place->temporary, 0777 & ~mask);
		return 0;
	}
	return output_failed(place->path, errno);
}

/* The file that output_erase() removes, or NULL. */
static const char *volatile unfinished;

void output_erase(void)
{
	const char *path = unfinished;

	if (path)
		unlink(path);
}

static int begin_file(struct output_place *place)
{
	int fd = mkostemp(place->temporary, O_CLOEXEC), r = fd < 0 ? -errno : 0;
	mode_t mask;

	if (!r) {
		mask = umask(0);
		umask(mask);
		fchmod(fd, 0666 & ~mask);
		r = outfile_open_fd(&place->file, fd);
		if (r)
			unlink(place->temporary);
		else
			unfinished = place->temporary;
	}
	return r ? output_failed(place->path, -r) : 0;
}

int output_begin(struct output_place *place, const char *path, bool directory)
{
	size_t length = strlen(path);
	struct stat is;
	int r;

	memset(place, 0, sizeof(*place));
	place->path = path;
	place->directory = directory;
	place->file.fd = -1;
	if (!directory && !strcmp(path, "-"))
		return begin_in_place(place);
	if (!directory && !stat(path, &is) && !S_ISREG(is.st_mode))
		return S_ISDIR(is.st_mode) ? output_failed(path, EISDIR) : begin_in_place(place);
	if (!length)
		return output_failed("an output without a name", ENOENT);
	if (!directory && path[length - 1] == '/') {
		complain("%s is the name of a directory, and the output is a file: leave out the slash", path);
		return -ENOTDIR;
	}
	while (length > 1 && path[length - 1] == '/')
		length--;
	if (asprintf(&place->temporary, "%.*s.XXXXXX", (int)length, path) < 0) {
		place->temporary = NULL;
		return output_failed(path, ENOMEM);
	}
	r = directory ? begin_directory(place) : begin_file(place);
	if (r) {
		free(place->temporary);
		place->temporary = NULL;
	}
	return r;
}

int output_open(struct output_place *place, struct outfile *file, const char *name)
{
	char *path, *slash;
	int r;

	if (asprintf(&path, "%s/%s", place->temporary, name) < 0)
		return output_failed(place->path, ENOMEM);
	for (slash = path + strlen(place->temporary) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = 0;
		mkdir(path, 0777);
		*slash = '/';
	}
	r = outfile_open(file, path);
	free(path);
	if (!r)
		return 0;
	complain("%s/%s cannot be written: %s", place->path, name, strerror(-r));
	return r;
}

int output_close(struct output_place *place, struct outfile *file)
{
	int r = outfile_close(file);

	if (r && !place->failed)
		place->failed = -r;
	return r;
}

int output_complete(struct output_place *place)
{
	int r = outfile_close(&place->file), error;

	place->completed = true;
	if (!r)
		r = -place->failed;
	/* A closed pipe means that the reader has enough, which is no failure. */
	if (r == -EPIPE && !place->temporary)
		return 0;
	if (!r && place->temporary && rename(place->temporary, place->path))
		r = -errno;
	error = -r;
	unfinished = NULL;
	if (r)
		output_abandon(place);
	free(place->temporary);
	place->temporary = NULL;
	return r ? output_failed(place->path, error) : 0;
}

void output_abandon(struct output_place *place)
{
	/* The buffered bytes of a temporary file need not be written. */
	if (place->temporary)
		place->file.used = 0;
	outfile_close(&place->file);
	if (!place->temporary)
		return;
	unfinished = NULL;
	if (place->directory)
		temporary_remove(place->temporary);
	else
		unlink(place->temporary);
	free(place->temporary);
	place->temporary = NULL;
}

int write_all_at(int fd, const void *from, size_t size, u64 offset)
{
	const u8 *bytes = from;
	ssize_t n;

	while (size) {
		n = pwrite(fd, bytes, size, (off_t)offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		bytes += n;
		size -= (size_t)n;
		offset += (size_t)n;
	}
	return 0;
}
