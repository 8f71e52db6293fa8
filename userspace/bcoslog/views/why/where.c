// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Where a thread was blocked: sums of its waits by system call, and what such a call waits for. */
#include <stdlib.h>

#include "output/calls.h"
#include "why.h"

/* What a thread waits for in these calls; in others only the call is told. */
static const struct {
	const char *name, *what;
} calls[] = {
	{ "accept", "a connection" }, { "accept4", "a connection" }, { "clock_nanosleep", "a time to pass" },
	{ "connect", "a connection" }, { "epoll_pwait", "an event" }, { "epoll_pwait2", "an event" },
	{ "epoll_wait", "an event" }, { "fdatasync", "data to be on the disk" }, { "fcntl", "a lock of a file" },
	{ "flock", "a lock of a file" }, { "fsync", "data to be on the disk" }, { "futex", "a lock or a condition" },
	{ "futex_wait", "a lock or a condition" }, { "futex_waitv", "a lock or a condition" },
	{ "io_getevents", "I/O" }, { "io_uring_enter", "I/O" }, { "mq_timedreceive", "a message" },
	{ "msgrcv", "a message" }, { "msync", "data to be on the disk" }, { "nanosleep", "a time to pass" },
	{ "pause", "a signal" }, { "poll", "an event" }, { "ppoll", "an event" }, { "pselect6", "an event" },
	{ "read", "data to read" }, { "readv", "data to read" }, { "recvfrom", "a message" },
	{ "recvmmsg", "a message" }, { "recvmsg", "a message" }, { "rt_sigsuspend", "a signal" },
	{ "rt_sigtimedwait", "a signal" }, { "select", "an event" }, { "semop", "a lock or a condition" },
	{ "semtimedop", "a lock or a condition" }, { "sendmsg", "room to send" }, { "sendto", "room to send" },
	{ "sync", "data to be on the disk" }, { "syncfs", "data to be on the disk" }, { "vfork", "a child" },
	{ "wait4", "a child" }, { "waitid", "a child" }, { "write", "room to write" }, { "writev", "room to write" },
};

static const char *what_of(const char *name)
{
	size_t i;

	for (i = 0; name && i < sizeof(calls) / sizeof(calls[0]); i++)
		if (!strcmp(calls[i].name, name))
			return calls[i].what;
	return NULL;
}

const char *why_call_name(const struct why_where *where)
{
	return where->place == BCOSLOG_PLACE_CALL ? call_name(where->call) : NULL;
}

void why_where_words(char text[WHY_WHERE], const struct why_where *where)
{
	const char *name = why_call_name(where), *what = where->io ? "I/O" : what_of(name);
	char call[40];

	switch (where->place) {
	case BCOSLOG_PLACE_CALL:
		snprintf(call, sizeof(call), "system call %u", where->call & ~BCOS_FUNCTION_COMPAT);
		if (what)
			snprintf(text, WHY_WHERE, "waiting for %s (%.30s)", what, name ? name : call);
		else
			snprintf(text, WHY_WHERE, "in %.40s", name ? name : call);
		break;
	case BCOSLOG_PLACE_OUTSIDE:
		snprintf(text, WHY_WHERE, where->hard ? "in a page fault%s" : "outside system calls%s", where->io ? ", for I/O" : "");
		break;
	case BCOSLOG_PLACE_EXIT:
		snprintf(text, WHY_WHERE, "at its end%s", where->io ? ", for I/O" : "");
		break;
	default:
		snprintf(text, WHY_WHERE, where->io ? "for I/O; the log does not tell in which call" : "the log does not tell in which call");
		break;
	}
}

static bool is_same(const struct why_where *left, const struct why_where *right)
{
	return left->place == right->place && left->call == right->call && left->io == right->io && left->hard == right->hard;
}

int why_count_where(struct why *why, const struct why_where *where, u64 ns)
{
	struct why_wheres *each, *larger;
	size_t i;

	for (i = 0; i < why->where_count; i++) {
		each = &why->wheres[i];
		if (!is_same(&each->where, where))
			continue;
		each->ns += ns;
		each->times++;
		return 0;
	}
	larger = reallocarray(why->wheres, why->where_count + 1, sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	why->wheres = larger;
	larger[why->where_count++] = (struct why_wheres){ .where = *where, .ns = ns, .times = 1 };
	return 0;
}

static int longest_first(const void *left, const void *right)
{
	const struct why_wheres *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	if (a->where.place != b->where.place)
		return a->where.place < b->where.place ? -1 : 1;
	return a->where.call < b->where.call ? -1 : a->where.call > b->where.call;
}

void why_sort_wheres(struct why *why)
{
	if (why->where_count)
		qsort(why->wheres, why->where_count, sizeof(*why->wheres), longest_first);
}
