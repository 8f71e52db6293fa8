/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The image of the former boot, which the recorder takes over before anything else. */
#ifndef BCOSLOG_FORMER_H
#define BCOSLOG_FORMER_H

#include "recorder_loop.h"

/* Return: the path of the image of the former boot. The variable BCOSLOG_IMAGE may name another one. */
const char *former_path(void);

/*
 * Record the log of the former boot's image in the directory of @recorder, and release the image once all of that is on
 * the disk. If there is none, do nothing; if a fault or a signal ends this, leave the image as it is, and say so.
 */
void former_record(const struct recorder *recorder, const struct session *session);

#endif
