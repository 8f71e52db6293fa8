// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The exporter of bcoslog convert -t ctf. */
#include <stdlib.h>

#include "../../carried/carried.h"
#include "write.h"

/* LTTng's tools expect a session, which has the trace of the kernel in a folder of this name. */
#define FOLDER "kernel"

static int export_failed(struct ctf_writer *writer, struct export *export, int r)
{
	if (r && r != -EINTR)
		complain("%s cannot be converted: %s", export->path, writer->trace.why);
	return r;
}

static int begin_export(struct export *export)
{
	struct ctf_writer *writer = calloc(1, sizeof(*writer));
	char *folder;
	int r;

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

static int end_export(struct export *export)
{
	struct ctf_writer *writer = export->own;
	unsigned long long skipped;
	int r = export_failed(writer, export, ctf_writer_end(writer));

	skipped = writer->skipped;
	if (!r && skipped)
		complain("%llu %s of %s %s of a type that nothing describes, and %s left out", skipped,
			 skipped == 1 ? "entry" : "entries", export->path, skipped == 1 ? "is" : "are",
			 skipped == 1 ? "is" : "are");
	if (!r)
		r = carrier_into_folder(export, export->output->temporary, guard_measure(export->output->temporary)) < 0 ?
			    -EIO : 0;
	return r;
}

static void release_export(struct export *export)
{
	if (!export->own)
		return;
	ctf_writer_free(export->own);
	free(export->own);
}

static const struct convert_option options[] = {
	CONVERT_CARRY_OPTIONS,
	{ NULL, NULL, NULL },
};

const struct exporter ctf_exporter = {
	.name = "ctf",
	.help = "Common Trace Format 1.8 as of a session of LTTng's kernel tracer, a directory",
	.suffix = ".ctf",
	.options = options,
	.directory = true,
	.carries = true,
	.begin = begin_export,
	.entry = export_entry,
	.resumed = export_resumed,
	.end = end_export,
	.free = release_export,
};
