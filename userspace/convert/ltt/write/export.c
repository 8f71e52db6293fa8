// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The exporters of bcoslog convert -t ltt and -t ltt-tar. */
#include <stdlib.h>

#include "../../carried/carried.h"
#include "../ltt.h"
#include "write.h"

/* An export. @packed: the folder that becomes an archive at the end, or NULL. */
struct ltt_export {
	struct ltt_writer writer;
	char *packed;
};

static int export_failed(struct ltt_export *own, struct export *export, int r)
{
	if (r && r != -EINTR)
		complain("%s cannot be converted: %s", export->path, *own->writer.why ? own->writer.why : strerror(-r));
	return r;
}

static int begin_export(struct export *export)
{
	struct ltt_export *own = calloc(1, sizeof(*own));
	const char *folder = export->output->temporary;

	if (!own) {
		complain("no memory");
		return -ENOMEM;
	}
	export->own = own;
	if (!export->output->directory) {
		folder = own->packed = ltt_folder_make();
		if (!folder) {
			complain("there is no room for a temporary folder: %s; set TMPDIR to where there is",
				 strerror(errno));
			return -EIO;
		}
	}
	return export_failed(own, export, ltt_writer_begin(&own->writer, folder));
}

static int export_entry(struct export *export, const struct bcos_entry *entry)
{
	struct ltt_export *own = export->own;
	int r = ltt_writer_entry(&own->writer, entry);

	return unlikely(r) ? export_failed(own, export, r) : 0;
}

static int export_resumed(struct export *export)
{
	struct ltt_export *own = export->own;

	int r = ltt_writer_forget(&own->writer);

	return r ? export_failed(own, export, r) : 0;
}

static void say_skipped(const struct ltt_export *own, const struct export *export)
{
	unsigned long long skipped = own->writer.skipped;

	if (skipped)
		complain("%llu %s of %s %s of a type that nothing describes, and %s left out", skipped,
			 skipped == 1 ? "entry" : "entries", export->path, skipped == 1 ? "is" : "are",
			 skipped == 1 ? "is" : "are");
}

static int end_export(struct export *export)
{
	struct ltt_export *own = export->own;
	int r = export_failed(own, export, ltt_writer_end(&own->writer));

	if (!r)
		say_skipped(own, export);
	if (!r && !own->packed && carrier_into_folder(export, export->output->temporary, guard_measure(export->output->temporary)) < 0)
		r = -EIO;
	if (!r && own->packed) {
		const char *path = export->output->path, *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
		size_t length = strcspn(name, ".");
		char *folder = !length || !strcmp(path, "-") ? strdup("trace") : strndup(name, length);

		r = folder ? ltt_pack(export, own->packed, folder) : -ENOMEM;
		free(folder);
	}
	return r;
}

static void release_export(struct export *export)
{
	struct ltt_export *own = export->own;

	if (!own)
		return;
	ltt_writer_free(&own->writer);
	ltt_folder_remove(own->packed);
	free(own);
}

static const struct convert_option options[] = {
	CONVERT_CARRY_OPTIONS,
	{ NULL, NULL, NULL },
};

const struct exporter ltt_exporter = {
	.name = "ltt",
	.options = options,
	.carries = true,
	.help = "LTT trace, a directory",
	.directory = true,
	.begin = begin_export,
	.entry = export_entry,
	.resumed = export_resumed,
	.end = end_export,
	.free = release_export,
};

const struct exporter ltt_tar_exporter = {
	.name = "ltt-tar",
	.suffix = ".tar.gz",
	.options = options,
	.carries = true,
	.help = "LTT trace in a tar archive, compressed with gzip",
	.begin = begin_export,
	.entry = export_entry,
	.resumed = export_resumed,
	.end = end_export,
	.free = release_export,
};
