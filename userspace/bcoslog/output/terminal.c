// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Output to a terminal: see terminal.h. */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output.h"
#include "terminal.h"

static pid_t pager_process;

/*
 * Does this program run with the rights of another user than the one who called it? That one may not get a shell by the
 * pager, nor choose the pager, or its files: sudo, run0, pkexec and doas say who called them, and he cannot unset that.
 */
static bool is_others(void)
{
	static const char *const names[] = { "SUDO_UID", "PKEXEC_UID" };
	const char *caller = getenv("DOAS_USER");
	char own[24];
	size_t i;

	if (getauxval(AT_SECURE) || getuid() != geteuid() || getgid() != getegid())
		return true;
	if (caller && strcmp(caller, "root"))
		return true;
	snprintf(own, sizeof(own), "%u", geteuid());
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		caller = getenv(names[i]);
		if (caller && strcmp(caller, own))
			return true;
	}
	return false;
}

/*
 * Return: the path of less where a system has it; NULL if there is none, or another program in its place, which would not
 * know of LESSSECURE, such as busybox.
 */
static const char *find_less(void)
{
	static const char *const paths[] = { "/usr/bin/less", "/bin/less" };
	char real[PATH_MAX];
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (!access(paths[i], X_OK) && realpath(paths[i], real) && !strcmp(basename(real), "less"))
			return paths[i];
	return NULL;
}

/*
 * Spawns less without the commands that start programs or open files. It gets no more of the environment than what it
 * shows texts by, since other variables name programs and files, or take LESSSECURE back.
 */
static int spawn_secure(const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes)
{
	static const char *const kept[] = { "TERM", "LANG", "LC_ALL", "LC_CTYPE", "COLUMNS", "LINES" };
	char usual[] = "less", *less[] = { usual, NULL };
	char secure[] = "LESSSECURE=1", flags[] = "LESS=FRX", history[] = "LESSHISTFILE=-";
	char values[sizeof(kept) / sizeof(kept[0])][80], *environment[sizeof(kept) / sizeof(kept[0]) + 4];
	const char *path = find_less(), *value;
	size_t i, count = 0;

	if (!path)
		return ENOENT;
	environment[count++] = secure;
	environment[count++] = flags;
	environment[count++] = history;
	for (i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		value = getenv(kept[i]);
		/* A name of a terminal or a language with a slash may be a path. */
		if (!value || strchr(value, '/') ||
		    (size_t)snprintf(values[i], sizeof(values[i]), "%s=%s", kept[i], value) >= sizeof(values[i]))
			continue;
		environment[count++] = values[i];
	}
	environment[count] = NULL;
	return posix_spawn(&pager_process, path, actions, attributes, less, environment);
}

/* Spawns the pager of the user's choice. */
static int spawn_chosen(const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes)
{
	const char *name = getenv("PAGER");
	char shell[] = "sh", option[] = "-c", usual[] = "less";
	char *named[] = { shell, option, (char *)name, NULL }, *less[] = { usual, NULL };

	/* With F, less ends by itself if the output fits the screen. */
	setenv("LESS", "FRX", 0);
	return name ? posix_spawn(&pager_process, "/bin/sh", actions, attributes, named, environ) :
		      posix_spawnp(&pager_process, usual, actions, attributes, less, environ);
}

/* Starts the pager, whose standard input is the pipe @ends.  Return: whether it runs. */
static bool pager_spawn(const int *ends)
{
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
	r = is_others() ? spawn_secure(&actions, &attributes) : spawn_chosen(&actions, &attributes);
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

	/* A user who wants none gets none, whatever the rights are. */
	return !name || (*name && strcmp(name, "cat"));
}

bool terminal_begin(bool follow, bool *colours)
{
	const char *term = getenv("TERM"), *none = getenv("NO_COLOR");

	if (!isatty(STDOUT_FILENO))
		return false;
	*colours = term && *term && strcmp(term, "dumb") && !(none && *none);
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

	if (colour)
		put_string(colour);
}

void colour_end(const struct bcos_entry *entry)
{
	if (colour_of(entry))
		put_literal(USUAL);
}

void fold_entry(struct fold *fold, const struct bcos_entry *entry)
{
	fold->processes += entry->type == BCOS_HIST_SET_PROCESS_NAME && entry->source != BCOS_PROCESS_KERNEL;
	fold->devices += entry->type == BCOS_HIST_SET_DEVICE_NAME;
}

void fold_end(struct fold *fold, bool colours)
{
	if (!fold->processes && !fold->devices)
		return;
	output_format("%s%llu %s, %llu %s known; --all shows them%s\n", colours ? DIM : "",
		      (unsigned long long)fold->processes,
		      fold->processes == 1 ? "process" : "processes", (unsigned long long)fold->devices,
		      fold->devices == 1 ? "device" : "devices", colours ? USUAL : "");
	*fold = (struct fold){ 0 };
}
