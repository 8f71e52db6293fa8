/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The exporter of the format "eventheader". */
#ifndef EVENTHEADER_EXPORT_H
#define EVENTHEADER_EXPORT_H

struct exporter;

extern const struct exporter eventheader_exporter;

#endif
