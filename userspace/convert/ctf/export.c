// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The exporter of bcoslog convert -t ctf. */
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../convert.h"
#include "trace/writer.h"

/*
 * The library writes into a folder that it makes itself, inside that of the output. LTTng's tools expect a session, which
 * has the trace of the kernel in a folder of this name.
 */
#define FOLDER "kernel"

static int export_failed(struct ctf_writer *writer, struct export *export, int r)
{
	if (r && r != -EINTR)
		complain("%s cannot be converted: %s", export->path,
			 *writer->trace.why ? writer->trace.why : strerror(-r));
	return r;
}

static int begin_export(struct export *export)
{
	struct ctf_writer *writer;
	char *folder;
	int r = ctf_library_load();

	if (r)
		return r;
	writer = calloc(1, sizeof(*writer));
	if (!writer || asprintf(&folder, "%s/" FOLDER, export->output->temporary) < 0) {
		complain("no memory");
		free(writer);
		return -ENOMEM;
	}
	export->own = writer;
	r = ctf_writer_begin(writer, folder);
	free(folder);
	return export_failed(writer, export, r);
}

static int export_entry(struct export *export, const struct bcos_entry *entry)
{
	struct ctf_writer *writer = export->own;
	int r = ctf_writer_entry(writer, entry);

	return unlikely(r) ? export_failed(writer, export, r) : 0;
}

static int export_resumed(struct export *export)
{
	return export_failed(export->own, export, ctf_writer_forget(export->own));
}

/* Gives the folder of the trace and its files the usual permissions. */
static int permit_files(const char *output)
{
	const struct dirent *file;
	mode_t mask = umask(0);
	char *folder;
	DIR *files;
	int r = 0;

	umask(mask);
	if (asprintf(&folder, "%s/" FOLDER, output) < 0)
		return -ENOMEM;
	files = opendir(folder);
	if (!files || chmod(folder, 0777 & ~mask))
		r = -errno;
	while (!r && (file = readdir(files)))
		if (file->d_name[0] != '.' && fchmodat(dirfd(files), file->d_name, 0666 & ~mask, 0))
			r = -errno;
	if (files)
		closedir(files);
	free(folder);
	return r;
}

static int end_export(struct export *export)
{
	struct ctf_writer *writer = export->own;
	unsigned long long skipped;
	int r = export_failed(writer, export, ctf_writer_end(writer));

	if (!r)
		r = export_failed(writer, export, permit_files(export->output->temporary));
	skipped = writer->skipped;
	if (!r && skipped)
		complain("%llu %s of %s %s of a type that nothing describes, and %s left out", skipped,
			 skipped == 1 ? "entry" : "entries", export->path, skipped == 1 ? "is" : "are",
			 skipped == 1 ? "is" : "are");
	return r;
}

static void release_export(struct export *export)
{
	if (!export->own)
		return;
	ctf_writer_free(export->own);
	free(export->own);
}

const struct exporter ctf_exporter = {
	.name = "ctf",
	.help = "Common Trace Format 1.8 as of a session of LTTng's kernel tracer, a directory",
	.suffix = ".ctf",
	.directory = true,
	.begin = begin_export,
	.entry = export_entry,
	.resumed = export_resumed,
	.end = end_export,
	.free = release_export,
};
