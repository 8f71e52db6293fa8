// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The devices of a log that the BPF engine records: see device_log.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "balance.h"
#include "bcoslog_bpf.h"
#include "reader/reader.h"
#include "device_log.h"

#define DEVICES 4096

struct bcoslog *device_log;
unsigned int device_log_losses;

static struct balance balance;
static struct device device[DEVICES];
static size_t devices;

void device_log_begin(unsigned int flags)
{
	struct bcoslog_bpf options = { .size = sizeof(options), .classes = BCOS_CLASS_IO, .flags = flags };
	struct bcoslog_error error;

	devices = 0;
	device_log_losses = 0;
	if (bcoslog_open_bpf(&device_log, &options, BCOSLOG_FOLLOW, &error))
		fail_msg("%s", error.text);
	balance_begin(&balance, 0, 0);
}

static struct device *by_id(uint32_t id)
{
	size_t i = devices;

	while (i)
		if (device[--i].id == id)
			return &device[i];
	assert_true(devices < DEVICES);
	device[devices] = (struct device){ .id = id };
	return &device[devices++];
}

static void take_entry(const struct bcos_entry *entry)
{
	const char *end = (const char *)entry + entry->size;
	uint16_t type = entry->type & ~BCOS_TYPE_HISTORICAL;
	struct device *of = by_id(entry->source);
	const char *text;

	if (type == BCOS_SET_DEVICE_NAME) {
		text = (const char *)((const struct bcos_device_name *)entry)->name;
		/* This is a new device: its ID may have been that of another one. */
		if (!of->live && !(entry->type & BCOS_TYPE_HISTORICAL)) {
			of = &device[devices++];
			*of = (struct device){ .id = entry->source };
		}
		snprintf(of->name, DEVICE_TEXT, "%.*s", (int)(end - text), text);
		of->live = true;
	} else if (type == BCOS_CANCEL_DEVICE_NAME) {
		of->live = false;
	} else if (type == BCOS_GENERIC_DEVICE) {
		text = (const char *)((const struct bcos_generic *)entry)->text;
		snprintf(of->text, DEVICE_TEXT, "%.*s", (int)(end - text), text);
	} else {
		return;
	}
	if (entry->type & BCOS_TYPE_HISTORICAL)
		return;
	of->first = entry->time;
	of->last = entry->time + entry->precision;
}

void device_log_catch_up(void)
{
	const struct bcos_entry *entry;
	struct bcoslog_batch batch;
	int more;

	assert_int_equal(bcoslog_flush(device_log, NULL), 0);
	while ((more = bcoslog_batch(device_log, &batch)) > 0) {
		for (entry = batch.first; entry < batch.end;
		     entry = (const struct bcos_entry *)((const char *)entry + entry->size)) {
			if (entry->type == BCOS_GENERIC_CPU &&
			    ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_LOSS)
				device_log_losses++;
			balance_entry(&balance, entry);
			if ((entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_DEVICE)
				take_entry(entry);
		}
	}
	assert_int_equal(more, 0);
}

void device_log_end(void)
{
	const char *wrong = balance.account ? balance_end(&balance) : NULL;

	if (wrong)
		fail_msg("the account does not add up: %s", wrong);
	balance_free(&balance);
	bcoslog_close(device_log);
	device_log = NULL;
}

int device_log_called(const char *name, struct device **of)
{
	size_t i, length = strlen(name);
	int live = 0;

	for (i = 0; i < devices; i++) {
		/* The name of a device that is stacked goes on. */
		if (strncmp(device[i].name, name, length) || (device[i].name[length] && device[i].name[length] != ' '))
			continue;
		live += device[i].live;
		if (of)
			*of = &device[i];
	}
	return live;
}

bool device_log_soon(const char *name, int live)
{
	int tries;

	for (tries = 0; tries < 300; tries++) {
		device_log_catch_up();
		if (device_log_called(name, NULL) == live)
			return true;
		usleep(100000);
	}
	return false;
}

void device_log_expect(const struct device *of, uint64_t from, uint64_t until)
{
	if (of->first > until || of->last < from)
		fail_msg("%s %s: from %llu to %llu, but it was between %llu and %llu", of->name, of->text,
			 (unsigned long long)of->first, (unsigned long long)of->last, (unsigned long long)from,
			 (unsigned long long)until);
}
