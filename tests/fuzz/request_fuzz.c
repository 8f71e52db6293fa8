// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Gives any bytes to the parser of the texts of requests of disks, and any values to the writer. What the parser takes is
 * what the writer writes for it, byte by byte, and what the writer writes is read back as the same, within its room.
 */
#include <stdlib.h>
#include <string.h>
#include "core/format/request_text.h"
#include "demand.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Writes what was told, and reads it: both have to be the same. Returns the length of the text. */
static size_t write_and_read(char *text, const struct bcos_request_told *told)
{
	struct bcos_request_told again;
	size_t length = bcos_request_format(text, told);
	char *copy = malloc(length);

	demand_that(copy && length <= BCOS_REQUEST_TEXT);
	/* The copy ends where the text does, so that the sanitizer finds a look behind it. */
	memcpy(copy, text, length);
	demand_that(bcos_request_parse(&again, copy, length));
	demand_that(again.operation == told->operation && again.flags == told->flags && again.has_start == told->has_start &&
		    again.has_issue == told->has_issue && again.device == told->device && again.bytes == told->bytes &&
		    again.sector == told->sector && again.queue == told->queue && again.service == told->service &&
		    again.thread == told->thread && again.process == told->process && again.cgroup == told->cgroup &&
		    again.error == told->error);
	free(copy);
	return length;
}

static void read_bytes(const uint8_t *data, size_t size)
{
	char text[BCOS_REQUEST_TEXT], *copy = malloc(size + !size);
	struct bcos_request_told told;
	size_t length;

	demand_that(copy);
	memcpy(copy, data, size);
	if (bcos_request_parse(&told, copy, size)) {
		length = write_and_read(text, &told);
		demand_that(length == size && !memcmp(text, copy, length));
	}
	free(copy);
}

/* A time without a beginning, or without the disk, is none, as the raw record has it. */
static void write_values(const uint8_t *data)
{
	struct bcos_request_told told = {
		.operation = (enum bcos_operation)(data[0] % BCOS_OPERATIONS), .flags = (u16)(data[1] << 1) & BCOS_REQUEST_FLAGS,
		.has_start = data[2] & 1, .has_issue = data[2] & 2,
	};
	char text[BCOS_REQUEST_TEXT];

	memcpy(&told.device, data + 3, 4);
	memcpy(&told.bytes, data + 7, 4);
	memcpy(&told.sector, data + 11, 8);
	if (told.has_start)
		memcpy(&told.queue, data + 19, 8);
	if (told.has_issue)
		memcpy(&told.service, data + 27, 8);
	memcpy(&told.thread, data + 35, 4);
	memcpy(&told.process, data + 39, 4);
	memcpy(&told.cgroup, data + 43, 4);
	memcpy(&told.error, data + 47, 4);
	write_and_read(text, &told);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_bytes(data, size);
	if (size >= 51)
		write_values(data);
	return 0;
}
