/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Recording before a log is read. */
#ifndef BCOSLOG_PROGRAM_H
#define BCOSLOG_PROGRAM_H

#include "run.h"

/* Records first, if the arguments ask for that.  Return: 0, or an exit status after a complaint. */
int run_record(struct run *run);

#endif
