// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The loop of bcoslog record: it wakes when a zone of the ring is full, reads the new entries, and writes them. */
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "bcoslog_bpf.h"
#include "command.h"
#include "archive/recording.h"
#include "host/linux.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "output/notify.h"
#include "log/boots.h"
#include "options/recorder_options.h"
#include "record/quota/quota_events.h"
#include "recorder_loop.h"
#include "reader/reader.h"
#include "complain/complain.h"
#include "socket/socket.h"

#define SECOND 1000000000ull
/* The time for which a pipe that never becomes empty is read after the signal to end. */
#define STREAM_ENDS (5 * SECOND)

/* Return: false if a signal has come. */
static bool waits_for_room(void)
{
	if (run_signal)
		return false;
	notify_alive();
	return true;
}

/*
 * A signal to end does not end the examination of the directory: nothing can be recorded without it, and what is in the memory
 * of this process, or was left by a recorder that was killed, would be lost.
 */
static int examines_directory(void)
{
	notify_alive();
	return 0;
}

const struct store_caller record_caller = {
	.complain = complain, .goes_on = waits_for_room, .patience = examines_directory,
};

/* Fills the header with this machine's name, ID and boot ID. */
static void this_machine(const struct recorder *recorder, struct archive_header *header)
{
	char id[64];
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, id, sizeof(id));

	if (fd >= 0)
		close(fd);
	store_machine(recorder->store, &header->machine);
	if (n > 0)
		archive_id_get(header->boot, id, (size_t)n - (id[n - 1] == '\n'));
}

/* Gets the ID of the machine that a recording has. A log that is no recording states no ID. */
static void recorded_machine(struct bcoslog *log, struct archive_machine *machine)
{
	struct boot boot;
	u32 i;

	for (i = 0; boots_get(log, i, &boot); i++)
		if (boot.about.flags & BCOSLOG_BOOT_READ)
			archive_id_get(machine->id, boot.machine, strlen(boot.machine));
}

/*
 * Waits until the disk has room. Nothing is read meanwhile, so the ring keeps new entries for as long as it can.
 * Return: 0, or a negative errno; -ENOSPC if a signal ends the wait.
 */
static int pause_recording(struct recorder *recorder)
{
	struct timespec second = { .tv_sec = 1 };
	u64 since = clock_now(CLOCK_BOOTTIME);
	int r = -ENOSPC;

	complain("there is no room left for %s, and no older file to give up: recording pauses", recorder->directory);
	notify_status("there is no room left for %s: recording pauses", recorder->directory);
	while (r == -ENOSPC && !run_signal) {
		notify_alive();
		nanosleep(&second, NULL);
		r = recording_flush(recorder->recording);
	}
	if (r)
		return r;
	recording_paused(recorder->recording, since, clock_now(CLOCK_BOOTTIME));
	complain("there is room again: recording goes on");
	notify_status("recording into %s", recorder->directory);
	return 0;
}

/* Begins an incident for each entry that fulfils a condition of --on.  Return: 0 or a negative errno. */
static int look_for_triggers(struct recorder *recorder, const struct bcoslog_batch *batch)
{
	const struct bcos_entry *entry;
	char cause[TRIGGER_CAUSE];
	int r = 0;

	if (!recorder->triggers)
		return 0;
	bcoslog_each(entry, batch) {
		/* A historical entry tells at its place in the log of what happened before. */
		if (!(entry->type & BCOS_TYPE_HISTORICAL))
			recorder->now = entry->time;
		if (triggers_entry(recorder->triggers, entry, cause))
			r = incidents_add(recorder->incidents, recorder->now, cause);
		if (r)
			break;
	}
	return r;
}

int record_entries(struct run *run, const struct bcoslog_batch *batch)
{
	struct recorder *recorder = run->context;
	const struct bcos_entry *done = batch->first;
	int r = look_for_triggers(recorder, batch);

	notify_alive();
	if (r || !recorder->recording)
		return r;
	do {
		r = recording_entries(recorder->recording, batch, &done);
		if (r == -ENOSPC)
			r = pause_recording(recorder);
	} while (!r && done != batch->end);
	return r;
}

void record_resumed(struct run *run)
{
	struct recorder *recorder = run->context;

	if (recorder->recording)
		recording_damaged(recorder->recording, bcoslog_error(run->log)->lost);
	if (recorder->triggers)
		triggers_forget(recorder->triggers);
}

static bool is_live(const struct run *run)
{
	return bcoslog_kind(run->log) == BCOSLOG_DEVICE || bcoslog_kind(run->log) == BCOSLOG_BPF;
}

/* Records the incident that is being kept, and writes the unfinished frame if the interval is over. */
static int write_part(struct recorder *recorder)
{
	int r = recorder->incidents ? incidents_work(recorder->incidents, false) : 0;
	bool due = clock_now(CLOCK_BOOTTIME) - recorder->written >= recorder->interval;

	if (due)
		recorder->written = clock_now(CLOCK_BOOTTIME);
	if (r || !recorder->recording)
		return r;
	if (due) {
		r = recording_tick(recorder->recording);
		if (r == -ENOSPC)
			r = pause_recording(recorder);
	}
	store_sync(recorder->store, false);
	return r;
}

/*
 * Shall drain_log() read on? A log that grows as fast as it is read never ends, so reading is interrupted for what is
 * due, and by the end of the recording. After that end only the entries from before it are read, and a pipe for
 * STREAM_ENDS.
 */
static bool goes_on(const struct recorder *recorder, const struct run *run)
{
	if (recorder->stopped && is_live(run))
		return !recorder->recording || recording_time(recorder->recording) <= recorder->stopped;
	if (recorder->stopped)
		return clock_now(CLOCK_BOOTTIME) - recorder->stopped < STREAM_ENDS;
	if (run_signal || (recorder->end && clock_now(CLOCK_BOOTTIME) >= recorder->end))
		return false;
	return clock_now(CLOCK_BOOTTIME) - recorder->written < recorder->interval;
}

/*
 * Records the entries that are there now.
 * Return: 0 at their end, 1 if there may be more, or -1 if the log cannot be read on, with the exit status in @status.
 */
static int drain_log(struct run *run, int *status)
{
	struct recorder *recorder = run->context;
	struct bcoslog_batch batch;
	int r;

	while (goes_on(recorder, run)) {
		r = bcoslog_batch(run->log, &batch);
		if (!r)
			return 0;
		if (r > 0 && record_entries(run, &batch)) {
			*status = EXIT_ENVIRONMENT;
			return -1;
		}
		if (r > 0)
			continue;
		if (r != -EBADMSG) {
			*status = run_failed(run);
			return -1;
		}
		*status = EXIT_DAMAGE;
		if (!run_damaged(run))
			return -1;
	}
	return 1;
}

/* Return: for how long to wait, in ms. */
static int wait_time(const struct recorder *recorder, const struct run *run, bool compacts)
{
	u64 time = recorder->interval, now = clock_now(CLOCK_BOOTTIME), end = recorder->end,
	    left = end > now ? end - now : 0;
	u64 alive = notify_interval(), quotas = quota_events_interval(recorder->quotas);

	/* Before the ring has wrapped for the first time, no compaction ends the wait. */
	if (bcoslog_kind(run->log) == BCOSLOG_BPF && !compacts && time > SECOND / 5)
		time = SECOND / 5;
	if (end && left < time)
		time = left;
	if (alive && alive < time)
		time = alive;
	if (quotas < time)
		time = quotas;
	return (int)((time + 999999) / 1000000);
}

/* Waits until a zone of the ring is full, or until the time is over.  Return: as bcoslog_wait(). */
static int wait_for_zone(const struct recorder *recorder, struct run *run)
{
	static bool compacts;
	struct bcos_compaction compaction;
	int r;

	if (bcoslog_kind(run->log) != BCOSLOG_BPF)
		return bcoslog_wait(run->log, wait_time(recorder, run, compacts));
	r = bcoslog_wait_compaction(run->log, wait_time(recorder, run, compacts));
	if (r > 0 && !bcoslog_compaction(run->log, &compaction))
		compacts = true;
	return r;
}

static void set_watermark(struct run *run)
{
	struct bcos_status status;

	if (bcoslog_kind(run->log) == BCOSLOG_DEVICE && !bcoslog_status(run->log, &status) && status.ring_size >= 4096)
		bcoslog_watermark(run->log, (__u32)(status.ring_size / 4));
}

/* SIGUSR1 came, which is a condition of --on. */
static volatile sig_atomic_t incident_asked;

static void ask_incident(int number)
{
	(void)number;
	incident_asked = 1;
}

static int keep_what_is_asked_for(struct recorder *recorder)
{
	if (!incident_asked)
		return 0;
	incident_asked = 0;
	return incidents_add(recorder->incidents, clock_now(CLOCK_BOOTTIME), "SIGUSR1");
}

static int follow_log(struct recorder *recorder, struct run *run)
{
	/* With --memory and without triggers nothing is read. */
	bool reads = recorder->recording || recorder->triggers;
	int status = EXIT_OK, more, r;

	set_watermark(run);
	recorder->end = run->session->recorder.time ? clock_now(CLOCK_BOOTTIME) + run->session->recorder.time : 0;
	recorder->written = clock_now(CLOCK_BOOTTIME);
	notify_ready();
	notify_status(recorder->memory ? "recording into memory" : "recording into %s", recorder->directory);
	for (;;) {
		notify_alive();
		quota_events_read(recorder->quotas);
		more = reads ? drain_log(run, &status) : 0;
		if (more < 0)
			return status;
		if (keep_what_is_asked_for(recorder) || write_part(recorder))
			return EXIT_ENVIRONMENT;
		if (run_signal || (recorder->end && clock_now(CLOCK_BOOTTIME) >= recorder->end))
			break;
		if (more)
			continue;
		r = wait_for_zone(recorder, run);
		if (!r || (r < 0 && r != -EINTR && r != -ETIMEDOUT))
			return r ? run_failed(run) : status;
	}
	notify_stopping();
	if (bcoslog_kind(run->log) == BCOSLOG_BPF && bcoslog_stop_bpf(run->log))
		return run_failed(run);
	recorder->stopped = clock_now(CLOCK_BOOTTIME);
	if (reads && (is_live(run) || bcoslog_kind(run->log) == BCOSLOG_STREAM))
		drain_log(run, &status);
	return status;
}

/* Writes the entries that are not written yet.  Return: @status, or EXIT_ENVIRONMENT if that fails. */
static int finish_recorder(struct recorder *recorder, int status)
{
	int r = 0;

	if (recorder->incidents && incidents_work(recorder->incidents, true))
		status = EXIT_ENVIRONMENT;
	if (recorder->recording)
		r = recording_finish(recorder->recording);
	if (r == -ENOSPC)
		complain("there is no room left for %s: the last part of the log is not recorded", recorder->directory);
	return r ? EXIT_ENVIRONMENT : status;
}

static int prepare_recorder(struct recorder *recorder, const struct run *run)
{
	struct archive_header header = { 0 };

	if (is_live(run) && recorder->store)
		this_machine(recorder, &header);
	else if (recorder->former)
		store_machine(recorder->store, &header.machine);
	else if (bcoslog_kind(run->log) == BCOSLOG_RECORDING)
		recorded_machine(run->log, &header.machine);
	if (recorder->triggers) {
		recorder->incidents = incidents_new(&recorder->incident, recorder->store, run, &header, is_live(run));
		if (triggers_have_signal(recorder->triggers))
			signal(SIGUSR1, ask_incident);
		return recorder->incidents ? 0 : -1;
	}
	if (recorder->memory)
		return 0;
	recorder->recording = recording_new(recorder->store, &header, is_live(run));
	if (!recorder->recording)
		complain("no memory");
	else if (recorder->part)
		recording_part(recorder->recording, 0, recorder->part);
	return recorder->recording ? 0 : -1;
}

int record_log(struct recorder *recorder, struct run *run)
{
	struct server *server = NULL;
	int status = EXIT_ENVIRONMENT;
	bool refused = false;

	run->context = recorder;
	/* Nothing is printed, so recording goes on when the reader of standard output goes away, as the journal may. */
	bcoslog_hangup(run->log, -1);
	if (recorder->memory && bcoslog_kind(run->log) != BCOSLOG_BPF) {
		complain("--memory is for what BPF programs record: %s is kept already", run->path);
		return status;
	}
	if (prepare_recorder(recorder, run))
		return status;
	if (bcoslog_kind(run->log) == BCOSLOG_BPF && !(recorder->socket && !*recorder->socket))
		server = server_open(run->log, recorder->socket, &refused);
	if (is_live(run))
		recorder->quotas = quota_events_open(run);
	if (!refused && (server || !recorder->memory || recorder->triggers))
		status = finish_recorder(recorder, follow_log(recorder, run));
	server_close(server);
	quota_events_close(recorder->quotas);
	incidents_free(recorder->incidents);
	recording_free(recorder->recording);
	return status;
}
