/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What libbpf and the kernel have to say of BPF programs. */
#ifndef BCOSLOG_DEBUG_H
#define BCOSLOG_DEBUG_H

#include <stdio.h>
#include <stdlib.h>

#include <bpf/libbpf.h>

/* For libbpf_set_print(): to standard error if BCOSLOG_DEBUG is set, else nowhere. */
static inline int debug_print(enum libbpf_print_level level, const char *format, va_list args)
{
	const char *debug = getenv("BCOSLOG_DEBUG");

	(void)level;
	if (debug && *debug)
		vfprintf(stderr, format, args);
	return 0;
}

#endif
