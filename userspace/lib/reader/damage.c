// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Damage.  Where the bytes of a log are not an entry, reading resumes at the next
 * group of historical entries, because from there on the log explains itself.
 *
 * The search tests each byte once as the beginning of a group, and each test reads
 * a limited number of entries, so the search takes linear time for all input.
 */
#include "handle/handle.h"

static const struct {
	const char *word, *reason;
} damages[] = {
	[BCOS_TRUNCATED] = { "truncated", "the log ends inside an entry" },
	[BCOS_BAD_SIZE] = { "bad-size", "the entry's size is below 20, or reaches beyond the log's end" },
	[BCOS_BAD_LENGTH] = { "bad-length", "the entry is too small for the fields of its type" },
	[BCOS_BAD_TEXT] = { "bad-text", "the entry's string is not UTF-8" },
	[BCOS_BAD_PADDING] = { "bad-padding", "the entry's string is followed by other bytes than zeros" },
};

int error_damage(struct bcoslog *log, enum bcoslog_resumes resumes, u64 lost)
{
	struct bcoslog_error *error = &log->error;
	enum bcos_malformed what = log->damage.what;

	if (what == BCOS_TRUNCATED && resumes != BCOSLOG_NOWHERE)
		what = BCOS_BAD_SIZE;
	error_set(error, EBADMSG, "%s", log->recognised ? damages[what].reason : "there is no entry");
	error->word = log->recognised ? damages[what].word : "no-entry";
	error->offset = log->damage.offset;
	error->resumes = resumes;
	error->lost = lost;
	return -EBADMSG;
}

int error_no_log(struct bcoslog *log)
{
	return error_set(&log->error, EILSEQ,
			 "%s is no BCOS event log: nothing in it is an entry of a known type: name a "
			 "file that bcoslog cat has written, or the device", log->name);
}

/*
 * Is this a file that is followed, of which all that it has was examined? A log begins with an entry of a known type, so a
 * file that begins with anything else becomes no log by growing.
 */
static bool is_no_growing_log(const struct bcoslog *log)
{
	return !log->recognised && log->kind == BCOSLOG_FILE && log->end - log->at >= 4;
}

/*
 * A group is recognised by its beginning: cores, then CPUs, then processes, with no more cores and CPUs than
 * machines have.
 */
#define GROUP_ENTRIES 3
#define CORE_MOST (sizeof(struct bcos_core_online) + 1024 * sizeof(u32))
#define CPU_MOST 64u

enum answer { NO, YES, UNKNOWN };

/*
 * Return: true if the bytes at @at can be entry @number of a group, after an entry of type @before. *@size and *@type
 * receive the size and type that the bytes give.
 */
static bool entry_fits(const u8 *at, int number, u16 before, u16 *size, u16 *type)
{
	memcpy(size, at, sizeof(*size));
	memcpy(type, at + sizeof(*size), sizeof(*type));
	switch (*type) {
	case BCOS_HIST_CORE_ONLINE:
		return (!number || before == BCOS_HIST_CORE_ONLINE) && *size >= sizeof(struct bcos_core_online) &&
		       *size <= CORE_MOST;
	case BCOS_HIST_CPU_ONLINE:
		return number && *size >= sizeof(struct bcos_cpu_online) && *size <= CPU_MOST;
	case BCOS_HIST_SET_PROCESS_NAME:
		return before == BCOS_HIST_CPU_ONLINE && *size >= BCOS_ENTRY_MIN;
	default:
		return false;
	}
}

/* Return: YES if the @available bytes at @at begin a group, NO if they do not, UNKNOWN if there are too few bytes. */
static enum answer group_begins(const u8 *at, size_t available)
{
	u16 size, type = 0;
	int number;

	for (number = 0; number < GROUP_ENTRIES; number++) {
		if (available < sizeof(size) + sizeof(type))
			return UNKNOWN;
		if (!entry_fits(at, number, type, &size, &type))
			return NO;
		if (type == BCOS_HIST_SET_PROCESS_NAME)
			return YES;
		if (available < size)
			return UNKNOWN;
		at += size;
		available -= size;
	}
	return YES;
}

/* Move log->at to the next place where a group begins, or where only more bytes can tell whether a group begins. */
static enum answer next_group(struct bcoslog *log)
{
	enum answer answer = UNKNOWN;

	while (log->at < log->end) {
		answer = group_begins(log->buffer + log->at, log->end - log->at);
		if (answer == YES || (answer == UNKNOWN && !log->ended))
			break;
		log->at++;
		answer = UNKNOWN;
	}
	log->checked = log->at;
	return answer;
}

int damage_search(struct bcoslog *log)
{
	bool was_log = log->recognised;
	u64 offset = log->damage.offset;
	int r;

	while (next_group(log) != YES) {
		if (!log->ended) {
			/* The search goes on with the next call. */
			if (handle_interrupted(log))
				return 0;
			r = handle_fill(log);
			if (r < 0)
				return r;
			if (!r && !log->ended)
				return !was_log && log->kind == BCOSLOG_FILE ? error_no_log(log) : 0;
			continue;
		}
		log->damage.searching = false;
		log->damage.nowhere = true;
		log->recognised = true;
		return was_log ? error_damage(log, BCOSLOG_NOWHERE, log->base + log->at - offset) : error_no_log(log);
	}
	log->damage.searching = false;
	r = error_damage(log, BCOSLOG_AT_GROUP, log->base + log->at - offset);
	log->recognised = true;
	return r;
}

int damage_begin(struct bcoslog *log, enum bcos_malformed what)
{
	u16 size;

	log->damage = (struct damage){ .what = what, .offset = log->base + log->at };
	if (what == BCOS_TRUNCATED || what == BCOS_BAD_SIZE) {
		log->damage.searching = true;
		log->at++;
		log->checked = log->at;
		return damage_search(log);
	}
	memcpy(&size, log->buffer + log->at, sizeof(size));
	log->damage.size = size;
	return error_damage(log, BCOSLOG_BEHIND, size);
}

int damage_recognise(struct bcoslog *log)
{
	struct bcos_entry header = { 0 };
	size_t available;
	int r;

	for (;;) {
		available = log->end - log->walked;
		memcpy(&header, log->buffer + log->walked, available < 4 ? available : 4);
		if (available >= 2 && header.size < BCOS_ENTRY_MIN)
			return damage_begin(log, BCOS_BAD_SIZE);
		log->recognised = available >= 4 && bcos_type_of(header.type);
		if (log->recognised)
			return 1;
		if (available >= 4 && available >= header.size) {
			log->walked += header.size;
			continue;
		}
		if (log->end == HANDLE_BUFFER || (log->ended && available))
			return damage_begin(log, BCOS_TRUNCATED);
		if (log->ended) {
			/* The log ends after whole entries of unknown types, or is empty. */
			log->recognised = true;
			return 1;
		}
		/* What records until it is told to end is read after that, and may have been told before the first reading. */
		if (!handle_is_live(log) && handle_interrupted(log))
			return 0;
		r = handle_fill(log);
		if (!r && !log->ended && is_no_growing_log(log))
			return error_no_log(log);
		if (r < 0 || (!r && !log->ended))
			return r;
	}
}
