/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Explores programs as they are, and with each place that orders memory switched off in turn, and reports the results
 * in TAP.
 */
#ifndef TEST_MODEL_REPORT_H
#define TEST_MODEL_REPORT_H

#include "model.h"

/**
 * struct model_excuse - a place that may be switched off without a failure
 * @place: a part of the name of the place
 * @reason: why nothing fails without it, a sentence
 */
struct model_excuse {
	const char *place;
	const char *reason;
};

/**
 * model_report() - explore programs, and judge
 * @programs: programs of which none fails as it is, and of which at least one fails when any one place is switched off
 * @count: number of programs
 * @files: only places in files whose names begin with one of these are switched off; the last one is NULL
 * @excuses: places that may be switched off without a failure; the last one has no @place. A failure without an excused
 *   place is an error, too
 * @limit: about as many executions of a program, and at most twice as many. It is an error if they do not suffice for
 *   all orders of a program whose places are all switched on
 *
 * Return: the exit status.
 */
int model_report(const struct model_program *programs, int count, const char *const *files,
		 const struct model_excuse *excuses, uint64_t limit);

#endif
