/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Parses a line of the kernel log as syslog(2) and consoles have it: "<level>[time] text". */
#ifndef BCOS_CORE_PRINTK_H
#define BCOS_CORE_PRINTK_H

#include "core/host/host.h"

struct bcos_printk {
	u8 severity;		/* 5.3.2 */
	bool timed;
	u64 time;		/* ns by printk's clock, in steps of 1 us */
	const char *text;	/* points into the line; not zero-terminated */
	size_t length;
};

/*
 * Converts a syslog priority to a severity (5.3.2). The low three bits are the level, 0 (emerg) to
 * 7 (debug); the facility above them is ignored.
 */
u8 bcos_printk_severity(u64 priority);

/*
 * Parses a line. Without a level the severity is BCOS_SEVERITY_INFO. All that follows level and
 * time, or the whole line if it has neither, is the text.
 */
void bcos_printk_parse(const char *line, size_t length, struct bcos_printk *printk);

#endif
