/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The harness of an importer's fuzzer: the importer gets any bytes as its input, and what it tells must become a log
 * that passes the check. A fuzzer is a file NAME_fuzz.c that names its importer and includes this file:
 *
 *	#define IMPORTER fxt_importer
 *	#include "import_fuzz.h"
 *
 * IMPORT_OPTION is the name of an option with a number, which the first byte of the input then is. IMPORT_FOLDER is a
 * function for a format that is a folder: it makes a folder of the bytes, and returns its path.
 */
#include <stdlib.h>

#include "../../../userspace/convert/convert.h"
#include "../../../userspace/convert/log/sorter.h"
#include "check/check.h"
#include "core/format/entry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct fuzzed {
	struct bcoslog_check *check;
	struct log_writer *writer;
	u64 offset;
};

static void judge_violation(void *context, const struct bcoslog_violation *violation)
{
	const struct fuzzed *fuzzed = context;

	/* A trace may embed a whole log, which may break any rule. */
	if (violation->legal || log_writer_is_verbatim(fuzzed->writer))
		return;
	fprintf(stderr, "the log violates a rule at byte %llu: %s: %s\n", (unsigned long long)violation->offset,
		violation->word, violation->reason);
	abort();
}

static int put_entry(void *context, const struct bcos_entry *entry)
{
	struct fuzzed *fuzzed = context;

	if (bcos_entry_check(entry, entry->size) != BCOS_WELL_FORMED)
		abort();
	if (bcoslog_check_entry(fuzzed->check, fuzzed->offset, entry))
		abort();
	fuzzed->offset += entry->size;
	return 0;
}

#ifdef IMPORTER
extern const struct importer IMPORTER;
#ifdef IMPORT_FOLDER
static const char *IMPORT_FOLDER(const u8 *bytes, size_t size);
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzzed fuzzed = { 0 };
	struct log_writer_options options = { .put = put_entry, .context = &fuzzed, .memory = SORTER_MEMORY_MIN };
	struct convert_options given = { 0 };
	struct input input;
	struct import import = { .options = &given, .input = &input, .path = "input" };
	u8 *copy = malloc(size ? size : 1);

#ifdef IMPORT_OPTION
	/* The first byte is the value of the option. */
	char value[8];

	snprintf(value, sizeof(value), "%u", size ? data[0] : 0);
	given.given[0].name = IMPORT_OPTION;
	given.given[0].text = value;
	given.count = 1;
	data += size > 0;
	size -= size > 0;
#endif
	/* The copy ends where its allocation does, so that the sanitizer notices a read beyond it. */
	memcpy(copy, data, size);
#ifdef IMPORT_FOLDER
	input = (struct input){ .fd = -1, .path = IMPORT_FOLDER(copy, size), .directory = true };
#else
	input_memory(&input, copy, size);
#endif
	fuzzed.check = bcoslog_check_new(judge_violation, &fuzzed);
	fuzzed.writer = import.log = log_writer_new(&options);
	if (!fuzzed.check || !import.log)
		abort();
	IMPORTER.recognizes(input.path, input.directory ? NULL : copy, size < CONVERT_MAGIC ? size : CONVERT_MAGIC);
	IMPORTER.run(&import);
	log_writer_end(import.log);
	bcoslog_check_end(fuzzed.check);
	log_writer_free(import.log);
	bcoslog_check_free(fuzzed.check);
	input_close(&input);
	free(copy);
	return 0;
}
#endif
