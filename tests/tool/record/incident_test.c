// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Parts of a log that bcoslog record --on keeps: from when to when they reach, how many there are, and who is told. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "log/run.h"
#include "made_system.h"
#include "made_log.h"
#include "record/incident/incident.h"

#define SECOND 1000000000ull
#define HOUR (3600 * SECOND)

static const struct store_limits limits = { .file_size = ~0ull, .file_age = ~0ull, .sync = ~0ull, .level = 1 };
static struct archive_header header = { .machine = { .host = "machine" } };
static struct store *store;
static struct run run;
static struct incidents *incidents;
static char log_path[64], folder[64];

static bool no_room;

ssize_t pwrite(int fd, const void *from, size_t size, off_t place)
{
	errno = ENOSPC;
	return no_room ? -1 : syscall(SYS_pwrite64, fd, from, size, place);
}

/* A log with an event each second, from 1 s to 200 s, and one an hour and more later. */
static int begin_log(void **state)
{
	static const u32 performance[] = { 1000 };
	static u8 bytes[16384];
	struct bcoslog_error error;
	struct made made;
	size_t used = 0, i;

	if (made_begin(state))
		return -1;
	for (i = 0; i < 205; i++) {
		const struct bcos_entry *entry =
			i == 0 ? made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 5, 0, 0, performance, 1) :
			i == 1 ? made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 5, 0) :
			i == 2 ? made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel") :
			i == 3 ? made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 5, "ten") :
			made_event(&made, BCOS_GENERIC_PROCESS, 10, i < 204 ? (i - 3) * SECOND : 3 * HOUR, 0, 0x40,
				"event");

		memcpy(bytes + used, entry, entry->size);
		used += entry->size;
	}
	made_bytes("/log", bytes, used);
	snprintf(log_path, sizeof(log_path), "%s/log", made_root);
	snprintf(folder, sizeof(folder), "%s/kept", made_root);
	store = store_open(folder, &limits);
	run = (struct run){ .path = log_path };
	return !store || bcoslog_open(&run.log, log_path, 0, &error);
}

static int end_log(void **state)
{
	incidents_free(incidents);
	incidents = NULL;
	store_close(store);
	bcoslog_close(run.log);
	return made_end(state);
}

static void begin_incidents(u64 before, u64 after, u32 per_hour, const char *command)
{
	struct incident_options options = { .before = before, .after = after, .per_hour = per_hour,
		.command = command };

	incidents_free(incidents);
	incidents = incidents_new(&options, store, &run, &header, false);
	assert_non_null(incidents);
}

/* The names of the files that are kept, in their order.  Return: how many there are. */
static int list_files(struct dirent ***names)
{
	int count = scandir(folder, names, NULL, alphasort), kept = 0, i;

	for (i = 0; i < count; i++) {
		if (strstr((*names)[i]->d_name, ".bcos.zst"))
			(*names)[kept++] = (*names)[i];
		else
			free((*names)[i]);
	}
	return kept;
}

static int count_files(void)
{
	struct dirent **names;
	int count = list_files(&names), i;

	for (i = 0; i < count; i++)
		free(names[i]);
	free(names);
	return count;
}

/* Asserts that a file has the events of these seconds, and a name that ends so. */
static void assert_file(int number, u64 first, u64 last, const char *cause)
{
	char path[700], suffix[100];
	const struct bcos_entry *entry;
	struct bcoslog_error error;
	struct dirent **names;
	struct bcoslog *log;
	int count = list_files(&names), i;
	u64 time = first;

	assert_true(number < count);
	snprintf(path, sizeof(path), "%s/%s", folder, names[number]->d_name);
	snprintf(suffix, sizeof(suffix), "-machine-%08d-%s.bcos.zst", number, cause);
	assert_non_null(strstr(names[number]->d_name, suffix));
	for (i = 0; i < count; i++)
		free(names[i]);
	free(names);
	assert_int_equal(bcoslog_open(&log, path, 0, &error), 0);
	while (bcoslog_next(log, &entry) > 0) {
		if (entry->type & BCOS_TYPE_HISTORICAL)
			continue;
		assert_int_equal(entry->time, time * SECOND);
		time++;
	}
	assert_int_equal(time, last + 1);
	bcoslog_close(log);
}

/* Return: what is said, with the folder as DIR and the time of now as NOW. */
static const char *work_incidents(bool end)
{
	static char said[8192];
	const char *text;
	char *at;
	int kept, r;
	FILE *file = begin_complaints(&kept);

	r = incidents_work(incidents, end);
	text = end_complaints(file, kept);
	assert_int_equal(r, 0);
	at = strstr(text, folder);
	if (at)
		snprintf(said, sizeof(said), "%.*sDIR/NOW%s", (int)(at - text), text, at + strlen(folder) + 17);
	else
		snprintf(said, sizeof(said), "%s", text);
	return said;
}

#define happens(seconds, cause) assert_complains("", incidents_add(incidents, (seconds) * SECOND, cause) == 0)

/* ---- what is in a part ------------------------------------------------------------------------ */

static void so_much_before_and_after(void **state)
{
	begin_incidents(5 * SECOND, 3 * SECOND, 12, NULL);
	assert_string_equal(work_incidents(true), "");
	assert_int_equal(count_files(), 0);
	happens(50, "text");
	assert_string_equal(work_incidents(false), "bcoslog: text: DIR/NOW-machine-00000000-text.bcos.zst\n");
	assert_file(0, 45, 53, "text");
	assert_string_equal(work_incidents(true), "");
	/* From the first entry on, if the log does not reach back so far, and to the last one. */
	happens(4, "loss");
	assert_string_equal(work_incidents(false), "bcoslog: loss: DIR/NOW-machine-00000001-loss.bcos.zst\n");
	assert_file(1, 1, 7, "loss");
	happens(5, "a/b");
	assert_string_equal(work_incidents(false), "bcoslog: a/b: DIR/NOW-machine-00000002-a_b.bcos.zst\n");
	assert_file(2, 1, 8, "a_b");
	happens(6, "loss");
	assert_string_equal(work_incidents(false), "bcoslog: loss: DIR/NOW-machine-00000003-loss.bcos.zst\n");
	assert_file(3, 1, 9, "loss");
	happens(7, "loss");
	assert_string_equal(work_incidents(false), "bcoslog: loss: DIR/NOW-machine-00000004-loss.bcos.zst\n");
	assert_file(4, 2, 10, "loss");
}

/* The log has no entry after it yet: only at the end is the part complete. */
static void the_end_of_the_log(void **state)
{
	FILE *file;
	int kept;

	begin_incidents(0, 2 * SECOND, 12, NULL);
	happens(3 * 3600, "text");
	assert_string_equal(work_incidents(false), "");
	assert_int_equal(count_files(), 0);
	assert_string_equal(work_incidents(true), "bcoslog: text: DIR/NOW-machine-00000000-text.bcos.zst\n");
	assert_file(0, 3 * 3600, 3 * 3600, "text");
	/* Another thing happens before that: the first part is complete then. */
	happens(3 * 3600, "first");
	file = begin_complaints(&kept);
	assert_int_equal(incidents_add(incidents, (3 * 3600 + 10) * SECOND, "second"), 0);
	assert_int_equal(strncmp(end_complaints(file, kept), "bcoslog: first: ", 16), 0);
	assert_file(1, 3 * 3600, 3 * 3600, "first");
}

/* A second thing that happens in the part makes it longer, one after it begins another. */
static void things_that_go_on_happening(void **state)
{
	FILE *file;
	int kept;

	begin_incidents(2 * SECOND, 2 * SECOND, 12, NULL);
	happens(50, "first");
	happens(52, "second");
	assert_string_equal(work_incidents(false), "bcoslog: first: DIR/NOW-machine-00000000-first.bcos.zst\n");
	assert_file(0, 48, 54, "first");
	/* At its last moment, and just after it: the first one has to be complete then. */
	happens(60, "third");
	happens(62, "fourth");
	file = begin_complaints(&kept);
	assert_int_equal(incidents_add(incidents, 64 * SECOND + 1, "fifth"), 0);
	assert_int_equal(strncmp(end_complaints(file, kept), "bcoslog: third: ", 16), 0);
	assert_file(1, 58, 64, "third");
	assert_string_equal(work_incidents(true), "bcoslog: fifth: DIR/NOW-machine-00000002-fifth.bcos.zst\n");
	assert_file(2, 63, 66, "fifth");
}

/* Ten times its usual length is the most. */
static void not_more_than_ten_times_as_long(void **state)
{
	u64 second;

	begin_incidents(SECOND, SECOND, 12, NULL);
	for (second = 50; second <= 69; second++)
		happens(second, "text");
	assert_string_equal(work_incidents(true), "bcoslog: text: DIR/NOW-machine-00000000-text.bcos.zst\n");
	assert_file(0, 49, 69, "text");
	happens(70, "next");
	assert_string_equal(work_incidents(true), "bcoslog: next: DIR/NOW-machine-00000001-next.bcos.zst\n");
	assert_file(1, 69, 71, "next");
}

/* ---- how many there are --------------------------------------------------------------------------- */

static void so_many_in_an_hour(void **state)
{
	begin_incidents(SECOND, SECOND, 2, NULL);
	happens(10, "one");
	work_incidents(true);
	happens(20, "two");
	work_incidents(true);
	assert_complains("bcoslog: three: not kept, since 2 were in the last hour (--per-hour)\n",
			 incidents_add(incidents, 30 * SECOND, "three") == 0);
	happens(40, "four");
	happens(50, "five");
	assert_string_equal(work_incidents(true), "");
	assert_int_equal(count_files(), 2);
	/* An hour after the first one. */
	assert_complains("", incidents_add(incidents, HOUR + 10 * SECOND - 1, "six") == 0);
	assert_complains("bcoslog: 3 more events are not kept\n",
			 incidents_add(incidents, HOUR + 10 * SECOND, "seven") == 0);
	work_incidents(true);
	/* One that was refused is told of when that happens, and not again. */
	assert_complains("bcoslog: eight: not kept, since 2 were in the last hour (--per-hour)\n",
			 incidents_add(incidents, HOUR + 15 * SECOND, "eight") == 0);
	assert_complains("", incidents_add(incidents, HOUR + 20 * SECOND, "nine") == 0);
	work_incidents(true);
	assert_complains("bcoslog: ten: not kept, since 2 were in the last hour (--per-hour)\n",
			 incidents_add(incidents, HOUR + 25 * SECOND, "ten") == 0);
}

static void one_more(void **state)
{
	begin_incidents(SECOND, SECOND, 1, NULL);
	happens(10, "one");
	work_incidents(true);
	assert_complains("bcoslog: two: not kept, since 1 were in the last hour (--per-hour)\n",
			 incidents_add(incidents, 30 * SECOND, "two") == 0);
	happens(40, "three");
	assert_complains("bcoslog: 1 more event is not kept\n", incidents_add(incidents, 2 * HOUR, "four") == 0);
	work_incidents(true);
	assert_complains("bcoslog: five: not kept, since 1 were in the last hour (--per-hour)\n",
			 incidents_add(incidents, 2 * HOUR + 30 * SECOND, "five") == 0);
	happens(2 * 3600 + 40, "six");
	happens(2 * 3600 + 50, "seven");
	assert_complains("bcoslog: 2 more events are not kept\n", incidents_add(incidents, 4 * HOUR, "eight") == 0);
	work_incidents(true);
}

/* ---- what goes wrong ------------------------------------------------------------------------------ */

/* Nothing of it stays, and the next part may find room. */
static void a_full_disk(void **state)
{
	begin_incidents(SECOND, SECOND, 12, NULL);
	no_room = true;
	happens(50, "text");
	assert_string_equal(work_incidents(false),
			    "bcoslog: there is no room for the part around an event (text): it is not kept\n");
	assert_int_equal(count_files(), 0);
	no_room = false;
	happens(60, "next");
	assert_string_equal(work_incidents(false), "bcoslog: next: DIR/NOW-machine-00000000-next.bcos.zst\n");
	assert_file(0, 59, 61, "next");
}

/* Puts a group, and an event each second from @first to @last.  Return: the size of all. */
static size_t put_events(u8 *to, u64 first, u64 last)
{
	static const u32 performance[] = { 1000 };
	const struct bcos_entry *entry;
	struct made made;
	size_t used = 0;
	u64 i;

	for (i = 0; i < 3 + last - first + 1; i++) {
		entry = i == 0 ? made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 5, 0, 0, performance, 1) :
			i == 1 ? made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 5, 0) :
			i == 2 ? made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel") :
			made_event(&made, BCOS_GENERIC_PROCESS, 0, (first + i - 3) * SECOND, 0, 0x40, "event");
		memcpy(to + used, entry, entry->size);
		used += entry->size;
	}
	return used;
}

/* Events after a damaged place are kept, too, with a notice of the bytes that are missing. */
static void a_damaged_log(void **state)
{
	char path[700], *text;
	const struct bcos_entry *entry;
	struct bcoslog_error error;
	struct dirent **names;
	struct bcoslog *log;
	static u8 bytes[4096];
	size_t used, length;
	u64 events = 0;
	bool told = false;

	used = put_events(bytes, 1, 10);
	memset(bytes + used, 0xFF, 24);
	used += 24;
	used += put_events(bytes + used, 11, 20);
	made_bytes("/log", bytes, used);
	begin_incidents(3 * SECOND, 4 * SECOND, 12, NULL);
	happens(10, "text");
	assert_string_equal(work_incidents(false), "bcoslog: text: DIR/NOW-machine-00000000-text.bcos.zst\n");
	assert_int_equal(list_files(&names), 1);
	snprintf(path, sizeof(path), "%s/%s", folder, names[0]->d_name);
	free(names[0]);
	free(names);
	assert_int_equal(bcoslog_open(&log, path, 0, &error), 0);
	while (bcoslog_next(log, &entry) > 0) {
		text = (char *)bcoslog_text(entry, &length);
		if (bcoslog_is_missed(entry))
			told |= length >= 27 && !memcmp(text, "nothing is recorded of 24 b", 27);
		else if (text && length == 5 && !memcmp(text, "event", 5))
			assert_int_equal(entry->time, (7 + events++) * SECOND);
	}
	bcoslog_close(log);
	assert_int_equal(events, 8);
	assert_true(told);
}

/* ---- who is told --------------------------------------------------------------------------------------- */

/* The shell gets the command with two arguments after its own. Nobody waits for it, and nothing of it stays. */
static void a_command_gets_file_and_cause(void **state)
{
	char command[200], pipe_path[100], text[1024] = "", expected[300];
	ssize_t length = 0, n;
	int fd;

	snprintf(pipe_path, sizeof(pipe_path), "%s/pipe", made_root);
	assert_int_equal(mkfifo(pipe_path, 0600), 0);
	made_text("/command", "#!/bin/sh\nset -- \"$#\" \"$1\" \"${2##*/}\" \"$3\"\nprintf '%s|' \"$@\" >\"${0%command}pipe\"\n");
	chmod(made_path("/command"), 0700);
	snprintf(command, sizeof(command), "%s/command own", made_root);
	begin_incidents(SECOND, SECOND, 12, command);
	happens(50, "a cause");
	assert_string_equal(work_incidents(true), "bcoslog: a cause: DIR/NOW-machine-00000000-a_cause.bcos.zst\n");
	fd = open(pipe_path, O_RDONLY | O_CLOEXEC);
	while ((n = read(fd, text + length, sizeof(text) - 1 - (size_t)length)) > 0)
		length += n;
	close(fd);
	snprintf(expected, sizeof(expected), "-machine-00000000-a_cause.bcos.zst|a cause|");
	assert_int_equal(strncmp(text, "3|own|", 6), 0);
	assert_string_equal(text + 6 + 16, expected);
	assert_int_equal(waitpid(-1, NULL, 0), -1);
	assert_int_equal(errno, ECHILD);
}

/* Signals that the recorder ignores are the usual ones for the command. */
static void a_command_has_usual_signals(void **state)
{
	char command[200], pipe_path[100], text[256] = "";
	unsigned long long ignored;
	int fd;

	snprintf(pipe_path, sizeof(pipe_path), "%s/pipe", made_root);
	assert_int_equal(mkfifo(pipe_path, 0600), 0);
	snprintf(command, sizeof(command), "grep SigIgn: /proc/self/status > %s; :", pipe_path);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	begin_incidents(SECOND, SECOND, 12, command);
	happens(50, "text");
	work_incidents(true);
	fd = open(pipe_path, O_RDONLY | O_CLOEXEC);
	assert_true(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(sscanf(text, "SigIgn: %llx", &ignored), 1);
	assert_int_equal(ignored & (1ull << (SIGPIPE - 1) | 1ull << (SIGXFSZ - 1) | 1ull << (SIGCHLD - 1)), 0);
}

static void a_log_that_is_read_once(void **state)
{
	struct incident_options options = { .per_hour = 1 };
	struct run stream = run;

	stream.path = "-";
	assert_complains("bcoslog: --on reads the log before an event a second time, and - can be read only once: save it to a file "
			 "(bcoslog cat - > FILE), and name that\n", !incidents_new(&options, store, &stream, &header, false));
	incidents_free(NULL);
}

/* The log is gone when something happens in it. */
static void a_log_that_is_gone(void **state)
{
	char expected[200];

	begin_incidents(SECOND, SECOND, 12, NULL);
	unlink(log_path);
	snprintf(expected, sizeof(expected), "bcoslog: there is no file %s: check the name\n", log_path);
	assert_complains(expected, incidents_add(incidents, 5 * SECOND, "text") == -ENOENT);
	assert_string_equal(work_incidents(true), "");
}

#define log_test(test) cmocka_unit_test_setup_teardown(test, begin_log, end_log)

int main(void)
{
	const struct CMUnitTest tests[] = {
		log_test(so_much_before_and_after),
		log_test(the_end_of_the_log),
		log_test(things_that_go_on_happening),
		log_test(not_more_than_ten_times_as_long),
		log_test(so_many_in_an_hour),
		log_test(one_more),
		log_test(a_full_disk),
		log_test(a_damaged_log),
		log_test(a_command_gets_file_and_cause),
		log_test(a_command_has_usual_signals),
		log_test(a_log_that_is_read_once),
		log_test(a_log_that_is_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
