// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Functions that exporters and importers share: see convert.h. */
#include "convert.h"

/* By default nothing tells the program to end. */
static bool is_never(void)
{
	return false;
}

bool (*convert_interrupted)(void) = is_never;

const char *convert_option(const struct convert_options *options, const char *name)
{
	unsigned int i;

	for (i = 0; i < options->count; i++)
		if (!strcmp(options->given[i].name, name))
			return options->given[i].text;
	return NULL;
}

int export_no_memory(const struct export *export)
{
	complain("no memory for the names in %s", export->path);
	return -ENOMEM;
}
