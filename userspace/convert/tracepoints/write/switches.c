// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Turns assignments into sched:sched_switch: see write.h. threads.h has the part that knows threads. */
#include <errno.h>
#include <stdlib.h>

#include "../../unknown.h"
#include "write.h"
#include "threads.h"

const struct perf_point switches_point = {
	"sched", "sched_switch",
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
	"\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n",
	"\"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%ld ==> next_comm=%s next_pid=%d next_prio=%d\", "
	"REC->prev_comm, REC->prev_pid, REC->prev_prio, REC->prev_state, REC->next_comm, REC->next_pid, REC->next_prio",
};

struct switches *switches_new(const struct switches_sinks *sinks, void *context)
{
	struct switches *switches = calloc(1, sizeof(*switches));

	if (!switches)
		return NULL;
	switches->sinks = *sinks;
	switches->context = context;
	switches->state = bcoslog_state_new();
	if (switches->state && !table_init(&switches->threads))
		return switches;
	switches_free(switches);
	return NULL;
}

void switches_free(struct switches *switches)
{
	if (!switches)
		return;
	bcoslog_state_free(switches->state);
	threads_free(switches);
	free(switches->cpus);
	free(switches);
}

const struct bcoslog_state *switches_state(const struct switches *switches)
{
	return switches->state;
}

u64 switches_left_out(const struct switches *switches)
{
	return switches->left_out;
}

static u32 thread_of(const struct turn *turn)
{
	return turn->known ? turn->thread : 0;
}

/* From @time on nobody knows what the CPU @cpu runs. */
static void lose_switches(struct switches *switches, u32 cpu, u64 time)
{
	struct turn *turn = cpu < switches->count ? &switches->cpus[cpu] : NULL;

	if (!turn)
		return;
	turn->stated = false;
	if (turn->known && turn->process != BCOSLOG_NO_PROCESS)
		switches_switch(switches, cpu, turn, BCOSLOG_NO_PROCESS, time);
}

static void lose_all(struct switches *switches, u64 time)
{
	u32 cpu;

	while (cpu_set_take(&switches->stated, &cpu))
		switches->cpus[cpu].stated = false;
	while (cpu_set_take(&switches->known, &cpu))
		lose_switches(switches, cpu, time);
}

static int cpu_assigned(struct switches *switches, const struct bcos_assign_cpu *entry)
{
	bool historical = entry->header.type & BCOS_TYPE_HISTORICAL;
	u32 cpu = entry->header.source;
	struct turn *turn;

	if (cpu >= CPUS_MAX) {
		switches->left_out++;
		return 0;
	}
	turn = switches_turn(switches, cpu);
	if (!turn)
		return -ENOMEM;
	if (historical && (turn->stated || (turn->known && turn->process != BCOSLOG_NO_PROCESS)))
		return 0;
	if (historical) {
		turn->stated_process = entry->process;
		turn->stated = true;
		cpu_set_add(&switches->stated, cpu);
	} else {
		turn->stated = false;
		switches_switch(switches, cpu, turn, entry->process, entry->header.time);
	}
	return 0;
}

/* A statement of a group holds from the next entry on that is not historical. */
static void settle_switches(struct switches *switches)
{
	struct turn *turn;
	u32 cpu;

	while (cpu_set_take(&switches->stated, &cpu)) {
		turn = &switches->cpus[cpu];
		if (turn->stated)
			switches_switch(switches, cpu, turn, turn->stated_process, switches->time);
		turn->stated = false;
	}
}

int switches_entry(struct switches *switches, const struct bcos_entry *entry)
{
	int r = bcoslog_state_apply(switches->state, entry);

	if (r)
		return r;
	if (!(entry->type & BCOS_TYPE_HISTORICAL)) {
		switches->time = entry->time;
		settle_switches(switches);
	}
	if (entry->type == BCOS_ASSIGN_CPU || entry->type == BCOS_HIST_ASSIGN_CPU)
		return cpu_assigned(switches, (const struct bcos_assign_cpu *)entry);
	if (switches->sinks.wake && entry->type == BCOS_GENERIC_PROCESS)
		return threads_entry(switches, entry);
	if (switches->sinks.wake && (entry->type & ~BCOS_TYPE_HISTORICAL) == BCOS_SET_PROCESS_NAME)
		threads_rename(switches, entry->source);
	/* A CPU should be idle when it goes offline. If it is not, nobody knows what it runs. */
	if (entry->type == BCOS_CPU_OFFLINE && entry->source < switches->count &&
	    switches->cpus[entry->source].process != BCOS_PROCESS_IDLE)
		lose_switches(switches, entry->source, entry->time);
	switch (unknown_after(entry)) {
	case UNKNOWN_CPU:
		lose_switches(switches, entry->source, entry->time);
		break;
	case UNKNOWN_CPUS:
	case UNKNOWN_ALL:
		lose_all(switches, entry->time);
		break;
	default:
		break;
	}
	return 0;
}

void switches_forget(struct switches *switches)
{
	lose_all(switches, switches->time);
	bcoslog_state_forget(switches->state);
	threads_forget(switches);
}

int switches_end_unknown(struct switches *switches, u32 cpu)
{
	struct turn *turn = switches_turn(switches, cpu);

	if (!turn)
		return -ENOMEM;
	switches_switch(switches, cpu, turn, BCOSLOG_NO_PROCESS, switches->time);
	return 0;
}

void switches_end(struct switches *switches)
{
	u32 cpu;

	for (cpu = 0; cpu < switches->count; cpu++)
		if (thread_of(&switches->cpus[cpu]))
			switches_switch(switches, cpu, &switches->cpus[cpu], BCOS_PROCESS_IDLE, switches->time);
}
