// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Errors: one sentence that names the cause and the remedy. */
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

static int error_device(struct bcoslog_error *error, int code, const char *name)
{
	switch (code) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		return error_set(error, code, "%s does not exist: load the module first "
				 "(sudo insmod bcos_evlog.ko)", name);
	case EACCES:
		return error_set(error, code,
				 "no permission to open %s: use sudo, or become a member "
				 "of the group that it belongs to", name);
	case EPERM:
		return error_set(error, code,
				 "%s needs the capability CAP_PERFMON (for reading, CAP_SYSLOG "
				 "will "
				 "do) in the initial user namespace, and a kernel that is not "
				 "locked "
				 "down: use sudo, not a container",
				 name);
	case EROFS:
		return error_set(error, code, "%s cannot be opened for writing: use sudo", name);
	default:
		return error_set(error, code, "%s cannot be opened: %s", name, strerror(code));
	}
}

int error_open(struct bcoslog_error *error, int code, const char *name, bool device)
{
	if (device)
		return error_device(error, code, name);
	switch (code) {
	case ENOENT:
		return error_set(error, code, "there is no file %s: check the name", name);
	case EACCES:
	case EPERM:
		return error_set(error, code,
				 "no permission to read %s: use sudo, or have its owner grant it",
				 name);
	case EISDIR:
		return error_set(error, code, "%s is a directory: name a log in it", name);
	default:
		return error_set(error, code, "%s cannot be opened: %s", name, strerror(code));
	}
}

int error_abi(struct bcoslog_error *error, const char *name, const struct bcos_status *status)
{
	const char *side, *mend;
	u32 theirs;

	if (!status)
		return error_set(error, EPROTO,
				 "%s does not answer as bcoslog " BCOS_VERSION " (ABI version %d) "
				 "expects: its module is older, or it is not the device of "
				 "bcos_evlog: load the module of this version",
				 name, BCOS_ABI_VERSION);
	theirs = status->abi_version;
	side = theirs < BCOS_ABI_VERSION ? "the module" : "bcoslog";
	mend = theirs < BCOS_ABI_VERSION ? "load the module of bcoslog's version" :
		"install the bcoslog of the module's version";
	return error_set(error, EPROTO, "the loaded module %.32s has ABI version %u, bcoslog "
			 BCOS_VERSION " has %d: %s is older: %s", status->version, theirs,
			 BCOS_ABI_VERSION, side, mend);
}

int error_read(struct bcoslog *log, int code)
{
	if (log->kind == BCOSLOG_DEVICE && (code == EPERM || code == EACCES))
		return error_device(&log->error, code, log->name);
	/* EBADMSG is a log that is damaged; this is what it lies on. */
	if (code == EBADMSG)
		code = EIO;
	return error_set(&log->error, code, "%s cannot be read on: %s", log->name, strerror(code));
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
