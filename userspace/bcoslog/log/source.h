/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The choice of the log that a subcommand reads. */
#ifndef BCOSLOG_SOURCE_H
#define BCOSLOG_SOURCE_H

#include "options/options.h"
#include "options/session.h"

/* Do the options ask for what a running log may not have any more? */
bool recorder_looks_back(const struct session *session);

/*
 * Complains if the only argument of a command, @text, is a log, so that @what is missing, as in @usage.  Return: whether it
 * is one. Otherwise the running log would be asked for something that has the name of a file.
 */
bool log_stands_alone(const struct arguments *arguments, const char *text, const char *what, const char *usage);

/*
 * Opens the log @path. If @path is default_log, the recorder's options choose the log.
 * Return: 0, or a negative errno, which @error explains.
 */
int recorder_open(struct session *session, struct bcoslog **log, const char *path, unsigned int flags, struct bcoslog_error *error);

/*
 * Opens the running log or the recording @of, which recorder_open() has opened as @path, once more: from its oldest entry
 * to those of now.
 * Return: as bcoslog_open().
 */
int recorder_open_again(const struct session *session, struct bcoslog **log, struct bcoslog *of, const char *path,
			unsigned int flags, struct bcoslog_error *error);

#endif
