/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The format "trace-cmd". */
#ifndef TRACE_DAT_IMPORT_H
#define TRACE_DAT_IMPORT_H

struct importer;

extern const struct importer trace_dat_importer;

#endif
