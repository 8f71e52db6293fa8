/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The choice of the log that a subcommand reads. */
#ifndef BCOSLOG_RECORDER_H
#define BCOSLOG_RECORDER_H

#include "bcoslog.h"

/*
 * recorder_asks: if the arguments name no log, recorder_open() may ask a running bcoslog record for the log that it
 * keeps in its memory. recorder_asked: it has asked, and reads that log.
 */
extern bool recorder_asks, recorder_asked;
/* The tool reads a recording, and after it the running log. */
extern bool recorder_joined;

/*
 * Opens the log @path. If @path is default_log, the recorder's options choose the log.
 * Return: 0, or a negative errno, which @error explains.
 */
int recorder_open(struct bcoslog **log, const char *path, unsigned int flags, struct bcoslog_error *error);

/*
 * Opens the running log @of, which recorder_open() has opened as @path, once more: from its oldest entry to those of now.
 * Return: as bcoslog_open().
 */
int recorder_open_again(struct bcoslog **log, struct bcoslog *of, const char *path, struct bcoslog_error *error);

#endif
