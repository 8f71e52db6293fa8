/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Asking a recorder that keeps its log in its own memory: see socket.h. */
#ifndef BCOSLOG_RECORD_ASK_H
#define BCOSLOG_RECORD_ASK_H

#include "bcoslog.h"

/* Return: 0; -ENOENT: no recorder answers; another negative errno, explained in @error. */
int ask_recorder(struct bcoslog **log, unsigned int flags, struct bcoslog_error *error);

#endif
