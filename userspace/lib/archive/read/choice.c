// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Functions of bcoslog_archive.h that list the boots of a recording, and choose the window, boot or machine to read. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "handle/handle.h"
#include "archive/recording.h"
#include "archive.h"

static int no_recording(struct bcoslog *log)
{
	return error_set(&log->error, ENOTTY, "%s is no recorded directory", log->name);
}

/* ---- the list of the boots ------------------------------------------------------------ */

static void add_up(struct bcoslog_boot *boot, const struct archive_file *file)
{
	const struct archive_note *note;
	u32 i;

	if (file->left_out)
		return;
	boot->files++;
	boot->stored += file->scanned;
	for (i = 0; i < file->count; i++) {
		note = &file->frames[i].note;
		boot->entries += note->entries;
		boot->losses += note->losses;
		boot->raw += note->raw;
		if (note->flags & ARCHIVE_WALL) {
			if (!boot->begin.utc)
				boot->begin = note->wall;
			boot->end = note->wall;
		}
		if (note->first > note->last)
			continue;
		if (note->first < boot->first)
			boot->first = note->first;
		if (note->last > boot->last)
			boot->last = note->last;
	}
}

/* Describe the boot of file @i, which is its first file, by the sums over its files. */
static void describe_boot(const struct archive *archive, u32 i, struct bcoslog_boot *boot)
{
	static const u8 unknown[ARCHIVE_BOOT];
	const struct archive_file *first = archive->files + i;

	boot->first = ~0ull;
	memcpy(boot->host, first->machine.host, ARCHIVE_HOST);
	if (memcmp(first->header.boot, unknown, ARCHIVE_BOOT))
		archive_id_text(boot->boot, first->header.boot);
	if (archive->chosen && !archive_machine_order(&first->machine, &archive->machine) &&
	    (!archive->only || !memcmp(first->header.boot, archive->only_boot, ARCHIVE_BOOT)))
		boot->flags |= BCOSLOG_BOOT_READ;
	for (; i < archive->count && archive_same_boot(archive->files + i, first); i++)
		add_up(boot, archive->files + i);
	if (boot->first == ~0ull)
		boot->first = 0;
}

/* Return: the index of the first file of the boot with this number; archive->count if there is no such boot. */
static u32 find_boot(const struct archive *archive, u32 number)
{
	const struct archive_file *first = NULL;
	u32 i;

	for (i = 0; i < archive->count; i++) {
		if (!archive->files[i].count || (first && archive_same_boot(archive->files + i, first)))
			continue;
		first = archive->files + i;
		if (!number--)
			break;
	}
	return i;
}

/* Return: the file with the newest frame of the boot whose first file is @first. */
static const struct archive_file *newest_file(const struct archive *archive, u32 first)
{
	const struct archive_file *newest = archive->files + first;
	u32 i;

	for (i = first; i < archive->count && archive_same_boot(archive->files + i, archive->files + first); i++)
		if (archive->files[i].count && !archive->files[i].left_out &&
		    archive->files[i].header.sequence > newest->header.sequence)
			newest = archive->files + i;
	return newest;
}

/* Takes the text from a frame. The statement is the last entry of a boot. */
static void take_end(const u8 *raw, size_t size, char *text)
{
	const struct bcos_entry *entry;
	const char *said;
	const u8 *at;
	size_t length;

	for (at = raw; (entry = archive_entry(at, raw + size)); at += entry->size) {
		if (entry->type != BCOS_GENERIC_PROCESS || entry->source != BCOS_PROCESS_KERNEL ||
		    ((const struct bcos_generic *)entry)->event_id != BCOS_EVENT_ENDED)
			continue;
		said = bcoslog_text(entry, &length);
		length = length < BOOT_END_TEXT ? length : BOOT_END_TEXT - 1;
		memcpy(text, said, length);
		text[length] = 0;
	}
}

int bcoslog_boot_end(struct bcoslog *log, __u32 index, char text[BOOT_END_TEXT])
{
	struct archive *archive = log->archive;
	const struct archive_frame *frame;
	const struct archive_file *file;
	u32 first;
	long size;
	int fd;

	if (!archive)
		return no_recording(log);
	first = find_boot(archive, index);
	if (first == archive->count)
		return 0;
	*text = 0;
	file = newest_file(archive, first);
	frame = file->frames + file->count - 1;
	fd = archive_open_file(archive, file);
	if (fd < 0)
		return -errno;
	size = unpack_frame(archive->unpacker, fd, frame->place, frame->note.stored, archive->raw);
	close(fd);
	if (size < 0)
		return (int)size;
	take_end(archive->raw, (size_t)size, text);
	return 1;
}

int bcoslog_boot_machine(struct bcoslog *log, __u32 index, char machine[40])
{
	struct archive *archive = log->archive;
	u32 first;

	if (!archive)
		return no_recording(log);
	first = find_boot(archive, index);
	if (first == archive->count)
		return 0;
	*machine = 0;
	if (archive_has_id(&archive->files[first].machine))
		archive_id_text(machine, archive->files[first].machine.id);
	return 1;
}

int bcoslog_boot_place(struct bcoslog *log, __u32 index, __u64 *begin, __u64 *end)
{
	struct archive *archive = log->archive;
	const struct archive_boot *boot;
	u32 first, number;

	if (!archive)
		return no_recording(log);
	if (!archive->begun)
		archive_begin(archive);
	first = find_boot(archive, index);
	number = archive_boot_of(archive, first);
	if (number < archive->boot || number >= archive->boot_count)
		return 0;
	boot = archive->boots + number;
	*begin = boot->shift;
	*end = boot->first == ~0ull ? boot->shift : boot->last + boot->shift;
	return 1;
}

int bcoslog_boot(struct bcoslog *log, __u32 index, struct bcoslog_boot *boot)
{
	struct archive *archive = log->archive;
	u32 first;

	if (!archive)
		return no_recording(log);
	if (boot->size != sizeof(*boot))
		return error_set(&log->error, EINVAL,
				 "a boot has another size: build the program with this library's headers");
	first = find_boot(archive, index);
	if (first == archive->count)
		return 0;
	memset(boot, 0, sizeof(*boot));
	boot->size = sizeof(*boot);
	describe_boot(archive, first, boot);
	return 1;
}

int bcoslog_flaw(struct bcoslog *log, __u32 *index, char *text, size_t room)
{
	if (!log->archive)
		return no_recording(log);
	return archive_flaw(log->archive, index, text, room);
}

/* ---- the choice of a part ------------------------------------------------------------ */

int bcoslog_set_window(struct bcoslog *log, const struct bcoslog_window *window)
{
	if (!log->archive)
		return no_recording(log);
	if (window->size != sizeof(*window) || window->reserved || window->since > BCOSLOG_MOMENT_WALL ||
	    window->until > BCOSLOG_MOMENT_WALL)
		return error_set(&log->error, EINVAL,
				 "there is no such part of a recording: build the program with this "
				 "library's headers");
	if (log->archive->begun)
		return error_set(&log->error, EBUSY, "%s is being read already", log->name);
	log->archive->window = *window;
	return 0;
}

int bcoslog_set_boot(struct bcoslog *log, const char *boot)
{
	struct archive *archive = log->archive;
	u8 id[ARCHIVE_BOOT];
	u32 i;

	if (!archive)
		return no_recording(log);
	if (archive->begun)
		return error_set(&log->error, EBUSY, "%s is being read already", log->name);
	if (!archive_id_get(id, boot, strlen(boot)))
		return error_set(&log->error, EINVAL, "\"%s\" is no ID of a boot, such as "
				 "0f8fad5b-d9cb-469f-a165-70867728950e", boot);
	for (i = 0; i < archive->count; i++)
		if (archive->chosen && !archive_machine_order(&archive->files[i].machine, &archive->machine) &&
		    !memcmp(archive->files[i].header.boot, id, sizeof(id)))
			break;
	if (i == archive->count)
		return error_set(&log->error, ENOENT, "%s has nothing of a boot %s of %s", log->name, boot,
				 archive->chosen ? archive->machine.host : "this machine");
	memcpy(archive->only_boot, id, sizeof(id));
	archive->only = true;
	return archive_arrange(archive) ? error_set(&log->error, ENOMEM, "no memory") : 0;
}

/* Return: true if the ID of the machine begins with the digits of @text, which may contain dashes. */
static bool begins_with(const struct archive_machine *machine, const char *text)
{
	char id[2 * ARCHIVE_ID + 5];
	const char *at = id;

	archive_id_text(id, machine->id);
	for (; *text; text++) {
		if (*text == '-')
			continue;
		at += *at == '-';
		if (*text != *at++)
			return false;
	}
	return archive_has_id(machine);
}

/* A text with fewer digits is not the beginning of an ID, but a name. */
#define ID_LEAST 8

int bcoslog_set_machine(struct bcoslog *log, const char *name)
{
	bool by_id = strlen(name) >= ID_LEAST && strspn(name, "0123456789abcdef-") == strlen(name);
	struct archive *archive = log->archive;
	const struct archive_machine *machine, *found = NULL;
	u32 i;

	if (!archive)
		return error_set(&log->error, ENOTTY, "%s is no recorded directory", log->name);
	if (archive->begun)
		return error_set(&log->error, EBUSY, "%s is being read already", log->name);
	for (i = 0; i < archive->count; i++) {
		machine = &archive->files[i].machine;
		if (strcmp(machine->host, name) && !(by_id && begins_with(machine, name)))
			continue;
		if (found && archive_machine_order(found, machine))
			return error_set(&log->error, ENOTUNIQ,
					 "%s has several machines \"%s\": choose one by its ID, as bcoslog "
					 "status --boots lists it", log->name, name);
		found = machine;
	}
	if (!found)
		return error_set(&log->error, ENOENT, "%s has nothing of a machine \"%s\"", log->name, name);
	archive->machine = *found;
	archive->chosen = true;
	return archive_arrange(archive) ? error_set(&log->error, ENOMEM, "no memory") : 0;
}
