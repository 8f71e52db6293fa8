// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The check of historical entries: groups are complete and in order, and contradict no other entry. */
#include "check.h"

static enum rank rank_of(u16 type)
{
	switch (type) {
	case BCOS_HIST_CORE_ONLINE:
		return RANK_CORE;
	case BCOS_HIST_CPU_ONLINE:
		return RANK_CPU;
	case BCOS_HIST_SET_PROCESS_NAME:
		return RANK_PROCESS;
	case BCOS_HIST_SET_DEVICE_NAME:
		return RANK_DEVICE;
	default:
		return RANK_ASSIGN;
	}
}

static bool is_name(enum rank rank)
{
	return rank == RANK_PROCESS || rank == RANK_DEVICE;
}

static void group_open(struct bcoslog_check *check, enum rank rank)
{
	struct group *group = &check->group;

	group->first = group->due;
	group->due = false;
	group->open = true;
	group->whole = rank == RANK_CORE;
	group->rank = rank;
	group->number++;
	group->cores = group->cpus = group->assigned = 0;
	group->offset = check->offset;
	if (group->whole) {
		group->newest = group->number;
		group->newest_at = check->offset;
	}
	if (group->first && rank != RANK_CORE)
		violation(check, "no-group",
			  "the log does not begin with a group: the first entry is "
			  "not Historical Core Online");
	else if (rank != RANK_CORE && !is_name(rank))
		violation(check, "group-order", "a group begins with its cores, not with %s",
			  bcoslog_type_name(rank == RANK_CPU ? BCOS_HIST_CPU_ONLINE :
					    BCOS_HIST_ASSIGN_CPU));
}

/* Check at the end of a group that the group states every core, CPU and assignment (reading 7). */
static void group_judge(struct bcoslog_check *check)
{
	const struct bcoslog_state *state = check->state;
	struct group *group = &check->group;
	u64 at = group->offset;

	group->open = false;
	if (!group->whole)
		return;
	if (group->cores < state->cores.count)
		violation_at(check, at, "incomplete-group", "the group states %u of %u cores",
			     group->cores, state->cores.count);
	if (!group->cpus)
		violation_at(check, at, "incomplete-group", "the group states no CPU");
	else if (group->cpus < state->cpus.count)
		violation_at(check, at, "incomplete-group", "the group states %u of %u CPUs",
			     group->cpus, state->cpus.count);
	if (group->assigned < state->assigned)
		violation_at(check, at, "incomplete-group",
			     "the group states the assignments of %u of %u CPUs", group->assigned,
			     state->assigned);
	if (!bcoslog_process(state, BCOS_PROCESS_KERNEL))
		violation_at(check, at, "incomplete-group",
			     "the group does not name process 0, the kernel");
}

static void group_advance(struct bcoslog_check *check, enum rank rank)
{
	struct group *group = &check->group;

	if (!group->open) {
		group_open(check, rank);
		return;
	}
	if (rank == RANK_CORE && (!group->whole || group->rank == RANK_ASSIGN)) {
		/* A new group follows restated names or another group. */
		group_judge(check);
		group_open(check, rank);
	} else if (is_name(rank) && group->whole && group->rank == RANK_ASSIGN) {
		/* Names after the assignments are no part of the group: the log restates them before their use. */
		group_judge(check);
		group_open(check, rank);
	} else if (rank < group->rank || (!group->whole && !is_name(rank))) {
		violation(check, "group-order",
			  "a group states cores, CPUs, processes, devices, assignments in this "
			  "order");
	}
	group->rank = rank;
}

/* Write the kind and ID of the entry's object. Device IDs are hexadecimal, because their ranges are (table 4-3). */
static const char *name_subject(char *text, size_t size, const struct bcos_entry *entry)
{
	bool device = (entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_DEVICE;

	snprintf(text, size, device ? "%s 0x%08X" : "%s %u", bcoslog_subject(entry->type),
		 entry->source);
	return text;
}

static void note_contradiction(struct bcoslog_check *check, const struct bcos_entry *entry,
			       enum bcoslog_news news)
{
	static const char *const what[] = {
		[BCOSLOG_OTHER_TIME] = "time of its beginning",
		[BCOSLOG_OTHER_NAME] = "name",
		[BCOSLOG_OTHER_DRIVER] = "driver",
		[BCOSLOG_OTHER_CORE] = "core",
		[BCOSLOG_OTHER_PROCESS] = "assignment",
		[BCOSLOG_OTHER_ESTIMATE] = "estimates",
	};

	char text[32];

	violation(check, "contradiction", "%s gives %s another %s than the log said before",
		  bcoslog_type_name(entry->type), name_subject(text, sizeof(text), entry), what[news]);
}

/* Check that the state contains each object to which a historical entry refers. */
static void check_references(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	const struct bcoslog_state *state = check->state;
	u32 id;

	switch (entry->type) {
	case BCOS_HIST_SET_PROCESS_NAME:
		check_reserved(check, entry->source);
		break;
	case BCOS_HIST_CPU_ONLINE:
		id = ((const struct bcos_cpu_online *)entry)->core;
		if (!bcoslog_core(state, id))
			violation(check, "unknown-core",
				  "CPU %u is said to be of core %u, which is not online",
				  entry->source, id);
		break;
	case BCOS_HIST_SET_DEVICE_NAME:
		id = ((const struct bcos_device_name *)entry)->driver;
		if (!used_process(check, id))
			violation(check, "unknown-driver",
				  "the driver of device 0x%08X, process %u, is unnamed",
				  entry->source, id);
		break;
	case BCOS_HIST_ASSIGN_CPU:
		id = ((const struct bcos_assign_cpu *)entry)->process;
		if (!bcoslog_cpu(state, entry->source))
			violation(check, "unknown-cpu", "CPU %u is assigned, but not online",
				  entry->source);
		if (id != BCOS_PROCESS_IDLE && !used_process(check, id))
			violation(check, "unnamed-process",
				  "CPU %u is assigned to process %u, which is unnamed",
				  entry->source, id);
		break;
	default:
		break;
	}
}

void group_before(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	struct group *group = &check->group;
	enum bcoslog_news news;

	group_advance(check, rank_of(entry->type));
	if (!group->timed || entry->time > group->newest_time) {
		group->timed = true;
		group->newest_time = entry->time;
		group->newest_offset = check->offset;
	}
	check_references(check, entry);
	ended_judge(check, entry);
	news = bcoslog_state_compare(check->state, entry);
	if (news >= BCOSLOG_OTHER_TIME)
		note_contradiction(check, entry, news);
}

/*
 * Find the item of a historical entry, and the counter of such items in a group.
 * Return: a pointer to the item's number of the newest run that states it; NULL if there is no item. *@count is NULL
 * for names.
 */
static u32 *find_stated(struct bcoslog_check *check, const struct bcos_entry *entry, u32 **count)
{
	struct bcoslog_state *state = check->state;
	struct process *process;
	struct device *device;
	struct core *core;
	struct cpu *cpu;

	*count = NULL;
	switch (entry->type) {
	case BCOS_HIST_CORE_ONLINE:
		*count = &check->group.cores;
		core = table_find(&state->cores, entry->source);
		return core ? &core->group : NULL;
	case BCOS_HIST_CPU_ONLINE:
		*count = &check->group.cpus;
		cpu = table_find(&state->cpus, entry->source);
		return cpu ? &cpu->group : NULL;
	case BCOS_HIST_SET_PROCESS_NAME:
		process = table_find(&state->processes, entry->source);
		return process ? &process->group : NULL;
	case BCOS_HIST_SET_DEVICE_NAME:
		device = table_find(&state->devices, entry->source);
		return device ? &device->group : NULL;
	default:
		*count = &check->group.assigned;
		cpu = table_find(&state->cpus, entry->source);
		return cpu ? &cpu->assign_group : NULL;
	}
}

void group_after(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	u32 *count, *group = find_stated(check, entry, &count);
	char text[32];

	if (entry->type == BCOS_HIST_CORE_ONLINE || entry->type == BCOS_HIST_CPU_ONLINE)
		check_performances(check, entry);
	if (!group)
		return;
	if (*group == check->group.number) {
		violation(check, "duplicate", "%s is stated twice in one group",
			  name_subject(text, sizeof(text), entry));
		return;
	}
	*group = check->group.number;
	if (count)
		++*count;
}

void group_close(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	struct group *group = &check->group;

	if (bcoslog_is_missed(entry)) {
		/* The notice says that entries were overwritten, so any part of the group may be missing. */
		group->open = false;
		group->timed = false;
		group->due = true;
		return;
	}
	if (group->due) {
		group->due = false;
		violation(check, "no-group",
			  "the log does not begin with a group: the first entry is "
			  "not Historical Core Online");
	}
	if (group->open)
		group_judge(check);
	if (group->timed && group->newest_time > entry->time)
		violation_at(check, group->newest_offset, "history-newer",
			     "a historical entry has the time %llu, but the next entry that is not "
			     "historical %llu", (unsigned long long)group->newest_time,
			     (unsigned long long)entry->time);
	group->timed = false;
}

void group_end(struct bcoslog_check *check)
{
	/* The end of the log may cut a later group, but the first group must be complete. */
	if (check->group.open && check->group.first)
		group_judge(check);
	check->group.open = false;
}
