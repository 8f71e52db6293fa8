/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The tests of what a machine left share this: a machine with marks and other records, of which a half is merged, and
 * what the log that is made of its image has.
 */
#ifndef BCOS_TESTS_CLI_SEEN_H
#define BCOS_TESTS_CLI_SEEN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bcoslog.h"
#include "check/check.h"
#include "image/recover.h"
#include "made_image.h"

struct seen {
	u32 marks;			/* in order, from 0 on */
	bool out_of_order;
	u32 births;			/* of process 101 */
	u32 ends, losses, panics, reads, wrong_names, missed;
	u64 violations;
	char end[400];
};

static void print_violation(void *context, const struct bcoslog_violation *violation)
{
	struct seen *seen = context;

	if (!violation->legal)
		seen->violations++;
}

static bool is_text(const struct bcos_entry *entry, const char *begin, char *text, size_t size)
{
	size_t length;
	const char *said = bcoslog_text(entry, &length);

	snprintf(text, size, "%.*s", (int)length, said);
	return !strncmp(text, begin, strlen(begin));
}

static void look_at_name(struct seen *seen, const struct bcos_entry *entry)
{
	static const char *const names[] = { "kernel", "init", "cc1", "as", "bcos_evlog", "vda" };
	bool device = bcos_type_of(entry->type) && (entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_DEVICE;
	const char *name = device ? ((const struct bcos_device_name *)entry)->name :
				    ((const struct bcos_process_name *)entry)->name;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return;
	seen->wrong_names++;
}

static void look_at(struct seen *seen, const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	char text[500];

	if (entry->type == BCOS_SET_PROCESS_NAME || entry->type == BCOS_HIST_SET_PROCESS_NAME ||
	    entry->type == BCOS_SET_DEVICE_NAME || entry->type == BCOS_HIST_SET_DEVICE_NAME)
		look_at_name(seen, entry);
	seen->births += entry->type == BCOS_SET_PROCESS_NAME && entry->source == 101;
	seen->losses += bcoslog_is_loss(entry);
	seen->missed += bcoslog_is_missed(entry);
	seen->reads += entry->type == BCOS_DEVICE_INPUT;
	if (entry->type != BCOS_GENERIC_PROCESS)
		return;
	if (event->event_id == BCOS_EVENT_ENDED) {
		seen->ends++;
		is_text(entry, "", seen->end, sizeof(seen->end));
	} else if (is_text(entry, "mark ", text, sizeof(text))) {
		seen->out_of_order |= strtoul(text + 5, NULL, 10) != seen->marks++;
	}
	/* Another process, which has the ID of "cc1" now, says this: the log does not name it. */
	seen->wrong_names += event->header.source == 100 && is_text(entry, "other", text, sizeof(text));
	/* This is from a record of a former lap of a staging ring. */
	seen->wrong_names += is_text(entry, "wrong", text, sizeof(text));
	seen->panics += is_text(entry, "Kernel panic - not syncing: for a test", text, sizeof(text));
}

/* Makes a log of the bytes, and reads it.  Returns the result of the recovery. */
__attribute__((unused)) static int recover(const void *bytes, u64 size, const struct recover_end *ends, struct recovered *recovered,
		   struct seen *seen)
{
	int fd = memfd_create("log", MFD_CLOEXEC), r;
	const struct bcos_entry *entry;
	struct bcoslog_check *check;
	struct bcoslog_batch batch;
	struct bcoslog_error error;
	struct bcoslog *log;

	memset(seen, 0, sizeof(*seen));
	r = recover_image(bytes, size, ends, fd, recovered, &error);
	if (r) {
		assert_true(strlen(error.text) > 10);
		if (getenv("BCOS_SHOW"))
			print_message("%s\n", error.text);
		close(fd);
		return r;
	}
	lseek(fd, 0, SEEK_SET);
	assert_int_equal(bcoslog_open_fd(&log, fd, "log", BCOSLOG_CLOSE, &error), 0);
	check = bcoslog_check_new(print_violation, seen);
	while ((r = bcoslog_batch(log, &batch)) > 0)
		bcoslog_each(entry, &batch) {
			assert_int_equal(bcoslog_check_entry(check, 0, entry), 0);
			look_at(seen, entry);
		}
	assert_int_equal(r, 0);
	bcoslog_check_end(check);
	bcoslog_check_free(check);
	bcoslog_close(log);
	return 0;
}

/* A machine with 10 marks that are merged and 10 that are not, among other records. */
__attribute__((unused)) static struct made_image *a_machine(void)
{
	struct made_image *made = made_new();
	u32 i;

	for (i = 0; i < 10; i++)
		made_mark(made, i & 1);
	made_switch(made, 0, 100);
	made_read(made, 0, 512);
	made_merge(made);
	made_publish(made);
	for (i = 0; i < 10; i++) {
		made_mark(made, i & 1);
		if (i == 2)
			made_life(made, 0, BCOS_RAW_BIRTH, 101, 9, "as");
		if (i == 4)
			made_switch(made, 0, 101);
		if (i == 6)
			made_life(made, 1, BCOS_RAW_DEAD, 101, 9, NULL);
	}
	made_read(made, 1, 1024);
	return made;
}

#endif
