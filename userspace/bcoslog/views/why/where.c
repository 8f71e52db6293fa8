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

/* Calls that wait for the same where signals do not wake the thread. In others it waits for a lock of the kernel or so. */
static const char *const hard_calls[] = { "fdatasync", "fsync", "msync", "sync", "syncfs", "vfork" };

static bool is_hard_call(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(hard_calls) / sizeof(hard_calls[0]); i++)
		if (!strcmp(hard_calls[i], name))
			return true;
	return false;
}

static const char *what_of(const char *name, bool hard)
{
	size_t i;

	if (!name || (hard && !is_hard_call(name)))
		return NULL;
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (!strcmp(calls[i].name, name))
			return calls[i].what;
	return NULL;
}

const char *why_call_name(const struct why_where *where)
{
	return where->place == BCOSLOG_PLACE_CALL && call_is_numbered(where->call) ? call_name(where->call) : NULL;
}

void why_where_words(char text[WHY_WHERE], const struct why_where *where)
{
	const char *name = why_call_name(where), *what = where->io ? "I/O" : what_of(name, where->hard);
	char call[40];

	switch (where->place) {
	case BCOSLOG_PLACE_CALL:
		if (call_is_numbered(where->call))
			snprintf(call, sizeof(call), "system call %u", where->call & ~BCOS_FUNCTION_COMPAT);
		else
			snprintf(call, sizeof(call), "a system call without a number");
		if (what)
			snprintf(text, WHY_WHERE, "waiting for %s (%.32s)", what, name ? name : call);
		else
			snprintf(text, WHY_WHERE, "in %.40s%s", name ? name : call,
				 where->hard ? ", where signals do not wake it" : "");
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

/* Return: less than 0, 0 or greater than 0, as @left comes before @right by place, is the same, or comes after. */
static int compare_wheres(const struct why_where *left, const struct why_where *right)
{
	if (left->place != right->place)
		return left->place < right->place ? -1 : 1;
	if (left->call != right->call)
		return left->call < right->call ? -1 : 1;
	if (left->io != right->io)
		return left->io - right->io;
	return left->hard - right->hard;
}

/* Adds a place at this index.  Return: 0 or -ENOMEM. */
static int add_where(struct why *why, size_t at, const struct why_where *where)
{
	struct why_wheres *larger;
	size_t room = why->where_room ? 2 * why->where_room : 16;

	if (why->where_count == why->where_room) {
		larger = reallocarray(why->wheres, room, sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		why->wheres = larger;
		why->where_room = room;
	}
	memmove(&why->wheres[at + 1], &why->wheres[at], (why->where_count++ - at) * sizeof(*why->wheres));
	why->wheres[at] = (struct why_wheres){ .where = *where };
	return 0;
}

int why_count_where(struct why *why, const struct why_where *where, u64 ns)
{
	size_t low = 0, high = why->where_count, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (compare_wheres(&why->wheres[middle].where, where) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if ((low == why->where_count || compare_wheres(&why->wheres[low].where, where)) && add_where(why, low, where))
		return -ENOMEM;
	why->wheres[low].ns += ns;
	why->wheres[low].times++;
	return 0;
}

static int longest_first(const void *left, const void *right)
{
	const struct why_wheres *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return compare_wheres(&a->where, &b->where);
}

void why_sort_wheres(struct why *why)
{
	if (why->where_count)
		qsort(why->wheres, why->where_count, sizeof(*why->wheres), longest_first);
}
