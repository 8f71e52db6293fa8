// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests the tolerant reader of XML: documents, and their content as a person would read it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../userspace/convert/ltt/read/markup.h"

/* The calls in their order: <name attribute=value...>, {text}, and / for the end of an element. */
static char said[8192];
static size_t length;
static int stop_at, calls;

static int say_text(const char *text, size_t size)
{
	assert_true(length + size < sizeof(said));
	memcpy(said + length, text, size);
	length += size;
	said[length] = 0;
	return 0;
}

static int give_answer(void)
{
	return ++calls == stop_at ? -ENOMEM : 0;
}

static int open_element(void *context, const struct markup_element *element)
{
	unsigned int i;

	assert_ptr_equal(context, said);
	say_text("<", 1);
	say_text(element->name, strlen(element->name));
	for (i = 0; i < element->count; i++) {
		say_text(" ", 1);
		say_text(element->attributes[i].name, strlen(element->attributes[i].name));
		say_text("=", 1);
		say_text(element->attributes[i].value, strlen(element->attributes[i].value));
		assert_string_equal(markup_value(element, element->attributes[i].name), element->attributes[i].value);
	}
	assert_null(markup_value(element, "absent"));
	say_text(">", 1);
	return give_answer();
}

static int close_element(void *context)
{
	(void)context;
	say_text("/", 1);
	return give_answer();
}

static int take_text(void *context, const char *text, size_t size)
{
	(void)context;
	say_text("{", 1);
	say_text(text, size);
	say_text("}", 1);
	return give_answer();
}

static bool is_empty(const char *name)
{
	return !strcmp(name, "int");
}

static const struct markup markup = { is_empty, open_element, close_element, take_text };

/* Reads a document in memory of its exact size, so that AddressSanitizer sees every access beyond it. */
static int read_document(const struct markup *to, const char *document)
{
	size_t size = strlen(document);
	char *bytes = malloc(size ? size : 1);
	int r;

	memcpy(bytes, document, size);
	length = 0;
	calls = 0;
	*said = 0;
	r = markup_read(bytes, size, to, said);
	free(bytes);
	return r;
}

static void check_says(const char *document, const char *expected)
{
	stop_at = 0;
	assert_int_equal(read_document(&markup, document), 0);
	assert_string_equal(said, expected);
}

static void elements_and_texts(void **state)
{
	(void)state;
	check_says("", "");
	check_says("nothing is open", "");
	check_says("<a></a>", "<a>/");
	check_says("<a/>", "<a>/");
	check_says("<a />after", "<a>/");
	check_says("<A B='1' c=\"2 3\" D = 4>text</a>", "<a b=1 c=2 3 d=4>{text}/");
	check_says("<a><b>one</b>two<b>three</b></a>", "<a><b>{one}/{two}<b>{three}//");
	check_says("<AZ AZ=AZ=1 b=[]>[Z]</Az>", "<az az=AZ=1 b=[]>{[Z]}/");
	check_says("<a b=c/>", "<a b=c>/");
	check_says("<a b=c/d>x</a>", "<a b=c/d>{x}/");
	check_says("< a\tb\n=\v'1'\f\r>x</ a >", "<a b=1>{x}/");
	check_says("<a alone b=1/>", "<a alone= b=1>/");
	check_says("<a / b=1>x</a>", "<a b=1>{x}/");
	/* A value without a name gets the name "". */
	check_says("<a ='1' b=2>x</a>", "<a =1 b=2>{x}/");
}

static void tolerance_of_tags(void **state)
{
	(void)state;
	/* An element that is always empty needs no end tag, and gets an end at once. */
	check_says("<a><int>x</int>y</a>", "<a><int>/{x}{y}/");
	/* An element that is never closed ends with the document, or with the element around it. */
	check_says("<a><b>x", "<a><b>{x}//");
	check_says("<a><b>x</a>y", "<a><b>{x}//");
	/* A tag with another name closes the innermost element. */
	check_says("<a><b>x</c>y</a>", "<a><b>{x}/{y}/");
	/* A description ends when another one is opened directly in it, but not if that one is deeper within. */
	check_says("<a><description>x<description>y</a>", "<a><description>{x}/{y}/");
	check_says("<description><b><description>y</description></b></description>",
		   "<description><b><description>{y}///");
	check_says("</a><b>x</b>", "<b>{x}/");
	check_says("<a>x<", "<a>{x}/");
	check_says("<a>x<>y</>z</a>", "<a>{x}{y}{z}/");
	check_says("<a b=1", "<a b=1>/");
	check_says("<a b='1", "<a b=1>/");
	check_says("<a b=", "<a b=>/");
	check_says("<a b=1<c>x</c>", "<a b=1><c>{x}//");
}

static void left_out(void **state)
{
	(void)state;
	check_says("<?xml version='1.0'?><!DOCTYPE a><a>x<!-- <b> -- > -->y</a>", "<a>{x}{y}/");
	check_says("<a>x<!-- no end", "<a>{x}/");
	check_says("<a>x<? no end", "<a>{x}/");
	check_says("<a>x<?", "<a>{x}/");
	check_says("<a><!-></a>", "<a>/");
}

static void entities_are_read(void **state)
{
	(void)state;
	check_says("<a b='&lt;&gt;&amp;&quot;&apos;'>&lt;x&gt;</a>", "<a b=<>&\"'>{<x>}/");
	check_says("<a>&#65;&#x7f;&#X80;&#x7FF;</a>", "<a>{A\x7F\xC2\x80\xDF\xBF}/");
	check_says("<a>&#x800;&#8364;&#xFFFF;</a>", "<a>{\xE0\xA0\x80\xE2\x82\xAC\xEF\xBF\xBF}/");
	check_says("<a>&#x10000;&#x1F600;&#x10FFFF;</a>", "<a>{\xF0\x90\x80\x80\xF0\x9F\x98\x80\xF4\x8F\xBF\xBF}/");
	/* A text that looks like an entity and is none stands for itself. */
	check_says("<a>&;&x;&#;&#x;&lt&l;&#1a;&#xg;&#x110000;&#0;&#99999999;</a>",
		   "<a>{&;&x;&#;&#x;&lt&l;&#1a;&#xg;&#x110000;&#0;&#99999999;}/");
	check_says("<a>&#9;&#xa;&#xA;&#xF;&a1;&_;</a>", "<a>{\t\n\n\x0F&a1;&_;}/");
	check_says("<a>&#0000000065;&#000000065;</a>", "<a>{&#0000000065;A}/");
	check_says("<a>a & b; c &</a>", "<a>{a & b; c &}/");
}

/* The depth and the number of attributes have limits. An element that is too deep is left out with its content. */
static void limits_of_depth(void **state)
{
	char document[4096] = "", expected[4096] = "";
	int i;

	(void)state;
	for (i = 0; i < MARKUP_DEPTH; i++) {
		strcat(document, "<a>");
		strcat(expected, "<a>");
	}
	strcat(document, "x<b>lost<int><c/>lost</b>y</a>z");
	strcat(expected, "{x}{y}/{z}");
	for (i = 0; i < MARKUP_DEPTH - 1; i++)
		strcat(expected, "/");
	check_says(document, expected);

	strcpy(document, "<a");
	strcpy(expected, "<a");
	for (i = 0; i < MARKUP_ATTRIBUTES + 2; i++) {
		sprintf(document + strlen(document), " n%d=%d", i, i);
		if (i < MARKUP_ATTRIBUTES)
			sprintf(expected + strlen(expected), " n%d=%d", i, i);
	}
	strcat(document, ">x");
	strcat(expected, ">{x}/");
	check_says(document, expected);
}

/* An error of any call ends reading, which returns it. */
static void errors_end_reading(void **state)
{
	static const char document[] = "<a>x<b>y<c/><d>z</b></a>";
	int all;

	(void)state;
	check_says(document, "<a>{x}<b>{y}<c>/<d>{z}///");
	all = calls;
	for (stop_at = 1; stop_at <= all; stop_at++) {
		assert_int_equal(read_document(&markup, document), -ENOMEM);
		assert_int_equal(calls, stop_at);
	}
	stop_at = 0;
	assert_int_equal(read_document(&(struct markup){ 0 }, document), 0);
	assert_string_equal(said, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_and_texts),
		cmocka_unit_test(tolerance_of_tags),
		cmocka_unit_test(left_out),
		cmocka_unit_test(entities_are_read),
		cmocka_unit_test(limits_of_depth),
		cmocka_unit_test(errors_end_reading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
