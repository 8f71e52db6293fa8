// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A temporary folder: see folder.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"

/*
 * Makes the folder, and has all that its removal needs: a process that has no memory left can remove it.
 * Return: 0, or an errno without a folder.
 */
static int make_removable(char *path, DIR **directory)
{
	int error;

	if (!mkdtemp(path))
		return errno;
	*directory = opendir(path);
	if (*directory)
		return 0;
	error = errno;
	rmdir(path);
	return error;
}

static void remove_all(const char *path, DIR *directory)
{
	struct dirent *entry;

	rewinddir(directory);
	while ((entry = readdir(directory)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			unlinkat(dirfd(directory), entry->d_name, 0);
	rmdir(path);
}

/*
 * Detaches the process that keeps the folder: it must not hold the output of the tool open, and a signal to the tool's
 * process group must not end it.
 */
static void detach_process(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), fd;

	setsid();
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	for (fd = 0; null >= 0 && fd < 3; fd++)
		dup2(null, fd);
}

/* Makes the folder, tells the tool its path, and removes it when the tool closes the socket. */
static void keep_folder(struct folder *folder, int line)
{
	DIR *directory = NULL;
	int error;
	char end;

	detach_process();
	error = make_removable(folder->path, &directory);
	if (send(line, &error, sizeof(error), MSG_NOSIGNAL) == sizeof(error) && !error)
		send(line, folder->path, sizeof(folder->path), MSG_NOSIGNAL);
	while (recv(line, &end, 1, 0) < 0 && errno == EINTR)
		;
	if (!error)
		remove_all(folder->path, directory);
	_exit(0);
}

static int hear_child(const struct folder *folder, void *to, size_t size)
{
	ssize_t n;

	do
		n = recv(folder->line, to, size, 0);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)size ? 0 : -EIO;
}

int folder_make(struct folder *folder, const char *name)
{
	const char *parent = getenv("TMPDIR");
	int ends[2], error, r;

	snprintf(folder->path, sizeof(folder->path), "%s/%s.XXXXXX", parent && *parent ? parent : "/tmp", name);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return -errno;
	folder->keeper = fork();
	if (folder->keeper < 0) {
		r = -errno;
		close(ends[0]);
		close(ends[1]);
		return r;
	}
	if (!folder->keeper) {
		close(ends[0]);
		keep_folder(folder, ends[1]);
	}
	close(ends[1]);
	folder->line = ends[0];
	r = hear_child(folder, &error, sizeof(error));
	if (!r)
		r = error ? -error : hear_child(folder, folder->path, sizeof(folder->path));
	if (r)
		folder_remove(folder);
	return r;
}

void folder_remove(struct folder *folder)
{
	close(folder->line);
	while (waitpid(folder->keeper, NULL, 0) < 0 && errno == EINTR)
		;
}
