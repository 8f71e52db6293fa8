// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Opens and closes the log that a subcommand passes over. A signal ends the wait for its entries. */
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/read/archive.h"
#include "bcoslog_archive.h"
#include "boots.h"
#include "command.h"
#include "output/notify.h"
#include "open.h"
#include "archive/recording.h"
#include "options/filter.h"
#include "source.h"
#include "run.h"
#include "reader/reader.h"
#include "reader/unfold.h"
#include "complain/complain.h"

volatile sig_atomic_t run_signal;
bool run_finishing;
static struct bcoslog *interruptible_log;

static void stop_reading(int number)
{
	run_signal = number;
	if (interruptible_log)
		bcoslog_interrupt(interruptible_log);
}

static int is_told_to_end(void)
{
	return run_signal && !run_finishing;
}

/* The examination of recorded files can take long, and the first signal ends it. */
static int scan_patience(void)
{
	notify_alive();
	return is_told_to_end();
}

/* The number of files that get a complaint each. */
#define FLAWS_SAID 8

void run_say_flaws(struct bcoslog *log, const char *path)
{
	char text[512];
	__u32 index = 0;
	u64 count = 0;

	while (bcoslog_flaw(log, &index, text, sizeof(text)) > 0)
		if (++count <= FLAWS_SAID)
			complain("%s: %s", path, text);
	if (count > FLAWS_SAID)
		complain("%s: %llu files in all are left out, or may lack their end", path, (unsigned long long)count);
}

/* Says of a log that is followed that it has nothing yet: nobody could tell that from a command that hangs. */
static void say_waiting(struct run *run)
{
	struct stat stat_of;
	struct boot boot;

	if (bcoslog_kind(run->log) == BCOSLOG_RECORDING && !boots_get(run->log, 0, &boot))
		complain("%s has no recorded files: waiting until bcoslog record writes some", run->path);
	if (bcoslog_kind(run->log) == BCOSLOG_FILE && !stat(run->path, &stat_of) && !stat_of.st_size)
		complain("%s is empty: waiting until something appends entries to it", run->path);
}

void run_catch_signals(void)
{
	/* The first signal ends the program in order. A second one kills it, in case the output is stuck. */
	struct sigaction action = { .sa_handler = stop_reading, .sa_flags = (int)SA_RESETHAND };
	struct sigaction old;

	sigemptyset(&action.sa_mask);
	/* Signals that the caller ignores, as nohup does, stay ignored. */
	if (!sigaction(SIGINT, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaction(SIGINT, &action, NULL);
	if (!sigaction(SIGTERM, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaction(SIGTERM, &action, NULL);
	archive_patience = scan_patience;
	output.ends = is_told_to_end;
	/* write() shall fail instead if the reader of a pipe has gone, or if a file may not grow. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

int run_open(struct run *run, unsigned int flags)
{
	struct bcoslog_error error;
	struct stat stat;

	run_catch_signals();
	if (run->follow)
		flags |= BCOSLOG_FOLLOW;
	if (run->follow && run->newest && !recorder_looks_back(run->session))
		flags |= BCOSLOG_NEWEST;
	if (recorder_open(run->session, &run->log, run->path, flags, &error)) {
		/* Ctrl-C while a FIFO waited for its other side is no error to explain. */
		if (!run_signal)
			complain("%s", error.text);
		return -1;
	}
	if (bcoslog_kind(run->log) == BCOSLOG_RECORDING)
		run_say_flaws(run->log, run->path);
	if (run->follow)
		say_waiting(run);
	interruptible_log = run->log;
	run->whole_batches = bcoslog_kind(run->log) == BCOSLOG_BPF;
	if (run_signal)
		bcoslog_interrupt(run->log);
	/* The wait for entries also ends when the reader of the output goes away. */
	if (!fstat(STDOUT_FILENO, &stat) && (S_ISFIFO(stat.st_mode) || S_ISSOCK(stat.st_mode)))
		bcoslog_hangup(run->log, STDOUT_FILENO);
	return 0;
}

int run_reopen(struct run *run)
{
	unsigned int flags = unfold_flag(run->log);
	struct bcoslog_error error;

	interruptible_log = NULL;
	bcoslog_close(run->log);
	if (recorder_open(run->session, &run->log, run->path, flags, &error)) {
		complain("%s", error.text);
		return -1;
	}
	interruptible_log = run->log;
	return 0;
}

int run_failed(struct run *run)
{
	complain("%s", bcoslog_error(run->log)->text);
	return EXIT_ENVIRONMENT;
}

void run_shut(struct run *run)
{
	interruptible_log = NULL;
	bcoslog_close(run->log);
}
