// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Incidents, which are kept in files of their own: see incident.h. */
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

#include "bcoslog_bpf.h"
#include "libexec/libexec.h"
#include "incident.h"
#include "log/run.h"
#include "reader/reader.h"
#include "complain/complain.h"

#define SECOND 1000000000ull
#define HOUR (3600 * SECOND)
#define PER_HOUR_MAX 3600
/* Events in a row extend an incident up to this many times its usual length. */
#define LONGEST 10

struct incidents {
	struct incident_options options;
	struct store *store;
	const struct run *run;
	struct archive_header header;
	bool this_machine;

	/* The times and causes of the newest incidents that were kept, as a ring. */
	struct {
		u64 time;
		char cause[TRIGGER_CAUSE];
	} kept[PER_HOUR_MAX];
	u32 count;			/* number of incidents that were kept */
	u64 refused;			/* number of incidents that were not kept since the last one that was */

	/* The incident that is being kept, from @since until @until in ns since boot. If @until is 0, there is none. */
	u64 since, until;
	char cause[TRIGGER_CAUSE];
	struct bcoslog *log;
	struct recording *recording;
};

struct incidents *incidents_new(const struct incident_options *options, struct store *store, const struct run *run,
				const struct archive_header *header, bool this_machine)
{
	struct incidents *incidents;

	if (bcoslog_kind(run->log) == BCOSLOG_STREAM || !strcmp(run->path, "-")) {
		complain("--on reads the log before an event a second time, and %s can be read only once: save it to "
			 "a file (bcoslog cat - > FILE), and name that", run->path);
		return NULL;
	}
	incidents = calloc(1, sizeof(*incidents));
	if (!incidents) {
		complain("no memory");
		return NULL;
	}
	incidents->options = *options;
	incidents->store = store;
	incidents->run = run;
	incidents->header = *header;
	incidents->this_machine = this_machine;
	/* The recorder does not wait for the commands, so the kernel has to reap them. */
	signal(SIGCHLD, SIG_IGN);
	return incidents;
}

static void give_up(struct incidents *incidents)
{
	bcoslog_close(incidents->log);
	recording_free(incidents->recording);
	incidents->log = NULL;
	incidents->recording = NULL;
	incidents->until = 0;
}

void incidents_free(struct incidents *incidents)
{
	if (!incidents)
		return;
	give_up(incidents);
	free(incidents);
}

static void run_command(const struct incidents *incidents, const char *path)
{
	char *command = NULL, shell[] = "sh", option[] = "-c", name[] = "bcoslog", *file = strdup(path);
	char *cause = strdup(incidents->cause);
	posix_spawnattr_t attributes;
	sigset_t usual;
	pid_t child;
	int r = ENOMEM;

	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGXFSZ);
	sigaddset(&usual, SIGCHLD);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	if (file && cause && asprintf(&command, "%s \"$@\"", incidents->options.command) > 0) {
		char *arguments[] = { shell, option, command, name, file, cause, NULL };

		r = posix_spawn(&child, "/bin/sh", NULL, &attributes, arguments, environ);
	}
	if (r)
		complain("%s cannot be run: %s", incidents->options.command, strerror(r));
	posix_spawnattr_destroy(&attributes);
	free(command);
	free(file);
	free(cause);
}

/* Closes the file of the incident, and runs the command.  Return: 0, or a negative errno after a complaint. */
static int finish_incident(struct incidents *incidents)
{
	int r = recording_finish(incidents->recording);
	const char *path;

	store_finish(incidents->store);
	path = store_newest(incidents->store);
	if (r == -ENOSPC)
		complain("there is no room for the part around an event (%s): it is not kept", incidents->cause);
	if (!r && path) {
		complain("%s: %s", incidents->cause, path);
		if (incidents->options.command)
			run_command(incidents, path);
	}
	give_up(incidents);
	return r == -ENOSPC ? 0 : r;
}

static int open_again(struct incidents *incidents)
{
	const struct run *run = incidents->run;
	struct bcoslog_error error;
	int r;

	if (bcoslog_kind(run->log) == BCOSLOG_BPF)
		r = bcoslog_share_bpf(&incidents->log, run->log, BCOSLOG_FOLLOW, &error);
	else
		r = helper_open(&incidents->log, run->path, bcoslog_kind(run->log) == BCOSLOG_DEVICE || run->follow ?
				BCOSLOG_FOLLOW : 0, &error);
	if (r)
		complain("%s", error.text);
	return r;
}

/*
 * Return: the number of incidents that were kept in the hour before @time, up to per_hour; of those with this @cause
 * alone unless it is NULL.
 */
static u32 count_kept(const struct incidents *incidents, u64 time, const char *cause)
{
	u32 limit = incidents->options.per_hour, count = 0, i;

	for (i = 0; i < limit && i < incidents->count; i++)
		count += time - incidents->kept[i].time < HOUR && (!cause || !strcmp(incidents->kept[i].cause, cause));
	return count;
}

/*
 * Were per_hour incidents kept in the hour before @time, or half as many of this cause? One program that dies again and
 * again leaves the other half to others. If they were not, the function counts this one.
 */
static bool is_refused(struct incidents *incidents, u64 time, const char *cause)
{
	u32 limit = incidents->options.per_hour, share = (limit + 1) / 2, at = incidents->count % limit;
	bool full = count_kept(incidents, time, NULL) == limit;

	if (!full && count_kept(incidents, time, cause) < share) {
		if (incidents->refused > 1)
			complain("%llu more event%s not kept", (unsigned long long)incidents->refused - 1,
				 incidents->refused > 2 ? "s are" : " is");
		incidents->refused = 0;
		incidents->kept[at].time = time;
		snprintf(incidents->kept[at].cause, sizeof(incidents->kept[at].cause), "%s", cause);
		incidents->count++;
		return false;
	}
	if (incidents->refused++)
		return true;
	if (full)
		complain("%s: not kept, since %u were in the last hour (--per-hour)", cause, limit);
	else
		complain("%s: not kept, since %u such were in the last hour, half of --per-hour", cause, share);
	return true;
}

int incidents_add(struct incidents *incidents, u64 time, const char *cause)
{
	const struct incident_options *options = &incidents->options;
	u64 longest = LONGEST * (options->before + options->after);
	int r;

	if (incidents->until && time <= incidents->until) {
		/* The event belongs to the incident that is being kept. */
		if (time + options->after - incidents->since <= longest)
			incidents->until = time + options->after;
		return 0;
	}
	r = incidents->until ? incidents_work(incidents, true) : 0;
	if (r || is_refused(incidents, time, cause))
		return r;
	snprintf(incidents->cause, sizeof(incidents->cause), "%s", cause);
	incidents->since = time > options->before ? time - options->before : 0;
	incidents->until = time + options->after;
	incidents->recording = recording_new(incidents->store, &incidents->header, incidents->this_machine);
	if (!incidents->recording) {
		complain("no memory");
		return -ENOMEM;
	}
	recording_part(incidents->recording, incidents->since, incidents->cause);
	r = open_again(incidents);
	if (r)
		give_up(incidents);
	return r;
}

/* Return: the first entry of the batch that is later than @until, or the batch's end. */
static const struct bcos_entry *cut_batch(const struct bcoslog_batch *batch, u64 until)
{
	const struct bcos_entry *entry;

	bcoslog_each(entry, batch)
		if (!(entry->type & BCOS_TYPE_HISTORICAL) && entry->time > until)
			break;
	return entry;
}

/* Skips a damaged place.  Return: whether the log has more entries. */
static bool skip_damage(struct incidents *incidents)
{
	const struct bcoslog_error *error = bcoslog_error(incidents->log);

	if (error->resumes == BCOSLOG_AT_GROUP)
		recording_damaged(incidents->recording, error->lost);
	return !bcoslog_skip(incidents->log);
}

int incidents_work(struct incidents *incidents, bool end)
{
	const struct bcos_entry *done, *last;
	struct bcoslog_batch batch;
	int r = 0;

	while (incidents->until) {
		r = bcoslog_batch(incidents->log, &batch);
		if (r == -EBADMSG && skip_damage(incidents))
			continue;
		if (r <= 0)
			return end || r ? finish_incident(incidents) : 0;
		done = batch.first;
		last = batch.end;
		batch.end = cut_batch(&batch, incidents->until);
		r = recording_entries(incidents->recording, &batch, &done);
		if (r == -ENOSPC || batch.end != last)
			return finish_incident(incidents);
		if (r)
			return r;
	}
	return 0;
}
