// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Chooses the recorder whose log is read: the module, a running bcoslog record, or BPF programs of this process. */
#include <malloc.h>
#include <stdlib.h>

#include "bcoslog_archive.h"
#include "completion/completion.h"
#include "options/filter.h"
#include "options/names.h"
#include "options/when.h"
#include "record/socket/ask.h"

const char default_log[] = BCOS_DEVICE_PATH;

enum engine { ENGINE_AUTO, ENGINE_MODULE, ENGINE_BPF };

static const char *const engines[] = { "auto", "module", "bpf" };

static struct {
	enum engine engine;
	bool chosen;			/* --engine was given */
	const char *bpf_only;		/* name of an option that was given and concerns BPF programs only */
	u64 time;			/* ns that --for gives; 0: it was not given */
	struct bcoslog_bpf options;
} recorder = {
	.options.size = sizeof(recorder.options),
};

static int take_engine(void *context, const char *text)
{
	size_t i;

	(void)context;
	for (i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		if (strcmp(engines[i], text))
			continue;
		recorder.engine = (enum engine)i;
		recorder.chosen = true;
		return 0;
	}
	complain("--engine takes auto, module or bpf, not \"%s\"", text);
	return -1;
}

static int take_classes(void *context, const char *text)
{
	u32 mask = 0, part;
	size_t length;

	(void)context;
	for (;; text += length + 1) {
		length = strcspn(text, ",");
		if (bcoslog_class_mask(text, length, &part)) {
			complain("--classes takes names of classes with commas between, such as assign,irq, or all, "
				 "default, none, not \"%s\"", text);
			return -1;
		}
		mask |= part;
		if (!text[length])
			break;
	}
	recorder.options.classes = mask;
	if (!mask)
		recorder.options.flags |= BCOSLOG_BPF_NO_CLASSES;
	return 0;
}

static int take_number(const char *option, const char *text, u32 least, u32 most, __u32 *value)
{
	u64 number;

	if (parse_number(option, text, most, &number))
		return -1;
	if (number < least) {
		complain("%s takes a number from %u to %u, not %s", option, least, most, text);
		return -1;
	}
	*value = (__u32)number;
	return 0;
}

static int take_calls_of(void *context, const char *text)
{
	(void)context;
	return running_process("--calls-of", text, &recorder.options.calls_of);
}

static int take_for(void *context, const char *text)
{
	(void)context;
	if (parse_duration("--for", text, &recorder.time))
		return -1;
	if (recorder.time)
		return 0;
	complain("--for takes the time for which BPF programs record, and not 0");
	return -1;
}

static int take_ring(void *context, const char *text)
{
	(void)context;
	return take_number("--ring", text, 256, 4194304, &recorder.options.ring_kb);
}

static int take_staging(void *context, const char *text)
{
	(void)context;
	return take_number("--staging", text, 64, 65536, &recorder.options.staging_kb);
}

const struct option_spec recorder_specs[] = {
	{ "engine", 0, "NAME", take_engine },
	{ "classes", 0, "LIST", take_classes },
	{ "calls-of", 0, "PROCESS", take_calls_of },
	{ "for", 0, "DURATION", take_for },
	{ "ring", 0, "KIB", take_ring },
	{ "staging", 0, "KIB", take_staging },
	{ NULL, 0, NULL, NULL },
};

int recorder_option(char **argv)
{
	const struct option_spec *option;
	size_t length;

	for (option = recorder_specs; option->name; option++) {
		length = strlen(option->name);
		if (strncmp(argv[0] + 2, option->name, length))
			continue;
		if (argv[0][2 + length] && argv[0][2 + length] != '=')
			continue;
		if (option->take != take_engine)
			recorder.bpf_only = option->name;
		if (argv[0][2 + length] == '=')
			return option->take(NULL, argv[0] + 3 + length) ? -1 : 1;
		if (argv[1])
			return option->take(NULL, argv[1]) ? -1 : 2;
		complain("--%s needs a value: --%s %s", option->name, option->name, option->value);
		return -1;
	}
	return 0;
}

u64 recorder_time(void)
{
	return recorder.time;
}

int recorder_options(int argc, char **argv)
{
	int at = 0, taken;

	while (at < argc && !strncmp(argv[at], "--", 2)) {
		taken = recorder_option(argv + at);
		if (taken < 0)
			return -1;
		if (!taken)
			break;
		at += taken;
	}
	return at;
}

static int open_bpf(struct bcoslog **log, unsigned int flags, struct bcoslog_error *error)
{
	u32 lacking = recorder.options.classes & BCOS_CLASS_ALL & ~bcoslog_bpf_classes();
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
	r = bcoslog_open_bpf(log, &recorder.options, flags, error);
#ifdef __GLIBC__
	/* Loading the programs took much memory that is not needed any more. */
	malloc_trim(0);
#endif
	for (bit = 0; !r && bcoslog_class(bit); bit++)
		if (recorder.options.classes != BCOS_CLASS_EVERY && recorder.options.classes != BCOS_CLASS_ALL &&
		    lacking & 1u << bit)
			complain("BPF programs do not record the class %s: it is left out", bcoslog_class(bit));
	return r;
}

/* Refuses to open a log. @format has two %s, for the option that concerns BPF only and for @other.  Return: -EINVAL. */
__attribute__((format(printf, 3, 0)))
static int refuse_recorder(struct bcoslog **log, struct bcoslog_error *error, const char *format, const char *other)
{
	error->code = EINVAL;
	snprintf(error->text, sizeof(error->text), format, recorder.bpf_only, other);
	*log = NULL;
	return -EINVAL;
}

bool recorder_asks = true, recorder_asked, recorder_joined;

/*
 * Opens the log that a running bcoslog record keeps in its memory.
 * Return: 0, -ENOENT if there is no such recorder, or another negative errno.
 */
static int ask_for_log(struct bcoslog **log, unsigned int flags, struct bcoslog_error *error)
{
	int r;

	if (!recorder_asks || recorder.bpf_only || flags & BCOSLOG_CONTROL)
		return -ENOENT;
	r = ask_recorder(log, flags, error);
	recorder_asked = !r;
	if (!r && recorder.chosen)
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
static int ask_or_open_bpf(struct bcoslog **log, unsigned int flags, struct bcoslog_error *error)
{
	struct bcoslog_error asking;
	int asked = ask_for_log(log, flags, &asking), r;

	if (asked && asked != -ENOENT && asked != -EACCES) {
		*error = asking;
		return asked;
	}
	if (!asked)
		return 0;
	r = open_bpf(log, flags, error);
	return r && asked == -EACCES ? refused_twice(&asking, error) : r;
}

static const char *recorded_folder(void)
{
	const char *folder = getenv("BCOSLOG_RECORDED");

	return folder && *folder ? folder : BCOSLOG_RECORD_DIRECTORY;
}

/* Opens the recorded directory, which alone has the time that is asked for.  Return: whether it is open. */
static bool open_recording(struct bcoslog **log, unsigned int flags, struct bcoslog_error *error)
{
	return recorder_asks && filter_looks_back() && !bcoslog_open(log, recorded_folder(), flags, error);
}

/*
 * Opens the first of these that is there: the device, the log of a running recorder, the recorded directory if options
 * ask for a time in it, and a log that BPF programs begin to record.  Return: as bcoslog_open().
 */
static int open_any(struct bcoslog **log, unsigned int flags, struct bcoslog_error *error)
{
	struct bcoslog_error second;
	int r = bcoslog_open(log, default_log, flags, error), asked;
	size_t used;

	if (!r && recorder.bpf_only) {
		bcoslog_close(*log);
		return refuse_recorder(
			log, error,
			"--%s is for BPF programs, and %s is there, which is read: add --engine bpf, or leave "
			"it out",
			default_log);
	}
	if (!r && recorder.chosen)
		complain("reading %s", default_log);
	if (r != -ENOENT || flags & BCOSLOG_CONTROL)
		return r;
	asked = ask_for_log(log, flags, &second);
	if (asked != -ENOENT) {
		if (asked)
			*error = second;
		return asked;
	}
	if (!recorder.bpf_only && open_recording(log, flags, &second)) {
		complain("there is no %s: reading %s", default_log, recorded_folder());
		return 0;
	}
	/* A recording that begins now has no other boots. */
	if (boots_are_chosen()) {
		*error = second;
		return -second.code;
	}
	if (!bcoslog_bpf_classes())
		return r;
	if (!open_bpf(log, flags, &second)) {
		complain("there is no %s: BPF programs record, from now on", default_log);
		return 0;
	}
	used = strlen(error->text);
	snprintf(error->text + used, sizeof(error->text) - used, "; and %s", second.text);
	return r;
}

static int open_log(struct bcoslog **log, const char *path, unsigned int flags, struct bcoslog_error *error)
{
	bool file = path != default_log;

	if (file && recorder.bpf_only)
		return refuse_recorder(
			log, error,
			"--%s is for what BPF programs record, and %s is recorded already: leave one of them "
			"out",
			path);
	if (file && recorder.engine == ENGINE_BPF) {
		recorder.bpf_only = "engine bpf";
		return refuse_recorder(log, error, "--%s records by itself, it does not read %s: leave one of them out",
				       path);
	}
	if (!file && recorder.engine == ENGINE_MODULE && recorder.bpf_only)
		return refuse_recorder(log, error,
				       "--%s is for BPF programs, and --engine module reads %s: leave one of them out",
				       path);
	if (!file && recorder.engine == ENGINE_BPF)
		return ask_or_open_bpf(log, flags, error);
	if (!file && recorder.engine == ENGINE_AUTO)
		return open_any(log, flags, error);
	return bcoslog_open(log, path, flags, error);
}

/* Puts the recorded directory before the running log, if options ask for times that this may not have any more. */
static void join_recording(struct bcoslog **log, unsigned int flags)
{
	struct bcoslog_boot boot = { .size = sizeof(boot) };
	struct bcoslog_error error;
	struct bcoslog *recording;

	if (!recorder_asks || !filter_looks_back() || (bcoslog_kind(*log) != BCOSLOG_DEVICE && !recorder_asked))
		return;
	/* Without a recorded directory, the running log is all there is. */
	if (bcoslog_open(&recording, recorded_folder(), flags, &error))
		return;
	if (bcoslog_boot(recording, 0, &boot) > 0 && !bcoslog_set_live(recording, *log)) {
		*log = recording;
		recorder_joined = true;
		return;
	}
	bcoslog_close(recording);
}

int recorder_open(struct bcoslog **log, const char *path, unsigned int flags, struct bcoslog_error *error)
{
	int r = open_log(log, path, flags, error);

	if ((r == -EACCES || r == -EPERM) && recorder.engine != ENGINE_BPF && !(flags & BCOSLOG_CONTROL) &&
	    !strcmp(path, BCOS_DEVICE_PATH))
		helper_read();
	if (!r && path == default_log && !(flags & BCOSLOG_CONTROL) && bcoslog_kind(*log) != BCOSLOG_RECORDING)
		join_recording(log, flags);
	return r;
}
