/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libbcoslog reads, follows and checks BCOS event logs, and controls the device
 * /dev/bcos_evlog.  This program prints a log and then follows it:
 *
 *	struct bcoslog_error error;
 *	const struct bcos_entry *entry;
 *	struct bcoslog *log;
 *	int more;
 *
 *	if (bcoslog_open(&log, BCOS_DEVICE_PATH, BCOSLOG_FOLLOW, &error))
 *		errx(2, "%s", error.text);
 *	do {
 *		while ((more = bcoslog_next(log, &entry)) > 0)
 *			use(entry);
 *	} while (more == 0 && bcoslog_wait(log, -1) > 0);
 *	bcoslog_close(log);
 *
 * A function that returns int returns a negative errno when it fails, and
 * bcoslog_error() then explains the failure.  Only one thread at a time may use a
 * handle; bcoslog_interrupt() alone may be called from any thread and from signal
 * handlers.  All times are nanoseconds since boot, all sizes and offsets bytes.
 * Numbers in parentheses are sections of the BCOS event log specification.
 */
#ifndef BCOSLOG_H
#define BCOSLOG_H

#include "bcoslog_entry.h"
#include "bcoslog_reader.h"
#include "bcoslog_state.h"
#include "bcoslog_statement.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Return: the version of the library, such as "0.1.0". */
const char *bcoslog_version(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
