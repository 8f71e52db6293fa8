// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The records that the engine makes in user space: callbacks of struct kernel_log and struct hardware. */
#include <stdlib.h>

#include "core/model/device.h"
#include "engine.h"
#include "engine_log.h"
#include "host/linux.h"

void engine_take_other(void *context, const struct bcos_unit *record, u32 units)
{
	struct engine *engine = context;

	engine->error = stream_add(&engine->cpu[engine->cpus].stream, record, units) ?: engine->error;
}

void engine_take_told(void *context, const struct bcos_unit *record, u32 units)
{
	struct engine *engine = context;

	engine->error = stream_add(&engine->told.stream, record, units) ?: engine->error;
}

void engine_take_emitted(struct engine *engine)
{
	struct emitted *emitted = &engine->emitted;
	const struct bcos_raw *raw;
	size_t at;

	pthread_mutex_lock(&engine->lock);
	for (at = 0; at < emitted->units; at += raw->units) {
		raw = (const struct bcos_raw *)&emitted->unit[at];
		engine_take_other(engine, &emitted->unit[at], raw->units);
	}
	emitted->units = 0;
	emitted->since = clock_now(CLOCK_BOOTTIME);
	pthread_mutex_unlock(&engine->lock);
}

/* Return: room for so many units; NULL if there is no memory. */
static struct bcos_unit *emitted_room(struct emitted *emitted, size_t units)
{
	size_t room = 2 * (emitted->units + units);
	struct bcos_unit *larger;

	if (emitted->units + units > emitted->room) {
		larger = reallocarray(emitted->unit, room, sizeof(*larger));
		if (!larger)
			return NULL;
		emitted->unit = larger;
		emitted->room = room;
	}
	return &emitted->unit[emitted->units];
}

int engine_emit(struct engine *engine, u32 id, u8 severity, const char *text, size_t length)
{
	u64 key = BCOS_RAW_KEY(BCOS_DEVICE_SELF, 0);
	size_t units = 2 + (length + sizeof(struct bcos_unit) - 1) / sizeof(struct bcos_unit);
	struct bcos_raw_event event = { .event_id = id, .tag = (u32)(key >> 32), .length = (u16)length };
	struct bcos_raw raw = {
		.kind = BCOS_RAW_EVENT, .units = (u8)units, .aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_DEVICE, severity), .id = (u32)key,
	};
	struct bcos_unit *unit;

	pthread_mutex_lock(&engine->lock);
	unit = emitted_room(&engine->emitted, units);
	if (unit) {
		/* What happens under the lock is after the beginning of the pass that took events last. */
		raw.time = clock_now(CLOCK_BOOTTIME);
		memset(unit, 0, units * sizeof(*unit));
		memcpy(&unit[0], &raw, sizeof(raw));
		memcpy(&unit[1], &event, sizeof(event));
		memcpy(&unit[2], text, length);
		engine->emitted.units += units;
	}
	pthread_mutex_unlock(&engine->lock);
	return unit ? 0 : -ENOMEM;
}

void engine_named(void *context, u64 key, bool there)
{
	struct engine *engine = context;

	programs_named(engine->programs, key, there);
}

/* The lists lack interfaces of other network namespaces, which get names again with their next transfers. */
void engine_absent(void *context, u32 range)
{
	struct engine *engine = context;
	struct bcos_model *model = &engine->log.model;
	const struct bcos_device *device;
	u64 key;

	for (device = bcos_model_next_device(model, NULL); device; device = bcos_model_next_device(model, device)) {
		key = device->item.key;
		if (!key || BCOS_RAW_RANGE(key) != range || hardware_is_listed(&engine->hardware, key))
			continue;
		hardware_put_key(&engine->hardware, BCOS_RAW_DEVICE_GONE, 0, key);
		engine_named(engine, key, false);
	}
}
