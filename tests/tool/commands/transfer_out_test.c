// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The conversion of a log, with an exporter and a log that are made up here: its stages, its order and its ends. */
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>

#include "said.h"
#include "descriptors.h"
#include "made_log.h"
#include "../convert/progress.h"
#include "commands/transfer.h"
#include "log/keep.h"
#include "options/filter.h"
#include "output/times.h"

/* ---- the log and what its entries go through -------------------------------------------------------------------------- */

/* These are only passed on. */
#define LOG ((struct bcoslog *)done)
#define KEEP ((struct keep *)(done + 1))
#define STATE ((struct bcoslog_state *)(done + 2))

volatile sig_atomic_t run_signal;
bool run_finishing, run_whole_batches, wall_needed;

static enum bcoslog_kind kind;
static int fd, log_status, log_signal, begin_result, entry_result, end_result, end_signal, keep_result, apply_result;
static int finishing_at_end;
static bool filtered, no_keep, no_state, on_terminal;
static u32 entry_bytes, entries;
static int (*kept)(void *context, const struct bcos_entry *entry);
static void *kept_context;
static char signals_ignored[8];

bool filter_active(void)
{
	return filtered;
}

struct keep *keep_new(int (*put)(void *context, const struct bcos_entry *entry), void *context)
{
	note_call("keep");
	kept = put;
	kept_context = context;
	return no_keep ? NULL : KEEP;
}

void keep_free(struct keep *keep)
{
	assert_ptr_equal(keep, KEEP);
	note_call("keep freed");
}

/* Keeps the entries with an odd time. */
int keep_entry(struct keep *keep, const struct bcos_entry *entry)
{
	return keep_result ? keep_result : entry->time & 1 ? kept(kept_context, entry) : 0;
}

void wall_learn(const struct bcos_entry *entry)
{
	note_call("wall %llu", (unsigned long long)entry->time);
}

void note_entry(const struct bcos_entry *entry)
{
	note_call("note %llu", (unsigned long long)entry->time);
}

struct bcoslog_state *bcoslog_state_new(void)
{
	note_call("state");
	return no_state ? NULL : STATE;
}

int bcoslog_state_apply(struct bcoslog_state *state, const struct bcos_entry *entry)
{
	assert_ptr_equal(state, STATE);
	note_call("apply");
	return apply_result;
}

void bcoslog_state_forget(struct bcoslog_state *state)
{
	assert_ptr_equal(state, STATE);
	note_call("forget");
}

void bcoslog_state_free(struct bcoslog_state *state)
{
	if (state)
		note_call("state freed");
}

enum bcoslog_kind bcoslog_kind(const struct bcoslog *log)
{
	assert_ptr_equal(log, LOG);
	return kind;
}

int bcoslog_fd(const struct bcoslog *log)
{
	return fd;
}

int isatty(int of)
{
	return of == STDOUT_FILENO && on_terminal;
}

void progress_begin(u64 total)
{
	note_call("begin %llu", (unsigned long long)total);
}

void progress_at(u64 bytes)
{
	note_call("at %llu", (unsigned long long)bytes);
}

void progress_end(void)
{
	note_call("end");
}

int run_open(struct run *run, unsigned int flags)
{
	note_call("open %s%s", run->path, flags ? "?" : "");
	run->log = LOG;
	return strcmp(run->path, "missing") ? 0 : -1;
}

/* Return: as the tool does, EXIT_ENVIRONMENT if the entries could not be taken. */
int run_log(struct run *run)
{
	static char log[128];
	struct bcoslog_batch batch = { .offset = 55 };
	struct made made;
	const struct bcos_entry *entry;
	u32 used = 0, i;

	for (i = 1; i <= entries; i++) {
		entry = i == 2 ? made_event(&made, BCOS_GENERIC_CPU, 0, i, 1, 2, "x") :
				 made_word(&made, BCOS_ASSIGN_CPU, 0, i, 10);
		memcpy(log + used, entry, entry->size);
		used += entry->size;
	}
	batch.first = (const struct bcos_entry *)log;
	batch.end = (const struct bcos_entry *)(log + used);
	if (run->entries(run, &batch))
		return EXIT_ENVIRONMENT;
	run->resumed(run);
	run_signal = log_signal;
	return log_status;
}

int run_close(struct run *run, int status)
{
	static const int numbers[] = { SIGINT, SIGTERM };
	struct sigaction action;
	int i;

	for (i = 0; i < 2; i++) {
		sigaction(numbers[i], NULL, &action);
		signals_ignored[i] = action.sa_handler == SIG_IGN ? 'i' : '-';
		signal(numbers[i], SIG_DFL);
	}
	note_call("close");
	return status;
}

/* ---- the format ----------------------------------------------------------------------------------------------------------- */

static int begin_export(struct export *export)
{
	note_call("first %s with %u", export->path, export->options->count);
	return begin_result;
}

static int export_entry(struct export *export, const struct bcos_entry *entry)
{
	u32 i;

	note_call("entry %llu", (unsigned long long)entry->time);
	for (i = 0; i < entry_bytes; i++)
		outfile_bytes(&export->output->file, "x", 1);
	return entry_result;
}

static int resume_export(struct export *export)
{
	note_call("resumed");
	return 0;
}

static int end_export(struct export *export)
{
	note_call("last");
	if (end_signal)
		run_signal = end_signal;
	run_finishing = finishing_at_end;
	return end_result;
}

static void free_export(struct export *export)
{
	note_call("freed");
}

static struct exporter exporter;
static struct transfer transfer;

static bool is_interrupted(void)
{
	return run_signal && !run_finishing;
}

static char folder[] = "/tmp/transfer-out.XXXXXX";

static int begin_transfer(void **state)
{
	memcpy(folder + sizeof(folder) - 7, "XXXXXX", 6);
	if (!mkdtemp(folder) || chdir(folder))
		return -1;
	exporter = (struct exporter){
		.name = "made", .begin = begin_export, .entry = export_entry, .resumed = resume_export, .end = end_export,
		.free = free_export,
	};
	transfer = (struct transfer){
		.output = "out", .path = "log", .options = { .count = 3 }, .exporter = &exporter, .run = { .path = "log" },
	};
	kind = BCOSLOG_STREAM;
	fd = -1;
	log_status = log_signal = begin_result = entry_result = end_result = end_signal = keep_result = apply_result = 0;
	finishing_at_end = 0;
	filtered = no_keep = no_state = on_terminal = wall_needed = run_finishing = false;
	entry_bytes = 10;
	entries = 1;
	run_signal = 0;
	convert_interrupted = is_interrupted;
	return 0;
}

static int end_transfer(void **state)
{
	unlink("out");
	/* Nothing else was left. */
	return chdir("/") || rmdir(folder);
}

static int run_export(void)
{
	unsigned int before = count_descriptors();
	int r;

	unlink("out");
	done[0] = '\0';
	run_signal = 0;
	run_finishing = false;
	r = transfer_out(&transfer);
	assert_int_equal(count_descriptors(), before);
	return r;
}

static int size_of_output(void)
{
	struct stat is;

	return stat("out", &is) ? -1 : (int)is.st_size;
}

/* @size is that of the output, or -1 if there is none. */
#define assert_exports(status, size, complaint, deeds) do { \
		assert_complains(complaint, run_export() == (status)); \
		assert_string_equal(done, deeds); \
		assert_int_equal(size_of_output(), size); \
	} while (0)

#define BEGIN "open log; first log with 3; begin 0; at 55; "
#define ENTRY BEGIN "entry 1; resumed; end; "
#define END "freed; close; "

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
	wall_needed = true;
	assert_exports(EXIT_OK, 10, "", "open log; keep; first log with 3; begin 0; at 55; wall 1; entry 1; resumed; end; "
		       "last; freed; keep freed; close; ");
	wall_needed = false;
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
