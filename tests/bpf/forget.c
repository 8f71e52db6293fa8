// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Empties the map in which BPF programs keep the names that they have recorded. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "forget.h"

#define MAP_GET_FD_BY_ID	14
#define MAP_DELETE		3
#define MAP_NEXT_KEY		4

static long call_bpf(int command, void *attributes, size_t size)
{
	return syscall(SYS_bpf, command, attributes, size);
}

/* Empties a map, as if it had been full: a full map drops its least recently used elements. */
static void forget_in(uint32_t id)
{
	struct {
		uint32_t id, next, flags, token;
	} which = { .id = id };
	struct {
		uint32_t fd, padding;
		uint64_t key, next;
	} at = { 0 };
	uint64_t key = 0, after = 0;
	long fd = call_bpf(MAP_GET_FD_BY_ID, &which, sizeof(which));

	if (fd < 0)
		return;
	at.fd = (uint32_t)fd;
	at.next = (uint64_t)(uintptr_t)&after;
	while (!call_bpf(MAP_NEXT_KEY, &at, sizeof(at))) {
		key = after;
		at.key = (uint64_t)(uintptr_t)&key;
		at.next = 0;
		call_bpf(MAP_DELETE, &at, sizeof(at));
		at.key = 0;
		at.next = (uint64_t)(uintptr_t)&after;
	}
	close((int)fd);
}

/* The map of names has keys of eight bytes and values of one. */
static void forget_of(const char *path)
{
	unsigned int type = 0, key = 0, value = 0, id = 0;
	FILE *file = fopen(path, "re");
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		sscanf(line, "map_type: %u", &type);
		sscanf(line, "key_size: %u", &key);
		sscanf(line, "value_size: %u", &value);
		sscanf(line, "map_id: %u", &id);
	}
	if (file)
		fclose(file);
	if (type == 9 && key == 8 && value == 1)
		forget_in(id);
}

void programs_forget(void)
{
	const struct dirent *thread, *fd;
	DIR *threads = opendir("/proc/self/task"), *fds;
	char path[600];

	while (threads && (thread = readdir(threads))) {
		snprintf(path, sizeof(path), "/proc/self/task/%.30s/fdinfo", thread->d_name);
		fds = *thread->d_name == '.' ? NULL : opendir(path);
		while (fds && (fd = readdir(fds))) {
			snprintf(path, sizeof(path), "/proc/self/task/%.30s/fdinfo/%.30s", thread->d_name, fd->d_name);
			if (*fd->d_name != '.')
				forget_of(path);
		}
		if (fds)
			closedir(fds);
	}
	if (threads)
		closedir(threads);
}
