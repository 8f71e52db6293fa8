// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The log tells which program a process executes: its path, arguments and control group, and the user. The test expects
 * what it did itself.
 *
 * guest: cpus=2 timeout=120:300 also=6.12-rt,6.1
 * guest: cpus=2 timeout=120:300 engine=bpf
 */
#include "lib.h"

#include <linux/sched.h>
#include <pthread.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "entry/who.h"

static struct log taken;
static int log_fd;

static void take_ended(pid_t pid)
{
	log_append_ended(&taken, log_fd, &pid, 1);
}

#define PROGRAM "/tmp/who program"
#define SCRIPT "/tmp/who.sh"
#define SECRET "/tmp/who-secret"
#define CGROUPS "/sys/fs/cgroup"
#define THREADS "/threads"
#define OLD_CGROUPS "/tmp/cpu"
/* Bytes of a path, as DESIGN.md says. */
#define PATH_KEPT 255

struct program {
	const char *path;
	char *const *arguments;
	uid_t user;
	const char *cgroup;	/* the group that it joins first; NULL: none */
};

static void execute_program(void *argument)
{
	const struct program *program = argument;

	if (program->cgroup && !write_file(program->cgroup, "0"))
		give_up("%s", program->cgroup);
	if (program->user && setuid(program->user))
		give_up("setuid");
	execv(program->path, program->arguments);
	give_up("%s", program->path);
}

/* Return: the parsed text about the program of a process; NULL if the log has none or several. */
static const struct bcoslog_exec *find_executed(const struct program *program)
{
	static struct bcoslog_exec exec;
	pid_t pid = spawn_child(execute_program, (void *)program);
	const struct bcos_entry *event = NULL;
	const char *text;

	reap_child(pid, NULL);
	take_ended(pid);
	text = event_texts(&taken, pid, BCOS_EVENT_EXEC, &event);
	if (event && !bcoslog_exec(&exec, text, strlen(text)))
		return &exec;
	print_note("the log says: %s", text);
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
	print_note("argument %u of %u is %s", i, exec->count, i < exec->count ? exec->argument[i] : "missing");
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
	const struct bcoslog_exec *exec = find_executed(&program);

	make_point(exec && !strcmp(exec->path, PROGRAM) && !exec->user && !exec->path_cut,
		   "path and user of a program");
	make_point(has_arguments(exec, cleaned),
		   "its arguments: empty, quoted, with control characters, UTF-8 and what is none");
	if (own_cgroup()[0])
		make_point(exec && exec->cgroup && !strcmp(exec->cgroup, own_cgroup()), "its group: %s", own_cgroup());
	else
		skip_point("no control groups of the second version here", "its group");
	program.user = 4294967294u;
	exec = find_executed(&program);
	make_point(exec && exec->user == 4294967294u, "user 4294967294");
	memset(longest, 'x', sizeof(longest) - 1);
	program = (struct program){ PROGRAM, many, 0, NULL };
	exec = find_executed(&program);
	make_point(exec && exec->cut && exec->count == 2 && strlen(exec->argument[1]) > 500 &&
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
		give_up(SCRIPT);
	exec = find_executed(&program);
	make_point(exec && !strcmp(exec->path, SCRIPT), "path of a script");
	make_point(exec && exec->count == 4 && !strcmp(exec->argument[0], "/tmp/who-link") &&
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
		give_up(SECRET);
	exec = find_executed(&program);
	make_point(exec && !exec->told && !exec->count && exec->user == 1000 && !strcmp(exec->path, SECRET),
		   "no arguments of a program with its owner's rights");
	if (chmod(SECRET, 0711))
		give_up(SECRET);
	exec = find_executed(&program);
	make_point(exec && !exec->told, "nor of one that its user may not read");
	program.user = 0;
	exec = find_executed(&program);
	make_point(exec && exec->told && exec->count == 2, "but of one that is run by who may");
	if (by_engine())
		return;
	write_file("/sys/module/bcos_evlog/parameters/who_args", "0");
	exec = find_executed(&program);
	make_point(exec && !exec->told, "who_args=0: no arguments at all");
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
		give_up("%s", path);
	program.path = path;
	exec = find_executed(&program);
	make_point(exec && strlen(exec->path) == PATH_KEPT && !strncmp(exec->path, path, PATH_KEPT) &&
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
			give_up("%s", path);
	}
	snprintf(procs, sizeof(procs), "%s/cgroup.procs", path);
	exec = find_executed(&program);
	end = path + strlen(path) - (size_t)levels_kept * (length + 1);
	make_point(exec && exec->cgroup && !strcmp(exec->cgroup, end) && exec->cgroup_cut,
		   "of a group of four names of %zu bytes there are the last %d", length, levels_kept);
	for (; level > 0; level--) {
		rmdir(path);
		*strrchr(path, '/') = '\0';
	}
}

/* Joins a group, has a child there, which does nothing, and leaves the group. */
static void move_about(void *argument)
{
	const char *procs = argument;

	if (!write_file(procs, "0"))
		give_up("%s", procs);
	if (!fork())
		_exit(0);
	wait(NULL);
	if (!write_file(CGROUPS "/cgroup.procs", "0"))
		give_up(CGROUPS);
}

/* Return: a child that begins in the group, does nothing, and has been reaped; -1 if the kernel cannot do this. */
static pid_t begin_in(const char *group)
{
	int fd = open(group, O_RDONLY | O_DIRECTORY);
	struct clone_args how = { .flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD, .cgroup = (uint64_t)fd };
	pid_t pid = (pid_t)syscall(SYS_clone3, &how, sizeof(how));

	if (!pid)
		_exit(0);
	close(fd);
	if (pid > 0)
		reap_child(pid, NULL);
	return pid;
}

/* Return: true if the log has exactly these texts about the groups of the process. */
static bool has_groups(pid_t pid, const char *expected)
{
	const char *texts = event_texts(&taken, pid, BCOS_EVENT_CGROUP, NULL);

	if (!strcmp(texts, expected))
		return true;
	print_note("the log says: %s", texts);
	return false;
}

static void test_moves(void)
{
	pid_t mover = spawn_child(move_about, CGROUPS DEEP "/cgroup.procs"), child;

	reap_child(mover, NULL);
	take_ended(mover);
	make_point(has_groups(mover, "cgroup \"" DEEP "\"\ncgroup \"/\""), "a process moves into a group, and out of it");
	child = begin_in(CGROUPS DEEP);
	if (child < 0)
		return skip_point("no clone3() with a group", "a child that begins in a group");
	take_ended(child);
	make_point(has_groups(child, "cgroup \"" DEEP "\""), "a child begins in a group that is not its parent's");
	make_point(has_groups(getpid(), "cgroup \"/\" read"), "the group of a process that was there before");
}

static void *have_child(void *child)
{
	if (!write_file(CGROUPS THREADS "/cgroup.threads", "0"))
		give_up(CGROUPS THREADS);
	*(pid_t *)child = fork();
	if (!*(pid_t *)child)
		_exit(0);
	return NULL;
}

/* A process is where its leader is, and a child begins where the thread is that forks. */
static void test_threads(void)
{
	pthread_t thread;
	pid_t child = 0;

	if (mkdir(CGROUPS THREADS, 0755) || !write_file(CGROUPS THREADS "/cgroup.type", "threaded"))
		give_up(CGROUPS THREADS);
	if (pthread_create(&thread, NULL, have_child, &child) || pthread_join(thread, NULL))
		give_up("a thread");
	reap_child(child, NULL);
	take_ended(child);
	make_point(has_groups(child, "cgroup \"" THREADS "\""), "a child of a thread that is in another group than the leader");
	rmdir(CGROUPS THREADS);
}

/* Where the controller cpu has a hierarchy of version 1, that one counts for whoever is at the root of version 2. */
static void test_both_versions(void)
{
	pid_t mover;

	mkdir(OLD_CGROUPS, 0755);
	if (mount("cgroup", OLD_CGROUPS, "cgroup", 0, "cpu")) {
		skip_point("no control groups of the first version here", "a group of version 1");
		return;
	}
	mover = spawn_child(move_about, CGROUPS DEEP "/cgroup.procs");
	reap_child(mover, NULL);
	take_ended(mover);
	make_point(has_groups(mover, "cgroup \"" DEEP "\"\ncgroup cpu \"/\""),
		   "whoever leaves a group of version 2 is in that of version 1");
	umount(OLD_CGROUPS);
}

static void test_cgroup(void)
{
	static char *const given[] = { "who", NULL };
	struct program program = { PROGRAM, given, 0, CGROUPS DEEP "/cgroup.procs" };
	const struct bcoslog_exec *exec;

	mkdir(CGROUPS, 0755);
	if (access(CGROUPS "/cgroup.procs", F_OK) && mount("cgroup2", CGROUPS, "cgroup2", 0, NULL)) {
		skip_point("no control groups of the second version here", "a child's group");
		return;
	}
	if (mkdir(CGROUPS "/first", 0755) || mkdir(CGROUPS "/first/second level", 0755) || mkdir(CGROUPS DEEP, 0755))
		give_up(CGROUPS DEEP);
	exec = find_executed(&program);
	make_point(exec && exec->cgroup && !strcmp(exec->cgroup, DEEP) && !exec->cgroup_cut,
		   "a group in a group in a group");
	test_moves();
	judge_long_cgroup(100, 2);
	/* 254 bytes are kept; the name after them has 128. */
	judge_long_cgroup(126, 2);
	judge_long_cgroup(127, 1);
	judge_long_cgroup(254, 1);
	test_threads();
	test_both_versions();
	rmdir(CGROUPS DEEP);
	rmdir(CGROUPS "/first/second level");
	rmdir(CGROUPS "/first");
}

/* While the class is off, the log has none of these events. */
static void test_off(void)
{
	static char *const given[] = { "who", NULL };
	struct program program = { PROGRAM, given, 0, NULL };
	pid_t pid;

	if (by_engine())
		return;
	write_file("/sys/module/bcos_evlog/parameters/mask", "0x1f");
	pid = spawn_child(execute_program, &program);
	reap_child(pid, NULL);
	take_ended(pid);
	make_point(!event_texts(&taken, pid, BCOS_EVENT_EXEC, NULL)[0], "while the class is off there is none of it");
	write_file("/sys/module/bcos_evlog/parameters/mask", "0x61f");
	make_point(find_executed(&program), "and when it is on again, there is");
}

int main(void)
{
	make_program(PROGRAM);
	load_module("mask=0x61f");
	log_fd = open_log(O_RDONLY | O_NONBLOCK);
	test_arguments();
	test_script();
	test_secret();
	judge_path(PATH_KEPT);
	judge_path(PATH_KEPT + 1);
	test_cgroup();
	test_off();
	log_check(&taken, "programs");
	log_free(&taken);
	close(log_fd);
	unload_module();
	return finish_test();
}
