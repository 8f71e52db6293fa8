// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading from /proc in which control group a process is: see machine.h. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/linux.h"
#include "machine.h"

/* The inode number of the initial namespace of control groups, from include/linux/proc_ns.h. */
#define INITIAL_CGROUP_SPACE 0xEFFFFFFB

/* More than the lines of all hierarchies, with paths of the greatest length that is recorded. */
#define TEXT_MAX 8192

/* Other processes have other numbers and paths in /proc than in the log, if this one is not in the initial namespaces. */
static bool is_initial(void)
{
	struct stat space;

	return process_space_is_initial() && !stat("/proc/self/ns/cgroup", &space) && space.st_ino == INITIAL_CGROUP_SPACE;
}

/* Return: true if a file of the process was read whole; @text ends with a zero byte. */
static bool read_file(u32 id, const char *name, char *text)
{
	char path[32];
	size_t used = 0;
	ssize_t n = 1;
	int fd;

	host_format(path, sizeof(path), "/proc/%u/%s", id, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	while (n > 0 && used < TEXT_MAX - 1) {
		n = read(fd, text + used, TEXT_MAX - 1 - used);
		used += n > 0 ? (size_t)n : 0;
	}
	close(fd);
	text[used] = '\0';
	return !n && used;
}

/* Has a process with this ID lived without an end since @since? The kernel tells its beginning in clock ticks. */
static bool lives_since(u32 id, u64 since)
{
	u64 tick = 1000000000ull / (u64)sysconf(_SC_CLK_TCK), start;
	char text[TEXT_MAX];
	const char *at;
	int field;

	/* The name, which is field 2, may contain anything. Field 22 is the start. */
	if (!read_file(id, "stat", text) || !(at = strrchr(text, ')')))
		return false;
	for (field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	if (!at)
		return false;
	start = strtoull(at + 1, NULL, 10);
	return (start + 1) * tick <= since;
}

/* Does the list of controllers, which ends with a colon, have the controller cpu? */
static bool has_cpu(const char *list)
{
	size_t length;

	for (; *list && *list != ':'; list += length + (list[length] == ',')) {
		length = strcspn(list, ",:");
		if (length == 3 && !memcmp(list, "cpu", 3))
			return true;
	}
	return false;
}

/* Find the two paths that count, those of version 2 and of the controller cpu; NULL: there is none. */
static void find_paths(char *text, const char **own, const char **cpu)
{
	char *line, *rest = NULL, *list, *path;

	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		list = strchr(line, ':');
		path = list ? strchr(list + 1, ':') : NULL;
		if (!path)
			continue;
		if (!strncmp(line, "0::", 3))
			*own = path + 1;
		else if (has_cpu(list + 1))
			*cpu = path + 1;
	}
}

/* Write as many levels from the end of the path as there is room for, as the probes do. */
static u32 put_path(char *to, const char *path, u16 *flags)
{
	size_t length = strlen(path);
	const char *cut = path;

	while (length - (size_t)(cut - path) > BCOS_RAW_PATH_MAX) {
		cut = strchr(cut + 1, '/');
		if (!cut)
			return 0;
		*flags |= BCOS_RAW_CGROUP_CUT;
	}
	length -= (size_t)(cut - path);
	memcpy(to, cut, length);
	return (u32)length;
}

/* The kernel adds this to the path of a group that is no more, in which the remains of a process may be. */
static bool is_deleted(const char *path)
{
	static const char mark[] = " (deleted)";
	size_t length = strlen(path);

	return length >= sizeof(mark) - 1 && !strcmp(path + length - (sizeof(mark) - 1), mark);
}

u32 machine_cgroup(void *context, u32 id, u32 tag, u64 since, char *path, u16 *flags, u64 *until)
{
	const char *own = NULL, *cpu = NULL;
	char text[TEXT_MAX];

	(void)context, (void)tag;
	/* The group is read before the beginning: then it is that of the process which has lived until both. */
	if (!is_initial() || !read_file(id, "cgroup", text) || !lives_since(id, since))
		return 0;
	*until = clock_now(CLOCK_BOOTTIME);
	find_paths(text, &own, &cpu);
	if (cpu && (!own || !strcmp(own, "/"))) {
		own = cpu;
		*flags |= BCOS_RAW_CGROUP_CPU;
	}
	return own && *own == '/' && !is_deleted(own) ? put_path(path, own, flags) : 0;
}
