// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The pass over a log: what it does in which order, which damage it complains of, and its exit status. */
#include <errno.h>
#include <signal.h>

#include "bcoslog_bpf.h"
#include "log/hold.h"
#include "log/log_end.h"
#include "log/notes.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/record.h"
#include "log/run.h"
#include "output/output.h"
#include "said.h"
#include "command.h"
#include "options/filter.h"
#include "output/terminal.h"

#define LIST(...) ((const int []){ __VA_ARGS__, 99 })

/* ---- the log and the output are those of the test ---------------------------------------------------- */

volatile sig_atomic_t run_signal;
bool run_finishing, run_whole_batches;
struct output output;

static enum bcoslog_kind kind;
static const int *batches, *waits, *holds, *ends;
static int record_status, filter_error, flush_error, skip_error, signal_in_wait;
static struct bcoslog_error error;
static struct run run;

/* The next result of a list that 99 ends, and after that @usual. */
static int next_of(const int **list, int usual)
{
	return *list && **list != 99 ? *(*list)++ : usual;
}

enum bcoslog_kind bcoslog_kind(const struct bcoslog *log)
{
	return kind;
}

int bcoslog_batch(struct bcoslog *log, struct bcoslog_batch *batch)
{
	int r = next_of(&batches, 0);

	note_call(r ? "batch" : "empty");
	return r;
}

int bcoslog_wait(struct bcoslog *log, int ms)
{
	note_call("wait %d", ms);
	run_signal = signal_in_wait;
	return next_of(&waits, 0);
}

const struct bcoslog_error *bcoslog_error(const struct bcoslog *log)
{
	return &error;
}

int bcoslog_skip(struct bcoslog *log)
{
	note_call("skip");
	return skip_error;
}

int bcoslog_stop_bpf(struct bcoslog *log)
{
	note_call("stop");
	return 0;
}

int hold_entries(struct run *of, const struct bcoslog_batch *batch)
{
	return next_of(&holds, 0);
}

int hold_end(struct run *of)
{
	note_call("all");
	return next_of(&ends, 0);
}

int output_flush(void)
{
	note_call("flush");
	return flush_error;
}

int run_record(struct run *of)
{
	note_call("record");
	return record_status;
}

int run_settle_times(struct run *of)
{
	note_call("filter");
	return filter_error;
}

int run_failed(struct run *of)
{
	note_call("failed");
	return EXIT_ENVIRONMENT;
}

void run_shut(struct run *of)
{
	note_call("shut");
}

void terminal_end(void)
{
	note_call("terminal");
}

void notes_say(void)
{
	note_call("notes");
}

static int begin_test(void **state)
{
	kind = BCOSLOG_FILE;
	batches = waits = holds = ends = NULL;
	record_status = filter_error = flush_error = skip_error = signal_in_wait = 0;
	run_signal = 0;
	run_finishing = false;
	output.error = 0;
	error = (struct bcoslog_error){ .resumes = BCOSLOG_BEHIND, .offset = 40, .lost = 24, .word = "word",
					.text = "it is wrong" };
	run = (struct run){ .path = "LOG" };
	done[0] = '\0';
	return 0;
}

#define assert_run(status, text) do { \
		assert_complains("", run_log(&run) == (status)); \
		assert_string_equal(take_calls(), text); \
	} while (0)

#define BEGIN "record; filter; "

/* ---- the pass ----------------------------------------------------------------------------------------------- */

static void up_to_the_end(void **state)
{
	batches = LIST(1, 5, 0, 1);
	waits = LIST(1, 1, 0);
	assert_run(EXIT_OK, BEGIN "batch; batch; empty; flush; wait -1; batch; empty; flush; wait -1; empty; flush; "
		   "wait -1; all; ");
	begin_test(state);
	ends = LIST(-EINVAL);
	assert_run(EXIT_ENVIRONMENT, BEGIN "empty; flush; wait -1; all; ");
}

static void ends_of_the_wait(void **state)
{
	waits = LIST(-EPIPE);
	assert_run(EXIT_OK, BEGIN "empty; flush; wait -1; all; ");
	begin_test(state);
	waits = LIST(-EINTR);
	assert_run(EXIT_OK, BEGIN "empty; flush; wait -1; all; ");
	begin_test(state);
	waits = LIST(-EIO);
	assert_run(EXIT_ENVIRONMENT, BEGIN "empty; flush; wait -1; failed; ");
	/* A signal, and output that cannot be written, end it before it waits. */
	begin_test(state);
	flush_error = -1;
	assert_run(EXIT_OK, BEGIN "empty; flush; all; ");
	begin_test(state);
	run_signal = SIGINT;
	assert_run(EXIT_OK, BEGIN "flush; all; ");
	begin_test(state);
	output.error = EIO;
	batches = LIST(1);
	flush_error = -1;
	assert_run(EXIT_OK, BEGIN "flush; all; ");
}

static void it_cannot_go_on(void **state)
{
	record_status = 7;
	assert_run(7, "record; ");
	begin_test(state);
	filter_error = -1;
	assert_run(EXIT_ENVIRONMENT, BEGIN);
	begin_test(state);
	batches = LIST(1, 1);
	holds = LIST(0, -EINVAL);
	assert_run(EXIT_ENVIRONMENT, BEGIN "batch; batch; ");
	begin_test(state);
	batches = LIST(1, -EIO);
	assert_run(EXIT_ENVIRONMENT, BEGIN "batch; batch; failed; ");
}

/* BPF programs of this process stop, and all that they have recorded is shown. */
static void a_signal_to_what_bpf_programs_record(void **state)
{
	kind = BCOSLOG_BPF;
	batches = LIST(1, 0, 1);
	signal_in_wait = SIGTERM;
	waits = LIST(-EINTR);
	assert_run(EXIT_OK, BEGIN "batch; empty; flush; wait -1; stop; batch; empty; all; ");
	assert_true(run_finishing);
	/* It does so once: then the log is read to its end. */
	assert_false(run_stop_recording(&run));
	assert_string_equal(take_calls(), "");
	begin_test(state);
	kind = BCOSLOG_BPF;
	assert_false(run_stop_recording(&run));
	run_signal = SIGTERM;
	output.error = EPIPE;
	assert_false(run_stop_recording(&run));
	output.error = 0;
	kind = BCOSLOG_DEVICE;
	assert_false(run_stop_recording(&run));
	assert_false(run_finishing);
	kind = BCOSLOG_BPF;
	assert_true(run_stop_recording(&run));
	assert_string_equal(take_calls(), "stop; ");
	/* A damaged log is not read on. */
	begin_test(state);
	kind = BCOSLOG_BPF;
	run_signal = SIGTERM;
	record_status = 0;
	run_finishing = true;
	waits = LIST(0);
	signal_in_wait = SIGTERM;
	assert_run(EXIT_OK, BEGIN "empty; flush; wait -1; all; ");
}

/* ---- damage --------------------------------------------------------------------------------------------------- */

static void assert_damage(const char *path, enum bcoslog_resumes resumes, const char *said)
{
	begin_test(NULL);
	batches = LIST(-EBADMSG, 1);
	run.path = path;
	error.resumes = resumes;
	assert_complains(said, run_log(&run) == EXIT_DAMAGE);
	assert_string_equal(take_calls(), BEGIN "batch; all; flush; skip; batch; empty; flush; wait -1; all; ");
	assert_int_equal(run.damages, 1);
	assert_int_equal(run.lost, 24);
}

static void it_says_where(void **state)
{
	assert_damage("LOG", BCOSLOG_BEHIND, "bcoslog: LOG is damaged at byte 40 (word): it is wrong: this entry is left out\n");
	assert_damage("-", BCOSLOG_AT_GROUP, "bcoslog: standard input is damaged at byte 40 (word): it is wrong: 24 bytes are "
		      "left out, up to the group of historical entries at byte 64\n");
	assert_damage("LOG", BCOSLOG_NOWHERE, "bcoslog: LOG is damaged at byte 40 (word): it is wrong: the last 24 bytes are "
		      "left out\n");
}

static void the_log_does_not_go_on(void **state)
{
	batches = LIST(-EBADMSG, 1);
	skip_error = -EBADMSG;
	assert_complains("bcoslog: LOG is damaged at byte 40 (word): it is wrong: this entry is left out\n",
			 run_log(&run) == EXIT_DAMAGE);
	assert_string_equal(take_calls(), BEGIN "batch; all; flush; skip; all; ");
	/* Entries that are held back cannot be shown: nothing is said of the damage. */
	begin_test(state);
	batches = LIST(-EBADMSG, 1);
	ends = LIST(-EINVAL);
	assert_run(EXIT_DAMAGE, BEGIN "batch; all; all; ");
	assert_int_equal(run.damages, 0);
}

/* Eight places are named, and the sum at the end has the others. */
static void many_places(void **state)
{
	static const int places[] = { -EBADMSG, -EBADMSG, -EBADMSG, -EBADMSG, -EBADMSG, -EBADMSG, -EBADMSG, -EBADMSG,
				      -EBADMSG, 99 };
	const char *said;
	size_t count, i;
	FILE *file;
	int kept;

	for (i = 0; i < 2; i++) {
		begin_test(state);
		run.path = "-";
		batches = places + i;
		file = begin_complaints(&kept);
		assert_int_equal(run_log(&run), EXIT_DAMAGE);
		said = end_complaints(file, kept);
		for (count = 0; (said = strstr(said, "is damaged at byte")); count++)
			said++;
		assert_int_equal(count, 8);
		take_calls();
		assert_complains(i ? "" : "bcoslog: standard input is damaged at 9 places in all, where 216 bytes are left out\n",
				 (run_damage_end(&run), true));
		assert_string_equal(take_calls(), i ? "" : "flush; ");
	}
	run.path = "LOG";
	run.damages = 9;
	assert_complains("bcoslog: LOG is damaged at 9 places in all, where 192 bytes are left out\n",
			 (run_damage_end(&run), true));
}

static void note_damage(struct run *of, const struct bcoslog_error *at)
{
	note_call("damage %llu", (unsigned long long)at->offset);
}

static void note_group(struct run *of)
{
	note_call("group");
}

/* The callbacks get each place, of which nothing is said then, and each group at which the log goes on. */
static void damage_callbacks(void **state)
{
	run.damage = note_damage;
	run.resumed = note_group;
	batches = LIST(-EBADMSG);
	assert_run(EXIT_DAMAGE, BEGIN "batch; all; damage 40; skip; empty; flush; wait -1; all; ");
	run.damages = 9;
	assert_complains("", (run_damage_end(&run), true));
	assert_string_equal(take_calls(), "");
	error.resumes = BCOSLOG_AT_GROUP;
	batches = LIST(-EBADMSG);
	assert_run(EXIT_DAMAGE, BEGIN "batch; all; damage 40; group; skip; empty; flush; wait -1; all; ");
}

/* ---- its exit status --------------------------------------------------------------------------------------------- */

#define assert_close(expected, status) do { \
		assert_complains("", run_close(&run, status) == (expected)); \
		assert_string_equal(take_calls(), "flush; shut; terminal; notes; "); \
	} while (0)

static void exit_statuses(void **state)
{
	run.log = (struct bcoslog *)done;
	assert_close(EXIT_OK, EXIT_OK);
	assert_close(EXIT_DAMAGE, EXIT_DAMAGE);
	run.exit_status = 77;
	assert_close(77, EXIT_OK);
	assert_close(EXIT_DAMAGE, EXIT_DAMAGE);
	/* A signal leaves entries unread, unless the log grows, or a recording was to end. */
	run_signal = SIGTERM;
	assert_close(128 + SIGTERM, EXIT_OK);
	assert_close(EXIT_DAMAGE, EXIT_DAMAGE);
	run.follow = true;
	assert_close(77, EXIT_OK);
	run.follow = false;
	run_finishing = true;
	assert_close(77, EXIT_OK);
	run_finishing = false;
	kind = BCOSLOG_STREAM;
	assert_close(77, EXIT_OK);
	/* There may be no log. */
	run.log = NULL;
	assert_close(128 + SIGTERM, EXIT_OK);
}

static void output_that_cannot_be_written(void **state)
{
	output.error = ENOSPC;
	assert_complains("bcoslog: standard output cannot be written: No space left on device\n",
			 run_close(&run, EXIT_OK) == EXIT_ENVIRONMENT);
	output.error = EPIPE;
	assert_complains("", run_close(&run, EXIT_DAMAGE) == EXIT_DAMAGE);
	assert_complains("", run_close(&run, EXIT_OK) == EXIT_OK);
}

#define pass_test(test) cmocka_unit_test_setup(test, begin_test)

int main(void)
{
	const struct CMUnitTest tests[] = {
		pass_test(up_to_the_end),
		pass_test(ends_of_the_wait),
		pass_test(it_cannot_go_on),
		pass_test(a_signal_to_what_bpf_programs_record),
		pass_test(it_says_where),
		pass_test(the_log_does_not_go_on),
		pass_test(many_places),
		pass_test(damage_callbacks),
		pass_test(exit_statuses),
		pass_test(output_that_cannot_be_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
