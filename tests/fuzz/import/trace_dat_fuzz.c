// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Any bytes as a recording of trace-cmd. */
#define IMPORTER trace_dat_importer
#include "import_fuzz.h"
