// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* libmicrohttpd: see late.h. */
#include "microhttpd.h"

LATE_DEFINE(late_microhttpd, LATE_MICROHTTPD_FUNCTIONS, LATE_MICROHTTPD_SONAME, "libmicrohttpd12");
