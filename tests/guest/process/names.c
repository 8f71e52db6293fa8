// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Names of 15 bytes, empty names, and names of bad UTF-8, by prctl() and through /proc/PID/comm. Each exec writes a
 * name, and a rename of another thread than the leader writes none.
 *
 * guest: cpus=2 timeout=60 also=6.1
 * guest: cpus=2 timeout=60 engine=bpf
 */
#include "lib.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define BAD "\xef\xbf\xbd"	/* U+FFFD */
#define BAD5 BAD BAD BAD BAD BAD

static const struct name {
	const char *what;
	const char *set;	/* what prctl() gets */
	const char *logged;
} names[] = {
	{ "plain", "plain name", "plain name" },
	{ "15 bytes", "fifteen bytes..", "fifteen bytes.." },
	{ "16 bytes are cut by the kernel", "sixteen bytes...", "sixteen bytes.." },
	{ "empty", "", "?" },
	{ "UTF-8", "gr\xc3\xbc\xc3\x9f \xe2\x82\xac\xf0\x9f\x8d\xb0",
	  "gr\xc3\xbc\xc3\x9f \xe2\x82\xac\xf0\x9f\x8d\xb0" },
	{ "a character cut after 15 bytes", "fourteen bytes\xc3\xbc", "fourteen bytes" BAD },
	{ "bytes that are never valid", "a\xff\xfe" "b", "a" BAD BAD "b" },
	{ "15 bad bytes", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", BAD5 BAD5 BAD5 },
	{ "continuation alone", "\x80x", BAD "x" },
	{ "overlong form", "\xc0\xafx", BAD BAD "x" },
	{ "surrogate", "\xed\xa0\x80x", BAD BAD BAD "x" },
	{ "above U+10FFFF", "\xf4\x90\x80\x80x", BAD BAD BAD BAD "x" },
	{ "cut in the middle", "\xe2\x82x", BAD BAD "x" },
	{ "control characters and spaces", "\t\x01 \x7f ", "\t\x01 \x7f " },
};

static struct log everything;
static int fd;

/* Takes all the names, one after another. */
static void takes_names(void *unused)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		prctl(PR_SET_NAME, names[i].set);
}

static void set_comm(pid_t tid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d/comm", tid);
	if (!write_file(path, "%s", name))
		give_up("%s", path);
}

static void *renames_leader(void *unused)
{
	set_comm(getpid(), "by a thread");
	return NULL;
}

/* The kernel lets only threads of the same process write there. */
static void renamed_by_thread(void *unused)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, renames_leader, NULL) || pthread_join(thread, NULL))
		give_up("thread");
}

static void *renames_itself(void *unused)
{
	prctl(PR_SET_NAME, "not the leader");
	set_comm((pid_t)syscall(SYS_gettid), "nor here");
	return NULL;
}

static void renames_thread(void *unused)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, renames_itself, NULL) || pthread_join(thread, NULL))
		give_up("thread");
}

static void execs_same_name(void *unused)
{
	execl("./names", "names", "again", NULL);
	give_up("exec");
}

/* Collects the names of this process in order, with that of its birth. Return: their number. */
static int collect_names(pid_t pid, const char **texts, int limit)
{
	const struct bcos_entry *entry = NULL;
	int count = 0;

	log_append_ended(&everything, fd, &pid, 1);
	while ((entry = entry_find(&everything, entry, BCOS_SET_PROCESS_NAME, (uint32_t)pid))) {
		if (count < limit)
			texts[count] = strdup(entry_text(entry));
		count++;
	}
	return count;
}

static void test_prctl(void)
{
	const char *texts[ARRAY_SIZE(names) + 1] = { NULL };
	pid_t pid = spawn_child(takes_names, NULL);
	int count, i;

	reap_child(pid, NULL);
	count = collect_names(pid, texts, ARRAY_SIZE(texts));
	make_point(count == ARRAY_SIZE(texts), "a birth and %zu renames are %d names", ARRAY_SIZE(names),
		   count);
	for (i = 0; i < (int)ARRAY_SIZE(names); i++)
		make_point(texts[i + 1] && !strcmp(texts[i + 1], names[i].logged), "%s: \"%s\"",
			   names[i].what, texts[i + 1] ? texts[i + 1] : "");
}

static void test_proc(void)
{
	const char *texts[2] = { NULL };
	pid_t pid = spawn_child(renamed_by_thread, NULL);
	int count;

	reap_child(pid, NULL);
	count = collect_names(pid, texts, 2);
	make_point(count == 2 && !strcmp(texts[1], "by a thread"), "a name through /proc/PID/comm: \"%s\"",
		   texts[1] ? texts[1] : "");
}

static void test_thread(void)
{
	const char *texts[1];
	pid_t pid = spawn_child(renames_thread, NULL);
	int count;

	reap_child(pid, NULL);
	count = collect_names(pid, texts, 1);
	make_point(count == 1, "the name of another thread is not the process's (%d names)", count);
}

static void test_exec(void)
{
	const char *texts[3] = { NULL };
	pid_t pid = spawn_child(execs_same_name, NULL);
	int status = reap_child(pid, NULL), count = collect_names(pid, texts, 3);

	make_point(WIFEXITED(status) && WEXITSTATUS(status) == 5, "it execs twice and exits");
	make_point(count == 3 && !strcmp(texts[1], "names") && !strcmp(texts[2], "names"),
		   "a birth and two execs under the same name are %d names", count);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "again"))
		execl("./names", "names", "end", NULL);
	if (argc == 2 && !strcmp(argv[1], "end"))
		return 5;
	load_module("");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	test_prctl();
	test_proc();
	test_thread();
	test_exec();
	log_append(&everything, fd, 0);
	close(fd);
	log_check(&everything, "all these names");
	unload_module();
	return finish_test();
}
