/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Stand-ins for the log, its filter and a format, which note what transfer_out() calls. */
#ifndef BCOS_TESTS_TOOL_MADE_TRANSFER_H
#define BCOS_TESTS_TOOL_MADE_TRANSFER_H

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>

#include "command.h"
#include "log/notes.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
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
bool run_finishing, run_whole_batches;

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
	filtered = no_keep = no_state = on_terminal = run_finishing = false;
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

#endif
