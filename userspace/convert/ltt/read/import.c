// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The importer of bcoslog convert -f ltt. */
#include <stdlib.h>
#include <sys/stat.h>

#include "../../carried/carried.h"
#include "../ltt.h"
#include "read.h"

/* Is the input a folder with info/system.xml, or an archive of such a folder? */
static bool recognizes_ltt(const char *path, const u8 *bytes, size_t size)
{
	struct stat stat_of;
	char *name;
	bool found;

	if (bytes)
		return ltt_archive_recognizes(bytes, size);
	if (asprintf(&name, "%s/info/system.xml", path) < 0)
		return false;
	found = !stat(name, &stat_of) && S_ISREG(stat_of.st_mode);
	free(name);
	return found;
}

/* Says in one sentence what is damaged. */
static void say_damage(const struct ltt_reader *reader, const char *path)
{
	char text[512];
	size_t used = 0;
	const struct {
		unsigned long long count;
		const char *one, *many;
	} parts[] = {
		{ reader->spoiled, "block that cannot be understood to its end",
		  "blocks that cannot be understood to their ends" },
		{ reader->missing, "block missing", "blocks missing" },
		{ reader->cut, "file that ends within a block", "files that end within a block" },
		{ reader->unreadable, "file that cannot be read", "files that cannot be read" },
		{ reader->trace->undescribed, "facility that no file describes", "facilities that no file describes" },
	};
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i].count)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%llu %s", used ? ", " : "",
						 parts[i].count, parts[i].count == 1 ? parts[i].one : parts[i].many);
	if (used)
		complain("%s is damaged: it has %s", path, text);
}

static int read_trace(struct import *import, const char *folder)
{
	struct ltt_reader *reader;
	struct ltt_trace trace;
	int r = carried_take_folder(import, folder);

	if (r)
		return r < 0 ? r : 0;
	reader = calloc(1, sizeof(*reader));
	if (!reader) {
		complain("no memory");
		return -ENOMEM;
	}
	r = ltt_trace_open(&trace, folder);
	if (r) {
		complain("%s cannot be read: %s", import->path, trace.why);
	} else {
		reader->trace = &trace;
		reader->log = import->log;
		reader->interrupted = convert_interrupted;
		r = ltt_reader_run(reader);
		left_out_add(&import->left, "field of a switch", "only the process that gets the CPU is told",
			     reader->switch_fields);
		left_out_add(&import->left, "description of process 0", "it is the idle one, which has no name in a log",
			     reader->idle_processes);
		if (r == -EBADMSG)
			say_damage(reader, import->path);
		else if (r && r != -EINTR && !log_writer_error(import->log))
			complain("%s cannot be read: %s", import->path, strerror(-r));
	}
	ltt_trace_close(&trace);
	free(reader);
	return r;
}

static int run_import(struct import *import)
{
	int damaged, r;
	char *folder;

	if (import->input->directory)
		return read_trace(import, import->input->path);
	folder = ltt_folder_make();
	if (!folder) {
		complain("there is no room for a temporary folder: %s; set TMPDIR to where there is", strerror(errno));
		return -EIO;
	}
	damaged = ltt_unpack(import->input, import->path, folder);
	r = damaged && damaged != -EBADMSG ? damaged : read_trace(import, folder);
	ltt_folder_remove(folder);
	return r ? r : damaged;
}

const struct importer ltt_importer = {
	.name = "ltt",
	.also = "ltt-tar",
	.help = "LTT trace: a directory, or a tar archive of one",
	.directory = true,
	.recognizes = recognizes_ltt,
	.run = run_import,
};
