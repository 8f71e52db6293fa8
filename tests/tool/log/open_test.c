// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How the log of a subcommand is opened and closed, and what signals do meanwhile. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>

#include "log/open.h"
#include "log/recorder.h"
#include "log/run.h"
#include "said.h"
#include "command.h"

/* ---- the log is that of the test -------------------------------------------------------------------- */

static enum bcoslog_kind kind;
static int open_error, signal_in_open, signal_in_close;
static struct bcoslog_error reason;
static struct run run;

/* They are only passed on. */
#define FIRST ((struct bcoslog *)done)
#define SECOND ((struct bcoslog *)(done + 1))

static const char *name_of(const struct bcoslog *log)
{
	return log == FIRST ? "first" : log == SECOND ? "second" : "none";
}

int recorder_open(struct bcoslog **log, const char *path, unsigned int flags, struct bcoslog_error *error)
{
	note_call("open %s %u", path, flags);
	*log = *log == FIRST ? SECOND : FIRST;
	if (signal_in_open)
		raise(signal_in_open);
	strcpy(error->text, "it cannot be opened");
	return open_error;
}

enum bcoslog_kind bcoslog_kind(const struct bcoslog *log)
{
	return kind;
}

void bcoslog_interrupt(struct bcoslog *log)
{
	note_call("interrupt %s", name_of(log));
}

void bcoslog_hangup(struct bcoslog *log, int fd)
{
	note_call("hangup %s %d", name_of(log), fd);
}

void bcoslog_close(struct bcoslog *log)
{
	note_call("close %s", name_of(log));
	if (signal_in_close)
		raise(signal_in_close);
}

const struct bcoslog_error *bcoslog_error(const struct bcoslog *log)
{
	return &reason;
}

static int begin_test(void **state)
{
	kind = BCOSLOG_FILE;
	open_error = signal_in_open = signal_in_close = 0;
	run_signal = 0;
	run_whole_batches = false;
	run = (struct run){ .path = "LOG" };
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	done[0] = '\0';
	return 0;
}

static int end_test(void **state)
{
	run_shut(&run);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	return 0;
}

/* Opens the log while standard output is this descriptor, which is closed. */
static int open_with(int to, unsigned int flags)
{
	int kept = dup(STDOUT_FILENO), r;

	fflush(stdout);
	dup2(to, STDOUT_FILENO);
	close(to);
	r = run_open(&run, flags);
	dup2(kept, STDOUT_FILENO);
	close(kept);
	return r;
}

static int open_file(unsigned int flags)
{
	return open_with(open("/dev/null", O_WRONLY | O_CLOEXEC), flags);
}

/* ---- opening -------------------------------------------------------------------------------------------- */

static void flags_of_the_log(void **state)
{
	assert_complains("", open_file(0) == 0);
	assert_string_equal(take_calls(), "open LOG 0; ");
	assert_ptr_equal(run.log, FIRST);
	assert_false(run_whole_batches);
	run.follow = true;
	run.log = NULL;
	assert_complains("", open_file(BCOSLOG_CONTROL) == 0);
	assert_int_equal(atoi(take_calls() + strlen("open LOG ")), BCOSLOG_CONTROL | BCOSLOG_FOLLOW);
	/* The rest of a batch of what BPF programs record would be lost. */
	kind = BCOSLOG_BPF;
	run.log = NULL;
	assert_complains("", open_file(0) == 0);
	assert_true(run_whole_batches);
}

static void it_cannot_be_opened(void **state)
{
	open_error = -ENOENT;
	assert_complains("bcoslog: it cannot be opened\n", open_file(0) == -1);
	assert_string_equal(take_calls(), "open LOG 0; ");
	/* A signal while it waits is no error to explain. */
	signal_in_open = SIGINT;
	assert_complains("", open_file(0) == -1);
	assert_int_equal(run_signal, SIGINT);
	run.log = NULL;
}

/* If standard output is something whose reader can go away, that ends the wait for entries. */
static void the_reader_of_the_output(void **state)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(open_with(ends[1], 0), 0);
	close(ends[0]);
	assert_string_equal(take_calls(), "open LOG 0; hangup first 1; ");
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	run.log = NULL;
	assert_int_equal(open_with(ends[1], 0), 0);
	close(ends[0]);
	assert_string_equal(take_calls(), "open LOG 0; hangup first 1; ");
}

/* ---- signals ------------------------------------------------------------------------------------------------ */

static void assert_handled(int number, bool handled)
{
	struct sigaction action;

	assert_int_equal(sigaction(number, NULL, &action), 0);
	assert_true(handled == (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN));
}

/* The first signal ends the wait for entries, and a second one the program. */
static void a_signal_ends_the_wait(void **state)
{
	static const int numbers[] = { SIGINT, SIGTERM };
	size_t i;

	for (i = 0; i < 2; i++) {
		run.log = NULL;
		assert_int_equal(open_file(0), 0);
		assert_handled(SIGINT, true);
		assert_handled(SIGTERM, true);
		take_calls();
		raise(numbers[i]);
		assert_string_equal(take_calls(), "interrupt first; ");
		assert_int_equal(run_signal, numbers[i]);
		assert_handled(numbers[i], false);
		run_shut(&run);
		run_signal = 0;
	}
	/* SIGPIPE and SIGXFSZ do not end it. */
	raise(SIGPIPE);
	raise(SIGXFSZ);
}

static void signals_that_are_ignored(void **state)
{
	struct sigaction action;

	signal(SIGINT, SIG_IGN);
	assert_int_equal(open_file(0), 0);
	assert_handled(SIGINT, false);
	assert_handled(SIGTERM, true);
	assert_int_equal(sigaction(SIGINT, NULL, &action), 0);
	assert_ptr_equal(action.sa_handler, SIG_IGN);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_IGN);
	assert_int_equal(open_file(0), 0);
	assert_handled(SIGINT, true);
	assert_int_equal(sigaction(SIGTERM, NULL, &action), 0);
	assert_ptr_equal(action.sa_handler, SIG_IGN);
}

/* One that comes while it is opened ends the wait, too, and one after it is closed does nothing to it. */
static void before_and_after_it(void **state)
{
	signal_in_open = SIGTERM;
	assert_int_equal(open_file(0), 0);
	assert_string_equal(take_calls(), "open LOG 0; interrupt first; ");
	run_shut(&run);
	assert_string_equal(take_calls(), "close first; ");
	run_catch_signals();
	raise(SIGINT);
	assert_string_equal(take_calls(), "");
	assert_int_equal(run_signal, SIGINT);
}

/* ---- again --------------------------------------------------------------------------------------------------- */

static void it_is_opened_again(void **state)
{
	run.follow = true;
	assert_int_equal(open_file(0), 0);
	take_calls();
	assert_complains("", run_reopen(&run) == 0);
	assert_string_equal(take_calls(), "close first; open LOG 0; ");
	raise(SIGTERM);
	assert_string_equal(take_calls(), "interrupt second; ");
	/* While there is none, a signal interrupts none. */
	run_catch_signals();
	open_error = -EIO;
	signal_in_open = SIGTERM;
	assert_complains("bcoslog: it cannot be opened\n", run_reopen(&run) == -1);
	assert_string_equal(take_calls(), "close second; open LOG 0; ");
	run_catch_signals();
	raise(SIGINT);
	assert_string_equal(take_calls(), "");
}

/* A signal while it is closed finds none that it could interrupt. */
static void a_signal_while_it_is_closed(void **state)
{
	assert_int_equal(open_file(0), 0);
	take_calls();
	signal_in_close = SIGTERM;
	assert_int_equal(run_reopen(&run), 0);
	assert_string_equal(take_calls(), "close first; open LOG 0; ");
	run_catch_signals();
	signal_in_close = SIGINT;
	run_shut(&run);
	assert_string_equal(take_calls(), "close second; ");
	signal_in_close = 0;
}

static void a_call_that_failed(void **state)
{
	strcpy(reason.text, "nothing works");
	assert_complains("bcoslog: nothing works\n", run_failed(&run) == EXIT_ENVIRONMENT);
}

#define open_test(test) cmocka_unit_test_setup_teardown(test, begin_test, end_test)

int main(void)
{
	const struct CMUnitTest tests[] = {
		open_test(flags_of_the_log),
		open_test(it_cannot_be_opened),
		open_test(the_reader_of_the_output),
		open_test(a_signal_ends_the_wait),
		open_test(signals_that_are_ignored),
		open_test(before_and_after_it),
		open_test(it_is_opened_again),
		open_test(a_signal_while_it_is_closed),
		open_test(a_call_that_failed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
