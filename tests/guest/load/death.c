// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Ways to die, and what the log tells of them: see death.h. */
#include "death.h"

#include <signal.h>
#include <sys/mman.h>

/* The report of a child to its parent. */
static struct {
	volatile int ready;
} *shared;

void deaths_begin(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		give_up("mmap");
}

void report_ready(void)
{
	shared->ready = 1;
}

bool is_ready(void)
{
	return shared->ready;
}

void sleep_for_ever(void)
{
	report_ready();
	for (;;)
		pause();
}

static void run_body(void *argument)
{
	const struct way *way = argument;
	sigset_t empty;
	struct rlimit none = { 0, 0 };
	int number;

	/* The parent of this program may have ignored or blocked signals. */
	for (number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigemptyset(&empty);
	sigprocmask(SIG_SETMASK, &empty, NULL);
	setrlimit(RLIMIT_CORE, &none);
	way->body(way->argument);
}

void die_by(struct death *death)
{
	const struct way *way = death->way;

	shared->ready = 0;
	death->pid = spawn_child(run_body, (void *)way);
	if (way->act) {
		WAIT_FOR(shared->ready);
		way->act(death->pid, way->act_argument);
	}
	death->status = reap_child(death->pid, NULL);
}

struct log log_of_deaths(int fd, const struct death *deaths, size_t count)
{
	pid_t *pids = calloc(count, sizeof(*pids));
	struct log log = { NULL, 0 };
	size_t i;

	if (!pids)
		give_up("no memory");
	for (i = 0; i < count; i++)
		pids[i] = deaths[i].pid;
	log_append_ended(&log, fd, pids, count);
	free(pids);
	return log;
}

bool is_told(const struct log *log, const struct lives *lives, const struct death *death)
{
	const struct life *life = life_since(lives, (uint32_t)death->pid, 0);
	uint32_t expected = termination_of(death->status, !death->way || death->way->origin == USER);
	bool oom = death->way && death->way->victim;
	const struct bcos_entry *entry;
	int victims = 0;

	if (!life || !life->dead) {
		print_note("process %d is %s", death->pid, life ? "not cancelled" : "not there");
		return false;
	}
	for (entry = life->birth; entry != life->end; entry = entry_after(log, entry))
		victims += entry->type == BCOS_GENERIC_PROCESS && entry->source == life->id &&
			   ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_OOM_VICTIM;
	if (life->status != expected)
		print_note("the log says 0x%08x, 0x%08x is right", life->status, expected);
	if (victims != oom)
		print_note("%d events of the out-of-memory killer instead of %d", victims, oom);
	return life->status == expected && victims == oom;
}

static void judge_way(const struct log *log, const struct lives *lives, const struct death *death)
{
	const struct way *way = death->way;
	bool good = is_told(log, lives, death);

	if (!WIFSIGNALED(death->status) || WTERMSIG(death->status) != way->expected) {
		print_note("the test itself: wait status 0x%x, not signal %d", death->status, way->expected);
		good = false;
	}
	make_point(good, "%s: 0x%08x", way->what, termination_of(death->status, way->origin == USER));
}

void judge_ways(const struct log *log, const struct death *deaths, size_t count, const char *reason)
{
	struct lives lives = lives_of(log);
	const struct death *death;

	for (death = deaths; death < deaths + count; death++) {
		if (death->skipped)
			skip_point(reason, "%s", death->way->what);
		else if (death->way)
			judge_way(log, &lives, death);
	}
	lives_free(&lives);
}
