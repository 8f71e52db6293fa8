// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Gives any bytes to the parsers of what the kernel announces and prints. The first byte chooses a device event,
 * messages of rtnetlink, a message of /dev/kmsg, or a device that a BPF program named. Each record that they make is
 * well-formed.
 */
#include <stdlib.h>
#include <string.h>
#include "bpf/shared.h"
#include "engine/announce/hardware.h"
#include "engine/announce/uevents.h"
#include "engine/kernel_log.h"
#include "demand.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_record(void *context, const struct bcos_unit *unit, u32 units)
{
	const struct bcos_raw *raw = (const struct bcos_raw *)unit;
	const struct bcos_raw_event *event = (const struct bcos_raw_event *)(unit + 1);
	const char *text = (const char *)(unit + 2);
	u32 i;

	demand_that(units >= 1 && units <= BCOS_RAW_UNITS_MAX && raw->units == units);
	demand_that(raw->kind && raw->kind < BCOS_RAW_KINDS);
	if (raw->kind == BCOS_RAW_DEVICE_GONE || raw->kind == BCOS_RAW_LINK) {
		demand_that(units == 2);
		return;
	}
	demand_that(event->length <= 16 * (units - 2) && event->length + 16 > 16 * (units - 2));
	for (i = event->length; i < 16 * (units - 2); i++)
		demand_that(!text[i]);
	demand_that(raw->kind != BCOS_RAW_DEVICE ||
		    (event->length > sizeof(struct bcos_raw_device) && !text[event->length - 1]));
}

static void put_loss(void *context, u64 count, const char *what, u64 since)
{
	demand_that(count);
}

static void put_name(void *context, u64 key, bool there)
{
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hardware hardware = { .put = put_record, .named = put_name, .net = 1 };
	struct kernel_log log = { .put = put_record, .lost = put_loss };
	/* The copy is on the heap, so that the sanitizer notices a read beyond its end. */
	char *copy = malloc(size);

	if (!size || !copy) {
		free(copy);
		return 0;
	}
	memcpy(copy, data + 1, size - 1);
	copy[size - 1] = 0;
	switch (*data % 4) {
	case 0:
		uevents_parse(&hardware, copy, size - 1);
		announced_parse(&hardware, copy, size - 1);
		break;
	case 1:
		links_parse(&hardware, copy, size - 1, true);
		break;
	case 2:
		kernel_log_parse(&log, copy, size - 1);
		kernel_log_parse(&log, copy, (size - 1) / 2);
		break;
	default: {
		struct bcos_unit unit[BCOS_RAW_UNITS_MAX] = { 0 };
		struct bcos_raw *raw = (struct bcos_raw *)unit;

		memcpy(unit, copy, size - 1 < 80 ? size - 1 : 80);
		*raw = (struct bcos_raw){ .kind = BCOS_RAW_DEVICE, .units = 5, .aux = raw->aux };
		unit[1] = (struct bcos_unit){ 0 };
		put_record(NULL, unit, hardware_complete(unit));
	}
	}
	free(copy);
	return 0;
}
