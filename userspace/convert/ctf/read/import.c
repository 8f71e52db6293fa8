// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The importer of bcoslog convert -f ctf. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../carried/carried.h"
#include "read.h"

/* Metadata is plain text, or packets of text that begin with this number in either byte order. */
#define PACKETIZED 0x75D11D57u
static const char metadata_beginning[] = "/* CTF 1.8";
/* The metadata of CTF 2 is JSON, each object of which begins with this character. */
#define CTF2_SEPARATOR 0x1E

/* The kind of metadata that a folder has. */
enum metadata { METADATA_NONE, METADATA_CTF1, METADATA_CTF2 };

static enum metadata metadata_of(const char *folder)
{
	char bytes[sizeof(metadata_beginning) - 1], *name;
	u32 magic;
	bool found;
	int fd;

	if (asprintf(&name, "%s/metadata", folder) < 0)
		return METADATA_NONE;
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	free(name);
	if (fd < 0)
		return METADATA_NONE;
	found = read(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes);
	close(fd);
	memcpy(&magic, bytes, sizeof(magic));
	if (found && bytes[0] == CTF2_SEPARATOR)
		return METADATA_CTF2;
	return found && (!memcmp(bytes, metadata_beginning, sizeof(bytes)) || magic == PACKETIZED ||
			 magic == __builtin_bswap32(PACKETIZED)) ? METADATA_CTF1 : METADATA_NONE;
}

/* Is there a trace in this folder, of whatever version? */
static bool is_trace(const char *folder)
{
	return metadata_of(folder) != METADATA_NONE;
}

/*
 * Returns the folder of the trace: the named one; for a session of LTTng, its subfolder "kernel"; or the only one below
 * the named folder. NULL: there is no trace, or there are several, all of which are in @below then.
 */
static char *trace_in(const char *path, struct ctf_folders *below)
{
	char *folder;

	memset(below, 0, sizeof(*below));
	if (is_trace(path))
		return strdup(path);
	if (asprintf(&folder, "%s/kernel", path) < 0)
		return NULL;
	if (is_trace(folder))
		return folder;
	free(folder);
	ctf_folders_find(below, path, is_trace);
	return below->count == 1 ? strdup(below->names[0]) : NULL;
}

/*
 * A folder is recognized if it is a trace, or has the folder kernel or ust of a session of LTTng. Others may have traces
 * somewhere below them without being any.
 */
static bool recognizes_ctf(const char *path, const u8 *bytes, size_t size)
{
	struct ctf_folders below = { 0 };
	bool found = false;
	char *folder;

	(void)size;
	if (bytes)
		return false;
	if (is_trace(path))
		return true;
	if (asprintf(&folder, "%s/kernel", path) >= 0) {
		found = is_trace(folder);
		free(folder);
	}
	if (!found && asprintf(&folder, "%s/ust", path) >= 0) {
		ctf_folders_find(&below, folder, is_trace);
		found = below.count;
		ctf_folders_free(&below);
		free(folder);
	}
	return found;
}

/* Reads the trace in @folder. @beside: only counts its events, which are of this folder beside that of the log; or NULL. */
static int read_trace(struct import *import, const char *folder, const char *beside)
{
	u64 size = beside ? guard_measure(folder) : import->input->guard ? import->input->guard->input : 0;
	struct ctf_reader reader = {
		.log = import->log, .left = &import->left, .path = beside ? folder : import->path, .beside = beside,
	};
	int r = ctf_trace_read(&reader, folder, size);

	if (convert_interrupted())
		r = -EINTR;
	else if (guard_error(import->input->guard))
		r = guard_error(import->input->guard);
	else if (r == -EFBIG)
		complain("%s is refused: it has more events than bits, so it is damaged or made to do harm", reader.path);
	else if (r == -ENOTRECOVERABLE)
		r = -EBADMSG;
	else if (r && r != -EBADMSG && r != -EINTR && !log_writer_error(import->log))
		complain("%s cannot be read: %s", reader.path, strerror(-r));
	ctf_reader_free(&reader);
	return r;
}

/* Two paths may name one folder, if only by a slash. */
static bool is_same_folder(const char *a, const char *b)
{
	struct stat one, other;

	return !stat(a, &one) && !stat(b, &other) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/*
 * Counts what the traces hold that lie in the same folder as the one that becomes the log: a session of LTTng has those
 * of programs beside that of the kernel.
 */
static int count_beside(struct import *import, const char *folder)
{
	struct ctf_folders all = { 0 };
	size_t skip = strlen(import->path), i;
	const char *name;
	int r, result = 0;

	ctf_folders_find(&all, import->path, is_trace);
	if (all.more)
		complain("%s has more folders than bcoslog looks at: there may be more traces in it", import->path);
	for (i = 0; i < all.count && (!result || result == -EBADMSG); i++) {
		if (is_same_folder(all.names[i], folder))
			continue;
		name = all.names[i] + skip;
		name += strspn(name, "/");
		if (metadata_of(all.names[i]) == METADATA_CTF2) {
			complain("%s is left out: it is a trace of CTF 2 beside the one that becomes the log", all.names[i]);
			continue;
		}
		r = read_trace(import, all.names[i], name);
		result = r ? r : result;
	}
	ctf_folders_free(&all);
	return result;
}

/* Complains that @path is not one trace. Returns a negative errno. */
static int say_no_trace(const char *path, const struct ctf_folders *below)
{
	if (below->count)
		complain("%s has %s%u traces, and a log is made of one: name its folder, such as %s", path,
			 below->more ? "more than " : "", below->count, below->names[0]);
	else
		complain("%s is no CTF trace: neither it nor a folder below it has a file metadata of CTF 1.8", path);
	return -ENOENT;
}

static int run_import(struct import *import)
{
	struct ctf_folders below;
	char *folder;
	int r, counted;

	if (!import->input->directory) {
		complain("%s is no directory, as a CTF trace is", import->path);
		return -ENOTDIR;
	}
	r = carried_take_folder(import, import->path);
	if (r)
		return r < 0 ? r : 0;
	folder = trace_in(import->path, &below);
	r = folder ? 0 : say_no_trace(import->path, &below);
	ctf_folders_free(&below);
	if (r)
		return r;
	if (metadata_of(folder) == METADATA_CTF2) {
		complain("%s is a trace of CTF 2, and bcoslog reads CTF 1.8: Babeltrace 2.1 converts it, by its component "
			 "sink.ctf.fs with ctf-version=\"1.8\"", import->path);
		free(folder);
		return -ENOTSUP;
	}
	r = read_trace(import, folder, NULL);
	counted = r && r != -EBADMSG ? 0 : count_beside(import, folder);
	r = counted ? counted : r;
	free(folder);
	return r;
}

const struct importer ctf_importer = {
	.name = "ctf",
	.help = "CTF trace, as of LTTng: a directory",
	.directory = true,
	.recognizes = recognizes_ctf,
	.run = run_import,
};
