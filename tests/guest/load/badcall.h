/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tests of bad input share these functions: one judges calls that have to fail, one makes memory that is not there. */
#ifndef BCOS_TESTS_GUEST_BADCALL_H
#define BCOS_TESTS_GUEST_BADCALL_H

#include "device.h"

#define PAGE 4096

/* Did a call that returned @result do what it should: fail with @wanted, or (0) succeed?  If not, a note says so. */
bool expect_error(long result, int wanted, const char *what);
/* Returns memory of which the second page is not there. */
char *half_page(void);

#endif
