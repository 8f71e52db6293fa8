/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The interface of a format of bcoslog convert. Each format is in a folder of its own and has an entry in formats.c.
 *
 * An exporter gets a log entry by entry and writes another format. An importer reads another format and tells a
 * log_writer what happened; the log_writer guarantees the rules of a log, so an importer may tell it in any order.
 */
#ifndef CONVERT_CONVERT_H
#define CONVERT_CONVERT_H

#include "bcoslog.h"
#include "bcoslog_account.h"
#include "core/host/user.h"

#include "caller.h"
#include "input.h"
#include "log/log_writer.h"
#include "output.h"

/**
 * struct convert_option - an option that belongs to a format
 * @name: without the dashes; NULL ends a list
 * @value: a name for its value in messages, or NULL if it has none
 * @help: one line
 */
struct convert_option {
	const char *name;
	const char *value;
	const char *help;
};

/* Options of formats, as the command line gives them: pairs of names and values, "" where there is no value. */
struct convert_options {
	unsigned int count;
	struct {
		const char *name, *text;
	} given[16];
};

/* Returns the value of an option, "" for an option without a value, or NULL if it was not given. */
const char *convert_option(const struct convert_options *options, const char *name);

/**
 * struct export - an export in progress
 * @options: what the command line says about the format's options
 * @output: the place that is written to; a format that is one file writes to @output->file
 * @path: name of the log, for messages
 * @state: names as of before the entry; NULL if the format does not want it
 * @own: for the format
 *
 * The format's functions return 0 or, after a complaint, a negative errno. A failed write needs no complaint: the
 * frame reports it from the error of the output.
 */
struct export {
	const struct convert_options *options;
	struct output_place *output;
	const char *path;
	struct bcoslog_state *state;
	void *own;
};

/* Complains that there is no memory for the names in the log. Returns -ENOMEM. */
int export_no_memory(const struct export *export);

/**
 * struct exporter - a format that logs are converted to
 * @name: as -t takes it
 * @also: another name that -t takes, or NULL
 * @suffix: of file names, with the point, or NULL
 * @help: one line
 * @options: that only this format has, or NULL
 * @directory: it writes a directory of files instead of one file
 * @text: people can read it on a terminal
 * @seekable: it changes what it wrote before, so the output has to be a file
 * @state: it wants the state of the log
 * @begin: called before the first entry
 * @entry: called for each entry; it may keep nothing of it
 * @resumed: the log goes on after damage at a group, and nothing known before has to be true any more; or NULL
 * @end: called at the end of the log, or NULL
 * @free: gives back what @own holds; called in any case after @begin; or NULL
 */
struct exporter {
	const char *name, *also, *suffix, *help;
	const struct convert_option *options;
	bool directory, text, seekable, state;
	int (*begin)(struct export *export);
	int (*entry)(struct export *export, const struct bcos_entry *entry);
	int (*resumed)(struct export *export);
	int (*end)(struct export *export);
	void (*free)(struct export *export);
};

/**
 * struct import - an import in progress
 * @options: what the command line says about the format's options
 * @input: what is read; of a directory only its path is set
 * @path: name of the input, for messages
 * @log: takes what happened
 */
struct import {
	const struct convert_options *options;
	struct input *input;
	const char *path;
	struct log_writer *log;
};

/* How many bytes of the beginning recognizes() gets to see, if there are so many. */
#define CONVERT_MAGIC 4096

/**
 * struct importer - a format that becomes a log
 * @name: as -f takes it
 * @also: another name that -f takes, or NULL
 * @suffix: of file names, with the point, or NULL
 * @help: one line
 * @options: that only this format has, or NULL
 * @directory: it reads directories
 * @recognizes: is this the format? @bytes are the first @size bytes of a file, or NULL for the directory @path
 * @run: reads all. Returns 0; -EBADMSG if the input is damaged, after a complaint, where all that could be read has
 *       been told to the log_writer and becomes a log all the same; or, after a complaint, another negative errno
 */
struct importer {
	const char *name, *also, *suffix, *help;
	const struct convert_option *options;
	bool directory;
	bool (*recognizes)(const char *path, const u8 *bytes, size_t size);
	int (*run)(struct import *import);
};

/**
 * struct format - all that there is of a format
 * @exporter: or NULL
 * @importer: or NULL
 * @missing: name of a format that was left out of this build, or of whose directions one was, else NULL
 * @needs: of one that was left out, what its build needs
 */
struct format {
	const struct exporter *exporter;
	const struct importer *importer;
	const char *missing, *needs;
};

/* The table of all formats. */
extern const struct format formats[];
extern const size_t formats_count;

#endif
