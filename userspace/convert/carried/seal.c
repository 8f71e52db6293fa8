// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The end of a carried log: see carried.h. */
#include "archive/format/format.h"
#include "carried.h"

#define VERSION 1u

static const char word[8] = { 'B', 'C', 'O', 'S', 's', 'e', 'a', 'l' };

/* The seal as it is written. The fields of struct seal follow each other as they do there. */
struct written {
	u32 magic, size;
	char word[8];
	u32 version, zero;
	struct seal seal;
	u64 sum;
};

_Static_assert(sizeof(struct written) == CARRIED_SEAL, "the seal has no holes");

static u64 sum_of(const struct written *written)
{
	struct sum sum = { 0 };

	sum_add(&sum, written->word, offsetof(struct written, sum) - offsetof(struct written, word));
	return sum_end(&sum);
}

void seal_put(u8 to[CARRIED_SEAL], const struct seal *seal)
{
	struct written written = {
		.magic = ARCHIVE_MAGIC, .size = CARRIED_SEAL - 8, .version = VERSION, .seal = *seal,
	};

	memcpy(written.word, word, sizeof(word));
	written.sum = sum_of(&written);
	memcpy(to, &written, sizeof(written));
}

bool seal_get(const u8 from[CARRIED_SEAL], struct seal *seal)
{
	struct written written;

	memcpy(&written, from, sizeof(written));
	*seal = written.seal;
	return written.magic == ARCHIVE_MAGIC && written.size == CARRIED_SEAL - 8 && written.version == VERSION &&
	       !memcmp(written.word, word, sizeof(word)) && written.sum == sum_of(&written);
}
