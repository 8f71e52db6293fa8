// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes a log of the one that an export carries: see carried.h. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/read/archive.h"
#include "carried.h"

/**
 * struct taking - a carried log that is being read
 * @import: the import
 * @carried: the carried log
 * @seal: its seal
 * @unpacker: unpacks the frames
 * @raw: an unpacked frame
 * @stored: a packed frame, with room for @stored_room bytes
 * @sum: the sum of the log so far
 * @write: the entries go to the log_writer; otherwise they are only checked
 */
struct taking {
	struct import *import;
	struct carried *carried;
	struct seal seal;
	struct unpacker *unpacker;
	u8 *raw, *stored;
	size_t stored_room;
	struct sum sum;
	bool write;
};

/* Takes the entries of a frame. Returns 0, -EBADMSG if they are not well-formed, or another negative errno. */
static int take_entries(struct taking *taking, const u8 *raw, size_t size)
{
	static u32 room[BCOS_ENTRY_MAX / sizeof(u32) + 2];
	const struct bcos_entry *entry = (const struct bcos_entry *)room;
	size_t at = 0;
	u16 length;
	int r = 0;

	sum_add(&taking->sum, raw, size);
	while (!r && at < size) {
		if (bcos_entry_check(raw + at, size - at) != BCOS_WELL_FORMED)
			return -EBADMSG;
		/* The entries of a frame need not be aligned. */
		memcpy(&length, raw + at, sizeof(length));
		memcpy(room, raw + at, length);
		at += length;
		if (taking->write)
			r = log_verbatim(taking->import->log, entry);
	}
	return r;
}

static bool make_room(struct taking *taking, size_t size)
{
	u8 *larger = size <= taking->stored_room ? taking->stored : realloc(taking->stored, size);

	if (!larger)
		return false;
	taking->stored = larger;
	taking->stored_room = size > taking->stored_room ? size : taking->stored_room;
	return true;
}

/* Takes the pair of note and frame at *@offset, and moves on to the next one. Returns as take_entries(). */
static int take_frame(struct taking *taking, u64 *offset)
{
	struct carried *carried = taking->carried;
	u64 left = taking->seal.packed - *offset;
	u8 head[ARCHIVE_NOTE_SIZE];
	struct archive_note note;
	long size;
	int r;

	if (left < sizeof(head) || !carried->get(carried->context, *offset, head, sizeof(head)) ||
	    !archive_get_note(head, sizeof(head), &note) || note.stored > left - sizeof(head) ||
	    note.stored > ARCHIVE_STORED_MAX)
		return -EBADMSG;
	if (!make_room(taking, note.stored))
		return -ENOMEM;
	if (!carried->get(carried->context, *offset + sizeof(head), taking->stored, note.stored))
		return -EBADMSG;
	size = unpack_bytes(taking->unpacker, taking->stored, note.stored, taking->raw);
	if (size != (long)note.raw)
		return size < 0 ? (int)size : -EBADMSG;
	*offset += sizeof(head) + note.stored;
	r = guard_unpack(taking->import->input->guard, (u64)size);
	return r ? r : take_entries(taking, taking->raw, (size_t)size);
}

/* Reads the whole carried log. Returns 0, -EBADMSG if it is not what the seal says, or another negative errno. */
static int take_all(struct taking *taking)
{
	u64 offset = 0;
	int r = 0;

	memset(&taking->sum, 0, sizeof(taking->sum));
	while (!r && offset < taking->seal.packed)
		r = take_frame(taking, &offset);
	if (r)
		return r;
	return taking->sum.size == taking->seal.log_size && sum_end(&taking->sum) == taking->seal.log_sum ? 0 : -EBADMSG;
}

static int take_twice(struct taking *taking)
{
	int r;

	taking->unpacker = unpacker_new();
	taking->raw = malloc(ARCHIVE_RAW_MAX);
	r = taking->unpacker && taking->raw ? take_all(taking) : -ENOMEM;
	taking->write = true;
	r = r ? r : take_all(taking);
	unpacker_free(taking->unpacker);
	free(taking->raw);
	free(taking->stored);
	return r;
}

static int say_damaged(struct import *import)
{
	complain("%s carries a log that is damaged: it is read without that log, as a recording of any other program is",
		 import->path);
	import->damaged = true;
	return 0;
}

int carried_take(struct import *import, struct carried *carried)
{
	struct taking taking = { .import = import, .carried = carried };
	u8 seal[CARRIED_SEAL];
	int r;

	if (carried->size < sizeof(seal) ||
	    !carried->get(carried->context, carried->size - sizeof(seal), seal, sizeof(seal)) ||
	    !seal_get(seal, &taking.seal) || taking.seal.packed != carried->size - sizeof(seal))
		return say_damaged(import);
	if (taking.seal.export_size != carried->sum.size || taking.seal.export_sum != sum_end(&carried->sum)) {
		complain("%s has changed since bcoslog wrote it: it is read without the log that it carries, as a recording of "
			 "any other program is", import->path);
		return 0;
	}
#ifndef BCOSLOG_HAVE_ZSTD
	complain("%s carries a log, and this program was built without libzstd (Debian: libzstd-dev): it is read without that "
		 "log, as a recording of any other program is", import->path);
	return 0;
#endif
	r = take_twice(&taking);
	if (r == -EBADMSG && !log_writer_is_verbatim(import->log))
		return say_damaged(import);
	if (r == -EBADMSG)
		complain("%s has changed while it was read: the log ends where it had changed", import->path);
	if (r == -ENOMEM && !log_writer_error(import->log))
		complain("no memory for the log that %s carries", import->path);
	return r ? r : 1;
}

/* ---- at the end of a file ------------------------------------------------------------------- */

/* A carried log that follows the first @begin bytes of a file. */
struct tail {
	struct input *input;
	u64 begin;
};

static bool get_of_tail(void *context, u64 offset, void *to, size_t size)
{
	const struct tail *tail = context;

	return input_at(tail->input, tail->begin + offset, to, size);
}

int carried_take_tail(struct import *import)
{
	struct input *input = import->input;
	struct tail tail = { .input = input };
	struct carried carried = { .get = get_of_tail, .context = &tail };
	u8 bytes[CARRIED_SEAL];
	struct seal seal;
	int r;

	if (!input_is_seekable(input) || input->size < sizeof(bytes) ||
	    !input_at(input, input->size - sizeof(bytes), bytes, sizeof(bytes)) || !seal_get(bytes, &seal) ||
	    seal.packed > input->size - sizeof(bytes))
		return 0;
	carried.size = seal.packed + sizeof(bytes);
	tail.begin = input->size - carried.size;
	r = sum_add_input(&carried.sum, input, tail.begin);
	return r ? r : carried_take(import, &carried);
}

/* ---- in a folder ----------------------------------------------------------------------------- */

static bool get_of_file(void *context, u64 offset, void *to, size_t size)
{
	return archive_pread(*(int *)context, to, size, offset) == (ssize_t)size;
}

int carried_take_folder(struct import *import, const char *folder)
{
	struct carried carried = { .get = get_of_file };
	struct guard *guard = import->input->guard;
	struct stat is;
	char *path;
	int fd, r;

	if (asprintf(&path, "%s/" CARRIED_NAME, folder) < 0)
		return -ENOMEM;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	free(path);
	if (fd < 0 || fstat(fd, &is) || !S_ISREG(is.st_mode)) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	carried.context = &fd;
	carried.size = (u64)is.st_size;
	r = guard_read(guard, 2 * carried.size);
	r = r ? r : sum_add_folder(&carried.sum, folder, guard);
	/* A file that cannot be read is not as it was written. */
	if (!r || (r != -ENOMEM && !guard_error(guard)))
		r = carried_take(import, &carried);
	close(fd);
	return r;
}
