// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Assignments as sched:sched_switch: see switches.h. */
#include <errno.h>
#include <stdlib.h>

#include "../unknown.h"
#include "switches.h"

#define PRIORITY 120
/* No kernel has more CPUs. */
#define CPUS_MAX 65536u

/* A turn on a CPU, of a process, BCOS_PROCESS_IDLE or BCOSLOG_NO_PROCESS. */
struct turn {
	bool known;
	u32 process;
	char name[16];
};

struct switches {
	switches_put put;
	void *context;
	struct bcoslog_state *state;
	struct turn *cpus;
	u32 count;
	u64 time, left_out;
	bool begun;
};

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

struct switches *switches_new(switches_put put, void *context)
{
	struct switches *switches = calloc(1, sizeof(*switches));

	if (!switches)
		return NULL;
	switches->put = put;
	switches->context = context;
	switches->state = bcoslog_state_new();
	if (switches->state)
		return switches;
	free(switches);
	return NULL;
}

void switches_free(struct switches *switches)
{
	if (!switches)
		return;
	bcoslog_state_free(switches->state);
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

static struct turn *turn_of(struct switches *switches, u32 cpu)
{
	u32 count = switches->count ? switches->count : 16;
	struct turn *larger;

	if (likely(cpu < switches->count))
		return &switches->cpus[cpu];
	while (count <= cpu)
		count *= 2;
	larger = realloc(switches->cpus, count * sizeof(*larger));
	if (!larger)
		return NULL;
	memset(larger + switches->count, 0, (count - switches->count) * sizeof(*larger));
	switches->cpus = larger;
	switches->count = count;
	return &switches->cpus[cpu];
}

u32 switches_thread(u32 process)
{
	return process == BCOS_PROCESS_IDLE ? 0 : process == BCOS_PROCESS_KERNEL ? SWITCHES_KERNEL :
	       process == BCOSLOG_NO_PROCESS ? SWITCHES_UNKNOWN : process & 0x7FFFFFFF;
}

static u32 thread_of(const struct turn *turn)
{
	return turn->known ? switches_thread(turn->process) : 0;
}

static void set_turn(const struct switches *switches, struct turn *turn, u32 process)
{
	const struct bcoslog_process *known = process == BCOS_PROCESS_IDLE ? NULL : bcoslog_process(switches->state, process);
	const char *name = process == BCOS_PROCESS_IDLE ? "swapper" : process == BCOS_PROCESS_KERNEL ? "kernel" :
			   process == BCOSLOG_NO_PROCESS ? "unknown" : "?";
	size_t length = strlen(name);

	if (known) {
		name = known->name;
		length = known->name_length;
	}
	if (length > sizeof(turn->name) - 1)
		length = sizeof(turn->name) - 1;
	memset(turn->name, 0, sizeof(turn->name));
	memcpy(turn->name, name, length);
	turn->known = true;
	turn->process = process;
}

static void switch_to(struct switches *switches, u32 cpu, struct turn *turn, u32 process, u64 time)
{
	struct switch_fields fields = { .prev_prio = PRIORITY, .next_prio = PRIORITY };

	if (!turn->known)
		set_turn(switches, turn, BCOS_PROCESS_IDLE);
	memcpy(fields.prev_comm, turn->name, sizeof(turn->name));
	fields.prev_pid = thread_of(turn);
	/* An assignment does not tell whether a process blocks or is preempted. 1: it sleeps. */
	fields.prev_state = fields.prev_pid && turn->process != BCOS_PROCESS_KERNEL;
	set_turn(switches, turn, process);
	memcpy(fields.next_comm, turn->name, sizeof(turn->name));
	fields.next_pid = thread_of(turn);
	switches->put(switches->context, cpu, time, &fields);
}

/* From @time on nobody knows what a CPU runs. */
static void lose(struct switches *switches, u32 cpu, u64 time)
{
	struct turn *turn = cpu < switches->count ? &switches->cpus[cpu] : NULL;

	if (turn && turn->known && turn->process != BCOSLOG_NO_PROCESS)
		switch_to(switches, cpu, turn, BCOSLOG_NO_PROCESS, time);
}

static void lose_all(struct switches *switches, u64 time)
{
	u32 cpu;

	for (cpu = 0; cpu < switches->count; cpu++)
		lose(switches, cpu, time);
}

static int assigned(struct switches *switches, const struct bcos_assign_cpu *entry)
{
	bool historical = entry->header.type & BCOS_TYPE_HISTORICAL;
	u32 cpu = entry->header.source;
	struct turn *turn;

	if (cpu >= CPUS_MAX) {
		switches->left_out++;
		return 0;
	}
	turn = turn_of(switches, cpu);
	if (!turn)
		return -ENOMEM;
	if (historical && turn->known && turn->process != BCOSLOG_NO_PROCESS)
		return 0;
	/* A process that runs when the log begins is told at the time of the first entry. */
	if (historical && !switches->begun)
		set_turn(switches, turn, entry->process);
	else
		switch_to(switches, cpu, turn, entry->process, historical ? switches->time : entry->header.time);
	return 0;
}

static void begin(struct switches *switches)
{
	struct turn *turn;
	u32 cpu;

	switches->begun = true;
	for (cpu = 0; cpu < switches->count; cpu++) {
		turn = &switches->cpus[cpu];
		if (!turn->known)
			continue;
		turn->known = false;
		switch_to(switches, cpu, turn, turn->process, switches->time);
	}
}

int switches_entry(struct switches *switches, const struct bcos_entry *entry)
{
	int r = bcoslog_state_apply(switches->state, entry);

	if (r)
		return r;
	if (!(entry->type & BCOS_TYPE_HISTORICAL)) {
		switches->time = entry->time;
		if (unlikely(!switches->begun))
			begin(switches);
	}
	if (entry->type == BCOS_ASSIGN_CPU || entry->type == BCOS_HIST_ASSIGN_CPU)
		return assigned(switches, (const struct bcos_assign_cpu *)entry);
	/* A CPU is idle when it goes offline, by the rules of a log. */
	if (entry->type == BCOS_CPU_OFFLINE && entry->source < switches->count &&
	    switches->cpus[entry->source].process != BCOS_PROCESS_IDLE)
		lose(switches, entry->source, entry->time);
	switch (unknown_after(entry)) {
	case UNKNOWN_CPU:
		lose(switches, entry->source, entry->time);
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
}

void switches_end(struct switches *switches)
{
	u32 cpu;

	for (cpu = 0; cpu < switches->count; cpu++)
		if (thread_of(&switches->cpus[cpu]))
			switch_to(switches, cpu, &switches->cpus[cpu], BCOS_PROCESS_IDLE, switches->time);
}
