/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A recording whose frames a test looks at: the store is the test's own. */
#ifndef BCOS_TESTS_CLI_MADE_FRAMES_H
#define BCOS_TESTS_CLI_MADE_FRAMES_H

#include <errno.h>

#include "printed.h"
#include "made_log.h"
#include "record/frame.h"
#include "record/recording.h"

/* ---- a store of the test ------------------------------------------------------------------------ */

static struct {
	u8 *raw;
	struct archive_note note;
	struct archive_header header;
	const char *cause;
} frames[64];
static size_t frame_count;
/* The calls: b(egin), or p(art), finish, and frame. */
static char calls[256];
static struct kept_end kept;
static bool is_open, is_full;
static int begin_error, frame_error;

/* It is only passed on. */
#define STORE ((struct store *)frames)

int store_begin(struct store *of, const struct archive_header *header, struct kept_end *end)
{
	assert_ptr_equal(of, STORE);
	strcat(calls, end ? "b" : "p");
	if (end)
		*end = kept;
	return begin_error;
}

int store_frame(struct store *of, const struct archive_header *header, const void *raw, struct archive_note *note,
		const char *cause)
{
	assert_ptr_equal(of, STORE);
	if (frame_error)
		return frame_error;
	strcat(calls, "F");
	frames[frame_count].raw = malloc(note->raw);
	memcpy(frames[frame_count].raw, raw, note->raw);
	frames[frame_count].note = *note;
	frames[frame_count].header = *header;
	frames[frame_count++].cause = cause;
	is_open = true;
	return 0;
}

bool store_is_full(const struct store *store)
{
	return is_full;
}

bool store_is_open(const struct store *store)
{
	return is_open;
}

void store_finish(struct store *store)
{
	strcat(calls, "f");
	is_open = is_full = false;
}

/* ---- a recording --------------------------------------------------------------------------------- */

static struct recording *recording;
static struct archive_header header = { .machine = { .host = "machine" } };
static u32 room[4096];
static struct made made;
static const struct bcos_entry *stopped_at;

static inline int end_recording(void **state)
{
	recording_free(recording);
	recording = NULL;
	while (frame_count)
		free(frames[--frame_count].raw);
	return 0;
}

static inline int begin_recording(void **state)
{
	end_recording(state);
	calls[0] = '\0';
	kept = (struct kept_end){ 0 };
	is_open = is_full = false;
	begin_error = frame_error = 0;
	recording = recording_new(STORE, &header, true);
	return !recording;
}

/* Gives one entry.  Return: as recording_entries(). */
static inline int give_entry(const struct bcos_entry *entry)
{
	struct bcoslog_batch batch = { .first = (struct bcos_entry *)room };

	memcpy(room, entry, entry->size);
	batch.end = (struct bcos_entry *)((char *)room + entry->size);
	stopped_at = batch.first;
	return recording_entries(recording, &batch, &stopped_at);
}

#define gives(entry) assert_complains("", give_entry(entry) == 0)
#define assign(cpu, time, process) made_word(&made, BCOS_ASSIGN_CPU, cpu, time, process)
#define statement(time, id, text) made_event(&made, BCOS_GENERIC_PROCESS, 0, time, id, 0x40, text)
#define missed(time) made_event(&made, BCOS_GENERIC_DEVICE, BCOS_DEVICE_SELF, time, BCOS_EVENT_MISSED, 0xC0, "missed")

static inline void give_group(void)
{
	static const u32 performance[] = { 1000 };

	gives(made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 5, 100, 300, performance, 1));
	gives(made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 6, 0));
	gives(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel"));
	gives(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 50, "ten"));
	gives(made_device(&made, BCOS_HIST_SET_DEVICE_NAME, 3, 60, 10, "sda"));
}

/* A group, the clock, and an assignment: 204 bytes. */
static inline void give_log(void)
{
	give_group();
	gives(statement(1000, BCOS_EVENT_CLOCK, "wall clock 50.000000000"));
	gives(assign(0, 2000, 10));
}

/* Return: the entries of a frame, each as a word, its source and its time. */
static inline const char *told_in(size_t number)
{
	static char text[2000];
	const u8 *at = frames[number].raw, *end = at + frames[number].note.raw;
	const struct bcos_entry *entry;
	const char *word;
	size_t length;

	assert_true(number < frame_count);
	for (text[0] = '\0'; at != end; at += entry->size) {
		entry = (const struct bcos_entry *)at;
		word = entry->type == BCOS_HIST_CORE_ONLINE ? "core" : entry->type == BCOS_HIST_CPU_ONLINE ? "cpu" :
		       entry->type == BCOS_HIST_SET_PROCESS_NAME ? "name" :
		       entry->type == BCOS_HIST_SET_DEVICE_NAME ? "device" :
		       entry->type == BCOS_HIST_ASSIGN_CPU ? "was" :
		       entry->type == BCOS_ASSIGN_CPU ? "runs" : entry->type == BCOS_IRQ ? "irq" :
		       bcoslog_text(entry, &length);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%.*s", *text ? ", " : "",
			 bcoslog_is_generic(entry->type) ? (int)length : 10, word);
		if (!bcoslog_is_generic(entry->type))
			snprintf(text + strlen(text), sizeof(text) - strlen(text), " %u", entry->source);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " @%llu", (unsigned long long)entry->time);
	}
	return text;
}

#define GROUP "core 0 @5, cpu 0 @6, name 0 @0, name 10 @50, device 3 @60"

static inline void flush_recording(void)
{
	assert_complains("", recording_flush(recording) == 0);
}

#define assert_note(number, expected_entries, expected_flags, expected_first, expected_last) do { \
		const struct archive_note *note_ = &frames[number].note; \
		assert_int_equal(note_->entries, expected_entries); \
		assert_int_equal(note_->flags, expected_flags); \
		assert_int_equal(note_->first, expected_first); \
		assert_int_equal(note_->last, expected_last); \
	} while (0)

#define recording_test(test) cmocka_unit_test_setup_teardown(test, begin_recording, end_recording)

#endif
