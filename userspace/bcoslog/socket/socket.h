/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A recorder that keeps its log in its memory answers at a socket. Every other subcommand can ask it there: it sends
 * struct socket_request, and the recorder answers with SOCKET_LOG and the log, or with SOCKET_ERROR and a sentence.
 *
 * Users that may read the device, which is bcos:bcos 0640, may ask. Connecting to a socket requires permission to
 * write, so the socket is root:bcos 0660, in a directory that is 0750. In addition the recorder asks the kernel for
 * the user and groups of the client (SO_PEERCRED, SO_PEERGROUPS). A client can change nothing by asking.
 */
#ifndef BCOSLOG_SOCKET_H
#define BCOSLOG_SOCKET_H

#include <sys/un.h>

#include "bcoslog.h"
#include "entry/text.h"

#define SOCKET_PATH "/run/bcos_evlog/recorder.sock"
#define SOCKET_GROUP "bcos"

#define SOCKET_WORD 8
#define SOCKET_ASK "BCOSask1"
#define SOCKET_LOG "BCOSlog1"
#define SOCKET_ERROR "BCOSerr1"

/* The sentence with which a recorder refuses a request that it does not know, such as one with a flag of a later version. */
#define SOCKET_UNKNOWN "this is not what this version of bcoslog asks"

/* A flag of the request: the answer goes on as the log grows. */
#define SOCKET_FOLLOW (1u << 0)
/* Another flag: the answer begins at the newest group. */
#define SOCKET_NEWEST (1u << 1)

struct socket_request {
	char word[SOCKET_WORD];
	u32 flags;
	u32 reserved;
};

/*
 * Gets the address of the recorder's socket: @path, or if it is NULL the variable BCOSLOG_SOCKET, or else SOCKET_PATH.
 * Return: false if the path is too long for a socket.
 */
bool socket_address(struct sockaddr_un *address, const char *path);

struct server;

/*
 * Does another recorder answer at @path, or if it is NULL at the usual address? A recorder asks this before it begins, since
 * loading its programs takes seconds.  Return: true after a complaint.
 */
bool server_is_taken(const char *path);

/*
 * Starts a thread that answers clients with @log, which BPF programs of this process record.
 * Return: NULL after a complaint; *@refused then says whether another recorder answers at the socket.
 */
struct server *server_open(struct bcoslog *log, const char *path, bool *refused);
/* Ends the answers, and removes the socket. Call this before the log is closed. @server may be NULL. */
void server_close(struct server *server);

#endif
