/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A recorder that keeps its log in its own memory answers by a socket, and every other command asks it. Who asks sends
 * struct socket_request; the answer is SOCKET_LOG and the log, or SOCKET_ERROR and a sentence.
 */
#ifndef BCOSLOG_RECORD_SOCKET_H
#define BCOSLOG_RECORD_SOCKET_H

#include <sys/un.h>

#include "bcoslog.h"
#include "output/decimal.h"

#define SOCKET_PATH "/run/bcos_evlog/recorder.sock"
#define SOCKET_GROUP "bcos"

#define SOCKET_WORD 8
#define SOCKET_ASK "BCOSask1"
#define SOCKET_LOG "BCOSlog1"
#define SOCKET_ERROR "BCOSerr1"

/* It goes on as the log grows. */
#define SOCKET_FOLLOW (1u << 0)

struct socket_request {
	char word[SOCKET_WORD];
	u32 flags;
	u32 reserved;
};

/* Where it is: what BCOSLOG_SOCKET says, or SOCKET_PATH.  Return: false if that is too long for a socket. */
bool socket_address(struct sockaddr_un *address, const char *path);

struct server;

/*
 * Answers for @log, which BPF programs of this process record, from now on.
 * Return: NULL after a complaint; *@refused: somebody else answers there.
 */
struct server *server_open(struct bcoslog *log, const char *path, bool *refused);
/* Before @log is closed.  NULL is ignored. */
void server_close(struct server *server);

#endif
