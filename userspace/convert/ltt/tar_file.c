// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Packs and unpacks LTT traces with libarchive. */
#include <fcntl.h>
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../carried/carried.h"
#include "host/temporary.h"
#include "ltt.h"
#include "read/read.h"

char *ltt_folder_make(void)
{
	char *folder;

	if (asprintf(&folder, "%s/bcoslog-ltt.XXXXXX", temporary_folder()) < 0)
		return NULL;
	if (mkdtemp(folder))
		return folder;
	free(folder);
	return NULL;
}

void ltt_folder_remove(char *folder)
{
	if (folder)
		temporary_remove(folder);
	free(folder);
}

#ifdef CONVERT_LIBRARIES
#include <archive.h>
#include <archive_entry.h>

#define PIECE (128u << 10)
/* The guard bounds the bytes that are written. Files may have holes in addition, up to this size. */
#ifndef UNPACKED_MAX
#define UNPACKED_MAX ((u64)16 << 30)
#endif

/* The folders of a trace. */
static const char *const trace_folders[] = { "info", "eventdefs", "control", "cpu" };

/* Returns the part of a path that is inside the trace, such as "cpu/0" or CARRIED_NAME, or NULL if the path is no file of a trace. */
static const char *within_trace(const char *path)
{
	const char *name = path ? strrchr(path, '/') : NULL, *folder;
	size_t i, length;

	if (!name || name == path || !name[1] || !strcmp(name + 1, ".") || !strcmp(name + 1, ".."))
		return NULL;
	for (folder = name; folder > path && folder[-1] != '/'; folder--)
		;
	for (i = 0; i < sizeof(trace_folders) / sizeof(trace_folders[0]); i++) {
		length = strlen(trace_folders[i]);
		if ((size_t)(name - folder) == length && !memcmp(folder, trace_folders[i], length) &&
		    strlen(name) < 200)
			return folder;
	}
	return strcmp(name + 1, CARRIED_NAME) ? NULL : name + 1;
}

static struct archive *reader_new(void)
{
	struct archive *archive = archive_read_new();

	if (archive && (archive_read_support_filter_gzip(archive) != ARCHIVE_OK ||
			archive_read_support_format_tar(archive) != ARCHIVE_OK)) {
		archive_read_free(archive);
		return NULL;
	}
	return archive;
}

bool ltt_archive_recognizes(const u8 *bytes, size_t size)
{
	struct archive *archive;
	struct archive_entry *entry;
	const char *path;
	bool found = false;
	int tries, r;

	if (size < 2 || bytes[0] != 0x1F || bytes[1] != 0x8B)
		return false;
	archive = reader_new();
	if (!archive)
		return false;
	r = archive_read_open_memory(archive, bytes, size);
	/* The folders come first, and the bytes may end inside the first file. */
	for (tries = 0; !found && r == ARCHIVE_OK && tries < 16; tries++) {
		r = archive_read_next_header(archive, &entry);
		path = r == ARCHIVE_OK ? archive_entry_pathname(entry) : NULL;
		found = path && (within_trace(path) || strstr(path, "/eventdefs/") || strstr(path, "/cpu/") ||
				 strstr(path, "/info/") || strstr(path, "/control/"));
	}
	archive_read_free(archive);
	return found;
}

static la_ssize_t give_bytes(struct archive *archive, void *context, const void **bytes)
{
	struct input *input = context;
	const u8 *at;
	size_t size;

	(void)archive;
	/* The library may have much to skip, so this is where a signal ends it. */
	if (guard_error(input->guard))
		return -1;
	size = input_peek(input, &at, 1);
	if (size > PIECE)
		size = PIECE;
	*bytes = at;
	input->at += size;
	input->offset += size;
	return (la_ssize_t)size;
}

static int make_folders(const char *folder)
{
	char *path;
	size_t i;
	int r = 0;

	for (i = 0; !r && i < sizeof(trace_folders) / sizeof(trace_folders[0]); i++) {
		if (asprintf(&path, "%s/%s", folder, trace_folders[i]) < 0)
			return -ENOMEM;
		r = mkdir(path, 0700) ? -errno : 0;
		free(path);
	}
	return r;
}

static int unpack_file(struct archive *archive, struct guard *guard, const char *folder, const char *name, u64 size)
{
	const void *bytes;
	char *path;
	la_int64_t offset;
	size_t length;
	int fd, r = 0, more;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		return -ENOMEM;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	free(path);
	if (fd < 0)
		return -errno;
	while (!r && (more = archive_read_data_block(archive, &bytes, &length, &offset)) == ARCHIVE_OK)
		r = guard_unpack(guard, length) ? : write_all_at(fd, bytes, length, (u64)offset);
	if (!r && more < ARCHIVE_WARN)
		r = -EBADMSG;
	/* The file may end with a hole. */
	if (!r && size < INT64_MAX && ftruncate(fd, (off_t)size))
		r = -errno;
	close(fd);
	return r;
}

static int unpack_all(struct archive *archive, struct guard *guard, const char *name, const char *folder)
{
	struct archive_entry *entry;
	const char *path;
	u64 size, total = 0;
	u32 files = 0;
	int r = 0, more;

	while (!r) {
		more = archive_read_next_header(archive, &entry);
		if (more < ARCHIVE_WARN || more == ARCHIVE_EOF)
			break;
		path = within_trace(archive_entry_pathname(entry));
		if (!path || archive_entry_filetype(entry) != AE_IFREG ||
		    archive_entry_hardlink(entry))
			continue;
		size = (u64)archive_entry_size(entry);
		if (size > UNPACKED_MAX - total || ++files > LTT_FILES_MAX) {
			complain("%s unpacks to more than %u GiB or %u files: unpack it by tar, and convert the folder",
				 name, (unsigned int)(UNPACKED_MAX >> 30), LTT_FILES_MAX);
			return -EFBIG;
		}
		total += size;
		r = unpack_file(archive, guard, folder, path, size);
	}
	/* The caller says what the guard has refused. */
	if (guard_error(guard))
		return guard_error(guard);
	if (r == -EBADMSG || (!r && more != ARCHIVE_EOF)) {
		path = archive_error_string(archive);
		complain("%s is damaged: %s", name, path ? path : "it is no tar archive that gzip has compressed");
		return -EBADMSG;
	}
	if (r)
		complain("%s cannot be unpacked: %s; set TMPDIR to where there is room", name, strerror(-r));
	return r;
}

int ltt_unpack(struct input *input, const char *name, const char *folder)
{
	struct archive *archive = reader_new();
	int r;

	if (!archive) {
		complain("no memory");
		return -ENOMEM;
	}
	r = make_folders(folder);
	if (r) {
		complain("%s cannot be unpacked: %s; set TMPDIR to where there is room", name, strerror(-r));
	} else if (archive_read_open2(archive, input, NULL, give_bytes, NULL, NULL) != ARCHIVE_OK) {
		r = guard_error(input->guard) ? : -EBADMSG;
		if (r == -EBADMSG)
			complain("%s is damaged: %s", name, archive_error_string(archive));
	} else {
		r = unpack_all(archive, input->guard, name, folder);
	}
	archive_read_free(archive);
	return r;
}

/* ---- packing ------------------------------------------------------------------- */

static la_ssize_t take_bytes(struct archive *archive, void *context, const void *bytes, size_t size)
{
	struct outfile *file = context;

	outfile_bytes(file, bytes, size);
	if (!file->error)
		return (la_ssize_t)size;
	archive_set_error(archive, file->error, "%s", strerror(file->error));
	return -1;
}

static int pack_content(struct archive *archive, int fd)
{
	char *piece = malloc(PIECE);
	ssize_t n = 1;
	int r = piece ? 0 : -ENOMEM;

	while (!r && (n = read(fd, piece, PIECE)) > 0)
		if (archive_write_data(archive, piece, (size_t)n) < 0)
			r = -EIO;
	free(piece);
	return r ? r : n < 0 ? -errno : 0;
}

static int pack_file(struct archive *archive, const char *from, const char *to)
{
	struct archive_entry *entry = archive_entry_new();
	int fd = open(from, O_RDONLY | O_CLOEXEC), r = 0;
	struct stat stat;

	if (!entry || fd < 0 || fstat(fd, &stat)) {
		r = entry ? -errno : -ENOMEM;
	} else {
		archive_entry_set_pathname(entry, to);
		archive_entry_set_size(entry, stat.st_size);
		archive_entry_set_filetype(entry, AE_IFREG);
		archive_entry_set_perm(entry, 0644);
		archive_entry_set_mtime(entry, stat.st_mtime, 0);
		r = archive_write_header(archive, entry) == ARCHIVE_OK ? pack_content(archive, fd) : -EIO;
	}
	if (fd >= 0)
		close(fd);
	archive_entry_free(entry);
	return r;
}

static int only_files(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

static int pack_folder(struct archive *archive, const char *folder, const char *name, const char *part)
{
	struct dirent **list;
	char *path, *from = NULL, *to = NULL;
	int count, i, r = 0;

	if (asprintf(&path, "%s/%s", folder, part) < 0)
		return -ENOMEM;
	count = scandir(path, &list, only_files, versionsort);
	free(path);
	if (count < 0)
		return -errno;
	for (i = 0; i < count; i++) {
		if (!r && (asprintf(&from, "%s/%s/%s", folder, part, list[i]->d_name) < 0 ||
			   asprintf(&to, "%s/%s/%s", name, part, list[i]->d_name) < 0))
			r = -ENOMEM;
		if (!r)
			r = convert_interrupted() ? -EINTR : pack_file(archive, from, to);
		free(from);
		free(to);
		from = to = NULL;
		free(list[i]);
	}
	free(list);
	return r;
}

/* Packs the log that the archive carries, if it is to have one. The gzip filter has a rest of the archive yet. */
static int pack_carried(struct archive *archive, struct export *export, const char *folder, const char *name)
{
	s64 size = carrier_into_folder(export, folder, outfile_offset(&export->output->file));
	char *from = NULL, *to = NULL;
	int r = size < 0 ? (int)size : 0;

	if (size > 0 && (asprintf(&from, "%s/" CARRIED_NAME, folder) < 0 || asprintf(&to, "%s/" CARRIED_NAME, name) < 0))
		r = -ENOMEM;
	if (!r && size)
		r = pack_file(archive, from, to);
	free(from);
	free(to);
	return r;
}

int ltt_pack(struct export *export, const char *folder, const char *name)
{
	struct outfile *file = &export->output->file;
	struct archive *archive = archive_write_new();
	const char *why;
	size_t i;
	int r = 0;

	if (!archive || archive_write_add_filter_gzip(archive) != ARCHIVE_OK ||
	    archive_write_set_format_pax_restricted(archive) != ARCHIVE_OK ||
	    archive_write_set_bytes_in_last_block(archive, 1) != ARCHIVE_OK ||
	    archive_write_open(archive, file, NULL, take_bytes, NULL) != ARCHIVE_OK)
		r = -ENOMEM;
	for (i = 0; !r && i < sizeof(trace_folders) / sizeof(trace_folders[0]); i++)
		r = pack_folder(archive, folder, name, trace_folders[i]);
	if (!r)
		r = pack_carried(archive, export, folder, name);
	if (!r && archive_write_close(archive) != ARCHIVE_OK)
		r = -EIO;
	/* If the output failed, its user reports why. */
	if (r && r != -EINTR && !file->error) {
		why = archive ? archive_error_string(archive) : NULL;
		complain("the archive cannot be made: %s", why ? why : strerror(-r));
	}
	if (archive)
		archive_write_free(archive);
	return r;
}

#else

bool ltt_archive_recognizes(const u8 *bytes, size_t size)
{
	(void)bytes;
	(void)size;
	return false;
}

int ltt_unpack(struct input *input, const char *name, const char *folder)
{
	(void)input;
	(void)folder;
	complain("%s is no folder, and archives are left out of this program: its build needs " CONVERT_NEEDS, name);
	return -ENOSYS;
}

int ltt_pack(struct export *export, const char *folder, const char *name)
{
	(void)export;
	(void)folder;
	(void)name;
	return -ENOSYS;
}

#endif
