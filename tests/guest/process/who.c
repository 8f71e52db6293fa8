// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The log tells who caused an event: the sender of a deadly signal, the parent of a birth, and the program of an exec.
 * The test expects what it did itself: which process sent which signal, as which user, to which process; which process
 * is the parent of which; and which program was run, with which arguments, and where.
 *
 * guest: cpus=2 timeout=120:300 also=6.12-rt
 * guest: cpus=2 timeout=120:300 engine=bpf
 */
#include "lib.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "bcoslog_who.h"

#define KILLER "the \"killer\"\n"

static struct log taken;
static int log_fd;

/* ---- what the log says ---------------------------------------------------------- */

/* Returns the texts of the events of this ID about @pid, one on each line, or "". *@entry is the last of the events. */
static const char *told(pid_t pid, uint32_t event, const struct bcos_entry **entry)
{
	static char text[4096];
	const struct bcos_entry *at = NULL;

	text[0] = '\0';
	while ((at = entry_find(&taken, at, BCOS_GENERIC_PROCESS, (uint32_t)pid))) {
		if (((const struct bcos_generic *)at)->event_id != event)
			continue;
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", text[0] ? "\n" : "",
			 entry_text(at));
		if (entry)
			*entry = at;
	}
	return text;
}

static bool is_told(pid_t pid, uint32_t event, const char *expected)
{
	const char *text = told(pid, event, NULL);

	if (!strcmp(text, expected))
		return true;
	note("the log says: %s", text);
	note("what was done: %s", expected);
	return false;
}

static void take(pid_t pid)
{
	log_append_ended(&taken, log_fd, &pid, 1);
}

/* ---- deaths ------------------------------------------------------------------------ */

static volatile int *ready;

static void waits(void *unused)
{
	*ready = 1;
	for (;;)
		pause();
}

static void faults(void *unused)
{
	*(volatile int *)NULL = 0;
}

static pid_t victim(void)
{
	pid_t pid;

	*ready = 0;
	pid = spawn(waits, NULL);
	WAIT_FOR(*ready);
	return pid;
}

struct order {
	pid_t victim;
	int number;
	uid_t user;
	bool queue;
};

static void kills(void *argument)
{
	const struct order *order = argument;
	union sigval value = { 0 };

	prctl(PR_SET_NAME, KILLER);
	/*
	 * The real user ID counts for the log. The effective one stays root's, since other users may only signal their
	 * own processes.
	 */
	if (syscall(SYS_setresuid, order->user, 0, 0))
		die("setresuid");
	if (order->queue ? sigqueue(order->victim, order->number, value) : kill(order->victim, order->number))
		die("kill");
}

static void judge_kill(int number, uid_t user, bool queue)
{
	const struct bcos_entry *event = NULL;
	struct order order = { victim(), number, user, queue };
	pid_t killer = spawn(kills, &order);
	char expected[200];
	int status = reap(order.victim, NULL);

	reap(killer, NULL);
	take(order.victim);
	snprintf(expected, sizeof(expected), "signal %d code %d from process %d user %u \"" KILLER "\"", number,
		 queue ? -1 : 0, killer, user);
	ok(WTERMSIG(status) == number && is_told(order.victim, BCOS_EVENT_KILLED, expected),
	   "killed by user %u with signal %d", user, number);
	told(order.victim, BCOS_EVENT_KILLED, &event);
	event = event ? entry_after(&taken, event) : NULL;
	ok(event && event->type == BCOS_CANCEL_PROCESS_NAME && event->source == (uint32_t)order.victim,
	   "its end follows at once");
}

static void test_killed(void)
{
	char expected[100];
	pid_t pid;

	judge_kill(SIGKILL, 0, false);
	judge_kill(SIGTERM, 1234, false);
	judge_kill(40, 4294967294u, true);
	pid = spawn(faults, NULL);
	reap(pid, NULL);
	take(pid);
	snprintf(expected, sizeof(expected), "signal 11 code %d from kernel", SEGV_MAPERR);
	ok(is_told(pid, BCOS_EVENT_KILLED, expected), "killed by a fault");
}

/* ---- births ------------------------------------------------------------------------- */

static void names_itself(void *name)
{
	prctl(PR_SET_NAME, name);
}

static bool has_parent(pid_t child, pid_t parent, const char *name)
{
	char expected[100];

	take(child);
	snprintf(expected, sizeof(expected), "parent %d \"%s\"", parent, name);
	return is_told(child, BCOS_EVENT_PARENT, expected);
}

static volatile pid_t *born;

/* Makes a child by the bare call. With CLONE_PARENT it is a child of the caller's parent. */
static pid_t bear(unsigned long flags)
{
	pid_t pid = (pid_t)syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);

	if (pid < 0)
		die("clone");
	if (!pid)
		_exit(0);
	return pid;
}

static void *bears(void *flags)
{
	*born = bear((unsigned long)flags);
	return NULL;
}

static void bears_sibling(void *unused)
{
	*born = bear(CLONE_PARENT);
}

static void bears_in_thread(void *unused)
{
	pthread_t thread;

	names_itself((void *)"leader");
	if (pthread_create(&thread, NULL, bears, NULL) || pthread_join(thread, NULL))
		die("thread");
	reap(*born, NULL);
}

static void test_parents(void)
{
	char name[64];
	pid_t pid;

	prctl(PR_GET_NAME, name);
	pid = spawn(names_itself, (void *)"child");
	reap(pid, NULL);
	ok(has_parent(pid, getpid(), name), "the parent of a fork");
	pid = spawn(bears_in_thread, NULL);
	reap(pid, NULL);
	ok(has_parent(*born, pid, "leader"), "a thread bears: the parent is its process");
	pid = spawn(bears_sibling, NULL);
	reap(pid, NULL);
	reap(*born, NULL);
	ok(has_parent(*born, getpid(), name), "CLONE_PARENT: the parent is the caller's");
}

/* ---- programs ----------------------------------------------------------------------- */

#define PROGRAM "/tmp/who program"
#define SCRIPT "/tmp/who.sh"
#define SECRET "/tmp/who-secret"
#define CGROUPS "/sys/fs/cgroup"
/* Bytes of a path, as DESIGN.md says. */
#define PATH_KEPT 255

struct program {
	const char *path;
	char *const *arguments;
	uid_t user;
	const char *cgroup;	/* the group that it joins first; NULL: none */
};

static void executes(void *argument)
{
	const struct program *program = argument;

	if (program->cgroup && !write_file(program->cgroup, "0"))
		die("%s", program->cgroup);
	if (program->user && setuid(program->user))
		die("setuid");
	execv(program->path, program->arguments);
	die("%s", program->path);
}

/* Return: the parsed text about the program of a process; NULL if the log has none or several. */
static const struct bcoslog_exec *executed(const struct program *program)
{
	static struct bcoslog_exec exec;
	pid_t pid = spawn(executes, (void *)program);
	const struct bcos_entry *event = NULL;
	const char *text;

	reap(pid, NULL);
	take(pid);
	text = told(pid, BCOS_EVENT_EXEC, &event);
	if (event && !bcoslog_exec(&exec, text, strlen(text)))
		return &exec;
	note("the log says: %s", text);
	return NULL;
}

/* Does the event have exactly these arguments? */
static bool has_arguments(const struct bcoslog_exec *exec, const char *const *expected)
{
	unsigned int i;

	if (!exec)
		return false;
	for (i = 0; i < exec->count && expected[i] && !strcmp(exec->argument[i], expected[i]); i++)
		;
	if (exec->told && !exec->cut && i == exec->count && !expected[i])
		return true;
	note("argument %u of %u is %s", i, exec->count, i < exec->count ? exec->argument[i] : "missing");
	return false;
}

/* Returns the path of this process' group in the hierarchy of cgroup version 2, as the kernel has it. */
static const char *own_cgroup(void)
{
	static char path[300];
	char text[1000], *at;

	path[0] = '\0';
	if (read_file("/proc/self/cgroup", text, sizeof(text)) > 0 && (at = strstr(text, "0::")))
		snprintf(path, sizeof(path), "%.*s", (int)strcspn(at + 3, "\n"), at + 3);
	return path;
}

static void test_arguments(void)
{
	static char *const hostile[] = { "who", "a b", "", "line\nfeed\t", "\"quoted\\\"", "caf\xC3\xA9", "\xFF\xC3",
					 NULL };
	static const char *const cleaned[] = { "who", "a b", "", "line\nfeed\t", "\"quoted\\\"", "caf\xC3\xA9",
					       "\xEF\xBF\xBD\xEF\xBF\xBD", NULL };
	static char longest[4097];
	char *const many[] = { "who", longest, "more", NULL };
	struct program program = { PROGRAM, hostile, 0, NULL };
	const struct bcoslog_exec *exec = executed(&program);

	ok(exec && !strcmp(exec->path, PROGRAM) && !exec->user && !exec->path_cut, "path and user of a program");
	ok(has_arguments(exec, cleaned),
	   "its arguments: empty, quoted, with control characters, UTF-8 and what is none");
	if (own_cgroup()[0])
		ok(exec && exec->cgroup && !strcmp(exec->cgroup, own_cgroup()), "its group: %s", own_cgroup());
	else
		skip("no control groups of the second version here", "its group");
	program.user = 4294967294u;
	exec = executed(&program);
	ok(exec && exec->user == 4294967294u, "user 4294967294");
	memset(longest, 'x', sizeof(longest) - 1);
	program = (struct program){ PROGRAM, many, 0, NULL };
	exec = executed(&program);
	ok(exec && exec->cut && exec->count == 2 && strlen(exec->argument[1]) > 500 &&
	   strspn(exec->argument[1], "x") == strlen(exec->argument[1]),
	   "of 4 KiB of arguments there is the beginning, and that there was more");
}

static void test_script(void)
{
	static char *const given[] = { "zero", "one", NULL };
	static const char *const expected[] = { PROGRAM, "-x", SCRIPT, "one", NULL };
	struct program program = { SCRIPT, given, 0, NULL };
	const struct bcoslog_exec *exec;
	int fd = open(SCRIPT, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);

	/* The path of a script's interpreter cannot have a space. */
	if (fd < 0 || dprintf(fd, "#!/tmp/who-link -x\n") < 0 || close(fd) ||
	    (symlink(PROGRAM, "/tmp/who-link") && errno != EEXIST))
		die(SCRIPT);
	exec = executed(&program);
	ok(exec && !strcmp(exec->path, SCRIPT), "path of a script");
	ok(exec && exec->count == 4 && !strcmp(exec->argument[0], "/tmp/who-link") &&
	   !strcmp(exec->argument[1], expected[1]) && !strcmp(exec->argument[2], SCRIPT) &&
	   !strcmp(exec->argument[3], "one"), "its arguments are those of what interprets it");
}

/* The log has no arguments of a program that has more rights than its user, or that its user may not read. */
static void test_secret(void)
{
	static char *const given[] = { "who", "password", NULL };
	struct program program = { SECRET, given, 1000, NULL };
	const struct bcoslog_exec *exec;

	make_program(SECRET);
	if (chmod(SECRET, 04755))
		die(SECRET);
	exec = executed(&program);
	ok(exec && !exec->told && !exec->count && exec->user == 1000 && !strcmp(exec->path, SECRET),
	   "no arguments of a program with its owner's rights");
	if (chmod(SECRET, 0711))
		die(SECRET);
	exec = executed(&program);
	ok(exec && !exec->told, "nor of one that its user may not read");
	program.user = 0;
	exec = executed(&program);
	ok(exec && exec->told && exec->count == 2, "but of one that is run by who may");
	if (by_engine())
		return;
	write_file("/sys/module/bcos_evlog/parameters/who_args", "0");
	exec = executed(&program);
	ok(exec && !exec->told, "who_args=0: no arguments at all");
	write_file("/sys/module/bcos_evlog/parameters/who_args", "1");
}

/* A link to the program whose path has @length bytes. Is the path in the log, or its beginning if it is too long? */
static void judge_path(size_t length)
{
	static char *const given[] = { "who", NULL };
	struct program program = { NULL, given, 0, NULL };
	const struct bcoslog_exec *exec;
	char path[300];

	memset(path, 'p', length);
	memcpy(path, "/tmp/", 5);
	path[length] = '\0';
	if (symlink(PROGRAM, path))
		die("%s", path);
	program.path = path;
	exec = executed(&program);
	ok(exec && strlen(exec->path) == PATH_KEPT && !strncmp(exec->path, path, PATH_KEPT) &&
	   exec->path_cut == (length > PATH_KEPT), "of a path of %zu bytes there are %d", length, PATH_KEPT);
	unlink(path);
}

#define DEEP "/first/second level/\xC3\xA4"

/* A group whose path is longer than what is kept, and the last two levels of which have names of @length bytes. */
static void judge_long_cgroup(size_t length, int levels_kept)
{
	static char *const given[] = { "who", NULL };
	char path[1200] = CGROUPS, procs[1220], name[256];
	struct program program = { PROGRAM, given, 0, procs };
	const struct bcoslog_exec *exec;
	const char *end;
	int level;

	for (level = 0; level < 4; level++) {
		memset(name, 'a' + level, sizeof(name));
		snprintf(path + strlen(path), sizeof(path) - strlen(path), "/%.*s", (int)length, name);
		if (mkdir(path, 0755))
			die("%s", path);
	}
	snprintf(procs, sizeof(procs), "%s/cgroup.procs", path);
	exec = executed(&program);
	end = path + strlen(path) - (size_t)levels_kept * (length + 1);
	ok(exec && exec->cgroup && !strcmp(exec->cgroup, end) && exec->cgroup_cut,
	   "of a group of four names of %zu bytes there are the last %d", length, levels_kept);
	for (; level > 0; level--) {
		rmdir(path);
		*strrchr(path, '/') = '\0';
	}
}

static void test_cgroup(void)
{
	static char *const given[] = { "who", NULL };
	struct program program = { PROGRAM, given, 0, CGROUPS DEEP "/cgroup.procs" };
	const struct bcoslog_exec *exec;

	mkdir(CGROUPS, 0755);
	if (access(CGROUPS "/cgroup.procs", F_OK) && mount("cgroup2", CGROUPS, "cgroup2", 0, NULL)) {
		skip("no control groups of the second version here", "a child's group");
		return;
	}
	if (mkdir(CGROUPS "/first", 0755) || mkdir(CGROUPS "/first/second level", 0755) || mkdir(CGROUPS DEEP, 0755))
		die(CGROUPS DEEP);
	exec = executed(&program);
	ok(exec && exec->cgroup && !strcmp(exec->cgroup, DEEP) && !exec->cgroup_cut, "a group in a group in a group");
	judge_long_cgroup(100, 2);
	/* 254 bytes are kept; the name after them has 128. */
	judge_long_cgroup(126, 2);
	judge_long_cgroup(127, 1);
	judge_long_cgroup(254, 1);
	rmdir(CGROUPS DEEP);
	rmdir(CGROUPS "/first/second level");
	rmdir(CGROUPS "/first");
}

/* While the classes are off, the log has none of these events. */
static void test_off(void)
{
	static char *const given[] = { "who", NULL };
	struct program program = { PROGRAM, given, 0, NULL };
	struct order order = { 0, SIGKILL, 0, false };
	pid_t pid, killer;

	if (by_engine())
		return;
	write_file("/sys/module/bcos_evlog/parameters/mask", "0x1f");
	order.victim = victim();
	killer = spawn(kills, &order);
	reap(order.victim, NULL);
	reap(killer, NULL);
	pid = spawn(executes, &program);
	reap(pid, NULL);
	take(pid);
	take(order.victim);
	ok(is_told(order.victim, BCOS_EVENT_KILLED, "") && is_told(pid, BCOS_EVENT_PARENT, "") &&
	   is_told(pid, BCOS_EVENT_EXEC, ""), "while the class is off there is none of it");
	write_file("/sys/module/bcos_evlog/parameters/mask", "0x61f");
	ok(executed(&program), "and when it is on again, there is");
}

int main(void)
{
	ready = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (ready == MAP_FAILED)
		die("mmap");
	born = ready + 1;
	make_program(PROGRAM);
	load("mask=0x61f");
	log_fd = open_log(O_RDONLY | O_NONBLOCK);
	test_killed();
	test_parents();
	test_arguments();
	test_script();
	test_secret();
	judge_path(PATH_KEPT);
	judge_path(PATH_KEPT + 1);
	test_cgroup();
	test_off();
	log_check(&taken, "who");
	log_free(&taken);
	close(log_fd);
	unload();
	return finish();
}
