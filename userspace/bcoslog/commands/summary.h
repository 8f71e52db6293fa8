/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The summary of a log. */
#ifndef BCOSLOG_SUMMARY_H
#define BCOSLOG_SUMMARY_H

#include "log/run.h"

/* Prints bcoslog status of a log that is not the device.  Return: the exit status. */
int summary_run(struct run *run, bool json);

#endif
