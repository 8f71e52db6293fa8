// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The options of the recorder: see recorder_options.h. */
#include "bcoslog.h"
#include "given.h"
#include "names.h"
#include "number.h"
#include "option.h"
#include "recorder_options.h"
#include "reader/reader.h"
#include "session.h"
#include "complain/complain.h"
#include "when.h"

const char default_log[] = BCOS_DEVICE_PATH;

static const char *const engines[] = { "auto", "module", "bpf" };

static int take_engine(struct arguments *arguments, const char *text)
{
	size_t i;

	for (i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		if (strcmp(engines[i], text))
			continue;
		arguments->session->recorder.engine = (enum recorder_engine)i;
		arguments->session->recorder.chosen = true;
		return 0;
	}
	complain("--engine takes auto, module or bpf, not \"%s\"", text);
	return -1;
}

static bool is_word(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && !memcmp(text, word, length);
}

static int take_classes(struct arguments *arguments, const char *text)
{
	u32 mask = 0, all = 0, part;
	size_t length;

	for (;; text += length + 1) {
		length = strcspn(text, ",");
		if (bcoslog_class_mask(text, length, &part)) {
			complain("--classes takes names of classes with commas between, such as assign,irq, or all, "
				 "default, none, not \"%s\"", text);
			return -1;
		}
		all |= part;
		/* These words stand for classes that the user did not name, so none of them can be missed. */
		if (is_word(text, length, "all") || is_word(text, length, "default"))
			part &= bcoslog_bpf_classes();
		mask |= part;
		if (!text[length])
			break;
	}
	arguments->session->recorder.bpf.classes = mask;
	arguments->session->recorder.classes = all;
	arguments->session->recorder.classes_given = true;
	if (!mask)
		arguments->session->recorder.bpf.flags |= BCOSLOG_BPF_NO_CLASSES;
	return 0;
}

void recorder_wants(struct session *session, u32 classes)
{
	if (!session->recorder.classes_given)
		session->recorder.bpf.classes |= (BCOS_CLASS_DEFAULT | classes) & bcoslog_bpf_classes();
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

static int take_calls_of(struct arguments *arguments, const char *text)
{
	return running_process("--calls-of", text, &arguments->session->recorder.bpf.calls_of);
}

static int take_for(struct arguments *arguments, const char *text)
{
	if (parse_duration("--for", text, &arguments->session->recorder.time))
		return -1;
	if (arguments->session->recorder.time)
		return 0;
	complain("--for takes the time for which BPF programs record, and not 0");
	return -1;
}

static int take_ring(struct arguments *arguments, const char *text)
{
	return take_number("--ring", text, 256, 4194304, &arguments->session->recorder.bpf.ring_kb);
}

static int take_staging(struct arguments *arguments, const char *text)
{
	return take_number("--staging", text, 64, 65536, &arguments->session->recorder.bpf.staging_kb);
}

const struct option_spec recorder_specs[] = {
	{ .name = "engine", .value = "NAME", .kind = VALUE_ENGINE, .take = take_engine,
	  .help = "the recorder: auto (the device, or BPF if there is none; the default), module (the device), or bpf "
		  "(BPF programs that record from now on, with the options below)" },
	{ .name = "for", .value = "DURATION", .take = take_for,
	  .help = "how long to record, such as 5s, before the command shows it.  The default is until Ctrl-C on a "
		  "terminal, else 5 s; with -f the command shows events as they happen" },
	{ .name = "classes", .value = "LIST", .kind = VALUE_CLASSES, .take = take_classes,
	  .help = "classes to record, such as assign,irq (all, default, none).  Without it they are the default ones; record "
		  "and why take state, exec and request as well, io --by request" },
	{ .name = "calls-of", .value = "PROCESS", .kind = VALUE_PROCESS, .word = "P", .take = take_calls_of,
	  .help = "also record the calls (class api) of this process alone, by number or name" },
	{ .name = "ring", .value = "KIB", .take = take_ring, .help = "size of the log (8192)" },
	{ .name = "staging", .value = "KIB", .take = take_staging,
	  .help = "size of the staging ring of each CPU (1024; with class state 4096)" },
	{ .name = NULL },
};

int recorder_option(struct arguments *arguments, char **argv)
{
	const struct option_spec *option;
	size_t length;

	for (option = recorder_specs; option->name; option++) {
		length = strlen(option->name);
		if (strncmp(argv[0] + 2, option->name, length))
			continue;
		if (argv[0][2 + length] && argv[0][2 + length] != '=')
			continue;
		/* A recorder can ask the module for classes, but for nothing else. */
		if (option->take != take_engine && !(option->take == take_classes && arguments->session->recorder.bpf_only))
			arguments->session->recorder.bpf_only = option->name;
		if (argv[0][2 + length] == '=')
			return option_take(arguments, option, argv[0] + 3 + length) ? -1 : 1;
		if (argv[1])
			return option_take(arguments, option, argv[1]) ? -1 : 2;
		complain("--%s needs a value: --%s %s", option->name, option->name, option->value);
		return -1;
	}
	return 0;
}

int recorder_options(struct session *session, int argc, char **argv)
{
	struct arguments arguments = { .session = session };
	int at = 0, taken;

	while (at < argc && !strncmp(argv[at], "--", 2)) {
		taken = recorder_option(&arguments, argv + at);
		if (taken < 0)
			return -1;
		if (!taken)
			break;
		at += taken;
	}
	return at;
}
