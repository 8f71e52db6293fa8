/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The importer of the format "perf". */
#ifndef PERF_IMPORT_H
#define PERF_IMPORT_H

struct importer;

extern const struct importer perf_importer;

#endif
