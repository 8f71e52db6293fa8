// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes the texts of the classes "who" and "exec": see who_text.h. */
#include "entry.h"
#include "who_text.h"

/* This is inlined, since nearly all lengths are constants, and births are frequent. */
static __always_inline char *put_bytes(char *to, const char *from, size_t length)
{
	memcpy(to, from, length);
	return to + length;
}

#define PUT(to, literal) put_bytes(to, literal, sizeof(literal) - 1)

/* Two decimal digits, the first one in the lower byte. */
#define PAIR(n) ((u16)(('0' + (n) / 10) | ('0' + (n) % 10) << 8))

static const u16 pairs[] = {
	PAIR(0), PAIR(1), PAIR(2), PAIR(3), PAIR(4), PAIR(5), PAIR(6), PAIR(7), PAIR(8),
	PAIR(9), PAIR(10), PAIR(11), PAIR(12), PAIR(13), PAIR(14), PAIR(15), PAIR(16), PAIR(17),
	PAIR(18), PAIR(19), PAIR(20), PAIR(21), PAIR(22), PAIR(23), PAIR(24), PAIR(25), PAIR(26),
	PAIR(27), PAIR(28), PAIR(29), PAIR(30), PAIR(31), PAIR(32), PAIR(33), PAIR(34), PAIR(35),
	PAIR(36), PAIR(37), PAIR(38), PAIR(39), PAIR(40), PAIR(41), PAIR(42), PAIR(43), PAIR(44),
	PAIR(45), PAIR(46), PAIR(47), PAIR(48), PAIR(49), PAIR(50), PAIR(51), PAIR(52), PAIR(53),
	PAIR(54), PAIR(55), PAIR(56), PAIR(57), PAIR(58), PAIR(59), PAIR(60), PAIR(61), PAIR(62),
	PAIR(63), PAIR(64), PAIR(65), PAIR(66), PAIR(67), PAIR(68), PAIR(69), PAIR(70), PAIR(71),
	PAIR(72), PAIR(73), PAIR(74), PAIR(75), PAIR(76), PAIR(77), PAIR(78), PAIR(79), PAIR(80),
	PAIR(81), PAIR(82), PAIR(83), PAIR(84), PAIR(85), PAIR(86), PAIR(87), PAIR(88), PAIR(89),
	PAIR(90), PAIR(91), PAIR(92), PAIR(93), PAIR(94), PAIR(95), PAIR(96), PAIR(97), PAIR(98),
	PAIR(99),
};

/*
 * Writes two digits at a time, like the kernel's put_dec(). Births are frequent, and this halves
 * the divisions.
 */
static char *put_number(char *to, u32 number)
{
	char *end = to + 1, *at;
	u64 power = 10;

	for (; number >= power; power *= 10)
		end++;
	for (at = end; number > 9; number /= 100) {
		at -= sizeof(pairs[0]);
		memcpy(at, &pairs[number % 100], sizeof(pairs[0]));
	}
	if (at > to)
		*to = (char)('0' + number);
	return end;
}

static char *put_signed(char *to, s32 number)
{
	if (number >= 0)
		return put_number(to, (u32)number);
	*to++ = '-';
	return put_number(to, 0u - (u32)number);
}

/*
 * Writes the quoted name of a process, or nothing if @length is 0. A copy of constant size is
 * cheaper than a copy of the name's length.
 */
static __always_inline char *put_name(char *to, const char *name, size_t length)
{
	if (!length)
		return to;
	to = PUT(to, " \"");
	if (likely(length < BCOS_RAW_NAME))
		memcpy(to, name, BCOS_RAW_NAME);
	else
		memcpy(to, name, length);
	to += length;
	*to++ = '"';
	return to;
}

size_t bcos_killed_format(char *text, const struct bcos_sender *sender)
{
	char *to = PUT(text, "signal ");

	to = PUT(put_number(to, sender->number), " code ");
	to = put_signed(to, sender->code);
	if (sender->id == BCOS_PROCESS_KERNEL)
		return (size_t)(PUT(to, " from kernel") - text);
	to = PUT(put_number(PUT(to, " from process "), sender->id), " user ");
	to = put_name(put_number(to, sender->user), sender->name, sender->name_length);
	return (size_t)(to - text);
}

size_t bcos_parent_format(char *text, u32 id, const char *name, size_t length)
{
	return (size_t)(put_name(put_number(PUT(text, "parent "), id), name, length) - text);
}

/* ---- the program that a process runs -------------------------------------------- */

#define ONES 0x0101010101010101ull

/* A cut string ends with this, so room for it is kept. */
#define END "\"..."

struct out {
	char *to;
	char *end;		/* end of the room for text; END fits after it */
	bool full;		/* something found no room, so nothing may follow */
	bool cut;		/* the last string is already marked as cut */
};

/*
 * Does @word contain the byte @c? In the result, a byte after one that matches may be marked by
 * mistake.
 */
static u64 has_byte(u64 word, char c)
{
	word ^= ONES * (u8)c;
	return (word - ONES) & ~word & ONES << 7;
}

static bool is_special(u64 word)
{
	return (word & ONES << 7) | has_byte(word, '"') | has_byte(word, '\\');
}

/*
 * Is there room for @length bytes? If not, nothing more may be written, and the text ends with
 * "...".
 */
static bool has_room(struct out *out, size_t length)
{
	if (out->full)
		return false;
	out->full = out->to + length > out->end;
	/* A cut string ends with "..." already, and there is no room for another mark. */
	if (out->full && !out->cut)
		out->to = PUT(out->to, "...");
	return !out->full;
}

/* The least room that a string needs: a quote and any one character. */
#define LEAST 4

/*
 * Writes the first character of @bytes, or U+FFFD for an invalid byte. @bytes is not empty. Returns
 * the bytes read, or 0 if there is no room.
 */
static size_t put_character(struct out *out, const char *bytes, size_t length)
{
	size_t n = bcos_utf8_character(bytes, length), size = n;
	static const char bad[] = "\xEF\xBF\xBD";
	bool quoted = *bytes == '"' || *bytes == '\\';

	if (!n)
		size = sizeof(bad) - 1;
	if (out->to + size + quoted > out->end)
		return 0;
	if (quoted)
		*out->to++ = '\\';
	out->to = put_bytes(out->to, n ? bytes : bad, size);
	return n ? n : 1;
}

/* Writes @what and a quoted string of @length bytes without zeros. */
static void put_string(struct out *out, const char *what, size_t what_length, const char *bytes,
		       size_t length, bool cut)
{
	size_t n;
	u64 word;

	if (!has_room(out, what_length + LEAST))
		return;
	out->to = put_bytes(out->to, what, what_length);
	*out->to++ = '"';
	while (length) {
		while (length >= sizeof(word) && out->to + sizeof(word) <= out->end) {
			memcpy(&word, bytes, sizeof(word));
			if (is_special(word))
				break;
			memcpy(out->to, &word, sizeof(word));
			out->to += sizeof(word);
			bytes += sizeof(word);
			length -= sizeof(word);
		}
		n = length ? put_character(out, bytes, length) : 0;
		out->full = length && !n;
		if (!n)
			break;
		bytes += n;
		length -= n;
	}
	out->cut = cut || out->full;
	if (out->cut)
		out->to = PUT(out->to, END);
	else
		*out->to++ = '"';
}

static void put_arguments(struct out *out, const char *bytes, size_t length, bool cut)
{
	size_t n;

	if (!has_room(out, sizeof(" arguments") + LEAST))
		return;
	out->to = PUT(out->to, " arguments");
	while (length && !out->full) {
		n = strnlen(bytes, length);
		put_string(out, " ", 1, bytes, n, cut && n + 1 >= length);
		n += n < length;
		bytes += n;
		length -= n;
	}
}

size_t bcos_exec_format(char *text, const struct bcos_raw_program *program, u16 flags,
			const char *bytes, size_t room)
{
	size_t length = program->length < room ? program->length : room;
	size_t path = program->path < length ? program->path : length;
	size_t cgroup = program->cgroup < length - path ? program->cgroup : length - path;
	struct out out = { .end = text + BCOS_RAW_TEXT - (sizeof(END) - 1) };

	out.to = put_number(PUT(text, "user "), program->user);
	put_string(&out, " path ", 6, bytes, strnlen(bytes, path), flags & BCOS_RAW_PATH_CUT);
	if (cgroup)
		put_string(&out, " cgroup ", 8, bytes + path, strnlen(bytes + path, cgroup),
			   flags & BCOS_RAW_CGROUP_CUT);
	if (!(flags & BCOS_RAW_SECRET))
		put_arguments(&out, bytes + path + cgroup, length - path - cgroup,
			      flags & BCOS_RAW_ARGUMENTS_CUT);
	return (size_t)(out.to - text);
}
