// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Export to and import from the stream of a kernel event logger: see small.h. */
#include <stdlib.h>

#include "../convert.h"
#include "core/format/phrase.h"
#include "core/format/message.h"
#include "core/format/thread_text.h"
#include "core/format/translator.h"
#include "small.h"

/* Takes --shift. Returns 0 or, after a complaint, -EINVAL. */
static int take_shift(const struct convert_options *options, u32 *shift)
{
	const char *text = convert_option(options, "shift");
	unsigned long value;
	char *end;

	*shift = KEL_SHIFT;
	if (!text)
		return 0;
	errno = 0;
	value = strtoul(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno && value <= KEL_SHIFT_MAX) {
		*shift = (u32)value;
		return 0;
	}
	complain("--shift takes a number from 0 to %u, not \"%s\"", KEL_SHIFT_MAX, text);
	return -EINVAL;
}

/* ---- export --------------------------------------------------------------------- */

struct kel_export {
	struct bcos_translator translator;
	u32 shift;
	u64 dropped;		/* dropped events that no element has counted yet */
	u64 elsewhere;		/* switches of CPUs other than 0 */
	u64 unsaid;		/* entries of which no message tells */
};

static u32 shifted_time(void *context, u64 time)
{
	return (u32)(time >> ((const struct kel_export *)context)->shift);
}

static int kel_begin(struct export *export)
{
	struct kel_export *kel = calloc(1, sizeof(*kel));

	export->own = kel;
	if (!kel) {
		complain("no memory");
		return -ENOMEM;
	}
	bcos_translator_init(&kel->translator, BCOS_TRANSLATOR_NOBODY);
	kel->translator.mask = 0xFFFFFFFFu;
	/* A switch already says which thread runs, so messages of states that repeat it are left out. */
	kel->translator.monitor = BCOS_MONITOR_STATE | BCOS_MONITOR_SERVICE | BCOS_MONITOR_EVENT;
	kel->translator.timer = shifted_time;
	kel->translator.context = kel;
	return take_shift(export->options, &kel->shift);
}

static void put_element(struct kel_export *kel, struct outfile *file, u32 id, const u32 *words, u32 count)
{
	u32 dropped = kel->dropped < KEL_DROPPED_MAX ? (u32)kel->dropped : KEL_DROPPED_MAX;
	u32 *element = outfile_reserve(file, (count + 1) * sizeof(u32));

	element[0] = id | count << 16 | dropped << 24;
	memcpy(element + 1, words, count * sizeof(u32));
	outfile_commit(file, (count + 1) * sizeof(u32));
	/* The field has eight bits, so the following elements count the rest. */
	kel->dropped -= dropped;
}

/* Is an entry lost if no message tells of it? Switches tell what states of threads would repeat, and losses are dropped events. */
static bool needs_message(const struct bcos_entry *entry)
{
	u32 id = bcoslog_is_generic(entry->type) ? ((const struct bcos_generic *)entry)->event_id : 0;

	return !(entry->type & BCOS_TYPE_HISTORICAL) && !bcoslog_is_loss(entry) &&
	       !(entry->type == BCOS_GENERIC_DEVICE && id == BCOS_EVENT_MISSED) &&
	       !(entry->type == BCOS_GENERIC_PROCESS && bcos_is_thread_event(id));
}

static int kel_entry(struct export *export, const struct bcos_entry *entry)
{
	struct kel_export *kel = export->own;
	u32 id, dropped, words[BCOS_MESSAGE_WORDS_MAX], size;
	bool said = false;

	kel->elsewhere += entry->type == BCOS_ASSIGN_CPU && entry->source;
	bcos_translator_put(&kel->translator, entry);
	while (size = BCOS_MESSAGE_WORDS_MAX, bcos_translator_get(&kel->translator, &id, &dropped, words, &size) > 0) {
		said = true;
		kel->dropped += dropped;
		/* An element has no room for an ID of more than 16 bits. */
		if (id > KEL_ID_MAX)
			kel->dropped++;
		else
			put_element(kel, &export->output->file, id, words, size);
	}
	kel->unsaid += !said && needs_message(entry);
	return 0;
}

static int kel_end(struct export *export)
{
	const struct kel_export *kel = export->own;

	if (kel->elsewhere)
		complain("%s: %llu %s of other CPUs than 0 %s not told apart from those of CPU 0, since the format has no CPUs",
			 export->path, (unsigned long long)kel->elsewhere, kel->elsewhere == 1 ? "switch" : "switches",
			 kel->elsewhere == 1 ? "is" : "are");
	if (kel->unsaid)
		complain("%s: %llu %s left out, of which no message of an event logger tells: texts, names, control groups, transfers",
			 export->path, (unsigned long long)kel->unsaid, kel->unsaid == 1 ? "entry is" : "entries are");
	return 0;
}

static void kel_free(struct export *export)
{
	free(export->own);
}

static const struct convert_option options[] = {
	{ "shift", "BITS", "shift times right by this number of bits, 0 to 31 (10)" },
	{ NULL, NULL, NULL },
};

const struct exporter kel_exporter = {
	.name = "kel",
	.suffix = ".kel",
	.help = "stream of a kernel event logger",
	.options = options,
	.begin = kel_begin,
	.entry = kel_entry,
	.end = kel_end,
	.free = kel_free,
};

/* ---- import ---------------------------------------------------------------------- */

/* The device of all interrupts for which the stream names no device. */
#define INTERRUPTS (BCOS_DEVICE_SELF + 1)

struct kel_import {
	struct log_writer *log;
	u32 shift;
	bool begun;
	u64 ticks;		/* the newest time in units, without wrapping */
	u64 damaged;
};

/* Unwraps a time, which is not earlier than the time before it. */
static struct moment moment_of(struct kel_import *kel, u32 time)
{
	u64 at;

	kel->ticks = kel->begun ? kel->ticks + (u32)(time - (u32)kel->ticks) : time;
	kel->begun = true;
	/* Times that exceed 2^64 ns stay at the largest value. */
	at = kel->shift && kel->ticks >> (64 - kel->shift) ? ~0ull << kel->shift : kel->ticks << kel->shift;
	return (struct moment){ at, (1u << kel->shift) - 1 };
}

static int tell_sleep(struct kel_import *kel, const u32 *words)
{
	struct moment when = moment_of(kel, words[1]);
	u64 slept = (u64)(words[1] - words[0]) << kel->shift;
	char text[128];
	int n;

	n = bcos_phrase_idle(text, sizeof(text), 0, slept, words[2], "interrupt", 9);
	return log_event(kel->log, when, BCOS_GENERIC_CPU, 0, BCOS_EVENT_IDLE, BCOS_SEVERITY_DEBUG, text, (size_t)n);
}

static int tell_state(struct kel_import *kel, const u32 *words)
{
	struct bcos_thread_phrase phrase = { .thread = words[1], .state = words[2] };
	char text[64];
	int n;

	if (words[2] < BCOS_STATES && words[2] != BCOS_STATE_RUNS)
		n = bcos_phrase_thread(text, sizeof(text), &phrase);
	else
		n = snprintf(text, sizeof(text), "thread %u state 0x%x", words[1], words[2]);
	return log_event(kel->log, moment_of(kel, words[0]), BCOS_GENERIC_PROCESS, words[1], BCOS_EVENT_TASK_STATE,
			 BCOS_SEVERITY_DEBUG, text, (size_t)n);
}

static int tell_kernel_event(struct kel_import *kel, const u32 *words)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "kernel event 0x%x", words[1]);

	return log_event(kel->log, moment_of(kel, words[0]), BCOS_GENERIC_PROCESS, BCOS_PROCESS_KERNEL,
			 BCOS_EVENT_MESSAGE | BCOS_MESSAGE_KERNEL_EVENT, BCOS_SEVERITY_INFO, text, (size_t)n);
}

/* A message of another program has no time: it came at some time after the event before it. */
static int tell_message(struct kel_import *kel, u32 id, const u32 *words, u32 count)
{
	struct moment when = { kel->begun ? moment_of(kel, (u32)kel->ticks).time : 0, SINCE_BOOT };
	char text[BCOS_MESSAGE_TEXT(BCOS_MESSAGE_WORDS_MAX)];
	size_t length = bcos_message_format(text, words, count);

	return log_event(kel->log, when, BCOS_GENERIC_PROCESS, BCOS_PROCESS_KERNEL, BCOS_EVENT_MESSAGE | id,
			 BCOS_SEVERITY_INFO, text, length);
}

static int tell_interrupt(struct kel_import *kel, const u32 *words, u32 count)
{
	if (count == 2) {
		log_name_device(kel->log, INTERRUPTS, BCOS_PROCESS_KERNEL, "interrupts", strlen("interrupts"));
		return log_irq(kel->log, moment_of(kel, words[0]), INTERRUPTS, words[1]);
	}
	return log_irq(kel->log, moment_of(kel, words[0]), words[1], words[2]);
}

/* Does an event of this ID have at least as many words as it needs? */
static bool is_sound(u32 id, u32 count)
{
	static const u8 words[] = { 0, 2, 2, 3, 3, 3, 2 };

	if (id == BCOS_MESSAGE_INTERRUPT)
		return count == 2 || count == 3;
	if (id >= BCOS_MESSAGE_CUSTOM)
		return true;
	/* The description of the format declares three words for a kernel event, but uses two, so two are enough. */
	return id && count >= words[id];
}

static int tell_words(struct kel_import *kel, u32 header, const u32 *words)
{
	u32 id = header & KEL_ID_MAX, count = header >> 16 & KEL_WORDS_MAX, dropped = header >> 24;
	u64 before = kel->begun ? kel->ticks << kel->shift : 0;
	int r;

	if (!is_sound(id, count)) {
		kel->damaged++;
		return 0;
	}
	switch (id) {
	case BCOS_MESSAGE_SWITCH:
		r = log_assign(kel->log, moment_of(kel, words[0]), 0, words[1]);
		break;
	case BCOS_MESSAGE_INTERRUPT:
		r = tell_interrupt(kel, words, count);
		break;
	case BCOS_MESSAGE_SLEEP:
		r = tell_sleep(kel, words);
		break;
	case BCOS_MESSAGE_TASK_STATE:
		r = tell_state(kel, words);
		break;
	case BCOS_MESSAGE_PACKET:
		r = log_calls(kel->log, moment_of(kel, words[0]), words[1], words + 2,
			      words[2] != BCOS_MESSAGE_UNKNOWN);
		break;
	case BCOS_MESSAGE_KERNEL_EVENT:
		r = tell_kernel_event(kel, words);
		break;
	default:
		r = tell_message(kel, id, words, count);
		break;
	}
	if (!r && dropped)
		r = log_loss(kel->log, (struct moment){ before, 0 }, kel->ticks << kel->shift, 0, dropped, "events",
			     dropped == KEL_DROPPED_MAX ? "buffer full, or more" : "buffer full");
	return r;
}

static int read_all(struct import *import, struct kel_import *kel)
{
	u32 words[KEL_WORDS_MAX + 1];
	const u8 *bytes;
	size_t there = 0, size;
	int r = 0;

	while (!r && (there = input_peek(import->input, &bytes, sizeof(u32))) >= sizeof(u32)) {
		if (convert_interrupted())
			return -EINTR;
		memcpy(words, bytes, sizeof(u32));
		size = ((words[0] >> 16 & KEL_WORDS_MAX) + 1) * sizeof(u32);
		there = input_peek(import->input, &bytes, size);
		if (there < size)
			break;
		memcpy(words, bytes, size);
		input_skip(import->input, size);
		r = tell_words(kel, words[0], words + 1);
		there = 0;
	}
	if (r || !there)
		return r;
	complain("%s is damaged at byte %llu: the stream ends inside an event: the last %zu bytes are left out",
		 import->path, (unsigned long long)import->input->offset, there);
	return -EBADMSG;
}

static int kel_run(struct import *import)
{
	struct kel_import kel = { .log = import->log };
	int r = take_shift(import->options, &kel.shift);

	r = r ? r : read_all(import, &kel);
	if (kel.damaged && (!r || r == -EBADMSG)) {
		complain("%s has %llu events without the words that their IDs have: they are left out", import->path,
			 (unsigned long long)kel.damaged);
		r = -EBADMSG;
	}
	return r;
}

/* The format has no magic, so the suffix has to tell. */
static bool recognizes_kel(const char *path, const u8 *bytes, size_t size)
{
	size_t length = strlen(path);

	(void)size;
	return bytes && length > 4 && !strcmp(path + length - 4, ".kel");
}

const struct importer kel_importer = {
	.name = "kel",
	.suffix = ".kel",
	.help = "stream of a kernel event logger",
	.options = options,
	.recognizes = recognizes_kel,
	.run = kel_run,
};
