// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Imports any bytes as a Fuchsia trace: they become a log that passes the check. */
#define IMPORTER fxt_importer
#include "import_fuzz.h"
