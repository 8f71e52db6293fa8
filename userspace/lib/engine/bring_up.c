// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Opening and closing everything from which the engine records: see engine_log.h. */
#include <stdlib.h>
#include <unistd.h>

#include "engine/programs/refusal.h"
#include "engine_log.h"
#include "machine.h"
#include "handle/error.h"

/* Load the programs, or adopt those that a recorder left which was killed. */
static int load_programs(struct engine *engine, const struct programs_options *options, struct bcoslog_error *error)
{
	const struct bcos_image_header *header = engine->keep.former.bytes ? engine->keep.former.image.header : NULL;
	int r;

	if (engine->keep.goes_on) {
		engine->programs = engine->keep.maps;
		engine->keep.maps = NULL;
		r = programs_wake(engine->programs);
		return r ? refusal(error, r, "adopting the programs") : 0;
	}
	if (header)
		programs_unpin_links(header->pins);
	return programs_load(&engine->programs, options, error) ?: engine_keep_pin(engine, error);
}

static int begin_log(struct engine *engine)
{
	struct programs *former = engine->keep.goes_on ? engine->programs : engine->keep.maps;
	int r = former ? engine_adopt(engine, former) : 0;

	programs_free(engine->keep.maps);
	engine->keep.maps = NULL;
	if (r)
		return r;
	r = engine->keep.goes_on ? engine_go_on(engine) : engine_begin(engine);
	/* The log begins when a pass is beyond its beginning. */
	while (!r && engine->keep.on && !engine->log.begun)
		r = engine_pass(engine);
	return r;
}

int engine_up(struct engine *engine, struct bcoslog_error *error)
{
	struct programs_options programs = {
		.classes = engine->options.classes,
		.calls_of = engine->options.calls_of,
		.cpus = engine->cpus,
		.rings = machine_present(),
		.staging = engine->staging,
		.no_functions = engine->options.flags & BCOSLOG_BPF_NO_FUNCTIONS,
		.no_count = engine->options.flags & BCOSLOG_BPF_NO_COUNT,
	};
	u32 first;
	int r;

	if (!machine_online(&first, 1))
		return error_set(error, ENOENT, "/sys does not tell which CPUs are online: mount it (mount -t sysfs "
				 "sysfs /sys)");
	if (machine_has_own_time())
		return error_set(error, ENOTSUP,
				 "the time since boot is another one in this time namespace than in the "
				 "kernel: run it outside");
	r = engine_keep_begin(engine, &programs, error);
	if (r)
		return r;
	programs.held = engine->keep.on;
	r = engine_make_log(engine);
	if (r)
		return refusal(error, r, "preparing the log");
	r = load_programs(engine, &programs, error);
	if (r)
		return r;
	engine->programs_bytes = programs_memory(engine->programs);
	r = grace_open(&engine->grace, engine->options.flags & BCOSLOG_BPF_NO_MEMBARRIER);
	if (r)
		return refusal(error, r, "waiting for programs");
	engine->kernel.put = engine_take_other;
	engine->hardware.put = engine_take_told;
	engine->hardware.lost = engine->kernel.lost = engine_lost;
	engine->hardware.absent = engine_absent;
	engine->hardware.exact = programs_see_devices(engine->programs);
	engine->hardware.named = engine_named;
	engine->hardware.context = engine->kernel.context = engine;
	hardware_open(&engine->hardware);
	engine->setting = machine_watch_clock();
	engine->counted_core = calloc(engine->cpus, sizeof(*engine->counted_core));
	if (engine->counted_core)
		counters_begin(&engine->counters, &counters_of_kernel, engine->cpus);
	if (engine->options.classes & BCOS_CLASS_KMSG && !kernel_log_open(&engine->kernel))
		engine->unavailable |= BCOS_CLASS_KMSG;
	if (engine->keep.on)
		kernel_log_count(&engine->kernel);
	engine->keep.lines = engine->kernel.next;
	r = engine->keep.goes_on ? 0 : programs_attach(engine->programs, error);
	if (r)
		return r;
	r = begin_log(engine);
	if (r == -EBADMSG && engine->keep.former.bytes)
		return engine_keep_refuse(engine, error);
	r = r ?: engine_keep_commit(engine);
	return r ? refusal(error, r, "beginning the log") : 0;
}

void engine_down(struct engine *engine)
{
	programs_free(engine->programs);
	programs_free(engine->keep.maps);
	engine->programs = engine->keep.maps = NULL;
	grace_close(&engine->grace);
	counters_end(&engine->counters);
	free(engine->counted_core);
	engine->counted_core = NULL;
	hardware_close(&engine->hardware);
	kernel_log_close(&engine->kernel);
	if (engine->setting >= 0)
		close(engine->setting);
	engine->setting = -1;
}
