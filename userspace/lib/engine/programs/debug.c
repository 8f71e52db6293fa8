// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The messages of libbpf: see debug.h. */
#include <bpf/libbpf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "debug.h"

static pthread_mutex_t debug_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int debug_users;
static libbpf_print_fn_t other_print;

bool debug_wanted(void)
{
	const char *debug = getenv("BCOSLOG_DEBUG");

	return debug && *debug;
}

static int print_message(enum libbpf_print_level level, const char *format, va_list arguments)
{
	(void)level;
	if (debug_wanted())
		vfprintf(stderr, format, arguments);
	return 0;
}

void debug_begin(void)
{
	pthread_mutex_lock(&debug_lock);
	if (!debug_users++)
		other_print = libbpf_set_print(print_message);
	pthread_mutex_unlock(&debug_lock);
}

void debug_end(void)
{
	libbpf_print_fn_t set;

	pthread_mutex_lock(&debug_lock);
	if (!--debug_users) {
		set = libbpf_set_print(other_print);
		/* If the calling program has set another callback meanwhile, that callback stays. */
		if (set != print_message)
			libbpf_set_print(set);
	}
	pthread_mutex_unlock(&debug_lock);
}
