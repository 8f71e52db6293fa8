// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Gives any bytes to the parsers of texts of the class who, and to the formatter of what the kernel tells of a program:
 * the parts that the parsers find lie within the bytes, and the core writes only texts that they understand.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "bcoslog_who.h"
#include "core/format/entry.h"
#include "core/format/who_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect_that(bool is_so)
{
	if (!is_so)
		abort();
}

static void expect_named(const char *name, size_t length, const char *text, size_t size)
{
	expect_that(name ? length && name > text && name + length < text + size : !length);
}

static void read_text(const char *text, size_t size)
{
	static struct bcoslog_exec exec;
	struct bcoslog_killed killed;
	struct bcoslog_parent parent;
	unsigned int i;

	if (!bcoslog_killed(&killed, text, size))
		expect_named(killed.name, killed.name_length, text, size);
	if (!bcoslog_parent(&parent, text, size))
		expect_named(parent.name, parent.name_length, text, size);
	if (bcoslog_exec(&exec, text, size))
		return;
	expect_that(exec.count <= BCOSLOG_ARGUMENTS_MAX && (exec.told || !exec.count));
	for (i = 0; i < exec.count; i++)
		expect_that(exec.argument[i] + strlen(exec.argument[i]) < exec.bytes + sizeof(exec.bytes));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct bcoslog_exec exec;
	struct bcos_raw_program program = { 0 };
	char *text = malloc(BCOS_RAW_TEXT), *copy;
	size_t used;

	copy = malloc(size + 1);
	expect_that(text && copy);
	memcpy(copy, data, size);
	read_text(copy, size);
	if (size > 8) {
		memcpy(&program.length, data, 6);
		used = bcos_exec_format(text, &program, data[6], (const char *)data + 8, size - 8);
		expect_that(used <= BCOS_RAW_TEXT && bcos_utf8_valid(text, used) && !bcoslog_exec(&exec, text, used));
	}
	free(copy);
	free(text);
	return 0;
}
