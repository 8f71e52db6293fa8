// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The importer of bcoslog convert -f ctf. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "reader.h"

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

/*
 * Returns the folder of the trace: the named one or, for a session of LTTng, its subfolder "kernel". NULL: there is no
 * trace.
 */
static char *trace_in(const char *path)
{
	char *folder;

	if (metadata_of(path))
		return strdup(path);
	if (asprintf(&folder, "%s/kernel", path) < 0)
		return NULL;
	if (metadata_of(folder))
		return folder;
	free(folder);
	return NULL;
}

static bool recognizes_ctf(const char *path, const u8 *bytes, size_t size)
{
	char *folder;

	(void)size;
	if (bytes)
		return false;
	folder = trace_in(path);
	free(folder);
	return folder;
}

/* The child has ended before it had read the trace, so it is unknown how much is missing. */
static int say_early(const char *path, int status)
{
	const char *by = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "no reason given";

	complain("%s is damaged: the library of Babeltrace 2 has given up within it (%s)", path, by);
	return -EBADMSG;
}

static int read_trace(struct import *import, const char *folder)
{
	struct ctf_reader *reader = calloc(1, sizeof(*reader));
	struct input input = { .fd = -1, .path = folder };
	int r = -ENOMEM, status = 0;
	pid_t child = -1;

	if (reader) {
		reader->log = import->log;
		reader->left = &import->left;
		reader->path = import->path;
		child = ctf_child_start(folder, import->input->guard ? import->input->guard->input : 0, &input.fd);
		r = child < 0 ? (int)child : ctf_reader_run(reader, &input);
	}
	/* If all was read, closing the pipe tells the child that it may end. */
	input_close(&input);
	if (child > 0 && guard_error(import->input->guard))
		kill(child, SIGKILL);
	if (child > 0)
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
	if (guard_error(import->input->guard))
		r = guard_error(import->input->guard);
	else if (r == -EFBIG)
		complain("%s is refused: it has more events than bits, so it is damaged or made to do harm", import->path);
	else if (r == -EPIPE)
		r = say_early(import->path, status);
	else if (r && r != -EBADMSG && r != -EINTR && !log_writer_error(import->log))
		complain("%s cannot be read: %s", import->path, strerror(-r));
	if (reader)
		ctf_reader_free(reader);
	free(reader);
	return r;
}

static int run_import(struct import *import)
{
	char *folder;
	int r;

	if (!import->input->directory) {
		complain("%s is no directory, as a CTF trace is", import->path);
		return -ENOTDIR;
	}
	folder = trace_in(import->path);
	if (!folder) {
		complain("%s is no CTF trace: neither it nor its folder kernel has a file metadata of CTF 1.8",
			 import->path);
		return -ENOENT;
	}
	if (metadata_of(folder) == METADATA_CTF2) {
		complain("%s is a trace of CTF 2, and bcoslog reads CTF 1.8: Babeltrace 2.1 converts it, by its component "
			 "sink.ctf.fs with ctf-version=\"1.8\"", import->path);
		free(folder);
		return -ENOTSUP;
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
	.directory = true,
	.recognizes = recognizes_ctf,
	.run = run_import,
};
