// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Times of the wall clock require the log's statement of the wall clock. The statement comes after the group with which
 * the log begins, so entries are held back until it was read.
 */
#include <fcntl.h>
#include <unistd.h>

#include "core/format/entry.h"
#include "core/format/statement_text.h"

#include "hold.h"
#include "complain/complain.h"
#include "run.h"

/* The greatest number of bytes that are held back. No group is that large. */
#define HELD_MAX (1u << 30)

/* Does the entry state that the log is of this boot? */
static bool is_this_boot(const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	char id[64];
	const char *text;
	size_t length;
	ssize_t n;
	int fd;

	if (!bcoslog_is_statement(entry) || entry->type != BCOS_GENERIC_PROCESS || event->event_id != BCOS_EVENT_BOOT)
		return false;
	fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, id, sizeof(id));
	if (fd >= 0)
		close(fd);
	if (n > 0 && id[n - 1] == '\n')
		n--;
	text = bcoslog_text(entry, &length);
	text = bcos_fact_parse(BCOS_EVENT_BOOT, text, &length);
	return n > 0 && text && length == (size_t)n && !memcmp(text, id, (size_t)n);
}

/*
 * Takes this machine's wall clock, since the log states none. Only the times of this boot can be told by it.
 * Return: 0, or a negative errno after a complaint.
 */
static int do_without(struct run *run)
{
	enum bcoslog_kind kind = bcoslog_kind(run->log);

	if (kind != BCOSLOG_DEVICE && kind != BCOSLOG_BPF && !run->held.this_boot) {
		complain("the log does not state the wall clock, and nothing says that it is of this boot: its times can be "
			 "shown since boot alone");
		run->held.error = -EINVAL;
		return run->held.error;
	}
	wall_now(&run->session->clock);
	complain("the log does not state the wall clock: its times are by this machine's, as it is set now");
	return 0;
}

/*
 * Passes on entries, of which the tool learns before what they say of the wall clock, and where the log begins and ends.
 * Return: as run->entries.
 */
static int pass_on(struct run *run, const struct bcoslog_batch *batch)
{
	struct session *session = run->session;
	struct clock *clock = &session->clock;
	bool counts = window_is_asked(&session->window);
	/* Only these can be damaged between their entries. */
	bool tracks = bcoslog_kind(run->log) == BCOSLOG_FILE || bcoslog_kind(run->log) == BCOSLOG_STREAM;
	const struct bcos_entry *entry;
	int r = 0;

	if (clock->needed || counts || tracks) {
		bcoslog_each(entry, batch) {
			if (!(entry->type & BCOS_TYPE_HISTORICAL))
				run->last = entry->time;
			if (unlikely(entry->type == BCOS_GENERIC_PROCESS) && clock->needed && !r)
				r = wall_learn(clock, entry);
			if (counts)
				window_count(&session->window, clock, entry);
		}
	}
	return r ? r : run->entries(run, batch);
}

/* Passes on the entries that were held back.  Return: as run->entries. */
static int release_held(struct run *run)
{
	struct bcoslog_batch batch;
	int r = 0;

	while (!r && batches_take(&run->held.batches, 0, &batch))
		r = pass_on(run, &batch);
	batches_free(&run->held.batches);
	return r;
}

static int hold_batch(struct run *run, const struct bcoslog_batch *batch)
{
	struct batches *held = &run->held.batches;

	if (batches_size(held) <= HELD_MAX && !batches_hold(held, batch))
		return 0;
	complain("no memory for the entries before the log states the wall clock");
	return -ENOMEM;
}

/*
 * Does the next entry begin where the entry ends? An entry of an odd size or a short one has zeros after it, which
 * would be missing in a copy.
 */
static bool lies_in_a_row(const struct bcos_entry *entry)
{
	enum bcos_unusual unusual = bcos_entry_unusual(entry);

	return unusual != BCOS_ODD_SIZE && unusual != BCOS_SHORT;
}

int hold_entries(struct run *run, const struct bcoslog_batch *batch)
{
	struct clock *clock = &run->session->clock;
	const struct bcos_entry *entry;
	int r = 0;

	if (!clock->needed || clock->known)
		return pass_on(run, batch);
	bcoslog_each(entry, batch) {
		r = wall_learn(clock, entry);
		run->held.this_boot |= is_this_boot(entry);
		if (!r && !clock->known && ((!(entry->type & BCOS_TYPE_HISTORICAL) && !bcoslog_is_statement(entry) &&
					   !bcoslog_is_missed(entry)) ||
					  !lies_in_a_row(entry)))
			r = do_without(run);
		if (clock->known || r)
			break;
	}
	if (!r && !clock->known)
		return hold_batch(run, batch);
	if (!r)
		r = release_held(run);
	return r ? r : pass_on(run, batch);
}

int hold_end(struct run *run)
{
	int r = run->held.error;

	if (r || !batches_size(&run->held.batches))
		return r;
	if (!run->session->clock.known)
		r = do_without(run);
	return r ? r : release_held(run);
}
