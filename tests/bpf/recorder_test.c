// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Recording by BPF does not disturb the program that records: its children, its descriptors, and its callback of
 * libbpf.
 */
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
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bcoslog_bpf.h"
#include "../../bpf/shared.h"
#include "reader/reader.h"

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

static void add_program(struct programs *programs, const char *path, const char *what)
{
	FILE *file = fopen(path, "re");
	char line[256], *end;
	unsigned long id;

	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, what, strlen(what)) != 0)
			continue;
		id = strtoul(line + strlen(what), &end, 10);
		if (*end == '\n' && programs->count < PROGRAMS_MAX)
			programs->id[programs->count++] = (uint32_t)id;
	}
	if (file)
		fclose(file);
}

static void each_in(const char *path, const char *behind, struct programs *programs, const char *what)
{
	DIR *folder = opendir(path);
	const struct dirent *entry;
	char inner[1024];

	while (folder && (entry = readdir(folder))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(inner, sizeof(inner), "%s/%s%s", path, entry->d_name, behind);
		if (*behind)
			each_in(inner, "", programs, what);
		else
			add_program(programs, inner, what);
	}
	if (folder)
		closedir(folder);
}

/* Returns the programs that a thread of this process holds, whether in common descriptors or in its own. */
static struct programs our_programs(void)
{
	struct programs programs = { .count = 0 };

	each_in("/proc/self/task", "/fdinfo", &programs, "prog_id:");
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

/* Waits until the kernel has let go of the programs, which it does when nobody can be running them any more. */
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

/* Begins a child, which lives until it is let go, and runs no other program. */
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

static void *close_log(void *log)
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
	assert_int_equal(pthread_create(&thread, NULL, close_log, log), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_true(are_unloaded(&programs));
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* The recorder does not hold the writing end of a pipe open. */
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
	/* A recording that begins and ends leaves no descriptor, and closes none of the program's. */
	for (i = 0; i < 3; i++)
		before[i] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	bcoslog_close(open_log());
	for (i = 0; i < 3; i++) {
		assert_true(is_open(before[i]));
		close(before[i]);
	}
}

/* All but a few of the descriptors that the program may have are in use. */
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
	/* The free descriptors are none at first, and then as many as recording takes. */
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

/* ---- what it is asked for ------------------------------------------------------------------- */

static void test_sizes(void **state)
{
	static const struct {
		uint32_t ring, staging;
		const char *says;
	} refused[] = {
		{ 255, 0, "the ring takes a number of KiB from 256 to 4194304, not 255" },
		{ 4194305, 0, "the ring takes a number of KiB from 256 to 4194304, not 4194305" },
		{ 0, 63, "the staging takes a number of KiB from 64 to 65536, not 63" },
		{ 0, 65537, "the staging takes a number of KiB from 64 to 65536, not 65537" },
	};
	struct bcoslog_bpf options = { .size = sizeof(options) };
	struct bcoslog_error error;
	struct bcoslog *log;
	uint64_t head = 0;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		options.ring_kb = refused[i].ring;
		options.staging_kb = refused[i].staging;
		assert_int_not_equal(bcoslog_open_bpf(&log, &options, 0, &error), 0);
		assert_null(log);
		assert_non_null(strstr(error.text, refused[i].says));
	}
	options.ring_kb = 256;
	options.staging_kb = 64;
	assert_int_equal(bcoslog_open_bpf(&log, &options, 0, &error), 0);
	/* The log has at least a group. */
	assert_int_equal(bcoslog_flush(log, (__u64 *)&head), 0);
	assert_true(head > 24);
	bcoslog_close(log);
}

/* ---- what the kernel does not say ----------------------------------------------------------- */

#define COMMAND_MAP_GET_FD_BY_ID 14
#define COMMAND_OBJ_GET_INFO_BY_FD 15

/* The structure of linux/bpf.h, up to the end of the name. */
struct map_info {
	uint32_t type, id, key_size, value_size, max_entries, flags;
	char name[16];
};

static int open_map(uint32_t id, struct map_info *info)
{
	struct {
		uint32_t id, next, flags, token;
	} which = { .id = id };
	struct {
		uint32_t fd, length;
		uint64_t info;
	} asked = { .length = sizeof(*info), .info = (uintptr_t)info };
	long fd = syscall(SYS_bpf, COMMAND_MAP_GET_FD_BY_ID, &which, sizeof(which));

	assert_true(fd >= 0);
	memset(info, 0, sizeof(*info));
	asked.fd = (uint32_t)fd;
	assert_int_equal(syscall(SYS_bpf, COMMAND_OBJ_GET_INFO_BY_FD, &asked, sizeof(asked)), 0);
	return (int)fd;
}

static int our_map(const char *name, struct map_info *info)
{
	struct programs maps = { .count = 0 };
	size_t i;
	int fd;

	each_in("/proc/self/task", "/fdinfo", &maps, "map_id:");
	for (i = 0; i < maps.count; i++) {
		fd = open_map(maps.id[i], info);
		if (!strcmp(info->name, name))
			return fd;
		close(fd);
	}
	fail_msg("there is no map %s", name);
	return -1;
}

/* Does the log by now state for each CPU that a switch was not seen?  Adds the number of such statements to @count. */
static bool states_unseen(struct bcoslog *log, uint64_t *cpus, unsigned int *count)
{
	const struct bcos_entry *entry;
	unsigned int lost, seconds, ns;
	struct bcoslog_batch batch;
	char text[200];
	const char *said;
	size_t length;

	assert_int_equal(bcoslog_flush(log, NULL), 0);
	while (bcoslog_batch(log, &batch) > 0) {
		bcoslog_each(entry, &batch) {
			if (entry->type != BCOS_GENERIC_CPU)
				continue;
			said = bcoslog_text(entry, &length);
			snprintf(text, sizeof(text), "%.*s", (int)length, said);
			if (sscanf(text, "lost %u assignments or more: the kernel told of no switch, since %u.%u s",
				   &lost, &seconds, &ns) != 3)
				continue;
			assert_true(lost > 0);
			*count += lost;
			*cpus &= ~(1ull << entry->source);
		}
	}
	return !*cpus;
}

static void mark_running(char *cpu, uint32_t mark)
{
	__atomic_store_n(&((struct bcos_bpf_cpu *)cpu)->running, mark, __ATOMIC_RELAXED);
}

/*
 * A kernel may run no program at a switch.  Here the programs are made to believe that a CPU was given to
 * another task than the one that leaves it.
 */
static void test_switches_that_are_not_seen_are_stated(void **state)
{
	struct bcoslog_bpf options = { .size = sizeof(options), .classes = BCOS_CLASS_ASSIGN };
	uint32_t cpus = (uint32_t)sysconf(_SC_NPROCESSORS_CONF), cpu;
	unsigned int count = 0, tries;
	struct bcoslog_error error;
	struct bcos_status status;
	struct map_info info;
	struct bcoslog *log;
	size_t stride, size;
	uint64_t left;
	char *memory;
	int fd;

	(void)state;
	if (cpus != (uint32_t)sysconf(_SC_NPROCESSORS_ONLN) || cpus > 63)
		skip();
	assert_int_equal(bcoslog_open_bpf(&log, &options, BCOSLOG_FOLLOW, &error), 0);
	fd = our_map("bcos_cpus", &info);
	stride = (info.value_size + 7) & ~(size_t)7;
	size = (stride * info.max_entries + 4095) & ~(size_t)4095;
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	left = (1ull << cpus) - 1;
	for (tries = 0; tries < 300 && !states_unseen(log, &left, &count); tries++) {
		/* The mark of no task is stored again and again, since a switch may just be storing another one. */
		for (cpu = 0; cpu < cpus; cpu++)
			if (left >> cpu & 1)
				mark_running(memory + cpu * stride, 1);
		usleep(10000);
	}
	assert_int_equal(left, 0);
	assert_int_equal(bcoslog_status(log, &status), 0);
	assert_true(status.lost[BCOS_LOST_NESTED] >= count);
	munmap(memory, size);
	close(fd);
	bcoslog_close(log);
}

/* ---- what libbpf says --------------------------------------------------------------------- */

/* The declaration is that of libbpf, which is not linked where there is no BPF engine. */
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
	/* Two recordings that begin and end at the same time do not change it, either. */
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
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_switches_that_are_not_seen_are_stated),
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
