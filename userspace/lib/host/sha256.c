// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* SHA-256 and HMAC: see sha256.h. */
#include <string.h>

#include "sha256.h"

#define BLOCK 64u
#define WORDS (SHA256_SIZE / 4)

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const u32 rounds[BLOCK] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static u32 rotate_right(u32 word, unsigned int by)
{
	return word >> by | word << (32 - by);
}

static u32 get_word(const u8 *from)
{
	return (u32)from[0] << 24 | (u32)from[1] << 16 | (u32)from[2] << 8 | from[3];
}

static void put_word(u8 *to, u32 word)
{
	to[0] = (u8)(word >> 24);
	to[1] = (u8)(word >> 16);
	to[2] = (u8)(word >> 8);
	to[3] = (u8)word;
}

/* The names of the variables are those of FIPS 180-4, 6.2.2. */
static void add_block(u32 *state, const u8 *block)
{
	u32 w[BLOCK], s[WORDS], t1, t2;
	unsigned int t;

	for (t = 0; t < 16; t++)
		w[t] = get_word(block + 4 * t);
	for (; t < BLOCK; t++)
		w[t] = (rotate_right(w[t - 2], 17) ^ rotate_right(w[t - 2], 19) ^ w[t - 2] >> 10) + w[t - 7] +
		       (rotate_right(w[t - 15], 7) ^ rotate_right(w[t - 15], 18) ^ w[t - 15] >> 3) + w[t - 16];
	memcpy(s, state, sizeof(s));
	for (t = 0; t < BLOCK; t++) {
		t1 = s[7] + (rotate_right(s[4], 6) ^ rotate_right(s[4], 11) ^ rotate_right(s[4], 25)) +
		     ((s[4] & s[5]) ^ (~s[4] & s[6])) + rounds[t] + w[t];
		t2 = (rotate_right(s[0], 2) ^ rotate_right(s[0], 13) ^ rotate_right(s[0], 22)) +
		     ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += t1;
		s[0] = t1 + t2;
	}
	for (t = 0; t < WORDS; t++)
		state[t] += s[t];
}

void sha256(u8 *hash, const void *message, size_t size)
{
	u32 state[WORDS] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	size_t padded = (size + 9 + BLOCK - 1) / BLOCK * BLOCK, at;
	u8 blocks[4 * BLOCK] = { 0 };
	unsigned int i;

	memcpy(blocks, message, size);
	blocks[size] = 0x80;
	put_word(blocks + padded - 4, (u32)(8 * size));
	for (at = 0; at < padded; at += BLOCK)
		add_block(state, blocks + at);
	for (i = 0; i < WORDS; i++)
		put_word(hash + 4 * i, state[i]);
}

/* Hash the key, whose every byte is XORed with @change, as a block before the message (RFC 2104). */
static void hash_keyed(u8 *hash, const void *key, size_t key_size, u8 change, const void *message, size_t size)
{
	u8 bytes[BLOCK + SHA256_KEY] = { 0 };
	unsigned int i;

	memcpy(bytes, key, key_size);
	for (i = 0; i < BLOCK; i++)
		bytes[i] ^= change;
	memcpy(bytes + BLOCK, message, size);
	sha256(hash, bytes, BLOCK + size);
}

void sha256_hmac(u8 *hash, const void *key, size_t key_size, const void *message, size_t size)
{
	u8 inner[SHA256_SIZE];

	hash_keyed(inner, key, key_size, 0x36, message, size);
	hash_keyed(hash, key, key_size, 0x5C, inner, sizeof(inner));
}
