// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Functions that wait for more entries and for compactions, and that interrupt a wait. */
#include <poll.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "archive/read/archive.h"
#include "reader.h"
#include "handle_host.h"

/* The interval in ms at which a wait examines a file, since inotify does not report growth on network file systems. */
#define GROWTH_FALLBACK 1000
#define GROWTH_WITHOUT_INOTIFY 200
/* The interval in ms at which a reader that shares an engine looks for entries. */
#define SHARED_LOOK 50

void bcoslog_interrupt(struct bcoslog *log)
{
	static const u64 one = 1;
	int saved = errno;

	/* write() fails only if the counter has its greatest value, and then the eventfd is readable anyway. */
	if (write(log->interrupt, &one, sizeof(one)) < 0)
		errno = saved;
}

bool handle_interrupted(const struct bcoslog *log)
{
	struct pollfd interrupt = { .fd = log->interrupt, .events = POLLIN };

	return poll(&interrupt, 1, 0) > 0;
}

void bcoslog_hangup(struct bcoslog *log, int fd)
{
	log->hangup = fd;
}

int handle_poll(struct bcoslog *log, int fd, short events, int timeout)
{
	struct pollfd wait[] = {
		{ .fd = fd, .events = events },
		{ .fd = log->interrupt, .events = POLLIN },
		{ .fd = log->hangup },
	};
	int n;

	do {
		n = poll(wait, 3, timeout);
		if (n < 0 && errno != EINTR)
			return error_read(log, errno);
	} while (n < 0);
	if (wait[1].revents)
		return -EINTR;
	if (wait[2].revents)
		return -EPIPE;
	if (wait[0].revents & POLLNVAL)
		return error_read(log, EBADF);
	return n ? 1 : -ETIMEDOUT;
}

static void growth_watch(struct bcoslog *log)
{
	char path[32];

	log->growth = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (log->growth < 0)
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", log->fd);
	if (inotify_add_watch(log->growth, path, IN_MODIFY | IN_CREATE | IN_MOVED_TO) >= 0)
		return;
	close(log->growth);
	log->growth = -1;
}

/* Return: 1 if the file has unread bytes; 0 if it has none; a negative errno. */
static int growth_of_file(struct bcoslog *log)
{
	struct stat stat;

	if (fstat(log->fd, &stat))
		return error_read(log, errno);
	if ((u64)stat.st_size < log->position)
		return error_set(&log->error, ESTALE,
				 "%s became shorter while it was followed: start again", log->name);
	return (u64)stat.st_size > log->position;
}

/* Return: 1 if there are unread bytes; 0 if there are none; a negative errno. */
static int growth_look(struct bcoslog *log)
{
	int r;

	if (!log->archive)
		return growth_of_file(log);
	r = archive_look(log->archive);
	return r < 0 ? error_read(log, -r) : r;
}

static int growth_wait(struct bcoslog *log, int timeout)
{
	char events[4096];
	int step, r;

	if (log->growth < 0)
		growth_watch(log);
	for (;;) {
		r = growth_look(log);
		if (r)
			return r;
		if (!timeout)
			return -ETIMEDOUT;
		step = log->growth >= 0 ? GROWTH_FALLBACK : GROWTH_WITHOUT_INOTIFY;
		if (timeout >= 0 && timeout < step)
			step = timeout;
		/* Without inotify the descriptor is -1, which poll() ignores. */
		r = handle_poll(log, log->growth, POLLIN, step);
		if (r < 0 && r != -ETIMEDOUT)
			return r;
		while (r > 0 && read(log->growth, events, sizeof(events)) > 0)
			;
		if (timeout > 0 && r == -ETIMEDOUT)
			timeout -= step;
	}
}

/* Wait for @fd, an eventfd of the engine, and reset it: the next event makes the descriptor readable again. */
static int engine_wait(struct bcoslog *log, int fd, int timeout)
{
	int r = handle_poll(log, fd, POLLIN, timeout);

	if (r > 0)
		engine_clear(fd);
	return r;
}

/* A new entry wakes only one reader of an engine, so the others look at intervals. */
static int shared_wait(struct bcoslog *log, int timeout)
{
	int step = timeout >= 0 && timeout < SHARED_LOOK ? timeout : SHARED_LOOK;
	int r = handle_poll(log, -1, 0, step);

	return r == -ETIMEDOUT && step != timeout ? 1 : r;
}

int bcoslog_wait(struct bcoslog *log, int timeout)
{
	if (log->ended)
		return 0;
	if (log->kind != BCOSLOG_STREAM && !(log->flags & BCOSLOG_FOLLOW))
		return 0;
	if (log->archive && log->archive->live && !log->archive->foreign)
		return handle_poll(log, log->archive->live->fd, POLLIN, timeout);
	if (log->kind == BCOSLOG_FILE || log->kind == BCOSLOG_RECORDING)
		return growth_wait(log, timeout);
	if (log->shared)
		return shared_wait(log, timeout);
	if (log->kind == BCOSLOG_BPF)
		return engine_wait(log, engine_news(log->engine), timeout);
	return handle_poll(log, log->fd, POLLIN, timeout);
}

int bcoslog_wait_compaction(struct bcoslog *log, int timeout)
{
	if (!handle_is_live(log))
		return error_set(&log->error, ENOTTY,
				 "%s is not the device, and only the device compacts", log->name);
	if (log->kind == BCOSLOG_BPF)
		return engine_wait(log, engine_compacted(log->engine), timeout);
	return handle_poll(log, log->fd, POLLPRI, timeout);
}
