// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of all formats, in the order in which help lists them and magic is looked for. */
#include "convert.h"
#include "eventheader/export.h"
#ifdef CONVERT_HAVE_TRACEEVENT
#include "perf/import.h"
#endif

extern const struct exporter folded_exporter;

const struct format formats[] = {
	{ .exporter = &folded_exporter },
	{ .exporter = &eventheader_exporter },
#ifdef CONVERT_HAVE_TRACEEVENT
	{ .importer = &perf_importer },
#else
	{ .missing = "perf", .needs = "libtraceevent (Debian: libtraceevent-dev)" },
#endif
};

const size_t formats_count = sizeof(formats) / sizeof(formats[0]);

const char *convert_option(const struct convert_options *options, const char *name)
{
	unsigned int i;

	for (i = 0; i < options->count; i++)
		if (!strcmp(options->given[i].name, name))
			return options->given[i].text;
	return NULL;
}
