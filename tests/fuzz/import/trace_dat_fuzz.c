// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Imports any bytes as a recording of trace-cmd: they become a log that passes the check. */
#define IMPORTER trace_dat_importer
#include "import_fuzz.h"
