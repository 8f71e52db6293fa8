// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Stands before the library of Babeltrace 2, which ends its process by the signal $HOW when it is asked for messages for
 * the $GIVES_UP-th time, as it does where a trace is damaged in certain ways. Without $HOW it comes to no end then, as where
 * a trace has much of what is no event, and makes the file $BUSY before that.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

int bt_message_iterator_next(void *iterator, void *messages, uint64_t *count)
{
	static const char words[] = "the library's last words\n";
	static int (*next)(void *, void *, uint64_t *);
	static int calls;

	if (!next)
		next = (int (*)(void *, void *, uint64_t *))dlsym(RTLD_NEXT, "bt_message_iterator_next");
	++calls;
	if (calls == atoi(getenv("GIVES_UP")) && !getenv("HOW") && creat(getenv("BUSY"), 0600) >= 0)
		for (;;)
			pause();
	if (calls == atoi(getenv("GIVES_UP")) && write(STDERR_FILENO, words, sizeof(words) - 1) > 0) {
		if (atoi(getenv("HOW")) == SIGABRT)
			abort();
		raise(atoi(getenv("HOW")));
	}
	return next(iterator, messages, count);
}
