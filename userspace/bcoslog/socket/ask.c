// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Asks a recorder for its log: see ask.h. */
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ask.h"
#include "socket.h"

static int fail_ask(struct bcoslog_error *error, int fd, int code, const char *format, const char *text)
{
	if (fd >= 0)
		close(fd);
	memset(error, 0, sizeof(*error));
	error->code = code;
	snprintf(error->text, sizeof(error->text), format, text);
	return -code;
}

/* Reads the sentence that the recorder sends instead of a log. */
static int refused_ask(struct bcoslog_error *error, int fd, u32 flags)
{
	char text[256];
	ssize_t n = recv(fd, text, sizeof(text) - 1, MSG_WAITALL);

	text[n > 0 ? n : 0] = 0;
	if (flags & SOCKET_NEWEST && !strcmp(text, SOCKET_UNKNOWN))
		return fail_ask(error, fd, EOPNOTSUPP, "%s", "the recorder is of a version that begins at its oldest entry only");
	return fail_ask(error, fd, EACCES, "the recorder refuses: %s", text);
}

/* A signal that came while the recorder was asked tells nothing about whether a recorder is there. */
static int interrupted_ask(struct bcoslog_error *error, int fd)
{
	return fail_ask(error, fd, EINTR, "%s", "a signal interrupted the question to the recorder");
}

int ask_recorder(struct bcoslog **result, unsigned int flags, struct bcoslog_error *error)
{
	struct socket_request request = { .word = SOCKET_ASK, .flags = (flags & BCOSLOG_FOLLOW ? SOCKET_FOLLOW : 0) |
						   (flags & BCOSLOG_NEWEST ? SOCKET_NEWEST : 0) };
	struct sockaddr_un address;
	char word[SOCKET_WORD];
	ssize_t n;
	int fd, r;

	*result = NULL;
	if (!socket_address(&address, NULL))
		return fail_ask(error, -1, ENAMETOOLONG, "%s", "the name of the recorder's socket is too long");
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return fail_ask(error, -1, errno, "no recorder can be asked: %s", strerror(errno));
	if (connect(fd, (const struct sockaddr *)&address, sizeof(address))) {
		r = errno;
		if (r == EINTR)
			return interrupted_ask(error, fd);
		if (r == EACCES || r == EPERM)
			return fail_ask(error, fd, EACCES,
					"no permission to ask the recorder at %s: use sudo, or become a member of "
					"the group " SOCKET_GROUP,
					address.sun_path);
		return fail_ask(error, fd, ENOENT, "no recorder answers at %s", address.sun_path);
	}
	/* A recorder that refuses may have closed the socket already. Its answer can still be read. */
	if (send(fd, &request, sizeof(request), MSG_NOSIGNAL) < 0 && errno != EPIPE && errno != ECONNRESET)
		return fail_ask(error, fd, errno, "the recorder cannot be asked: %s", strerror(errno));
	n = recv(fd, word, sizeof(word), MSG_WAITALL);
	if (n < 0 && errno == EINTR)
		return interrupted_ask(error, fd);
	if (n != sizeof(word))
		return fail_ask(error, fd, ENOENT, "the recorder at %s ended", address.sun_path);
	if (!memcmp(word, SOCKET_ERROR, SOCKET_WORD))
		return refused_ask(error, fd, request.flags);
	if (memcmp(word, SOCKET_LOG, SOCKET_WORD))
		return fail_ask(error, fd, EPROTO, "the program at %s is not a recorder of this version of bcoslog",
				address.sun_path);
	r = bcoslog_open_fd(result, fd, "the recorder", flags | BCOSLOG_CLOSE, error);
	if (r) {
		close(fd);
		return r;
	}
	return 0;
}
