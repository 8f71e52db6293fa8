// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog status: shows the state of the device's log, or a summary of a file. */
#include "command.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "log/boots.h"
#include "options/options.h"
#include "options/shared.h"
#include "output/object.h"
#include "output/output.h"
#include "output/times.h"
#include "reader/reader.h"
#include "commands.h"

static const char *const loss_reasons[BCOS_LOST_REASONS] = {
	[BCOS_LOST_STAGING] = "staging",
	[BCOS_LOST_NESTED] = "nested",
	[BCOS_LOST_MEMORY] = "memory",
	[BCOS_LOST_UNNAMED] = "unnamed",
	[BCOS_LOST_NMI] = "nmi",
	[BCOS_LOST_LIMIT] = "limit",
	[BCOS_LOST_SOURCE] = "source",
};

static const char *const loss_explanations[BCOS_LOST_REASONS] = {
	[BCOS_LOST_STAGING] = "a CPU's staging was full",
	[BCOS_LOST_NESTED] = "within the recording of another; with BPF also: the kernel ran no program",
	[BCOS_LOST_MEMORY] = "no memory",
	[BCOS_LOST_UNNAMED] = "about IDs without a name: processes are shown as the kernel, others are left out",
	[BCOS_LOST_NMI] = "asked for in a non-maskable interrupt",
	[BCOS_LOST_LIMIT] = "beyond a limit, such as other_interfaces",
	[BCOS_LOST_SOURCE] = "overwritten in the kernel's own buffer before it was read",
};

/* The form in which a number of the status is shown. */
enum shown { AS_COUNT, AS_SIZE, AS_TIME, AS_OFFSET };

#define FIELD(f, as, text) { #f, offsetof(struct bcos_status, f), \
		sizeof(((struct bcos_status *)0)->f), as, text }

/* The numbers of the status, in the order in which they are shown. */
static const struct {
	const char *name;		/* key in JSON */
	size_t offset, size;
	enum shown shown;
	const char *text;		/* label; NULL: only JSON has the number */
} fields[] = {
	FIELD(ring_size, AS_SIZE, "ring"),
	FIELD(memory, AS_SIZE, "memory in all"),
	FIELD(staging_bytes, AS_SIZE, "of it staging"),
	FIELD(staging_kb, AS_COUNT, NULL),
	FIELD(head, AS_SIZE, "written"),
	FIELD(oldest, AS_OFFSET, NULL),
	FIELD(newest_group, AS_OFFSET, NULL),
	FIELD(entries, AS_COUNT, "entries"),
	FIELD(historical, AS_COUNT, "of them historical"),
	FIELD(last_time, AS_TIME, "newest entry at"),
	FIELD(groups, AS_COUNT, "groups"),
	FIELD(partial_groups, AS_COUNT, "of them incomplete"),
	FIELD(restated, AS_COUNT, "names stated again"),
	FIELD(group_bytes, AS_SIZE, "a whole group takes"),
	FIELD(advised_ring, AS_SIZE, NULL),
	FIELD(groups_over_1_zone, AS_COUNT, NULL),
	FIELD(groups_over_3_zones, AS_COUNT, NULL),
	FIELD(groups_over_4_zones, AS_COUNT, NULL),
	FIELD(compactions, AS_COUNT, "compactions"),
	FIELD(discarded_bytes, AS_SIZE, "discarded by them"),
	FIELD(discarded_entries, AS_COUNT, "entries discarded"),
	FIELD(clamped, AS_COUNT, "clock steps back"),
	FIELD(unnamed, AS_COUNT, "unnamed uses"),
	FIELD(batches, AS_COUNT, "passes of the writer"),
	FIELD(wakeups, AS_COUNT, "wake-ups of it"),
	FIELD(processes, AS_COUNT, "processes"),
	FIELD(cpus, AS_COUNT, "CPUs"),
	FIELD(cores, AS_COUNT, "cores"),
	FIELD(devices, AS_COUNT, "devices"),
	FIELD(readers, AS_COUNT, "open files"),
};

#define FIELDS (sizeof(fields) / sizeof(fields[0]))

static u64 field_value(const struct bcos_status *status, size_t i)
{
	const char *at = (const char *)status + fields[i].offset;
	u32 small;
	u64 large;

	if (fields[i].size == sizeof(small)) {
		memcpy(&small, at, sizeof(small));
		return small;
	}
	memcpy(&large, at, sizeof(large));
	return large;
}

static void show_size(u64 bytes)
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double size = (double)bytes;
	unsigned int unit = 0;

	/* No number of 64 bits is above 16 EiB. */
	while (size >= 1024) {
		size /= 1024;
		unit++;
	}
	output_format(size == (double)(u64)size ? "%.0f %s" : "%.1f %s", size, units[unit]);
}

static const char *clock_of(const struct bcos_status *status)
{
	return status->flags & BCOS_STATUS_TSC ? "tsc" : "boottime";
}

static void show_classes(const char *label, u32 mask)
{
	const char *name;
	unsigned int bit;

	output_format("%-22s", label);
	for (bit = 0; (name = bcoslog_class(bit)); bit++)
		if (mask & 1u << bit)
			output_format(" %s", name);
	output_format(mask ? "\n" : " none\n");
}

static void show_losses(const struct bcos_status *status)
{
	u64 lost = 0;
	int i;

	for (i = 0; i < BCOS_LOST_REASONS; i++)
		lost += status->lost[i];
	output_format("%-22s %llu\n", "records lost", (unsigned long long)lost);
	for (i = 0; i < BCOS_LOST_REASONS; i++)
		if (status->lost[i])
			output_format("  %-20s %llu: %s\n", loss_reasons[i] ? loss_reasons[i] : "other",
				      (unsigned long long)status->lost[i],
				      loss_explanations[i] ? loss_explanations[i] : "for a newer reason");
}

static void show_advice(const struct bcos_status *status, bool by_bpf)
{
	u32 larger = status->staging_kb * 2;

	if (status->flags & BCOS_STATUS_PARTIAL)
		output_format("advice: the ring is too small for %u processes, so that groups leave some out: %s%llu\n",
			      status->processes, by_bpf ? "record with --ring " : "reload the module with ring_kb=",
			      (unsigned long long)(status->advised_ring / 1024));
	else if (status->lost[BCOS_LOST_STAGING])
		output_format("advice: staging was full: %s%u, if memory allows\n",
			      by_bpf ? "record with --staging " : "reload the module with staging_kb=",
			      larger < 65536 ? larger : 65536);
}

/* The times of the log's oldest and newest entry that are not historical, which tell how far back it reaches. */
struct ring_reach {
	bool known;
	u64 oldest, newest;
};

/* Reads the log up to its first entry that is not historical.  Return: 0, or -1 after a complaint. */
static int find_reach(struct run *run, u64 newest, struct ring_reach *reach)
{
	const struct bcos_entry *entry;
	int r;

	while ((r = bcoslog_next(run->log, &entry)) > 0) {
		/* A statement after the group serves, too: its time is nearly that of the entry after it. */
		if (entry->type & BCOS_TYPE_HISTORICAL)
			continue;
		reach->known = true;
		reach->oldest = entry->time;
		reach->newest = newest > entry->time ? newest : entry->time;
		return 0;
	}
	if (r)
		run_failed(run);
	return r ? -1 : 0;
}

static void show_reach(const struct ring_reach *reach)
{
	char span[SPAN_TEXT];

	output_format("%-22s %s\n", "reaches back",
		      reach->known ? span_text(span, reach->newest - reach->oldest) : "nothing happened yet");
}

static void show_text(const struct bcos_status *status, const struct ring_reach *reach, bool by_bpf)
{
	u64 value;
	size_t i;

	output_format("%-22s %.32s, ABI version %u\n", by_bpf ? "BPF programs" : "module", status->version,
		      status->abi_version);
	for (i = 0; i < FIELDS; i++) {
		value = field_value(status, i);
		if (!fields[i].text)
			continue;
		output_format("%-22s ", fields[i].text);
		if (fields[i].shown == AS_SIZE)
			show_size(value);
		else if (fields[i].shown == AS_TIME)
			output_format("%llu.%09llu s", (unsigned long long)(value / 1000000000u),
				      (unsigned long long)(value % 1000000000u));
		else
			output_format("%llu", (unsigned long long)value);
		output_format("\n");
	}
	show_reach(reach);
	output_format("%-22s %u KiB\n", "staging of each CPU", status->staging_kb);
	output_format("%-22s %s\n", "clock of events", clock_of(status));
	if (status->flags & BCOS_STATUS_ESTIMATED)
		output_format("%-22s %s\n", "performance of cores", "an estimate, not counted");
	show_classes("classes asked for", status->mask);
	show_classes("recorded of them", status->active);
	show_losses(status);
	show_advice(status, by_bpf);
}

static void add_classes(struct object *object, const char *key, u32 mask)
{
	json_t *list = json_array();
	const char *name;
	unsigned int bit;

	for (bit = 0; (name = bcoslog_class(bit)); bit++)
		if (mask & 1u << bit)
			object->failed |= json_array_append_new(list, json_string(name));
	object_add(object, key, list);
}

static int show_json(const struct bcos_status *status, const struct ring_reach *reach, bool by_bpf)
{
	struct object object = { .json = json_object() }, lost = { .json = json_object() };
	size_t i;

	object_word(&object, "engine", by_bpf ? "bpf" : "module");
	/* json_stringn() checks that the text is UTF-8, since it comes from the module. */
	object_add(&object, "version", json_stringn(status->version,
						    strnlen(status->version, sizeof(status->version))));
	object_number(&object, "abi_version", status->abi_version);
	object_add(&object, "partial", json_boolean(status->flags & BCOS_STATUS_PARTIAL));
	object_add(&object, "estimated", json_boolean(status->flags & BCOS_STATUS_ESTIMATED));
	object_word(&object, "clock", clock_of(status));
	for (i = 0; i < FIELDS; i++)
		object_number(&object, fields[i].name, field_value(status, i));
	if (reach->known) {
		object_number(&object, "oldest_time", reach->oldest);
		object_number(&object, "reach", reach->newest - reach->oldest);
	}
	for (i = 0; i < BCOS_LOST_REASONS; i++)
		if (loss_reasons[i])
			object_number(&lost, loss_reasons[i], status->lost[i]);
	object.failed |= lost.failed;
	object_add(&object, "lost", lost.json);
	add_classes(&object, "mask", status->mask);
	add_classes(&object, "active", status->active);
	return object_print(&object, "the status");
}

static int take_boots(struct arguments *arguments, const char *text)
{
	(void)text;
	*(bool *)arguments->context = true;
	return 0;
}

static int cmd_status(struct session *session, int argc, char **argv)
{
	bool boots = false;
	struct arguments arguments = { .session = session, .command = &command_status, .context = &boots };
	struct bcos_status device;
	struct run run = { .session = session };
	int status = arguments_parse(&arguments, argc, argv);
	struct ring_reach reach = { 0 };
	bool by_bpf;

	if (status >= 0)
		return status;
	run.path = arguments.path;
	if (run_open(&run, 0))
		return EXIT_ENVIRONMENT;
	if (boots)
		return run_close(&run, boots_list(&session->boots, run.log, run.path, session->form == TABLE_JSON));
	by_bpf = bcoslog_kind(run.log) == BCOSLOG_BPF;
	if (bcoslog_kind(run.log) != BCOSLOG_DEVICE && !by_bpf)
		return run_close(&run, summary_run(&run, session->form == TABLE_JSON));
	if (bcoslog_status(run.log, &device))
		return run_close(&run, run_failed(&run));
	if (find_reach(&run, device.last_time, &reach))
		return run_close(&run, EXIT_ENVIRONMENT);
	if (session->form != TABLE_JSON)
		show_text(&device, &reach, by_bpf);
	else if (show_json(&device, &reach, by_bpf))
		return run_close(&run, EXIT_ENVIRONMENT);
	return run_close(&run, EXIT_OK);
}

static const struct option_spec options[] = {
	{ .name = "json", .take = take_json, .help = "print an object, with sizes in bytes and times in ns" },
	{ .name = "boots", .take = take_boots,
	  .help = "list the machines and boots in a recorded directory, by its index, in order of the wall clock" },
	{ .name = NULL },
};

const struct command command_status = {
	.name = "status",
	.summary = "show the state of the log, or what a file contains",
	.usage = "bcoslog status [OPTIONS] [LOG]",
	.about =
"Shows the state of the device (default " BCOS_DEVICE_PATH "): sizes, counts,\n"
"losses, and whether its ring is large enough.  For a file, or - for\n"
"standard input, it shows the number of entries of each type, and their times.",
	.options = { options, boot_options },
	.status = STATUS_OF_LOG,
	.run = cmd_status,
};
