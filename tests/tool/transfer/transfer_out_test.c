// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The conversion of a log, with an exporter and a log that are made up here: its stages, its order and its ends. */
#include "command.h"
#include "log/run.h"
#include "made_transfer.h"
#include "output/times.h"

/* ---- stages ---------------------------------------------------------------------------------------------------------------- */

static void each_entry_is_exported(void **state)
{
	assert_exports(EXIT_OK, 10, "", ENTRY "last; " END);
	assert_string_equal(signals_ignored, "ii");
	/* Only generic events may tell of losses. */
	entries = 3;
	assert_exports(EXIT_OK, 30, "", BEGIN "entry 1; note 2; entry 2; entry 3; resumed; end; last; " END);
	log_status = EXIT_DAMAGE;
	entries = 1;
	assert_exports(EXIT_DAMAGE, 10, "", ENTRY "last; " END);
}

static void a_format_of_few_functions(void **state)
{
	exporter.resumed = NULL;
	exporter.end = NULL;
	exporter.free = NULL;
	assert_exports(EXIT_OK, 10, "", BEGIN "entry 1; end; close; ");
}

static void a_filter_chooses(void **state)
{
	filtered = true;
	entries = 3;
	assert_exports(EXIT_OK, 20, "", "open log; keep; first log with 3; begin 0; at 55; entry 1; note 2; entry 3; resumed; end; "
		       "last; freed; keep freed; close; ");
	entries = 1;
	keep_result = -ENOMEM;
	assert_exports(EXIT_ENVIRONMENT, -1, "bcoslog: no memory for the names in log\n",
		       "open log; keep; first log with 3; begin 0; at 55; end; freed; keep freed; close; ");
	keep_result = -EIO;
	assert_exports(EXIT_ENVIRONMENT, -1, "", "open log; keep; first log with 3; begin 0; at 55; end; freed; keep freed; close; ");
	no_keep = true;
	assert_exports(EXIT_ENVIRONMENT, -1, "bcoslog: no memory\n", "open log; keep; " END);
}

/* The log of a command begins with the group that describes its machine. */
static void the_log_of_a_command(void **state)
{
	char *command[] = { (char *)"true", NULL };

	transfer.run.command = command;
	assert_exports(EXIT_OK, 10, "", "open log; keep; first log with 3; begin 0; at 55; entry 1; resumed; end; last; freed; "
		       "keep freed; close; ");
}

static void a_format_that_needs_names(void **state)
{
	exporter.state = true;
	assert_exports(EXIT_OK, 10, "", "open log; state; first log with 3; begin 0; at 55; entry 1; apply; forget; resumed; end; last; "
		       "freed; state freed; close; ");
	apply_result = -ENOMEM;
	assert_exports(EXIT_ENVIRONMENT, -1, "bcoslog: no memory for the names in log\n",
		       "open log; state; first log with 3; begin 0; at 55; entry 1; apply; end; freed; state freed; close; ");
	/* Without the entry there is nothing to apply. */
	entry_result = -EIO;
	assert_exports(EXIT_ENVIRONMENT, -1, "",
		       "open log; state; first log with 3; begin 0; at 55; entry 1; end; freed; state freed; close; ");
	no_state = true;
	assert_exports(EXIT_ENVIRONMENT, -1, "bcoslog: no memory\n", "open log; state; " END);
}

/* ---- ends -------------------------------------------------------------------------------------------------------------------- */

static void a_format_that_fails(void **state)
{
	begin_result = -EIO;
	assert_exports(EXIT_ENVIRONMENT, -1, "", "open log; first log with 3; " END);
	begin_result = 0;
	entry_result = -EIO;
	assert_exports(EXIT_ENVIRONMENT, -1, "", BEGIN "entry 1; end; " END);
	entry_result = 0;
	end_result = -EIO;
	assert_exports(EXIT_ENVIRONMENT, -1, "", ENTRY "last; " END);
	assert_string_equal(signals_ignored, "--");
	/* A log that cannot be read has no end. */
	end_result = 0;
	log_status = EXIT_ENVIRONMENT;
	assert_exports(EXIT_ENVIRONMENT, -1, "", ENTRY END);
}

/* A log that does not grow is not complete then. */
static void a_signal(void **state)
{
	kind = BCOSLOG_DEVICE;
	log_signal = SIGINT;
	assert_exports(EXIT_OK, -1, "", ENTRY END);
	assert_int_equal(run_signal, SIGINT);
	log_signal = 0;
	end_signal = SIGTERM;
	assert_exports(EXIT_OK, -1, "", ENTRY "last; " END);
	assert_int_equal(run_signal, SIGTERM);
	assert_string_equal(signals_ignored, "--");
	/* The exporter has ended for it. */
	end_result = -EINTR;
	log_status = EXIT_DAMAGE;
	assert_exports(EXIT_DAMAGE, -1, "", ENTRY "last; " END);
	end_result = 0;
	end_signal = 0;
	assert_exports(EXIT_DAMAGE, 10, "", ENTRY "last; " END);
}

/* One that grows ends with the signal. */
static void a_signal_ends_a_log_that_grows(void **state)
{
	log_signal = SIGINT;
	assert_exports(EXIT_OK, 10, "", ENTRY "last; " END);
	assert_int_equal(run_signal, SIGINT);
	end_result = -EIO;
	assert_exports(EXIT_ENVIRONMENT, -1, "", ENTRY "last; " END);
	end_result = 0;
	kind = BCOSLOG_DEVICE;
	transfer.run.follow = true;
	assert_exports(EXIT_OK, 10, "", ENTRY "last; " END);
	assert_int_equal(run_signal, SIGINT);
	/* A recording by BPF programs that the signal has ended is shown up to there. */
	transfer.run.follow = false;
	log_signal = 0;
	end_signal = SIGINT;
	finishing_at_end = true;
	assert_exports(EXIT_OK, 10, "", ENTRY "last; " END);
	assert_int_equal(run_signal, SIGINT);
}

/* A signal that comes when the output is complete does not change the status. */
static void a_signal_after_the_end(void **state)
{
	kind = BCOSLOG_DEVICE;
	end_signal = SIGINT;
	convert_interrupted = filter_active;
	assert_exports(EXIT_OK, 10, "", ENTRY "last; " END);
	assert_int_equal(run_signal, 0);
}

/* The file has a buffer of 256 KiB. */
static void an_output_that_cannot_be_written(void **state)
{
	transfer.output = "/dev/full";
	assert_exports(EXIT_ENVIRONMENT, -1, "bcoslog: /dev/full cannot be written: No space left on device\n", ENTRY "last; " END);
	assert_string_equal(signals_ignored, "--");
	entry_bytes = 300000;
	assert_exports(EXIT_ENVIRONMENT, -1, "bcoslog: /dev/full cannot be written: No space left on device\n",
		       BEGIN "entry 1; end; " END);
	/* Entries of a log that grows are written at once. */
	entry_bytes = 10;
	transfer.run.follow = true;
	assert_exports(EXIT_ENVIRONMENT, -1, "bcoslog: /dev/full cannot be written: No space left on device\n",
		       BEGIN "entry 1; end; " END);
	transfer.output = "no/out";
	assert_exports(EXIT_ENVIRONMENT, -1, "bcoslog: no/out cannot be written: No such file or directory\n", "open log; close; ");
	transfer.run.path = "missing";
	assert_exports(EXIT_ENVIRONMENT, -1, "", "open missing; ");
}

static void an_output_of_several_passes(void **state)
{
	exporter.seekable = true;
	assert_exports(EXIT_OK, 10, "", ENTRY "last; " END);
	transfer.output = "/dev/null";
	assert_exports(EXIT_ENVIRONMENT, -1, "bcoslog: made is written in more than one pass, so it has to be a file: name one with "
		       "-o\n", "open log; " END);
	exporter.seekable = false;
	assert_exports(EXIT_OK, -1, "", ENTRY "last; " END);
}

static void a_directory(void **state)
{
	struct stat is;

	exporter.directory = true;
	exporter.seekable = true;
	entry_bytes = 0;
	transfer.run.follow = true;
	assert_complains("", run_export() == EXIT_OK);
	assert_string_equal(done, ENTRY "last; " END);
	assert_int_equal(stat("out", &is), 0);
	assert_true(S_ISDIR(is.st_mode));
	assert_int_equal(rmdir("out"), 0);
}

static void a_terminal(void **state)
{
	on_terminal = true;
	transfer.output = "-";
	assert_exports(EXIT_ENVIRONMENT, -1, "bcoslog: made is binary, which a terminal cannot show: name a file with -o\n", "");
	/* A directory has a better reason. */
	exporter.directory = true;
	assert_exports(EXIT_ENVIRONMENT, -1, "bcoslog: this format is a directory, which standard output cannot be: name one with "
		       "-o\n", "open log; close; ");
	exporter.directory = false;
	transfer.output = "out";
	assert_exports(EXIT_OK, 10, "", ENTRY "last; " END);
	/* People can read this one there. */
	exporter.text = true;
	entry_bytes = 0;
	transfer.output = "-";
	assert_exports(EXIT_OK, -1, "", ENTRY "last; " END);
}

/* Only a file tells how much there is to read. */
static void the_size_of_the_log(void **state)
{
	int file = open("out", O_CREAT | O_RDWR, 0600);

	assert_int_equal(ftruncate(file, 1234), 0);
	fd = file;
	kind = BCOSLOG_FILE;
	assert_exports(EXIT_OK, 10, "", "open log; first log with 3; begin 1234; at 55; entry 1; resumed; end; last; " END);
	transfer.run.follow = true;
	assert_exports(EXIT_OK, 10, "", ENTRY "last; " END);
	transfer.run.follow = false;
	kind = BCOSLOG_DEVICE;
	assert_exports(EXIT_OK, 10, "", ENTRY "last; " END);
	kind = BCOSLOG_FILE;
	close(file);
	fd = -1;
	assert_exports(EXIT_OK, 10, "", ENTRY "last; " END);
}

#define transfer_test(test) cmocka_unit_test_setup_teardown(test, begin_transfer, end_transfer)

int main(void)
{
	const struct CMUnitTest tests[] = {
		transfer_test(each_entry_is_exported),
		transfer_test(a_format_of_few_functions),
		transfer_test(a_filter_chooses),
		transfer_test(the_log_of_a_command),
		transfer_test(a_format_that_needs_names),
		transfer_test(a_format_that_fails),
		transfer_test(a_signal),
		transfer_test(a_signal_ends_a_log_that_grows),
		transfer_test(a_signal_after_the_end),
		transfer_test(an_output_that_cannot_be_written),
		transfer_test(an_output_of_several_passes),
		transfer_test(a_directory),
		transfer_test(a_terminal),
		transfer_test(the_size_of_the_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
