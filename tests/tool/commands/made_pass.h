/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Stands for the begin of a pass over a log, which it notes. A log called "missing" cannot be opened. */
#ifndef BCOS_TESTS_TOOL_MADE_PASS_H
#define BCOS_TESTS_TOOL_MADE_PASS_H

#include "log/open.h"
#include "options/recorder_options.h"
#include "said.h"

/* The pass only passes this on. */
#define LOG ((struct bcoslog *)done)

int recorder_option(char **argv)
{
	return 0;
}

int run_open(struct run *run, unsigned int flags)
{
	note_call("open %s%s%s%s%s", run->path, flags ? "?" : "", run->follow ? " -f" : "",
		  run->command ? run->command[0] : "",
		  run->apart ? " apart" : "");
	run->log = LOG;
	return strcmp(run->path, "missing") ? 0 : -1;
}

#endif
