// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Sends any bytes through the recorder's socket: as a question, which the recorder answers by a log or a sentence; and
 * as the answer of a recorder, which the tool reads as a log or explains.
 *
 * Input: an option byte, then the bytes.
 */
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

/* There is no BPF here, and so no log of BPF programs. */
#define bcoslog_share_bpf share_nothing

#include "../../userspace/bcoslog/socket/ask.c"
#include "../../userspace/bcoslog/socket/server.c"
#include "reader/reader.h"
#include "demand.h"

#define ANSWER 1

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int share_nothing(struct bcoslog **log, struct bcoslog *shared, unsigned int flags, struct bcoslog_error *error)
{
	(void)shared, (void)flags;
	*log = NULL;
	error->code = ENOSYS;
	strcpy(error->text, "there is no log");
	return -ENOSYS;
}

void complain(const char *format, ...)
{
	(void)format;
}

/* Asks the recorder with these bytes, and closes the connection. */
static void ask_with(const uint8_t *data, size_t size)
{
	struct server server = { .log = NULL };
	char word[SOCKET_WORD];
	int ends[2];

	demand_that(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	demand_that(write(ends[0], data, size) == (ssize_t)size);
	shutdown(ends[0], SHUT_WR);
	answer_client(&server, ends[1]);
	close(ends[1]);
	/* There is no log here, so the answer is a sentence: it says so, or that the question is wrong. */
	demand_that(recv(ends[0], word, sizeof(word), MSG_WAITALL) == sizeof(word) &&
		    !memcmp(word, SOCKET_ERROR, SOCKET_WORD));
	close(ends[0]);
}

/* Runs the tool's side of the connection, with these bytes as the answer. */
static void answer_with(const uint8_t *data, size_t size)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), fd;
	const struct bcos_entry *entry;
	struct bcoslog_error error;
	struct bcoslog *log;
	pid_t child, ended;
	int r;

	snprintf(address.sun_path, sizeof(address.sun_path), "/tmp/bcoslog-fuzz.%d", (int)getpid());
	unlink(address.sun_path);
	demand_that(!bind(listener, (struct sockaddr *)&address, sizeof(address)) && !listen(listener, 1));
	setenv("BCOSLOG_SOCKET", address.sun_path, 1);
	child = fork();
	if (!child) {
		fd = accept(listener, NULL, NULL);
		if (fd >= 0 && write(fd, data, size) < 0)
			_exit(1);
		_exit(0);
	}
	close(listener);
	/* A machine that has no room for another process says nothing about the tool. */
	if (child < 0) {
		unlink(address.sun_path);
		return;
	}
	r = ask_recorder(&log, 0, &error);
	demand_that(r ? error.code == -r && error.text[0] : log != NULL);
	while (!r && (r = bcoslog_next(log, &entry)) != 0) {
		demand_that(r < 0 || entry->size >= sizeof(*entry));
		if (r < 0 && (r != -EBADMSG || bcoslog_skip(log)))
			break;
		r = 0;
	}
	bcoslog_close(log);
	unlink(address.sun_path);
	/* The fuzzer's timer sends a signal, which may come during the wait. */
	do
		ended = waitpid(child, NULL, 0);
	while (ended < 0 && errno == EINTR);
	demand_that(ended == child);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size || size > 65536)
		return 0;
	if (data[0] & ANSWER)
		answer_with(data + 1, size - 1);
	else
		ask_with(data + 1, size - 1);
	return 0;
}
