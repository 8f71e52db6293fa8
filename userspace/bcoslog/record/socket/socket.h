/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A recorder that keeps its log in its own memory answers at a socket, and every other command asks it: it sends struct
 * socket_request, and the answer is SOCKET_LOG and the log, or SOCKET_ERROR and a sentence.
 *
 * Those may ask who may read the device, which is root:bcos 0640. To connect to a socket takes permission to write, so the
 * socket is root:bcos 0660, in a directory that is 0750; and whatever these are, the recorder asks the kernel who has
 * connected (SO_PEERCRED, SO_PEERGROUPS). Nobody can change anything by asking.
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

/* The answer goes on as the log grows. */
#define SOCKET_FOLLOW (1u << 0)

struct socket_request {
	char word[SOCKET_WORD];
	u32 flags;
	u32 reserved;
};

/* @path, else BCOSLOG_SOCKET, else SOCKET_PATH.  Return: false if that is too long for a socket. */
bool socket_address(struct sockaddr_un *address, const char *path);

struct server;

/*
 * From now on answer for @log, which BPF programs of this process record.
 * Return: NULL after a complaint; *@refused: another recorder answers there.
 */
struct server *server_open(struct bcoslog *log, const char *path, bool *refused);
/* Has to be called before the log is closed.  NULL is ignored. */
void server_close(struct server *server);

#endif
