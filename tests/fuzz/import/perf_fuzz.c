// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Imports any bytes as a recording of perf: they become a log that passes the check. */
#define IMPORTER perf_importer
#include "import_fuzz.h"
