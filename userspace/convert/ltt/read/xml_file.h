/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The XML files of an LTT trace. */
#ifndef CONVERT_LTT_XML_FILE_H
#define CONVERT_LTT_XML_FILE_H

#include "trace.h"

/* Reads a whole file of at most LTT_XML_MAX bytes. The caller frees @bytes. Returns 0 or a negative errno. */
int ltt_xml_file(const char *path, char **bytes, size_t *size);

/* Reads info/system.xml into trace->system. Returns 0 or a negative errno. */
int ltt_system_read(struct ltt_trace *trace);

#endif
