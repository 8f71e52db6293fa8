// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* See report.h. */
#include <stdio.h>
#include <string.h>

#include "report.h"

static int number, failed;

static void print_point(bool right, const char *name, const char *more)
{
	printf("%sok %d - %s%s\n", right ? "" : "not ", ++number, name, more);
	fflush(stdout);
	failed += !right;
}

static void judge_whole(const struct model_program *program, uint64_t limit)
{
	struct model_result result = model_explore(program, MODEL_ALL_ON, limit);

	print_point(!result.failed && (result.whole || program->sampled), program->name,
		    program->sampled ? ", in many orders" : ", in every order");
	printf("# %llu executions%s%s\n", (unsigned long long)result.executions, result.failed ? ": " : "",
	       result.failed ? result.reason : result.whole || program->sampled ? "" : ", and then it was cut off");
}

static const struct model_excuse *excuse_of(const struct model_excuse *excuses, const char *place)
{
	for (; excuses->place; excuses++)
		if (strstr(place, excuses->place))
			return excuses;
	return NULL;
}

static void judge_without(const struct model_program *programs, int count, int place,
			  const struct model_excuse *excuses, uint64_t limit)
{
	const struct model_excuse *excuse = excuse_of(excuses, model_place(place));
	struct model_result result = { 0 };
	uint64_t executions = 0, part;
	char name[200];
	int i = 0;

	/*
	 * Most failures are found soon in one of the programs, so all programs get a twentieth of the executions first.
	 */
	for (part = limit / 20; part <= limit && !result.failed; part += limit - limit / 20) {
		for (i = 0; i < count && !result.failed; i++) {
			result = model_explore(&programs[i], place, part);
			executions += result.executions;
		}
	}
	snprintf(name, sizeof(name), "without %s ", model_place(place));
	print_point(result.failed != !!excuse, name, excuse ? "nothing fails" : "something fails");
	if (result.failed)
		printf("# %s, after %llu executions: %s\n", programs[i - 1].name, (unsigned long long)executions,
		       result.reason);
	else
		printf("# %llu executions%s%s\n", (unsigned long long)executions, excuse ? ": " : "",
		       excuse ? excuse->reason : "");
}

static bool is_in(const char *place, const char *const *files)
{
	for (; *files; files++)
		if (!strncmp(place, *files, strlen(*files)))
			return true;
	return false;
}

int model_report(const struct model_program *programs, int count, const char *const *files,
		 const struct model_excuse *excuses, uint64_t limit)
{
	int i, places;

	for (i = 0; i < count; i++)
		judge_whole(&programs[i], limit);
	places = model_places();
	for (i = 0; i < places; i++)
		if (is_in(model_place(i), files))
			judge_without(programs, count, i, excuses, limit);
	printf("1..%d\n", number);
	return failed != 0;
}
