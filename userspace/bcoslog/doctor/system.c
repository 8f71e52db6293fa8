// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The files of the examined machine: see doctor.h. */
#include <ctype.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "doctor.h"

static void path_of(const struct system *system, char path[SYSTEM_PATH], const char *format, va_list args)
{
	int used = snprintf(path, SYSTEM_PATH, "%s", system->root);

	if (used < SYSTEM_PATH)
		vsnprintf(path + used, (size_t)(SYSTEM_PATH - used), format, args);
}

void system_path(const struct system *system, char path[SYSTEM_PATH], const char *format, ...)
{
	va_list args;

	va_start(args, format);
	path_of(system, path, format, args);
	va_end(args);
}

bool system_has(const struct system *system, const char *format, ...)
{
	char path[SYSTEM_PATH];
	va_list args;

	va_start(args, format);
	path_of(system, path, format, args);
	va_end(args);
	return !access(path, F_OK);
}

ssize_t system_read(const struct system *system, char *text, size_t size, const char *format, ...)
{
	char path[SYSTEM_PATH];
	size_t used = 0;
	ssize_t got = 0;
	va_list args;
	int fd;

	va_start(args, format);
	path_of(system, path, format, args);
	va_end(args);
	text[0] = '\0';
	/* O_NONBLOCK and O_NOCTTY: the path may be a pipe or a terminal, for which the doctor does not wait. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -1;
	while (used < size - 1 && (got = read(fd, text + used, size - 1 - used)) > 0)
		used += (size_t)got;
	close(fd);
	text[used] = '\0';
	return got < 0 ? -1 : (ssize_t)used;
}

bool system_line(const struct system *system, const char *path, const char *start, char *text, size_t size)
{
	char full[SYSTEM_PATH], *line = NULL;
	size_t room = 0, length = strlen(start);
	bool is_there = false;
	FILE *file;

	system_path(system, full, "%s", path);
	file = fopen(full, "re");
	if (!file)
		return false;
	while (!is_there && getline(&line, &room, file) > 0) {
		if (strncmp(line, start, length))
			continue;
		is_there = true;
		snprintf(text, size, "%.*s", (int)strcspn(line + length, "\n"), line + length);
	}
	free(line);
	fclose(file);
	return is_there;
}

bool system_program(const struct system *system, const char *name)
{
	static const char *const folders[] = { "/usr/bin", "/usr/local/bin", "/bin", "/usr/sbin", "/sbin" };
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (system_has(system, "%s/%s", folders[i], name))
			return true;
	return false;
}

bool system_capable(const struct system *system, int capability)
{
	return system->capabilities >> capability & 1;
}

void system_plain(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || (unsigned char)*text > '~')
			*text = '?';
}

static void look_at_kernel(struct system *system)
{
	unsigned int version = 0, patch = 0;

	system_read(system, system->release, sizeof(system->release), "/proc/sys/kernel/osrelease");
	system->release[strcspn(system->release, "\n")] = '\0';
	system_plain(system->release);
	if (sscanf(system->release, "%u.%u", &version, &patch) == 2)
		system->kernel = version << 8 | (patch > 255 ? 255 : patch);
	/* A kernel that has modules lists them, also if it has loaded none. */
	system->without_modules = system->release[0] && !system_has(system, "/proc/modules");
}

static void look_at_caller(struct system *system)
{
	char text[128];
	unsigned int inside, outside, length;

	system->uid = ~0u;
	if (system_line(system, "/proc/self/status", "Uid:", text, sizeof(text)))
		sscanf(text, "%*u %u", &system->uid);
	if (system_line(system, "/proc/self/status", "CapEff:", text, sizeof(text)))
		system->capabilities = strtoull(text, NULL, 16);
	if (system_line(system, "/proc/self/uid_map", "", text, sizeof(text)) &&
	    sscanf(text, "%u %u %u", &inside, &outside, &length) == 3)
		system->contained = inside || outside || length != ~0u;
}

/* Finds the mode in brackets in a text such as "[none] integrity confidentiality". */
static void look_at_lockdown(struct system *system)
{
	char text[128], *begin, *end;

	/* A file that cannot be read has no text. */
	system_read(system, text, sizeof(text), "/sys/kernel/security/lockdown");
	begin = strchr(text, '[');
	end = begin ? strchr(begin, ']') : NULL;
	if (end)
		snprintf(system->lockdown, sizeof(system->lockdown), "%.*s", (int)(end - begin - 1), begin + 1);
}

void system_look(struct system *system)
{
	look_at_kernel(system);
	look_at_caller(system);
	look_at_lockdown(system);
	if (system_has(system, "/etc/debian_version"))
		system->distribution = DEBIAN;
	else if (system_has(system, "/etc/fedora-release") || system_has(system, "/etc/redhat-release"))
		system->distribution = FEDORA;
	else if (system_has(system, "/etc/arch-release"))
		system->distribution = ARCH;
	else
		system->distribution = OTHER;
}
