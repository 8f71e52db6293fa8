// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Statements of the log about itself: see statement.h. */
#include "emit.h"
#include "statement.h"

#define SECOND 1000000000ull

/* Room for "class mask 0x... -> 0x...:" and each class. */
#define MASK_TEXT 200

static const char *const classes[] = {
	"assign", "irq", "user", "kmsg", "io", "api", "kernel_time", "idle", "state", "who", "exec",
};

#define CLASSES (sizeof(classes) / sizeof(classes[0]))

_Static_assert((1u << CLASSES) - 1 == BCOS_CLASS_ALL, "each class has a name");

static const struct {
	u32 id;
	const char *words;
	size_t at, size;
} texts[] = {
#define TEXT(id, words, member) \
	{ id, words, offsetof(struct bcos_statements, member), sizeof(((struct bcos_statements *)NULL)->member) }
	TEXT(BCOS_EVENT_BOOT, "boot ", boot),
	TEXT(BCOS_EVENT_HOST, "host ", host),
	TEXT(BCOS_EVENT_KERNEL, "kernel ", kernel),
	TEXT(BCOS_EVENT_VERSION, "", version),
};

#define TEXTS (sizeof(texts) / sizeof(texts[0]))
#define TEXT_MAX 160

int bcos_mask_words(char *text, size_t size, u32 from, u32 to)
{
	int at = host_format(text, size, "class mask %#x -> %#x:", from, to);
	u32 bit;

	for (bit = 0; bit < CLASSES; bit++)
		if ((from ^ to) >> bit & 1)
			at += host_format(text + at, size - (size_t)at, " %s %s,", classes[bit], to >> bit & 1 ? "on" : "off");
	text[--at] = 0;
	return at;
}

static bool lacks_default(const struct bcos_log *log)
{
	return BCOS_CLASS_DEFAULT & ~log->mask;
}

static u32 lowest_cpu(const struct bcos_log *log)
{
	u32 cpu = 0;

	while (cpu < log->model.cpu_limit && !log->model.cpus[cpu].online)
		cpu++;
	return cpu;
}

static const char *text_of(const struct bcos_statements *statements, u32 which)
{
	return (const char *)statements + texts[which].at;
}

/* Writes the text of a statement. Returns its length, 0 if there is nothing to state. */
static size_t words_of(const struct bcos_statements *statements, u32 which, char *words)
{
	const char *text = text_of(statements, which);
	size_t length = strnlen(text, texts[which].size), before = strlen(texts[which].words);

	if (!length)
		return 0;
	memcpy(words, texts[which].words, before);
	return before + bcos_utf8_clean(words + before, TEXT_MAX - before, text, length);
}

/*
 * Writes the latest possible wall clock time at the log's time. Returns false if it is unknown or
 * before 1970.
 */
static bool clock_words(const struct bcos_log *log, char *words, size_t size, size_t *length)
{
	const struct bcos_statements *said = &log->statements;
	u64 time = log->time + said->offset + said->error;

	if (!said->clock || time >> 63)
		return false;
	*length = (size_t)host_format(words, size, "wall clock %llu.%09llu", (unsigned long long)(time / SECOND),
				      (unsigned long long)(time % SECOND));
	return true;
}

static void put(struct bcos_log *log, u16 type, u32 source, u32 id, u32 precision, const char *text, size_t length)
{
	u32 bytes = (u32)bcos_entry_size(BCOS_GENERIC_TEXT, length);
	struct bcos_generic *entry = bcos_emit_open(log, bytes, type, source, log->time, precision);

	entry->event_id = id;
	entry->severity = BCOS_SEVERITY_INFO;
	memcpy(entry->text, text, length);
	bcos_emit_close(log, bytes);
}

static void put_mask(struct bcos_log *log)
{
	u32 cpu = lowest_cpu(log);
	char text[MASK_TEXT];
	int length;

	if (!lacks_default(log) || cpu == log->model.cpu_limit)
		return;
	length = bcos_mask_words(text, sizeof(text), BCOS_CLASS_DEFAULT, log->mask);
	put(log, BCOS_GENERIC_CPU, cpu, BCOS_EVENT_MASK, log->time_precision, text, (size_t)length);
}

static void put_clock(struct bcos_log *log)
{
	char text[40];
	size_t length;

	if (clock_words(log, text, sizeof(text), &length))
		put(log, BCOS_GENERIC_PROCESS, BCOS_PROCESS_KERNEL, BCOS_EVENT_CLOCK, log->statements.error, text,
		    length);
}

static void put_text(struct bcos_log *log, u32 which, u32 precision)
{
	char words[TEXT_MAX];
	size_t length = words_of(&log->statements, which, words);

	if (length)
		put(log, BCOS_GENERIC_PROCESS, BCOS_PROCESS_KERNEL, texts[which].id, precision, words, length);
}

void bcos_statements_write(struct bcos_log *log)
{
	u32 which;

	put_mask(log);
	put_clock(log);
	for (which = 0; which < TEXTS; which++)
		put_text(log, which, log->time_precision);
}

u64 bcos_statements_bytes(const struct bcos_log *log)
{
	char text[MASK_TEXT], words[TEXT_MAX];
	size_t length;
	u64 bytes = 0;
	u32 which;

	if (lacks_default(log))
		bytes += bcos_entry_size(BCOS_GENERIC_TEXT,
					 (size_t)bcos_mask_words(text, sizeof(text), BCOS_CLASS_DEFAULT, log->mask));
	if (clock_words(log, text, sizeof(text), &length))
		bytes += bcos_entry_size(BCOS_GENERIC_TEXT, length);
	for (which = 0; which < TEXTS; which++) {
		length = words_of(&log->statements, which, words);
		if (length)
			bytes += bcos_entry_size(BCOS_GENERIC_TEXT, length);
	}
	return bytes;
}

static bool is_same_clock(const struct bcos_statements *a, const struct bcos_statements *b)
{
	s64 later = (s64)(a->offset - b->offset);

	if (!a->clock || !b->clock)
		return a->clock == b->clock;
	return later <= (s64)b->error && -later <= (s64)a->error;
}

/* Takes the wall clock over. Returns true if it must be stated anew. */
static bool take_clock(struct bcos_log *log, const struct bcos_statements *now, u64 time)
{
	struct bcos_statements *said = &log->statements;
	bool same = is_same_clock(said, now);

	if (same && said->error <= now->error)
		return false;
	if (!same && log->begun && time - log->clock_said < SECOND)
		return false;
	said->clock = now->clock;
	said->offset = now->offset;
	said->error = now->error;
	return !same;
}

void bcos_log_say(struct bcos_log *log, const struct bcos_statements *now, u64 time)
{
	bool clock = take_clock(log, now, time), changed;
	u64 latest = bcos_latest(time, log->precision);
	u32 which;

	if (clock && log->begun) {
		log->clock_said = time;
		put_clock(log);
		log->interesting = true;
	}
	for (which = 0; which < TEXTS; which++) {
		changed = strncmp(text_of(&log->statements, which), text_of(now, which), texts[which].size);
		if (!changed)
			continue;
		memcpy((char *)&log->statements + texts[which].at, text_of(now, which), texts[which].size);
		if (!log->begun)
			continue;
		/* The change happened at some time since the newest entry. */
		put_text(log, which, bcos_reach(log->time, latest));
		log->interesting = true;
	}
	bcos_log_settle(log);
}

void bcos_log_recorded(struct bcos_log *log, u32 mask)
{
	struct bcos_cpu *cpu;
	u32 number;

	log->mask = mask;
	if (mask & BCOS_CLASSES_ASSIGNMENTS)
		return;
	for (number = 0; number < log->model.cpu_limit; number++) {
		cpu = &log->model.cpus[number];
		if (cpu->assigned)
			bcos_model_hold(cpu, NULL, BCOS_PROCESS_IDLE, log->time, log->time_precision);
		cpu->assigned = false;
	}
}
