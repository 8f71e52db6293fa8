// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The thread of the BPF engine, which is the log writer.
 *
 * The thread has a descriptor table of its own, in which it opens and closes all
 * descriptors of BPF programs and maps.  If the calling program forks, the child
 * does not inherit these descriptors, with which it would prolong the recording.
 * The thread keeps none of the calling program's descriptors.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/programs/debug.h"
#include "engine.h"
#include "engine_log.h"
#include "handle/error.h"

/* The intervals of passes in ms, while there are events and while there are none. */
#define PERIOD 100
#define PERIOD_QUIET 1000

#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE 2
#endif

/* The result of the bring-up, for which engine_start() waits. */
struct start {
	struct engine *engine;
	struct bcoslog_error *error;
	int result;
	bool done;
};

void engine_tell(int fd)
{
	static const u64 one = 1;

	/* write() fails only if the counter has its greatest value, and then the eventfd is readable anyway. */
	if (write(fd, &one, sizeof(one)) < 0)
		return;
}

void engine_clear(int fd)
{
	u64 count;

	if (read(fd, &count, sizeof(count)) < 0)
		return;
}

/* Wake the readers after a pass with new entries or a compaction.  Return: the time until the next pass, in ms. */
static int tell_readers(struct engine *engine, u64 *compactions)
{
	bool interesting;
	u64 now;

	pthread_mutex_lock(&engine->lock);
	interesting = engine->log.interesting;
	engine->log.interesting = false;
	now = engine->log.ring.now.compactions;
	pthread_mutex_unlock(&engine->lock);
	if (interesting)
		engine_tell(engine->news);
	if (now != *compactions)
		engine_tell(engine->compacted);
	*compactions = now;
	return interesting ? PERIOD : PERIOD_QUIET;
}

static void wait_for_work(struct engine *engine, int timeout)
{
	struct pollfd work[] = {
		{ .fd = engine->wake, .events = POLLIN },
		{ .fd = programs_fd(engine->programs), .events = POLLIN },
		{ .fd = engine->hardware.fd[0], .events = POLLIN },
		{ .fd = engine->hardware.fd[1], .events = POLLIN },
		{ .fd = engine->kernel.fd, .events = POLLIN },
		{ .fd = engine->setting, .events = POLLIN },
	};

	if (poll(work, sizeof(work) / sizeof(work[0]), timeout) > 0 && work[0].revents)
		engine_clear(engine->wake);
	pthread_mutex_lock(&engine->lock);
	engine->wakeups++;
	pthread_mutex_unlock(&engine->lock);
}

/* ---- the descriptors of the thread ------------------------------------------------- */

/*
 * Close all descriptors from @first to @behind - 1, and give the thread a descriptor table of its own, unless *@own
 * says that it has one.
 * Return: true, unless descriptors are left open because the kernel refuses the table.
 */
static bool close_between(unsigned int first, unsigned int behind, bool *own)
{
	if (first >= behind)
		return true;
	if (syscall(SYS_close_range, first, behind - 1, *own ? 0 : CLOSE_RANGE_UNSHARE))
		return *own;
	*own = true;
	return true;
}

/*
 * Give the thread a descriptor table of its own, with only the descriptors that it needs. If the kernel refuses that, a
 * child of the calling program inherits the descriptors of the BPF programs.
 */
static void own_descriptors(const struct engine *engine)
{
	unsigned int keep[] = { (unsigned int)engine->wake, (unsigned int)engine->news, (unsigned int)engine->compacted,
				debug_wanted() ? STDERR_FILENO : (unsigned int)engine->wake, ~0u };
	unsigned int first = 0, next, i;
	bool own = false;
	int fd;

	do {
		for (next = ~0u, i = 0; i < sizeof(keep) / sizeof(keep[0]); i++)
			if (keep[i] >= first && keep[i] < next)
				next = keep[i];
		if (!close_between(first, next, &own))
			return;
		first = next + 1;
	} while (next != ~0u);
	/* Occupy the numbers of the standard descriptors, so that no other file gets one of them. */
	while ((fd = open("/dev/null", O_RDWR | O_CLOEXEC)) >= 0 && fd <= STDERR_FILENO)
		;
	if (fd >= 0)
		close(fd);
}

/* ---- the thread ----------------------------------------------------------------------- */

/* Write the log until engine_stop() or an error.  Return: 0 or a negative errno. */
static int record_once(struct engine *engine)
{
	u64 compactions = 0, asked;
	int timeout = PERIOD, r = 0;
	bool ending = false;

	while (!ending && !r) {
		wait_for_work(engine, timeout);
		pthread_mutex_lock(&engine->lock);
		asked = engine->asked;
		ending = engine->ending;
		pthread_mutex_unlock(&engine->lock);
		r = engine_pass(engine);
		timeout = tell_readers(engine, &compactions);
		pthread_mutex_lock(&engine->lock);
		engine->answered = asked;
		WRITE_ONCE(engine->failed, r);
		pthread_cond_broadcast(&engine->merged);
		pthread_mutex_unlock(&engine->lock);
	}
	return r;
}

static void thread_started(struct start *start, int result)
{
	struct engine *engine = start->engine;

	pthread_mutex_lock(&engine->lock);
	start->result = result;
	start->done = true;
	pthread_cond_broadcast(&engine->merged);
	pthread_mutex_unlock(&engine->lock);
}

static void *engine_thread(void *context)
{
	struct start *start = context;
	struct engine *engine = start->engine;
	bool clean = false;
	int r;

	own_descriptors(engine);
	debug_begin();
	r = engine_up(engine, start->error);
	debug_end();
	if (!r) {
		thread_started(start, 0);
		/* The thread needs CPU time even on a busy machine. Not every user may set a negative nice value. */
		setpriority(PRIO_PROCESS, (id_t)gettid(), -20);
		clean = !record_once(engine);
		if (!clean)
			engine_tell(engine->news);
	}
	debug_begin();
	engine_keep_end(engine, clean);
	engine_down(engine);
	debug_end();
	if (r)
		thread_started(start, r);
	return NULL;
}

/* The thread blocks all signals, which are for the threads of the calling program. */
int engine_start(struct engine *engine, struct bcoslog_error *error)
{
	struct start start = { .engine = engine, .error = error };
	sigset_t all, before;
	int r;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	r = pthread_create(&engine->thread, NULL, engine_thread, &start);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (r)
		return error_set(error, r,
				 "the thread that writes the log cannot be started: %s: end other processes, or "
				 "allow more (ulimit -u)", strerror(r));
	pthread_mutex_lock(&engine->lock);
	while (!start.done)
		pthread_cond_wait(&engine->merged, &engine->lock);
	pthread_mutex_unlock(&engine->lock);
	engine->started = !start.result;
	if (start.result)
		pthread_join(engine->thread, NULL);
	return start.result;
}

int engine_stop(struct engine *engine)
{
	if (!engine->started)
		return engine->failed;
	pthread_mutex_lock(&engine->lock);
	WRITE_ONCE(engine->ending, true);
	pthread_mutex_unlock(&engine->lock);
	engine_tell(engine->wake);
	pthread_join(engine->thread, NULL);
	engine->started = false;
	return engine->failed;
}
