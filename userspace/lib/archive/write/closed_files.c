// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The closed files of a machine in a recorded directory: see write.h. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/read/archive.h"
#include "handle/error.h"
#include "host/linux.h"
#include "write.h"

void closed_free(struct closed_files *closed)
{
	size_t i;

	for (i = 0; i < closed->count; i++)
		free(closed->files[i].name);
	free(closed->files);
	closed->files = NULL;
	closed->count = closed->room = 0;
	closed->bytes = 0;
}

/* The greatest number that counts. Greater ones are not of a recorder, which would have needed ages for them. */
#define SEQUENCE_MAX ((u64)1 << 48)

/* Moves *@next past the number of a file. */
static void pass_sequence(u64 *next, u64 sequence)
{
	if (sequence >= *next && sequence < SEQUENCE_MAX)
		*next = sequence + 1;
}

static struct closed_file *add_file(struct closed_files *closed, const char *name)
{
	struct closed_file *files;
	size_t room = 2 * closed->room + 64;

	if (closed->count == closed->room) {
		files = reallocarray(closed->files, room, sizeof(*files));
		if (!files)
			return NULL;
		closed->files = files;
		closed->room = room;
	}
	files = closed->files + closed->count;
	memset(files, 0, sizeof(*files));
	files->name = strdup(name);
	if (!files->name)
		return NULL;
	closed->count++;
	return files;
}

/*
 * Repairs a file that was not closed: cuts it after its last whole frame, and adds an index. A damaged end, behind which
 * there may be more, stays as it is.
 * Return: its size; *@sealed is set if it has an index now.
 */
static u64 seal_file(int directory, const struct archive_file *file, bool *sealed)
{
	const struct archive_tail all = { .frames = file->count, .machine = archive_has_id(&file->header.machine) };
	size_t size = archive_tail_size(&all);
	const struct archive_frame *last = file->frames + file->count - 1;
	u64 end = last->place + last->note.stored, left = file->size;
	u8 *tail = malloc(size);
	int fd;

	do
		fd = openat(directory, file->name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	while (fd < 0 && errno == EINTR);
	if (fd >= 0 && tail && end >= file->scanned) {
		archive_put_tail(tail, &file->header, file->frames, file->count);
		/* If the index cannot be written, the next file says that nothing is missing before it. */
		*sealed = !ftruncate(fd, (off_t)end) && pwrite(fd, tail, size, (off_t)end) == (ssize_t)size;
		if (*sealed)
			left = end + size;
		else if (!ftruncate(fd, (off_t)end))
			left = end;
		fdatasync(fd);
	}
	if (fd >= 0)
		close(fd);
	free(tail);
	return left;
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

static int learn_file(struct closed_files *closed, int directory, const struct archive_file *file, bool seal, bool *sealed)
{
	struct closed_file *known = add_file(closed, file->name);
	const struct archive_note *note;
	u64 last = 0;
	u32 i;

	if (!known)
		return -ENOMEM;
	known->header = file->header;
	known->size = file->size;
	if (seal && !file->closed && file->count)
		known->size = seal_file(directory, file, sealed);
	for (i = 0; i < file->count; i++) {
		note = &file->frames[i].note;
		if (note->first <= note->last)
			last = note->last;
		if (note->flags & ARCHIVE_WALL)
			known->utc = bcoslog_wall_time(&note->wall, last);
	}
	closed->bytes += known->size;
	return 0;
}

static int by_sequence(const void *a, const void *b)
{
	const struct closed_file *one = a, *other = b;

	return one->header.sequence < other->header.sequence ? -1 : one->header.sequence > other->header.sequence;
}

/*
 * Opens all files of the directory as one archive. archive_identify() completes @machine, which is the machine that
 * records.  Return: NULL after a complaint.
 */
static struct archive *open_archive(int directory, const char *path, const struct store_caller *caller,
				    struct archive_machine *machine)
{
	int (*patience)(void) = archive_patience;
	struct bcoslog_error error;
	struct archive *archive;
	int fd, r;

	do
		fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	archive_patience = caller->patience;
	r = fd < 0 ? -errno : archive_open(&archive, fd, path, false, true, &error);
	archive_patience = patience;
	if (!r) {
		if (!archive_identify(archive, machine))
			return archive;
		archive_close(archive);
		error_set(&error, ENOMEM, "there is no memory for examining %s", path);
	}
	if (fd < 0)
		caller->complain("%s cannot be examined: %s", path, strerror(-r));
	else
		caller->complain("%s", error.text);
	return NULL;
}

/*
 * Did a recorder of this machine write the file? Nothing is done to other files, such as copies: their names are not of
 * the form TIME-MACHINE-NUMBER-CAUSE, or say something else than the header.
 */
static bool is_own(const struct archive_file *file, const struct archive_machine *machine)
{
	return file->framed && !file->left_out && !archive_machine_order(&file->machine, machine) &&
	       archive_own_name(file->name, &file->header);
}

/* Finds the number of the next file in the names and headers of the files of the machine. */
static u64 next_sequence(const struct archive *archive, const struct archive_machine *machine, const char *host)
{
	const struct archive_file *file;
	u64 number, next = 0;

	for (file = archive->files; file < archive->files + archive->count; file++) {
		/* A file that cannot be read keeps its number, which its name has. */
		if (archive_name_sequence(file->name, host, &number))
			pass_sequence(&next, number);
		if (file->headed && !archive_machine_order(&file->machine, machine))
			pass_sequence(&next, file->header.sequence);
	}
	return next;
}

/*
 * Is the file one that a recorder left without an index? The newest file can be the one that it was writing when it was
 * killed, and the next file says so of an older one. Any other file was cut by somebody else: an index would claim that
 * nothing is missing at its end.
 */
static bool was_left_open(const struct archive *archive, const struct archive_file *file, u64 newest)
{
	const struct archive_file *next;

	if (file->header.sequence == newest)
		return true;
	for (next = archive->files; !file->closed && next < archive->files + archive->count; next++)
		if (next->headed && next->header.sequence == file->header.sequence + 1 &&
		    next->header.flags & ARCHIVE_AFTER_OPEN &&
		    !archive_machine_order(&next->machine, &file->machine))
			return true;
	return false;
}

int closed_find(struct closed_files *closed, int directory, const char *path, const struct store_caller *caller,
		const struct archive_machine *machine, u64 *sequence)
{
	struct archive_machine own = *machine;
	struct archive *archive = open_archive(directory, path, caller, &own);
	const struct archive_file *file;
	bool sealed = false;
	int r = 0;

	*sequence = 0;
	if (!archive)
		return -1;
	*sequence = next_sequence(archive, &own, machine->host);
	closed->open = *sequence;
	for (file = archive->files; file < archive->files + archive->count && !r; file++) {
		if (!is_own(file, &own) || remove_torso(directory, file))
			continue;
		sealed = file->closed;
		r = learn_file(closed, directory, file, was_left_open(archive, file, *sequence - 1), &sealed);
		if (file->header.sequence + 1 == *sequence)
			closed->open = !sealed;
	}
	archive_close(archive);
	if (closed->count)
		qsort(closed->files, closed->count, sizeof(*closed->files), by_sequence);
	if (r)
		caller->complain("no memory for the names of the files in %s", path);
	return r;
}

/*
 * Counts the entries of a frame that have the newest time.
 * Return: whether all have it, so that the frame before it may have such entries, too.
 */
static bool count_frame(const u8 *raw, size_t size, struct recorded_end *end)
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
static void find_end(struct archive *archive, const struct archive_file *file, struct recorded_end *end)
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

int closed_end(int directory, const char *path, const struct store_caller *caller, const struct archive_header *header,
		struct recorded_end *end)
{
	struct archive_machine own = header->machine;
	struct archive *archive = open_archive(directory, path, caller, &own);
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

void closed_grow(struct closed_files *closed, u64 bytes)
{
	closed->bytes += bytes;
}

void closed_add(struct closed_files *closed, const char *name, const struct archive_header *header, u64 size)
{
	struct closed_file *file = add_file(closed, name);

	if (!file)
		return;
	file->header = *header;
	file->size = size;
	file->written = clock_now(CLOCK_BOOTTIME);
}

/* Is the file still the one that was found? Somebody may have put another one in its place. */
static bool is_still_there(const struct closed_file *file, int directory)
{
	int fd = openat(directory, file->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	u8 bytes[ARCHIVE_HEADER_MOST];
	struct archive_header header;
	ssize_t n = fd < 0 ? -1 : archive_pread(fd, bytes, sizeof(bytes), 0);

	if (fd >= 0)
		close(fd);
	return n > 0 && archive_get_header(bytes, (size_t)n, &header) && header.sequence == file->header.sequence &&
	       !memcmp(header.boot, file->header.boot, ARCHIVE_BOOT) &&
	       !archive_machine_order(&header.machine, &file->header.machine);
}

bool closed_drop(struct closed_files *closed, int directory)
{
	struct closed_file *oldest = closed->files;

	if (!closed->count)
		return false;
	if (is_still_there(oldest, directory))
		unlinkat(directory, oldest->name, 0);
	closed->bytes -= oldest->size < closed->bytes ? oldest->size : closed->bytes;
	free(oldest->name);
	memmove(oldest, oldest + 1, --closed->count * sizeof(*oldest));
	return true;
}

/* Gets the age of a file in ns.  Return: false if it is unknown, since no clock was known or it went ahead of ours. */
static bool age_of(const struct closed_file *file, u64 *age)
{
	u64 utc = clock_now(CLOCK_REALTIME);

	if (file->written) {
		/* This recorder has written the file, so its age does not depend on the wall clock. */
		*age = clock_now(CLOCK_BOOTTIME) - file->written;
		return true;
	}
	if (!file->utc || file->utc > utc)
		return false;
	*age = utc - file->utc;
	return true;
}

/* Is the oldest file older than @age? A file of unknown age is at least as old as the next one. */
static bool oldest_is_old(const struct closed_files *closed, u64 age)
{
	u64 known = 0;
	size_t i;

	for (i = 0; i < closed->count; i++)
		if (age_of(&closed->files[i], &known))
			return known > age;
	return false;
}

void closed_limit(struct closed_files *closed, int directory, u64 size, u64 age)
{
	while (closed->count && ((size && closed->bytes > size) || (age && oldest_is_old(closed, age))))
		closed_drop(closed, directory);
}
