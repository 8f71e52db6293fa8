// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The errors of opening and reading a log: see error.h. */
#include "handle_host.h"
#include "version.h"

static int error_device(struct bcoslog_error *error, int code, const char *name)
{
	switch (code) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		return error_set(error, code, "%s does not exist: load the module (sudo insmod bcos_evlog.ko), or, where the "
				 "kernel loads none, record by BPF programs, with the classes that they begin with "
				 "(bcoslog --engine bpf --classes LIST record)", name);
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
	/* For callers EBADMSG means a damaged log, but read() means a damaged file system or disk by it. */
	if (code == EBADMSG)
		code = EIO;
	return error_set(&log->error, code, "%s cannot be read on: %s", log->name, strerror(code));
}
