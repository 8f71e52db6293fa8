// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The records that the engine makes in user space: callbacks of struct kernel_log and struct hardware. */
#include "core/model/device.h"
#include "engine_log.h"

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
