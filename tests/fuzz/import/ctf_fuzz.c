// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Any bytes stand for what the process sends that reads a CTF trace, since a damaged trace may become anything. The log
 * that is made of them passes the check.
 */
#define IMPORTER ctf_fuzz_importer
#include "import_fuzz.h"

#include "../../../userspace/convert/ctf/read/reader.h"

extern const struct importer ctf_fuzz_importer;

static bool recognize_any(const char *path, const u8 *bytes, size_t size)
{
	(void)path;
	return bytes && size;
}

static int run_import(struct import *import)
{
	struct ctf_reader *reader = calloc(1, sizeof(*reader));
	int r;

	if (!reader)
		abort();
	reader->log = import->log;
	reader->path = import->path;
	reader->left = &import->left;
	r = ctf_reader_run(reader, import->input);
	ctf_reader_free(reader);
	free(reader);
	return r;
}

const struct importer ctf_fuzz_importer = { .name = "ctf-records", .recognizes = recognize_any, .run = run_import };
