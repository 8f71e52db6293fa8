// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which machines are asked: see hosts.h. */
#include <errno.h>
#include <fnmatch.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "complain/complain.h"
#include "hosts.h"

/* The characters of names, user names and addresses. None of them means anything to a shell. */
#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-:@%+"
#define SPACE " \t\r\n"

int host_check(const char *name)
{
	const char *host = strrchr(name, '@');

	host = host ? host + 1 : name;
	if (*name && *host && *name != '-' && *host != '-' && strlen(name) < 256 && !name[strspn(name, PLAIN)])
		return 0;
	complain("\"%.*s\" is no name of a machine: HOST or USER@HOST, of letters, digits and ._-:%%+, which does not begin with a dash",
		 (int)strcspn(name, "\x1b\n"), name);
	return -1;
}

/* Return: 0 or -1 after a complaint. */
static int add_host(struct hosts *hosts, const char *name)
{
	size_t room = hosts->room ? 2 * hosts->room : 16, i;
	char **names;

	if (host_check(name))
		return -1;
	for (i = 0; i < hosts->count; i++)
		if (!strcmp(hosts->names[i], name))
			return 0;
	if (hosts->count == hosts->room) {
		names = reallocarray(hosts->names, room, sizeof(*names));
		if (!names) {
			complain("no memory for the names of machines");
			return -1;
		}
		hosts->names = names;
		hosts->room = room;
	}
	hosts->names[hosts->count] = strdup(name);
	if (hosts->names[hosts->count]) {
		hosts->count++;
		return 0;
	}
	complain("no memory for the names of machines");
	return -1;
}

/* Reads a file of names. What follows a # is a comment. */
static int read_names(struct hosts *hosts, FILE *file)
{
	size_t room = 0;
	char *line = NULL, *name, *end;
	int r = 0;

	while (!r && getline(&line, &room, file) >= 0) {
		line[strcspn(line, "#")] = '\0';
		name = line + strspn(line, SPACE);
		end = name + strlen(name);
		while (end > name && strchr(SPACE, end[-1]))
			*--end = '\0';
		/* A second word in the line is refused with the first one. */
		if (*name)
			r = add_host(hosts, name);
	}
	free(line);
	if (!r && ferror(file)) {
		complain("the names of machines cannot be read: %s", strerror(errno));
		r = -1;
	}
	return r;
}

/* Opens ~/.ssh/config, in the folder that ssh takes for the user's own. */
static FILE *open_configuration(void)
{
	const struct passwd *user = getpwuid(getuid());
	char path[4096];

	if (!user || (size_t)snprintf(path, sizeof(path), "%s/.ssh/config", user->pw_dir) >= sizeof(path))
		return NULL;
	return fopen(path, "re");
}

/* Adds the hosts of a line of the configuration that match.  Return: 0, or -1 after a complaint. */
static int match_line(struct hosts *hosts, char *line, const char *pattern)
{
	char *rest = line + strspn(line, SPACE), *name;
	int r = 0;

	if (strncasecmp(rest, "Host", 4) || !strchr(SPACE "=", rest[4]))
		return 0;
	rest += 4;
	while (!r && (name = strsep(&rest, SPACE "="))) {
		if (!*name || strpbrk(name, "*?!") || fnmatch(pattern, name, 0))
			continue;
		r = add_host(hosts, name);
	}
	return r;
}

static int match_hosts(struct hosts *hosts, const char *pattern)
{
	FILE *file = open_configuration();
	size_t room = 0, count = hosts->count;
	char *line = NULL;
	int r = 0;

	while (!r && file && getline(&line, &room, file) >= 0)
		r = match_line(hosts, line, pattern);
	free(line);
	if (file)
		fclose(file);
	if (!r && hosts->count == count) {
		complain("no host of ~/.ssh/config is like \"%s\": name machines, or a file that has their names", pattern);
		r = -1;
	}
	return r;
}

static int read_list(struct hosts *hosts, const char *text)
{
	char *copy = strdup(text), *rest = copy, *name;
	int r = copy ? 0 : -1;

	if (!copy)
		complain("no memory for the names of machines");
	while (!r && (name = strsep(&rest, ",")))
		r = strpbrk(name, "*?[") ? match_hosts(hosts, name) : add_host(hosts, name);
	free(copy);
	return r;
}

int hosts_read(struct hosts *hosts, const char *text)
{
	struct stat status;
	FILE *file;
	int r;

	*hosts = (struct hosts){ .count = 0 };
	r = stat(text, &status) ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
	if (r) {
		if (strchr(text, '/')) {
			complain("%s cannot be read: %s: it has a name of a machine in each line", text, strerror(r));
			return -1;
		}
		return read_list(hosts, text);
	}
	file = fopen(text, "re");
	if (!file) {
		complain("%s cannot be read: %s: it has a name of a machine in each line", text, strerror(errno));
		return -1;
	}
	r = read_names(hosts, file);
	fclose(file);
	if (!r && !hosts->count) {
		complain("%s names no machine: it has a name in each line", text);
		r = -1;
	}
	return r;
}

void hosts_free(struct hosts *hosts)
{
	size_t i;

	for (i = 0; i < hosts->count; i++)
		free(hosts->names[i]);
	free(hosts->names);
	*hosts = (struct hosts){ .count = 0 };
}
