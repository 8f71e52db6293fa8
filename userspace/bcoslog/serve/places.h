/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The places of a server for connections. Everybody on this machine can connect, so nobody without the token may hold a
 * place for long: whoever sends no whole request in time, or is the oldest when all places are taken, loses it.
 */
#ifndef BCOSLOG_SERVE_PLACES_H
#define BCOSLOG_SERVE_PLACES_H

#include "core/host/user.h"

/* So many connections may be open. A few more may be, until those that lost their place are closed. */
#define PLACES 64
#define PLACES_SPARE 16
/* After this time a connection without a request that had the token loses its place to any new one. */
#define PLACES_PATIENCE 10

/**
 * struct place - the place of a connection
 * @fd: its socket
 * @since: when it began, in ns of the monotonic clock
 * @taken: there is a connection
 * @trusted: it has sent a whole request with the token
 * @lost: its socket is shut down, so that the server closes it next
 */
struct place {
	int fd;
	u64 since;
	bool taken, trusted, lost;
};

struct places {
	struct place of[PLACES + PLACES_SPARE];
};

/* Takes a place for the connection with the socket @fd.  Return: the place, or NULL if there are none at all. */
struct place *place_take(struct places *places, int fd);
/* Gives the place back, which may be NULL, when the connection is closed. */
void place_leave(struct place *place);

#endif
