// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The closed files of a machine in a recorded directory: see kept.h. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/archive.h"
#include "handle/error.h"
#include "host/clock.h"
#include "kept.h"
#include "output/complain.h"

void kept_free(struct kept *kept)
{
	size_t i;

	for (i = 0; i < kept->count; i++)
		free(kept->files[i].name);
	free(kept->files);
	kept->files = NULL;
	kept->count = kept->room = 0;
	kept->bytes = 0;
}

void kept_word(char *to, size_t room, const char *text)
{
	size_t i;

	for (i = 0; text[i] && i + 1 < room; i++)
		to[i] = (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'z') ||
			(text[i] >= 'A' && text[i] <= 'Z') || text[i] == '.' || text[i] == '-' ? text[i] : '_';
	to[i] = 0;
}

/* Gets the number in the name of a file of the machine @host.  Return: whether the name has one. */
static bool name_sequence(const char *name, const char *host, u64 *sequence)
{
	size_t time = strlen("20231114T221320Z"), length;
	char word[64], part[80];

	kept_word(word, sizeof(word), *host ? host : "unnamed");
	length = (size_t)snprintf(part, sizeof(part), "-%s-", word);
	if (strlen(name) < time + length || strncmp(name + time, part, length))
		return false;
	*sequence = strtoull(name + time + length, NULL, 10);
	return true;
}

static struct kept_file *add_file(struct kept *kept, const char *name)
{
	struct kept_file *files;
	size_t room = 2 * kept->room + 64;

	if (kept->count == kept->room) {
		files = reallocarray(kept->files, room, sizeof(*files));
		if (!files)
			return NULL;
		kept->files = files;
		kept->room = room;
	}
	files = kept->files + kept->count;
	memset(files, 0, sizeof(*files));
	files->name = strdup(name);
	if (!files->name)
		return NULL;
	kept->count++;
	return files;
}

/* Repairs a file that was not closed: cuts it after its last whole frame, and adds an index.  Return: its size. */
static u64 seal_file(int directory, const struct archive_file *file)
{
	const struct archive_tail all = { .frames = file->count, .machine = archive_has_id(&file->header.machine) };
	size_t size = archive_tail_size(&all);
	const struct archive_frame *last = file->count ? file->frames + file->count - 1 : NULL;
	u64 end = last ? last->place + last->note.stored : archive_header_size(&file->header);
	u8 *tail = malloc(size);
	int fd = openat(directory, file->name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd >= 0 && tail && last && end >= file->scanned) {
		archive_put_tail(tail, &file->header, file->frames, file->count);
		/* If the index cannot be written, the file stays one without an index, which readers accept. */
		if (!ftruncate(fd, (off_t)end) && pwrite(fd, tail, size, (off_t)end) == (ssize_t)size)
			end += size;
		fdatasync(fd);
	}
	if (fd >= 0)
		close(fd);
	free(tail);
	return end;
}

/*
 * Removes a file that has no whole frame, because its recorder was killed or the power failed. No other process writes
 * to the file, since this recorder has the lock of the machine.  Return: whether the file was removed.
 */
static bool remove_torso(int directory, const struct archive_file *file)
{
	struct stat status;

	if (file->count || file->closed || fstatat(directory, file->name, &status, AT_SYMLINK_NOFOLLOW) ||
	    !S_ISREG(status.st_mode) || status.st_size > ARCHIVE_STORED_MAX)
		return false;
	return !unlinkat(directory, file->name, 0);
}

static int learn_file(struct kept *kept, int directory, const struct archive_file *file)
{
	struct kept_file *known = add_file(kept, file->name);
	const struct archive_note *note;
	u64 last = 0;
	u32 i;

	if (!known)
		return -ENOMEM;
	known->sequence = file->header.sequence;
	known->size = file->closed ? file->scanned : seal_file(directory, file);
	for (i = 0; i < file->count; i++) {
		note = &file->frames[i].note;
		if (note->first <= note->last)
			last = note->last;
		if (note->flags & ARCHIVE_WALL)
			known->utc = bcoslog_wall_time(&note->wall, last);
	}
	kept->bytes += known->size;
	return 0;
}

static int by_sequence(const void *a, const void *b)
{
	const struct kept_file *one = a, *other = b;

	return one->sequence < other->sequence ? -1 : one->sequence > other->sequence;
}

/*
 * Opens all files of the directory as one archive. archive_identify() completes @machine, which is the machine that
 * records.  Return: NULL after a complaint.
 */
static struct archive *open_archive(int directory, const char *path, struct archive_machine *machine)
{
	struct bcoslog_error error;
	struct archive *archive;
	int fd;

	do
		fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	if (fd >= 0 && !archive_open(&archive, fd, path, false, true, &error)) {
		if (!archive_identify(archive, machine))
			return archive;
		archive_close(archive);
		error_set(&error, ENOMEM, "there is no memory for examining %s", path);
	}
	if (fd < 0)
		complain("%s cannot be examined: %s", path, strerror(errno));
	else
		complain("%s", error.text);
	return NULL;
}

int kept_find(struct kept *kept, int directory, const char *path, const struct archive_machine *machine, u64 *sequence)
{
	struct archive_machine own = *machine;
	struct archive *archive = open_archive(directory, path, &own);
	u64 number;
	int r = 0;
	u32 i;

	*sequence = 0;
	if (!archive)
		return -1;
	for (i = 0; i < archive->count && !r; i++) {
		/* A file that cannot be read keeps its number, which its name has. */
		if (name_sequence(archive->files[i].name, machine->host, &number) && number >= *sequence)
			*sequence = number + 1;
		if (archive_machine_order(&archive->files[i].machine, &own) || !archive->files[i].headed)
			continue;
		if (archive->files[i].header.sequence >= *sequence)
			*sequence = archive->files[i].header.sequence + 1;
		if (!remove_torso(directory, archive->files + i))
			r = learn_file(kept, directory, archive->files + i);
	}
	archive_close(archive);
	if (kept->count)
		qsort(kept->files, kept->count, sizeof(*kept->files), by_sequence);
	if (r)
		complain("no memory for the names of the files in %s", path);
	return r;
}

/*
 * Counts the entries of a frame that have the newest time.
 * Return: whether all have it, so that the frame before it may have such entries, too.
 */
static bool count_frame(const u8 *raw, size_t size, struct kept_end *end)
{
	const struct bcos_entry *entry;
	bool only = true;
	const u8 *at;
	u32 count = 0;

	for (at = raw; (entry = archive_entry(at, raw + size)); at += entry->size) {
		if (!archive_counts(entry))
			continue;
		if (!end->count && entry->time > end->time) {
			end->time = entry->time;
			count = 0;
		}
		only &= entry->time == end->time;
		count += entry->time == end->time;
	}
	end->count += count;
	return only;
}

/* Return: the newest file of this boot of the machine that is no detached part of the log, or NULL. */
static const struct archive_file *newest_file(const struct archive *archive, const struct archive_machine *machine,
					      const u8 *boot)
{
	const struct archive_file *file, *newest = NULL;

	for (file = archive->files; file < archive->files + archive->count; file++) {
		if (archive_machine_order(&file->machine, machine) || memcmp(file->header.boot, boot, ARCHIVE_BOOT) ||
		    file->header.flags & ARCHIVE_DETACHED || !file->count)
			continue;
		if (!newest || file->header.sequence > newest->header.sequence)
			newest = file;
	}
	return newest;
}

/* Finds the end of what is recorded from the last frame of the file backwards. */
static void find_end(struct archive *archive, const struct archive_file *file, struct kept_end *end)
{
	int fd = archive_open_file(archive, file);
	const struct archive_frame *frame;
	long size;
	u32 i;

	for (i = file->count; i; i--) {
		frame = file->frames + i - 1;
		/*
		 * A frame that cannot be unpacked counts as recorded up to the time in its note, and so do all entries
		 * of that time: a gap is better than entries that are there twice.
		 */
		if (frame->note.first <= frame->note.last && !end->known) {
			end->known = true;
			end->time = frame->note.last;
		}
		size = fd < 0 ? -1 : unpack_frame(archive->unpacker, fd, frame->place, frame->note.stored,
						  archive->raw);
		if (size < 0 && end->known && !end->count)
			end->count = ~0u;
		if (size < 0 || !count_frame(archive->raw, (size_t)size, end))
			break;
	}
	if (fd >= 0)
		close(fd);
}

int kept_end(int directory, const char *path, const struct archive_header *header, struct kept_end *end)
{
	struct archive_machine own = header->machine;
	struct archive *archive = open_archive(directory, path, &own);
	const struct archive_file *file;

	memset(end, 0, sizeof(*end));
	if (!archive)
		return -1;
	file = newest_file(archive, &own, header->boot);
	if (file)
		find_end(archive, file, end);
	archive_close(archive);
	return 0;
}

void kept_grow(struct kept *kept, u64 bytes)
{
	kept->bytes += bytes;
}

void kept_add(struct kept *kept, const char *name, u64 sequence, u64 size)
{
	struct kept_file *file = add_file(kept, name);

	if (!file)
		return;
	file->sequence = sequence;
	file->size = size;
	file->written = clock_now(CLOCK_BOOTTIME);
}

bool kept_drop(struct kept *kept, int directory)
{
	struct kept_file *oldest = kept->files;

	if (!kept->count)
		return false;
	unlinkat(directory, oldest->name, 0);
	kept->bytes -= oldest->size < kept->bytes ? oldest->size : kept->bytes;
	free(oldest->name);
	memmove(oldest, oldest + 1, --kept->count * sizeof(*oldest));
	return true;
}

/* Is the file older than @age? The age of files that this recorder has written does not depend on the wall clock. */
static bool is_old(const struct kept_file *file, u64 age)
{
	u64 utc = clock_now(CLOCK_REALTIME);

	if (file->written)
		return clock_now(CLOCK_BOOTTIME) - file->written > age;
	return file->utc && utc > file->utc && utc - file->utc > age;
}

void kept_limit(struct kept *kept, int directory, u64 size, u64 age)
{
	while (kept->count && ((size && kept->bytes > size) || (age && is_old(kept->files, age))))
		kept_drop(kept, directory);
}
