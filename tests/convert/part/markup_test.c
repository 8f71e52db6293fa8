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

static int say(const char *text, size_t size)
{
	assert_true(length + size < sizeof(said));
	memcpy(said + length, text, size);
	length += size;
	said[length] = 0;
	return 0;
}

static int answer(void)
{
	return ++calls == stop_at ? -ENOMEM : 0;
}

static int open_element(void *context, const struct markup_element *element)
{
	unsigned int i;

	assert_ptr_equal(context, said);
	say("<", 1);
	say(element->name, strlen(element->name));
	for (i = 0; i < element->count; i++) {
		say(" ", 1);
		say(element->attributes[i].name, strlen(element->attributes[i].name));
		say("=", 1);
		say(element->attributes[i].value, strlen(element->attributes[i].value));
		assert_string_equal(markup_value(element, element->attributes[i].name), element->attributes[i].value);
	}
	assert_null(markup_value(element, "absent"));
	say(">", 1);
	return answer();
}

static int close_element(void *context)
{
	(void)context;
	say("/", 1);
	return answer();
}

static int take_text(void *context, const char *text, size_t size)
{
	(void)context;
	say("{", 1);
	say(text, size);
	say("}", 1);
	return answer();
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

static void says(const char *document, const char *expected)
{
	stop_at = 0;
	assert_int_equal(read_document(&markup, document), 0);
	assert_string_equal(said, expected);
}

static void elements(void **state)
{
	(void)state;
	says("", "");
	says("nothing is open", "");
	says("<a></a>", "<a>/");
	says("<a/>", "<a>/");
	says("<a />after", "<a>/");
	says("<A B='1' c=\"2 3\" D = 4>text</a>", "<a b=1 c=2 3 d=4>{text}/");
	says("<a><b>one</b>two<b>three</b></a>", "<a><b>{one}/{two}<b>{three}//");
	says("<AZ AZ=AZ=1 b=[]>[Z]</Az>", "<az az=AZ=1 b=[]>{[Z]}/");
	says("<a b=c/>", "<a b=c>/");
	says("<a b=c/d>x</a>", "<a b=c/d>{x}/");
	says("< a\tb\n=\v'1'\f\r>x</ a >", "<a b=1>{x}/");
	says("<a alone b=1/>", "<a alone= b=1>/");
	says("<a / b=1>x</a>", "<a b=1>{x}/");
	/* A value without a name gets the name "". */
	says("<a ='1' b=2>x</a>", "<a =1 b=2>{x}/");
}

static void tolerance(void **state)
{
	(void)state;
	/* An element that is always empty needs no end tag, and gets an end at once. */
	says("<a><int>x</int>y</a>", "<a><int>/{x}{y}/");
	/* An element that is never closed ends with the document, or with the element around it. */
	says("<a><b>x", "<a><b>{x}//");
	says("<a><b>x</a>y", "<a><b>{x}//");
	/* A tag with another name closes the innermost element. */
	says("<a><b>x</c>y</a>", "<a><b>{x}/{y}/");
	/* A description ends when another one is opened directly in it, but not if that one is deeper within. */
	says("<a><description>x<description>y</a>", "<a><description>{x}/{y}/");
	says("<description><b><description>y</description></b></description>", "<description><b><description>{y}///");
	says("</a><b>x</b>", "<b>{x}/");
	says("<a>x<", "<a>{x}/");
	says("<a>x<>y</>z</a>", "<a>{x}{y}{z}/");
	says("<a b=1", "<a b=1>/");
	says("<a b='1", "<a b=1>/");
	says("<a b=", "<a b=>/");
	says("<a b=1<c>x</c>", "<a b=1><c>{x}//");
}

static void left_out(void **state)
{
	(void)state;
	says("<?xml version='1.0'?><!DOCTYPE a><a>x<!-- <b> -- > -->y</a>", "<a>{x}{y}/");
	says("<a>x<!-- no end", "<a>{x}/");
	says("<a>x<? no end", "<a>{x}/");
	says("<a>x<?", "<a>{x}/");
	says("<a><!-></a>", "<a>/");
}

static void entities(void **state)
{
	(void)state;
	says("<a b='&lt;&gt;&amp;&quot;&apos;'>&lt;x&gt;</a>", "<a b=<>&\"'>{<x>}/");
	says("<a>&#65;&#x7f;&#X80;&#x7FF;</a>", "<a>{A\x7F\xC2\x80\xDF\xBF}/");
	says("<a>&#x800;&#8364;&#xFFFF;</a>", "<a>{\xE0\xA0\x80\xE2\x82\xAC\xEF\xBF\xBF}/");
	says("<a>&#x10000;&#x1F600;&#x10FFFF;</a>", "<a>{\xF0\x90\x80\x80\xF0\x9F\x98\x80\xF4\x8F\xBF\xBF}/");
	/* A text that looks like an entity and is none stands for itself. */
	says("<a>&;&x;&#;&#x;&lt&l;&#1a;&#xg;&#x110000;&#0;&#99999999;</a>",
	     "<a>{&;&x;&#;&#x;&lt&l;&#1a;&#xg;&#x110000;&#0;&#99999999;}/");
	says("<a>&#9;&#xa;&#xA;&#xF;&a1;&_;</a>", "<a>{\t\n\n\x0F&a1;&_;}/");
	says("<a>&#0000000065;&#000000065;</a>", "<a>{&#0000000065;A}/");
	says("<a>a & b; c &</a>", "<a>{a & b; c &}/");
}

/* The depth and the number of attributes have limits. An element that is too deep is left out with its content. */
static void limits(void **state)
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
	says(document, expected);

	strcpy(document, "<a");
	strcpy(expected, "<a");
	for (i = 0; i < MARKUP_ATTRIBUTES + 2; i++) {
		sprintf(document + strlen(document), " n%d=%d", i, i);
		if (i < MARKUP_ATTRIBUTES)
			sprintf(expected + strlen(expected), " n%d=%d", i, i);
	}
	strcat(document, ">x");
	strcat(expected, ">{x}/");
	says(document, expected);
}

/* An error of any call ends reading, which returns it. */
static void errors(void **state)
{
	static const char document[] = "<a>x<b>y<c/><d>z</b></a>";
	int all;

	(void)state;
	says(document, "<a>{x}<b>{y}<c>/<d>{z}///");
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
		cmocka_unit_test(elements),
		cmocka_unit_test(tolerance),
		cmocka_unit_test(left_out),
		cmocka_unit_test(entities),
		cmocka_unit_test(limits),
		cmocka_unit_test(errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
