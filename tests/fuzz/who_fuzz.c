// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Gives any bytes to the parsers of texts of the class who, and to the formatters of what the kernel tells of a program and of
 * a control group: the parts that the parsers find lie within the bytes, and the core writes only texts that they understand.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "entry/who.h"
#include "core/format/entry.h"
#include "core/format/who_text.h"
#include "demand.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect_named(const char *name, size_t length, const char *text, size_t size)
{
	demand_that(name ? length && name > text && name + length < text + size : !length);
}

static void read_text(const char *text, size_t size)
{
	static struct bcoslog_exec exec;
	struct bcoslog_killed killed;
	struct bcoslog_parent parent;
	struct bcos_in_cgroup told;
	char *room = malloc(size + 1);
	unsigned int i;

	demand_that(room);
	if (bcos_cgroup_parse(&told, room, text, size))
		demand_that(told.path == room && strlen(told.path) < size);
	free(room);
	if (!bcoslog_killed(&killed, text, size))
		expect_named(killed.name, killed.name_length, text, size);
	if (!bcoslog_parent(&parent, text, size))
		expect_named(parent.name, parent.name_length, text, size);
	if (bcoslog_exec(&exec, text, size))
		return;
	demand_that(exec.count <= BCOSLOG_ARGUMENTS_MAX && (exec.told || !exec.count));
	for (i = 0; i < exec.count; i++)
		demand_that(exec.argument[i] + strlen(exec.argument[i]) < exec.bytes + sizeof(exec.bytes));
}

/* A path of any bytes. What is written tells the same path, unless that is no UTF-8. */
static void write_group(const char *path, size_t length, u8 options)
{
	u16 flags = (u16)((options & 1 ? BCOS_RAW_CGROUP_CUT : 0) | (options & 2 ? BCOS_RAW_CGROUP_CPU : 0));
	char text[BCOS_CGROUP_TEXT], room[BCOS_CGROUP_TEXT];
	struct bcos_in_cgroup told;
	size_t used = bcos_cgroup_format(text, path, length, flags, options & 4);

	length = strnlen(path, length < BCOS_RAW_PATH_MAX ? length : BCOS_RAW_PATH_MAX);
	demand_that(used <= sizeof(text) && bcos_utf8_valid(text, used) && bcos_cgroup_parse(&told, room, text, used));
	demand_that(told.cut == (options & 1) && told.cpu == !!(options & 2) && told.read == !!(options & 4));
	demand_that(!bcos_utf8_valid(path, length) || (strlen(told.path) == length && !memcmp(told.path, path, length)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct bcoslog_exec exec;
	struct bcos_raw_program program = { 0 };
	char *text = malloc(BCOS_RAW_TEXT), *copy;
	size_t used;

	copy = malloc(size + 1);
	demand_that(text && copy);
	memcpy(copy, data, size);
	read_text(copy, size);
	if (size > 8) {
		memcpy(&program.length, data, 6);
		used = bcos_exec_format(text, &program, data[6], (const char *)data + 8, size - 8);
		demand_that(used <= BCOS_RAW_TEXT && bcos_utf8_valid(text, used) && !bcoslog_exec(&exec, text, used));
		write_group((const char *)data + 8, size - 8, data[7]);
	}
	free(copy);
	free(text);
	return 0;
}
