/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The loaded programs, as the files of this folder share them. */
#ifndef BCOSLOG_SKELETON_H
#define BCOSLOG_SKELETON_H

#include "core/raw/raw.h"
#include "options.h"
#include "bcos_evlog.skel.h"

struct programs {
	struct bcos_evlog_bpf *skeleton;
	struct programs_options options;
	struct ring_buffer *kicks;
	char *cpus;			/* the map bcos_cpus, mapped */
	size_t stride, cpus_size;
	struct bcos_unit *slots;	/* the map bcos_slots, mapped */
	size_t slots_size;
	u32 rings;			/* CPUs below this have a ring */
	u32 units;			/* size of each ring in units */
	u64 skipped;			/* records that were never stored */
	u64 *stuck;			/* for each CPU, the place that was empty when the last pass looked, plus 1 */
	struct bpf_link *walk;
	bool functions;			/* programs at functions are loaded, too */
};

#endif
