/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An open log, as those files of the library share it that know descriptors, clocks and the device. */
#ifndef BCOSLOG_SOURCE_HOST_H
#define BCOSLOG_SOURCE_HOST_H

#include "engine/engine.h"
#include "mapping.h"
#include "source.h"

/* Why @name could not be opened or asked: fills @error.  Return: -@code. */
int error_open(struct bcoslog_error *error, int code, const char *name, bool device);
int error_abi(struct bcoslog_error *error, const char *name, const struct bcos_status *status);

/* A handle without a log yet.  Return: NULL if there is no memory, or no descriptor. */
struct bcoslog *source_new(int fd, const char *name, unsigned int flags);

/* Is @fd the device: its status, or a negative errno. */
int device_status(int fd, struct bcos_status *status);

/* Wait for @events on @fd.  Return: as bcoslog_wait(). */
int source_poll(struct bcoslog *log, int fd, short events, int timeout);

#endif
