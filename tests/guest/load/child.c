// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Children that must have lived once: see child.h. */
#include "child.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>

struct child *child;
struct log child_log;
static int fd;

void children_begin(void)
{
	make_program(CHILD_PROGRAM);
	child = mmap(NULL, sizeof(*child), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (child == MAP_FAILED)
		give_up("mmap");
	load_module("");
	fd = open_log(O_RDONLY | O_NONBLOCK);
}

void children_await(const pid_t *pids, size_t count)
{
	log_append_ended(&child_log, fd, pids, count);
}

void children_finish(void)
{
	struct bcos_status status;

	log_append(&child_log, fd, 0);
	status = status_of(fd);
	close(fd);
	log_check(&child_log, "all these lives");
	make_point(!status.unnamed, "no ID was used without a name (%llu)", (unsigned long long)status.unnamed);
	unload_module();
}

void child_forget(void)
{
	memset(child, 0, sizeof(*child));
}

pid_t own_tid(void)
{
	return (pid_t)syscall(SYS_gettid);
}

void add_tid(pid_t tid)
{
	int at = __atomic_fetch_add(&child->count, 1, __ATOMIC_SEQ_CST);

	if (at < (int)ARRAY_SIZE(child->tids))
		child->tids[at] = tid;
}

void start_thread(void *(*body)(void *), void *argument)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, body, argument))
		give_up("pthread_create");
}

void *sleeping_thread(void *unused)
{
	add_tid(own_tid());
	for (;;)
		pause();
	return NULL;
}

void *burning_thread(void *unused)
{
	add_tid(own_tid());
	for (;;)
		burn_cpu(1000000);
	return NULL;
}

bool is_thread_dead(pid_t tid)
{
	char path[64], text[256], *end;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	if (read_file(path, text, sizeof(text)) <= 0)
		return true;
	end = strrchr(text, ')');
	return end && (end[2] == 'Z' || end[2] == 'X');
}

/* Is this ID, of a thread, the ID of a process in the log? */
static bool is_process(const struct lives *lives, pid_t id)
{
	size_t i;

	for (i = 0; i < lives->count; i++)
		if (lives->life[i].id == (uint32_t)id)
			return true;
	return false;
}

bool lived_once(pid_t pid, int names, uint32_t status, struct life *found)
{
	struct lives lives;
	int count = 0, threads = child->count, k;
	bool good = true;
	size_t i;

	memset(found, 0, sizeof(*found));
	log_append_ended(&child_log, fd, &pid, 1);
	lives = lives_of(&child_log);
	for (i = 0; i < lives.count; i++) {
		if (lives.life[i].id != (uint32_t)pid)
			continue;
		*found = lives.life[i];
		count++;
	}
	if (count != 1 || !found->dead || found->status != status ||
	    found->names != (uint32_t)names) {
		print_note("process %d: %d lives, %u names of %d, %s, status 0x%08x (0x%08x is right)",
			   pid, count, found->names, names, found->dead ? "ended" : "no end",
			   found->status, status);
		good = false;
	}
	for (k = 0; k < threads && k < (int)ARRAY_SIZE(child->tids); k++) {
		if (child->tids[k] == pid || !is_process(&lives, child->tids[k]))
			continue;
		print_note("thread %d of process %d is a process in the log", child->tids[k], pid);
		good = false;
	}
	lives_free(&lives);
	return good;
}

struct life child_lives(const char *what, void (*body)(void *), int names, bool user)
{
	struct life life;
	int status;
	pid_t pid;

	child_forget();
	pid = spawn_child(body, NULL);
	status = reap_child(pid, NULL);
	if (WIFEXITED(status) && WEXITSTATUS(status) == CHILD_UNAVAILABLE) {
		skip_point("this kernel has no such thing", "%s", what);
		memset(&life, 0, sizeof(life));
		return life;
	}
	make_point(lived_once(pid, names, termination_of(status, user), &life),
		   "%s: one life, wait status 0x%x", what, status);
	return life;
}
