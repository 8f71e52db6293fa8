// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Chooses the recorder whose log is read: the module, a running bcoslog record, or BPF programs of this process. */
#include <malloc.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "bcoslog_archive.h"
#include "bcoslog_bpf.h"
#include "libexec/libexec.h"
#include "archive/recording.h"
#include "boots.h"
#include "options/session.h"
#include "options/recorder_options.h"
#include "reader/reader.h"
#include "source.h"
#include "complain/complain.h"
#include "socket/ask.h"

bool recorder_looks_back(const struct session *session)
{
	return boots_are_chosen(&session->boots) || window_looks_back(&session->window);
}

/* Return: whether there is a file with entries, or a recorded directory, of this name. */
static bool is_log(const char *path)
{
	struct bcoslog_error error;
	struct bcoslog_batch batch;
	struct stat stat_of;
	struct bcoslog *log;
	bool is;

	if (stat(path, &stat_of) || !(S_ISREG(stat_of.st_mode) || S_ISDIR(stat_of.st_mode)) || bcoslog_open(&log, path, 0, &error))
		return false;
	is = bcoslog_kind(log) == BCOSLOG_RECORDING || bcoslog_batch(log, &batch) > 0;
	bcoslog_close(log);
	return is;
}

bool log_stands_alone(const struct arguments *arguments, const char *text, const char *what, const char *usage)
{
	if (arguments->path != default_log || arguments->program || !is_log(text))
		return false;
	complain("%s is a log, and %s is missing: bcoslog %s %s", text, what, usage, text);
	return true;
}

static int open_bpf(struct session *session, struct bcoslog **log, unsigned int flags, struct bcoslog_error *error)
{
	u32 lacking = session->recorder.bpf.classes & BCOS_CLASS_ALL & ~bcoslog_bpf_classes();
	struct bcoslog_bpf wanted = session->recorder.bpf;
	unsigned int bit;
	int r;

	if (flags & BCOSLOG_CONTROL) {
		error->code = ENOTSUP;
		snprintf(error->text, sizeof(error->text),
			 "a log that BPF programs record cannot be written to, and has the "
			 "classes that it began with (--classes): load the module for that");
		*log = NULL;
		return -ENOTSUP;
	}
	wanted.size = sizeof(wanted);
	/* A request for the calls of a process is one for their class, as with the module. */
	if (wanted.calls_of) {
		if (!wanted.classes && !(wanted.flags & BCOSLOG_BPF_NO_CLASSES))
			wanted.classes = BCOS_CLASS_DEFAULT & bcoslog_bpf_classes();
		wanted.classes |= BCOS_CLASS_API;
		wanted.flags &= ~BCOSLOG_BPF_NO_CLASSES;
	}
	r = reader_open_bpf(log, &wanted, &session->recorder.pins, flags, error);
	if (!r && error->text[0])
		complain("%s", error->text);
#ifdef __GLIBC__
	/* Loading the programs took much memory that is not needed any more. */
	malloc_trim(0);
#endif
	for (bit = 0; !r && bcoslog_class(bit); bit++)
		if (lacking & 1u << bit)
			complain("BPF programs do not record the class %s: it is left out", bcoslog_class(bit));
	return r;
}

/* Refuses to open a log. @format has two %s, for the option that concerns BPF only and for @other.  Return: -EINVAL. */
__attribute__((format(printf, 4, 0)))
static int refuse_recorder(struct session *session, struct bcoslog **log, struct bcoslog_error *error, const char *format, const char *other)
{
	error->code = EINVAL;
	snprintf(error->text, sizeof(error->text), format, session->recorder.bpf_only, other);
	*log = NULL;
	return -EINVAL;
}

/*
 * Opens the log that a running bcoslog record keeps in its memory.
 * Return: 0, -ENOENT if there is no such recorder, or another negative errno.
 */
static int ask_for_log(struct session *session, struct bcoslog **log, unsigned int flags, struct bcoslog_error *error)
{
	int r;

	if (session->asks_nobody || session->recorder.bpf_only || flags & BCOSLOG_CONTROL)
		return -ENOENT;
	r = ask_recorder(log, flags, error);
	if (r == -EOPNOTSUPP) {
		complain("the recorder that runs is of an earlier version, and sends all that it has before what happens now: what is "
			 "shown first is the past; begin it again with this version");
		r = ask_recorder(log, flags & ~BCOSLOG_NEWEST, error);
	}
	session->asked_recorder = !r;
	if (!r && session->recorder.chosen)
		complain("reading the memory of a recorder");
	return r;
}

/*
 * Adds the text of @asking to that of @error: without permission nobody can tell whether a recorder is there.
 * Return: -EACCES.
 */
static int refused_twice(const struct bcoslog_error *asking, struct bcoslog_error *error)
{
	size_t used = strlen(error->text);

	snprintf(error->text + used, sizeof(error->text) - used, "; and %s", asking->text);
	error->code = EACCES;
	return -EACCES;
}

/* Opens the log of a recorder, else one that BPF programs begin to record.  Return: as bcoslog_open(). */
static int ask_or_open_bpf(struct session *session, struct bcoslog **log, unsigned int flags, struct bcoslog_error *error)
{
	struct bcoslog_error asking;
	int asked = ask_for_log(session, log, flags, &asking), r;

	if (asked && asked != -ENOENT && asked != -EACCES) {
		*error = asking;
		return asked;
	}
	if (!asked)
		return 0;
	r = open_bpf(session, log, flags, error);
	/* There is a recorder, and what it has will not be shown. */
	if (!r && asked == -EACCES)
		complain("%s", asking.text);
	return r && asked == -EACCES ? refused_twice(&asking, error) : r;
}

static const char *recorded_folder(void)
{
	const char *folder = getenv("BCOSLOG_RECORDED");

	return folder && *folder ? folder : BCOSLOG_RECORD_DIRECTORY;
}

/* Opens the recorded directory, which alone has the time that is asked for.  Return: whether it is open. */
static bool open_recording(struct session *session, struct bcoslog **log, unsigned int flags, struct bcoslog_error *error)
{
	session->folder = recorded_folder();
	return !session->asks_nobody && recorder_looks_back(session) && !bcoslog_open(log, session->folder, flags, error);
}

/*
 * Says that a recorded directory is read where nothing records now, and when what it has of the machine ends, since "the last
 * 5 s" are the last ones of that.
 */
static void say_recording(const struct session *session, struct bcoslog *log)
{
	time_t newest = 0, seconds;
	char text[64] = "", names[256];
	struct boot boot;
	struct tm parts;
	u32 i;

	/* What others have ends elsewhere. A machine that is not there is complained of where the log is restricted to it. */
	if (session->boots.machine)
		bcoslog_set_machine(log, session->boots.machine);
	for (i = 0; boots_get(log, i, &boot); i++) {
		seconds = (time_t)(bcoslog_wall_time(&boot.about.end, boot.about.last) / 1000000000);
		if (boot.about.flags & BCOSLOG_BOOT_READ && boot.about.end.utc && seconds > newest)
			newest = seconds;
	}
	if (newest && localtime_r(&newest, &parts))
		strftime(text, sizeof(text), ", which ends at %Y-%m-%d %H:%M:%S", &parts);
	if (boots_are_chosen(&session->boots) || boots_are_own(log))
		complain("there is no %s: reading %s%s", default_log, recorded_folder(), text);
	else
		complain("there is no %s: reading %s, which has nothing of this machine, but of %s%s", default_log, recorded_folder(),
			 (boots_machines(log, names, sizeof(names)), names), text);
}

/*
 * Opens the first of these that is there: the device, the log of a running recorder, the recorded directory if options
 * ask for a time in it, and a log that BPF programs begin to record.  Return: as bcoslog_open().
 */
static int open_any(struct session *session, struct bcoslog **log, unsigned int flags, struct bcoslog_error *error)
{
	struct bcoslog_error second;
	int r = helper_open(log, default_log, flags, error), asked;
	size_t used;

	if (!r && session->recorder.bpf_only) {
		bcoslog_close(*log);
		return refuse_recorder(session, log, error,
				       "--%s is for BPF programs, and %s is there, which is read: add --engine bpf, or leave it out",
				       default_log);
	}
	if (!r && session->recorder.chosen)
		complain("reading %s", default_log);
	if (r != -ENOENT || flags & BCOSLOG_CONTROL)
		return r;
	asked = ask_for_log(session, log, flags, &second);
	if (asked != -ENOENT) {
		if (asked)
			*error = second;
		return asked;
	}
	if (!session->recorder.bpf_only && open_recording(session, log, flags, &second)) {
		say_recording(session, *log);
		return 0;
	}
	/* A recording that begins now has no other boots. */
	if (boots_are_chosen(&session->boots)) {
		*error = second;
		return -second.code;
	}
	if (!bcoslog_bpf_classes())
		return r;
	if (!open_bpf(session, log, flags, &second)) {
		complain("there is no %s: BPF programs record, from now on", default_log);
		return 0;
	}
	used = strlen(error->text);
	snprintf(error->text + used, sizeof(error->text) - used, "; and %s", second.text);
	return r;
}

static int open_log(struct session *session, struct bcoslog **log, const char *path, unsigned int flags, struct bcoslog_error *error)
{
	bool file = path != default_log;

	if (file && session->recorder.bpf_only)
		return refuse_recorder(session, log, error,
				       "--%s is for what BPF programs record, and %s is recorded already: leave one of them out",
				       path);
	if (file && session->recorder.engine == ENGINE_BPF) {
		session->recorder.bpf_only = "engine bpf";
		return refuse_recorder(session, log, error, "--%s records by itself, it does not read %s: leave one of them out",
				       path);
	}
	if (!file && session->recorder.engine == ENGINE_MODULE && session->recorder.bpf_only)
		return refuse_recorder(session, log, error,
				       "--%s is for BPF programs, and --engine module reads %s: leave one of them out",
				       path);
	if (!file && session->recorder.engine == ENGINE_BPF)
		return ask_or_open_bpf(session, log, flags, error);
	if (!file && session->recorder.engine == ENGINE_AUTO)
		return open_any(session, log, flags, error);
	return helper_open(log, path, flags, error);
}

/*
 * The recorded directory has nothing of the machine whose log runs. If the options choose one of its machines, that is
 * read, else the running log, of which the reading has begun.  Return: 0, or a negative errno, which @error explains.
 */
static int part_from_recording(struct session *session, struct bcoslog **log, struct bcoslog *recording, unsigned int flags,
			       struct bcoslog_error *error)
{
	char names[256];

	bcoslog_close(*log);
	*log = recording;
	session->asked_recorder = false;
	if (session->boots.machine) {
		session->folder = recorded_folder();
		return 0;
	}
	boots_machines(recording, names, sizeof(names));
	complain("%s has nothing of this machine, and is left out: --machine reads what it has of %s", recorded_folder(), names);
	bcoslog_close(recording);
	return open_log(session, log, default_log, flags, error);
}

/*
 * Puts the recorded directory before the running log, if options ask for times that this may not have any more.
 * Return: 0, or a negative errno, which @error explains.
 */
static int join_recording(struct session *session, struct bcoslog **log, unsigned int flags, struct bcoslog_error *error)
{
	struct bcoslog *recording;
	struct boot boot;
	int r;

	if (session->asks_nobody || !recorder_looks_back(session) || (bcoslog_kind(*log) != BCOSLOG_DEVICE && !session->asked_recorder))
		return 0;
	/* Without a recorded directory, the running log is all there is. */
	if (bcoslog_open(&recording, recorded_folder(), flags, error))
		return 0;
	/* Nothing tells that a log of an unknown machine is this one's, and the running log would not follow it. */
	if (!boots_get(recording, 0, &boot) || !(boot.about.host[0] || boot.machine[0] || boots_are_chosen(&session->boots))) {
		bcoslog_close(recording);
		return 0;
	}
	r = bcoslog_set_live(recording, *log);
	if (r == -EXDEV)
		return part_from_recording(session, log, recording, flags, error);
	if (!r) {
		*log = recording;
		session->joined = true;
		return 0;
	}
	*error = *bcoslog_error(recording);
	bcoslog_close(recording);
	bcoslog_close(*log);
	*log = NULL;
	return r;
}

int recorder_open(struct session *session, struct bcoslog **log, const char *path, unsigned int flags, struct bcoslog_error *error)
{
	int r = open_log(session, log, path, flags, error);

	if (!r && path == default_log && !(flags & BCOSLOG_CONTROL) && bcoslog_kind(*log) != BCOSLOG_RECORDING)
		r = join_recording(session, log, flags, error);
	return r;
}

int recorder_open_again(const struct session *session, struct bcoslog **log, struct bcoslog *of, const char *path,
			unsigned int flags, struct bcoslog_error *error)
{
	if (bcoslog_kind(of) == BCOSLOG_BPF)
		return bcoslog_share_bpf(log, of, flags, error);
	if (bcoslog_kind(of) == BCOSLOG_RECORDING)
		return bcoslog_open(log, path == default_log ? session->folder : path, flags, error);
	return session->asked_recorder ? ask_recorder(log, flags, error) : helper_open(log, path, flags, error);
}
