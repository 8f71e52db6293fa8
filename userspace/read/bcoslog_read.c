// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bcoslog-read opens the device for a user who may not, and hands the descriptor over: see handover.h.
 *
 * This program alone has the capability that the device demands. It does nothing else: it takes no argument, heeds no
 * variable of the environment, reads no byte, opens no other file, and is linked to libc alone. Whatever parses a log or
 * starts a program does so in bcoslog, which has no capability. The module looks at capabilities when it opens the
 * device, and again for each change, which needs a descriptor for writing, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bcos_evlog.h"
#include "handover.h"

static int explain_misuse(void)
{
	static const char text[] = "bcoslog-read opens the device for bcoslog, and does nothing else: call bcoslog instead\n";
	ssize_t said = write(STDERR_FILENO, text, sizeof(text) - 1);

	(void)said;
	return 2;
}

/* Is standard input a socket that takes a descriptor? */
static int is_handover(void)
{
	int domain = 0, type = 0;
	socklen_t size = sizeof(domain);

	return !getsockopt(STDIN_FILENO, SOL_SOCKET, SO_DOMAIN, &domain, &size) && domain == AF_UNIX &&
	       !getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &type, &size) && type == SOCK_SEQPACKET;
}

/* Opens the device for reading.  Return: the descriptor, or -1 with errno; it is that of the module's device. */
static int open_device(void)
{
	struct bcos_status status = { 0 };
	int fd = open(BCOS_DEVICE_PATH, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC);
	struct stat about;

	if (fd < 0)
		return -1;
	if (fstat(fd, &about))
		return -1;
	if (S_ISCHR(about.st_mode) && (!ioctl(fd, BCOS_IOC_STATUS, &status) || errno != ENOTTY))
		return fd;
	errno = ENODEV;
	return -1;
}

/* Gives all capabilities up, and the right to get any by executing a program.  Return: 0, or -1. */
static int drop_rights(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { { 0 } };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(SYS_capset, &header, none) ? -1 : 0;
}

static int hand_over(int fd, int error)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(fd))];
	} rights = { .header = { .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(fd)) } };
	struct handover answer = { .error = fd < 0 ? error : 0 };
	struct iovec bytes = { .iov_base = &answer, .iov_len = sizeof(answer) };
	struct msghdr message = { .msg_iov = &bytes, .msg_iovlen = 1 };

	if (fd >= 0) {
		memcpy(CMSG_DATA(&rights.header), &fd, sizeof(fd));
		message.msg_control = rights.room;
		message.msg_controllen = sizeof(rights.room);
	}
	return sendmsg(STDIN_FILENO, &message, MSG_NOSIGNAL) == sizeof(answer) ? 0 : 2;
}

int main(int argc, char **argv)
{
	int fd, error;

	(void)argv;
	if (argc != 1 || !is_handover())
		return explain_misuse();
	fd = open_device();
	error = errno;
	if (drop_rights())
		return 2;
	return hand_over(fd, error);
}
