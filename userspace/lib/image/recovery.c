// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes a log of an image: see recover.h. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/rules/rules.h"
#include "core/write/group.h"
#include "handle/error.h"
#include "host/linux.h"
#include "recovery.h"
#include "resume/resume.h"

/* The passes of the merge take so many units each. */
#define PASS_UNITS 4096

/* Without a sample of both clocks at the end, the counter may be off by this part of the time since the last one. */
#define STRAYING 2000

/* ---- services for the core ----------------------------------------------------------- */

static void *host_alloc(void *context, size_t size)
{
	(void)context;
	return calloc(1, size);
}

static void host_free(void *context, void *memory, size_t size)
{
	(void)context, (void)size;
	free(memory);
}

/* A CPU that comes online has the core that it had; the core of one that was never online is unknown, and is 0. */
static u32 host_core_of(void *context, u32 cpu)
{
	const struct recovery *recovery = context;
	const struct bcoslog_cpu *known = bcoslog_cpu(recovery->state, cpu);

	return known ? known->core : 0;
}

static const struct bcos_host host = { .alloc = host_alloc, .free = host_free, .core_of = host_core_of };

/* ---- the clock of the merge ------------------------------------------------------------ */

/* The merge takes no context for its clock and its samples. */
static _Thread_local u64 merge_clock;
static _Thread_local struct bcos_sample merge_sample;
static _Thread_local bool merge_sampled;

static u64 end_clock(void)
{
	return merge_clock;
}

static bool end_sample(struct bcos_sample *sample)
{
	if (merge_sampled)
		return false;
	merge_sampled = true;
	*sample = merge_sample;
	return true;
}

/* Return: the later of two raw times. The time of a loss counts if it can be one. */
static u64 later(u64 newest, u64 time)
{
	return time > newest && (time & BCOS_RAW_TICKS || time < RECOVERY_NEVER) ? time : newest;
}

/* Return: the raw time of the newest record, or of the newest lost one. */
static u64 newest_record(const struct recovery *recovery)
{
	const struct bcos_stage_lost *lost;
	u64 newest = 0;
	u32 number;

	for (number = 0; number < recovery->image.header->stages; number++) {
		lost = &recovery->stage[number].stage.lost;
		newest = later(later(later(newest, recovery->stage[number].last), lost->last), lost->assign_time);
	}
	return newest;
}

/*
 * Say how the clock went since the newest sample: as straight as one that is steered, by 500 ppm at most.  Nobody noted
 * more in the image.  The sample moves on along that line, until no time up to where it was is uncertain any more.
 */
static void set_band(struct bcos_sample *sample, const struct bcos_sample *from)
{
	u64 ticks = sample->ticks - from->ticks, time = sample->time - from->time, rate;

	if (sample->ticks <= from->ticks || sample->time <= from->time || ticks >= 1ull << 48 || time >= 1ull << 48)
		return;
	/* No counter is so slow: the image is damaged. */
	rate = bcos_rate_of(time, ticks);
	if (rate >> 63)
		return;
	sample->band = (struct bcos_band){
		.ticks = from->ticks, .time = from->time, .rate = rate,
		.least = -(s64)(time / STRAYING + sample->span), .most = (s64)(time / STRAYING + sample->span),
	};
	sample->ticks += ticks / 256 + ticks * 8192 / time;
	sample->time += time / 256 + 8192;
}

/*
 * Let the clock of the merge show a time after all records. Ticks need a sample of both clocks there: that of the seal,
 * or an estimate by the rate of the last samples.
 */
static void set_clock(struct recovery *recovery)
{
	const struct bcos_image_seal *seal = recovery->image.seal;
	struct bcos_timebase *timebase = &recovery->merge.timebase;
	u64 newest = newest_record(recovery), since;

	if (!(newest & BCOS_RAW_TICKS)) {
		/* Without ticks all times are of one clock, and that of the seal is after all that it vouches for. */
		if (newest < recovery->image.pass->horizon)
			newest = recovery->image.pass->horizon;
		if (seal && seal->time > newest && seal->time < RECOVERY_NEVER)
			newest = seal->time;
		merge_clock = newest + 1;
		return;
	}
	merge_clock = seal && seal->ticks > newest ? seal->ticks : newest + 1;
	merge_sampled = false;
	if (seal && seal->ticks & BCOS_RAW_TICKS && seal->ticks >= newest) {
		merge_sample = (struct bcos_sample){ .ticks = seal->ticks, .time = seal->time, .span = 1000 };
	} else if (timebase->sampled && timebase->rate) {
		since = host_multiply_shift(merge_clock - timebase->newest.ticks, timebase->rate, BCOS_RATE_SHIFT);
		merge_sample = (struct bcos_sample){ .ticks = merge_clock, .time = timebase->newest.time + since,
						     .span = (u32)(since / STRAYING < 0x7FFFFFFF ? since / STRAYING + 1000 :
										       0x7FFFFFFF) };
	} else {
		return;
	}
	if (timebase->sampled)
		set_band(&merge_sample, &timebase->newest);
	merge_clock = merge_sample.ticks;
	recovery->merge.sample = end_sample;
}

/* ---- the merge --------------------------------------------------------------------------- */

static void restore_timebase(struct bcos_timebase *timebase, const struct bcos_image_pass *pass)
{
	u32 i;

	bcos_timebase_init(timebase, pass->resolution ? pass->resolution : 1);
	for (i = 0; i < pass->segments; i++)
		timebase->segment[i] = (struct bcos_segment){
			.ticks = pass->segment[i].ticks, .length = pass->segment[i].length,
			.time = pass->segment[i].time, .rate = pass->segment[i].rate,
			.precision = pass->segment[i].precision,
		};
	timebase->count = pass->segments;
	timebase->sampled = pass->flags & BCOS_IMAGE_SAMPLED;
	timebase->newest = (struct bcos_sample){
		.ticks = pass->sample_ticks, .time = pass->sample_time, .span = pass->sample_span,
	};
	timebase->low = pass->low;
	timebase->rate = pass->rate;
}

static void restore_source(struct recovery *recovery, u32 number)
{
	const struct bcos_image_source *from = &recovery->image.pass->source[number];
	struct bcos_source *source = &recovery->merge.source[number];

	if (!recovery->stage[number].stage.ring)
		return;
	bcos_merge_add(&recovery->merge, number, &recovery->stage[number].stage);
	source->tail = source->released = from->tail;
	source->gathered = from->gathered;
	source->nested = from->nested;
	source->nmi = from->nmi;
	source->stretch = from->stretch;
	memcpy(source->counted, from->lost, sizeof(source->counted));
}

/* Count the units of a stage that the merge did not take, as those that cannot be read. */
static void count_left(struct recovery *recovery, u32 number)
{
	const struct bcos_source *source = &recovery->merge.source[number];
	struct recovery_stage *own = &recovery->stage[number];

	if (!source->stage || source->tail >= own->stage.head)
		return;
	own->unread += own->stage.head - source->tail;
	recovery->result->unread += own->stage.head - source->tail;
}

static int merge_stages(struct recovery *recovery)
{
	u32 stages = recovery->image.header->stages, number;
	u64 units = 0, passes, entries;
	bool more = true;
	int r = bcos_merge_init(&recovery->merge, &recovery->log, stages);

	if (r)
		return r;
	recovery->merge.timebase = recovery->timebase;
	recovery->merge.horizon = recovery->image.pass->horizon;
	for (number = 0; number < stages; number++) {
		restore_source(recovery, number);
		units += recovery->stage[number].stage.head - recovery->stage[number].stage.tail;
	}
	set_clock(recovery);
	entries = recovery->log.ring.now.head.entry;
	/* Each pass takes some units, or a loss of each stage. */
	for (passes = 0; passes < 16 + 4ull * stages + units && (more || passes < 2); passes++)
		more = bcos_merge_pass(&recovery->merge, end_clock, PASS_UNITS);
	recovery->result->merged = recovery->log.ring.now.head.entry - entries;
	for (number = 0; number < stages; number++)
		count_left(recovery, number);
	return 0;
}

static int resume_old_log(struct recovery *recovery)
{
	const struct bcos_image_pass *pass = recovery->image.pass;
	const struct bcos_image_devices *devices = recovery->image.devices;
	struct resume resume = {
		.mask = pass->mask, .on_request = pass->on_request, .elsewhere = pass->elsewhere,
		.hide_calls = pass->flags & BCOS_IMAGE_HIDES_CALLS, .begin = pass->horizon, .time = recovery->time,
		.lost = pass->marks.lost, .device = devices ? devices->device : NULL,
		.devices = devices ? devices->count : 0, .tag_of = recovery_tag_of, .context = recovery,
	};
	struct bcos_ring *ring = &recovery->log.ring;

	ring->now.head = (struct bcos_mark){ .offset = recovery->used, .entry = recovery->entries };
	recovery->result->keyless = !devices && pass->devices;
	return resume_log(&recovery->log, recovery->state, &resume);
}

/* Write the log of @recovery to the file.  Return: 0 or a negative errno. */
static int write_log(const struct recovery *recovery, int fd)
{
	const struct bcos_marks *marks = &recovery->log.ring.now;
	const u8 *at = recovery->ring + (marks->oldest.offset & (recovery->ring_size - 1));
	u64 left = marks->head.offset - marks->oldest.offset;
	ssize_t n;

	while (left) {
		n = write(fd, at, left < 1 << 30 ? left : 1 << 30);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		at += n;
		left -= (u64)n;
	}
	return 0;
}

/* ---- all of it -------------------------------------------------------------------------- */

/*
 * Make a ring that has room for the old log, twice, and for what the staging rings become: a unit becomes an entry of
 * up to three units, and groups are between them.
 */
static int make_ring(struct recovery *recovery)
{
	const struct bcos_image_header *header = recovery->image.header;
	u64 rings = recovery->image.size < header->section[BCOS_IMAGE_RINGS].size ?
		recovery->image.size : header->section[BCOS_IMAGE_RINGS].size, size = 1u << 20;
	int fd = memfd_create("bcos_evlog", MFD_CLOEXEC);
	u32 number;

	for (number = 0; recovery->ends && number < header->stages; number++)
		rings += recovery->ends[number].units * sizeof(struct bcos_unit);
	if (fd < 0)
		return -errno;
	while (size < 4 * header->ring_size + 4 * rings || size < bcos_log_ring_min(header->cpus))
		size *= 2;
	recovery->ring_size = size;
	if (!ftruncate(fd, (off_t)size))
		recovery->ring = double_map(fd, 0, size);
	close(fd);
	return recovery->ring ? 0 : -ENOMEM;
}

static int recover_log(struct recovery *recovery, int fd)
{
	struct bcos_log *log = &recovery->log;
	u32 stages = recovery->image.header->stages;
	int r = make_ring(recovery);

	recovery->state = bcoslog_state_new();
	recovery->stage = aligned_alloc(64, stages * sizeof(*recovery->stage));
	if (!recovery->state || !recovery->stage)
		r = -ENOMEM;
	else
		memset(recovery->stage, 0, stages * sizeof(*recovery->stage));
	r = r ?: bcos_log_init(log, &host, recovery, recovery->ring, recovery->ring_size, recovery->image.header->cpus,
			       recovery->image.pass->resolution ? recovery->image.pass->resolution : 1);
	restore_timebase(&recovery->timebase, recovery->image.pass);
	r = r ?: recovery_copy_log(recovery) ?: recovery_find_ends(recovery) ?: recovery_stage_lines(recovery) ?:
	    resume_old_log(recovery) ?: merge_stages(recovery);
	if (r)
		return r;
	recovery_note_end(recovery);
	recovery_write_end(recovery);
	recovery->result->newest = log->time;
	return write_log(recovery, fd);
}

static void recovery_free(struct recovery *recovery)
{
	bcos_merge_destroy(&recovery->merge);
	bcos_log_destroy(&recovery->log);
	double_unmap(recovery->ring, recovery->ring_size);
	bcoslog_state_free(recovery->state);
	free(recovery->stage);
	free(recovery->lines);
	tags_free(&recovery->tags);
	free(recovery);
}

/* Return: a negative errno with the reason in @error, if nothing can be recovered; else 0. */
static int check_image(struct recovery *recovery, const void *bytes, u64 size, struct bcoslog_error *error)
{
	enum bcos_image_fault fault = bcos_image_check(bytes, size, &recovery->image);

	if (fault)
		return error_set(error, fault == BCOS_IMAGE_FAULT_MAGIC ? EILSEQ : EBADMSG, "the image %s",
				 bcos_image_fault_text(fault));
	if (!recovery->image.pass)
		return error_set(error, EBADMSG, "the image is damaged: both copies of what the log writer knew are wrong, "
				 "so nothing tells which of its bytes count");
	if (!recovery->image.header->raw || recovery->image.header->raw > BCOS_IMAGE_RAW)
		return error_set(error, EBADMSG, "the image is of another version of the module: read it with the bcoslog "
				 "of that version");
	if (!(recovery->image.pass->flags & BCOS_IMAGE_BEGUN) ||
	    recovery->image.marks.head.offset == recovery->image.marks.oldest.offset)
		return error_set(error, ENODATA, "the image has no log: the machine ended before the log began");
	return 0;
}

int recover_image(const void *bytes, u64 size, const struct recover_end *ends, int fd, struct recovered *recovered,
		  struct bcoslog_error *error)
{
	struct recovery *recovery = aligned_alloc(64, (sizeof(*recovery) + 63) & ~63ul);
	const struct bcos_image_header *header;
	int r;

	memset(recovered, 0, sizeof(*recovered));
	if (!recovery)
		return error_set(error, ENOMEM, "there is no memory for an image");
	memset(recovery, 0, sizeof(*recovery));
	recovery->ends = ends;
	recovery->result = recovered;
	r = check_image(recovery, bytes, size, error);
	if (!r) {
		header = recovery->image.header;
		recovered->state = header->state;
		recovered->dumped = ends && header->state == BCOS_IMAGE_RUNNING && !(header->flags & BCOS_IMAGE_BY_BPF);
		recovered->wall = header->wall;
		memcpy(recovered->boot, header->boot, sizeof(recovered->boot));
		memcpy(recovered->kernel, header->kernel, sizeof(recovered->kernel));
		r = recover_log(recovery, fd);
		if (r)
			error_set(error, -r, "the log of the image cannot be made: %s", strerror(-r));
	}
	recovery_free(recovery);
	return r;
}
