// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The check of the rules that entries are in the order of time, and that a log names each object before its use. */
#include <stdlib.h>

#include "check.h"

static void use_process(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	if (!used_process(check, entry->source))
		violation(check, "unnamed-process", "%s of process %u, which is unnamed",
			  bcoslog_type_name(entry->type), entry->source);
}

static void use_core(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	if (!bcoslog_core(check->state, entry->source))
		violation(check, "unknown-core", "%s of core %u, which is not online",
			  bcoslog_type_name(entry->type), entry->source);
}

static void use_cpu(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	if (!bcoslog_cpu(check->state, entry->source))
		violation(check, "unknown-cpu", "%s of CPU %u, which is not online",
			  bcoslog_type_name(entry->type), entry->source);
}

static void use_device(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	if (!used_device(check, entry->source))
		violation(check, "unnamed-device", "%s of device 0x%08X, which is unnamed",
			  bcoslog_type_name(entry->type), entry->source);
}

static void cancel_process(struct bcoslog_check *check, u32 id)
{
	const struct bcoslog_process *process = bcoslog_process(check->state, id);

	if (!used_process(check, id)) {
		violation(check, "cancel-unnamed",
			  "the name of process %u is cancelled, but it has none", id);
		return;
	}
	if (process->cpus)
		violation(check, "cancel-assigned",
			  "process %u is cancelled while %u CPUs are assigned to it", id,
			  process->cpus);
	if (process->devices)
		violation(check, "cancel-driver",
			  "process %u is cancelled while it is the driver of %u devices", id,
			  process->devices);
}

static void online_cpu(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	u32 core = ((const struct bcos_cpu_online *)entry)->core;

	if (!bcoslog_core(check->state, core))
		violation(check, "unknown-core",
			  "CPU %u comes online in core %u, which is not online", entry->source,
			  core);
	if (bcoslog_cpu(check->state, entry->source))
		violation(check, "cpu-online-twice", "CPU %u comes online, but it is online",
			  entry->source);
}

/* The specification defines the event ID 0, and leaves the IDs with bit 31 to the writer of a log (reading 13). */
static void check_event(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	u32 id = ((const struct bcos_generic *)entry)->event_id;

	if (!bcos_event_id_valid(entry->type, id))
		violation(check, "reserved-event",
			  "the event ID 0x%08X is reserved: 0, or one from 0x80000000 on, is not", id);
}

static void offline_core(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	const struct bcoslog_core *core = bcoslog_core(check->state, entry->source);

	use_core(check, entry);
	if (core && core->cpus)
		violation(check, "core-in-use",
			  "core %u goes offline while %u of its CPUs are online", entry->source,
			  core->cpus);
}

static void offline_cpu(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	const struct bcoslog_cpu *cpu = bcoslog_cpu(check->state, entry->source);

	use_cpu(check, entry);
	if (cpu && cpu->assigned && cpu->process != BCOS_PROCESS_IDLE)
		violation(check, "cpu-in-use",
			  "CPU %u goes offline while it is assigned to process %u", entry->source,
			  cpu->process);
}

static void name_process(struct bcoslog_check *check, u32 id)
{
	check_reserved(check, id);
	/* The newest group must state a process that is renamed: otherwise a reader takes the rename for a birth. */
	used_process(check, id);
}

static void name_device(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	u32 driver = ((const struct bcos_device_name *)entry)->driver;

	used_device(check, entry->source);
	if (!used_process(check, driver))
		violation(check, "unknown-driver",
			  "the driver of device 0x%08X, process %u, is unnamed", entry->source,
			  driver);
}

/* Check a normal entry other than an assignment against the state before it. */
static void check_use(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	switch (entry->type) {
	case BCOS_SET_PROCESS_NAME:
		name_process(check, entry->source);
		break;
	case BCOS_CANCEL_PROCESS_NAME:
		cancel_process(check, entry->source);
		break;
	case BCOS_GENERIC_PROCESS:
	case BCOS_KERNEL_API:
		use_process(check, entry);
		break;
	case BCOS_CORE_OFFLINE:
		offline_core(check, entry);
		break;
	case BCOS_GENERIC_CORE:
		use_core(check, entry);
		check_event(check, entry);
		break;
	case BCOS_CPU_ONLINE:
		online_cpu(check, entry);
		break;
	case BCOS_CPU_OFFLINE:
		offline_cpu(check, entry);
		break;
	case BCOS_GENERIC_CPU:
		use_cpu(check, entry);
		check_event(check, entry);
		break;
	case BCOS_SET_DEVICE_NAME:
		name_device(check, entry);
		break;
	case BCOS_CANCEL_DEVICE_NAME:
		if (!used_device(check, entry->source))
			violation(check, "cancel-unnamed",
				  "the name of device 0x%08X is cancelled, but it has none",
				  entry->source);
		break;
	case BCOS_GENERIC_DEVICE:
		use_device(check, entry);
		check_event(check, entry);
		break;
	case BCOS_DEVICE_INPUT:
	case BCOS_DEVICE_OUTPUT:
	case BCOS_IRQ:
		use_device(check, entry);
		break;
	default:
		break;
	}
}

/* Note that a normal entry that sets a name states the object, as a historical entry does. */
static void remember_stated(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	struct process *process;
	struct device *device;

	if (entry->type == BCOS_SET_PROCESS_NAME) {
		process = table_find(&check->state->processes, entry->source);
		process->group = check->group.number;
	} else if (entry->type == BCOS_SET_DEVICE_NAME) {
		device = table_find(&check->state->devices, entry->source);
		device->group = check->group.number;
	}
}

static void check_time(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	if (unlikely(entry->time + entry->precision < entry->time))
		violation(check, "time-overflow", "the latest possible time, %u ns after %llu, is beyond 2^64 ns",
			  entry->precision, (unsigned long long)entry->time);
}

static void check_order(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	if (entry->time < check->time)
		violation(check, "order", "the time goes back by %llu ns, from %llu to %llu",
			  (unsigned long long)(check->time - entry->time),
			  (unsigned long long)check->time, (unsigned long long)entry->time);
	else
		check->time = entry->time;
}

/* Most entries are assignments, so this function looks up each item once for the check and for the state. */
static int check_assign(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	u32 id = ((const struct bcos_assign_cpu *)entry)->process;
	struct process *process = table_find(&check->state->processes, id);
	struct cpu *cpu = table_find(&check->state->cpus, entry->source);

	if (unlikely(check->group.due || check->group.open || check->group.timed))
		group_close(check, entry);
	check_order(check, entry);
	if (!cpu)
		use_cpu(check, entry);
	if (id != BCOS_PROCESS_IDLE) {
		if (process)
			demand_stated(check, process->group, "process", id, false);
		else
			violation(check, "unnamed-process",
				  "CPU %u is assigned to process %u, which is unnamed",
				  entry->source, id);
	}
	if (cpu)
		cpu_run(check->state, cpu, process, entry);
	return 0;
}

static int check_historical(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	int r;

	check->summary.historical++;
	group_before(check, entry);
	r = bcoslog_state_apply(check->state, entry);
	if (!r)
		group_after(check, entry);
	return r;
}

/* After the notice that entries were overwritten unread, the log begins anew. */
static void check_missed(struct bcoslog_check *check)
{
	check->summary.missed++;
	ended_clear(check);
}

static int check_other(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	bool missed = bcoslog_is_missed(entry);
	int r;

	check->summary.losses += bcoslog_is_loss(entry);
	group_close(check, entry);
	check_order(check, entry);
	/* A reader puts notices into logs of any recorder, which need not have named the device of the notice. */
	if (missed)
		check_missed(check);
	else
		check_use(check, entry);
	r = ended_note(check, entry);
	if (!r)
		r = bcoslog_state_apply(check->state, entry);
	if (r)
		return r;
	remember_stated(check, entry);
	if (entry->type == BCOS_CORE_ONLINE || entry->type == BCOS_CPU_ONLINE)
		check_performances(check, entry);
	return 0;
}

int bcoslog_check_entry(struct bcoslog_check *check, __u64 offset, const struct bcos_entry *entry)
{
	check->offset = offset;
	check->summary.entries++;
	check_time(check, entry);
	if (likely(entry->type == BCOS_ASSIGN_CPU && entry->size == sizeof(struct bcos_assign_cpu)))
		return check_assign(check, entry);
	note_unusual(check, entry);
	if (!bcos_type_of(entry->type)) {
		check->summary.reserved++;
		return 0;
	}
	return entry->type & BCOS_TYPE_HISTORICAL ? check_historical(check, entry) : check_other(check, entry);
}

void bcoslog_check_damage(struct bcoslog_check *check, const struct bcoslog_error *error)
{
	check->offset = error->offset;
	check->summary.entries += error->resumes == BCOSLOG_BEHIND;
	check->summary.lost += error->lost;
	violation(check, error->word, "%s", error->text);
	if (error->resumes != BCOSLOG_AT_GROUP)
		return;
	bcoslog_state_forget(check->state);
	ended_clear(check);
	check->group = (struct group){ .due = true, .number = check->group.number };
	check->time = 0;
}

const struct bcoslog_summary *bcoslog_check_end(struct bcoslog_check *check)
{
	group_end(check);
	return &check->summary;
}

struct bcoslog_check *bcoslog_check_new(bcoslog_report report, void *context)
{
	struct bcoslog_check *check = calloc(1, sizeof(*check));

	if (!check)
		return NULL;
	check->state = bcoslog_state_new();
	if (!check->state || ended_init(check)) {
		bcoslog_check_free(check);
		return NULL;
	}
	check->report = report;
	check->context = context;
	check->group.due = true;
	return check;
}

void bcoslog_check_free(struct bcoslog_check *check)
{
	if (!check)
		return;
	ended_free(check);
	bcoslog_state_free(check->state);
	free(check);
}
