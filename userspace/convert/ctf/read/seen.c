// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads and writes the records of the pipe: see seen.h. */
#include <unistd.h>

#include "seen.h"

/* ---- reading ------------------------------------------------------------------------- */

struct cursor {
	const u8 *at, *end;
};

static bool take_bytes(struct cursor *cursor, void *to, size_t size)
{
	if ((size_t)(cursor->end - cursor->at) < size)
		return false;
	memcpy(to, cursor->at, size);
	cursor->at += size;
	return true;
}

static bool take_value(struct cursor *cursor, struct ctf_value *value)
{
	size_t size;
	u32 count;
	u8 kind;

	if (!take_bytes(cursor, &kind, sizeof(kind)) || kind >= CTF_VALUE_KINDS)
		return false;
	value->kind = kind;
	if (kind == CTF_ABSENT)
		return true;
	if (kind == CTF_NUMBER)
		return take_bytes(cursor, &value->number, sizeof(value->number));
	if (!take_bytes(cursor, &count, sizeof(count)) ||
	    count > (kind == CTF_STRING ? CTF_STRING_MAX : CTF_NUMBERS_MAX))
		return false;
	size = kind == CTF_STRING ? count : (size_t)count * sizeof(u32);
	if ((size_t)(cursor->end - cursor->at) < size)
		return false;
	value->number = count;
	value->numbers = cursor->at;
	cursor->at += size;
	return true;
}

static bool take_head(struct cursor *cursor, struct ctf_seen *seen)
{
	u8 what, meaning;
	u16 which;

	if (!take_bytes(cursor, &what, sizeof(what)) || !take_bytes(cursor, &meaning, sizeof(meaning)) ||
	    !take_bytes(cursor, &which, sizeof(which)) || !take_bytes(cursor, &seen->cpu, sizeof(seen->cpu)) ||
	    !take_bytes(cursor, &seen->precision, sizeof(seen->precision)) ||
	    !take_bytes(cursor, &seen->time, sizeof(seen->time)))
		return false;
	seen->what = what;
	seen->meaning = meaning;
	seen->which = which;
	seen->count = 0;
	return what < CTF_WHATS && meaning < CTF_MEANINGS;
}

int ctf_seen_ahead(struct input *input, size_t offset, struct ctf_seen *seen)
{
	struct cursor cursor;
	const u8 *bytes;
	size_t there;
	u32 size;

	seen->size = 0;
	if (offset > INPUT_MAX - CTF_SEEN_MAX)
		return -EBADMSG;
	there = input_peek(input, &bytes, offset + sizeof(size));
	if (there < offset + sizeof(size))
		return there == offset ? 0 : -EBADMSG;
	memcpy(&size, bytes + offset, sizeof(size));
	if (size < CTF_SEEN_HEAD || size > CTF_SEEN_MAX || input_peek(input, &bytes, offset + size) < offset + size)
		return -EBADMSG;
	cursor = (struct cursor){ bytes + offset + sizeof(size), bytes + offset + size };
	if (!take_head(&cursor, seen))
		return -EBADMSG;
	for (; cursor.at < cursor.end; seen->count++)
		if (seen->count == CTF_FIELDS_MAX || !take_value(&cursor, &seen->values[seen->count]))
			return -EBADMSG;
	seen->size = size;
	return 1;
}

int ctf_seen_read(struct input *input, struct ctf_seen *seen)
{
	/* The last record had to stay valid until this call. */
	input_skip(input, seen->size);
	return ctf_seen_ahead(input, 0, seen);
}

/* ---- writing --------------------------------------------------------------------------- */

static void put_bytes(struct ctf_pipe *pipe, const void *bytes, size_t size)
{
	memcpy(pipe->buffer + pipe->used, bytes, size);
	pipe->used += size;
}

static void put_kind(struct ctf_pipe *pipe, enum ctf_value_kind kind)
{
	pipe->buffer[pipe->used++] = (u8)kind;
}

void ctf_pipe_begin(struct ctf_pipe *pipe, const struct ctf_seen *head)
{
	u8 what = (u8)head->what, meaning = (u8)head->meaning;
	u16 which = (u16)head->which;

	pipe->record = pipe->used;
	pipe->used += sizeof(u32);
	put_bytes(pipe, &what, sizeof(what));
	put_bytes(pipe, &meaning, sizeof(meaning));
	put_bytes(pipe, &which, sizeof(which));
	put_bytes(pipe, &head->cpu, sizeof(head->cpu));
	put_bytes(pipe, &head->precision, sizeof(head->precision));
	put_bytes(pipe, &head->time, sizeof(head->time));
}

void ctf_pipe_absent(struct ctf_pipe *pipe)
{
	put_kind(pipe, CTF_ABSENT);
}

void ctf_pipe_number(struct ctf_pipe *pipe, u64 number)
{
	put_kind(pipe, CTF_NUMBER);
	put_bytes(pipe, &number, sizeof(number));
}

void ctf_pipe_text(struct ctf_pipe *pipe, const char *text, size_t length)
{
	u32 size = length < CTF_STRING_MAX ? (u32)length : CTF_STRING_MAX;

	put_kind(pipe, CTF_STRING);
	put_bytes(pipe, &size, sizeof(size));
	put_bytes(pipe, text, size);
}

u32 ctf_pipe_list(struct ctf_pipe *pipe, u64 count)
{
	u32 taken = count < CTF_NUMBERS_MAX ? (u32)count : CTF_NUMBERS_MAX;

	put_kind(pipe, CTF_NUMBERS);
	put_bytes(pipe, &taken, sizeof(taken));
	return taken;
}

void ctf_pipe_element(struct ctf_pipe *pipe, u32 number)
{
	put_bytes(pipe, &number, sizeof(number));
}

int ctf_pipe_flush(struct ctf_pipe *pipe)
{
	size_t done = 0;
	ssize_t n;

	while (!pipe->error && done < pipe->used) {
		n = write(pipe->fd, pipe->buffer + done, pipe->used - done);
		if (n > 0)
			done += (size_t)n;
		else if (n < 0 && errno != EINTR)
			pipe->error = -errno;
	}
	pipe->used = 0;
	return pipe->error;
}

int ctf_pipe_end(struct ctf_pipe *pipe)
{
	u32 size = (u32)(pipe->used - pipe->record);

	memcpy(pipe->buffer + pipe->record, &size, sizeof(size));
	return pipe->used < CTF_PIPE_WRITE ? pipe->error : ctf_pipe_flush(pipe);
}
