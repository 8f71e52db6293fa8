// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* libarchive: see late.h. */
#include "archive.h"

LATE_DEFINE(late_archive, LATE_ARCHIVE_FUNCTIONS, LATE_ARCHIVE_SONAME, "libarchive13");
