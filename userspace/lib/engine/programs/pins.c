// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pinning maps, programs and links, and taking over what another process pinned: see programs.h. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "programs.h"
#include "skeleton.h"

/* The names of programs and links begin with these. This name is pinned when all links are. */
#define PROGRAM "program_"
#define LINK "link_"
#define WHOLE "whole"

#define PATH 256

static bool path_of(char *path, const char *folder, const char *kind, const char *name)
{
	return host_format(path, PATH, "%s/%s%s", folder, kind, name) < PATH - 1;
}

static int pin_one(int fd, const char *folder, const char *kind, const char *name)
{
	char path[PATH];

	if (!path_of(path, folder, kind, name))
		return -ENAMETOOLONG;
	return bpf_obj_pin(fd, path) ? -errno : 0;
}

int programs_pin(const struct programs *programs, const char *folder)
{
	const struct programs_fds *fd = &programs->fd;
	char name[16];
	u32 i;
	int r;

	if (mkdir(folder, 0700))
		return -errno;
	r = pin_one(fd->slots, folder, "", "slots") ?: pin_one(fd->cpus, folder, "", "cpus") ?:
	    pin_one(fd->kicks, folder, "", "kicks") ?: pin_one(fd->named, folder, "", "named") ?:
	    pin_one(fd->memory, folder, "", "memory") ?: pin_one(fd->restate, folder, "", "restate") ?:
	    pin_one(fd->walk, folder, "", "walk");
	for (i = 0; i < fd->count && !r; i++) {
		host_format(name, sizeof(name), "%u", i);
		r = pin_one(fd->recording[i], folder, PROGRAM, name);
	}
	return r;
}

int programs_pin_links(const struct programs *programs, const char *folder)
{
	const struct bpf_object_skeleton *skeleton;
	struct bpf_link *link;
	int i, r = 0;

	/* The links of adopted programs are pinned already. */
	if (!programs->skeleton)
		return 0;
	skeleton = programs->skeleton->skeleton;
	for (i = 0; i < skeleton->prog_cnt && !r; i++) {
		link = *skeleton->progs[i].link;
		if (link)
			r = pin_one(bpf_link__fd(link), folder, LINK, skeleton->progs[i].name);
	}
	return r ?: pin_one(programs->fd.kicks, folder, "", WHOLE);
}

/* Unpin what begins with @kind. */
static void unpin_kind(const char *folder, const char *kind)
{
	const struct dirent *entry;
	DIR *dir = opendir(folder);
	bool again = dir;

	/* A folder that changes while it is read may leave out some names. */
	while (again) {
		again = false;
		rewinddir(dir);
		while ((entry = readdir(dir)))
			if (entry->d_name[0] != '.' && !strncmp(entry->d_name, kind, strlen(kind)))
				again |= !unlinkat(dirfd(dir), entry->d_name, 0);
	}
	if (dir)
		closedir(dir);
}

void programs_unpin_links(const char *folder)
{
	/* Without all of its links nobody takes the programs for whole ones. */
	unpin_kind(folder, WHOLE);
	unpin_kind(folder, LINK);
}

void programs_unpin(const char *folder)
{
	programs_unpin_links(folder);
	unpin_kind(folder, "");
	rmdir(folder);
}

bool programs_go_on(const char *folder)
{
	char path[PATH];

	return path_of(path, folder, "", WHOLE) && !access(path, F_OK);
}

/* ---- adoption ---------------------------------------------------------------------- */

static int get_one(const char *folder, const char *name)
{
	char path[PATH];
	int fd;

	if (!path_of(path, folder, "", name))
		return -ENAMETOOLONG;
	fd = bpf_obj_get(path);
	return fd < 0 ? -errno : fd;
}

bool programs_is_map(int fd, u32 type, u32 value, u32 entries)
{
	struct bpf_map_info info = { 0 };
	u32 size = sizeof(info);

	return !bpf_obj_get_info_by_fd(fd, &info, &size) && info.type == type && (!value || info.value_size == value) &&
	       (!entries || info.max_entries == entries) &&
	       (type != BPF_MAP_TYPE_ARRAY || info.map_flags & BPF_F_MMAPABLE);
}

int programs_get_recording(struct programs *programs, const char *folder)
{
	struct programs_fds *fd = &programs->fd;
	char name[32];
	int number = 0;

	while (fd->count < PROGRAMS_MAX) {
		host_format(name, sizeof(name), PROGRAM "%u", fd->count);
		number = get_one(folder, name);
		if (number < 0)
			break;
		fd->recording[fd->count++] = number;
	}
	return number == -ENOENT ? 0 : number;
}

static int get_all(struct programs *programs, const char *folder)
{
	struct programs_fds *fd = &programs->fd;
	int r;

	fd->slots = get_one(folder, "slots");
	fd->cpus = get_one(folder, "cpus");
	fd->kicks = get_one(folder, "kicks");
	fd->named = get_one(folder, "named");
	fd->memory = get_one(folder, "memory");
	fd->restate = get_one(folder, "restate");
	fd->walk = get_one(folder, "walk");
	r = fd->slots < 0 ? fd->slots : fd->cpus < 0 ? fd->cpus : fd->kicks < 0 ? fd->kicks : fd->named < 0 ? fd->named :
	    fd->memory < 0 ? fd->memory : fd->restate < 0 ? fd->restate : fd->walk < 0 ? fd->walk : 0;
	if (r)
		return r;
	if (!programs_is_map(fd->slots, BPF_MAP_TYPE_ARRAY, sizeof(struct bcos_unit), programs->rings * programs->units) ||
	    !programs_is_map(fd->cpus, BPF_MAP_TYPE_ARRAY, sizeof(struct bcos_bpf_cpu), programs->options.cpus) ||
	    !programs_is_map(fd->kicks, BPF_MAP_TYPE_RINGBUF, 0, 0) ||
	    !programs_is_map(fd->named, BPF_MAP_TYPE_LRU_HASH, sizeof(u8), 0) ||
	    !programs_is_map(fd->memory, BPF_MAP_TYPE_ARRAY, sizeof(*programs->variables), 1))
		return -EBADMSG;
	programs_get_recording(programs, folder);
	return 0;
}

static int map_variables(struct programs *programs)
{
	void *memory = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE, MAP_SHARED, programs->fd.memory, 0);

	if (memory == MAP_FAILED)
		return -errno;
	programs->variables = memory;
	return 0;
}

int programs_adopt(struct programs **result, const struct programs_options *options, const char *folder)
{
	struct programs *programs = programs_new(options);
	char path[PATH];
	u32 cpu;
	int r;

	*result = NULL;
	if (!programs)
		return -ENOMEM;
	programs->held = true;
	programs->functions = path_of(path, folder, LINK, "bcos_on_disk_gone") && !access(path, F_OK);
	r = get_all(programs, folder) ?: programs_map(programs) ?: map_variables(programs);
	for (cpu = 0; cpu < programs->rings && !r; cpu++)
		programs->read[cpu] = programs_cpu(programs, cpu)->tail;
	if (r)
		programs_free(programs);
	else
		*result = programs;
	return r;
}

int programs_wake(struct programs *programs)
{
	return programs_open_kicks(programs) ?: programs_attach_walk(programs);
}
