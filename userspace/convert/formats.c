// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of all formats. Help lists them in this order, and the magic of an input is looked for in this order. */
#include "convert.h"

extern const struct exporter chrome_exporter, ctf_exporter, eventheader_exporter, folded_exporter, fxt_exporter,
	journald_exporter, kel_exporter, ltt_exporter, ltt_tar_exporter, perfetto_exporter, pprof_exporter, trace_dat_exporter;
extern const struct importer ctf_importer, fxt_importer, kel_importer, ltt_importer, perf_importer, trace_dat_importer;

const struct format formats[] = {
	{ .exporter = &fxt_exporter, .importer = &fxt_importer },
	{ .exporter = &kel_exporter, .importer = &kel_importer },
#ifdef CONVERT_LIBRARIES
	{ .exporter = &ctf_exporter, .importer = &ctf_importer },
#else
	{ .exporter = &ctf_exporter, .missing = "ctf" },
#endif
	{ .exporter = &ltt_exporter, .importer = &ltt_importer },
#ifdef CONVERT_LIBRARIES
	{ .exporter = &ltt_tar_exporter },
#else
	{ .missing = "ltt-tar" },
#endif
	{ .exporter = &perfetto_exporter },
	{ .exporter = &chrome_exporter },
	{ .exporter = &folded_exporter },
	{ .exporter = &pprof_exporter },
	{ .exporter = &journald_exporter },
	{ .exporter = &eventheader_exporter },
#ifdef CONVERT_LIBRARIES
	{ .importer = &perf_importer },
	{ .exporter = &trace_dat_exporter, .importer = &trace_dat_importer },
#else
	{ .missing = "perf" },
	{ .exporter = &trace_dat_exporter, .missing = "trace-cmd" },
#endif
};

const size_t formats_count = sizeof(formats) / sizeof(formats[0]);
