/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A recorder whose log, clock, files and conditions are the test's own, and tell what they are asked for. A program
 * includes this once.
 */
#ifndef BCOS_TESTS_CLI_MADE_RECORDER_H
#define BCOS_TESTS_CLI_MADE_RECORDER_H

#include <errno.h>
#include <signal.h>
#include <time.h>

#include "bcoslog_bpf.h"
#include "log/recorder.h"
#include "options/recorder_options.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "said.h"
#include "archive/format.h"
#include "host/clock.h"
#include "made_log.h"
#include "notify.h"
#include "options/boots.h"
#include "record/recorder_loop.h"
#include "socket/socket.h"

#define SECOND 1000000000ull
#define MS 1000000ull

/* The next result of a list that 99 ends, and after that @usual. */
static int next_of(const int **list, int usual)
{
	return *list && **list != 99 ? *(*list)++ : usual;
}

#define LIST(...) ((const int []){ __VA_ARGS__, 99 })

/* ---- the log ------------------------------------------------------------------------------------------- */

static enum bcoslog_kind kind;
static const int *batches, *waits;
static u64 now, step, told_time;
static int signal_at_wait, signal_at_sleep, stop_error, damage_ends, compaction_error, status_error;
static u64 ring_size;
/* Two entries in a row. */
static u32 entries[12];
static const struct bcoslog_error lost = { .lost = 77 };

volatile sig_atomic_t run_signal;

u64 clock_now(clockid_t clock)
{
	assert_int_equal(clock, CLOCK_BOOTTIME);
	return now;
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
	note_call("sleep %d.%09d", (int)time->tv_sec, (int)time->tv_nsec);
	now += SECOND;
	if (signal_at_sleep)
		raise(signal_at_sleep);
	return 0;
}

enum bcoslog_kind bcoslog_kind(const struct bcoslog *log)
{
	return kind;
}

int bcoslog_batch(struct bcoslog *log, struct bcoslog_batch *batch)
{
	int r = next_of(&batches, 0);

	note_call(r ? "batch" : "empty");
	now += step;
	batch->first = (const struct bcos_entry *)entries;
	batch->end = (const struct bcos_entry *)(entries + (r == 2 ? 12 : 6));
	return r;
}

static int wait_for(const char *word, int ms)
{
	note_call("%s %d", word, ms);
	now += (u64)ms * MS;
	if (signal_at_wait)
		raise(signal_at_wait);
	signal_at_wait = 0;
	return next_of(&waits, 0);
}

int bcoslog_wait(struct bcoslog *log, int ms)
{
	return wait_for("wait", ms);
}

int bcoslog_wait_compaction(struct bcoslog *log, int ms)
{
	return wait_for("compaction", ms);
}

int bcoslog_compaction(struct bcoslog *log, struct bcos_compaction *compaction)
{
	return compaction_error;
}

const struct bcoslog_error *bcoslog_error(const struct bcoslog *log)
{
	return &lost;
}

int bcoslog_status(struct bcoslog *log, struct bcos_status *status)
{
	status->ring_size = ring_size;
	return status_error;
}

int bcoslog_watermark(struct bcoslog *log, __u32 bytes)
{
	note_call("watermark %u", bytes);
	return 0;
}

void bcoslog_hangup(struct bcoslog *log, int fd)
{
	note_call("hangup %d", fd);
}

int bcoslog_stop_bpf(struct bcoslog *log)
{
	note_call("stop");
	return stop_error;
}

int run_failed(struct run *run)
{
	note_call("failed");
	return EXIT_ENVIRONMENT;
}

bool run_damaged(struct run *run)
{
	note_call("damaged");
	return !damage_ends;
}

static u64 record_for;

u64 recorder_time(void)
{
	return record_for;
}

static const struct boot *boots;

bool boots_get(struct bcoslog *log, u32 index, struct boot *boot)
{
	*boot = boots[index < 2 ? index : 0];
	return index < 2;
}

/* ---- the service manager ---------------------------------------------------------------------------------- */

static u64 alive;

void notify_ready(void)
{
	note_call("ready");
}

void notify_stopping(void)
{
	note_call("stopping");
}

void notify_alive(void)
{
	note_call(".");
}

uint64_t notify_interval(void)
{
	return alive;
}

void notify_status(const char *format, ...)
{
	char text[100];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	note_call("\"%s\"", text);
}

/* ---- files, conditions, and who asks for the log -------------------------------------------------------------- */

static const int *records, *flushes, *ticks, *works;
static int finish_error, add_error, serving;
static bool no_recording, refuses;
static struct archive_header told_header;

/* They are only passed on. */
#define SOME(type) ((struct type *)done)

struct recording *recording_new(struct store *store, const struct archive_header *header, bool this_machine)
{
	note_call("new %d", this_machine);
	told_header = *header;
	return no_recording ? NULL : SOME(recording);
}

void recording_part(struct recording *recording, u64 since, const char *cause)
{
	note_call("part %llu %s", (unsigned long long)since, cause);
}

void recording_free(struct recording *recording)
{
	if (recording)
		note_call("freed");
}

int recording_entries(struct recording *recording, const struct bcoslog_batch *batch, const struct bcos_entry **at)
{
	int r = next_of(&records, 0);

	note_call("entries");
	if (!r)
		*at = batch->end;
	return r;
}

int recording_flush(struct recording *recording)
{
	note_call("flush");
	return next_of(&flushes, 0);
}

int recording_tick(struct recording *recording)
{
	note_call("tick");
	return next_of(&ticks, 0);
}

int recording_finish(struct recording *recording)
{
	note_call("finish");
	return finish_error;
}

u64 recording_time(const struct recording *recording)
{
	return told_time++;
}

void recording_damaged(struct recording *recording, u64 bytes)
{
	note_call("lost %llu", (unsigned long long)bytes);
}

void recording_paused(struct recording *recording, u64 since, u64 until)
{
	note_call("paused %llu %llu", (unsigned long long)since, (unsigned long long)until);
}

void store_machine(const struct store *store, struct archive_machine *machine)
{
	strcpy(machine->host, "host");
}

void store_sync(struct store *store, bool at_once)
{
	note_call("sync %d", at_once);
}

struct incidents *incidents_new(const struct incident_options *options, struct store *store, const struct run *run,
				const struct archive_header *header, bool this_machine)
{
	note_call("incidents %d", this_machine);
	return no_recording ? NULL : SOME(incidents);
}

void incidents_free(struct incidents *incidents)
{
	if (incidents)
		note_call("incidents freed");
}

int incidents_add(struct incidents *incidents, u64 time, const char *cause)
{
	note_call("add %llu %s", (unsigned long long)time, cause);
	return add_error;
}

int incidents_work(struct incidents *incidents, bool end)
{
	note_call("work %d", end);
	return next_of(&works, 0);
}

static const int *conditions;

bool triggers_entry(struct triggers *triggers, const struct bcos_entry *of, char *cause)
{
	strcpy(cause, "cause");
	return next_of(&conditions, 0);
}

void triggers_forget(struct triggers *triggers)
{
	note_call("forget");
}

bool triggers_have_signal(const struct triggers *triggers)
{
	return true;
}

struct server *server_open(struct bcoslog *log, const char *path, bool *refused)
{
	note_call("serve %s", path ? path : "as usual");
	*refused = refuses;
	return serving ? SOME(server) : NULL;
}

void server_close(struct server *server)
{
	if (server)
		note_call("served");
}

/* ---- a recorder -------------------------------------------------------------------------------------------------- */

static struct recorder recorder;
static struct run run;

static inline void take_signal(int number)
{
	run_signal = number;
}

static inline int begin_recorder(void **state)
{
	struct made made;

	memcpy(entries, made_word(&made, BCOS_ASSIGN_CPU, 0, 2000, 10), 24);
	memcpy(entries + 6, made_word(&made, BCOS_ASSIGN_CPU, 0, 2001, 10), 24);
	recorder = (struct recorder){ .directory = "d", .interval = 5 * SECOND, .store = SOME(store) };
	run = (struct run){ .path = "LOG" };
	kind = BCOSLOG_STREAM;
	now = 1000 * SECOND;
	step = record_for = alive = told_time = 0;
	batches = waits = records = flushes = ticks = works = conditions = NULL;
	signal_at_wait = signal_at_sleep = stop_error = damage_ends = compaction_error = status_error = 0;
	finish_error = add_error = serving = 0;
	no_recording = refuses = false;
	run_signal = 0;
	signal(SIGTERM, take_signal);
	ring_size = 0;
	done[0] = '\0';
	return 0;
}

#define assert_recorded(status, text) do { \
		assert_complains("", record_log(&recorder, &run) == (status)); \
		assert_string_equal(take_calls(), text); \
	} while (0)

#define BEGIN "hangup -1; new 0; ready; \"recording into d\"; "
#define LIVE "hangup -1; new 1; ready; \"recording into d\"; "
#define END "finish; freed; "

#define recorder_test(test) cmocka_unit_test_setup(test, begin_recorder)

#endif
