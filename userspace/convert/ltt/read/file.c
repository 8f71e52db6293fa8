// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads blocks and events of a file. Where a block cannot be decoded, reading goes on at the next block. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read.h"

#define SECOND 1000000000ull

/* Returns @value * @multiplier / @divisor, at most 2^64 - 1. */
static u64 scale_value(u64 value, u64 multiplier, u64 divisor)
{
	__extension__ unsigned __int128 product = (unsigned __int128)value * multiplier / divisor;

	return product > UINT64_MAX ? UINT64_MAX : (u64)product;
}

/* Do both clocks go on from @a to @b, so that their ratio is known? */
static bool has_rate(const struct ltt_stamp *a, const struct ltt_stamp *b)
{
	return b->ns > a->ns && b->cycles > a->cycles;
}

u64 ltt_boot_time(struct ltt_trace *trace, struct ltt_stamp stamp)
{
	s64 time;

	if (!trace->anchored) {
		u64 boot = trace->rate_cycles ? scale_value(stamp.cycles, trace->rate_ns, trace->rate_cycles)
					      : stamp.cycles;

		/* Such a counter cannot have counted since boot. */
		if (boot > stamp.ns)
			boot = 0;
		trace->zero = stamp.ns - boot;
		trace->anchored = true;
	}
	time = (s64)(stamp.ns - trace->zero);
	return time < 0 ? 0 : (u64)time;
}

u64 ltt_cycles_time(const struct ltt_trace *trace, u64 cycles)
{
	return !trace->rate_cycles ? cycles : scale_value(cycles, trace->rate_ns, trace->rate_cycles);
}

/* Returns the time of an event that comes @delta after the last time value. */
static struct ltt_stamp stamp_of(const struct ltt_file *file, u32 delta)
{
	const struct ltt_trace *trace = file->trace;
	struct ltt_stamp stamp = file->value;

	stamp.cycles += delta;
	if (file->delta_ns)
		stamp.ns += delta;
	else if (has_rate(&file->begin, &file->end))
		stamp.ns += scale_value(delta, file->end.ns - file->begin.ns, file->end.cycles - file->begin.cycles);
	else if (trace->rate_cycles)
		stamp.ns += scale_value(delta, trace->rate_ns, trace->rate_cycles);
	else
		stamp.ns += delta;
	return stamp;
}

/* Returns ns since boot. Time never goes back within a file. */
static u64 time_of(struct ltt_file *file, struct ltt_stamp stamp)
{
	u64 time = ltt_boot_time(file->trace, stamp);

	if (time < file->time)
		time = file->time;
	return file->time = time;
}

static bool take_stamp(struct ltt_cursor *cursor, struct ltt_stamp *stamp)
{
	u64 seconds, ns;

	if (!ltt_take(cursor, 4, &seconds) || !ltt_take(cursor, 4, &ns) || !ltt_take(cursor, 8, &stamp->cycles))
		return false;
	stamp->ns = seconds * SECOND + ns;
	return true;
}

static bool take_header(struct ltt_cursor *cursor, u16 *id, u32 *delta)
{
	u64 value, time;

	if (!ltt_take(cursor, 2, &value) || !ltt_take(cursor, 4, &time))
		return false;
	*id = (u16)value;
	*delta = (u32)time;
	return true;
}

/* Takes a block_start or block_end. @delta: out: the time in its header. */
static bool take_boundary(struct ltt_cursor *cursor, bool wide, u16 expected, u32 *delta, struct ltt_stamp *stamp,
			  u64 *block)
{
	u16 id;

	return take_header(cursor, &id, delta) && id == expected && take_stamp(cursor, stamp) &&
	       ltt_take(cursor, wide ? 8 : 4, block);
}

static int read_at(int fd, u8 *bytes, size_t size, u64 offset)
{
	ssize_t n;

	while (size) {
		n = pread(fd, bytes, size, (off_t)offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -ENODATA;
		bytes += n;
		size -= (size_t)n;
		offset += (size_t)n;
	}
	return 0;
}

/* Opens a regular file, and nothing else. Returns a descriptor or a negative errno. */
static int open_regular(const char *path, u64 *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat stat;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &stat) || !S_ISREG(stat.st_mode)) {
		close(fd);
		return -EINVAL;
	}
	*size = (u64)stat.st_size;
	return fd;
}

/* Finds block_end by the last four bytes of a block. */
static bool find_end(const struct ltt_trace *trace, const u8 *block, struct ltt_cursor *end)
{
	struct ltt_cursor cursor = { block + trace->block - 4, block + trace->block, trace->swap };
	u64 offset = 0;

	ltt_take(&cursor, 4, &offset);
	if (offset < LTT_HEADER + LTT_BLOCK_TIME || offset > trace->block - 4)
		return false;
	*end = (struct ltt_cursor){ block + offset, block + trace->block - 4, trace->swap };
	return true;
}

/* Does a block of builtin events end where its last bytes say, if block IDs have this length? */
static bool lands_on_block(const struct ltt_trace *trace, const u8 *block, bool wide)
{
	struct ltt_cursor cursor = { block, block + trace->block, trace->swap }, end;
	struct ltt_stamp stamp;
	u32 delta;
	u64 number;
	u16 id;

	if (!find_end(trace, block, &end) ||
	    !take_boundary(&cursor, wide, LTT_BLOCK_START, &delta, &stamp, &number))
		return false;
	cursor.end = end.at;
	while (cursor.at < cursor.end) {
		if (!take_header(&cursor, &id, &delta))
			return false;
		if (id == LTT_TIME_HEARTBEAT ? !take_stamp(&cursor, &stamp) :
		    id != LTT_FACILITY_LOAD ||
		    !ltt_walk(&trace->facilities, trace->events[LTT_FACILITY_LOAD], &cursor, NULL, NULL))
			return false;
	}
	return cursor.at == end.at;
}

/* Learns the rate of the counter from one block. */
static void learn_rate(struct ltt_trace *trace, const u8 *block)
{
	struct ltt_cursor cursor = { block, block + trace->block, trace->swap }, end;
	struct ltt_stamp first, last;
	u64 number;
	u32 delta;

	if (trace->rate_cycles || !find_end(trace, block, &end) ||
	    !take_boundary(&cursor, trace->wide, LTT_BLOCK_START, &delta, &first, &number) ||
	    !take_boundary(&end, trace->wide, LTT_BLOCK_END, &delta, &last, &number) || !has_rate(&first, &last))
		return;
	trace->rate_ns = last.ns - first.ns;
	trace->rate_cycles = last.cycles - first.cycles;
}

int ltt_file_learn(struct ltt_trace *trace, const char *path)
{
	u64 size;
	u8 *block;
	u16 first;
	int fd, r;

	fd = open_regular(path, &size);
	if (fd < 0)
		return fd;
	block = malloc(trace->block);
	r = block ? read_at(fd, block, trace->block, 0) : -ENOMEM;
	close(fd);
	if (!r) {
		memcpy(&first, block, sizeof(first));
		if (first == LTT_BLOCK_START || first == __builtin_bswap16(LTT_BLOCK_START))
			trace->swap = first != LTT_BLOCK_START;
		if (!lands_on_block(trace, block, trace->wide))
			trace->wide ^= lands_on_block(trace, block, !trace->wide);
		learn_rate(trace, block);
	}
	free(block);
	return r;
}

int ltt_file_open(struct ltt_file *file, struct ltt_trace *trace, const char *path)
{
	u64 size;
	int fd = open_regular(path, &size);

	memset(file, 0, sizeof(*file));
	if (fd < 0)
		return fd;
	close(fd);
	file->trace = trace;
	file->path = path;
	file->blocks = size / trace->block;
	file->rest = size % trace->block;
	file->bytes = malloc(trace->block);
	return file->bytes ? 0 : -ENOMEM;
}

void ltt_file_close(struct ltt_file *file)
{
	free(file->bytes);
	file->bytes = NULL;
}

/* Do the times of events count nanoseconds, although the counter counts something else? The time of block_end tells. */
static bool counts_in_ns(const struct ltt_file *file, u32 delta)
{
	return delta == (u32)(file->end.ns - file->begin.ns) && delta != (u32)(file->end.cycles - file->begin.cycles);
}

/*
 * A block cannot be decoded. Its loss begins when the block does, if its beginning can be read, and ends with the beginning
 * of the next block that can be decoded.
 */
static void lose_block(struct ltt_file *file, bool started)
{
	u64 from = file->time;

	if (started)
		from = ltt_boot_time(file->trace, file->begin);
	if (!file->lost++)
		file->lost_from = from > file->time ? from : file->time;
	file->spoiled++;
}

/* Reads the next block. Returns 1; 0 if the block cannot be decoded; or a negative errno. */
static int read_block(struct ltt_file *file, struct ltt_record *record)
{
	const struct ltt_trace *trace = file->trace;
	u64 id, id_end, size, missing = 0;
	struct ltt_cursor end;
	bool started;
	int fd, r;
	u32 delta;

	fd = open_regular(file->path, &size);
	if (fd < 0)
		return fd;
	r = read_at(fd, file->bytes, trace->block, file->next * trace->block);
	close(fd);
	if (r == -ENODATA) {
		/* The file has become shorter since it was opened. */
		file->blocks = file->next;
		return 0;
	}
	if (r)
		return r;
	file->next++;
	file->cursor = (struct ltt_cursor){ file->bytes, file->bytes + trace->block, trace->swap };
	started = take_boundary(&file->cursor, trace->wide, LTT_BLOCK_START, &delta, &file->begin, &id);
	if (!started || !find_end(trace, file->bytes, &end) || file->cursor.at > end.at) {
		file->cursor.at = file->cursor.end;
		lose_block(file, started);
		return 0;
	}
	file->cursor.end = end.at;
	file->value = file->begin;
	/* A block without block_end gives no rate. */
	if (!take_boundary(&end, trace->wide, LTT_BLOCK_END, &delta, &file->end, &id_end))
		file->end = file->begin;
	else
		file->delta_ns = counts_in_ns(file, delta);
	if (file->has_id && id > file->id + file->lost + 1)
		missing = id - file->id - file->lost - 1;
	file->id = id;
	file->has_id = true;
	file->missing += missing;
	*record = (struct ltt_record){
		.kind = LTT_RECORD_GAP, .from = file->lost ? file->lost_from : file->time, .blocks = missing + file->lost,
	};
	file->lost = 0;
	record->time = time_of(file, file->begin);
	return 1;
}

/* Takes a heartbeat, which only states a time value. */
static bool take_heartbeat(struct ltt_file *file)
{
	struct ltt_stamp stamp;

	if (!take_stamp(&file->cursor, &stamp))
		return false;
	file->value = stamp;
	time_of(file, stamp);
	return true;
}

/* Gets the next event of the block. Returns 1; 0 at the end of the block; or -EBADMSG if no event is there. */
static int next_event(struct ltt_file *file, struct ltt_record *record)
{
	const struct ltt_trace *trace = file->trace;
	struct ltt_stamp stamp;
	u32 delta;
	u16 id;

	while (file->cursor.at < file->cursor.end) {
		if (!take_header(&file->cursor, &id, &delta))
			return -EBADMSG;
		if (id == LTT_TIME_HEARTBEAT) {
			if (!take_heartbeat(file))
				return -EBADMSG;
			continue;
		}
		stamp = stamp_of(file, delta);
		*record = (struct ltt_record){ .kind = LTT_RECORD_EVENT, .id = id, .fields = file->cursor };
		record->node = trace->events[id];
		if (!record->node || !ltt_walk(&trace->facilities, record->node, &file->cursor, NULL, NULL))
			return -EBADMSG;
		record->fields.end = file->cursor.at;
		record->time = time_of(file, stamp);
		return 1;
	}
	return 0;
}

/* Gives up the rest of a block, which becomes a gap until its end. */
static int give_up(struct ltt_file *file, struct ltt_record *record)
{
	file->spoiled++;
	*record = (struct ltt_record){ .kind = LTT_RECORD_GAP, .from = file->time, .blocks = 1 };
	record->time = time_of(file, file->end);
	file->cursor.at = file->cursor.end;
	return 1;
}

int ltt_file_next(struct ltt_file *file, struct ltt_record *record)
{
	int r;

	for (;;) {
		if (file->cursor.at < file->cursor.end) {
			r = next_event(file, record);
			if (r)
				return r > 0 ? r : give_up(file, record);
		}
		if (file->next >= file->blocks)
			return 0;
		r = read_block(file, record);
		if (r < 0)
			return r;
		if (r && record->blocks)
			return r;
	}
}
