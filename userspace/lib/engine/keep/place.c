// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The folders of a log that outlives its recorder: see place.h. */
#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "engine/programs/programs.h"
#include "handle/error.h"
#include "host/host.h"
#include "place.h"

#ifndef BPF_FS_MAGIC
#define BPF_FS_MAGIC 0xcafe4a11
#endif

static bool is_name(const char *name)
{
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");

	return length && length <= PLACE_NAME && !name[length];
}

/* Make a folder, and open it if nobody else can write to it.  Return: a descriptor, or a negative errno. */
static int open_folder(const char *path, struct bcoslog_error *error)
{
	struct stat folder;
	int fd;

	if (mkdir(path, 0700) && errno != EEXIST)
		return error_set(error, errno, "%s cannot be made: %s", path, strerror(errno));
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return error_set(error, errno, "%s is no folder that can be opened: %s", path, strerror(errno));
	if (!fstat(fd, &folder) && folder.st_uid == geteuid() && !(folder.st_mode & 022))
		return fd;
	close(fd);
	if (folder.st_uid != geteuid())
		return error_set(error, EPERM, "%s is another user's: name another folder", path);
	return error_set(error, EPERM, "others may write to %s: remove it, or name another folder", path);
}

/* Return: 0; -ENOENT if whoever had the lock has removed it, or the folder; another negative errno after a sentence. */
static int take_lock(struct place *place, struct bcoslog_error *error)
{
	char owner[16] = "";
	struct stat lock;
	ssize_t n;

	place->lock = openat(place->run, PLACE_LOCK, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (place->lock < 0)
		return error_set(error, errno, PLACE_RUN "/%s cannot be written to: %s", place->name, strerror(errno));
	if (!flock(place->lock, LOCK_EX | LOCK_NB)) {
		if (!fstat(place->lock, &lock) && !lock.st_nlink)
			return -ENOENT;
		n = host_format(owner, sizeof(owner), "%d\n", (int)getpid());
		/* The number is for people, and the lock holds without it. */
		if (!ftruncate(place->lock, 0) && pwrite(place->lock, owner, (size_t)n, 0) < 0)
			return 0;
		return 0;
	}
	n = pread(place->lock, owner, sizeof(owner) - 1, 0);
	owner[n > 0 ? n : 0] = 0;
	close(place->lock);
	place->lock = -1;
	return error_set(error, EBUSY, "process %d keeps its log in " PLACE_RUN "/%s: end it, or name another folder",
			 atoi(owner), place->name);
}

/* Open and lock the folder in /run.  Return: 0, or a negative errno after a sentence. */
static int open_locked(struct place *place, struct bcoslog_error *error)
{
	char path[PLACE_PATH];
	int tries, r = -ENOENT;

	host_format(path, sizeof(path), PLACE_RUN "/%s", place->name);
	/* A recorder that ends may remove it meanwhile. */
	for (tries = 0; tries < 10 && r == -ENOENT; tries++) {
		place_close(place);
		place->run = open_folder(path, error);
		r = place->run < 0 ? place->run : take_lock(place, error);
	}
	return r;
}

/*
 * Open and lock the folder of the pins, which whoever has another /run may share.
 * Return: 0, or a negative errno after a sentence.
 */
static int lock_pins(struct place *place, struct bcoslog_error *error)
{
	struct stat folder;
	int tries, fd;

	for (tries = 0; tries < 10; tries++) {
		fd = open_folder(place->pins, error);
		if (fd < 0)
			return fd;
		if (flock(fd, LOCK_EX | LOCK_NB)) {
			close(fd);
			break;
		}
		/* Whoever had the lock may have removed the folder. */
		if (!fstat(fd, &folder) && folder.st_nlink) {
			place->pinned = fd;
			return 0;
		}
		close(fd);
	}
	return error_set(error, EBUSY, "a process with another " PLACE_RUN " keeps its maps in %s: end it, or name another folder",
			 place->pins);
}

int place_open(struct place *place, const char *name, struct bcoslog_error *error)
{
	struct statfs pins;

	memset(place, 0, sizeof(*place));
	place->run = place->lock = place->pinned = -1;
	if (!is_name(name))
		return error_set(error, EINVAL, "a folder for the log has a name of up to %u letters, digits, - and _, not \"%s\"",
				 PLACE_NAME, name);
	host_format(place->name, sizeof(place->name), "%s", name);
	host_format(place->pins, sizeof(place->pins), PLACE_PINS "/%s", name);
	if (statfs(PLACE_PINS, &pins) || (unsigned int)pins.f_type != BPF_FS_MAGIC)
		return error_set(error, ENODEV, "no BPF file system is mounted: mount -t bpf bpf " PLACE_PINS);
	return open_locked(place, error) ?: lock_pins(place, error);
}

void place_close(struct place *place)
{
	if (place->lock >= 0)
		close(place->lock);
	if (place->run >= 0)
		close(place->run);
	if (place->pinned >= 0)
		close(place->pinned);
	place->run = place->lock = place->pinned = -1;
}

void place_vacate(struct place *place)
{
	char path[PLACE_PATH];
	struct stat folder;

	if (place->lock >= 0 && faccessat(place->run, PLACE_IMAGE, F_OK, AT_SYMLINK_NOFOLLOW) &&
	    faccessat(place->run, PLACE_ASIDE, F_OK, AT_SYMLINK_NOFOLLOW)) {
		if (place->pinned >= 0)
			rmdir(place->pins);
		host_format(path, sizeof(path), PLACE_RUN "/%s", place->name);
		/* The lock goes first: whoever has opened it already finds it without a name, and begins again. */
		unlinkat(place->run, PLACE_LOCK, 0);
		/* One that somebody made with other permissions is not this recorder's to remove. */
		if (!fstat(place->run, &folder) && (folder.st_mode & 07777) == 0700)
			rmdir(path);
	}
	place_close(place);
}

void place_name_pins(const struct place *place, char pins[PLACE_PATH])
{
	host_format(pins, PLACE_PATH, "%s/%016llx", place->pins, (unsigned long long)host_random());
}

/* Did place_name_pins() give a folder this name?  Others may be other programs', if the place has the name of theirs. */
static bool is_pins(const char *name)
{
	return strlen(name) == 16 && strspn(name, "0123456789abcdef") == 16;
}

void place_tidy(const struct place *place, const char *keep, const char *other)
{
	const struct dirent *entry;
	char path[2 * PLACE_PATH];
	DIR *dir = opendir(place->pins);

	while (dir && (entry = readdir(dir))) {
		if (!is_pins(entry->d_name) ||
		    host_format(path, sizeof(path), "%s/%s", place->pins, entry->d_name) >= PLACE_PATH)
			continue;
		if (strcmp(path, keep) && strcmp(path, other))
			programs_unpin(path);
	}
	if (dir)
		closedir(dir);
}
