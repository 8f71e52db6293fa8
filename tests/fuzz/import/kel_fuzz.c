// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Imports any bytes as the stream of a kernel event logger: they become a log that passes the check. */
#define IMPORTER kel_importer
#define IMPORT_OPTION "shift"
#include "import_fuzz.h"
