// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog record: keeps the log, in files of a directory. */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../command.h"
#include "../notify.h"
#include "../when.h"
#include "bcoslog_archive.h"
#include "recording.h"

static const char help[] =
"Usage: bcoslog [RECORDER] record [OPTIONS] [LOG]\n"
"\n"
"Keeps LOG (the device, what BPF programs record, a file, or - for standard\n"
"input; default " BCOS_DEVICE_PATH ") in compressed files of a directory, until\n"
"Ctrl-C.  That directory is a LOG for every other command.\n"
"\n"
"  -o, --output DIR  the directory (" BCOSLOG_RECORD_DIRECTORY ")\n"
"      --keep LIMIT  how much is kept: bytes, such as 2G, or how long, such as 7d;\n"
"                    may be given for both (2G)\n"
"      --size SIZE   of a file (64M), and\n"
"      --age TIME    how long one goes on (1h): then the next one begins\n"
"      --spare SIZE  what stays free on the disk (0)\n"
"      --interval TIME\n"
"                    what is written at the latest after this (5s)\n"
"      --level N     of the compression, 1 to 19 (1)\n"
"  -f, --follow      of a file: go on as it grows\n"
"  -h, --help        this text\n"
"\n"
"Exit status: 0 done, 1 LOG is damaged, 2 it cannot be read, or the directory\n"
"not be written.\n";

struct recorder {
	struct store_limits limits;
	const char *directory;
	u64 interval;
	bool keeps;			/* --keep was given */
	struct store *store;
	struct recording *recording;
	u64 written;			/* when a part was written last */
};

#define SECOND 1000000000ull
#define MIB ((u64)1 << 20)

static u64 now(void)
{
	struct timespec time;

	return clock_gettime(CLOCK_BOOTTIME, &time) ? 0 : (u64)time.tv_sec * SECOND + (u64)time.tv_nsec;
}

/* ---- options ----------------------------------------------------------------- */

/* "64M": a number and K, M, G or T.  Return: is it one. */
static bool is_size(const char *text, u64 *size)
{
	static const char units[] = "KMGT";
	const char *unit;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*size = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (errno || (*end && (!unit || end[1])))
		return false;
	return !__builtin_mul_overflow(*size, unit ? (u64)1 << (10 * (unit - units + 1)) : 1, size);
}

static int parse_size(const char *option, const char *text, u64 least, u64 *size)
{
	if (is_size(text, size) && *size >= least)
		return 0;
	complain("%s takes a number of bytes, such as 64M or 2G, not less than %lluK, not \"%s\"", option,
		 (unsigned long long)least >> 10, text);
	return -1;
}

static int take_output(void *context, const char *text)
{
	((struct recorder *)context)->directory = text;
	if (*text)
		return 0;
	complain("the name of the directory is empty");
	return -1;
}

static int take_keep(void *context, const char *text)
{
	struct recorder *recorder = context;

	if (!recorder->keeps)
		recorder->limits.keep_size = 0;
	recorder->keeps = true;
	if (is_size(text, &recorder->limits.keep_size) && recorder->limits.keep_size)
		return 0;
	recorder->limits.keep_size = 0;
	if (text[strlen(text) - !!*text] >= 'a')
		return parse_duration("--keep", text, &recorder->limits.keep_age);
	complain("--keep takes bytes, such as 2G, or a time, such as 7d, not \"%s\"", text);
	return -1;
}

static int take_size(void *context, const char *text)
{
	return parse_size("--size", text, 1024, &((struct recorder *)context)->limits.file_size);
}

static int take_spare(void *context, const char *text)
{
	return parse_size("--spare", text, 0, &((struct recorder *)context)->limits.spare);
}

static int parse_time(const char *option, const char *text, u64 *ns)
{
	if (parse_duration(option, text, ns))
		return -1;
	if (*ns)
		return 0;
	complain("%s takes a time, and 0 is none", option);
	return -1;
}

static int take_age(void *context, const char *text)
{
	return parse_time("--age", text, &((struct recorder *)context)->limits.file_age);
}

static int take_interval(void *context, const char *text)
{
	struct recorder *recorder = context;

	if (parse_time("--interval", text, &recorder->interval))
		return -1;
	recorder->limits.sync = recorder->interval;
	return 0;
}

static int take_level(void *context, const char *text)
{
	u64 level;

	if (parse_number("--level", text, 19, &level))
		return -1;
	((struct recorder *)context)->limits.level = (int)level;
	return 0;
}

static const struct option_spec options[] = {
	{ "output", 'o', "DIR", take_output },
	{ "keep", 0, "LIMIT", take_keep },
	{ "size", 0, "SIZE", take_size },
	{ "age", 0, "TIME", take_age },
	{ "spare", 0, "SIZE", take_spare },
	{ "interval", 0, "TIME", take_interval },
	{ "level", 0, "N", take_level },
	{ NULL, 0, NULL, NULL },
};

/* ---- the loop ------------------------------------------------------------------ */

/* What this machine says of itself. */
static void this_machine(struct archive_header *header)
{
	char id[64];
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, id, sizeof(id));

	if (fd >= 0)
		close(fd);
	memset(header, 0, sizeof(*header));
	gethostname(header->host, sizeof(header->host) - 1);
	if (n > 0)
		archive_boot_get(header->boot, id, (size_t)n - (id[n - 1] == '\n'));
}

/* There is no room: nothing is read meanwhile, so that the log itself keeps what comes, as long as it can. */
static int pause_recording(struct recorder *recorder)
{
	struct timespec second = { .tv_sec = 1 };
	u64 since = now();
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
	recording_paused(recorder->recording, since, now());
	complain("there is room again: recording goes on");
	notify_status("recording into %s", recorder->directory);
	return 0;
}

static int record_entries(struct run *run, const struct bcoslog_batch *batch)
{
	struct recorder *recorder = run->context;
	const struct bcos_entry *done = batch->first;
	int r;

	notify_alive();
	do {
		r = recording_entries(recorder->recording, batch, &done);
		if (r == -ENOSPC)
			r = pause_recording(recorder);
	} while (!r && done != batch->end);
	return r;
}

static void forget(struct run *run)
{
	recording_forget(((struct recorder *)run->context)->recording);
}

/* What is there now.  Return: 0, or -1 with *@status. */
static int drain(struct run *run, int *status)
{
	struct bcoslog_batch batch;
	int r;

	while ((r = bcoslog_batch(run->log, &batch)) != 0) {
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
	return 0;
}

/* Once a zone: what is there is in the file at the latest after the interval. */
static int write_part(struct recorder *recorder)
{
	int r = 0;

	if (now() - recorder->written >= recorder->interval) {
		recorder->written = now();
		r = recording_tick(recorder->recording);
		if (r == -ENOSPC)
			r = pause_recording(recorder);
	}
	store_sync(recorder->store, false);
	return r;
}

/* How long to wait, ms. */
static int wait_time(const struct recorder *recorder, const struct run *run, bool compacts, u64 end)
{
	u64 time = recorder->interval, left = end > now() ? end - now() : 0, alive = notify_interval();

	/* Until the ring is full nothing tells that a zone of it is. */
	if (bcoslog_kind(run->log) == BCOSLOG_BPF && !compacts && time > SECOND / 5)
		time = SECOND / 5;
	if (end && left < time)
		time = left;
	if (alive && alive < time)
		time = alive;
	return (int)((time + 999999) / 1000000);
}

static bool is_live(const struct run *run)
{
	return bcoslog_kind(run->log) == BCOSLOG_DEVICE || bcoslog_kind(run->log) == BCOSLOG_BPF;
}

/* Wakes once a zone. */
static int wait_for_zone(const struct recorder *recorder, struct run *run, u64 end)
{
	static bool compacts;
	struct bcos_compaction compaction;
	int r;

	if (bcoslog_kind(run->log) != BCOSLOG_BPF)
		return bcoslog_wait(run->log, wait_time(recorder, run, compacts, end));
	r = bcoslog_wait_compaction(run->log, wait_time(recorder, run, compacts, end));
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

static int record_log(struct recorder *recorder, struct run *run)
{
	u64 end = recorder_time() ? now() + recorder_time() : 0;
	int status = EXIT_OK, r;

	set_watermark(run);
	recorder->written = now();
	notify_ready();
	notify_status("recording into %s", recorder->directory);
	for (;;) {
		notify_alive();
		if (drain(run, &status))
			return status;
		if (write_part(recorder))
			return EXIT_ENVIRONMENT;
		if (run_signal || (end && now() >= end))
			break;
		r = wait_for_zone(recorder, run, end);
		if (!r || (r < 0 && r != -EINTR && r != -ETIMEDOUT))
			return r ? run_failed(run) : status;
	}
	notify_stopping();
	if (bcoslog_kind(run->log) == BCOSLOG_BPF && bcoslog_stop_bpf(run->log))
		return run_failed(run);
	drain(run, &status);
	return status;
}

static int record(struct recorder *recorder, struct run *run)
{
	struct archive_header header = { 0 };
	int status, r;

	if (is_live(run))
		this_machine(&header);
	recorder->recording = recording_new(recorder->store, &header, is_live(run));
	if (!recorder->recording) {
		complain("no memory");
		return EXIT_ENVIRONMENT;
	}
	run->context = recorder;
	status = record_log(recorder, run);
	r = recording_finish(recorder->recording);
	if (r == -ENOSPC)
		complain("there is no room left for %s: the last part of the log is not recorded", recorder->directory);
	recording_free(recorder->recording);
	return r ? EXIT_ENVIRONMENT : status;
}

int cmd_record(int argc, char **argv)
{
	struct recorder recorder = {
		.directory = BCOSLOG_RECORD_DIRECTORY,
		.interval = 5 * SECOND,
		.limits = { .file_size = 64 * MIB, .file_age = 3600 * SECOND, .keep_size = 2048 * MIB, .sync = 5 * SECOND,
			    .level = 1 },
	};
	struct arguments arguments = { .command = "record", .help = help, .options = options, .context = &recorder };
	struct run run = { .entries = record_entries, .resumed = forget };
	int status = arguments_parse(&arguments, argc, argv);

	if (status >= 0)
		return status;
	recorder.store = store_open(recorder.directory, &recorder.limits);
	if (!recorder.store)
		return EXIT_ENVIRONMENT;
	run.path = arguments.path;
	run.follow = arguments.follow;
	status = EXIT_ENVIRONMENT;
	if (!run_open(&run, arguments.path == default_log ? BCOSLOG_FOLLOW : 0)) {
		status = record(&recorder, &run);
		run_damage_end(&run);
		bcoslog_close(run.log);
	}
	store_close(recorder.store);
	return status;
}
