/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The program that opens the device for members of the group. */
#ifndef BCOSLOG_HELPER_H
#define BCOSLOG_HELPER_H

#include "bcoslog.h"

/**
 * helper_open() - open a log as bcoslog_open() does; if it is the device, and this user may not read it, by bcoslog-read
 * @log: out: the log
 * @path: path of the log
 * @flags: flags of bcoslog_open(); with BCOSLOG_CONTROL bcoslog-read is not asked, since it opens for reading alone
 * @error: out: the reason of a failure
 *
 * Return: as bcoslog_open().
 */
int helper_open(struct bcoslog **log, const char *path, unsigned int flags, struct bcoslog_error *error);

#endif
