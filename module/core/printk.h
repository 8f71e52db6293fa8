/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A line of the kernel's log, as it prints it for syslog: "<level>[time] text". */
#ifndef BCOS_CORE_PRINTK_H
#define BCOS_CORE_PRINTK_H

#include "host.h"

struct bcos_printk {
	u8 severity;		/* 5.3.2 */
	bool timed;
	u64 time;		/* ns of its clock, to the microsecond */
	const char *text;	/* within the line; not terminated */
	size_t length;
};

/* Of a level, 0 (emerg) to 7 (debug), and whatever facility above those bits: the severity (5.3.2). */
u8 bcos_printk_severity(u64 priority);

/* Takes a line apart; what has no level is BCOS_SEVERITY_INFO, and all of what has no form is text. */
void bcos_printk_parse(const char *line, size_t length, struct bcos_printk *printk);

#endif
