// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Export to Perfetto: the clock and the kernel of the machine, its idle CPUs and its cores. */
#include <inttypes.h>

#include "core/format/phrase.h"
#include "core/format/statement_text.h"
#include "perfetto.h"

static void put_clock(struct perfetto *perfetto, u32 id, u64 time)
{
	proto_number(&perfetto->item, CLOCK_ID, id);
	proto_number(&perfetto->item, CLOCK_TIME, time);
	proto_message(&perfetto->detail, SNAPSHOT_CLOCK, &perfetto->item);
}

/* After a clock was set the log states it again, and so does the trace. */
static void put_snapshot(struct perfetto *perfetto, const struct bcoslog_wall *wall)
{
	put_clock(perfetto, CLOCK_BOOTTIME, wall->boot);
	put_clock(perfetto, CLOCK_REALTIME, wall->utc);
	proto_number(&perfetto->detail, SNAPSHOT_PRIMARY, CLOCK_BOOTTIME);
	perfetto_write_detail(perfetto, CLOCK_SNAPSHOT);
}

static void put_kernel(struct perfetto *perfetto, const char *text, size_t length)
{
	struct bcos_kernel_fact kernel;

	if (!bcos_kernel_parse(&kernel, text, length))
		return;
	proto_bytes(&perfetto->item, NAMES_SYSTEM, "Linux", 5);
	proto_bytes(&perfetto->item, NAMES_RELEASE, kernel.release, kernel.release_length);
	if (kernel.machine_length)
		proto_bytes(&perfetto->item, NAMES_MACHINE, kernel.machine, kernel.machine_length);
	proto_message(&perfetto->detail, SYSTEM_NAMES, &perfetto->item);
	perfetto_write_detail(perfetto, SYSTEM_INFO);
}

void perfetto_put_statement(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	struct bcoslog_wall wall;
	size_t length;
	const char *text = bcoslog_text(entry, &length);

	if (bcoslog_wall_clock(entry, &wall))
		put_snapshot(perfetto, &wall);
	else if (((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_KERNEL)
		put_kernel(perfetto, text, length);
}

static void put_idle(struct perfetto *perfetto, u32 cpu, u64 time, u32 state)
{
	proto_number(&perfetto->detail, IDLE_STATE, state);
	proto_number(&perfetto->detail, IDLE_CPU, cpu);
	perfetto_put_event(perfetto, cpu, time, 0, EVENT_CPU_IDLE);
}

bool perfetto_put_idle(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	u32 by, state;
	size_t length;
	const char *text = bcoslog_text(entry, &length);
	u64 ns, begin;

	if (entry->source >= CPUS_MAX || !bcos_phrase_idle_parse(text, length, &state, &ns, &by))
		return false;
	/* The state may have begun before the log. */
	begin = entry->time > ns ? entry->time - ns : 0;
	put_idle(perfetto, entry->source, begin > perfetto->first ? begin : perfetto->first, state);
	put_idle(perfetto, entry->source, entry->time, IDLE_ENDS);
	return by == BCOS_MESSAGE_UNKNOWN;
}

static void put_counter(struct perfetto *perfetto, u64 time, u32 core, const char *what, u64 value)
{
	char name[64], after[32];
	int length = snprintf(name, sizeof(name), "core %" PRIu32 " %s", core, what);

	snprintf(after, sizeof(after), "|%llu", (unsigned long long)value);
	perfetto_print(perfetto, time, BCOS_PROCESS_KERNEL, 'C', name, (size_t)length, after);
}

/* Power is in units of 2 mW, and 0 is unknown, as is a performance of 0. */
void perfetto_put_core(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	const struct bcos_core_online *core = (const struct bcos_core_online *)entry;
	size_t count = (entry->size - sizeof(*core)) / sizeof(u32);
	u64 time = entry->type & BCOS_TYPE_HISTORICAL ? perfetto->time : entry->time;

	if (core->idle_power)
		put_counter(perfetto, time, entry->source, "idle power mW", 2ull * core->idle_power);
	if (core->power_difference)
		put_counter(perfetto, time, entry->source, "more power when busy mW", 2ull * core->power_difference);
	if (count && core->performance[0])
		put_counter(perfetto, time, entry->source, "performance", core->performance[0]);
}
