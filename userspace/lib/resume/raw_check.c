// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Checks raw records: see raw_check.h, and the table of kinds in core/raw/raw.h. */
#include "raw_check.h"

/* The least and the greatest number of units of a record of each kind. */
static const struct {
	u8 least, most;
} sizes[BCOS_RAW_KINDS] = {
	[BCOS_RAW_SWITCH] = { 1, 1 },
	[BCOS_RAW_IRQ] = { 1, 1 },
	[BCOS_RAW_IRQ_NAME] = { 5, 5 },
	[BCOS_RAW_BIRTH] = { 3, 3 },
	[BCOS_RAW_HELPER] = { 3, 3 },
	[BCOS_RAW_EXEC] = { 3, 3 },
	[BCOS_RAW_RENAME] = { 3, 3 },
	[BCOS_RAW_EXIT] = { 2, 2 },
	[BCOS_RAW_DEAD] = { 2, 2 },
	[BCOS_RAW_SIGNAL] = { 1, 3 },
	[BCOS_RAW_VICTIM] = { 1, 1 },
	[BCOS_RAW_CPU_DOWN] = { 1, 1 },
	[BCOS_RAW_EVENT] = { 2, BCOS_RAW_UNITS_MAX },
	[BCOS_RAW_KMSG] = { 2, BCOS_RAW_UNITS_MAX },
	[BCOS_RAW_MESSAGE] = { 2, BCOS_RAW_UNITS_MAX },
	[BCOS_RAW_DEVICE] = { 3, BCOS_RAW_UNITS_MAX },
	[BCOS_RAW_DEVICE_GONE] = { 2, 2 },
	[BCOS_RAW_LINK] = { 2, 2 },
	[BCOS_RAW_INPUT] = { 2, 2 },
	[BCOS_RAW_OUTPUT] = { 2, 2 },
	[BCOS_RAW_FAULT] = { 2, 2 },
	[BCOS_RAW_API] = { 1, 1 },
	[BCOS_RAW_IDLE] = { 1, 1 },
	[BCOS_RAW_STATE] = { 2, 2 },
	[BCOS_RAW_LIMITS] = { 2, 2 },
	[BCOS_RAW_CHECK] = { 3, 3 },
	[BCOS_RAW_PROGRAM] = { 2, BCOS_RAW_UNITS_MAX },
	[BCOS_RAW_ASSIGN] = { 2, 2 },
	[BCOS_RAW_REQUEST_START] = { 2, 2 },
	[BCOS_RAW_REQUEST_ISSUE] = { 1, 1 },
	[BCOS_RAW_REQUEST_END] = { 2, 2 },
	[BCOS_RAW_THREAD] = { 3, 3 },
	[BCOS_RAW_CGROUP] = { 3, BCOS_RAW_UNITS_MAX },
};

/* Do the bytes that an event counts lie in its units? */
static bool text_fits(const struct bcos_raw *raw, u32 units)
{
	const struct bcos_raw_event *event = (const struct bcos_raw_event *)(raw + 1);

	return event->length <= BCOS_RAW_TEXT && event->length <= (units - 2) * sizeof(struct bcos_unit);
}

static bool program_fits(const struct bcos_raw *raw, u32 units)
{
	const struct bcos_raw_program *program = (const struct bcos_raw_program *)(raw + 1);

	return text_fits(raw, units) && (u32)program->path + program->cgroup <= program->length;
}

/* No request moves so many bytes. The core writes an entry for each 4 GiB. */
#define TRANSFER_MAX (1ull << 36)

static bool transfer_fits(const struct bcos_raw *raw)
{
	return ((const struct bcos_raw_device *)(raw + 1))->amount < TRANSFER_MAX;
}

static bool state_is_sound(const struct bcos_raw *raw)
{
	u32 state = BCOS_RAW_STATE_OF(raw->aux);

	if (state == BCOS_TASK_WOKEN)
		return BCOS_RAW_WAKER_OF(raw->aux) < BCOS_WAKERS;
	return state < BCOS_TASK_STATES;
}

bool raw_is_sound(const struct bcos_raw *raw, u32 units, u32 cpus)
{
	if (!raw->kind || raw->kind >= BCOS_RAW_KINDS || raw->units != units || units < sizes[raw->kind].least ||
	    units > sizes[raw->kind].most)
		return false;
	switch (raw->kind) {
	case BCOS_RAW_SIGNAL:
		return units != 2;
	case BCOS_RAW_CPU_DOWN:
	case BCOS_RAW_LIMITS:
		return raw->id < cpus;
	case BCOS_RAW_EVENT:
	case BCOS_RAW_KMSG:
	case BCOS_RAW_MESSAGE:
	case BCOS_RAW_DEVICE:
		return text_fits(raw, units);
	case BCOS_RAW_CGROUP:
		return text_fits(raw, units) && ((const struct bcos_raw_event *)(raw + 1))->length <= BCOS_RAW_PATH_MAX;
	case BCOS_RAW_PROGRAM:
		return program_fits(raw, units);
	case BCOS_RAW_INPUT:
	case BCOS_RAW_OUTPUT:
		return transfer_fits(raw);
	case BCOS_RAW_FAULT:
	case BCOS_RAW_REQUEST_END:
		return BCOS_RAW_OPERATION(raw->aux) < BCOS_OPERATIONS;
	case BCOS_RAW_STATE:
		return state_is_sound(raw);
	default:
		return true;
	}
}
