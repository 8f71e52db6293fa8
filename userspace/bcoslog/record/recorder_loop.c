// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The loop of bcoslog record: wakes once a zone of the ring, takes what is there, and writes it. */
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "boots.h"
#include "notify.h"
#include "host/clock.h"
#include "recorder.h"
#include "record/socket/socket.h"

#define SECOND 1000000000ull
/* The time for which a pipe that never becomes empty is read after the signal to end. */
#define STREAM_ENDS (5 * SECOND)

/* The boot of this machine, its name and its ID. */
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

/* A log does not state its machine's ID, but a recording does. */
static void recorded_machine(struct bcoslog *log, struct archive_machine *machine)
{
	struct boot boot;
	u32 i;

	for (i = 0; boots_get(log, i, &boot); i++)
		if (boot.about.flags & BCOSLOG_BOOT_READ)
			archive_id_get(machine->id, boot.machine, strlen(boot.machine));
}

/* There is no room: nothing is read meanwhile, so that the log itself keeps what comes, as long as it can. */
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

/* Does an entry fulfil a condition of --on?  If so, a part of the log is kept. */
static int look_for_triggers(struct recorder *recorder, const struct bcoslog_batch *batch)
{
	const struct bcos_entry *entry;
	char cause[TRIGGER_CAUSE];
	int r = 0;

	if (!recorder->triggers)
		return 0;
	bcoslog_each(entry, batch) {
		if (triggers_entry(recorder->triggers, entry, cause))
			r = incidents_add(recorder->incidents, entry->time, cause);
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

/* Entries are in the file at the latest after the interval. */
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
 * A log that grows as fast as it is read has no end: what is due is done in between, a signal ends the recording, and
 * after that only what the log had by then is read, or what a pipe has within a few seconds.
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

/* Record what is there now.  Return: 0, 1 if there may be more, or -1 with *@status. */
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

/* How long to wait, ms. */
static int wait_time(const struct recorder *recorder, const struct run *run, bool compacts)
{
	u64 time = recorder->interval, now = clock_now(CLOCK_BOOTTIME), end = recorder->end, left = end > now ? end - now : 0;
	u64 alive = notify_interval();

	/* Until the ring has wrapped, there are no compactions to wait for. */
	if (bcoslog_kind(run->log) == BCOSLOG_BPF && !compacts && time > SECOND / 5)
		time = SECOND / 5;
	if (end && left < time)
		time = left;
	if (alive && alive < time)
		time = alive;
	return (int)((time + 999999) / 1000000);
}

/* Wait until a zone of the ring is full, or until the time is over. */
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
		bcoslog_watermark(run->log, (__u32)(status.ring_size / 4 > 1u << 30 ? 1u << 30 : status.ring_size / 4));
}

/* SIGUSR1 came, and it is a condition. */
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
	/* A log that only stays in memory need not be read. */
	bool reads = recorder->recording || recorder->triggers;
	int status = EXIT_OK, more, r;

	set_watermark(run);
	recorder->end = recorder_time() ? clock_now(CLOCK_BOOTTIME) + recorder_time() : 0;
	recorder->written = clock_now(CLOCK_BOOTTIME);
	notify_ready();
	notify_status(recorder->memory ? "recording into memory" : "recording into %s", recorder->directory);
	for (;;) {
		notify_alive();
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

/* Write what is left.  Return: @status, or worse. */
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
	/* Nothing is printed, so a reader of standard output that goes away, as the journal may, ends nothing. */
	bcoslog_hangup(run->log, -1);
	if (recorder->memory && bcoslog_kind(run->log) != BCOSLOG_BPF) {
		complain("--memory is for what BPF programs record: %s is kept already", run->path);
		return status;
	}
	if (prepare_recorder(recorder, run))
		return status;
	if (bcoslog_kind(run->log) == BCOSLOG_BPF && !(recorder->socket && !*recorder->socket))
		server = server_open(run->log, recorder->socket, &refused);
	if (!refused && (server || !recorder->memory || recorder->triggers))
		status = finish_recorder(recorder, follow_log(recorder, run));
	server_close(server);
	incidents_free(recorder->incidents);
	recording_free(recorder->recording);
	return status;
}
