// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Settles times that depend on the log's end, such as the last hour, or 14:03 of its last day: see log_end.h. */
#include "core/format/entry.h"

#include "bcoslog_archive.h"
#include "host/clock.h"
#include "log_end.h"
#include "options/boots.h"
#include "options/window.h"
#include "output/complain.h"
#include "output/times.h"
#include "recorder.h"
#include "run.h"

#define SECOND 1000000000u

/* The begin and end of a log. */
struct end {
	u64 boot;			/* ns since boot of the newest entry that is not historical */
	u64 begin;			/* wall clock at the oldest entry that is not historical; 0: unknown */
	struct bcoslog_wall wall;	/* the log's last statement of the wall clock */
	bool has_wall;
	bool recorded;			/* the log is a recording, which may have several boots */
};

/* Reads the whole file to find its end.  Return: 0, or -1 after a complaint. */
static int find_end(const char *path, struct end *end)
{
	struct bcoslog_error error;
	const struct bcos_entry *entry;
	struct bcoslog_batch batch;
	struct bcoslog *log;
	u64 begin = 0;

	if (!strcmp(path, "-")) {
		complain("a duration before the end has no meaning while standard input is read: save it to a "
			 "file (bcoslog cat - > FILE), and name that");
		return -1;
	}
	if (bcoslog_open(&log, path, 0, &error)) {
		complain("%s", error.text);
		return -1;
	}
	/* Damage counts as the end here. The pass over the log complains about it. */
	while (bcoslog_batch(log, &batch) > 0) {
		bcoslog_each(entry, &batch) {
			if (entry->type & BCOS_TYPE_HISTORICAL)
				continue;
			if (!end->boot)
				begin = entry->time;
			end->boot = entry->time;
			end->has_wall |= bcoslog_wall_clock(entry, &end->wall);
		}
	}
	if (end->has_wall)
		end->begin = bcoslog_wall_time(&end->wall, begin);
	bcoslog_close(log);
	return 0;
}

/* Takes the end of a recording from its index. */
static void find_recorded_end(struct bcoslog *log, struct end *end)
{
	struct bcoslog_boot boot = { .size = sizeof(boot) };
	u32 i;

	for (i = 0; bcoslog_boot(log, i, &boot) > 0; i++) {
		if (!(boot.flags & BCOSLOG_BOOT_READ))
			continue;
		/* Each boot has a clock of its own. */
		if (!end->boot && boot.begin.utc)
			end->begin = bcoslog_wall_time(&boot.begin, boot.first);
		end->boot = boot.last;
		end->wall = boot.end;
		end->has_wall = boot.end.utc;
	}
}

/* A running log ends now. */
static void find_now(struct end *end)
{
	end->boot = end->wall.boot = clock_now(CLOCK_BOOTTIME);
	end->wall.utc = clock_now(CLOCK_REALTIME);
	end->has_wall = true;
	end->begin = bcoslog_wall_time(&end->wall, 0);
}

#define DAY (86400ull * SECOND)

static void settle_moment(struct moment *moment, const struct end *end)
{
	if (moment->kind == WHEN_BEFORE && end->recorded && end->has_wall) {
		/* The moment may lie in another boot, so it needs the wall clock. */
		u64 utc = bcoslog_wall_time(&end->wall, end->boot);

		moment->kind = WHEN_WALL;
		moment->ns = utc > moment->ns ? utc - moment->ns : 0;
	} else if (moment->kind == WHEN_BEFORE) {
		moment->kind = WHEN_BOOT;
		moment->ns = end->boot > moment->ns ? end->boot - moment->ns : 0;
	} else if (moment->kind == WHEN_CLOCK) {
		moment->kind = WHEN_WALL;
		moment->ns = last_clock(moment->ns, end->has_wall ? bcoslog_wall_time(&end->wall, end->boot) :
					clock_now(CLOCK_REALTIME));
	}
}

/*
 * If a log ends at 22:00, its last 23:00 is that of the day before, and lies before --since or before the log's begin.
 * "--until 23:00" then means the 23:00 of the next day.
 */
static void settle_until(const struct end *end)
{
	bool clock = window_asked.until.kind == WHEN_CLOCK;

	settle_moment(&window_asked.until, end);
	if (!clock)
		return;
	if ((window_asked.since.kind == WHEN_WALL && window_asked.until.ns < window_asked.since.ns) ||
	    window_asked.until.ns < end->begin)
		window_asked.until.ns += DAY;
}

static bool needs_end(const struct moment *moment)
{
	return moment->kind == WHEN_BEFORE || moment->kind == WHEN_CLOCK;
}

static u32 kind_of(const struct moment *moment)
{
	return moment->kind == WHEN_NONE ? BCOSLOG_MOMENT_NONE :
	       moment->kind == WHEN_WALL ? BCOSLOG_MOMENT_WALL : BCOSLOG_MOMENT_BOOT;
}

/* Limits the reading of a recording to the window that is asked for. */
static void set_window(struct bcoslog *log)
{
	struct bcoslog_window part = {
		.size = sizeof(part),
		.since = kind_of(&window_asked.since), .since_ns = window_asked.since.ns,
		.until = kind_of(&window_asked.until), .until_ns = window_asked.until.ns };

	if (window_asked.near && !part.since) {
		part.since = kind_of(&window_asked.moment);
		part.since_ns = window_asked.moment.ns > window_asked.near ?
				window_asked.moment.ns - window_asked.near : 0;
	}
	if (window_asked.near && !part.until) {
		part.until = kind_of(&window_asked.moment);
		part.until_ns = window_asked.moment.ns > ~window_asked.near ? ~0ull :
				window_asked.moment.ns + window_asked.near;
	}
	bcoslog_set_window(log, &part);
}

int run_settle_times(struct run *run)
{
	enum bcoslog_kind kind = bcoslog_kind(run->log);
	struct end end = { .recorded = kind == BCOSLOG_RECORDING };

	if (boots_choose(run->log, run->path, run->follow))
		return -1;
	if (needs_end(&window_asked.since) || needs_end(&window_asked.until) || needs_end(&window_asked.moment)) {
		if (kind == BCOSLOG_DEVICE || kind == BCOSLOG_BPF || (recorder_asked && !recorder_joined))
			end.boot = clock_now(CLOCK_BOOTTIME);
		else if (recorder_joined)
			find_now(&end);
		else if (end.recorded)
			find_recorded_end(run->log, &end);
		else if (find_end(run->path, &end))
			return -1;
		settle_moment(&window_asked.since, &end);
		settle_until(&end);
		settle_moment(&window_asked.moment, &end);
	}
	if (end.recorded)
		set_window(run->log);
	wall_needed |= window_asked.since.kind == WHEN_WALL || window_asked.until.kind == WHEN_WALL ||
		       window_asked.moment.kind == WHEN_WALL;
	return 0;
}
