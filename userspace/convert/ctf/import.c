// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog convert -f ctf. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "reader.h"

/* Metadata is text, or packets of it that begin with this number in either byte order. */
#define PACKETIZED 0x75D11D57u
static const char beginning[] = "/* CTF 1.8";

/* Is there a file of metadata in this folder? */
static bool has_metadata(const char *folder)
{
	char bytes[sizeof(beginning) - 1], *name;
	u32 magic;
	bool found;
	int fd;

	if (asprintf(&name, "%s/metadata", folder) < 0)
		return false;
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	free(name);
	if (fd < 0)
		return false;
	found = read(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes);
	close(fd);
	memcpy(&magic, bytes, sizeof(magic));
	return found && (!memcmp(bytes, beginning, sizeof(bytes)) || magic == PACKETIZED ||
			 magic == __builtin_bswap32(PACKETIZED));
}

/* The folder of a trace: the one that is named or, of a session of LTTng, its folder of the kernel. NULL: none. */
static char *trace_in(const char *path)
{
	char *folder;

	if (has_metadata(path))
		return strdup(path);
	if (asprintf(&folder, "%s/kernel", path) < 0)
		return NULL;
	if (has_metadata(folder))
		return folder;
	free(folder);
	return NULL;
}

static bool recognizes(const char *path, const u8 *bytes, size_t size)
{
	char *folder;

	(void)size;
	if (bytes)
		return false;
	folder = trace_in(path);
	free(folder);
	return folder;
}

/* What could not be read, or is left out. */
static int say(const struct ctf_reader *reader, const struct ctf_merge *merge, const char *path)
{
	unsigned long long left_out = reader->left_out, spoiled = reader->spoiled, damaged = merge->damaged;

	if (left_out)
		complain("%llu %s of %s %s of kinds that become no entries, and %s left out", left_out,
			 left_out == 1 ? "event" : "events", path, left_out == 1 ? "is" : "are", left_out == 1 ? "is" : "are");
	if (spoiled)
		complain("%s is damaged: %llu %s the fields that %s to have", path, spoiled,
			 spoiled == 1 ? "event lacks" : "events lack", spoiled == 1 ? "it has" : "they have");
	if (damaged)
		complain("%s is damaged: %llu %s cannot be read to %s end: %s", path, damaged,
			 damaged == 1 ? "stream" : "streams", damaged == 1 ? "its" : "their", merge->why);
	return spoiled || damaged ? -EBADMSG : 0;
}

static int read_trace(struct import *import, const char *folder)
{
	struct ctf_reader *reader = calloc(1, sizeof(*reader));
	struct ctf_merge *merge = calloc(1, sizeof(*merge));
	const struct ctf_taker taker = {
		.begin = ctf_reader_begin, .event = ctf_reader_event, .lost = ctf_reader_lost, .context = reader,
	};
	int r = -ENOMEM;

	if (reader && merge) {
		reader->log = import->log;
		r = ctf_merge_run(merge, folder, &taker);
		r = r ? r : ctf_reader_end(reader);
	}
	if (!r)
		r = say(reader, merge, import->path);
	else if (r != -EINTR && !log_writer_error(import->log))
		complain("%s cannot be read: %s", import->path, merge && *merge->why ? merge->why : strerror(-r));
	if (merge)
		ctf_merge_free(merge);
	if (reader)
		ctf_reader_free(reader);
	free(merge);
	free(reader);
	return r;
}

static int run(struct import *import)
{
	char *folder;
	int r;

	if (!import->input->directory) {
		complain("%s is no directory, as a CTF trace is", import->path);
		return -ENOTDIR;
	}
	folder = trace_in(import->path);
	if (!folder) {
		complain("%s is no CTF trace: neither it nor its folder kernel has a file metadata of CTF 1.8", import->path);
		return -ENOENT;
	}
	r = ctf_library_load();
	if (!r)
		r = read_trace(import, folder);
	free(folder);
	return r;
}

const struct importer ctf_importer = {
	.name = "ctf",
	.help = "CTF trace, as of LTTng: a directory",
	.recognizes = recognizes,
	.run = run,
};
