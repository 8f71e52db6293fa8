/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Makes entries one by one from the specification's tables, for the tests of the account. */
#ifndef BCOS_TESTS_CLI_MADE_LOG_H
#define BCOS_TESTS_CLI_MADE_LOG_H

#include <stdint.h>
#include <string.h>

#include "bcos_evlog.h"

struct made {
	uint32_t word[64];
};

static inline const struct bcos_entry *made_entry(struct made *made, uint16_t type, uint32_t source, uint64_t time,
						  const void *body, size_t size)
{
	struct bcos_entry header = {
		.size = (uint16_t)(20 + ((size + 3) & ~(size_t)3)), .type = type, .source = source, .time = time,
		.precision = 1,
	};

	memset(made, 0, sizeof(*made));
	memcpy(made->word, &header, 20);
	if (size)
		memcpy((char *)made->word + 20, body, size);
	return (const struct bcos_entry *)made->word;
}

static inline const struct bcos_entry *made_word(struct made *made, uint16_t type, uint32_t source, uint64_t time,
						 uint32_t word)
{
	return made_entry(made, type, source, time, &word, 4);
}

static inline const struct bcos_entry *made_name(struct made *made, uint16_t type, uint32_t source, uint64_t time,
						 const char *name)
{
	return made_entry(made, type, source, time, name, strlen(name));
}

static inline const struct bcos_entry *made_device(struct made *made, uint16_t type, uint32_t source, uint64_t time,
						   uint32_t driver, const char *name)
{
	char body[128];

	memcpy(body, &driver, 4);
	memcpy(body + 4, name, strlen(name));
	return made_entry(made, type, source, time, body, 4 + strlen(name));
}

static inline const struct bcos_entry *made_event(struct made *made, uint16_t type, uint32_t source, uint64_t time,
						  uint32_t id, uint8_t severity, const char *text)
{
	char body[200];

	memcpy(body, &id, 4);
	body[4] = (char)severity;
	memcpy(body + 5, text, strlen(text));
	return made_entry(made, type, source, time, body, 5 + strlen(text));
}

/* Makes an entry about a core, with @count values of performance. */
static inline const struct bcos_entry *made_core(struct made *made, uint16_t type, uint32_t source, uint64_t time,
						 uint16_t idle, uint16_t difference, const uint32_t *performance,
						 size_t count)
{
	uint16_t power[2] = { idle, difference };
	char body[4 + 4 * 16];

	memcpy(body, power, 4);
	memcpy(body + 4, performance, count * 4);
	return made_entry(made, type, source, time, body, 4 + count * 4);
}

#endif
