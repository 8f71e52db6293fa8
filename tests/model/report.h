/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Explores programs as they are, and without each place that orders memory, and reports that in TAP. */
#ifndef TEST_MODEL_REPORT_H
#define TEST_MODEL_REPORT_H

#include "model.h"

/**
 * struct model_excuse - a place that may be switched off without a failure
 * @place: a part of its name
 * @reason: why nothing fails without it, a sentence
 */
struct model_excuse {
	const char *place;
	const char *reason;
};

/**
 * model_report() - explore programs, and judge
 * @programs: @count of them; none fails as it is, and without each place that they reach one of them fails
 * @count: how many
 * @files: only places in files whose names begin so are switched off; the last one is NULL
 * @excuses: places without which nothing has to fail; the last one has no @place. An excuse that is not needed is a failure
 * @limit: executions of a program at most; to be cut off there is a failure where nothing is switched off
 *
 * Return: the exit status.
 */
int model_report(const struct model_program *programs, int count, const char *const *files,
		 const struct model_excuse *excuses, uint64_t limit);

#endif
