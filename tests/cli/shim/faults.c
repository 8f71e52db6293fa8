// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * For LD_PRELOAD: FAULT=CALL:NUMBER:WHAT lets the call with this number fail with the error of this name, or ends the
 * program there (KILL), as a signal does between two calls. If FAULT_FOLDER names a directory, only the calls of it and
 * of descriptors that were opened in it are counted, by their names; else all calls of the program are. When the call
 * comes, the file FAULT_DONE is made.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static const struct {
	const char *name;
	int number;
} errors[] = {
	{ "EINTR", EINTR }, { "EIO", EIO }, { "ENOSPC", ENOSPC }, { "EDQUOT", EDQUOT }, { "EAGAIN", EAGAIN },
	{ "EEXIST", EEXIST }, { "ENOENT", ENOENT }, { "EMFILE", EMFILE }, { "ENOMEM", ENOMEM }, { "EPIPE", EPIPE },
	{ "ECONNRESET", ECONNRESET }, { "ECONNABORTED", ECONNABORTED }, { "EACCES", EACCES },
};

static void mark_fault(void)
{
	const char *path = getenv("FAULT_DONE");
	int (*open_file)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
	int fd = path ? open_file(path, O_CREAT | O_WRONLY, 0600) : -1;

	if (fd >= 0)
		close(fd);
}

/* Return: the error with which this call of @name fails, or 0. */
static int find_fault(const char *name)
{
	const char *text = getenv("FAULT");
	static unsigned int calls;
	size_t length = strlen(name), i;
	char what[16];
	unsigned int number;

	if (!text || strncmp(text, name, length) || text[length] != ':' ||
	    sscanf(text + length + 1, "%u:%15s", &number, what) != 2 || __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) != number)
		return 0;
	mark_fault();
	if (!strcmp(what, "KILL"))
		raise(SIGKILL);
	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (!strcmp(what, errors[i].name))
			return errors[i].number;
	abort();
}

static int is_ours(int fd)
{
	const char *folder = getenv("FAULT_FOLDER");
	char link[64], path[4096];
	ssize_t n;

	if (!folder)
		return 1;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	return n > 0 && (size_t)n >= strlen(folder) && !strncmp(path, folder, strlen(folder));
}

/* FAILS(CALL, DESCRIPTOR): is this call to fail? errno is set then. */
#define FAILS(name, fd) (is_ours(fd) && (errno = find_fault(name)))

#define NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))

int openat(int directory, const char *name, int flags, ...)
{
	int (*next)(int, const char *, int, ...) = NEXT(int (*)(int, const char *, int, ...), "openat");
	va_list list;
	int mode;

	va_start(list, flags);
	mode = va_arg(list, int);
	va_end(list);
	if (flags & O_CREAT && FAILS("create", directory))
		return -1;
	if (!(flags & O_CREAT) && FAILS("openat", directory))
		return -1;
	return next(directory, name, flags, mode);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t place)
{
	ssize_t (*next)(int, const void *, size_t, off_t) = NEXT(ssize_t (*)(int, const void *, size_t, off_t),
								 "pwrite");

	if (FAILS("pwrite", fd))
		return -1;
	/* The first half is written, and then the fault comes. */
	if (is_ours(fd) && size > 1 && (errno = find_fault("half"))) {
		next(fd, bytes, size / 2, place);
		return -1;
	}
	return next(fd, bytes, size, place);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t place)
{
	ssize_t (*next)(int, void *, size_t, off_t) = NEXT(ssize_t (*)(int, void *, size_t, off_t), "pread");

	return FAILS("pread", fd) ? -1 : next(fd, bytes, size, place);
}

int ftruncate(int fd, off_t size)
{
	int (*next)(int, off_t) = NEXT(int (*)(int, off_t), "ftruncate");

	return FAILS("ftruncate", fd) ? -1 : next(fd, size);
}

int fdatasync(int fd)
{
	int (*next)(int) = NEXT(int (*)(int), "fdatasync");

	return FAILS("fdatasync", fd) ? -1 : next(fd);
}

int fsync(int fd)
{
	int (*next)(int) = NEXT(int (*)(int), "fsync");

	return FAILS("fsync", fd) ? -1 : next(fd);
}

int unlinkat(int directory, const char *name, int flags)
{
	int (*next)(int, const char *, int) = NEXT(int (*)(int, const char *, int), "unlinkat");

	return FAILS("unlinkat", directory) ? -1 : next(directory, name, flags);
}

int lockf(int fd, int command, off_t size)
{
	int (*next)(int, int, off_t) = NEXT(int (*)(int, int, off_t), "lockf");

	return FAILS("lockf", fd) ? -1 : next(fd, command, size);
}

/* The calls by which commands read a log, wait, and talk to each other. */
#define FAULTY(type, name, parameters, arguments, fd) \
	type name parameters \
	{ \
		type (*next) parameters = NEXT(type (*) parameters, #name); \
\
		return FAILS(#name, fd) ? -1 : next arguments; \
	}

FAULTY(ssize_t, read, (int fd, void *bytes, size_t size), (fd, bytes, size), fd)
FAULTY(ssize_t, write, (int fd, const void *bytes, size_t size), (fd, bytes, size), fd)
FAULTY(int, poll, (struct pollfd *wait, nfds_t count, int timeout), (wait, count, timeout), wait ? wait->fd : -1)
FAULTY(int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1)
FAULTY(int, bind, (int fd, const struct sockaddr *address, socklen_t size), (fd, address, size), fd)
FAULTY(int, listen, (int fd, int backlog), (fd, backlog), fd)
FAULTY(int, connect, (int fd, const struct sockaddr *address, socklen_t size), (fd, address, size), fd)
FAULTY(int, accept4, (int fd, struct sockaddr *address, socklen_t *size, int flags), (fd, address, size, flags), fd)
FAULTY(ssize_t, send, (int fd, const void *bytes, size_t size, int flags), (fd, bytes, size, flags), fd)
FAULTY(ssize_t, recv, (int fd, void *bytes, size_t size, int flags), (fd, bytes, size, flags), fd)
FAULTY(int, eventfd, (unsigned int count, int flags), (count, flags), -1)

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	ssize_t (*next)(int, const struct msghdr *, int) = NEXT(ssize_t (*)(int, const struct msghdr *, int), "sendmsg");

	return FAILS("send", fd) ? -1 : next(fd, message, flags);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
		NEXT(int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *), "pthread_create");
	int error = find_fault("pthread_create");

	return error ? error : next(thread, attributes, start, argument);
}

int ioctl(int fd, unsigned long request, ...)
{
	int (*next)(int, unsigned long, ...) = NEXT(int (*)(int, unsigned long, ...), "ioctl");
	va_list list;
	void *argument;

	va_start(list, request);
	argument = va_arg(list, void *);
	va_end(list);
	return FAILS("ioctl", fd) ? -1 : next(fd, request, argument);
}
