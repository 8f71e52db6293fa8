// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Refuses options that replace others: see given.h. */
#include "given.h"
#include "session.h"
#include "complain/complain.h"

/* Options that choose the same thing, whichever subcommand has them. */
static const char *const rivals[][3] = {
	{ "json", "csv", "svg" },
	{ "time", "wall" },
	{ "since", "last" },
};

static bool is_among(const char *const *names, const char *name)
{
	size_t i;

	for (i = 0; i < 3 && names[i]; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static bool are_rivals(const struct option_spec *one, const struct option_spec *other)
{
	size_t i;

	for (i = 0; i < sizeof(rivals) / sizeof(rivals[0]); i++)
		if (is_among(rivals[i], one->name) && is_among(rivals[i], other->name))
			return true;
	return false;
}

/* Return: 0, or -1 after a complaint. */
static int check_given(struct session *session, const struct option_spec *option)
{
	const struct option_spec *before;
	size_t i;

	for (i = 0; i < session->given_count; i++) {
		before = session->given[i];
		if (before->take == option->take && option->value && !option->many) {
			complain("--%s is given twice, and has one value: leave one of them out", option->name);
			return -1;
		}
		if (before->take == option->take)
			return 0;
		if (are_rivals(before, option)) {
			complain("--%s and --%s exclude each other: leave one of them out", before->name, option->name);
			return -1;
		}
	}
	if (session->given_count == sizeof(session->given) / sizeof(*session->given)) {
		complain("these are more options than any subcommand has");
		return -1;
	}
	session->given[session->given_count++] = option;
	return 0;
}

int option_take(struct arguments *arguments, const struct option_spec *option, const char *text)
{
	return check_given(arguments->session, option) ? -1 : option->take(arguments, text);
}
