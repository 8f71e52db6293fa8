// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Errors: one sentence that names the cause and the remedy.  Of opening and reading: source_error.c. */
#include <stdlib.h>

#include "source.h"
#include "version.h"

int error_set(struct bcoslog_error *error, int code, const char *format, ...)
{
	va_list args;

	error->code = code;
	error->word = NULL;
	error->offset = 0;
	error->lost = 0;
	error->resumes = BCOSLOG_NOWHERE;
	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return -code;
}

static const struct {
	const char *word, *reason;
} damages[] = {
	[BCOS_TRUNCATED] = { "truncated", "the log ends inside an entry" },
	[BCOS_BAD_SIZE] = { "bad-size", "the entry's size is below 20, or reaches beyond the log's end" },
	[BCOS_BAD_LENGTH] = { "bad-length", "the entry is too small for what its type has" },
	[BCOS_BAD_TEXT] = { "bad-text", "the entry's string is not UTF-8" },
	[BCOS_BAD_PADDING] = { "bad-padding", "the entry's string is followed by other bytes than zeros" },
};

int error_damage(struct bcoslog *log, enum bcoslog_resumes resumes, u64 lost)
{
	struct bcoslog_error *error = &log->error;
	enum bcos_malformed what = log->damage.what;

	if (what == BCOS_TRUNCATED && resumes != BCOSLOG_NOWHERE)
		what = BCOS_BAD_SIZE;
	error_set(error, EBADMSG, "%s", log->recognised ? damages[what].reason : "there is no entry");
	error->word = log->recognised ? damages[what].word : "no-entry";
	error->offset = log->damage.offset;
	error->resumes = resumes;
	error->lost = lost;
	return -EBADMSG;
}

int error_no_log(struct bcoslog *log)
{
	return error_set(&log->error, EILSEQ, "%s is no BCOS event log: nothing in it is an entry of a known type: name a "
			 "file that bcoslog cat has written, or the device", log->name);
}

const char *bcoslog_version(void)
{
	return BCOS_VERSION;
}
