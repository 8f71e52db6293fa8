// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests SHA-256 and HMAC: the examples of FIPS 180-4 and of RFC 4231, and the lengths at which another block begins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "host/sha256.h"

static const char *print_hash(const u8 *hash)
{
	static char text[2 * SHA256_SIZE + 1];
	unsigned int i;

	for (i = 0; i < SHA256_SIZE; i++)
		sprintf(text + 2 * i, "%02x", hash[i]);
	return text;
}

static void hashes_of_messages(void **state)
{
	static const struct {
		const char *message, *hash;
	} examples[] = {
		{ "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
		{ "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
		  "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1" },
	};
	u8 hash[SHA256_SIZE];
	size_t i;

	for (i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		sha256(hash, examples[i].message, strlen(examples[i].message));
		assert_string_equal(print_hash(hash), examples[i].hash);
	}
}

static void hashes_with_a_key(void **state)
{
	u8 key[20], hash[SHA256_SIZE];

	memset(key, 0x0b, sizeof(key));
	sha256_hmac(hash, key, sizeof(key), "Hi There", 8);
	assert_string_equal(print_hash(hash), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
	sha256_hmac(hash, "Jefe", 4, "what do ya want for nothing?", 28);
	assert_string_equal(print_hash(hash), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(hashes_of_messages),
	cmocka_unit_test(hashes_with_a_key) };

	return cmocka_run_group_tests_name("sha256", tests, NULL, NULL);
}
