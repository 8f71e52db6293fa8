/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The interface of a format of bcoslog convert. Each format is in a folder of its own and has an entry in formats.c.
 *
 * An exporter gets a log entry by entry and writes another format. An importer reads another format and tells a
 * log_writer what happened. It may tell events in any order, since the log_writer guarantees the rules of a log.
 */
#ifndef CONVERT_CONVERT_H
#define CONVERT_CONVERT_H

#include "bcoslog.h"
#include "bcoslog_account.h"
#include "core/host/user.h"

#include "caller.h"
#include "input.h"
#include "intake/left_out.h"
#include "log/log_writer.h"
#include "output.h"

/**
 * struct convert_option - an option that belongs to a format
 * @name: the option's name without the dashes; NULL ends a list
 * @value: the word by which messages call the option's value, or NULL if the option has no value
 * @help: one line for the help
 */
struct convert_option {
	const char *name;
	const char *value;
	const char *help;
};

/*
 * The options of formats that stand on the command line, as pairs of name and value; the value is "" for an option
 * without one.
 */
struct convert_options {
	unsigned int count;
	struct {
		const char *name, *text;
	} given[16];
};

/* The options of a format that can carry the log itself (carried/carried.h). */
#define CONVERT_CARRY_OPTIONS \
	{ "embed", NULL, "put the log itself into the output, however large it is" }, \
	{ "no-embed", NULL, "do not put it in, as is done if it adds less than a fifth" }

/* Returns the value of an option, "" for an option without a value, or NULL if it was not given. */
const char *convert_option(const struct convert_options *options, const char *name);

/**
 * struct export - an export in progress
 * @options: the options of the format on the command line
 * @output: the place that the exporter writes to; a format that is one file writes to @output->file
 * @carrier: the log that the export carries; NULL: it carries none
 * @path: the log's name, for messages
 * @state: the state of the log before the current entry; NULL if the exporter does not set exporter.state
 * @own: data of the format
 *
 * The functions of an exporter return 0 or, after a complaint, a negative errno. A failed write needs no complaint: the
 * caller of the exporter reports it from the error of the output.
 */
struct export {
	const struct convert_options *options;
	struct output_place *output;
	struct carrier *carrier;
	const char *path;
	struct bcoslog_state *state;
	void *own;
};

/* Complains that there is no memory for the names in the log. Returns -ENOMEM. */
int export_no_memory(const struct export *export);

/**
 * struct exporter - a format that logs are converted to
 * @name: the name that -t takes
 * @also: another name that -t takes, or NULL
 * @suffix: the endings of file names, each with its dot, separated by spaces; or NULL
 * @help: one line for the help
 * @options: options that only this format has, or NULL
 * @directory: the exporter writes a directory of files instead of one file
 * @text: people can read the format on a terminal
 * @seekable: the exporter changes bytes that it wrote before, so the output has to be a file
 * @state: the exporter uses export.state
 * @carries: the format can carry the log itself: @options has CONVERT_CARRY_OPTIONS, and @end writes export.carrier
 * @begin: called before the first entry
 * @entry: called for each entry; the entry is valid only during the call
 * @resumed: called where the log goes on with a group after damage, so that nothing known before has to be true any
 *   more; or NULL
 * @end: called at the end of the log, or NULL
 * @free: releases what @own holds; called in any case, even if @begin failed or was never called; or NULL
 */
struct exporter {
	const char *name, *also, *suffix, *help;
	const struct convert_option *options;
	bool directory, text, seekable, state, carries;
	int (*begin)(struct export *export);
	int (*entry)(struct export *export, const struct bcos_entry *entry);
	int (*resumed)(struct export *export);
	int (*end)(struct export *export);
	void (*free)(struct export *export);
};

/**
 * struct import - an import in progress
 * @options: the options of the format on the command line
 * @input: the input; if it is a directory, only its path is set
 * @path: the input's name, for messages
 * @log: the log_writer, which the importer tells what happened
 * @left: what the importer leaves out; the caller complains of it after the import
 * @damaged: the input is damaged, after a complaint, apart from what @run returns
 */
struct import {
	const struct convert_options *options;
	struct input *input;
	const char *path;
	struct log_writer *log;
	struct left_out left;
	bool damaged;
};

/* The importer's recognizes() gets this many bytes of the beginning of a file, or all of a shorter one. */
#define CONVERT_MAGIC 4096

/**
 * struct importer - a format that becomes a log
 * @name: the name that -f takes
 * @also: another name that -f takes, or NULL
 * @suffix: the ending of file names, with its dot, or NULL
 * @help: one line for the help
 * @options: options that only this format has, or NULL
 * @directory: the importer reads directories
 * @recognizes: says whether the input is of this format; @bytes are the first @size bytes of a file, or NULL for the
 *   directory @path
 * @run: reads the whole input. Returns 0; or, after a complaint, -EBADMSG if the input is damaged, where the importer
 *   has told the log_writer all that it could read, which becomes a log nevertheless; or, after a complaint, another
 *   negative errno
 */
struct importer {
	const char *name, *also, *suffix, *help;
	const struct convert_option *options;
	bool directory;
	bool (*recognizes)(const char *path, const u8 *bytes, size_t size);
	int (*run)(struct import *import);
};

/**
 * struct format - a format, with its exporter, its importer or both
 * @exporter: the exporter, or NULL
 * @importer: the importer, or NULL
 * @missing: the name of a format if this build lacks its exporter or its importer, else NULL
 */
struct format {
	const struct exporter *exporter;
	const struct importer *importer;
	const char *missing;
};

/* What the build needs for the formats that are missing: it has all of these libraries, or uses none of them. */
#define CONVERT_NEEDS "libarchive, libbabeltrace2 and libtraceevent (scripts/deps build brings them)"

/* The table of all formats. */
extern const struct format formats[];
extern const size_t formats_count;

#endif
