// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A recording that continues with the log that is being recorded: one handle reads both. */
#include "archive/read/archive.h"
#include "archive/recording.h"
#include "handle/handle.h"

/* A recorder sends its log in parts. Only who follows the log waits for the next one elsewhere. */
static int next_batch(struct bcoslog *live, struct bcoslog_batch *batch)
{
	int r;

	do
		r = bcoslog_batch(live, batch);
	while (!r && !(live->flags & BCOSLOG_FOLLOW) && bcoslog_wait(live, -1) > 0);
	return r;
}

int bcoslog_set_live(struct bcoslog *log, struct bcoslog *live)
{
	int r;

	if (!log->archive)
		return error_set(&log->error, ENOTTY, "%s is no recorded directory", log->name);
	if (log->archive->live)
		return error_set(&log->error, EBUSY, "another log goes on after %s already", log->name);
	log->archive->next_batch = next_batch;
	r = archive_meet_live(log->archive, live);
	if (r == -EXDEV)
		return error_set(&log->error, EXDEV, "%s has nothing of the machine of %s", log->name, live->name);
	if (r)
		return error_set(&log->error, -r, "%s cannot be read: %s", live->name, strerror(-r));
	log->archive->live = live;
	return 0;
}
