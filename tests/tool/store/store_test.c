// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A recorder that has to wait: for its lock, for room on the disk, and what it says of that afterwards. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "log/run.h"
#include "printed.h"
#include "archive/format.h"
#include "made_recording.h"
#include "record/recording.h"
#include "record/store/store.h"

/* ---- the calls that fail, and time that does not pass ------------------------------------- */

/* With these errors the next calls of openat() that make a file fail; 0 ends the list. */
static const int *failures;
static unsigned int naps;
static struct timespec nap;
/* After so many naps, a signal comes, or somebody else gives back the lock. */
static unsigned int signal_after, unlock_after;
static int other_process = -1;

int openat(int directory, const char *path, int flags, ...)
{
	int (*next)(int, const char *, int, ...) = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat");

	if (flags & O_CREAT && failures && *failures) {
		errno = *failures++;
		return -1;
	}
	return next(directory, path, flags, 0640);
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
	nap = *time;
	naps++;
	if (naps == signal_after)
		run_signal = 15;
	if (naps == unlock_after) {
		kill(other_process, SIGKILL);
		waitpid(other_process, NULL, 0);
	}
	return 0;
}

static const struct store_limits limits = { .file_size = ~0ull, .file_age = ~0ull, .sync = ~0ull, .level = 1 };
static char folder[64];
static struct store *store;

static int begin_folder(void **state)
{
	strcpy(folder, "/tmp/store-test.XXXXXX");
	failures = NULL;
	naps = signal_after = unlock_after = 0;
	run_signal = 0;
	if (!mkdtemp(folder))
		return -1;
	store = store_open(folder, &limits);
	return store ? 0 : -1;
}

static int end_folder(void **state)
{
	struct dirent *entry;
	char path[400];
	DIR *all;

	store_close(store);
	all = opendir(folder);
	while (all && (entry = readdir(all))) {
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		unlink(path);
	}
	closedir(all);
	return rmdir(folder);
}

/* Return: what is said, with the folder as DIR. */
static const char *said_of(const char *format)
{
	static char text[512];

	snprintf(text, sizeof(text), format, folder, folder);
	return text;
}

/* ---- the lock ------------------------------------------------------------------------------- */

static const struct archive_header header = { .machine = { .host = "machine" } };

static bool store_begins(void)
{
	return store_begin(store, &header, NULL) == 0;
}

static void a_lock_on_a_full_disk_waits_for_room(void **state)
{
	failures = (const int []){ ENOSPC, EDQUOT, ENOSPC, 0 };
	assert_complains(said_of("bcoslog: there is no room left for %s: recording begins when there is some\n"),
			 store_begins());
	assert_int_equal(naps, 3);
	assert_int_equal(nap.tv_sec, 1);
	assert_int_equal(nap.tv_nsec, 0);
}

/* A signal that ends nothing is no reason to wait. */
static void an_interrupted_lock_is_tried_again(void **state)
{
	failures = (const int []){ EINTR, EINTR, ENOSPC, EINTR, 0 };
	assert_complains(said_of("bcoslog: there is no room left for %s: recording begins when there is some\n"),
			 store_begins());
	assert_int_equal(naps, 1);
}

static void other_errors_are_told(void **state)
{
	failures = (const int []){ EACCES, 0 };
	assert_complains(said_of("bcoslog: nothing can be written into %s: Permission denied\n"), !store_begins());
	assert_int_equal(naps, 0);
}

static void a_signal_ends_the_waiting(void **state)
{
	failures = (const int []){ ENOSPC, ENOSPC, ENOSPC, ENOSPC, 0 };
	signal_after = 2;
	assert_complains(said_of("bcoslog: there is no room left for %s: recording begins when there is some\n"
				 "bcoslog: nothing can be written into %s: No space left on device\n"),
			 !store_begins());
	assert_int_equal(naps, 2);
}

/* Another process takes the lock of this machine, and then keeps it. */
static void lock_elsewhere(void)
{
	int ends[2];
	char done;

	assert_int_equal(pipe(ends), 0);
	other_process = fork();
	if (!other_process) {
		struct store *other = store_open(folder, &limits);

		done = other && !store_begin(other, &header, NULL) ? 'y' : 'n';
		if (write(ends[1], &done, 1) == 1)
			pause();
		_exit(1);
	}
	assert_int_equal(read(ends[0], &done, 1), 1);
	assert_int_equal(done, 'y');
	close(ends[0]);
	close(ends[1]);
}

static void a_lock_of_another_recorder_is_tried_for_three_seconds(void **state)
{
	lock_elsewhere();
	assert_complains(said_of("bcoslog: somebody records into %s already: end that, or name another directory\n"),
			 !store_begins());
	assert_int_equal(naps, 30);
	assert_int_equal(nap.tv_sec, 0);
	assert_int_equal(nap.tv_nsec, 100000000);
	naps = 0;
	unlock_after = 29;
	assert_complains("", store_begins());
	assert_int_equal(naps, 29);
}

/* ---- a pause -------------------------------------------------------------------------------- */

static struct recording *recording;

static void record_entry(const struct bcos_entry *entry)
{
	struct bcoslog_batch batch = { .first = entry, .end = bcoslog_after(entry) };
	const struct bcos_entry *done = entry;

	assert_int_equal(recording_entries(recording, &batch, &done), 0);
	assert_ptr_equal(done, batch.end);
}

/* A notice that a reader missed something from @time to @until. */
static void record_notice(u64 time, u64 until)
{
	static u32 room[BCOS_ENTRY_MAX / 4];

	archive_put_notice(room, time, until, "missed 5 entries");
	record_entry((const struct bcos_entry *)room);
}

/* Asserts that the recording has this at this time, with this precision. */
static void assert_told(u64 time, u32 precision, const char *text)
{
	const struct bcos_entry *entry;
	struct bcoslog_error error;
	struct bcoslog *log;
	const char *told;
	size_t length;
	bool found = false;

	assert_int_equal(bcoslog_open(&log, folder, 0, &error), 0);
	while (bcoslog_next(log, &entry) > 0) {
		told = bcoslog_text(entry, &length);
		if (!told || entry->time != time || length != strlen(text) || memcmp(told, text, length))
			continue;
		assert_int_equal(entry->precision, precision);
		found = true;
	}
	bcoslog_close(log);
	assert_true(found);
}

/* Recording paused for 2.549... s, of which whole tenths are told, once. */
static void a_pause_is_told_with_what_was_missed(void **state)
{
	struct made made;
	unsigned int i;

	recording = recording_new(store, &header, true);
	assert_non_null(recording);
	for (i = 0; i < MADE_ENTRIES; i++)
		record_entry(made_entry_of(&made, i));
	record_notice(3000, 3900);
	record_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 4000, 0));
	recording_paused(recording, 1000000000, 3549999999);
	record_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 5000, 10));
	record_notice(6000, 6500);
	for (i = 0; i < 5; i++)
		record_entry(made_entry_of(&made, i));
	record_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 7000, 0));
	record_notice(8000, 8100);
	assert_int_equal(recording_time(recording), 8000);
	assert_int_equal(recording_finish(recording), 0);
	recording_free(recording);
	store_finish(store);
	assert_told(3000, 900, "missed 5 entries");
	assert_told(6000, 500, "missed 5 entries: recording paused for 2.5 s, since there was no room on the disk");
	assert_told(8000, 100, "missed 5 entries");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_lock_on_a_full_disk_waits_for_room, begin_folder, end_folder),
		cmocka_unit_test_setup_teardown(an_interrupted_lock_is_tried_again, begin_folder, end_folder),
		cmocka_unit_test_setup_teardown(other_errors_are_told, begin_folder, end_folder),
		cmocka_unit_test_setup_teardown(a_signal_ends_the_waiting, begin_folder, end_folder),
		cmocka_unit_test_setup_teardown(a_lock_of_another_recorder_is_tried_for_three_seconds, begin_folder, end_folder),
		cmocka_unit_test_setup_teardown(a_pause_is_told_with_what_was_missed, begin_folder, end_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
