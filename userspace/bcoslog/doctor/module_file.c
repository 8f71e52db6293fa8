// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The module as a file: see module_file.h. */
#include <stdlib.h>

#include "module_file.h"

/* A module of more bytes is none of ours. */
#define MOST (64u << 20)

static const char signature[] = "~Module signature appended~\n";

/* The line of modules.dep that begins with it: "updates/dkms/bcos_evlog.ko.xz: ..." */
static bool find_path(const struct system *system, char *relative, size_t size)
{
	char path[SYSTEM_PATH], *line = NULL, *name;
	bool is_there = false;
	size_t room = 0;
	FILE *file;

	system_path(system, path, "/lib/modules/%s/modules.dep", system->release);
	file = fopen(path, "re");
	if (!file)
		return false;
	while (!is_there && getline(&line, &room, file) > 0) {
		line[strcspn(line, ":\n")] = '\0';
		name = strrchr(line, '/');
		name = name ? name + 1 : line;
		is_there = !strncmp(name, "bcos_evlog.ko", 13) && (!name[13] || name[13] == '.');
		if (is_there)
			snprintf(relative, size, "%s", line);
	}
	free(line);
	fclose(file);
	return is_there;
}

/* "\0version=0.1.0\0" of the section .modinfo. */
static void read_version(struct module_file *file, const char *text, size_t size)
{
	static const char key[] = "\0version=";
	const char *at = memmem(text, size, key, sizeof(key) - 1);
	size_t room;

	if (!at)
		return;
	at += sizeof(key) - 1;
	room = size - (size_t)(at - text);
	snprintf(file->version, sizeof(file->version), "%.*s", (int)(room < 63 ? room : 63), at);
}

bool module_file_find(const struct system *system, struct module_file *file)
{
	char relative[1024], *text;
	ssize_t size;

	file->version[0] = '\0';
	file->is_signed = SIGNED_UNKNOWN;
	if (!find_path(system, relative, sizeof(relative)))
		return false;
	if (!system_has(system, "/lib/modules/%s/%s", system->release, relative))
		return false;
	/* What is compressed is not looked into. */
	if (strcmp(relative + strlen(relative) - 3, ".ko"))
		return true;
	text = malloc(MOST);
	if (!text)
		return true;
	size = system_read(system, text, MOST, "/lib/modules/%s/%s", system->release, relative);
	if (size > 0) {
		read_version(file, text, (size_t)size);
		file->is_signed =
			(size_t)size >= sizeof(signature) - 1 &&
					!memcmp(text + size - (sizeof(signature) - 1), signature, sizeof(signature) - 1)
				? SIGNED_YES
				: SIGNED_NO;
	}
	free(text);
	return true;
}
