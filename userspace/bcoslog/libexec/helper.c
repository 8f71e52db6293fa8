// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Members of the group bcos read the device by bcoslog-read. make install puts that program at
 * PREFIX/libexec/bcoslog-read: it has the capability that the device demands, only the group may run it, and all it does
 * is hand the open device over. bcoslog itself has no capability, and everybody may run it.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "read/handover.h"
#include "libexec.h"

/* Runs bcoslog-read without arguments and environment.  Return: its process, or 0. */
static pid_t run_helper(const char *helper, int socket)
{
	char name[] = HANDOVER_PROGRAM, *arguments[] = { name, NULL }, *environment[] = { NULL };
	posix_spawn_file_actions_t actions;
	pid_t child;
	int r;

	posix_spawn_file_actions_init(&actions);
	r = posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
	if (!r)
		r = posix_spawn(&child, helper, &actions, NULL, arguments, environment);
	posix_spawn_file_actions_destroy(&actions);
	return r ? 0 : child;
}

/* Takes the message of bcoslog-read.  Return: the descriptor, a negative errno, or -EPROTO if there is no message. */
static int take_device(int socket)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} rights;
	struct handover answer;
	struct iovec bytes = { .iov_base = &answer, .iov_len = sizeof(answer) };
	struct msghdr message = {
		.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = rights.room, .msg_controllen = sizeof(rights.room),
	};
	const struct cmsghdr *header;
	ssize_t size;
	int fd;

	do
		size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	while (size < 0 && errno == EINTR);
	header = size == sizeof(answer) ? CMSG_FIRSTHDR(&message) : NULL;
	if (size == sizeof(answer) && answer.error > 0 && !header)
		return -answer.error;
	if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS ||
	    header->cmsg_len != CMSG_LEN(sizeof(fd)))
		return -EPROTO;
	memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	return fd;
}

/* Return: a descriptor of the device, or a negative errno; -ENOENT if there is no bcoslog-read for this user. */
static int ask_helper(void)
{
	char helper[4096 + sizeof("/../libexec/" HANDOVER_PROGRAM)];
	int ends[2], fd = -EPROTO;
	pid_t child;

	if (!libexec_find(helper, sizeof(helper), HANDOVER_PROGRAM))
		return -ENOENT;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return -errno;
	child = run_helper(helper, ends[1]);
	close(ends[1]);
	if (child)
		fd = take_device(ends[0]);
	close(ends[0]);
	while (child && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return fd;
}

int helper_open(struct bcoslog **log, const char *path, unsigned int flags, struct bcoslog_error *error)
{
	int r = bcoslog_open(log, path, flags, error), fd;

	if ((r != -EACCES && r != -EPERM) || flags & BCOSLOG_CONTROL || strcmp(path, BCOS_DEVICE_PATH))
		return r;
	fd = ask_helper();
	if (fd < 0) {
		/* The cause that keeps bcoslog-read from it as well is said already. */
		if (fd == -ENOENT || fd == -EACCES || fd == -EPERM)
			return r;
		error->code = -fd;
		snprintf(error->text, sizeof(error->text), "bcoslog-read, which opens %s for you, fails: %s", path,
			 strerror(-fd));
		return fd;
	}
	r = bcoslog_open_fd(log, fd, path, flags | BCOSLOG_CLOSE, error);
	if (r)
		close(fd);
	return r;
}
