// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writing and parsing the parts of a recorded file: see format.h. */
#include "core/format/statement_text.h"
#include "columns.h"
#include "format.h"

/* Each skippable frame of bcos_evlog begins with a magic number, a size, and one of these words. */
#define WORD 8
static const char header_word[WORD + 1] = "BCOSfile", machine_word[WORD + 1] = "BCOSmach",
		  note_word[WORD + 1] = "BCOSnote", index_word[WORD + 1] = "BCOSindx";

#define PREFIX (8u + WORD)

_Static_assert(ARCHIVE_HEADER_SIZE == PREFIX + 4 + 4 + 8 + ARCHIVE_BOOT + ARCHIVE_HOST + 8, "fields of a header");
_Static_assert(ARCHIVE_MACHINE_SIZE == PREFIX + ARCHIVE_ID + 8, "fields of a machine");
_Static_assert(ARCHIVE_NOTE_SIZE == PREFIX + 6 * 4 + 2 * 8 + 2 * 8 + 4 + 8 + 4 + 8, "fields of a note");

/* The FNV-1a hash reveals accidental damage, but no intended change. */
static u64 check_sum(const u8 *at, size_t size)
{
	u64 sum = 0xCBF29CE484222325ull;

	while (size--)
		sum = (sum ^ *at++) * 0x100000001B3ull;
	return sum;
}

static u8 *put_u32(u8 *to, u32 value)
{
	memcpy(to, &value, sizeof(value));
	return to + sizeof(value);
}

static u8 *put_u64(u8 *to, u64 value)
{
	memcpy(to, &value, sizeof(value));
	return to + sizeof(value);
}

static u8 *put_bytes(u8 *to, const void *bytes, size_t size)
{
	memcpy(to, bytes, size);
	return to + size;
}

static u32 get_u32(const u8 **from)
{
	u32 value;

	memcpy(&value, *from, sizeof(value));
	*from += sizeof(value);
	return value;
}

static u64 get_u64(const u8 **from)
{
	u64 value;

	memcpy(&value, *from, sizeof(value));
	*from += sizeof(value);
	return value;
}

static u8 *put_prefix(u8 *to, size_t whole, const char *word)
{
	to = put_u32(to, ARCHIVE_MAGIC);
	to = put_u32(to, (u32)(whole - 8));
	return put_bytes(to, word, WORD);
}

/*
 * Return: true if @size bytes at @from begin with a skippable frame of bcos_evlog that has @whole bytes and @word, and
 * whose last eight bytes are its checksum.
 */
static bool is_ours(const u8 *from, size_t size, size_t whole, const char *word)
{
	const u8 *at = from;
	const u8 *sum;

	if (size < whole || get_u32(&at) != ARCHIVE_MAGIC || get_u32(&at) != whole - 8 || memcmp(at, word, WORD))
		return false;
	sum = from + whole - 8;
	return get_u64(&sum) == check_sum(from + 8, whole - 16);
}

bool archive_has_id(const struct archive_machine *machine)
{
	static const u8 unknown[ARCHIVE_ID];

	return memcmp(machine->id, unknown, ARCHIVE_ID) != 0;
}

size_t archive_header_size(const struct archive_header *header)
{
	return archive_has_id(&header->machine) ? ARCHIVE_HEADER_MOST : ARCHIVE_HEADER_SIZE;
}

static void put_machine(u8 *to, const struct archive_machine *machine)
{
	u8 *at = put_bytes(put_prefix(to, ARCHIVE_MACHINE_SIZE, machine_word), machine->id, ARCHIVE_ID);

	put_u64(at, check_sum(to + 8, ARCHIVE_MACHINE_SIZE - 16));
}

void archive_put_header(u8 *to, const struct archive_header *header)
{
	u8 *at = put_prefix(to, ARCHIVE_HEADER_SIZE, header_word);

	at = put_u32(at, ARCHIVE_VERSION);
	at = put_u32(at, header->flags);
	at = put_u64(at, header->sequence);
	at = put_bytes(at, header->boot, ARCHIVE_BOOT);
	at = put_bytes(at, header->machine.host, ARCHIVE_HOST);
	put_u64(at, check_sum(to + 8, ARCHIVE_HEADER_SIZE - 16));
	if (archive_has_id(&header->machine))
		put_machine(to + ARCHIVE_HEADER_SIZE, &header->machine);
}

bool archive_get_header(const u8 *from, size_t size, struct archive_header *header)
{
	const u8 *at = from + PREFIX;

	if (!is_ours(from, size, ARCHIVE_HEADER_SIZE, header_word) || get_u32(&at) != ARCHIVE_VERSION)
		return false;
	header->flags = get_u32(&at);
	header->sequence = get_u64(&at);
	memcpy(header->boot, at, ARCHIVE_BOOT);
	memcpy(header->machine.host, at + ARCHIVE_BOOT, ARCHIVE_HOST);
	header->machine.host[ARCHIVE_HOST - 1] = 0;
	memset(header->machine.id, 0, ARCHIVE_ID);
	if (is_ours(from + ARCHIVE_HEADER_SIZE, size - ARCHIVE_HEADER_SIZE, ARCHIVE_MACHINE_SIZE, machine_word))
		memcpy(header->machine.id, from + ARCHIVE_HEADER_SIZE + PREFIX, ARCHIVE_ID);
	return true;
}

void archive_put_note(u8 *to, const struct archive_note *note)
{
	u8 *at = put_prefix(to, ARCHIVE_NOTE_SIZE, note_word);

	at = put_u32(at, note->flags);
	at = put_u32(at, note->stored);
	at = put_u32(at, note->raw);
	at = put_u32(at, note->entries);
	at = put_u32(at, note->historical);
	at = put_u32(at, note->losses);
	at = put_u64(at, note->first);
	at = put_u64(at, note->last);
	at = put_u64(at, note->wall.boot);
	at = put_u64(at, note->wall.utc);
	at = put_u32(at, note->wall.precision);
	at = put_u64(at, note->set);
	at = put_u32(at, 0);
	put_u64(at, check_sum(to + 8, ARCHIVE_NOTE_SIZE - 16));
}

bool archive_get_note(const u8 *from, size_t size, struct archive_note *note)
{
	const u8 *at = from + PREFIX;

	if (!is_ours(from, size, ARCHIVE_NOTE_SIZE, note_word))
		return false;
	note->flags = get_u32(&at);
	note->stored = get_u32(&at);
	note->raw = get_u32(&at);
	note->entries = get_u32(&at);
	note->historical = get_u32(&at);
	note->losses = get_u32(&at);
	note->first = get_u64(&at);
	note->last = get_u64(&at);
	note->wall.boot = get_u64(&at);
	note->wall.utc = get_u64(&at);
	note->wall.precision = get_u32(&at);
	note->set = get_u64(&at);
	return note->raw <= ARCHIVE_RAW_MAX && note->stored && note->stored <= ARCHIVE_STORED_MAX;
}

bool archive_same_note(const struct archive_note *one, const struct archive_note *other)
{
	return one->flags == other->flags && one->stored == other->stored && one->raw == other->raw &&
	       one->entries == other->entries && one->first == other->first && one->last == other->last;
}

/* ---- the tail --------------------------------------------------------------- */

static size_t head_size(const struct archive_tail *tail)
{
	return tail->machine ? ARCHIVE_HEADER_MOST : ARCHIVE_HEADER_SIZE;
}

/* An index has the prefix, the number of frames, the header, each frame's place and note, and a checksum. */
static size_t index_size(const struct archive_tail *tail)
{
	return PREFIX + 8 + head_size(tail) + (size_t)tail->frames * (8 + ARCHIVE_NOTE_SIZE) + 8;
}

/* The seek table has an entry for each frame before it: header, machine, each note, each zstd frame, and the index. */
static u32 seek_entries(const struct archive_tail *tail)
{
	return 2 + tail->machine + 2 * tail->frames;
}

static size_t seek_size(const struct archive_tail *tail)
{
	return 8 + (size_t)seek_entries(tail) * ARCHIVE_SEEK_ENTRY + ARCHIVE_SEEK_TAIL;
}

size_t archive_tail_size(const struct archive_tail *tail)
{
	return index_size(tail) + seek_size(tail);
}

static u8 *put_seek(u8 *to, size_t stored, u32 content)
{
	return put_u32(put_u32(to, (u32)stored), content);
}

/* Return: the number of bytes that zstd unpacks from a frame. */
static u32 content_size(const struct archive_note *note)
{
	return note->raw + (note->flags & ARCHIVE_COLUMNS ? COLUMNS_HEAD : 0);
}

void archive_put_tail(u8 *to, const struct archive_header *header, const struct archive_frame *frames, u32 count)
{
	const struct archive_tail tail = { .frames = count, .machine = archive_has_id(&header->machine) };
	size_t size = index_size(&tail);
	u8 *at = put_prefix(to, size, index_word);
	u32 i;

	at = put_u64(at, count);
	archive_put_header(at, header);
	at += head_size(&tail);
	for (i = 0; i < count; i++) {
		at = put_u64(at, frames[i].place);
		archive_put_note(at, &frames[i].note);
		at += ARCHIVE_NOTE_SIZE;
	}
	at = put_u64(at, check_sum(to + 8, size - 16));
	at = put_u32(at, ARCHIVE_SEEK_MAGIC);
	at = put_u32(at, (u32)(seek_size(&tail) - 8));
	at = put_seek(at, ARCHIVE_HEADER_SIZE, 0);
	if (tail.machine)
		at = put_seek(at, ARCHIVE_MACHINE_SIZE, 0);
	for (i = 0; i < count; i++) {
		at = put_seek(at, ARCHIVE_NOTE_SIZE, 0);
		at = put_seek(at, frames[i].note.stored, content_size(&frames[i].note));
	}
	at = put_seek(at, size, 0);
	at = put_u32(at, seek_entries(&tail));
	*at++ = 0;
	put_u32(at, ARCHIVE_SEEK_FOOTER);
}

bool archive_tail_expected(const u8 *last, struct archive_tail *tail)
{
	u32 frames = get_u32(&last);

	last++;
	if (get_u32(&last) != ARCHIVE_SEEK_FOOTER || frames < 2 || (frames - 2) / 2 > ARCHIVE_FRAMES_MAX)
		return false;
	tail->frames = (frames - 2) / 2;
	tail->machine = frames % 2;
	return true;
}

/*
 * Check that the note of a frame begins at *@end, and that the frame follows the note and ends within @body bytes.
 * *@end receives the end of the frame.
 */
static bool lies_well(const struct archive_frame *frame, u64 body, u64 *end)
{
	if (frame->place < *end || frame->place - *end != ARCHIVE_NOTE_SIZE || frame->place > body ||
	    body - frame->place < frame->note.stored)
		return false;
	*end = frame->place + frame->note.stored;
	return true;
}

bool archive_get_tail(const u8 *from, const struct archive_tail *tail, u64 body, struct archive_header *header,
		      struct archive_frame *frames)
{
	size_t index = index_size(tail);
	u64 end = head_size(tail);
	const u8 *at = from + PREFIX;
	u32 i;

	if (!is_ours(from, index, index, index_word) || get_u64(&at) != tail->frames ||
	    !archive_get_header(at, head_size(tail), header) || archive_has_id(&header->machine) != tail->machine)
		return false;
	at += head_size(tail);
	for (i = 0; i < tail->frames; i++) {
		frames[i].place = get_u64(&at);
		frames[i].torn = frames[i].learned = false;
		if (!archive_get_note(at, ARCHIVE_NOTE_SIZE, &frames[i].note) || !lies_well(frames + i, body, &end))
			return false;
		at += ARCHIVE_NOTE_SIZE;
	}
	return end == body;
}

bool archive_is_index(const u8 *from, size_t size)
{
	return size >= PREFIX && !memcmp(from + 8, index_word, WORD);
}

bool archive_match_index(const u8 *from, size_t size, u64 whole, struct archive_frame *frames, u32 count)
{
	const u8 *at = from + PREFIX;
	struct archive_note note;
	bool torn = false;
	u64 listed, head;
	u32 found = 0;

	if (size < PREFIX + 8)
		return false;
	listed = get_u64(&at);
	/* The number of frames has to do if the index is damaged. */
	if (size != whole || !is_ours(from, size, size, index_word))
		return listed == count;
	if (listed > ARCHIVE_FRAMES_MAX)
		return false;
	/* The header is what is left besides the frames and the checksum. */
	head = whole - (PREFIX + 16) - listed * (8 + ARCHIVE_NOTE_SIZE);
	if (head != ARCHIVE_HEADER_SIZE && head != ARCHIVE_HEADER_MOST)
		return false;
	for (at += head; listed; listed--, at += ARCHIVE_NOTE_SIZE) {
		u64 place = get_u64(&at);

		torn = found == count ||
		       (frames[found].learned ? place != frames[found].place :
			!archive_get_note(at, ARCHIVE_NOTE_SIZE, &note) || !archive_same_note(&note, &frames[found].note));
		if (torn && found < count)
			frames[found].torn = true;
		found += !torn;
	}
	return found == count && !torn;
}

/* ---- notes, IDs and notices --------------------------------------------------- */

void archive_note_begin(struct archive_note *note)
{
	memset(note, 0, sizeof(*note));
	note->first = 1;
}

static void note_wall(struct archive_note *note, const struct bcos_entry *entry)
{
	struct bcoslog_wall before = note->wall;

	if (!bcoslog_wall_clock(entry, &note->wall))
		return;
	if (note->flags & ARCHIVE_WALL)
		note->set += (note->wall.utc - note->wall.boot) - (before.utc - before.boot);
	note->flags |= ARCHIVE_WALL;
}

void archive_note_entry(struct archive_note *note, const struct bcos_entry *entry)
{
	note->entries++;
	if (entry->type & BCOS_TYPE_HISTORICAL) {
		note->historical++;
		if (entry->type == BCOS_HIST_CORE_ONLINE &&
		    (note->entries == 1 || (note->entries == 2 && note->flags & ARCHIVE_NOTICE)))
			note->flags |= ARCHIVE_KEY;
		return;
	}
	if (bcoslog_is_missed(entry) && note->entries == 1)
		note->flags |= ARCHIVE_NOTICE;
	if (note->first > note->last)
		note->first = note->last = entry->time;
	if (entry->time > note->last)
		note->last = entry->time;
	note->losses += bcoslog_is_loss(entry);
	note_wall(note, entry);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool archive_id_get(u8 *boot, const char *text, size_t length)
{
	size_t i, n = 0;
	u8 id[ARCHIVE_BOOT] = { 0 };
	int digit;

	for (i = 0; i < length; i++) {
		if (text[i] == '-')
			continue;
		digit = hex_digit(text[i]);
		if (digit < 0 || n == 2 * ARCHIVE_BOOT)
			return false;
		id[n / 2] = (u8)(id[n / 2] << 4 | digit);
		n++;
	}
	if (n != 2 * ARCHIVE_BOOT)
		return false;
	memcpy(boot, id, ARCHIVE_BOOT);
	return true;
}

bool archive_header_entry(struct archive_header *header, const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	const char *text;
	size_t length;

	if (entry->type != BCOS_GENERIC_PROCESS || entry->source != BCOS_PROCESS_KERNEL ||
	    (event->event_id != BCOS_EVENT_BOOT && event->event_id != BCOS_EVENT_HOST))
		return false;
	text = bcoslog_text(entry, &length);
	text = bcos_fact_parse(event->event_id, text, &length);
	if (!text)
		return false;
	if (event->event_id == BCOS_EVENT_BOOT)
		return archive_id_get(header->boot, text, length);
	if (length > ARCHIVE_HOST - 1)
		length = ARCHIVE_HOST - 1;
	memset(header->machine.host, 0, ARCHIVE_HOST);
	memcpy(header->machine.host, text, length);
	return true;
}

void archive_id_text(char *text, const u8 *boot)
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < ARCHIVE_BOOT; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*text++ = '-';
		*text++ = digits[boot[i] >> 4];
		*text++ = digits[boot[i] & 15];
	}
	*text = 0;
}
