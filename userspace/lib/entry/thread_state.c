// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The parser of the texts about states of threads, which core/format/phrase.c writes. */
#include "core/format/phrase.h"
#include "bcoslog_who.h"

int bcoslog_thread_state(struct bcoslog_thread_state *state, const char *text, size_t length)
{
	struct bcos_thread_phrase phrase;

	memset(state, 0, sizeof(*state));
	if (!bcos_phrase_thread_parse(text, length, &phrase))
		return -EINVAL;
	*state = (struct bcoslog_thread_state){
		.thread = phrase.thread, .state = phrase.state, .by = (enum bcoslog_woken_by)phrase.by,
		.waker = phrase.waker, .waker_thread = phrase.waker_thread, .has_cpu = phrase.has_cpu,
		.has_priority = phrase.has_priority, .cpu = phrase.cpu, .priority = phrase.priority,
	};
	return 0;
}
