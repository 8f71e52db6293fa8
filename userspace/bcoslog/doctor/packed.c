// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Files of the examined machine that may be compressed. */
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor.h"

/* Return: the program that unpacks the file, or NULL if the file is not packed. */
static const char *unpacker_of(const char *name)
{
	const char *suffix = strrchr(name, '.');

	if (!suffix)
		return NULL;
	if (!strcmp(suffix, ".xz"))
		return "xz";
	if (!strcmp(suffix, ".zst"))
		return "zstd";
	return strcmp(suffix, ".gz") ? NULL : "gzip";
}

/* Reads a file that @program unpacks.  Return: the number of unpacked bytes, or -1 if the program fails. */
static ssize_t read_packed(const char *program, const char *path, char *text, size_t size)
{
	char name[16], option[] = "-dc", *arguments[] = { name, option, NULL };
	posix_spawn_file_actions_t actions;
	ssize_t n, done = 0;
	int ends[2], status = -1, r;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	snprintf(name, sizeof(name), "%s", program);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	r = posix_spawnp(&child, program, &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	while (!r && (size_t)done < size && (n = read(ends[0], text + done, size - (size_t)done)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		done += n;
	}
	close(ends[0]);
	while (!r && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return r || status ? -1 : done;
}

ssize_t system_unpack(const struct system *system, char *text, size_t size, const char *format, ...)
{
	char relative[SYSTEM_PATH], path[SYSTEM_PATH];
	const char *program;
	va_list args;

	va_start(args, format);
	vsnprintf(relative, sizeof(relative), format, args);
	va_end(args);
	program = unpacker_of(relative);
	if (!program)
		return system_read(system, text, size, "%s", relative);
	system_path(system, path, "%s", relative);
	return read_packed(program, path, text, size);
}
