// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Output to a terminal: see terminal.h. */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output.h"
#include "terminal.h"

bool colours;

static pid_t pager_process;

/* Starts the pager, whose standard input is the pipe @ends.  Return: whether it runs. */
static bool pager_spawn(const int *ends)
{
	const char *name = getenv("PAGER");
	char shell[] = "sh", option[] = "-c", usual[] = "less";
	char *named[] = { shell, option, (char *)name, NULL }, *less[] = { usual, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t handled;
	int r;

	sigemptyset(&handled);
	sigaddset(&handled, SIGPIPE);
	sigaddset(&handled, SIGXFSZ);
	sigaddset(&handled, SIGINT);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &handled);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
	/* With F, less ends by itself if the output fits the screen. */
	setenv("LESS", "FRX", 0);
	r = name ? posix_spawn(&pager_process, "/bin/sh", &actions, &attributes, named, environ) :
		   posix_spawnp(&pager_process, usual, &actions, &attributes, less, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	if (r)
		pager_process = 0;
	return !r;
}

/* Starts the pager, to which standard output then goes. If that fails, standard output stays the terminal. */
static void pager_start(void)
{
	int ends[2];

	/* O_CLOEXEC leaves the pager only the end that becomes its standard input. */
	if (pipe2(ends, O_CLOEXEC))
		return;
	if (pager_spawn(ends)) {
		dup2(ends[1], STDOUT_FILENO);
		/* Ctrl-C is for the pager. When the user leaves the pager, writing fails and this program ends, too. */
		signal(SIGINT, SIG_IGN);
	}
	close(ends[0]);
	close(ends[1]);
}

static bool wants_pager(void)
{
	const char *name = getenv("PAGER");

	return !name || (*name && strcmp(name, "cat"));
}

bool terminal_begin(bool follow)
{
	const char *term = getenv("TERM"), *none = getenv("NO_COLOR");

	if (!isatty(STDOUT_FILENO))
		return false;
	colours = term && *term && strcmp(term, "dumb") && !(none && *none);
	if (!follow && wants_pager())
		output.begin = pager_start;
	return true;
}

void terminal_end(void)
{
	if (!pager_process)
		return;
	close(STDOUT_FILENO);
	while (waitpid(pager_process, NULL, 0) < 0 && errno == EINTR)
		;
	pager_process = 0;
}

#define DIM "\033[2m"
#define GREEN "\033[32m"
#define RED "\033[31m"
#define BRIGHT_RED "\033[1;31m"
#define USUAL "\033[0m"

static bool is_coloured;

static const char *colour_of(const struct bcos_entry *entry)
{
	u8 severity;

	if (entry->type & BCOS_TYPE_HISTORICAL)
		return DIM;
	if (bcoslog_is_generic(entry->type)) {
		severity = ((const struct bcos_generic *)entry)->severity;
		return severity >= BCOS_SEVERITY_CRITICAL ? BRIGHT_RED : severity >= BCOS_SEVERITY_ERROR ? RED : NULL;
	}
	if (entry->type == BCOS_SET_PROCESS_NAME)
		return GREEN;
	if (entry->type == BCOS_CANCEL_PROCESS_NAME &&
	    ((const struct bcos_cancel_name *)entry)->status & BCOS_STATUS_OWNER)
		return RED;
	return NULL;
}

void colour_begin(const struct bcos_entry *entry)
{
	const char *colour = colour_of(entry);

	is_coloured = colour;
	if (colour)
		put_string(colour);
}

void colour_end(void)
{
	if (is_coloured)
		put_literal(USUAL);
	is_coloured = false;
}

static u64 processes, devices;

void fold_entry(const struct bcos_entry *entry)
{
	processes += entry->type == BCOS_HIST_SET_PROCESS_NAME && entry->source != BCOS_PROCESS_KERNEL;
	devices += entry->type == BCOS_HIST_SET_DEVICE_NAME;
}

void fold_end(void)
{
	if (!processes && !devices)
		return;
	output_format("%s%llu %s, %llu %s known; --all shows them%s\n", colours ? DIM : "",
		      (unsigned long long)processes,
		      processes == 1 ? "process" : "processes", (unsigned long long)devices,
		      devices == 1 ? "device" : "devices", colours ? USUAL : "");
	processes = devices = 0;
}
