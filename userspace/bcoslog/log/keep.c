// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Writes a part of a log as a log that explains itself. Before the first kept entry stands a group as of that time: all
 * cores and CPUs, the assignments of the CPUs if all assignments are kept, the processes that these name, and the
 * statements. Other processes and devices are named just before their first use. Entries that change a named process or
 * device are kept, too.
 */
#include <stdlib.h>

#include "keep.h"
#include "notes.h"
#include "options/filter.h"
#include "output/output.h"
#include "run.h"
#include "complain/complain.h"
#include "statements.h"

/* The precision of a beginning at some unknown time since boot. */
#define SINCE_BOOT 0xFFFFFFFFu

struct ids {
	u32 *id;
	size_t count, room;
};

struct keep {
	struct session *session;
	int (*put)(void *context, const struct bcos_entry *entry);
	void *context;
	struct bcoslog_state *before;	/* the state of the log before the next entry */
	struct bcoslog_state *written;	/* the state of the part that is written */
	struct ids cores, cpus;		/* all that were ever online */
	struct statements statements;
	bool begun;			/* the group was written */
};

struct keep *keep_new(struct session *session, int (*put)(void *context, const struct bcos_entry *entry), void *context)
{
	struct keep *keep = calloc(1, sizeof(*keep));

	if (!keep)
		return NULL;
	keep->session = session;
	keep->put = put;
	keep->context = context;
	keep->before = bcoslog_state_new();
	keep->written = bcoslog_state_new();
	if (keep->before && keep->written)
		return keep;
	keep_free(keep);
	return NULL;
}

void keep_free(struct keep *keep)
{
	bcoslog_state_free(keep->before);
	bcoslog_state_free(keep->written);
	free(keep->cores.id);
	free(keep->cpus.id);
	free(keep);
}

static int remember_id(struct ids *ids, u32 id)
{
	u32 *larger;
	size_t i;

	for (i = 0; i < ids->count; i++)
		if (ids->id[i] == id)
			return 0;
	if (ids->count == ids->room) {
		larger = reallocarray(ids->id, 2 * ids->room + 16, sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		ids->id = larger;
		ids->room = 2 * ids->room + 16;
	}
	ids->id[ids->count++] = id;
	return 0;
}

static int put_entry(struct keep *keep, const struct bcos_entry *entry)
{
	int r = keep->put(keep->context, entry);

	return r ? r : bcoslog_state_apply(keep->written, entry);
}

/* Writes an entry with this header, body and name, padded with zeros. */
static int put_made(struct keep *keep, struct bcos_entry header, const void *body, size_t size, const char *name,
		    size_t length)
{
	static u32 room[BCOS_ENTRY_MAX / sizeof(u32) + 1];
	struct bcos_entry *entry = (struct bcos_entry *)room;
	size_t whole = sizeof(header) + size + length;

	if (whole > BCOS_ENTRY_MAX)
		return 0;
	memset(room, 0, whole + 3);
	header.size = (u16)((whole + 3) & ~(size_t)3);
	*entry = header;
	if (size)
		memcpy(entry + 1, body, size);
	if (length)
		memcpy((char *)(entry + 1) + size, name, length);
	return put_entry(keep, entry);
}

static int need_process(struct keep *keep, u32 id)
{
	const struct bcoslog_process *process = bcoslog_process(keep->before, id);

	if (!process || id == BCOS_PROCESS_IDLE || bcoslog_process(keep->written, id))
		return 0;
	return put_made(keep, (struct bcos_entry){ .type = BCOS_HIST_SET_PROCESS_NAME, .source = id,
						   .time = process->start, .precision = process->precision },
			NULL, 0, process->name, process->name_length);
}

static int need_device(struct keep *keep, u32 id)
{
	const struct bcoslog_device *device = bcoslog_device(keep->before, id);
	int r;

	if (!device || bcoslog_device(keep->written, id))
		return 0;
	r = need_process(keep, device->driver);
	if (r)
		return r;
	return put_made(keep, (struct bcos_entry){ .type = BCOS_HIST_SET_DEVICE_NAME, .source = id,
						   .time = device->start, .precision = device->precision },
			&device->driver, sizeof(device->driver), device->name, device->name_length);
}

static int put_core(struct keep *keep, u32 id)
{
	const struct bcoslog_core *core = bcoslog_core(keep->before, id);
	u16 power[2];

	if (!core)
		return 0;
	power[0] = core->idle_power;
	power[1] = core->power_difference;
	return put_made(keep, (struct bcos_entry){ .type = BCOS_HIST_CORE_ONLINE, .source = id, .time = core->start,
						   .precision = core->precision },
			power, sizeof(power), (const char *)core->performance,
			core->performances * sizeof(*core->performance));
}

static int put_cpu(struct keep *keep, u32 id)
{
	const struct bcoslog_cpu *cpu = bcoslog_cpu(keep->before, id);

	if (!cpu)
		return 0;
	return put_made(keep, (struct bcos_entry){ .type = BCOS_HIST_CPU_ONLINE, .source = id, .time = cpu->start,
						   .precision = cpu->precision },
			&cpu->core, sizeof(cpu->core), NULL, 0);
}

static int put_assignment(struct keep *keep, u32 id)
{
	const struct bcoslog_cpu *cpu = bcoslog_cpu(keep->before, id);

	if (!cpu || !cpu->assigned)
		return 0;
	return put_made(keep, (struct bcos_entry){ .type = BCOS_HIST_ASSIGN_CPU, .source = id, .time = cpu->since,
						   .precision = cpu->since ? 1 : SINCE_BOOT },
			&cpu->process, sizeof(cpu->process), NULL, 0);
}

/*
 * Are all assignments kept? If not, the group states none: a reader would show a CPU's process as running until the
 * next assignment that is kept.
 */
static bool keeps_assignments(const struct keep *keep)
{
	return !filter_narrows(&keep->session->filter);
}

static int put_statement(void *context, const struct bcos_entry *entry)
{
	return put_entry(context, entry);
}

static int put_group(struct keep *keep, u64 time)
{
	const struct bcoslog_cpu *cpu;
	size_t i;
	int r = 0;

	keep->begun = true;
	for (i = 0; !r && i < keep->cores.count; i++)
		r = put_core(keep, keep->cores.id[i]);
	for (i = 0; !r && i < keep->cpus.count; i++)
		r = put_cpu(keep, keep->cpus.id[i]);
	r = r ? r : need_process(keep, BCOS_PROCESS_KERNEL);
	for (i = 0; !r && keeps_assignments(keep) && i < keep->cpus.count; i++) {
		cpu = bcoslog_cpu(keep->before, keep->cpus.id[i]);
		r = cpu && cpu->assigned ? need_process(keep, cpu->process) : 0;
	}
	for (i = 0; !r && keeps_assignments(keep) && i < keep->cpus.count; i++)
		r = put_assignment(keep, keep->cpus.id[i]);
	return r ? r : statements_put(&keep->statements, time, put_statement, keep);
}

/* Writes the names that the entry needs, and that are not written yet. */
static int need_names(struct keep *keep, const struct bcos_entry *entry)
{
	int r;

	switch (entry->type) {
	case BCOS_ASSIGN_CPU:
		return need_process(keep, ((const struct bcos_assign_cpu *)entry)->process);
	case BCOS_SET_DEVICE_NAME:
		/* A device that had a name already gets that one first. */
		r = need_process(keep, ((const struct bcos_device_name *)entry)->driver);
		return r ? r : need_device(keep, entry->source);
	default:
		break;
	}
	if ((entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_PROCESS)
		return need_process(keep, entry->source);
	if ((entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_DEVICE)
		return need_device(keep, entry->source);
	return 0;
}

/* Is the entry needed though the filter does not choose it: does it change a written item, or state a loss? */
static bool is_needed(const struct keep *keep, const struct bcos_entry *entry)
{
	const struct bcoslog_process *process = bcoslog_process(keep->written, entry->source);
	const struct bcoslog_cpu *cpu;

	if (!keep->begun || window_is_over(&keep->session->window, &keep->session->clock))
		return false;
	if (bcoslog_is_missed(entry) || bcoslog_is_loss(entry) || bcoslog_is_statement(entry))
		return true;
	switch (entry->type) {
	case BCOS_SET_PROCESS_NAME:
		return process;
	case BCOS_CANCEL_PROCESS_NAME:
		/* The cancellation is left out if the process left its CPU outside of the kept part. */
		return process && !process->cpus;
	case BCOS_SET_DEVICE_NAME:
	case BCOS_CANCEL_DEVICE_NAME:
		return bcoslog_device(keep->written, entry->source);
	case BCOS_CORE_ONLINE:
	case BCOS_CORE_OFFLINE:
	case BCOS_CPU_ONLINE:
	case BCOS_CPU_OFFLINE:
		return true;
	case BCOS_ASSIGN_CPU:
		/* The CPU's idling is kept, so that no written process has the CPU for longer than it had it. */
		cpu = bcoslog_cpu(keep->written, entry->source);
		return cpu && cpu->assigned && cpu->process != BCOS_PROCESS_IDLE &&
		       ((const struct bcos_assign_cpu *)entry)->process == BCOS_PROCESS_IDLE;
	default:
		return false;
	}
}

static int learn_entry(struct keep *keep, const struct bcos_entry *entry)
{
	int r = 0;

	statements_learn(&keep->statements, entry);
	if ((entry->type & ~BCOS_TYPE_HISTORICAL) == BCOS_CORE_ONLINE)
		r = remember_id(&keep->cores, entry->source);
	else if ((entry->type & ~BCOS_TYPE_HISTORICAL) == BCOS_CPU_ONLINE)
		r = remember_id(&keep->cpus, entry->source);
	return r ? r : bcoslog_state_apply(keep->before, entry);
}

static bool is_kept(const struct keep *keep, const struct bcos_entry *entry, bool wanted)
{
	const struct bcoslog_process *process;

	if (is_needed(keep, entry))
		return true;
	/* Before the group nothing is written, so nothing is missing. */
	if (!wanted || bcoslog_is_missed(entry))
		return false;
	/* A chosen cancellation is left out in the case in which is_needed() leaves it out. */
	process = entry->type == BCOS_CANCEL_PROCESS_NAME ? bcoslog_process(keep->written, entry->source) : NULL;
	return !process || !process->cpus;
}

int keep_entry(struct keep *keep, const struct bcos_entry *entry)
{
	bool wanted = session_wants(keep->session, keep->before, entry);
	int r = 0;

	/* put_group() writes the only historical entries, before the first kept one. Those of the log are left out. */
	if (!(entry->type & BCOS_TYPE_HISTORICAL) && is_kept(keep, entry, wanted)) {
		if (!keep->begun)
			r = put_group(keep, entry->time);
		r = r ? r : need_names(keep, entry);
		r = r ? r : put_entry(keep, entry);
		/* After this notice readers forget everything, so a new group follows. */
		if (bcoslog_is_missed(entry))
			keep->begun = false;
	}
	return r ? r : learn_entry(keep, entry);
}

/* ---- a pass that writes the kept entries ----------------------------------------------- */

static int print_all(struct run *run, const struct bcoslog_batch *batch)
{
	const struct bcos_entry *entry;

	(void)run;
	bcoslog_each(entry, batch)
		note_entry(&run->notes, run->session, entry);
	output_bytes(batch->first, (size_t)((const char *)batch->end - (const char *)batch->first));
	return 0;
}

static int print_kept(struct run *run, const struct bcoslog_batch *batch)
{
	const struct bcos_entry *entry;
	int r;

	run_each(run, entry, batch) {
		note_entry(&run->notes, run->session, entry);
		r = keep_entry(run->context, entry);
		if (r) {
			complain("no memory for the names in %s", run->path);
			return r;
		}
	}
	return 0;
}

static int print_one(void *context, const struct bcos_entry *entry)
{
	(void)context;
	output_bytes(entry, entry->size);
	return 0;
}

int keep_run(struct run *run)
{
	run->entries = print_all;
	if (!session_chooses(run->session) && !run->command)
		return 0;
	run->entries = print_kept;
	run->context = keep_new(run->session, print_one, NULL);
	if (run->context)
		return 0;
	complain("no memory");
	return -1;
}
