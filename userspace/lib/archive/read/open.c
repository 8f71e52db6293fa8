// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Opening a recorded directory or file, and finding its files and frames. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "handle/handle.h"
#include "archive.h"

#define FILES_MAX (1u << 20)

static struct archive_file *add_file(struct archive *archive, const char *name)
{
	struct archive_file *files, *file;
	u32 room = 2 * archive->room + 16;

	if (archive->count == archive->room) {
		files = archive->count < FILES_MAX ? reallocarray(archive->files, room, sizeof(*files)) : NULL;
		if (!files)
			return NULL;
		archive->files = files;
		archive->room = room;
	}
	file = archive->files + archive->count;
	memset(file, 0, sizeof(*file));
	file->name = strdup(name);
	if (!file->name)
		return NULL;
	archive->count++;
	return file;
}

/* Look for new frames in a file.  Return: 1 if there are some; 0 if there are none; a negative errno. */
static int look_at(struct archive *archive, struct archive_file *file)
{
	u32 before = file->count;
	int fd, r;

	if (file->closed)
		return 0;
	fd = archive_open_file(archive, file);
	/* The recorder may have removed the file by now. */
	if (fd < 0)
		return fd == -ENOENT || fd == -ELOOP ? 0 : fd;
	/* The first half of archive->raw may have unread entries, so the scan uses the second half. */
	r = archive_file_scan(file, fd, archive->unpacker, archive->raw + ARCHIVE_RAW_MAX);
	close(fd);
	return r ? r : file->count > before;
}

static bool is_recorded(const char *name)
{
	size_t length = strlen(name), suffix = sizeof(BCOSLOG_RECORD_SUFFIX) - 1;

	return name[0] != '.' && length > suffix && !strcmp(name + length - suffix, BCOSLOG_RECORD_SUFFIX);
}

static int by_text(const void *one, const void *other)
{
	return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* Return: the names of the files in order, which the caller frees; NULL if there is no memory. */
static const char **sorted_names(const struct archive *archive)
{
	const char **names = calloc(archive->count + 1, sizeof(*names));
	u32 i;

	for (i = 0; names && i < archive->count; i++)
		names[i] = archive->files[i].name;
	if (names && archive->count)
		qsort(names, archive->count, sizeof(*names), by_text);
	return names;
}

static int by_name(const void *one, const void *other)
{
	return strcmp(((const struct archive_file *)one)->name, ((const struct archive_file *)other)->name);
}

/* Add the files in @directory whose names are not among the @count sorted @names.  Return: 0 or -ENOMEM. */
static int add_new(struct archive *archive, DIR *directory, const char **names, u32 count)
{
	const struct dirent *entry;
	const char *name;

	while ((entry = readdir(directory))) {
		name = entry->d_name;
		if (is_recorded(name) && !bsearch(&name, names, count, sizeof(*names), by_text) &&
		    !add_file(archive, name))
			return -ENOMEM;
	}
	return 0;
}

/* Add the files whose names are new, in the order of their names.  Return: 0 or a negative errno. */
static int look_for_files(struct archive *archive)
{
	u32 before = archive->count;
	const char **names;
	DIR *directory;
	int fd, r = 0;

	/* A descriptor from openat() has its own position, so readdir() always begins at the first name. */
	do
		fd = openat(archive->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	directory = fd < 0 ? NULL : fdopendir(fd);
	if (!directory) {
		r = -errno;
		if (fd >= 0)
			close(fd);
		return r;
	}
	names = sorted_names(archive);
	r = names ? add_new(archive, directory, names, before) : -ENOMEM;
	free(names);
	closedir(directory);
	if (archive->count > before)
		qsort(archive->files + before, archive->count - before, sizeof(*archive->files), by_name);
	return r;
}

int archive_look(struct archive *archive)
{
	int more = 0, r = archive->single ? 0 : look_for_files(archive);
	u32 i;

	for (i = 0; r >= 0 && i < archive->count; i++) {
		r = look_at(archive, archive->files + i);
		more |= r > 0;
	}
	if (r < 0)
		return r;
	/* After reading has begun, a new file without frames stays at the end of the list until it has a frame. */
	if (!archive->begun || more)
		r = archive_arrange(archive);
	return r < 0 ? r : more;
}

void archive_close(struct archive *archive)
{
	u32 i;

	if (!archive)
		return;
	for (i = 0; i < archive->count; i++)
		archive_file_free(archive->files + i);
	free(archive->files);
	free(archive->boots);
	free(archive->name);
	free(archive->raw);
	free(archive->kept);
	unpacker_free(archive->unpacker);
	if (archive->fd >= 0)
		close(archive->fd);
	close(archive->directory);
	free(archive);
}

static int fail_open(struct archive *archive, struct bcoslog_error *error, int code)
{
	if (code == ENOSYS)
		error_set(error, code,
			  "%s is compressed, and this library was built without zstd: build it with libzstd, "
			  "or unpack it with another one (bcoslog cat)", archive->name);
	else if (code == ENODATA)
		error_set(error, code, archive->single ? "%s has no whole frame of a log: name another file" :
		"%s is a directory without recorded files: name a log in it, or a directory that bcoslog record has "
		"written", archive->name);
	else if (code == EINTR)
		error_set(error, code, "the examination of %s was interrupted", archive->name);
	else if (code == ENOMEM)
		error_set(error, code, "there is no memory for reading %s", archive->name);
	else
		error_set(error, code, "%s cannot be read: %s", archive->name, strerror(code));
	archive_close(archive);
	return -code;
}

int archive_open(struct archive **result, int fd, const char *name, bool single, bool follow,
		 struct bcoslog_error *error)
{
	struct archive *archive = calloc(1, sizeof(*archive));
	int r;

	*result = NULL;
	if (!archive) {
		close(fd);
		return error_set(error, ENOMEM, "there is no memory for reading %s", name);
	}
	archive->directory = fd;
	archive->single = single;
	archive->follow = follow;
	archive->fd = -1;
	archive->name = strdup(name);
#ifndef BCOSLOG_HAVE_ZSTD
	if (archive->name)
		return fail_open(archive, error, ENOSYS);
#endif
	archive->unpacker = unpacker_new();
	/* The first half is for the frame that is read, the second half for the frame that archive_look() examines. */
	archive->raw = malloc(2 * (size_t)ARCHIVE_RAW_MAX);
	if (!archive->name || !archive->unpacker || !archive->raw || (single && !add_file(archive, name)))
		return fail_open(archive, error, ENOMEM);
	r = archive_look(archive);
	if (r < 0)
		return fail_open(archive, error, -r);
	if (!archive->boot_count && !follow)
		return fail_open(archive, error, ENODATA);
	*result = archive;
	return 0;
}
