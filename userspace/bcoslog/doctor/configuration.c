// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The options with which the examined machine's kernel was built: see doctor.h. */
#include <stdlib.h>

#include "doctor.h"

/* The greatest size of a configuration that is read. Those of distributions have 300 KB. */
#define MOST (4u << 20)

/* The first place is that of the running kernel itself, and the others are named after its release. */
static const char *const places[] = {
	"/proc/config.gz",
	"/boot/config-%s",
	"/lib/modules/%s/config",
	"/lib/modules/%s/build/.config",
};

static bool read_place(const struct system *system, const char *place, struct configuration *configuration)
{
	ssize_t size;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(configuration->path, sizeof(configuration->path), place, system->release);
#pragma GCC diagnostic pop
	if (!system_has(system, "%s", configuration->path))
		return false;
	size = system_unpack(system, configuration->text, MOST - 1, "%s", configuration->path);
	if (size <= 0)
		return false;
	configuration->text[size] = '\0';
	return true;
}

bool configuration_read(const struct system *system, struct configuration *configuration)
{
	size_t place;

	configuration->text = malloc(MOST);
	if (!configuration->text)
		return false;
	for (place = 0; place < sizeof(places) / sizeof(places[0]); place++)
		if (read_place(system, places[place], configuration))
			return true;
	free(configuration->text);
	configuration->text = NULL;
	return false;
}

bool configuration_has(const struct configuration *configuration, const char *option)
{
	const char *line = configuration->text;
	size_t length = strlen(option);

	while (line) {
		if (!strncmp(line, option, length) && line[length] == '=')
			return line[length + 1] == 'y';
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	return false;
}

void configuration_free(struct configuration *configuration)
{
	free(configuration->text);
	configuration->text = NULL;
}
