// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Records for a time, or while a command runs. The subcommand shows the log of that time afterwards. */
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bcoslog_bpf.h"
#include "command.h"
#include "host/linux.h"
#include "open.h"
#include "options/filter.h"
#include "options/recorder_options.h"
#include "program.h"
#include "source.h"
#include "run.h"
#include "reader/reader.h"
#include "complain/complain.h"

#define SECOND 1000000000ull
/* The time of recording where nobody can press Ctrl-C. */
#define USUAL (5 * SECOND)

#define EXIT_NOT_EXECUTABLE 126
#define EXIT_NOT_FOUND 127

static void wake_by_signal(int number)
{
	(void)number;
}

/* Blocks the signals that end a wait, so that they come only during ppoll(), which unblocks them by the mask @open. */
static void block_signals(sigset_t *open)
{
	struct sigaction action = { .sa_handler = wake_by_signal, .sa_flags = SA_NOCLDSTOP };
	sigset_t closed;

	sigemptyset(&action.sa_mask);
	sigaction(SIGCHLD, &action, NULL);
	sigemptyset(&closed);
	sigaddset(&closed, SIGINT);
	sigaddset(&closed, SIGTERM);
	sigaddset(&closed, SIGCHLD);
	sigprocmask(SIG_BLOCK, &closed, open);
}

/* Waits for a signal, or for @time ns at most unless it is 0. */
static void pass_time(u64 time)
{
	u64 begin = clock_now(CLOCK_BOOTTIME), passed = 0;
	struct timespec left;
	sigset_t open, old;

	block_signals(&old);
	open = old;
	while (!run_signal && (!time || passed < time)) {
		left.tv_sec = (time_t)((time - passed) / SECOND);
		left.tv_nsec = (long)((time - passed) % SECOND);
		ppoll(NULL, 0, time ? &left : NULL, &open);
		passed = clock_now(CLOCK_BOOTTIME) - begin;
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
}

/* Starts run->command with the mask of signals @mask.  Return: 0, or an exit status after a complaint. */
static int start_command(const struct run *run, const sigset_t *mask, pid_t *child)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	char **command = run->command;
	sigset_t usual;
	int r;

	/* The command does not inherit that this program ignores these. */
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGXFSZ);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	posix_spawnattr_setsigmask(&attributes, mask);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	posix_spawn_file_actions_init(&actions);
	r = run->apart ? posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO) : 0;
	if (!r)
		r = posix_spawnp(child, command[0], &actions, &attributes, command, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	if (!r)
		return 0;
	complain("%s cannot be run: %s; the command to run follows after --", command[0], strerror(r));
	return r == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

/*
 * Runs run->command until it ends. @result gets its exit status, or 128 plus the signal that killed it, as in a shell.
 * Return: as start_command().
 */
static int run_command(const struct run *run, int *result)
{
	sigset_t open, old;
	int status = 0, r;
	pid_t child;

	block_signals(&old);
	open = old;
	r = start_command(run, &old, &child);
	while (!r && waitpid(child, &status, WNOHANG) == 0) {
		ppoll(NULL, 0, NULL, &open);
		/* SIGINT is not passed on: Ctrl-C on a terminal reaches the command as well. */
		if (run_signal == SIGTERM)
			kill(child, SIGTERM);
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	*result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return r;
}

static void print_duration(u64 time)
{
	if (!time)
		complain("BPF programs record until Ctrl-C; then the command shows the log, with -f while it grows");
	else
		complain("BPF programs record for %llu.%llu s (--for says how long); then the command shows the log, with "
			 "-f while it grows", (unsigned long long)(time / SECOND),
			 (unsigned long long)(time / (SECOND / 10) % 10));
}

static int record_command(struct run *run)
{
	int status, r;

	window_show_from(&run->session->window, clock_now(CLOCK_BOOTTIME));
	r = run_command(run, &status);
	run->exit_status = status;
	if (!r && (bcoslog_kind(run->log) == BCOSLOG_DEVICE || run->session->asked_recorder) && run_reopen(run))
		r = EXIT_ENVIRONMENT;
	return r;
}

int run_record(struct run *run)
{
	bool by_bpf = bcoslog_kind(run->log) == BCOSLOG_BPF;
	u64 time = run->session->recorder.time;
	int r;

	if (run->command) {
		r = record_command(run);
		if (r)
			return r;
	} else if (by_bpf && !run->follow) {
		if (!time && !isatty(STDOUT_FILENO))
			time = USUAL;
		print_duration(time);
		pass_time(time);
	} else {
		return 0;
	}
	/* The signal that ended the recording does not end the display of the log. */
	run_finishing = true;
	return by_bpf && bcoslog_stop_bpf(run->log) ? run_failed(run) : 0;
}
