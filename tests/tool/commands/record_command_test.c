// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The options of bcoslog record: what the recorder gets, what is opened and closed, and what is refused. */
#include <sys/mman.h>

#include "log/open.h"
#include "log/pass.h"
#include "log/recorder.h"
#include "log/run.h"
#include "said.h"
#include "descriptors.h"
#include "command.h"
#include "record/recorder_loop.h"

#define SECOND 1000000000ull
#define HOUR (3600 * SECOND)
#define DAY (24 * HOUR)
#define MIB (1ull << 20)

/* ---- the recorder ------------------------------------------------------------------------------------------- */

static struct recorder given;
static int store_fails, open_fails, result;

/* They are only passed on. */
#define STORE ((struct store *)done)

/* A file without entries. */
static char empty_log[32];
static struct bcoslog_error error;

struct store *store_open(const char *path, const struct store_limits *limits)
{
	note_call("store %s", path);
	return store_fails ? NULL : STORE;
}

int store_claim(struct store *store)
{
	return 0;
}

void store_close(struct store *store)
{
	assert_ptr_equal(store, STORE);
	note_call("store closed");
}

int run_open(struct run *run, unsigned int flags)
{
	note_call("open %s%s", run->path, flags == BCOSLOG_FOLLOW ? " and follow" : flags ? "?" : "");
	assert_false(recorder_asks);
	return open_fails || bcoslog_open(&run->log, empty_log, 0, &error);
}

void run_damage_end(struct run *run)
{
	note_call("damage");
}

int record_log(struct recorder *recorder, struct run *run)
{
	assert_ptr_equal(run->entries, record_entries);
	assert_ptr_equal(run->resumed, record_resumed);
	note_call("record%s", run->follow ? " -f" : "");
	given = *recorder;
	return result;
}

int record_entries(struct run *run, const struct bcoslog_batch *batch)
{
	return 0;
}

void record_resumed(struct run *run)
{
}

int triggers_add(struct triggers **triggers, const char *condition)
{
	*triggers = (struct triggers *)done;
	return strcmp(condition, "wrong") ? 0 : -1;
}

void triggers_free(struct triggers *triggers)
{
	note_call(triggers ? "freed" : "none");
}

static int begin_command(void **state)
{
	memset(&given, 0, sizeof(given));
	done[0] = '\0';
	store_fails = open_fails = result = 0;
	recorder_asks = true;
	setenv("BCOSLOG_SOCKET", "/dev/null/none", 1);
	return 0;
}

/* Runs bcoslog record with these words after its name. */
static int record_words(const char *text)
{
	unsigned int before = count_descriptors();
	static char copy[200];
	char *words[16] = { (char *)"record" }, *at;
	int count = 1, r;

	snprintf(copy, sizeof(copy), "%s", text);
	for (at = strtok(copy, " "); at; at = strtok(NULL, " "))
		words[count++] = at;
	words[count] = NULL;
	done[0] = '\0';
	r = cmd_record(count, words);
	/* The log is closed, whatever became of it. */
	assert_int_equal(count_descriptors(), before);
	return r;
}

#define assert_record(text, status, complaint, deeds) do { \
		assert_complains(complaint, record_words(text) == (status)); \
		assert_string_equal(done, deeds); \
	} while (0)

#define GOES(folder, log) "store " folder "; open " log "; record; damage; store closed; "
#define takes(text) assert_record(text, EXIT_OK, "", GOES("/var/lib/bcos_evlog", "/dev/bcos_evlog and follow") "none; ")
#define refuses(text, complaint) assert_record(text, EXIT_ENVIRONMENT, "bcoslog: " complaint "\n", "none; ")

/* ---- its options ------------------------------------------------------------------------------------------------ */

static void what_is_usual(void **state)
{
	takes("");
	assert_int_equal(given.interval, 5 * SECOND);
	assert_int_equal(given.limits.file_size, 64 * MIB);
	assert_int_equal(given.limits.file_age, HOUR);
	assert_int_equal(given.limits.keep_size, 2048 * MIB);
	assert_int_equal(given.limits.keep_age, 0);
	assert_int_equal(given.limits.spare, 0);
	assert_int_equal(given.limits.sync, 5 * SECOND);
	assert_int_equal(given.limits.level, 1);
	assert_false(given.limits.plain || given.memory);
	assert_null(given.socket);
	assert_null(given.part);
	assert_int_equal(given.incident.before, 10 * SECOND);
	assert_int_equal(given.incident.after, 5 * SECOND);
	assert_int_equal(given.incident.per_hour, 12);
	assert_ptr_equal(given.store, STORE);
	assert_string_equal(given.directory, "/var/lib/bcos_evlog");
}

static void limits_of_what_is_kept(void **state)
{
	takes("--keep 3M");
	assert_int_equal(given.limits.keep_size, 3 * MIB);
	assert_int_equal(given.limits.keep_age, 0);
	takes("--keep 2d");
	assert_int_equal(given.limits.keep_size, 0);
	assert_int_equal(given.limits.keep_age, 2 * DAY);
	/* Both hold. */
	takes("--keep 2d --keep 5000");
	assert_int_equal(given.limits.keep_size, 5000);
	assert_int_equal(given.limits.keep_age, 2 * DAY);
	takes("--keep 5000 --keep 1h");
	assert_int_equal(given.limits.keep_size, 5000);
	assert_int_equal(given.limits.keep_age, HOUR);
	refuses("--keep 0", "--keep takes bytes, such as 2G, or a time, such as 7d, not \"0\"");
	refuses("--keep 2X", "--keep takes bytes, such as 2G, or a time, such as 7d, not \"2X\"");
	refuses("--keep=", "--keep takes bytes, such as 2G, or a time, such as 7d, not \"\"");
}

#define NUMBER(least) "--spare takes a number of bytes, such as 64M or 2G, not less than " least ", not "

static void sizes_and_times(void **state)
{
	takes("--size 1024 --spare 0 --age 10m --interval 2s --level 19 --plain --socket s");
	assert_int_equal(given.limits.file_size, 1024);
	assert_int_equal(given.limits.file_age, 600 * SECOND);
	assert_int_equal(given.interval, 2 * SECOND);
	assert_int_equal(given.limits.sync, 2 * SECOND);
	assert_int_equal(given.limits.level, 19);
	assert_true(given.limits.plain);
	assert_string_equal(given.socket, "s");
	takes("--spare 2K");
	assert_int_equal(given.limits.spare, 2048);
	takes("--size 2G --spare 1T");
	assert_int_equal(given.limits.file_size, 2048 * MIB);
	assert_int_equal(given.limits.spare, MIB * MIB);
	/* They have to fit into 64 bits. */
	takes("--spare 18446744073709551615");
	takes("--spare 16777215T");
	refuses("--spare 18446744073709551616", NUMBER("0K") "\"18446744073709551616\"");
	refuses("--spare 16777216T", NUMBER("0K") "\"16777216T\"");
	refuses("--spare M", NUMBER("0K") "\"M\"");
	refuses("--spare 1MB", NUMBER("0K") "\"1MB\"");
	refuses("--size 1023", "--size takes a number of bytes, such as 64M or 2G, not less than 1K, not \"1023\"");
	refuses("--output=", "the name of the directory is empty");
	refuses("--age 0s", "--age takes a time, and 0 is none");
	refuses("--interval 0s", "--interval takes a time, and 0 is none");
	refuses("--level 0", "--level takes a number from 1 to 19, and 0 is none");
	refuses("--level 20", "--level takes a number from 0 to 19, not \"20\"");
	refuses("--per-hour 0", "--per-hour takes a number from 1 to 3600, and 0 is none");
	refuses("--per-hour 3601", "--per-hour takes a number from 0 to 3600, not \"3601\"");
}

/* ---- conditions, and memory --------------------------------------------------------------------------------- */

static void incident_conditions(void **state)
{
	assert_record("--on loss --before 1s --after 2s --per-hour 3600 --exec command -o d", EXIT_OK, "",
		      GOES("d", "/dev/bcos_evlog and follow") "freed; ");
	assert_int_equal(given.incident.before, SECOND);
	assert_int_equal(given.incident.after, 2 * SECOND);
	assert_int_equal(given.incident.per_hour, 3600);
	assert_string_equal(given.incident.command, "command");
	/* They are looked at each second, unless that is said. */
	assert_int_equal(given.interval, SECOND);
	assert_record("--on loss --interval 3s", EXIT_OK, "", GOES("/var/lib/bcos_evlog", "/dev/bcos_evlog and "
			"follow") "freed; ");
	assert_int_equal(given.interval, 3 * SECOND);
	assert_record("--on loss --memory -o d", EXIT_OK, "", GOES("d", "/dev/bcos_evlog and follow") "freed; ");
	assert_true(given.memory);
	assert_record("--on wrong", EXIT_ENVIRONMENT, "", "freed; ");
	refuses("--exec command", "--exec runs a command with each file of --on: add --on CONDITION");
}

static void a_log_in_memory(void **state)
{
	assert_record("--memory", EXIT_OK, "", "open /dev/bcos_evlog and follow; record; damage; none; ");
	assert_true(given.memory);
	assert_null(given.store);
	refuses("--memory -o d", "--memory writes nothing, and -o d says where: leave one of them out");
}

/* ---- the log, and the end ----------------------------------------------------------------------------------- */

static void a_log_that_is_named(void **state)
{
	assert_record("-o d x", EXIT_OK, "", GOES("d", "x") "none; ");
	result = EXIT_DAMAGE;
	assert_record("-o d -", EXIT_DAMAGE, "", GOES("d", "-") "none; ");
}

static void what_cannot_be_opened(void **state)
{
	store_fails = 1;
	assert_record("-o d", EXIT_ENVIRONMENT, "", "store d; none; ");
	store_fails = 0;
	open_fails = -1;
	assert_record("-o d", EXIT_ENVIRONMENT, "", "store d; open /dev/bcos_evlog and follow; store closed; none; ");
}

#define command_test(test) cmocka_unit_test_setup(test, begin_command)

int main(void)
{
	const struct CMUnitTest tests[] = {
		command_test(what_is_usual),
		command_test(limits_of_what_is_kept),
		command_test(sizes_and_times),
		command_test(incident_conditions),
		command_test(a_log_in_memory),
		command_test(a_log_that_is_named),
		command_test(what_cannot_be_opened),
	};

	snprintf(empty_log, sizeof(empty_log), "/proc/self/fd/%d", memfd_create("log", MFD_CLOEXEC));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
