// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A temporary folder, which goes with the process that made it, however that ends. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "printed.h"
#include "record/folder.h"

static char parent[64];

static int begin_parent(void **state)
{
	strcpy(parent, "/tmp/folder-test.XXXXXX");
	if (!mkdtemp(parent))
		return -1;
	return setenv("TMPDIR", parent, 1);
}

static int end_parent(void **state)
{
	return rmdir(parent);
}

static bool is_empty(void)
{
	DIR *directory = opendir(parent);
	struct dirent *entry;
	unsigned int count = 0;

	assert_non_null(directory);
	while ((entry = readdir(directory)))
		count += entry->d_name[0] != '.';
	closedir(directory);
	return !count;
}

/* Waits until nothing is left, for as long as that takes. */
static void wait_for_nothing(void)
{
	struct timespec moment = { .tv_nsec = 10000000 };

	while (!is_empty())
		nanosleep(&moment, NULL);
}

static void make_file(const struct folder *folder, const char *name)
{
	char path[sizeof(folder->path) + 32];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder->path, name);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	assert_true(fd >= 0);
	close(fd);
}

static void it_is_made_and_removed(void **state)
{
	struct folder folder;
	struct stat stat_of;

	assert_int_equal(folder_make(&folder, "name"), 0);
	assert_memory_equal(folder.path, parent, strlen(parent));
	assert_memory_equal(folder.path + strlen(parent), "/name.", 6);
	assert_int_equal(strlen(folder.path), strlen(parent) + 12);
	assert_int_equal(stat(folder.path, &stat_of), 0);
	assert_int_equal(stat_of.st_mode, S_IFDIR | 0700);
	make_file(&folder, "one");
	make_file(&folder, ".two");
	folder_remove(&folder);
	assert_true(is_empty());
	/* Its process is gone, too. */
	assert_int_equal(waitpid(folder.keeper, NULL, 0), -1);
}

static void without_such_a_directory_it_is_in_tmp(void **state)
{
	struct folder folder;

	setenv("TMPDIR", "", 1);
	assert_int_equal(folder_make(&folder, "name"), 0);
	assert_memory_equal(folder.path, "/tmp/name.", 10);
	folder_remove(&folder);
	unsetenv("TMPDIR");
	assert_int_equal(folder_make(&folder, "name"), 0);
	assert_memory_equal(folder.path, "/tmp/name.", 10);
	folder_remove(&folder);
	assert_int_equal(access(folder.path, F_OK), -1);
}

static void what_is_wrong_is_told(void **state)
{
	struct folder folder;

	setenv("TMPDIR", "/nowhere", 1);
	assert_int_equal(folder_make(&folder, "name"), -ENOENT);
	assert_string_equal(folder.path, "/nowhere/name.XXXXXX");
	assert_int_equal(waitpid(folder.keeper, NULL, 0), -1);
}

/* Each of these signals comes to the whole group of the process that made it, as from a terminal. */
static void it_goes_with_its_maker(void **state)
{
	static const int signals[] = { SIGKILL, SIGTERM, SIGHUP, SIGINT };
	struct folder folder;
	int ends[2], status;
	char made;
	size_t i;
	pid_t maker;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		assert_int_equal(pipe(ends), 0);
		maker = fork();
		if (!maker) {
			setpgid(0, 0);
			signal(signals[i], SIG_DFL);
			made = folder_make(&folder, "name") ? 'n' : 'y';
			if (made == 'y')
				make_file(&folder, "file");
			if (write(ends[1], &made, 1) == 1)
				pause();
			_exit(1);
		}
		assert_int_equal(read(ends[0], &made, 1), 1);
		assert_int_equal(made, 'y');
		assert_false(is_empty());
		kill(-maker, signals[i]);
		assert_int_equal(waitpid(maker, &status, 0), maker);
		assert_int_equal(WTERMSIG(status), signals[i]);
		close(ends[0]);
		close(ends[1]);
		wait_for_nothing();
	}
}

/* A program that waits for the end of what the maker prints does not wait for the process that removes the folder. */
static void nobody_waits_for_its_keeper(void **state)
{
	struct folder folder;
	int ends[2], kept = dup(STDOUT_FILENO);
	char byte;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	fflush(stdout);
	assert_true(dup2(ends[1], STDOUT_FILENO) >= 0);
	close(ends[1]);
	assert_int_equal(folder_make(&folder, "name"), 0);
	assert_true(dup2(kept, STDOUT_FILENO) >= 0);
	close(kept);
	/* The keeper has the other end of the pipe neither as its output nor otherwise: this is its end. */
	assert_int_equal(read(ends[0], &byte, 1), 0);
	close(ends[0]);
	folder_remove(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(it_is_made_and_removed, begin_parent, end_parent),
		cmocka_unit_test_setup_teardown(without_such_a_directory_it_is_in_tmp, begin_parent, end_parent),
		cmocka_unit_test_setup_teardown(what_is_wrong_is_told, begin_parent, end_parent),
		cmocka_unit_test_setup_teardown(it_goes_with_its_maker, begin_parent, end_parent),
		cmocka_unit_test_setup_teardown(nobody_waits_for_its_keeper, begin_parent, end_parent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
