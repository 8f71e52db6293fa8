// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Recording for a time, or while a command runs: for how long, which signals the two get, and what the end is. */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <time.h>

#include "bcoslog_bpf.h"
#include "log/open.h"
#include "log/record.h"
#include "log/recorder.h"
#include "log/run.h"
#include "options/filter.h"
#include "options/recorder_options.h"
#include "said.h"
#include "host/clock.h"
#include "command.h"

#define SECOND 1000000000ull

/* ---- the log and the clock ---------------------------------------------------------------------------- */

static enum bcoslog_kind kind;
static u64 now, record_for;
static int terminal, stop_error, reopen_error, polls, signal_at_poll;
static sigset_t at_begin;
static struct run run;

volatile sig_atomic_t run_signal;
bool run_finishing, recorder_asked;

enum bcoslog_kind bcoslog_kind(const struct bcoslog *log)
{
	return kind;
}

int bcoslog_stop_bpf(struct bcoslog *log)
{
	note_call("stop");
	return stop_error;
}

int run_failed(struct run *run)
{
	note_call("failed");
	return EXIT_ENVIRONMENT;
}

int run_reopen(struct run *run)
{
	note_call("reopen");
	return reopen_error;
}

void filter_from(u64 time)
{
	note_call("from %llu", (unsigned long long)time);
}

u64 recorder_time(void)
{
	return record_for;
}

u64 clock_now(clockid_t clock)
{
	assert_int_equal(clock, CLOCK_BOOTTIME);
	return now;
}

int isatty(int fd)
{
	assert_int_equal(fd, STDOUT_FILENO);
	return terminal;
}

int kill(pid_t process, int number)
{
	note_call("kill %d", number);
	return (int)syscall(SYS_kill, process, number);
}

/* Signals come only here: they are blocked before and after it. A command is waited for; else 1.25 seconds pass. */
int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *time, const sigset_t *mask)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGCHLD };
	sigset_t blocked;
	int i;

	assert_true(!fds && !count);
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	for (i = 0; i < 3; i++) {
		assert_true(sigismember(&blocked, numbers[i]));
		assert_false(sigismember(mask, numbers[i]));
	}
	assert_true(sigismember(mask, SIGUSR2));
	if (time)
		note_call("poll %d.%09d", (int)time->tv_sec, (int)time->tv_nsec);
	if (++polls == signal_at_poll)
		run_signal = signal_at_poll == 1 ? SIGTERM : SIGINT;
	now += 5 * SECOND / 4;
	if (time || !run.command || polls == signal_at_poll)
		return 0;
	return (int)syscall(SYS_ppoll, NULL, 0, NULL, mask, 8);
}

static bool no_room;

int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int from, int to)
{
	int (*real)(posix_spawn_file_actions_t *actions, int from, int to);

	*(void **)&real = dlsym(RTLD_NEXT, "posix_spawn_file_actions_adddup2");
	return no_room ? ENOMEM : real(actions, from, to);
}

static int begin_run(void **state)
{
	no_room = false;
	run = (struct run){ .path = "LOG" };
	kind = BCOSLOG_BPF;
	now = 7 * SECOND;
	record_for = 0;
	terminal = stop_error = reopen_error = polls = signal_at_poll = 0;
	run_signal = 0;
	run_finishing = recorder_asked = false;
	done[0] = '\0';
	sigemptyset(&at_begin);
	sigaddset(&at_begin, SIGUSR2);
	sigprocmask(SIG_SETMASK, &at_begin, NULL);
	return 0;
}

static void assert_mask_restored(void)
{
	sigset_t mask;

	sigprocmask(SIG_BLOCK, NULL, &mask);
	assert_true(sigismember(&mask, SIGUSR2));
	assert_false(sigismember(&mask, SIGINT) || sigismember(&mask, SIGTERM) || sigismember(&mask, SIGCHLD));
}

#define assert_run(status, complaint, text) do { \
		assert_complains(complaint, run_record(&run) == (status)); \
		assert_string_equal(done, text); \
		assert_mask_restored(); \
	} while (0)

#define FOR(time) "bcoslog: BPF programs record for " time " s (--for says how long); then the command shows the log, " \
	"with -f while it grows\n"
#define UNTIL "bcoslog: BPF programs record until Ctrl-C; then the command shows the log, with -f while it grows\n"

/* ---- for a time ------------------------------------------------------------------------------------------- */

static void it_records_for_a_time(void **state)
{
	record_for = 2590 * SECOND / 1000;
	assert_run(0, FOR("2.5"), "poll 2.590000000; poll 1.340000000; poll 0.090000000; stop; ");
	assert_true(run_finishing);
	begin_run(state);
	record_for = 2 * SECOND;
	assert_run(0, FOR("2.0"), "poll 2.000000000; poll 0.750000000; stop; ");
	/* It is told to end before that. */
	begin_run(state);
	record_for = 2 * SECOND;
	signal_at_poll = 1;
	assert_run(0, FOR("2.0"), "poll 2.000000000; stop; ");
}

static void it_records_until_it_is_told_to_end(void **state)
{
	terminal = 1;
	signal_at_poll = 3;
	assert_run(0, UNTIL, "stop; ");
	assert_int_equal(polls, 3);
	/* Where nobody can do that, five seconds are enough. */
	begin_run(state);
	assert_run(0, FOR("5.0"), "poll 5.000000000; poll 3.750000000; poll 2.500000000; poll 1.250000000; stop; ");
}

static void programs_that_do_not_stop(void **state)
{
	record_for = SECOND;
	stop_error = -EIO;
	assert_run(EXIT_ENVIRONMENT, FOR("1.0"), "poll 1.000000000; stop; failed; ");
}

static void others_are_read_at_once(void **state)
{
	record_for = SECOND;
	run.follow = true;
	assert_run(0, "", "");
	run.follow = false;
	kind = BCOSLOG_DEVICE;
	assert_run(0, "", "");
	assert_false(run_finishing);
}

/* ---- while a command runs ------------------------------------------------------------------------------------ */

static char *command[4];

static void begin_command(void **state, const char *text)
{
	static char shell[] = "sh", option[] = "-c", script[200];

	begin_run(state);
	recorder_asked = true;
	snprintf(script, sizeof(script), "%s", text);
	command[0] = shell;
	command[1] = option;
	command[2] = script;
	run.command = command;
}

static void a_command_ends_by_itself(void **state)
{
	begin_command(state, "exit 7");
	assert_run(0, "", "from 7000000000; reopen; stop; ");
	assert_int_equal(run.exit_status, 7);
	assert_true(run_finishing);
	/* By BPF programs of this process, nothing has to be opened again. */
	begin_command(state, "exit 0");
	recorder_asked = false;
	assert_run(0, "", "from 7000000000; stop; ");
}

static void a_command_is_killed(void **state)
{
	begin_command(state, "kill -9 $$");
	assert_run(0, "", "from 7000000000; reopen; stop; ");
	assert_int_equal(run.exit_status, 128 + 9);
}

static void signals_for_a_command(void **state)
{
	begin_command(state, "exec sleep 10000");
	signal_at_poll = 1;
	assert_complains("", run_record(&run) == 0);
	/* It may be told once more before it is gone. */
	assert_int_equal(strncmp(done, "from 7000000000; kill 15; ", 26), 0);
	assert_int_equal(run.exit_status, 128 + SIGTERM);
	/* Ctrl-C gets there by itself. */
	begin_command(state, "exit 3");
	run_signal = SIGINT;
	assert_run(0, "", "from 7000000000; reopen; stop; ");
	assert_int_equal(run.exit_status, 3);
}

static void the_log_is_opened_again_where_it_goes_on(void **state)
{
	begin_command(state, "exit 0");
	reopen_error = -1;
	assert_run(EXIT_ENVIRONMENT, "", "from 7000000000; reopen; ");
	assert_false(run_finishing);
	begin_command(state, "exit 0");
	kind = BCOSLOG_DEVICE;
	assert_run(0, "", "from 7000000000; reopen; ");
}

static void a_command_that_cannot_be_run(void **state)
{
	static char none[] = "/nonexistent/x", folder[] = "/";

	begin_command(state, "");
	command[0] = none;
	run.exit_status = 5;
	assert_run(127, "bcoslog: /nonexistent/x cannot be run: No such file or directory; the command to run "
		   "follows after --\n", "from 7000000000; ");
	assert_int_equal(run.exit_status, 0);
	begin_command(state, "");
	command[0] = folder;
	assert_run(126, "bcoslog: / cannot be run: Permission denied; the command to run follows after --\n",
		   "from 7000000000; ");
}

/* The command's output would get into the log. */
static void a_command_whose_output_cannot_go_elsewhere(void **state)
{
	static char true_path[] = "true";

	begin_command(state, "");
	command[0] = true_path;
	run.apart = no_room = true;
	assert_run(126, "bcoslog: true cannot be run: Cannot allocate memory; the command to run follows after --\n",
		   "from 7000000000; ");
}

/* It has the mask of the caller, and the tool's way to take errors of write() is none of its own. */
static void the_command_is_as_it_would_be_without(void **state)
{
	static char grep[] = "grep", pattern[] = "^Sig[BI]", file[] = "/proc/self/status";
	unsigned long long blocked, ignored;
	const char *text;
	FILE *complaints;
	int kept, r;

	begin_command(state, "");
	command[0] = grep;
	command[1] = pattern;
	command[2] = file;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	/* The output is for programs, and has nothing of the command. */
	run.apart = true;
	complaints = begin_complaints(&kept);
	r = run_record(&run);
	text = end_complaints(complaints, kept);
	assert_int_equal(r, 0);
	assert_int_equal(run.exit_status, 0);
	assert_int_equal(sscanf(text, "SigBlk: %llx SigIgn: %llx", &blocked, &ignored), 2);
	assert_int_equal(blocked, 1u << (SIGUSR2 - 1));
	assert_int_equal(ignored & (1u << (SIGPIPE - 1) | 1u << (SIGXFSZ - 1)), 0);
}

/* Else both go where the caller's go. */
static void the_output_of_a_command(void **state)
{
	char text[4] = "";
	int ends[2], kept;

	assert_int_equal(pipe(ends), 0);
	fflush(stdout);
	kept = dup(STDOUT_FILENO);
	dup2(ends[1], STDOUT_FILENO);
	begin_command(state, "echo x");
	assert_complains("", run_record(&run) == 0);
	dup2(kept, STDOUT_FILENO);
	close(kept);
	close(ends[1]);
	assert_int_equal(read(ends[0], text, 3), 2);
	close(ends[0]);
	assert_string_equal(text, "x\n");
}

#define record_test(test) cmocka_unit_test_setup(test, begin_run)

int main(void)
{
	const struct CMUnitTest tests[] = {
		record_test(it_records_for_a_time),
		record_test(it_records_until_it_is_told_to_end),
		record_test(programs_that_do_not_stop),
		record_test(others_are_read_at_once),
		record_test(a_command_ends_by_itself),
		record_test(a_command_is_killed),
		record_test(signals_for_a_command),
		record_test(the_log_is_opened_again_where_it_goes_on),
		record_test(a_command_that_cannot_be_run),
		record_test(a_command_whose_output_cannot_go_elsewhere),
		record_test(the_command_is_as_it_would_be_without),
		record_test(the_output_of_a_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
