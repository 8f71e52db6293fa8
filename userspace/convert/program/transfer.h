/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The conversion that the arguments of bcoslog convert ask for. */
#ifndef BCOSLOG_TRANSFER_H
#define BCOSLOG_TRANSFER_H

#include "../convert.h"
#include "log/run.h"
#include "options/options.h"
#include "output/output.h"

/**
 * struct transfer - a conversion
 * @to: name of the format to convert to, or NULL
 * @from: name of the format to convert from, or NULL
 * @output: path of the output, or "-"
 * @path: path of the input, or "-"
 * @options: options of formats that were given
 * @exporter: the format to convert to, or NULL if the input becomes a log
 * @importer: the format of the input; NULL if @exporter is set, or while only the contents of the input can tell it
 * @run: the pass over the log, for @exporter
 */
struct transfer {
	const char *to, *from, *output, *path;
	struct convert_options options;
	const struct exporter *exporter;
	const struct importer *importer;
	struct run run;
};

/* Sets @transfer's exporter or importer.  Return: 0, or -1 after a complaint. */
int transfer_choose(struct transfer *transfer, const struct arguments *arguments);
/* Recognizes the format of the input by @path and its first bytes.  Return: the importer, or NULL. */
const struct importer *transfer_recognize(const char *path, struct input *input);

/* Convert a log to another format (out), or an input of another format to a log (in).  Return: the exit status. */
int transfer_out(struct transfer *transfer);
int transfer_in(struct transfer *transfer);

#endif
