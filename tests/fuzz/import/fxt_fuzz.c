// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Any bytes as a Fuchsia trace: what becomes of it is a log that passes the check. */
#define IMPORTER fxt_importer
#include "import_fuzz.h"
