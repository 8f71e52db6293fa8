/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* SHA-256 (FIPS 180-4) of short messages, and HMAC (RFC 2104) with it. */
#ifndef BCOSLOG_SHA256_H
#define BCOSLOG_SHA256_H

#include "core/host/user.h"

#define SHA256_SIZE 32u
/* The greatest size of a message of sha256(), in bytes. */
#define SHA256_MESSAGE 247u
/* The greatest size of a key and of a message of sha256_hmac(), in bytes. */
#define SHA256_KEY 64u

/* Write the hash of @size bytes, SHA256_SIZE bytes, to @hash. */
void sha256(u8 *hash, const void *message, size_t size);
/* Write the hash of @size bytes with a key, SHA256_SIZE bytes, to @hash. */
void sha256_hmac(u8 *hash, const void *key, size_t key_size, const void *message, size_t size);

#endif
