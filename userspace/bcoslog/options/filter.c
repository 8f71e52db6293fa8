// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The filter by subject and type: see filter.h. */
#include <fnmatch.h>
#include <strings.h>

#include "core/format/fields.h"
#include "core/format/who_text.h"

#include "account/report.h"
#include "filter.h"
#include "names.h"
#include "number.h"
#include "complain/complain.h"

static int choose_id(struct choice *choice, const char *option, const char *name, u32 id)
{
	if (choice->count == CHOICES) {
		complain("%s can be given %d times, and not more", option, CHOICES);
		return -1;
	}
	choice->of[choice->count].name = name;
	choice->of[choice->count++].id = id;
	return 0;
}

static int choose_text(struct choice *choice, const char *option, const char *text)
{
	u64 id;

	if (!*text) {
		complain("%s takes a number or a name, and this is empty", option);
		return -1;
	}
	if (!is_number(text))
		return choose_id(choice, option, text, 0);
	return parse_number(option, text, 0xFFFFFFFF, &id) ? -1 : choose_id(choice, option, NULL, (u32)id);
}

int filter_take_process(struct filter *filter, const char *text)
{
	return choose_text(&filter->processes, "--process", text);
}

int filter_take_cgroup(struct filter *filter, const char *text)
{
	if (*text)
		return choose_id(&filter->cgroups, "--cgroup", text, 0);
	complain("--cgroup takes the path of a control group, in which * stands for anything, and this is empty");
	return -1;
}

int filter_take_device(struct filter *filter, const char *text)
{
	return choose_text(&filter->devices, "--device", text);
}

int filter_take_cpu(struct filter *filter, const char *text)
{
	u64 id;

	return parse_number("--cpu", text, 0xFFFFFFFF, &id) ? -1 : choose_id(&filter->cpus, "--cpu", NULL, (u32)id);
}

int filter_take_core(struct filter *filter, const char *text)
{
	u64 id;

	return parse_number("--core", text, 0xFFFFFFFF, &id) ? -1 : choose_id(&filter->cores, "--core", NULL, (u32)id);
}

/* Ignores case, and takes "-" and "_" for a space: "assign-cpu" is "Assign CPU". */
static bool is_type_name(const char *text, const char *name)
{
	for (; *text && *name; text++, name++)
		if (strncasecmp(text, name, 1) && !((*text == '-' || *text == '_') && *name == ' '))
			return false;
	return !*text && !*name;
}

int filter_take_type(struct filter *filter, const char *text)
{
	u64 number;
	int i;

	if (text[0] >= '0' && text[0] <= '9')
		return parse_number("--type", text, 0xFFFF, &number) ? -1 :
			choose_id(&filter->types, "--type", NULL, (u32)number);
	for (i = 0; i < BCOS_TYPES; i++)
		if (is_type_name(text, bcos_types[i].name))
			return choose_id(&filter->types, "--type", NULL, bcos_types[i].type);
	complain("--type takes the name of a type of entries, such as \"Assign CPU\" (bcoslog(5) has them all), or a "
		 "number, not \"%s\"", text);
	return -1;
}

static bool has_name(const char *name, const char *text, size_t length)
{
	return strlen(name) == length && !memcmp(name, text, length);
}

/* ---- chosen objects that the log does not have ------------------------------------------------ */

/* @name is NULL if the entry does not tell it. */
static void meet_object(struct choice *choice, u32 id, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < choice->count; i++)
		choice->of[i].met |= choice->of[i].name ? name && has_name(choice->of[i].name, name, length) :
							  choice->of[i].id == id;
}

static void meet_subject(struct filter *filter, const struct bcos_entry *entry, const char *name, size_t length)
{
	switch (entry->type & BCOS_TYPE_SUBJECT_MASK) {
	case BCOS_SUBJECT_PROCESS:
		meet_object(&filter->processes, entry->source, name, length);
		break;
	case BCOS_SUBJECT_CORE:
		meet_object(&filter->cores, entry->source, NULL, 0);
		break;
	case BCOS_SUBJECT_CPU:
		meet_object(&filter->cpus, entry->source, NULL, 0);
		break;
	case BCOS_SUBJECT_DEVICE:
		meet_object(&filter->devices, entry->source, name, length);
		break;
	}
}

/* Paths are long, so that a pattern is looked for only if there is one. */
static void meet_cgroup(struct choice *choice, const struct bcos_entry *entry)
{
	char path[BCOS_EVENT_TEXT_MAX];
	struct bcos_in_cgroup told;
	size_t length, i;
	const char *text;

	if (!choice->count || entry->type != BCOS_GENERIC_PROCESS ||
	    ((const struct bcos_generic *)entry)->event_id != BCOS_EVENT_CGROUP)
		return;
	text = bcoslog_text(entry, &length);
	if (length >= sizeof(path) || !bcos_cgroup_parse(&told, path, text, length))
		return;
	for (i = 0; i < choice->count; i++)
		choice->of[i].met |= !fnmatch(choice->of[i].name, told.path, 0);
}

void filter_meet(struct filter *filter, const struct bcos_entry *entry)
{
	const char *name = NULL;
	struct bcos_walk walk;
	size_t length = 0;

	bcos_walk_begin(&walk, entry);
	while (bcos_walk_next(&walk)) {
		if (walk.field->kind == BCOS_KIND_PROCESS || walk.field->kind == BCOS_KIND_RUNNING) {
			meet_object(&filter->processes, (u32)walk.number, NULL, 0);
		} else if (walk.field->kind == BCOS_KIND_CORE) {
			meet_object(&filter->cores, (u32)walk.number, NULL, 0);
		} else if (walk.field->kind == BCOS_KIND_NAME) {
			name = (const char *)walk.bytes;
			length = walk.count;
		}
	}
	meet_subject(filter, entry, name, length);
	meet_cgroup(&filter->cgroups, entry);
}

/* Complains of the objects of @choice that were not met.  Return: whether there are some, and none was met. */
static bool say_absent(const struct choice *choice, const char *where, const char *what, bool *some)
{
	bool none = choice->count;
	size_t i;

	for (i = 0; i < choice->count; i++) {
		if (choice->of[i].met) {
			none = false;
			continue;
		}
		*some = true;
		if (choice->of[i].name)
			complain("%s names no %s \"%s\"", where, what, choice->of[i].name);
		else
			complain("%s names no %s %u", where, what, choice->of[i].id);
	}
	return none;
}

static void join_choice(struct choice *choice, const struct choice *other)
{
	size_t i;

	for (i = 0; i < choice->count; i++)
		choice->of[i].met |= other->of[i].met;
}

void filter_join(struct filter *filter, const struct filter *other)
{
	join_choice(&filter->processes, &other->processes);
	join_choice(&filter->cgroups, &other->cgroups);
	join_choice(&filter->cpus, &other->cpus);
	join_choice(&filter->cores, &other->cores);
	join_choice(&filter->devices, &other->devices);
}

enum filter_absence filter_absent(struct filter *filter, const char *where)
{
	bool some = false, none;

	/* Every log has the kernel. */
	meet_object(&filter->processes, 0, "kernel", 6);
	none = say_absent(&filter->processes, where, "process", &some);
	none |= say_absent(&filter->cgroups, where, "control group", &some);
	none |= say_absent(&filter->cpus, where, "CPU", &some);
	none |= say_absent(&filter->cores, where, "core", &some);
	none |= say_absent(&filter->devices, where, "device", &some);
	return none ? FILTER_NOTHING_THERE : some ? FILTER_SOME_ABSENT : FILTER_ALL_THERE;
}

/* ---- the filter itself ---------------------------------------------------------------------------- */

bool filter_narrows(const struct filter *filter)
{
	return filter_has_processes(filter) || filter->cpus.count || filter->cores.count || filter->devices.count ||
	       filter->types.count;
}

/* Is the object one of the chosen ones?  @name is NULL if it is unknown. */
static bool is_chosen(const struct choice *choice, u32 id, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < choice->count; i++) {
		if (!choice->of[i].name) {
			if (choice->of[i].id == id)
				return true;
		} else if (name && has_name(choice->of[i].name, name, length)) {
			return true;
		}
	}
	return false;
}

static bool is_process(const struct filter *filter, const struct bcoslog_state *state, u32 id)
{
	const struct bcoslog_process *process = bcoslog_process(state, id);

	return is_chosen(&filter->processes, id, process ? process->name : NULL, process ? process->name_length : 0);
}

static bool is_device(const struct filter *filter, const struct bcoslog_state *state, u32 id)
{
	const struct bcoslog_device *device = bcoslog_device(state, id);

	return is_chosen(&filter->devices, id, device ? device->name : NULL, device ? device->name_length : 0);
}

bool filter_wants_process(const struct filter *filter, u32 id, const char *name, size_t length)
{
	return !filter->processes.count || is_chosen(&filter->processes, id, name, length);
}

/* @path is NULL if the log does not tell the group. */
static bool wants_cgroup(const struct filter *filter, const char *path)
{
	size_t i;

	for (i = 0; path && i < filter->cgroups.count; i++)
		if (!fnmatch(filter->cgroups.of[i].name, path, 0))
			return true;
	return !filter->cgroups.count;
}

bool filter_wants_life(const struct filter *filter, const struct bcoslog_account_process *process)
{
	const char *name;
	size_t length, i;

	if (!wants_cgroup(filter, process->cgroup))
		return false;
	if (filter_wants_process(filter, process->id, process->name, process->name_length))
		return true;
	for (i = 0; (name = bcoslog_account_former_name(process, i, &length)); i++)
		if (is_chosen(&filter->processes, process->id, name, length))
			return true;
	return false;
}

bool filter_wants_use(const struct filter *filter, const struct bcoslog_account_device *device)
{
	const char *name;
	size_t length, i;

	if (!filter->devices.count || is_chosen(&filter->devices, device->id, device->name, device->name_length))
		return true;
	for (i = 0; (name = bcoslog_account_former_device_name(device, i, &length)); i++)
		if (is_chosen(&filter->devices, device->id, name, length))
			return true;
	return false;
}

bool filter_wants_core(const struct filter *filter, u32 id)
{
	return !filter->cores.count || is_chosen(&filter->cores, id, NULL, 0);
}

bool filter_wants_cpu(const struct filter *filter, u32 id, u32 core)
{
	return (!filter->cpus.count || is_chosen(&filter->cpus, id, NULL, 0)) && filter_wants_core(filter, core);
}

bool filter_has_processes(const struct filter *filter)
{
	return filter->processes.count || filter->cgroups.count;
}

bool filter_names_processes(const struct filter *filter)
{
	return filter->processes.count;
}

bool filter_has_cgroups(const struct filter *filter)
{
	return filter->cgroups.count;
}

bool filter_has_cpus(const struct filter *filter)
{
	return filter->cpus.count || filter->cores.count;
}

bool filter_names_cpus(const struct filter *filter)
{
	return filter->cpus.count;
}

bool filter_names_cores(const struct filter *filter)
{
	return filter->cores.count;
}

bool filter_has_devices(const struct filter *filter)
{
	return filter->devices.count;
}

/* Does the entry give its subject one of the chosen names? */
static bool names_one(const struct choice *choice, const struct bcos_entry *entry)
{
	size_t i, length;
	const char *text = bcoslog_text(entry, &length);

	for (i = 0; i < choice->count; i++)
		if (choice->of[i].name && has_name(choice->of[i].name, text, length))
			return true;
	return false;
}

static bool about_process(const struct filter *filter, const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	const struct bcoslog_cpu *cpu;

	switch (entry->type & ~BCOS_TYPE_HISTORICAL) {
	case BCOS_ASSIGN_CPU:
		if (is_process(filter, state, ((const struct bcos_assign_cpu *)entry)->process))
			return true;
		/* An assignment that takes the CPU from the process is about the process, too. */
		cpu = entry->type & BCOS_TYPE_HISTORICAL ? NULL : bcoslog_cpu(state, entry->source);
		return cpu && cpu->assigned && is_process(filter, state, cpu->process);
	case BCOS_SET_DEVICE_NAME:
		return is_process(filter, state, ((const struct bcos_device_name *)entry)->driver);
	case BCOS_SET_PROCESS_NAME:
		return is_process(filter, state, entry->source) || names_one(&filter->processes, entry);
	default:
		return (entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_PROCESS &&
		       is_process(filter, state, entry->source);
	}
}

static bool about_device(const struct filter *filter, const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	if ((entry->type & BCOS_TYPE_SUBJECT_MASK) != BCOS_SUBJECT_DEVICE)
		return false;
	return is_device(filter, state, entry->source) ||
	       ((entry->type & ~BCOS_TYPE_HISTORICAL) == BCOS_SET_DEVICE_NAME && names_one(&filter->devices, entry));
}

static bool about_cpu(const struct filter *filter, const struct bcos_entry *entry)
{
	return (entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_CPU &&
	       is_chosen(&filter->cpus, entry->source, NULL, 0);
}

/* Is the entry about a chosen core or one of its CPUs? A CPU that comes online counts to the core it will have. */
static bool about_core(const struct filter *filter, const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	const struct bcoslog_cpu *cpu;

	if ((entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_CORE)
		return filter_wants_core(filter, entry->source);
	if ((entry->type & BCOS_TYPE_SUBJECT_MASK) != BCOS_SUBJECT_CPU)
		return false;
	if ((entry->type & ~BCOS_TYPE_HISTORICAL) == BCOS_CPU_ONLINE)
		return filter_wants_core(filter, ((const struct bcos_cpu_online *)entry)->core);
	cpu = bcoslog_cpu(state, entry->source);
	return cpu && filter_wants_core(filter, cpu->core);
}

/* A chosen type that is not historical also chooses its historical form. */
static bool of_type(const struct filter *filter, const struct bcos_entry *entry)
{
	size_t i;

	for (i = 0; i < filter->types.count; i++)
		if (filter->types.of[i].id == entry->type ||
		    filter->types.of[i].id == (entry->type & ~BCOS_TYPE_HISTORICAL))
			return true;
	return false;
}

bool filter_wants(const struct filter *filter, const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	if (filter->types.count && !of_type(filter, entry))
		return false;
	if (filter->cpus.count && !about_cpu(filter, entry))
		return false;
	if (filter->cores.count && !about_core(filter, state, entry))
		return false;
	if (filter->devices.count && !about_device(filter, state, entry))
		return false;
	return !filter->processes.count || about_process(filter, state, entry);
}
