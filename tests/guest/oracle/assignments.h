/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The assignments of one CPU, as the log has them, against the changes that the witness saw there.
 *
 * The entries themselves tell these permitted differences apart:
 * - A process that dies is taken off its CPUs before its name is cancelled, even where the kernel goes on with another
 *   process. This release is an Assign CPU to the kernel at the time of the cancellation, and no change.
 * - A change to what the log shows already is not written: after such a release, and where the newest assignment of a
 *   lost stretch, which is written after all, leads back to what was shown before the stretch.
 * - After the last switch of a process the log records anew what the CPU runs, even if that is the kernel before and
 *   after. If such a record is lost, the log states a loss although nothing changed. The witness tells how often that
 *   happened. If the switch was a change to the kernel, the release shows it all the same.
 */
#ifndef BCOS_TESTS_GUEST_ASSIGNMENTS_H
#define BCOS_TESTS_GUEST_ASSIGNMENTS_H

#include "testimony.h"

struct comparison {
	int cpu;
	struct change *change;	/* what the witness saw, during the comparison */
	size_t count;
	size_t events;		/* changes that the witness saw in time */
	size_t entries;		/* those of them that are in the log */
	size_t stated;		/* assignments that the log states as lost */
	size_t unchanged;	/* neither in the log nor stated, since the log showed them already */
	size_t renewed;		/* stated as lost, but no change, or shown by a release */
	size_t wrong;		/* anything else */
};

/* Compares what happened between two times at which nothing happens. Notes explain what is wrong. */
struct comparison assignments_compare(int cpu, const struct log *log, const struct testimony *all, uint64_t begin,
				      uint64_t end);

#endif
