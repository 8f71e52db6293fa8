// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Parsers of the texts of class "who", which core/format/who_text.c writes. */
#include <errno.h>
#include <string.h>

#include "bcoslog_who.h"

/* The part of a text that has not been parsed. */
struct rest {
	const char *at;
	const char *end;
};

static bool take_word(struct rest *rest, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(rest->end - rest->at) < length || memcmp(rest->at, word, length))
		return false;
	rest->at += length;
	return true;
}

/* Parse a decimal number up to @most without leading zeros. */
static bool take_number(struct rest *rest, __u64 most, __u64 *number)
{
	const char *first = rest->at;

	for (*number = 0; rest->at < rest->end && *rest->at >= '0' && *rest->at <= '9'; rest->at++) {
		*number = *number * 10 + (unsigned int)(*rest->at - '0');
		if (*number > most)
			return false;
	}
	return rest->at > first && (*first != '0' || rest->at == first + 1);
}

static bool take_id(struct rest *rest, __u32 *id)
{
	__u64 number;

	if (!take_number(rest, 0xFFFFFFFFu, &number))
		return false;
	*id = (__u32)number;
	return true;
}

/* Parse the name at the end of the text, if there is one. */
static bool take_name(struct rest *rest, const char **name, size_t *length)
{
	*name = NULL;
	*length = 0;
	if (rest->at == rest->end)
		return true;
	if (!take_word(rest, " \"") || rest->end - rest->at < 2 || rest->end[-1] != '"')
		return false;
	*name = rest->at;
	*length = (size_t)(rest->end - rest->at) - 1;
	return true;
}

int bcoslog_killed(struct bcoslog_killed *killed, const char *text, size_t length)
{
	struct rest rest = { text, text + length };
	__u64 number, code;
	bool negative;

	memset(killed, 0, sizeof(*killed));
	if (!take_word(&rest, "signal ") || !take_number(&rest, 64, &number) || !number || !take_word(&rest, " code "))
		return -EINVAL;
	killed->signal = (__u32)number;
	negative = take_word(&rest, "-");
	if (!take_number(&rest, 0x7FFFFFFFu + negative, &code) || (negative && !code))
		return -EINVAL;
	killed->code = (__s32)(negative ? -(__s64)code : (__s64)code);
	if (take_word(&rest, " from kernel"))
		return rest.at == rest.end ? 0 : -EINVAL;
	if (!take_word(&rest, " from process ") || !take_id(&rest, &killed->process) || !take_word(&rest, " user ") ||
	    !take_id(&rest, &killed->user) || !take_name(&rest, &killed->name, &killed->name_length))
		return -EINVAL;
	return 0;
}

int bcoslog_parent(struct bcoslog_parent *parent, const char *text, size_t length)
{
	struct rest rest = { text, text + length };

	memset(parent, 0, sizeof(*parent));
	if (!take_word(&rest, "parent ") || !take_id(&rest, &parent->process) ||
	    !take_name(&rest, &parent->name, &parent->name_length))
		return -EINVAL;
	return 0;
}

/*
 * Parse a string in quotes, and write the string and a zero byte to @to.
 * Return: the place after the zero byte; NULL if the text is malformed.
 */
static char *take_string(struct rest *rest, char *to, bool *cut)
{
	if (!take_word(rest, "\""))
		return NULL;
	while (rest->at < rest->end && *rest->at != '"') {
		if (*rest->at == '\\') {
			rest->at++;
			if (rest->at == rest->end || (*rest->at != '"' && *rest->at != '\\'))
				return NULL;
		}
		/* The zeros that pad an entry are no part of a string. */
		if (!*rest->at)
			return NULL;
		*to++ = *rest->at++;
	}
	if (!take_word(rest, "\""))
		return NULL;
	*cut = take_word(rest, "...");
	*to++ = '\0';
	return to;
}

int bcoslog_exec(struct bcoslog_exec *exec, const char *text, size_t length)
{
	struct rest rest = { text, text + length };
	char *to = exec->bytes;

	memset(exec, 0, sizeof(*exec));
	if (length > sizeof(exec->bytes) || !take_word(&rest, "user ") || !take_id(&rest, &exec->user) ||
	    !take_word(&rest, " path "))
		return -EINVAL;
	exec->path = to;
	to = take_string(&rest, to, &exec->path_cut);
	if (to && take_word(&rest, " cgroup ")) {
		exec->cgroup = to;
		to = take_string(&rest, to, &exec->cgroup_cut);
	}
	exec->told = to && take_word(&rest, " arguments");
	while (exec->told && to && !exec->cut && take_word(&rest, " ")) {
		exec->argument[exec->count++] = to;
		to = take_string(&rest, to, &exec->cut);
	}
	return to && rest.at == rest.end ? 0 : -EINVAL;
}
