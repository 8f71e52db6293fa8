// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The options that several subcommands have: see shared.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "complain/complain.h"
#include "options.h"
#include "session.h"
#include "shared.h"

int filter_process(struct arguments *arguments, const char *text)
{
	return filter_take_process(&arguments->session->filter, text);
}

int filter_cgroup(struct arguments *arguments, const char *text)
{
	return filter_take_cgroup(&arguments->session->filter, text);
}

int filter_cpu(struct arguments *arguments, const char *text)
{
	return filter_take_cpu(&arguments->session->filter, text);
}

int filter_core(struct arguments *arguments, const char *text)
{
	return filter_take_core(&arguments->session->filter, text);
}

int filter_device(struct arguments *arguments, const char *text)
{
	return filter_take_device(&arguments->session->filter, text);
}

int filter_type(struct arguments *arguments, const char *text)
{
	return filter_take_type(&arguments->session->filter, text);
}

static int take_since(struct arguments *arguments, const char *text)
{
	return window_take_since(&arguments->session->window, text);
}

static int take_until(struct arguments *arguments, const char *text)
{
	return window_take_until(&arguments->session->window, text);
}

static int take_last(struct arguments *arguments, const char *text)
{
	return window_take_last(&arguments->session->window, text);
}

static int take_machine(struct arguments *arguments, const char *text)
{
	arguments->session->boots.machine = text;
	if (*text)
		return 0;
	complain("--machine takes the name or the ID of a machine, and this is empty");
	return -1;
}

static int take_boot(struct arguments *arguments, const char *text)
{
	struct boot_choice *chosen = &arguments->session->boots;
	char *end;

	chosen->boot = text;
	/* The ID of a boot has dashes, and is longer than any number. */
	if (strlen(text) >= 36)
		return 0;
	errno = 0;
	chosen->number = strtol(text, &end, 10);
	chosen->numbered = true;
	if (*text && !*end && !errno)
		return 0;
	complain("--boot takes 0 (the latest boot), -1 (the one before it), 1 (the oldest one), or the ID of a boot, as "
		 "bcoslog status --boots lists them, not \"%s\"", text);
	return -1;
}

const struct option_spec filter_options[] = {
	{ .name = "process", .value = "PID|NAME", .kind = VALUE_PROCESS, .word = "P", .many = true, .take = filter_process,
	  .help = "only entries about this process, by number or name" },
	{ .name = "cpu", .value = "CPU", .kind = VALUE_CPU, .word = "N", .many = true, .take = filter_cpu,
	  .help = "only entries about this CPU" },
	{ .name = "core", .value = "CORE", .word = "N", .many = true, .take = filter_core,
	  .help = "only entries about this core and its CPUs" },
	{ .name = "device", .value = "ID|NAME", .kind = VALUE_DEVICE, .word = "D", .many = true, .take = filter_device,
	  .help = "only entries about this device, by number or name" },
	{ .name = "type", .value = "TYPE", .kind = VALUE_TYPE, .word = "T", .many = true, .take = filter_type,
	  .help = "only entries of this type, as \"Assign CPU\" or 0x4002; all of these may be repeated" },
	{ .name = NULL },
};

#define ROWS "only rows about these, by number or name; may be repeated"

const struct option_spec row_options[] = {
	{ .name = "process", .value = "PID|NAME", .kind = VALUE_PROCESS, .word = "P", .many = true, .take = filter_process },
	{ .name = "cpu", .value = "CPU", .kind = VALUE_CPU, .word = "N", .many = true, .take = filter_cpu },
	{ .name = "core", .value = "CORE", .word = "N", .many = true, .take = filter_core, .help = ROWS },
	{ .name = NULL },
};

const struct option_spec cgroup_options[] = {
	{ .name = "cgroup", .value = "GLOB", .many = true, .take = filter_cgroup,
	  .help = "only processes in control groups with such a path, as \"/system.slice/*\"; * stands also for / (class who)" },
	{ .name = NULL },
};

const struct option_spec device_row_options[] = {
	{ .name = "device", .value = "ID|NAME", .kind = VALUE_DEVICE, .word = "D", .many = true, .take = filter_device, .help = ROWS },
	{ .name = NULL },
};

const struct option_spec window_options[] = {
	{ .name = "since", .value = "TIME", .take = take_since },
	{ .name = "until", .value = "TIME", .take = take_until },
	{ .name = "last", .value = "DURATION", .take = take_last,
	  .help = "only this time: seconds since boot (123.5), the wall clock (14:03, \"2026-11-23 14:03:05.5\", with a "
		  "zone 14:03+0200 or 14:03Z), or a duration before the end (5s, 200ms, 1h)" },
	{ .name = NULL },
};

const struct option_spec boot_options[] = {
	{ .name = "machine", .value = "NAME|ID", .take = take_machine },
	{ .name = "boot", .value = "BOOT", .take = take_boot,
	  .help = "only this machine or boot of a recorded directory: a boot by its ID, 0 (the latest), -1 (the one "
		  "before), 1 (the oldest)" },
	{ .name = NULL },
};

const struct option_spec time_options[] = {
	{ .name = "time", .value = "HOW", .kind = VALUE_CLOCK, .take = take_time,
	  .help = "show times as boot (seconds since boot, the default), wall (the wall clock), relative (since the "
		  "first entry), or delta (since the entry before)" },
	{ .name = "wall", .letter = 'T', .take = take_wall_time, .help = "the same as --time wall" },
	{ .name = NULL },
};

const struct option_spec follow_options[] = {
	{ .name = "follow", .letter = 'f', .take = take_follow, .help = "go on as the log grows, until Ctrl-C" },
	{ .name = NULL },
};

const struct option_spec entry_follow_options[] = {
	{ .name = "follow", .letter = 'f', .take = take_follow,
	  .help = "go on as the log grows, until Ctrl-C; begin at its oldest entry, or with --last 0 at the present" },
	{ .name = NULL },
};
