// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "oracle.h"
#include "oracle_state.h"

static char message[512];

static bool say_wrong(struct oracle *o, const char *format, ...)
{
	va_list args;
	int n = snprintf(message, sizeof(message), "offset %llu, type %04x, source %x, time %llu: ",
			 (unsigned long long)o->at, o->type, o->source, (unsigned long long)o->time);

	va_start(args, format);
	vsnprintf(message + n, sizeof(message) - (size_t)n, format, args);
	va_end(args);
	return false;
}

/* ---- historical entries ------------------------------------------------------------------- */

/* Returns the rank of a type in the order of a group: cores, CPUs, processes, devices, assignments. */
static int group_rank(unsigned int type)
{
	switch (type) {
	case 0xA000: return 0;
	case 0xC000: return 1;
	case 0x8000: return 2;
	case 0xE000: return 3;
	default: return 4;
	}
}

static bool is_same(const struct oracle *o, const struct item *item)
{
	return item->start == o->time && item->precision == o->precision && item->value == o->value &&
	       item->length == o->text_length && !memcmp(item->name, o->text, o->text_length);
}

/* A historical entry must repeat what is known already (5.18 to 5.22). */
static bool check_restated(struct oracle *o, enum table table)
{
	struct item *item = find_item(o, table, o->source), *gone = item ? NULL : find_gone(o, table, o->source);

	if (gone && gone->start == o->time)
		return say_wrong(o, "is history of what has ended");
	/*
	 * If a birth was lost, the log names the process when a walk has found it. The first historical entry of the
	 * process knows its true start.
	 */
	if (item && table == PROCESSES && o->flags & ORACLE_LOSSES && !item->stated && o->time < item->start) {
		item->start = o->time;
		item->precision = o->precision;
	}
	if (item && !is_same(o, item))
		return say_wrong(o, "says %.*s %u since %llu, known is %.*s %u since %llu", (int)o->text_length,
				 o->text, o->value, (unsigned long long)o->time, (int)item->length, item->name,
				 item->value, (unsigned long long)item->start);
	if (!item && o->later_group && !(o->flags & ORACLE_PARTIAL))
		return say_wrong(o, "re-states what was never stated");
	if (!item && !(item = add_item(o, table, o->source)))
		return say_wrong(o, "too many items");
	if (!item->named)
		set_item(o, item);
	if (item->in_group == o->groups && o->in_group)
		return say_wrong(o, "is twice in a group");
	item->in_group = o->groups;
	item->stated = true;
	return true;
}

static bool hist_assign(struct oracle *o)
{
	struct item *cpu = find_item(o, CPUS, o->source);

	if (!cpu)
		return say_wrong(o, "assigns a CPU that is not there");
	if (o->value != IDLE && !find_item(o, PROCESSES, o->value))
		return say_wrong(o, "assigned to %u, which was not stated", o->value);
	if (cpu->assigned && (cpu->process != o->value || cpu->assigned_at != o->time))
		return say_wrong(o, "assigned to %u since %llu, known is %u since %llu", o->value,
				 (unsigned long long)o->time, cpu->process, (unsigned long long)cpu->assigned_at);
	cpu->assigned = true;
	cpu->process = o->value;
	cpu->assigned_at = o->time;
	cpu->assigned_in = o->groups;
	return true;
}

/* 5.5.2: the performance table of a core has an entry for each of its CPUs. */
static bool large_table(struct oracle *o, const struct item *core)
{
	if (core->users > core->value)
		return say_wrong(o, "core %u has more CPUs than its performance table entries", core->id);
	return true;
}

static bool check_historical(struct oracle *o)
{
	struct item *item;

	if (o->time > o->newest_history)
		o->newest_history = o->time;
	switch (o->type) {
	case 0x8000:
		if (o->source == IDLE)
			return say_wrong(o, "names idle as a process");
		return check_restated(o, PROCESSES);
	case 0xA000:
		item = find_item(o, CORES, o->source);
		/* The core's estimates may have changed since. */
		if (item)
			item->value = o->value;
		return check_restated(o, CORES) && large_table(o, find_item(o, CORES, o->source));
	case 0xC000:
		if (!find_item(o, CORES, o->value))
			return say_wrong(o, "is of core %u, which was not stated", o->value);
		return check_restated(o, CPUS) && large_table(o, find_item(o, CORES, o->value));
	case 0xC002:
		return hist_assign(o);
	default:
		if (!find_item(o, PROCESSES, o->value))
			return say_wrong(o, "has driver %u, which was not stated", o->value);
		return check_restated(o, DEVICES);
	}
}

/* A group has everything that exists, but processes and devices may be missing if groups may be partial. */
static bool end_group(struct oracle *o)
{
	static const char *const what[TABLES] = { "process", "core", "CPU", "device" };
	struct item *item, *kernel = find_item(o, PROCESSES, 0);
	int table;
	size_t i;

	o->in_group = false;
	if (!kernel || kernel->in_group != o->groups || kernel->length != 6 || memcmp(kernel->name, "kernel", 6))
		return say_wrong(o, "the group before does not name the kernel");
	for (table = 0; table < TABLES; table++) {
		if ((table == PROCESSES || table == DEVICES) && o->flags & ORACLE_PARTIAL)
			continue;
		for (i = 0; i < BUCKETS; i++)
			for (item = o->tables[table][i]; item; item = item->next)
				if (item->in_group != o->groups)
					return say_wrong(o, "the group before lacks %s %u", what[table], item->id);
	}
	for (i = 0; i < BUCKETS; i++) {
		for (item = o->tables[CPUS][i]; item; item = item->next)
			if (item->assigned && item->assigned_in != o->groups)
				return say_wrong(o, "the group before lacks the assignment of CPU %u", item->id);
		for (item = o->tables[CORES][i]; item; item = item->next)
			if (!item->users)
				return say_wrong(o, "the group before has core %u without a CPU", item->id);
	}
	return true;
}

static bool follow_groups(struct oracle *o)
{
	int rank = group_rank(o->type);

	if (o->in_group && (!(o->type & 0x8000) || rank < o->rank)) {
		if (!end_group(o))
			return false;
		o->later_group = false;
	}
	if (!o->in_group && o->type == 0xA000) {
		o->later_group = o->groups > 0;
		o->groups++;
		o->in_group = true;
	}
	if (!o->groups)
		return say_wrong(o, "the log does not begin with a group");
	if (!(o->type & 0x8000) || o->in_group) {
		o->rank = rank;
		return true;
	}
	/* Between groups the log restates only names. */
	if (o->type != 0x8000 && o->type != 0xE000)
		return say_wrong(o, "history outside of a group");
	return true;
}

/* ---- what happens -------------------------------------------------------------------------- */

static bool set_name(struct oracle *o, enum table table)
{
	struct item *item = find_item(o, table, o->source);

	if (table == PROCESSES && (o->source == IDLE || !o->source))
		return say_wrong(o, "names the kernel or idle");
	if (table == DEVICES && !find_item(o, PROCESSES, o->value))
		return say_wrong(o, "has driver %u, which was not stated", o->value);
	if (!item && !(item = add_item(o, table, o->source)))
		return say_wrong(o, "too many items");
	set_item(o, item);
	return true;
}

static bool cancel_item(struct oracle *o, enum table table)
{
	struct item *item, *other;
	size_t i;

	item = find_item(o, table, o->source);
	if (!item)
		return say_wrong(o, "cancels what was not stated");
	for (i = 0; table == PROCESSES && i < BUCKETS; i++) {
		for (other = o->tables[CPUS][i]; other; other = other->next)
			if (other->assigned && other->process == o->source)
				return say_wrong(o, "is cancelled while CPU %u is assigned to it", other->id);
		for (other = o->tables[DEVICES][i]; other; other = other->next)
			if (other->value == o->source)
				return say_wrong(o, "is cancelled before its device %x", other->id);
	}
	take_out(o, table, item);
	return true;
}

static bool core_online(struct oracle *o)
{
	struct item *core = find_item(o, CORES, o->source);

	if (core)
		core->value = o->value;
	else if (!(core = add_item(o, CORES, o->source)))
		return say_wrong(o, "too many items");
	if (!core->named)
		set_item(o, core);
	return large_table(o, core);
}

static bool core_offline(struct oracle *o)
{
	struct item *core = find_item(o, CORES, o->source);

	if (!core || core->users)
		return say_wrong(o, "goes offline, but %s", core ? "has CPUs" : "was never online");
	take_out(o, CORES, core);
	return true;
}

static bool cpu_online(struct oracle *o)
{
	struct item *cpu = find_item(o, CPUS, o->source), *core = find_item(o, CORES, o->value);

	if (cpu || !core)
		return say_wrong(o, cpu ? "comes online twice" : "comes online before its core");
	cpu = add_item(o, CPUS, o->source);
	if (!cpu)
		return say_wrong(o, "too many items");
	set_item(o, cpu);
	return large_table(o, core);
}

static bool cpu_offline(struct oracle *o)
{
	struct item *cpu = find_item(o, CPUS, o->source);

	if (!cpu)
		return say_wrong(o, "goes offline, but was never online");
	if (!cpu->assigned || cpu->process != IDLE)
		return say_wrong(o, "goes offline without being idle");
	take_out(o, CPUS, cpu);
	return true;
}

static bool check_assigned(struct oracle *o)
{
	struct item *cpu = find_item(o, CPUS, o->source);

	if (!cpu)
		return say_wrong(o, "is assigned, but is not online");
	if (o->value != IDLE && !find_item(o, PROCESSES, o->value))
		return say_wrong(o, "is assigned to %u, which was not stated", o->value);
	if (cpu->assigned && cpu->process == o->value && !(o->flags & ORACLE_LOSSES))
		return say_wrong(o, "is assigned to %u, to which it is assigned", o->value);
	cpu->assigned = true;
	cpu->process = o->value;
	cpu->assigned_at = o->time;
	return true;
}

/*
 * Parses "class mask 0x... -> 0x...: ...". If neither assign nor kernel_time is on, the log does not know what CPUs
 * run.
 */
static void mask_changed(struct oracle *o)
{
	char text[64] = { 0 }, *to;
	struct item *cpu;
	size_t i;

	memcpy(text, o->text, o->text_length < sizeof(text) ? o->text_length : sizeof(text) - 1);
	to = strstr(text, "-> ");
	if (!to || strtoul(to + 3, NULL, 0) & 0x41)
		return;
	for (i = 0; i < BUCKETS; i++)
		for (cpu = o->tables[CPUS][i]; cpu; cpu = cpu->next)
			cpu->assigned = false;
}

static bool check_happened(struct oracle *o)
{
	static const enum table subject[4] = { PROCESSES, CORES, CPUS, DEVICES };
	static const char *const what[4] = { "process", "core", "CPU", "device" };
	int of = o->type >> 13 & 3;

	if (o->time < o->newest)
		return say_wrong(o, "goes back in time, from %llu", (unsigned long long)o->newest);
	o->newest = o->time;
	if (o->newest_history > o->time)
		return say_wrong(o, "is older than history before it, of %llu", (unsigned long long)o->newest_history);
	if (o->type == 0x4010 && o->value == 0x80000003u)
		mask_changed(o);
	switch (o->type) {
	case 0x0000: return set_name(o, PROCESSES);
	case 0x0001: return cancel_item(o, PROCESSES);
	case 0x2000: return core_online(o);
	case 0x2001: return core_offline(o);
	case 0x4000: return cpu_online(o);
	case 0x4001: return cpu_offline(o);
	case 0x4002: return check_assigned(o);
	case 0x6000: return set_name(o, DEVICES);
	case 0x6001: return cancel_item(o, DEVICES);
	default:
		if (!find_item(o, subject[of], o->source))
			return say_wrong(o, "is about a %s that was not stated", what[of]);
		/*
		 * Cores, CPUs and devices have reserved event IDs (5.7.1, 5.11.1, 5.16.1, and the tables of part II).
		 */
		if ((o->type & 0x1FFF) == 0x0010 && of && o->value && o->value < 0x80000000)
			return say_wrong(o, "has the reserved event ID %x", o->value);
		return true;
	}
}

static bool check_all(struct oracle *o, const uint8_t *log, uint64_t from, uint64_t to)
{
	const char *malformed;
	struct item *core;
	size_t i;

	for (o->at = from; o->at < to; o->at += o->size) {
		malformed = parse_entry(o, log + o->at, to - o->at);
		if (malformed)
			return say_wrong(o, "%s", malformed);
		if (!follow_groups(o))
			return false;
		if (!(o->type & 0x8000 ? check_historical(o) : check_happened(o)))
			return false;
	}
	if (!o->groups)
		return say_wrong(o, "there is no group at all");
	if (o->in_group && !end_group(o))
		return false;
	for (i = 0; i < BUCKETS; i++)
		for (core = o->tables[CORES][i]; core; core = core->next)
			if (!core->users)
				return say_wrong(o, "at the end core %u has no CPU", core->id);
	return true;
}

const char *oracle_check(const uint8_t *log, uint64_t from, uint64_t to, unsigned int flags)
{
	struct oracle *o = calloc(1, sizeof(*o));
	bool right;

	if (!o)
		return "no memory";
	o->flags = flags;
	right = check_all(o, log, from, to);
	free_items(o);
	free(o);
	return right ? NULL : message;
}

size_t oracle_groups(const uint8_t *log, uint64_t from, uint64_t to, uint64_t *starts, size_t limit)
{
	unsigned int type, before = 0;
	size_t n = 0;

	for (; to - from >= 20; from += (unsigned int)(log[from] | log[from + 1] << 8)) {
		type = (unsigned int)(log[from + 2] | log[from + 3] << 8);
		if (type == 0xA000 && before != 0xA000) {
			if (n < limit)
				starts[n] = from;
			n++;
		}
		before = type;
	}
	return n;
}
