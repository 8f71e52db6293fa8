// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The loop of bcoslog record: what it does in which order, how long it waits, and how it ends. */
#include <fcntl.h>

#include "command.h"
#include "descriptors.h"
#include "made_recorder.h"

#define BEGIN "hangup -1; new 0; ready; \"recording into d\"; "
#define LIVE "hangup -1; new 1; ready; \"recording into d\"; "
#define END "finish; freed; "
/* A wait for the interval, after which a part is written. */
#define WAIT "empty; sync 0; wait 5000; "
#define DUE ".; tick; sync 0; "
#define TAKE "batch; .; entries; "

/* ---- its turns ------------------------------------------------------------------------------------- */

/* It waits for as long as the interval, and looks at the log again after a signal that is none of its own. */
static void a_log_that_ends(void **state)
{
	batches = LIST(1, 0, 1, 1);
	waits = LIST(1, -EINTR, -ETIMEDOUT);
	assert_recorded(EXIT_OK, BEGIN ".; " TAKE WAIT DUE ".; " TAKE TAKE WAIT DUE ".; " WAIT DUE ".; " WAIT END);
}

/* A part is written though the log has more: after 5 s, which two batches take. */
static void a_log_that_has_no_end(void **state)
{
	batches = LIST(1, 1, 1, 1);
	step = 5 * SECOND / 2;
	waits = LIST(-EIO);
	assert_recorded(EXIT_ENVIRONMENT, BEGIN ".; " TAKE TAKE "tick; sync 0; .; " TAKE TAKE
			"tick; sync 0; .; " WAIT "failed; " END);
}

static void damaged_log(void **state)
{
	batches = LIST(1, -EBADMSG, 1);
	assert_recorded(EXIT_DAMAGE, BEGIN ".; " TAKE "batch; damaged; " TAKE WAIT END);
	begin_recorder(state);
	batches = LIST(-EBADMSG, 1);
	damage_ends = 1;
	assert_recorded(EXIT_DAMAGE, BEGIN ".; batch; damaged; " END);
	begin_recorder(state);
	batches = LIST(-EIO, 1);
	assert_recorded(EXIT_ENVIRONMENT, BEGIN ".; batch; failed; " END);
	begin_recorder(state);
	batches = LIST(1, 1);
	records = LIST(-EIO);
	assert_recorded(EXIT_ENVIRONMENT, BEGIN ".; " TAKE END);
	begin_recorder(state);
	finish_error = -EIO;
	assert_recorded(EXIT_ENVIRONMENT, BEGIN ".; " WAIT END);
	/* Where the log goes on after damage, this is told to those who know the state of before. */
	recorder.recording = SOME(recording);
	recorder.triggers = SOME(triggers);
	record_resumed(&run);
	assert_string_equal(take_calls(), "lost 77; forget; ");
	recorder.recording = NULL;
	recorder.triggers = NULL;
	record_resumed(&run);
	assert_string_equal(take_calls(), "");
}

static void a_part_by_itself(void **state)
{
	recorder.part = "merged";
	assert_recorded(EXIT_OK, "hangup -1; new 0; part 0 merged; ready; \"recording into d\"; .; " WAIT END);
}

static void no_memory_for_a_recording(void **state)
{
	no_recording = true;
	assert_complains("bcoslog: no memory\n", record_log(&recorder, &run) == EXIT_ENVIRONMENT);
	assert_string_equal(take_calls(), "hangup -1; new 0; ");
	recorder.triggers = SOME(triggers);
	assert_recorded(EXIT_ENVIRONMENT, "hangup -1; incidents 0; ");
}

/* ---- how long it waits -------------------------------------------------------------------------------- */

/* Until the ring has wrapped, BPF programs are asked five times a second. Tests after this one ask less. */
static void waits_for_compactions(void **state)
{
	kind = BCOSLOG_BPF;
	recorder.socket = "";
	waits = LIST(-ETIMEDOUT, 1);
	compaction_error = -EINVAL;
	assert_recorded(EXIT_OK, LIVE ".; empty; sync 0; compaction 200; .; empty; sync 0; compaction 200; "
			".; empty; sync 0; compaction 200; " END);
	begin_recorder(state);
	kind = BCOSLOG_BPF;
	recorder.socket = "";
	recorder.interval = 100 * MS;
	assert_recorded(EXIT_OK, LIVE ".; empty; sync 0; compaction 100; " END);
	begin_recorder(state);
	kind = BCOSLOG_BPF;
	recorder.socket = "";
	waits = LIST(1, -ETIMEDOUT);
	assert_recorded(EXIT_OK, LIVE ".; empty; sync 0; compaction 200; .; empty; sync 0; compaction 5000; " DUE
			".; empty; sync 0; compaction 5000; " END);
}

/* Rounded up to milliseconds, and not for longer than the service manager allows. */
static void the_manager_is_told_in_time(void **state)
{
	alive = 3 * MS / 2;
	assert_recorded(EXIT_OK, BEGIN ".; empty; sync 0; wait 2; " END);
	begin_recorder(state);
	alive = 2 * MS;
	assert_recorded(EXIT_OK, BEGIN ".; empty; sync 0; wait 2; " END);
	begin_recorder(state);
	alive = 6 * SECOND;
	assert_recorded(EXIT_OK, BEGIN ".; " WAIT END);
	begin_recorder(state);
	recorder.interval = 3600 * SECOND;
	assert_recorded(EXIT_OK, BEGIN ".; empty; sync 0; wait 3600000; " END);
}

static void it_wakes_once_a_zone_is_full(void **state)
{
	kind = BCOSLOG_DEVICE;
	ring_size = 8 << 20;
	assert_recorded(EXIT_OK, "hangup -1; new 1; watermark 2097152; ready; \"recording into d\"; .; " WAIT END);
	begin_recorder(state);
	kind = BCOSLOG_DEVICE;
	ring_size = 4096;
	assert_recorded(EXIT_OK, "hangup -1; new 1; watermark 1024; ready; \"recording into d\"; .; " WAIT END);
	begin_recorder(state);
	kind = BCOSLOG_DEVICE;
	ring_size = 4095;
	assert_recorded(EXIT_OK, LIVE ".; " WAIT END);
	begin_recorder(state);
	kind = BCOSLOG_DEVICE;
	ring_size = 8 << 20;
	status_error = -EIO;
	assert_recorded(EXIT_OK, LIVE ".; " WAIT END);
}

/* ---- how it ends ----------------------------------------------------------------------------------------- */

/* The log of this machine is read up to the time of the signal: two entries more. */
static void a_signal_ends_it(void **state)
{
	kind = BCOSLOG_DEVICE;
	batches = LIST(0, 1, 1, 1);
	waits = LIST(-EINTR);
	signal_at_wait = SIGTERM;
	told_time = 1005 * SECOND - 1;
	assert_recorded(EXIT_OK, LIVE ".; " WAIT DUE "stopping; " TAKE TAKE END);
	/* A pipe is read for five seconds, and a file no longer. */
	begin_recorder(state);
	batches = LIST(0, 1, 1, 1, 1, 1, 1);
	waits = LIST(-EINTR);
	signal_at_wait = SIGTERM;
	step = SECOND;
	assert_recorded(EXIT_OK, BEGIN ".; " WAIT DUE "stopping; " TAKE TAKE TAKE TAKE TAKE END);
	begin_recorder(state);
	kind = BCOSLOG_FILE;
	batches = LIST(0, 1, 1);
	waits = LIST(-EINTR);
	signal_at_wait = SIGTERM;
	assert_recorded(EXIT_OK, BEGIN ".; " WAIT DUE "stopping; " END);
}

static void its_time_is_over(void **state)
{
	kind = BCOSLOG_DEVICE;
	record_for = 3 * SECOND;
	waits = LIST(-ETIMEDOUT);
	told_time = 1004 * SECOND;
	assert_recorded(EXIT_OK, LIVE ".; empty; sync 0; wait 3000; .; sync 0; stopping; " END);
	begin_recorder(state);
	kind = BCOSLOG_DEVICE;
	record_for = 8 * SECOND;
	waits = LIST(-ETIMEDOUT, -ETIMEDOUT);
	told_time = 1009 * SECOND;
	assert_recorded(EXIT_OK, LIVE ".; " WAIT DUE ".; empty; sync 0; wait 3000; .; sync 0; stopping; " END);
	/* Programs that do not stop are an error. */
	begin_recorder(state);
	kind = BCOSLOG_BPF;
	recorder.socket = "";
	record_for = SECOND;
	waits = LIST(-ETIMEDOUT);
	stop_error = -EIO;
	assert_recorded(EXIT_ENVIRONMENT, LIVE ".; empty; sync 0; compaction 1000; .; sync 0; stopping; "
			"stop; failed; " END);
	begin_recorder(state);
	kind = BCOSLOG_BPF;
	recorder.socket = "";
	record_for = SECOND;
	waits = LIST(-ETIMEDOUT);
	told_time = 1002 * SECOND;
	assert_recorded(EXIT_OK, LIVE ".; empty; sync 0; compaction 1000; .; sync 0; stopping; stop; " END);
}

/* ---- a full disk ------------------------------------------------------------------------------------------- */

#define PAUSES "bcoslog: there is no room left for d, and no older file to give up: recording pauses\n"
#define GOES_ON "bcoslog: there is room again: recording goes on\n"
#define PAUSE "\"there is no room left for d: recording pauses\"; .; sleep 1.000000000; flush; "
#define SLEEP ".; sleep 1.000000000; flush; "

static void it_pauses_until_there_is_room(void **state)
{
	batches = LIST(1);
	records = LIST(-ENOSPC);
	flushes = LIST(-ENOSPC, -ENOSPC, 0);
	assert_complains(PAUSES GOES_ON, record_log(&recorder, &run) == EXIT_OK);
	/* Three seconds of the five are over. */
	assert_string_equal(take_calls(), BEGIN ".; " TAKE PAUSE SLEEP SLEEP "paused 1000000000000 1003000000000; "
			    "\"recording into d\"; entries; " WAIT END);
	begin_recorder(state);
	waits = LIST(1);
	ticks = LIST(-ENOSPC);
	assert_complains(PAUSES GOES_ON, record_log(&recorder, &run) == EXIT_OK);
	assert_string_equal(take_calls(), BEGIN ".; " WAIT ".; tick; " PAUSE "paused 1005000000000 1006000000000; "
			    "\"recording into d\"; sync 0; .; " WAIT END);
}

static void it_does_not_go_on(void **state)
{
	batches = LIST(1);
	records = LIST(-ENOSPC);
	flushes = LIST(-EIO);
	assert_complains(PAUSES, record_log(&recorder, &run) == EXIT_ENVIRONMENT);
	assert_string_equal(take_calls(), BEGIN ".; " TAKE PAUSE END);
	begin_recorder(state);
	waits = LIST(1);
	ticks = LIST(-EIO);
	assert_recorded(EXIT_ENVIRONMENT, BEGIN ".; " WAIT DUE END);
	/* A signal ends the pause, and the rest finds no room. */
	begin_recorder(state);
	batches = LIST(1);
	records = LIST(-ENOSPC);
	flushes = LIST(-ENOSPC, 0);
	signal_at_sleep = SIGTERM;
	finish_error = -ENOSPC;
	assert_complains(PAUSES "bcoslog: there is no room left for d: the last part of the log is not recorded\n",
			 record_log(&recorder, &run) == EXIT_ENVIRONMENT);
	assert_string_equal(take_calls(), BEGIN ".; " TAKE PAUSE END);
}

/* ---- conditions, and a log in memory --------------------------------------------------------------------------- */

#define INCIDENTS "hangup -1; incidents 0; ready; \"recording into d\"; "
#define WORK "empty; work 0; wait 5000; "
#define KEPT "work 1; incidents freed; "

static void conditions_keep_a_part(void **state)
{
	recorder.triggers = SOME(triggers);
	batches = LIST(1, 1);
	conditions = LIST(0, 1);
	assert_recorded(EXIT_OK, INCIDENTS ".; batch; .; batch; add 2000 cause; .; " WORK KEPT);
	begin_recorder(state);
	recorder.triggers = SOME(triggers);
	batches = LIST(1, 1);
	conditions = LIST(1, 1);
	add_error = -EIO;
	assert_recorded(EXIT_ENVIRONMENT, INCIDENTS ".; batch; add 2000 cause; .; " KEPT);
	/* Each entry of a batch is looked at, up to the first that cannot be kept. */
	begin_recorder(state);
	recorder.triggers = SOME(triggers);
	batches = LIST(2, 2);
	conditions = LIST(0, 1, 1, 1);
	assert_recorded(EXIT_OK, INCIDENTS ".; batch; add 2001 cause; .; batch; add 2000 cause; add 2001 cause; .; "
			WORK KEPT);
	begin_recorder(state);
	recorder.triggers = SOME(triggers);
	works = LIST(-EIO);
	assert_recorded(EXIT_ENVIRONMENT, INCIDENTS ".; empty; work 0; " KEPT);
	begin_recorder(state);
	recorder.triggers = SOME(triggers);
	works = LIST(0, -EIO);
	assert_recorded(EXIT_ENVIRONMENT, INCIDENTS ".; " WORK KEPT);
}

static void a_signal_is_a_condition(void **state)
{
	recorder.triggers = SOME(triggers);
	waits = LIST(-EINTR);
	signal_at_wait = SIGUSR1;
	assert_recorded(EXIT_OK, INCIDENTS ".; " WORK ".; add 1005000000000 SIGUSR1; work 0; .; " WORK KEPT);
	begin_recorder(state);
	recorder.triggers = SOME(triggers);
	waits = LIST(-EINTR);
	signal_at_wait = SIGUSR1;
	add_error = -EIO;
	assert_recorded(EXIT_ENVIRONMENT, INCIDENTS ".; " WORK ".; add 1005000000000 SIGUSR1; " KEPT);
}

static void a_log_in_memory(void **state)
{
	recorder.memory = true;
	assert_complains("bcoslog: --memory is for what BPF programs record: LOG is kept already\n",
			 record_log(&recorder, &run) == EXIT_ENVIRONMENT);
	assert_string_equal(take_calls(), "hangup -1; ");
	/* Nobody reads it but who asks for it; without that it is of no use. */
	kind = BCOSLOG_BPF;
	assert_recorded(EXIT_ENVIRONMENT, "hangup -1; serve as usual; ");
	serving = 1;
	recorder.socket = "path";
	assert_recorded(EXIT_OK, "hangup -1; serve path; ready; \"recording into memory\"; .; compaction 5000; "
			"served; ");
	serving = 0;
	recorder.triggers = SOME(triggers);
	assert_recorded(EXIT_OK, "hangup -1; incidents 1; serve path; ready; \"recording into memory\"; .; empty; "
			"work 0; compaction 5000; " KEPT);
}

static void nobody_may_ask(void **state)
{
	kind = BCOSLOG_BPF;
	assert_recorded(EXIT_OK, "hangup -1; new 1; serve as usual; ready; \"recording into d\"; .; empty; sync 0; "
			"compaction 5000; " END);
	refuses = true;
	assert_recorded(EXIT_ENVIRONMENT, "hangup -1; new 1; serve as usual; freed; ");
}

/* ---- whose log it is --------------------------------------------------------------------------------------------- */

static void the_machine_of_the_log(void **state)
{
	static const struct boot listed[] = {
		{ .machine = "00000000000000000000000000000001", .about.flags = BCOSLOG_BOOT_READ },
		{ .machine = "00000000000000000000000000000002" },
	};
	struct archive_header own = { 0 };
	char id[37] = "";
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	unsigned int open_before;

	assert_int_equal(read(fd, id, 36), 36);
	close(fd);
	assert_true(archive_id_get(own.boot, id, 36));
	kind = BCOSLOG_DEVICE;
	open_before = count_descriptors();
	assert_recorded(EXIT_OK, LIVE ".; " WAIT END);
	assert_int_equal(count_descriptors(), open_before);
	assert_memory_equal(told_header.boot, own.boot, sizeof(own.boot));
	assert_string_equal(told_header.machine.host, "host");
	begin_recorder(state);
	kind = BCOSLOG_RECORDING;
	boots = listed;
	assert_recorded(EXIT_OK, BEGIN ".; " WAIT END);
	assert_string_equal(told_header.machine.host, "");
	assert_int_equal(told_header.machine.id[15], 1);
	assert_int_equal(told_header.boot[0] | told_header.boot[1], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		recorder_test(waits_for_compactions),
		recorder_test(a_log_that_ends),
		recorder_test(a_log_that_has_no_end),
		recorder_test(damaged_log),
		recorder_test(a_part_by_itself),
		recorder_test(no_memory_for_a_recording),
		recorder_test(the_manager_is_told_in_time),
		recorder_test(it_wakes_once_a_zone_is_full),
		recorder_test(a_signal_ends_it),
		recorder_test(its_time_is_over),
		recorder_test(it_pauses_until_there_is_room),
		recorder_test(it_does_not_go_on),
		recorder_test(conditions_keep_a_part),
		recorder_test(a_signal_is_a_condition),
		recorder_test(a_log_in_memory),
		recorder_test(nobody_may_ask),
		recorder_test(the_machine_of_the_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
