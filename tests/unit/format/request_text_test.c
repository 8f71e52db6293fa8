// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The text of a request of a disk: each form by hand from bcoslog(5), and back; and what is no such text. */
#include "core/format/request_text.h"
#include "check.h"

static const struct {
	const char *text;
	struct bcos_request_told told;
} cases[] = {
	{ "Ws0 4096@123456 1203+84123",
	  { BCOS_OPERATION_WRITE, BCOS_REQUEST_SYNC, true, true, 0, 4096, 123456, 1203, 84123 } },
	{ "R12 0@0 0+0", { BCOS_OPERATION_READ, 0, true, true, 12, 0, 0, 0, 0 } },
	{ "Wsf3 0@0 =5000 t77", { BCOS_OPERATION_WRITE, BCOS_REQUEST_SYNC | BCOS_REQUEST_PREFLUSH, true, false, 3, 0, 0, 5000, 0, 77 } },
	{ "F0 0@0 ?+900", { BCOS_OPERATION_FLUSH, 0, false, true, 0, 0, 0, 0, 900 } },
	{ "N0 0@0 ?", { BCOS_OPERATION_OTHER, 0, false, false } },
	{ "Dsmufap4294967295 4294967295@281474976710655 18446744073709551615+18446744073709551615 "
	  "t4294967295 p4294967295 c4294967295 e127",
	  { BCOS_OPERATION_DISCARD, BCOS_REQUEST_FLAGS, true, true, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFFFFFF, ~0ull, ~0ull,
	    0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 127 } },
	{ "W0 512@8 10+20 c14 e5", { BCOS_OPERATION_WRITE, 0, true, true, 0, 512, 8, 10, 20, 0, 0, 14, 5 } },
};

static void test_forms(void **state)
{
	struct bcos_request_told told;
	char text[BCOS_REQUEST_TEXT];
	size_t i, length;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		length = bcos_request_format(text, &cases[i].told);
		assert_int_equal(length, strlen(cases[i].text));
		assert_memory_equal(text, cases[i].text, length);
		assert_true(bcos_request_parse(&told, text, length));
		assert_int_equal(bcos_request_format(text, &told), length);
		assert_memory_equal(text, cases[i].text, length);
	}
}

static void test_refusals(void **state)
{
	static const char *const bad[] = {
		"", "W", "X0 1@2 3+4", "W0 1@2 3", "W0 1@2 +4", "W0 1@2 =", "W0 1@2 ?4", "W0 1@2 3+4 ", "W0 1@2 3+4 t0", "W0 1@2 3+4 t",
		"W0 1@2 3+4 e5 t6", "Wfs0 1@2 3+4", "W01 1@2 3+4", "W0 4294967296@2 3+4", "W0 1@2 3+4x", "w0 1@2 3+4", "W 0 1@2 3+4",
	};
	struct bcos_request_told told;
	size_t i, cut;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (bcos_request_parse(&told, bad[i], strlen(bad[i])))
			fail_msg("\"%s\" is read", bad[i]);
	/* A text that is cut is another text or none, and nothing behind it is read (the sanitizer sees that). */
	for (cut = 0; cut < strlen(cases[0].text); cut++) {
		char *copy = malloc(cut ? cut : 1);

		memcpy(copy, cases[0].text, cut);
		if (bcos_request_parse(&told, copy, cut))
			assert_true(cut > strlen("Ws0 4096@123456 1203+"));
		free(copy);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(test_forms), cmocka_unit_test(test_refusals) };

	return cmocka_run_group_tests_name("request_text", tests, NULL, NULL);
}
