// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds the format of a conversion by its name, or by the names of files and the contents of the input. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options/options.h"
#include "options/recorder_options.h"
#include "complain/complain.h"
#include "transfer.h"

static const struct exporter *find_exporter(const char *name)
{
	const struct format *format;

	for (format = formats; format < formats + formats_count; format++)
		if (format->exporter && (!strcmp(format->exporter->name, name) ||
					 (format->exporter->also && !strcmp(format->exporter->also, name))))
			return format->exporter;
	return NULL;
}

static const struct importer *find_importer(const char *name)
{
	const struct format *format;

	for (format = formats; format < formats + formats_count; format++)
		if (format->importer && (!strcmp(format->importer->name, name) ||
					 (format->importer->also && !strcmp(format->importer->also, name))))
			return format->importer;
	return NULL;
}

/* Complains that there is no such format in this direction, and says why. */
static void refuse_format(const char *name, const char *direction, bool other_direction)
{
	const struct format *format;

	for (format = formats; format < formats + formats_count; format++) {
		if (!format->missing || strcmp(format->missing, name))
			continue;
		complain("%s is left out of this program: its build needs " CONVERT_NEEDS, name);
		return;
	}
	if (other_direction)
		complain("%s is a format for the other direction alone: see bcoslog convert --help", name);
	else
		complain("there is no format \"%s\" to convert %s: see bcoslog convert --help", name, direction);
}

/* @suffixes: endings, separated by spaces; or NULL */
static bool ends_with(const char *name, const char *suffixes)
{
	size_t length = strlen(name), size;

	for (; suffixes && *suffixes; suffixes += size + (suffixes[size] == ' ')) {
		size = strcspn(suffixes, " ");
		if (size < length && !memcmp(name + length - size, suffixes, size))
			return true;
	}
	return false;
}

static const struct exporter *exporter_of_name(const char *name)
{
	const struct format *format;

	for (format = formats; format < formats + formats_count; format++)
		if (format->exporter && ends_with(name, format->exporter->suffix))
			return format->exporter;
	return NULL;
}

const struct importer *transfer_recognize(const char *path, struct input *input)
{
	const struct format *format;
	const u8 *bytes = NULL;
	size_t size = input->directory ? 0 : input_peek(input, &bytes, CONVERT_MAGIC);

	if (input->directory)
		bytes = NULL;
	for (format = formats; format < formats + formats_count; format++)
		if (format->importer && format->importer->recognizes && format->importer->recognizes(path, bytes, size))
			return format->importer;
	return NULL;
}

/*
 * Recognizes the format of a file or directory. Standard input is not looked at, since the bytes that are read of it
 * would be lost.  Return: the importer, or NULL.
 */
static const struct importer *importer_of_file(const char *path)
{
	const struct importer *importer = NULL;
	struct input input;
	struct stat stat_of;

	if (!strcmp(path, "-") || stat(path, &stat_of) || !(S_ISREG(stat_of.st_mode) || S_ISDIR(stat_of.st_mode)))
		return NULL;
	if (!input_open(&input, path)) {
		importer = transfer_recognize(path, &input);
		input_close(&input);
	}
	return importer;
}

/* Complains that neither the names nor the contents tell the format. */
static void refuse_names(const struct transfer *transfer, const struct arguments *arguments)
{
	const struct exporter *written = arguments->program ? NULL : exporter_of_name(arguments->path);
	struct stat stat_of;

	if (!arguments->program && !stat(arguments->path, &stat_of) && S_ISREG(stat_of.st_mode) && !stat_of.st_size)
		complain("%s is empty: there is nothing to convert", arguments->path);
	else if (written && !find_importer(written->name))
		complain("%s has the name of a file of %s, which is a format that bcoslog writes, and does not read", arguments->path,
			 written->name);
	else
		complain("neither the name %s nor the contents of %s tell the format: name it with -t or -f",
			 strcmp(transfer->output, "-") ? transfer->output : "of the output", arguments->path);
}

int transfer_choose(struct transfer *transfer, const struct arguments *arguments)
{
	if (transfer->to && transfer->from) {
		complain("-t and -f exclude each other: convert to a log first, and that to the other format");
		return -1;
	}
	if (transfer->to) {
		transfer->exporter = find_exporter(transfer->to);
		if (!transfer->exporter)
			refuse_format(transfer->to, "to", find_importer(transfer->to));
		return transfer->exporter ? 0 : -1;
	}
	if (transfer->from) {
		transfer->importer = find_importer(transfer->from);
		if (!transfer->importer)
			refuse_format(transfer->from, "from", find_exporter(transfer->from));
		return transfer->importer ? 0 : -1;
	}
	if (!arguments->program)
		transfer->importer = importer_of_file(arguments->path);
	if (!transfer->importer)
		transfer->exporter = exporter_of_name(transfer->output);
	/* transfer_in() recognizes the format of standard input, once it has opened it. */
	if (transfer->importer || transfer->exporter || (!arguments->program && !strcmp(arguments->path, "-")))
		return 0;
	if (!arguments->program && arguments->path != default_log && access(arguments->path, F_OK))
		complain("%s cannot be opened: %s", arguments->path, strerror(errno));
	else
		refuse_names(transfer, arguments);
	return -1;
}
