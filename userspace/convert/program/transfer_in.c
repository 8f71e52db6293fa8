// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog convert -f: converts an input of another format to a log. */
#include <stdlib.h>
#include <unistd.h>

#include "host/temporary.h"
#include "../progress.h"
#include "command.h"
#include "log/open.h"
#include "log/run.h"
#include "complain/complain.h"
#include "transfer.h"

static int put_entry(void *context, const struct bcos_entry *entry)
{
	struct outfile *file = context;

	outfile_bytes(file, entry, entry->size);
	return -file->error;
}

/*
 * Complains of everything that was left out and, unless there was a complaint of damage, of an input that has nothing to
 * offer.  Return: is there a log?
 */
static bool say_left_out(struct import *import, bool damaged)
{
	left_out_add(&import->left, "process 4294967295, or an end of process 0,", "no entry can state that",
		     log_writer_dropped(import->log));
	left_out_complain(&import->left, import->path);
	if (log_writer_facts(import->log))
		return true;
	if (!damaged)
		complain("%s has nothing that becomes an entry of a log", import->path);
	return false;
}

/* Converts the whole input.  Return: the exit status. */
static int convert_input(struct transfer *transfer, struct input *input, struct output_place *place,
			 struct log_writer *writer)
{
	const char *path = strcmp(transfer->path, "-") ? transfer->path : "standard input";
	struct import import = { .options = &transfer->options, .input = input, .path = path, .log = writer };
	int r, ended;

	progress_begin(input->size);
	r = transfer->importer->run(&import);
	r = !r && import.damaged ? -EBADMSG : r;
	progress_end();
	/* A signal also ends the reading of a pipe, so the importer's result does not count then. */
	if (run_signal)
		return 128 + run_signal;
	if (guard_error(input->guard)) {
		guard_complain(input->guard, path);
		return EXIT_ENVIRONMENT;
	}
	if (input->error && !r) {
		complain("%s cannot be read: %s", path, strerror(input->error));
		return EXIT_ENVIRONMENT;
	}
	if (r && r != -EBADMSG && !log_writer_error(writer))
		return EXIT_ENVIRONMENT;
	if (!log_writer_error(writer) && !say_left_out(&import, r))
		return EXIT_ENVIRONMENT;
	ended = log_writer_end(writer);
	if (run_signal)
		return 128 + run_signal;
	if (guard_error(input->guard)) {
		guard_complain(input->guard, path);
		return EXIT_ENVIRONMENT;
	}
	if (ended && !place->file.error) {
		complain("%s does not become a log: %s", path, ended == -ENOMEM ? "there is no memory for its names" :
			 strerror(-ended));
		return EXIT_ENVIRONMENT;
	}
	if (output_complete(place))
		return EXIT_ENVIRONMENT;
	return r ? EXIT_DAMAGE : EXIT_OK;
}

static int open_transfer(struct transfer *transfer, struct input *input)
{
	struct output_place place;
	struct log_writer_options options = { .put = put_entry, .context = &place.file, .guard = input->guard };
	struct log_writer *writer;
	int status = EXIT_ENVIRONMENT;
	char *folder;

	if (output_begin(&place, transfer->output, false))
		return status;
	folder = temporary_beside(transfer->output);
	options.folder = folder;
	writer = folder ? log_writer_new(&options) : NULL;
	if (writer)
		status = convert_input(transfer, input, &place, writer);
	else
		complain("no memory");
	log_writer_free(writer);
	output_abandon(&place);
	free(folder);
	return status;
}

static bool can_be_read(const struct transfer *transfer, struct input *input)
{
	const char *path = strcmp(transfer->path, "-") ? transfer->path : "standard input";
	const u8 *bytes;

	if (input->directory && !transfer->importer->directory) {
		complain("%s is a directory, and %s is a file: name the file", path, transfer->importer->name);
		return false;
	}
	if (!input->directory && !input_peek(input, &bytes, 1) && !input->error) {
		complain("%s is empty: there is nothing to convert", path);
		return false;
	}
	return true;
}

int transfer_in(struct transfer *transfer)
{
	struct guard guard;
	struct input input;
	int status = EXIT_ENVIRONMENT, r;

	if (!strcmp(transfer->output, "-") && isatty(STDOUT_FILENO)) {
		complain("a log is binary, which a terminal cannot show: name a file with -o");
		return status;
	}
	run_catch_signals();
	r = input_open(&input, transfer->path);
	if (r) {
		complain("%s cannot be opened: %s", transfer->path, strerror(-r));
		return status;
	}
	guard_begin(&guard, transfer->path);
	input.guard = &guard;
	if (!transfer->importer)
		transfer->importer = transfer_recognize(transfer->path, &input);
	if (!transfer->importer)
		complain("the format of the input is unknown: name it with -t or -f");
	else if (can_be_read(transfer, &input))
		status = open_transfer(transfer, &input);
	input_close(&input);
	return status;
}
