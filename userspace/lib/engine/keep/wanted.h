/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a caller of the BPF engine wants to outlive its process. */
#ifndef BCOSLOG_WANTED_H
#define BCOSLOG_WANTED_H

#include <stdbool.h>

/**
 * struct engine_pins - what of a log outlives its process
 * @name: of two folders: the log's image is in /run/@name, and its maps are pinned in /sys/fs/bpf/@name. An engine that
 *	finds a log of this boot there goes on with it. NULL: nothing outlives the process
 * @links: pin the links of the programs, too: when the process is killed the programs go on until their rings are full, and
 *	an engine with the same options goes on without a gap
 * @required: fail if that is not possible; else the log is in memory then
 */
struct engine_pins {
	const char *name;
	bool links;
	bool required;
};

#endif
