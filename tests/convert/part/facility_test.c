// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests descriptions of LTT events: files, and the tree that they describe, as a person would draw it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../userspace/convert/ltt/read/read.h"

static const struct ltt_sizes lp64 = { 4, 8 };
static struct ltt_facilities facilities;
static char tree[8192];

static int describe_file(const char *file)
{
	size_t size = strlen(file);
	char *bytes = malloc(size);
	int r;

	memcpy(bytes, file, size);
	r = ltt_facilities_read(&facilities, bytes, size);
	free(bytes);
	return r;
}

/* Writes a node as KIND:NAME.SIZE(CHILD CHILD ...). After a reference, > and the name of its type's node follow. */
static void draw_node(u32 number)
{
	static const char *const kinds[] = {
		"facility", "event", "type", "field", "int", "uint", "float", "string", "enum", "array", "sequence",
		"struct", "union", "typeref",
	};
	u32 children = 0, child;

	for (; number; number = ltt_node(&facilities, number)->next) {
		const struct ltt_node *node = ltt_node(&facilities, number);

		sprintf(tree + strlen(tree), "%s", kinds[node->kind]);
		if (node->name)
			sprintf(tree + strlen(tree), ":%s", ltt_name(&facilities, node));
		if (node->size && node->kind != LTT_KIND_FACILITY)
			sprintf(tree + strlen(tree), ".%u", node->size);
		if (node->target)
			sprintf(tree + strlen(tree), ">%s", ltt_name(&facilities, ltt_node(&facilities, node->target)));
		for (children = 0, child = node->child; child; child = ltt_node(&facilities, child)->next)
			children++;
		assert_int_equal(node->count, children);
		if (children) {
			strcat(tree, "(");
			draw_node(node->child);
			strcat(tree, ")");
		}
		if (node->next)
			strcat(tree, " ");
	}
}

static void is_tree(struct ltt_sizes sizes, const char *file, const char *expected)
{
	memset(&facilities, 0xFF, sizeof(facilities));
	assert_int_equal(ltt_facilities_init(&facilities, sizes), 0);
	assert_int_equal(describe_file(file), 0);
	*tree = 0;
	draw_node(facilities.first);
	assert_string_equal(tree, expected);
	ltt_facilities_free(&facilities);
	assert_null(facilities.nodes);
}

static void trees_of_files(void **state)
{
	(void)state;
	is_tree(lp64, "", "");
	is_tree(lp64, "<event name=lost/>", "");
	is_tree(lp64, "<facility name=a><event name=b><field name=c><string/></field></event><event name=d></event></facility>",
		"facility:a(event:b(field:c(string)) event:d)");
	/*
	 * An element that says nothing about the layout stands for its content. A facility within another one is
	 * ignored.
	 */
	is_tree(lp64, "<x><facility name=a><y><event name=b><z/></event></y><facility name=no></facility><event name=c></facility></x>"
		"<facility name=d>", "facility:a(event:b event:c) facility:d");
	is_tree(lp64, "<facility name=a><type name=t><union><field><array size=3><uint/></array></field></union></type>"
		"<event name=e><typeref name=t></event></facility>",
		"facility:a(type:t(union.4(field(array.3(uint.4)))) event:e(typeref:t>t))");
	/* The first piece of text is the labels. */
	is_tree(lp64, "<facility name=a>text<event><enum size=1>one two<x/>three</enum></event></facility>",
		"facility:a(event(enum:one two.1))");
}

static void references_mean_types(void **state)
{
	(void)state;
	/* A reference means a type of its own facility, the last one of that name, which may come later in the file. */
	is_tree(lp64, "<facility name=a><event name=e><typeref name=t></event><event name=t/><type name=t><int/></type></facility>"
		"<facility name=b><event name=e><struct><typeref name=t></struct></event><event name=f><typeref></event>"
		"<type name=u><int/></type><type><int/></type></facility>",
		"facility:a(event:e(typeref:t>t) event:t type:t(int.4)) "
		"facility:b(event:e(struct(typeref:t)) event:f(typeref) type:u(int.4) type(int.4))");
}

static void sizes_of_numbers(void **state)
{
	static const struct ltt_sizes lp32 = { 2, 4 };
	static const char numbers[] = "<facility><event><int><int size=short><int size=medium><int size=long><int size=1><int size=2>"
		"<uint size=4><uint size=8><uint size=3><uint size=MEDIUM><uint size=0x8>"
		"<float><float size=short><float size=medium><float size=long><float size=4>"
		"<enum size=2></enum><sequence lengthsize=1></sequence><union typecodesize=long></union>"
		"<array size=0x10></array><array size=5000000000></array><array></array><string size=8></event>";

	(void)state;
	is_tree(lp64, numbers, "facility(event(int.4 int.2 int.4 int.8 int.1 int.2 uint.4 uint.8 uint.4 uint.4 uint.8 "
		"float.8 float.2 float.4 float.8 float.4 enum.2 sequence.1 union.8 array.16 array.4294967295 array string))");
	is_tree(lp32, numbers, "facility(event(int.4 int.2 int.2 int.4 int.1 int.2 uint.4 uint.8 uint.4 uint.2 uint.8 "
		"float.8 float.2 float.4 float.8 float.4 enum.2 sequence.1 union.4 array.16 array.4294967295 array string))");
}

static void machines_by_name(void **state)
{
	static const struct {
		const char *name;
		u32 medium, large;
	} known[] = { { "LP32", 2, 4 }, { "ILP32", 4, 4 }, { "LP64", 4, 8 }, { "ilp64", 8, 8 } };
	struct ltt_sizes found;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		assert_true(ltt_sizes_by_name(&found, known[i].name));
		assert_int_equal(found.medium, known[i].medium);
		assert_int_equal(found.large, known[i].large);
	}
	assert_false(ltt_sizes_by_name(&found, "LLP64"));
}

/*
 * A facility is found by the checksum of its file; else it is the first, second, ... of that name; else the last one.
 */
static void facilities_are_found(void **state)
{
	static const char *const files[] = {
		"<facility name=a><event name=one>", "<facility name=b><event name=two>",
		"<facility name=a><event name=three></event><type name=no></type><event name=four></event>",
		"<facility name=a><event name=five>",
	};
	u32 node[4], i;
	char bytes[200];

	(void)state;
	assert_int_equal(ltt_facilities_init(&facilities, lp64), 0);
	for (i = 0; i < 4; i++)
		assert_int_equal(describe_file(files[i]), 0);
	for (node[0] = facilities.first, i = 1; i < 4; i++)
		node[i] = ltt_node(&facilities, node[i - 1])->next;
	assert_int_equal(node[3], facilities.last);
	for (i = 0; i < 4; i++) {
		strcpy(bytes, files[i]);
		assert_int_equal(ltt_facilities_find(&facilities, i == 1 ? "b" : "a",
						     ltt_checksum(bytes, strlen(bytes)), 0), node[i]);
	}
	assert_int_equal(ltt_facilities_find(&facilities, "a", 1, 0), node[0]);
	assert_int_equal(ltt_facilities_find(&facilities, "a", 1, 1), node[2]);
	assert_int_equal(ltt_facilities_find(&facilities, "a", 1, 2), node[3]);
	assert_int_equal(ltt_facilities_find(&facilities, "a", 1, 3), node[3]);
	assert_int_equal(ltt_facilities_find(&facilities, "b", 1, 1), node[1]);
	assert_int_equal(ltt_facilities_find(&facilities, "c", 1, 0), 0);

	assert_string_equal(ltt_name(&facilities, ltt_node(&facilities, ltt_facility_event(&facilities, node[2], 0))),
			    "three");
	assert_string_equal(ltt_name(&facilities, ltt_node(&facilities, ltt_facility_event(&facilities, node[2], 1))),
			    "four");
	assert_int_equal(ltt_facility_event(&facilities, node[2], 2), 0);
	ltt_facilities_free(&facilities);
}

/* Names have room beyond the first kilobyte, and nodes beyond the first 64. Both have limits. */
static void limits_of_names_and_nodes(void **state)
{
	char *file = malloc(3 << 20), *at = file, name[200];
	u32 i, node;

	(void)state;
	at += sprintf(at, "<facility name=a>");
	for (i = 0; i < 100; i++)
		at += sprintf(at, "<event name=event-number-%u></event>", i);
	assert_int_equal(ltt_facilities_init(&facilities, lp64), 0);
	assert_int_equal(describe_file(file), 0);
	for (i = 0, node = ltt_node(&facilities, facilities.first)->child; i < 100;
	     i++, node = ltt_node(&facilities, node)->next) {
		sprintf(name, "event-number-%u", i);
		assert_string_equal(ltt_name(&facilities, ltt_node(&facilities, node)), name);
	}
	assert_int_equal(node, 0);
	ltt_facilities_free(&facilities);

	/* The facility and these events are as many nodes as there may be; one more is too many. */
	at = file + sprintf(file, "<facility>");
	for (i = 0; i < LTT_NODES_MAX - 2; i++)
		at += sprintf(at, "<event/>");
	assert_int_equal(ltt_facilities_init(&facilities, lp64), 0);
	assert_int_equal(describe_file(file), 0);
	ltt_facilities_free(&facilities);
	strcpy(at, "<event/>");
	assert_int_equal(ltt_facilities_init(&facilities, lp64), 0);
	assert_int_equal(describe_file(file), -E2BIG);
	ltt_facilities_free(&facilities);

	/* A name that has no room is left out; a shorter one after it has room. */
	at = file + sprintf(file, "<facility name=");
	memset(at, 'n', LTT_TEXT_MAX - 1);
	strcpy(at + LTT_TEXT_MAX - 1, "><event name=ab></event><event name=c></event><event name=></event>");
	assert_int_equal(ltt_facilities_init(&facilities, lp64), 0);
	assert_int_equal(describe_file(file), 0);
	assert_int_equal(ltt_node(&facilities, facilities.first)->name, 0);
	node = ltt_node(&facilities, facilities.first)->child;
	assert_string_equal(ltt_name(&facilities, ltt_node(&facilities, node)), "ab");
	ltt_facilities_free(&facilities);

	strcpy(at + LTT_TEXT_MAX - 4, "><event name=ab></event><event name=c></event><event name=></event>");
	assert_int_equal(ltt_facilities_init(&facilities, lp64), 0);
	assert_int_equal(describe_file(file), 0);
	assert_int_equal(strlen(ltt_name(&facilities, ltt_node(&facilities, facilities.first))), LTT_TEXT_MAX - 4);
	node = ltt_node(&facilities, facilities.first)->child;
	assert_int_equal(ltt_node(&facilities, node)->name, 0);
	node = ltt_node(&facilities, node)->next;
	assert_string_equal(ltt_name(&facilities, ltt_node(&facilities, node)), "c");
	ltt_facilities_free(&facilities);
	free(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees_of_files),
		cmocka_unit_test(references_mean_types),
		cmocka_unit_test(sizes_of_numbers),
		cmocka_unit_test(machines_by_name),
		cmocka_unit_test(facilities_are_found),
		cmocka_unit_test(limits_of_names_and_nodes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
