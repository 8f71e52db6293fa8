/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* SHA-256 (FIPS 180-4) of short messages, and HMAC (RFC 2104) with it. */
#ifndef BCOSLOG_SHA256_H
#define BCOSLOG_SHA256_H

#include "core/host/user.h"

#define SHA256_SIZE 32u
/* No message of sha256() is longer, and no key and no message of sha256_hmac(). */
#define SHA256_MESSAGE 247u
#define SHA256_KEY 64u

/* Writes the SHA256_SIZE bytes of the hash of @size bytes. */
void sha256(u8 *hash, const void *message, size_t size);
/* Likewise of a message of at most SHA256_KEY bytes, with a key of at most SHA256_KEY bytes. */
void sha256_hmac(u8 *hash, const void *key, size_t key_size, const void *message, size_t size);

#endif
