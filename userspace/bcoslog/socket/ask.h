/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Asks a recorder for the log that it keeps in its memory: see socket.h. */
#ifndef BCOSLOG_SOCKET_ASK_H
#define BCOSLOG_SOCKET_ASK_H

#include "bcoslog.h"

/*
 * Opens the log of the recorder; BCOSLOG_FOLLOW in @flags makes it go on as it grows, BCOSLOG_NEWEST begin at its newest group.
 * Return: 0, -ENOENT if no recorder answers, -EOPNOTSUPP if it cannot begin at the newest group, or another negative errno. @error explains all failures.
 */
int ask_recorder(struct bcoslog **log, unsigned int flags, struct bcoslog_error *error);

#endif
