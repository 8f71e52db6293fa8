// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of all formats, in the order in which help lists them and magic is looked for. */
#include "convert.h"

extern const struct exporter folded_exporter;

const struct format formats[] = {
	{ .exporter = &folded_exporter },
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
