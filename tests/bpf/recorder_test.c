// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What a program that records by BPF keeps of its own: its children, its descriptors, what libbpf says to it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bcoslog_bpf.h"

#define PROGRAMS_MAX 256

static struct bcoslog *open_log(void)
{
	struct bcoslog_bpf options = { .size = sizeof(options) };
	struct bcoslog_error error;
	struct bcoslog *log;

	if (bcoslog_open_bpf(&log, &options, BCOSLOG_FOLLOW, &error)) {
		fail_msg("%s", error.text);
		return NULL;
	}
	return log;
}

/* ---- which programs the kernel has of us ------------------------------------------------ */

struct programs {
	uint32_t id[PROGRAMS_MAX];
	size_t count;
};

static void add_program(struct programs *programs, const char *path)
{
	FILE *file = fopen(path, "re");
	char line[256];
	unsigned int id;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "prog_id: %u", &id) == 1 && programs->count < PROGRAMS_MAX)
			programs->id[programs->count++] = id;
	if (file)
		fclose(file);
}

static void each_in(const char *path, const char *behind, struct programs *programs)
{
	DIR *folder = opendir(path);
	const struct dirent *entry;
	char inner[1024];

	while (folder && (entry = readdir(folder))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(inner, sizeof(inner), "%s/%s%s", path, entry->d_name, behind);
		if (*behind)
			each_in(inner, "", programs);
		else
			add_program(programs, inner);
	}
	if (folder)
		closedir(folder);
}

/* Those that a thread of this process holds, whether in common descriptors or in its own. */
static struct programs our_programs(void)
{
	struct programs programs = { .count = 0 };

	each_in("/proc/self/task", "/fdinfo", &programs);
	return programs;
}

#define COMMAND_GET_FD_BY_ID 13

static bool is_loaded(uint32_t id)
{
	struct {
		uint32_t id, next, flags, token;
	} which = { .id = id };
	long fd = syscall(SYS_bpf, COMMAND_GET_FD_BY_ID, &which, sizeof(which));

	if (fd >= 0)
		close((int)fd);
	return fd >= 0;
}

/* The kernel lets go of them when nobody can be running them any more. */
static bool are_unloaded(const struct programs *programs)
{
	size_t i;
	int tries;

	for (i = 0; i < programs->count; i++) {
		for (tries = 0; is_loaded(programs->id[i]); tries++) {
			if (tries == 300)
				return false;
			usleep(100000);
		}
	}
	return true;
}

/* ---- tests ---------------------------------------------------------------------------------- */

struct child {
	pid_t id;
	int hold;
};

/* It lives until it is let go, and runs no other program. */
static struct child begin_child(void)
{
	struct child child;
	int ends[2];
	char c;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	child.id = fork();
	assert_true(child.id >= 0);
	if (!child.id) {
		close(ends[1]);
		_exit(read(ends[0], &c, 1) != 0);
	}
	close(ends[0]);
	child.hold = ends[1];
	return child;
}

static void end_child(struct child *child)
{
	int status;

	close(child->hold);
	assert_int_equal(waitpid(child->id, &status, 0), child->id);
	assert_int_equal(status, 0);
}

static void test_close_ends_it_although_a_child_lives(void **state)
{
	struct bcoslog *log = open_log();
	struct programs programs = our_programs();
	struct child child;

	(void)state;
	assert_true(programs.count > 5);
	child = begin_child();
	bcoslog_close(log);
	assert_true(are_unloaded(&programs));
	end_child(&child);
}

static void test_stop_ends_it_although_a_child_lives(void **state)
{
	struct bcoslog *log = open_log();
	struct programs programs = our_programs();
	struct bcoslog_batch batch;
	struct child child;

	(void)state;
	child = begin_child();
	assert_int_equal(bcoslog_stop_bpf(log), 0);
	assert_true(are_unloaded(&programs));
	/* The log is still there. */
	assert_int_equal(bcoslog_batch(log, &batch), 1);
	bcoslog_close(log);
	end_child(&child);
}

static void *closer(void *log)
{
	bcoslog_close(log);
	return NULL;
}

static void test_close_in_another_thread(void **state)
{
	struct bcoslog *log = open_log();
	struct programs programs = our_programs();
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, closer, log), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_true(are_unloaded(&programs));
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* Who waits for the end of a pipe is not kept waiting by the recorder. */
static void test_descriptors_are_not_kept(void **state)
{
	struct bcoslog *log;
	int ends[2], before[3], i;
	char c;

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	log = open_log();
	close(ends[1]);
	alarm(60);
	assert_int_equal(read(ends[0], &c, 1), 0);
	alarm(0);
	close(ends[0]);
	bcoslog_close(log);
	/* Nor does one that began and ended leave any behind, or close another's. */
	for (i = 0; i < 3; i++)
		before[i] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	bcoslog_close(open_log());
	for (i = 0; i < 3; i++) {
		assert_true(is_open(before[i]));
		close(before[i]);
	}
}

/* The descriptors that the program may have are all in use but a few. */
static void test_few_descriptors(void **state)
{
	struct rlimit before, few = { .rlim_cur = 64 };
	struct bcoslog_bpf options = { .size = sizeof(options) };
	struct bcoslog_error error;
	struct bcoslog *log;
	int taken[64], count = 0, left, fd;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few.rlim_max = before.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	while (count < 64 && (fd = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
		taken[count++] = fd;
	assert_int_equal(errno, EMFILE);
	/* From none on to as many as it takes. */
	for (left = 0;; left++) {
		errno = 0;
		if (!bcoslog_open_bpf(&log, &options, 0, &error))
			break;
		assert_null(log);
		assert_non_null(strstr(error.text, "descriptor"));
		assert_true(count > 0);
		close(taken[--count]);
	}
	assert_true(left <= 8);
	bcoslog_close(log);
	while (count)
		close(taken[--count]);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

/* ---- what libbpf says --------------------------------------------------------------------- */

/* As libbpf declares it; this is not linked where there is no BPF engine. */
typedef int (*print_t)(int level, const char *format, va_list arguments);
extern print_t libbpf_set_print(print_t print) __attribute__((weak));

static int our_print(int level, const char *format, va_list arguments)
{
	(void)level, (void)format, (void)arguments;
	return 0;
}

static void *open_and_close(void *unused)
{
	bcoslog_close(open_log());
	return unused;
}

static void test_print_is_the_programs(void **state)
{
	pthread_t thread[2];
	struct bcoslog *log;
	int i;

	(void)state;
	libbpf_set_print(our_print);
	log = open_log();
	assert_ptr_equal(libbpf_set_print(our_print), our_print);
	bcoslog_close(log);
	assert_ptr_equal(libbpf_set_print(our_print), our_print);
	/* Nor by two that begin and end together. */
	for (i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, open_and_close, NULL), 0);
	for (i = 0; i < 2; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
	assert_ptr_equal(libbpf_set_print(NULL), our_print);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_close_ends_it_although_a_child_lives),
		cmocka_unit_test(test_stop_ends_it_although_a_child_lives),
		cmocka_unit_test(test_close_in_another_thread),
		cmocka_unit_test(test_descriptors_are_not_kept),
		cmocka_unit_test(test_few_descriptors),
		cmocka_unit_test(test_print_is_the_programs),
	};
	struct bcoslog_bpf options = { .size = sizeof(options) };
	struct bcoslog_error error;
	struct bcoslog *log;

	if (bcoslog_open_bpf(&log, &options, 0, &error)) {
		puts(error.text);
		return 77;
	}
	bcoslog_close(log);
	return cmocka_run_group_tests_name("recorder", tests, NULL, NULL);
}
