// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The file of the module: see module_file.h. */
#include <stdlib.h>

#include "module_file.h"

/* The greatest size of a file that is read. The module is smaller. */
#define MOST (64u << 20)

static const char signature[] = "~Module signature appended~\n";

/* Finds the path of the module in modules.dep, with which a line begins: "updates/dkms/bcos_evlog.ko.xz: ..." */
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

/* Finds the version, which stands in the section .modinfo as "\0version=0.1.0\0". */
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

/*
 * Finds the name of the signature's key: the last common name (2.5.4.3) in the signature. Certificates before it in the
 * signature may contain other common names.
 */
static void read_signer(struct module_file *file, const char *text, size_t size)
{
	static const char common_name[] = { 0x06, 0x03, 0x55, 0x04, 0x03 };
	const char *at, *end, *found = NULL;
	size_t length;

	/* The signature is at the end of the file, and shorter than 8192 bytes. */
	at = text + (size > 8192 ? size - 8192 : 0);
	end = text + size;
	while ((at = memmem(at, (size_t)(end - at), common_name, sizeof(common_name)))) {
		at += sizeof(common_name);
		found = at;
	}
	/* The text follows after a byte for its kind and a byte for its length. */
	if (!found || end - found < 2)
		return;
	length = (u8)found[1];
	if (length < sizeof(file->signer) && length <= (size_t)(end - found - 2))
		snprintf(file->signer, sizeof(file->signer), "%.*s", (int)length, found + 2);
}

bool module_file_find(const struct system *system, struct module_file *file)
{
	char relative[1024], *text;
	ssize_t size;

	file->version[0] = file->signer[0] = '\0';
	file->is_signed = SIGNED_UNKNOWN;
	if (!find_path(system, relative, sizeof(relative)))
		return false;
	if (!system_has(system, "/lib/modules/%s/%s", system->release, relative))
		return false;
	text = malloc(MOST);
	if (!text)
		return true;
	size = system_unpack(system, text, MOST, "/lib/modules/%s/%s", system->release, relative);
	if (size > 0) {
		read_version(file, text, (size_t)size);
		file->is_signed =
			(size_t)size >= sizeof(signature) - 1 &&
					!memcmp(text + size - (sizeof(signature) - 1), signature, sizeof(signature) - 1)
				? SIGNED_YES
				: SIGNED_NO;
		if (file->is_signed == SIGNED_YES)
			read_signer(file, text, (size_t)size);
	}
	free(text);
	return true;
}
