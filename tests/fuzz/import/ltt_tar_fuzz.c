// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Imports any bytes as an LTT trace in a tar archive, with or without gzip around it, which libarchive or our own code
 * unpacks. The build limits the unpacked size to little, so that a hole in an archive does not look like a hang.
 */
#define IMPORTER ltt_importer
#include "import_fuzz.h"
