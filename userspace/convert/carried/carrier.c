// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Packs the log that an export carries: see carried.h. */
#include <stdlib.h>
#include <unistd.h>

#include "host/temporary.h"
#include "archive/format/format.h"
#include "archive/write/write.h"
#include "carried.h"

/* A frame ends after this many bytes. */
#define FRAME (1u << 20)
/* The level at which recordings are compressed unless their user chooses another one. */
#define LEVEL 1

/**
 * struct carrier - the log that goes into an export
 * @asked: the user has asked for it
 * @spoilt: it cannot be carried, since its entries do not tell of a damage
 * @fd: the temporary file
 * @error: a negative errno, after which nothing is added
 * @packer: compresses the frames
 * @note: the note of the frame that is being filled
 * @raw: the entries of this frame
 * @used: how many bytes they have
 * @seal: the sizes so far
 * @sum: the sum of the log so far
 */
struct carrier {
	bool asked, spoilt;
	int fd, error;
	struct packer *packer;
	struct archive_note note;
	u8 *raw;
	size_t used;
	struct seal seal;
	struct sum sum;
};

static int begin_carrier(struct carrier *carrier, const char *output)
{
	char *folder = temporary_beside(output);

	carrier->packer = packer_new(LEVEL, false);
	if (!carrier->packer)
		carrier->error = -errno;
	carrier->raw = malloc(FRAME + BCOS_ENTRY_MAX);
	if (!folder || !carrier->raw)
		carrier->error = -ENOMEM;
	if (!carrier->error) {
		carrier->fd = temporary_file(folder);
		carrier->error = carrier->fd < 0 ? carrier->fd : 0;
	}
	free(folder);
	return carrier->error;
}

struct carrier *carrier_new(const char *output, bool asked, int *r)
{
	struct carrier *carrier = calloc(1, sizeof(*carrier));

	*r = carrier ? 0 : -ENOMEM;
	if (carrier) {
		carrier->asked = asked;
		carrier->fd = -1;
		archive_note_begin(&carrier->note);
		*r = begin_carrier(carrier, output);
	}
	if (!*r)
		return carrier;
	carrier_free(carrier);
	if (asked)
		complain("the output cannot carry the log: %s", *r == -ENOSYS ?
			 "this program was built without libzstd (Debian: libzstd-dev)" : strerror(-*r));
	else
		*r = 0;
	return NULL;
}

void carrier_free(struct carrier *carrier)
{
	if (!carrier)
		return;
	if (carrier->packer)
		packer_free(carrier->packer);
	if (carrier->fd >= 0)
		close(carrier->fd);
	free(carrier->raw);
	free(carrier);
}

void carrier_spoil(struct carrier *carrier)
{
	carrier->spoilt = true;
}

/* Packs the entries that were added since the last frame, and writes their note and frame. */
static void write_frame(struct carrier *carrier)
{
	struct archive_note *note = &carrier->note;
	size_t stored = 0;
	bool columns;
	u8 *bytes;

	if (!carrier->used || carrier->error)
		return;
	bytes = packer_pack(carrier->packer, carrier->raw, carrier->used, ARCHIVE_NOTE_SIZE, &stored, &columns);
	if (!bytes) {
		carrier->error = -ENOMEM;
		return;
	}
	note->raw = (u32)carrier->used;
	note->stored = (u32)stored;
	note->flags = (note->flags & ~ARCHIVE_COLUMNS) | (columns ? ARCHIVE_COLUMNS : 0);
	archive_put_note(bytes, note);
	carrier->error = write_all_at(carrier->fd, bytes, ARCHIVE_NOTE_SIZE + stored, carrier->seal.packed);
	carrier->seal.packed += ARCHIVE_NOTE_SIZE + stored;
	sum_add(&carrier->sum, carrier->raw, carrier->used);
	carrier->used = 0;
	archive_note_begin(note);
}

void carrier_add(struct carrier *carrier, const struct bcos_entry *entry)
{
	if (unlikely(carrier->error || carrier->spoilt))
		return;
	memcpy(carrier->raw + carrier->used, entry, entry->size);
	carrier->used += entry->size;
	archive_note_entry(&carrier->note, entry);
	if (carrier->used >= FRAME)
		write_frame(carrier);
}

/* ---- the end of an export ------------------------------------------------------------------ */

/* Is the log carried in an export of @size bytes? Returns 1, 0, or, after a complaint, a negative errno. */
static int is_carried(struct carrier *carrier, const char *path, u64 size)
{
	if (!carrier->spoilt)
		write_frame(carrier);
	if (carrier->spoilt && carrier->asked)
		complain("the output does not carry the log: %s is damaged", path);
	else if (carrier->error)
		complain("the output %s carry the log: %s", carrier->asked ? "cannot" : "does not",
			 strerror(-carrier->error));
	if (carrier->spoilt || carrier->error)
		return carrier->asked ? carrier->error : 0;
	return carrier->asked || CARRIED_SHARE * (carrier->seal.packed + CARRIED_SEAL) < size;
}

/* Puts the seal behind the log. Returns the size of both or, after a complaint, a negative errno. */
static s64 put_seal(struct carrier *carrier, struct sum *export)
{
	u8 bytes[CARRIED_SEAL];
	int r;

	carrier->seal.export_size = export->size;
	carrier->seal.export_sum = sum_end(export);
	carrier->seal.log_size = carrier->sum.size;
	carrier->seal.log_sum = sum_end(&carrier->sum);
	seal_put(bytes, &carrier->seal);
	r = write_all_at(carrier->fd, bytes, sizeof(bytes), carrier->seal.packed);
	if (!r)
		return (s64)(carrier->seal.packed + sizeof(bytes));
	complain("the output cannot carry the log: %s", strerror(-r));
	return r;
}

static int say_unread(const struct export *export, int r)
{
	if (r != -EINTR)
		complain("%s cannot be read to be sealed: %s", export->output->path, strerror(-r));
	return r;
}

int carrier_get(struct export *export, u64 offset, void *to, size_t size)
{
	u8 *bytes = to;
	ssize_t n;

	while (size) {
		n = pread(export->carrier->fd, bytes, size, (off_t)offset);
		if (n <= 0 && !(n < 0 && errno == EINTR)) {
			complain("the output cannot carry the log: %s", strerror(n ? errno : EIO));
			return n ? -errno : -EIO;
		}
		n = n < 0 ? 0 : n;
		bytes += n;
		offset += (u64)n;
		size -= (size_t)n;
	}
	return 0;
}

static int copy_into(struct export *export, struct outfile *file, u64 size)
{
	u64 at;
	size_t n;
	int r = 0;

	for (at = 0; !r && at < size; at += n) {
		n = size - at < OUTFILE_ROOM ? (size_t)(size - at) : OUTFILE_ROOM;
		r = carrier_get(export, at, outfile_reserve(file, n), n);
		if (!r)
			outfile_commit(file, n);
	}
	return r;
}

s64 carrier_into_folder(struct export *export, const char *folder, u64 export_size)
{
	struct outfile file;
	struct sum sum = { 0 };
	char *path;
	s64 size;
	int r;

	r = export->carrier ? is_carried(export->carrier, export->path, export_size) : 0;
	if (r <= 0)
		return r;
	r = sum_add_folder(&sum, folder, NULL);
	if (r)
		return say_unread(export, r);
	size = put_seal(export->carrier, &sum);
	if (size < 0)
		return size;
	if (asprintf(&path, "%s/" CARRIED_NAME, folder) < 0)
		return export_no_memory(export);
	r = outfile_open(&file, path);
	free(path);
	if (!r) {
		r = copy_into(export, &file, (u64)size);
		if (outfile_close(&file) && !export->output->failed)
			export->output->failed = file.error;
	} else {
		complain("%s/" CARRIED_NAME " cannot be written: %s", export->output->path, strerror(-r));
	}
	return r ? r : size;
}

s64 carrier_into_file(struct export *export)
{
	struct outfile *file = &export->output->file;
	struct sum sum = { 0 };
	int r;

	r = export->carrier ? is_carried(export->carrier, export->path, outfile_offset(file)) : 0;
	if (r <= 0 || outfile_flush(file))
		return r < 0 ? r : 0;
	r = sum_add_file(&sum, file->fd, outfile_offset(file), NULL);
	return r ? say_unread(export, r) : put_seal(export->carrier, &sum);
}

int carrier_append(struct export *export)
{
	s64 size = carrier_into_file(export);

	return size <= 0 ? (int)size : copy_into(export, &export->output->file, (u64)size);
}
