// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Summarizes a log for bcoslog status: entries by type, span of time, losses. */
#include "core/format/entry.h"

#include "command.h"
#include "log/pass.h"
#include "log/source.h"
#include "log/run.h"
#include "output/object.h"
#include "output/output.h"
#include "output/times.h"
#include "commands.h"

struct summary {
	u64 entries, bytes, reserved, historical, losses, missed;
	u64 count[BCOS_TYPES];
	u64 first, last;	/* times of entries that are not historical */
	bool timed;
};

static void summary_entry(struct summary *summary, const struct bcos_entry *entry)
{
	const struct bcos_type *type = bcos_type_of(entry->type);

	summary->entries++;
	summary->bytes += entry->size;
	if (!type) {
		summary->reserved++;
		return;
	}
	summary->count[type - bcos_types]++;
	if (entry->type & BCOS_TYPE_HISTORICAL) {
		summary->historical++;
		return;
	}
	summary->losses += bcoslog_is_loss(entry);
	summary->missed += bcoslog_is_missed(entry);
	if (!summary->timed)
		summary->first = entry->time;
	summary->timed = true;
	summary->last = entry->time;
}

static int summary_entries(struct run *run, const struct bcoslog_batch *batch)
{
	const struct bcos_entry *entry;

	run_each(run, entry, batch)
		summary_entry(run->context, entry);
	return 0;
}

static void show_value(const char *label, u64 value)
{
	output_format("%-27s %llu\n", label, (unsigned long long)value);
}

static void show_time(const char *label, u64 time)
{
	output_format("%-27s %llu.%09llu s\n", label, (unsigned long long)(time / 1000000000u),
		      (unsigned long long)(time % 1000000000u));
}

/* Says what was read. A recorder's memory is read where the arguments name no log. */
static void summary_title(const struct run *run)
{
	bool recording = bcoslog_kind(run->log) == BCOSLOG_RECORDING;

	if (run->session->asked_recorder && !recording) {
		output_format("A recorder keeps the log in its memory: this is what it has\n");
		return;
	}
	output_sentence(run->path);
	output_format(" is %s: this is what it has\n", recording ? "recorded" : "no device");
}

static void summary_text(const struct summary *summary, const struct run *run)
{
	char span[SPAN_TEXT];
	int i;

	summary_title(run);
	show_value("entries", summary->entries);
	show_value("bytes", summary->bytes);
	show_value("historical", summary->historical);
	show_value("losses stated", summary->losses);
	show_value("times overtaken", summary->missed);
	if (summary->timed) {
		show_time("first at", summary->first);
		show_time("last at", summary->last);
		output_format("%-27s %s\n", "reaches back", span_text(span, summary->last - summary->first));
	}
	for (i = 0; i < BCOS_TYPES; i++)
		if (summary->count[i])
			show_value(bcos_types[i].name, summary->count[i]);
	if (summary->reserved)
		show_value("of reserved types", summary->reserved);
}

static int summary_json(const struct summary *summary)
{
	struct object object = { .json = json_object() }, types = { .json = json_object() };
	int i;

	object_number(&object, "entries", summary->entries);
	object_number(&object, "bytes", summary->bytes);
	object_number(&object, "historical", summary->historical);
	object_number(&object, "losses", summary->losses);
	object_number(&object, "overtaken", summary->missed);
	object_number(&object, "reserved", summary->reserved);
	if (summary->timed) {
		object_number(&object, "first_time", summary->first);
		object_number(&object, "last_time", summary->last);
		object_number(&object, "reach", summary->last - summary->first);
	}
	for (i = 0; i < BCOS_TYPES; i++)
		if (summary->count[i])
			object_number(&types, bcos_types[i].name, summary->count[i]);
	object.failed |= types.failed;
	object_add(&object, "types", types.json);
	return object_print(&object, "the summary");
}

int summary_run(struct run *run, bool json)
{
	struct summary summary = { 0 };
	int status;

	run->entries = summary_entries;
	run->context = &summary;
	status = run_log(run);
	if (status == EXIT_ENVIRONMENT)
		return status;
	if (!json)
		summary_text(&summary, run);
	else if (summary_json(&summary))
		return EXIT_ENVIRONMENT;
	return status;
}
