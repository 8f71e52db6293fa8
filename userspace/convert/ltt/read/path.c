// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The paths of a trace's files. */
#include <stdio.h>
#include <stdlib.h>

#include "read.h"

char *ltt_trace_path(const struct ltt_trace *trace, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", trace->folder, name) < 0 ? NULL : path;
}

char *ltt_trace_cpu_path(const struct ltt_trace *trace, u32 cpu)
{
	char name[32];

	snprintf(name, sizeof(name), "cpu/%u", cpu);
	return ltt_trace_path(trace, name);
}
