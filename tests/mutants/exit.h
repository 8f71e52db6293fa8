/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The programs that gcov instruments include this file first, since gcov writes what they executed at exit(), but not
 * at _exit().
 */
#ifndef MUTANTS_EXIT_H
#define MUTANTS_EXIT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <unistd.h>

void __gcov_dump(void);

#define _exit(status) (__gcov_dump(), _exit(status))

#endif
