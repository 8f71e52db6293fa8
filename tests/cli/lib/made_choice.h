/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Logs that may be opened, which are the test's own and tell what they are asked for. A program includes this once. */
#ifndef BCOS_TESTS_CLI_MADE_CHOICE_H
#define BCOS_TESTS_CLI_MADE_CHOICE_H

#include <errno.h>

#include "bcoslog_bpf.h"
#include "helper.h"
#include "log/recorder.h"
#include "options/recorder_options.h"
#include "said.h"
#include "bcoslog_archive.h"
#include "options/filter.h"
#include "options/names.h"
#include "options/when.h"
#include "socket/ask.h"

/* Logs are told apart by their addresses. */
static char logs[4];
#define THE_DEVICE ((struct bcoslog *)logs)
#define THE_MEMORY ((struct bcoslog *)(logs + 1))
#define THE_FOLDER ((struct bcoslog *)(logs + 2))
#define THE_PROGRAMS ((struct bcoslog *)(logs + 3))

static int device_error, memory_error, folder_error, programs_error, boots, live_error;
static u32 known_classes;
static bool looks_back, chosen;
static struct bcoslog_bpf asked_for;

static int open_one(struct bcoslog **log, struct bcoslog *one, int r, const char *text, struct bcoslog_error *error)
{
	*log = r ? NULL : one;
	if (!r)
		return 0;
	error->code = -r;
	strcpy(error->text, text);
	return r;
}

int bcoslog_open(struct bcoslog **log, const char *path, unsigned int flags, struct bcoslog_error *error)
{
	note_call("open %s%s", path, flags ? " so" : "");
	return path == default_log ? open_one(log, THE_DEVICE, device_error, "no device", error) :
				     open_one(log, THE_FOLDER, folder_error, "no folder", error);
}

int ask_recorder(struct bcoslog **log, unsigned int flags, struct bcoslog_error *error)
{
	note_call("ask%s", flags ? " so" : "");
	return open_one(log, THE_MEMORY, memory_error, "no memory", error);
}

int bcoslog_open_bpf(struct bcoslog **log, const struct bcoslog_bpf *options, unsigned int flags,
		     struct bcoslog_error *error)
{
	note_call("bpf%s", flags ? " so" : "");
	asked_for = *options;
	return open_one(log, THE_PROGRAMS, programs_error, "no programs", error);
}

int bcoslog_share_bpf(struct bcoslog **log, struct bcoslog *of, unsigned int flags, struct bcoslog_error *error)
{
	return -EINVAL;
}

__u32 bcoslog_bpf_classes(void)
{
	return known_classes;
}

void bcoslog_close(struct bcoslog *log)
{
	note_call("close %d", (int)((char *)log - logs));
}

enum bcoslog_kind bcoslog_kind(const struct bcoslog *log)
{
	return log == THE_DEVICE ? BCOSLOG_DEVICE : log == THE_MEMORY ? BCOSLOG_STREAM :
	       log == THE_FOLDER ? BCOSLOG_RECORDING : BCOSLOG_BPF;
}

int bcoslog_boot(struct bcoslog *log, __u32 index, struct bcoslog_boot *boot)
{
	assert_int_equal(boot->size, sizeof(*boot));
	return index < (__u32)boots;
}

int bcoslog_set_live(struct bcoslog *log, struct bcoslog *live)
{
	assert_ptr_equal(log, THE_FOLDER);
	note_call("join %d", (int)((char *)live - logs));
	return live_error;
}

bool boots_are_chosen(void)
{
	return chosen;
}

bool filter_looks_back(void)
{
	return looks_back;
}

int helper_open(struct bcoslog **log, const char *path, unsigned int flags, struct bcoslog_error *error)
{
	return bcoslog_open(log, path, flags, error);
}

int running_process(const char *option, const char *text, u32 *id)
{
	note_call("%s %s", option, text);
	*id = 77;
	return 0;
}

int parse_duration(const char *option, const char *text, u64 *time)
{
	assert_string_equal(option, "--for");
	*time = (u64)atoi(text);
	return *text == 'x' ? -1 : 0;
}

#endif
