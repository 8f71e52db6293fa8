// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Any bytes as an LTT trace in a tar archive, with or without gzip around it, as libarchive and we unpack it. The build makes
 * what an archive may unpack to small, so that a hole in one is no hang.
 */
#define IMPORTER ltt_importer
#include "import_fuzz.h"
