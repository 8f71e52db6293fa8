// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The conversion of an input to a log, with importers and a writer of logs that are made up here: its order and its ends. */
#include <sys/stat.h>

#include "command.h"
#include "log/open.h"
#include "log/run.h"
#include "said.h"
#include "descriptors.h"
#include "made_log.h"
#include "../convert/progress.h"
#include "commands/transfer.h"

/* ---- what is called --------------------------------------------------------------------------------------------------- */

volatile sig_atomic_t run_signal;

static int read_result, read_error, read_signal, write_error, end_result, end_signal, puts_at_end;
static u64 dropped;
static unsigned int descriptors_before;
static bool no_writer, on_terminal;
static struct log_writer_options given;
/* This is only passed on. */
#define WRITER ((struct log_writer *)done)

/* A FIFO may wait for its other side, so that signals are caught before the input is opened. */
void run_catch_signals(void)
{
	note_call("signals");
	assert_int_equal(count_descriptors(), descriptors_before);
}

int isatty(int fd)
{
	return fd == STDOUT_FILENO && on_terminal;
}

void progress_begin(u64 total)
{
	note_call("begin %llu", (unsigned long long)total);
}

void progress_at(u64 bytes)
{
}

void progress_end(void)
{
	note_call("end");
}

struct log_writer *log_writer_new(const struct log_writer_options *options)
{
	note_call("new in %s", options->folder);
	given = *options;
	return no_writer ? NULL : WRITER;
}

void log_writer_free(struct log_writer *writer)
{
	assert_ptr_equal(writer, no_writer ? NULL : WRITER);
	note_call("free");
}

int log_writer_error(const struct log_writer *writer)
{
	return write_error;
}

u64 log_writer_dropped(const struct log_writer *writer)
{
	return dropped;
}

/* Puts entries of 24 bytes. */
int log_writer_end(struct log_writer *writer)
{
	struct made made;
	int i, r = 0;

	note_call("write");
	for (i = 0; i < puts_at_end && !r; i++)
		r = given.put(given.context, made_word(&made, BCOS_ASSIGN_CPU, 0, (u64)i, 10));
	run_signal = end_signal;
	return r ? r : end_result;
}

static int run_import(struct import *import)
{
	note_call("import %s with %u", import->path, import->options->count);
	assert_ptr_equal(import->log, WRITER);
	import->input->error = read_error;
	run_signal = read_signal;
	return read_result;
}

static bool begins_with_x(const char *path, const u8 *bytes, size_t size)
{
	return size && *bytes == 'x';
}

static const struct importer file_format = { .name = "one", .recognizes = begins_with_x, .run = run_import };
static const struct importer folder_format = { .name = "many", .directory = true, .run = run_import };
const struct format formats[] = { { .importer = &file_format }, { .importer = &folder_format } };
const size_t formats_count = 2;

static char folder[] = "/tmp/transfer-in.XXXXXX";

static void make_file(const char *name, const char *text)
{
	int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static int begin_transfer(void **state)
{
	memcpy(folder + sizeof(folder) - 7, "XXXXXX", 6);
	if (!mkdtemp(folder) || chdir(folder) || mkdir("in", 0700))
		return -1;
	make_file("x", "xyz");
	make_file("empty", "");
	read_result = read_error = read_signal = write_error = end_result = end_signal = 0;
	puts_at_end = 2;
	dropped = 0;
	run_signal = 0;
	no_writer = on_terminal = false;
	return 0;
}

static int end_transfer(void **state)
{
	unlink("x");
	unlink("empty");
	unlink("out");
	/* Nothing else was left. */
	return rmdir("in") || chdir("/") || rmdir(folder);
}

/* Converts an input; neither descriptors nor memory stay. */
static int convert_input(const char *path, const struct importer *importer, const char *place)
{
	struct transfer transfer = { .path = path, .output = place, .importer = importer, .options = { .count = 3 } };
	int r;

	done[0] = '\0';
	descriptors_before = count_descriptors();
	r = transfer_in(&transfer);
	assert_int_equal(count_descriptors(), descriptors_before);
	return r;
}

/* Return: the bytes of the output, or -1 if there is none. */
static int size_of_output(void)
{
	struct stat is;

	return stat("out", &is) ? -1 : (int)is.st_size;
}

#define assert_converts(status, complaint, deeds) do { \
		assert_complains(complaint, convert_input("x", &file_format, "out") == (status)); \
		assert_string_equal(done, deeds); \
	} while (0)

#define BEGIN "signals; new in .; begin 3; import x with 3; end; "

/* ---- the ends of a conversion --------------------------------------------------------------------------------------------- */

static void a_whole_input(void **state)
{
	assert_converts(EXIT_OK, "", BEGIN "write; free; ");
	assert_int_equal(size_of_output(), 48);
	/* A damaged one becomes a log as well. */
	read_result = -EBADMSG;
	puts_at_end = 1;
	assert_converts(EXIT_DAMAGE, "", BEGIN "write; free; ");
	assert_int_equal(size_of_output(), 24);
	read_error = EIO;
	puts_at_end = 3;
	assert_converts(EXIT_DAMAGE, "", BEGIN "write; free; ");
	assert_int_equal(size_of_output(), 72);
}

static void what_a_log_cannot_express(void **state)
{
	dropped = 1;
	assert_converts(EXIT_OK, "bcoslog: 1 event of x cannot be expressed by an entry, and is left out\n", BEGIN "write; free; ");
	dropped = 5000000000;
	assert_converts(EXIT_OK, "bcoslog: 5000000000 events of x cannot be expressed by an entry, and are left out\n",
			BEGIN "write; free; ");
}

/* An importer has complained itself, unless the writer of the log has failed. */
static void what_cannot_be_read(void **state)
{
	read_result = -EINVAL;
	assert_converts(EXIT_ENVIRONMENT, "", BEGIN "free; ");
	read_result = 0;
	read_error = EIO;
	assert_converts(EXIT_ENVIRONMENT, "bcoslog: x cannot be read: Input/output error\n", BEGIN "free; ");
	read_result = -ENOMEM;
	read_error = 0;
	write_error = end_result = -ENOMEM;
	assert_converts(EXIT_ENVIRONMENT, "bcoslog: x does not become a log: there is no memory for its names\n",
			BEGIN "write; free; ");
	end_result = -ENOSPC;
	assert_converts(EXIT_ENVIRONMENT, "bcoslog: x does not become a log: No space left on device\n", BEGIN "write; free; ");
	assert_int_equal(size_of_output(), -1);
}

static void a_signal(void **state)
{
	/* The importer ends with any result then. */
	read_signal = 15;
	read_result = -EINTR;
	assert_converts(143, "", BEGIN "free; ");
	read_result = 0;
	assert_converts(143, "", BEGIN "free; ");
	read_signal = 0;
	end_signal = 2;
	end_result = -EINTR;
	assert_converts(130, "", BEGIN "write; free; ");
	end_result = 0;
	assert_converts(130, "", BEGIN "write; free; ");
	assert_int_equal(size_of_output(), -1);
}

/* The buffer has 256 KiB, so that an error is seen while entries are put. */
static void an_output_that_cannot_be_written(void **state)
{
	puts_at_end = 20000;
	assert_complains("bcoslog: /dev/full cannot be written: No space left on device\n",
			 convert_input("x", &file_format, "/dev/full") == EXIT_ENVIRONMENT);
	puts_at_end = 1;
	dropped = 1;
	assert_complains("bcoslog: /dev/full cannot be written: No space left on device\n",
			 convert_input("x", &file_format, "/dev/full") == EXIT_ENVIRONMENT);
	assert_complains("bcoslog: no/out cannot be written: No such file or directory\n",
			 convert_input("x", &file_format, "no/out") == EXIT_ENVIRONMENT);
	assert_string_equal(done, "signals; ");
	no_writer = true;
	assert_complains("bcoslog: no memory\n", convert_input("x", &file_format, "out") == EXIT_ENVIRONMENT);
	assert_string_equal(done, "signals; new in .; free; ");
}

/* ---- inputs ----------------------------------------------------------------------------------------------------------- */

static void kinds_of_inputs(void **state)
{
	assert_complains("", convert_input("in", &folder_format, "out") == EXIT_OK);
	assert_string_equal(done, "signals; new in .; begin 0; import in with 3; end; write; free; ");
	assert_complains("", convert_input("x", &folder_format, "out") == EXIT_OK);
	assert_complains("bcoslog: in is a directory, and one is a file: name the file\n",
			 convert_input("in", &file_format, "out") == EXIT_ENVIRONMENT);
	assert_complains("bcoslog: empty is empty: there is nothing to convert\n",
			 convert_input("empty", &file_format, "out") == EXIT_ENVIRONMENT);
	assert_complains("bcoslog: nothing cannot be opened: No such file or directory\n",
			 convert_input("nothing", &file_format, "out") == EXIT_ENVIRONMENT);
	make_file("x", "y");
	assert_complains("", convert_input("x", &file_format, "out") == EXIT_OK);
	/* The importer gets what cannot be read, and so the error is told. */
	read_error = EIO;
	assert_complains("bcoslog: /proc/self/mem cannot be read: Input/output error\n",
			 convert_input("/proc/self/mem", &file_format, "out") == EXIT_ENVIRONMENT);
}

/* Without a name, the contents tell the format. */
static void formats_by_contents(void **state)
{
	assert_complains("", convert_input("x", NULL, "out") == EXIT_OK);
	assert_string_equal(done, BEGIN "write; free; ");
	make_file("x", "yz");
	assert_complains("bcoslog: the format of the input is unknown: name it with -t or -f\n",
			 convert_input("x", NULL, "out") == EXIT_ENVIRONMENT);
	assert_string_equal(done, "signals; ");
}

static void standard_input(void **state)
{
	int kept = dup(STDIN_FILENO), fd = open("x", O_RDONLY);

	dup2(fd, STDIN_FILENO);
	close(fd);
	dropped = 1;
	assert_complains("bcoslog: 1 event of standard input cannot be expressed by an entry, and is left out\n",
			 convert_input("-", &file_format, "out") == EXIT_OK);
	assert_string_equal(done, "signals; new in .; begin 3; import standard input with 3; end; write; free; ");
	/* It is at its end now. */
	assert_complains("bcoslog: standard input is empty: there is nothing to convert\n",
			 convert_input("-", &file_format, "out") == EXIT_ENVIRONMENT);
	dup2(kept, STDIN_FILENO);
	close(kept);
}

static void a_terminal_shows_no_log(void **state)
{
	on_terminal = true;
	assert_complains("bcoslog: a log is binary, which a terminal cannot show: name a file with -o\n",
			 convert_input("x", &file_format, "-") == EXIT_ENVIRONMENT);
	assert_string_equal(done, "");
	assert_complains("", convert_input("x", &file_format, "out") == EXIT_OK);
}

#define transfer_test(test) cmocka_unit_test_setup_teardown(test, begin_transfer, end_transfer)

int main(void)
{
	const struct CMUnitTest tests[] = {
		transfer_test(a_whole_input),
		transfer_test(what_a_log_cannot_express),
		transfer_test(what_cannot_be_read),
		transfer_test(a_signal),
		transfer_test(an_output_that_cannot_be_written),
		transfer_test(kinds_of_inputs),
		transfer_test(formats_by_contents),
		transfer_test(standard_input),
		transfer_test(a_terminal_shows_no_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
