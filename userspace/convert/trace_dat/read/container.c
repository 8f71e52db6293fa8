// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Begins to read a trace.dat file. Its version decides which functions read the rest. */
#include <stdlib.h>
#include <string.h>

#include "read.h"

int trace_dat_begin(struct trace_dat *file)
{
	struct cursor cursor = { file, 0 };
	u8 magic[TRACE_DAT_MAGIC_SIZE], shape[2];
	char version[8];

	if (!input_is_seekable(file->input))
		return trace_dat_damaged(file,
					 "a trace.dat file is read from several places, which a pipe does not allow; "
					 "give the file");
	if (!cursor_take(&cursor, magic, sizeof(magic)) || memcmp(magic, TRACE_DAT_MAGIC, sizeof(magic)))
		return trace_dat_damaged(file, "it does not begin as trace-cmd's files do");
	if (!cursor_take_word(&cursor, version, sizeof(version)) || !cursor_take(&cursor, shape, 2))
		return trace_dat_damaged(file, "it ends within its header");
	file->big = shape[0];
	file->long_size = shape[1];
	if (!cursor_take32(&cursor, &file->page_size))
		return trace_dat_damaged(file, "it ends within its header");
	if (!strcmp(version, "6"))
		return trace_dat_version6(file, &cursor);
	if (!strcmp(version, "7"))
		return trace_dat_version7(file, &cursor);
	return trace_dat_damaged(file, "its version is neither 6 nor 7");
}

void trace_dat_end(struct trace_dat *file)
{
	while (file->others_count)
		free(file->others[--file->others_count].cpus);
	free(file->others);
	free(file->buffer.cpus);
	free(file->names);
	memset(file, 0, sizeof(*file));
}
