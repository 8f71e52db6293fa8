// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes and reads the texts of the classes "who" and "exec": see who_text.h. */
#include "entry.h"
#include "scan.h"
#include "who_text.h"

/* This is inlined, since nearly all lengths are constants. */
static __always_inline char *put_bytes(char *to, const char *from, size_t length)
{
	memcpy(to, from, length);
	return to + length;
}

#define PUT(to, literal) put_bytes(to, literal, sizeof(literal) - 1)

static char *put_number(char *to, u32 number)
{
	char *end = to + 1, *at;
	u64 power;

	for (power = 10; number >= power; power *= 10)
		end++;
	for (at = end; at > to; number /= 10)
		*--at = (char)('0' + number % 10);
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
 * cheaper than a copy of the name's length, and births are frequent.
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

/* ---- who caused it ---------------------------------------------------------------- */

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

/* Reads the name at the end of the text, if there is one. */
static bool take_name(struct bcos_scan *scan, const char **name, size_t *length)
{
	*name = NULL;
	*length = 0;
	if (bcos_scan_ends(scan))
		return true;
	if (!bcos_scan_word(scan, " \"") || scan->end - scan->at < 2 || scan->end[-1] != '"')
		return false;
	*name = scan->at;
	*length = (size_t)(scan->end - scan->at) - 1;
	return true;
}

/* Reads what si_code may be. */
static bool take_signed(struct bcos_scan *scan, s32 *number)
{
	bool negative = bcos_scan_word(scan, "-");
	u64 value;

	if (!bcos_scan_number(scan, 0x7FFFFFFFu + (u64)negative, &value) || (negative && !value))
		return false;
	*number = (s32)(negative ? -(s64)value : (s64)value);
	return true;
}

bool bcos_killed_parse(struct bcos_killed *killed, const char *text, size_t length)
{
	struct bcos_scan scan = bcos_scan_begin(text, length);
	u64 number;

	memset(killed, 0, sizeof(*killed));
	if (!bcos_scan_word(&scan, "signal ") || !bcos_scan_number(&scan, 64, &number) || !number ||
	    !bcos_scan_word(&scan, " code ") || !take_signed(&scan, &killed->code))
		return false;
	killed->signal = (u32)number;
	if (bcos_scan_word(&scan, " from kernel"))
		return bcos_scan_ends(&scan);
	return bcos_scan_word(&scan, " from process ") && bcos_scan_u32(&scan, &killed->process) &&
	       bcos_scan_word(&scan, " user ") && bcos_scan_u32(&scan, &killed->user) &&
	       take_name(&scan, &killed->name, &killed->name_length);
}

bool bcos_parent_parse(struct bcos_parent *parent, const char *text, size_t length)
{
	struct bcos_scan scan = bcos_scan_begin(text, length);

	return bcos_scan_word(&scan, "parent ") && bcos_scan_u32(&scan, &parent->process) &&
	       take_name(&scan, &parent->name, &parent->name_length);
}

/* ---- the program that a process runs -------------------------------------------- */

/* A cut string ends with this, so room for it is kept. */
#define END "\"..."

struct out {
	char *to;
	char *end;		/* end of the room for text; END fits after it */
	bool full;		/* something found no room, so nothing may follow */
	bool cut;		/* the last string is already marked as cut */
};

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
	static const char bad[] = "\xEF\xBF\xBD";
	bool quoted = *bytes == '"' || *bytes == '\\';
	size_t n, size;

	if ((u8)*bytes < 0x80 && !quoted && out->to < out->end) {
		*out->to++ = *bytes;
		return 1;
	}
	n = bcos_utf8_character(bytes, length);
	size = n ? n : sizeof(bad) - 1;
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

	if (!has_room(out, what_length + LEAST))
		return;
	out->to = put_bytes(out->to, what, what_length);
	*out->to++ = '"';
	while (length && !out->full) {
		n = put_character(out, bytes, length);
		out->full = !n;
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

/*
 * Reads a string in quotes, and writes the string and a zero byte to @to. Returns the place after
 * the zero byte, or NULL if the text is malformed.
 */
static char *take_string(struct bcos_scan *scan, char *to, bool *cut)
{
	if (!bcos_scan_word(scan, "\""))
		return NULL;
	while (scan->at < scan->end && *scan->at != '"') {
		if (*scan->at == '\\') {
			scan->at++;
			if (bcos_scan_ends(scan) || (*scan->at != '"' && *scan->at != '\\'))
				return NULL;
		}
		/* The zeros that pad an entry are no part of a string. */
		if (!*scan->at)
			return NULL;
		*to++ = *scan->at++;
	}
	if (!bcos_scan_word(scan, "\""))
		return NULL;
	*cut = bcos_scan_word(scan, "...");
	*to++ = '\0';
	return to;
}

bool bcos_exec_parse(struct bcos_exec *exec, char *room, const char *text, size_t length)
{
	struct bcos_scan scan = bcos_scan_begin(text, length);
	char *to = room;

	memset(exec, 0, sizeof(*exec));
	if (!bcos_scan_word(&scan, "user ") || !bcos_scan_u32(&scan, &exec->user) ||
	    !bcos_scan_word(&scan, " path "))
		return false;
	exec->path = to;
	to = take_string(&scan, to, &exec->path_cut);
	if (to && bcos_scan_word(&scan, " cgroup ")) {
		exec->cgroup = to;
		to = take_string(&scan, to, &exec->cgroup_cut);
	}
	exec->told = to && bcos_scan_word(&scan, " arguments");
	exec->arguments = to;
	while (exec->told && to && !exec->cut && bcos_scan_word(&scan, " ")) {
		exec->count++;
		to = take_string(&scan, to, &exec->cut);
	}
	return to && bcos_scan_ends(&scan);
}

/* ---- the control group that a process is in ---------------------------------------- */

size_t bcos_cgroup_format(char *text, const char *path, size_t length, u16 flags, bool read)
{
	struct out out = { .to = text, .end = text + BCOS_CGROUP_TEXT - sizeof("\"... read") };
	bool cpu = flags & BCOS_RAW_CGROUP_CPU;

	if (length > BCOS_RAW_PATH_MAX)
		length = BCOS_RAW_PATH_MAX;
	put_string(&out, "cgroup cpu ", cpu ? 11 : 7, path, strnlen(path, length),
		   flags & BCOS_RAW_CGROUP_CUT);
	if (read)
		out.to = PUT(out.to, " read");
	return (size_t)(out.to - text);
}

bool bcos_cgroup_parse(struct bcos_in_cgroup *told, char *room, const char *text, size_t length)
{
	struct bcos_scan scan = bcos_scan_begin(text, length);

	memset(told, 0, sizeof(*told));
	if (!bcos_scan_word(&scan, "cgroup "))
		return false;
	told->cpu = bcos_scan_word(&scan, "cpu ");
	told->path = room;
	if (!take_string(&scan, room, &told->cut))
		return false;
	told->read = bcos_scan_word(&scan, " read");
	return bcos_scan_ends(&scan);
}
