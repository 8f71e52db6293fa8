/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A conversion, as bcoslog convert was asked for it. */
#ifndef BCOSLOG_TRANSFER_H
#define BCOSLOG_TRANSFER_H

#include "../../convert/convert.h"
#include "command.h"

/**
 * struct transfer - a conversion
 * @to: name of the format to convert to, or NULL
 * @from: name of the format to convert from, or NULL
 * @output: what is written
 * @path: what is read
 * @options: of formats
 * @exporter: the format, or NULL: @importer's
 * @importer: the format; NULL: it is recognized by what is read
 * @run: the pass over a log
 */
struct transfer {
	const char *to, *from, *output, *path;
	struct convert_options options;
	const struct exporter *exporter;
	const struct importer *importer;
	struct run run;
};

/* Sets the format. Returns 0 or, after a complaint, -1. */
int transfer_choose(struct transfer *transfer, const struct arguments *arguments);
/* Returns the format of what is read, or NULL. */
const struct importer *transfer_recognize(const char *path, struct input *input);

/* Convert a log to another format, or something else to a log. Return: the exit status. */
int transfer_out(struct transfer *transfer);
int transfer_in(struct transfer *transfer);

#endif
