// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table boot: the boots of a recording, or the one of which a file tells. */
#include "archive/recording.h"
#include "buffer.h"
#include "core/format/statement_text.h"

enum { MACHINE, HOST, BOOT, KERNEL, ENGINE, TS, DUR, WALL_NS, WALL_ERROR_NS, ENTRIES, LOSSES, BYTES, READ, COLUMNS };

static const struct bcoslog_rows_column columns[] = {
	[MACHINE] = { "machine", BCOSLOG_TEXT, "the ID of the machine, in a recording" },
	[HOST] = { "host", BCOSLOG_TEXT, "the name of the machine" },
	[BOOT] = { "boot", BCOSLOG_TEXT, "the ID of the boot" },
	[KERNEL] = { "kernel", BCOSLOG_TEXT, "the release of the kernel and the architecture, of the boot that is read" },
	[ENGINE] = { "engine", BCOSLOG_TEXT, "what recorded that boot: the version of bcos_evlog, and module or bpf" },
	[TS] = { "ts", BCOSLOG_INTEGER, "the time of its first entry, ns since this boot" },
	[DUR] = { "dur", BCOSLOG_INTEGER, "the time from then to its last entry, ns" },
	[WALL_NS] = { "wall_ns", BCOSLOG_INTEGER, "what the wall clock showed at ts, ns since 1970, UTC" },
	[WALL_ERROR_NS] = { "wall_error_ns", BCOSLOG_INTEGER, "by how much earlier it may have shown that, ns" },
	[ENTRIES] = { "entries", BCOSLOG_INTEGER, "how many entries it has" },
	[LOSSES] = { "losses", BCOSLOG_INTEGER, "how many of them state a loss" },
	[BYTES] = { "bytes", BCOSLOG_INTEGER, "the size of its entries" },
	[READ] = { "read", BCOSLOG_INTEGER, "1 if the other tables have this boot" },
};

_Static_assert(sizeof(columns) / sizeof(columns[0]) == COLUMNS, "each column has a name");

static void boot_entry(struct bcoslog_rows *rows, const struct bcos_entry *entry)
{
	struct facts *facts = &rows->facts;
	size_t length;
	const char *text;
	u32 id, i;

	facts->entries++;
	facts->bytes += entry->size;
	facts->losses += bcoslog_is_loss(entry);
	if (!(entry->type & BCOS_TYPE_HISTORICAL)) {
		if (!facts->begun)
			facts->first = entry->time;
		facts->begun = true;
		facts->last = entry->time;
	}
	if (entry->type != BCOS_GENERIC_PROCESS)
		return;
	if (!facts->wall.utc)
		bcoslog_wall_clock(entry, &facts->wall);
	id = ((const struct bcos_generic *)entry)->event_id;
	i = id - BCOS_EVENT_BOOT;
	if (entry->source || id < BCOS_EVENT_BOOT || id > BCOS_EVENT_VERSION)
		return;
	text = bcoslog_text(entry, &length);
	text = text ? bcos_fact_parse(id, text, &length) : NULL;
	if (text)
		facts->fact[i] = rows_keep(rows, text, length);
}

/* Sets the time of the wall clock at the begin. */
static void set_wall(struct bcoslog_value *row, const struct bcoslog_wall *wall, u64 first)
{
	if (!wall->utc)
		return;
	value_set(&row[WALL_NS], bcoslog_wall_time(wall, first));
	if (wall->precision != UINT32_MAX)
		value_set(&row[WALL_ERROR_NS], wall->precision);
}

static void set_facts(const struct facts *facts, struct bcoslog_value *row)
{
	value_set_name(&row[KERNEL], facts->fact[BCOS_EVENT_KERNEL - BCOS_EVENT_BOOT]);
	value_set_name(&row[ENGINE], facts->fact[BCOS_EVENT_VERSION - BCOS_EVENT_BOOT]);
}

/* Adds a row for a file, whose entries were counted. */
static void add_file(struct bcoslog_rows *rows)
{
	struct bcoslog_value *row = rows_add(rows);
	const struct facts *facts = &rows->facts;

	if (!row)
		return;
	value_set_name(&row[HOST], facts->fact[BCOS_EVENT_HOST - BCOS_EVENT_BOOT]);
	value_set_name(&row[BOOT], facts->fact[0]);
	set_facts(facts, row);
	if (facts->begun) {
		value_set(&row[TS], facts->first);
		value_set(&row[DUR], facts->last - facts->first);
		set_wall(row, &facts->wall, facts->first);
	}
	value_set(&row[ENTRIES], facts->entries);
	value_set(&row[LOSSES], facts->losses);
	value_set(&row[BYTES], facts->bytes);
	value_set(&row[READ], 1);
}

static void add_recorded(struct bcoslog_rows *rows, u32 index, const struct bcoslog_boot *boot, bool last)
{
	struct bcoslog_value *row = rows_add(rows);
	char machine[40];

	if (!row)
		return;
	if (bcoslog_boot_machine(rows->log, index, machine) > 0 && machine[0])
		value_set_kept(rows, &row[MACHINE], machine, strlen(machine));
	value_set_kept(rows, &row[HOST], boot->host, strlen(boot->host));
	if (boot->boot[0])
		value_set_kept(rows, &row[BOOT], boot->boot, strlen(boot->boot));
	if (last)
		set_facts(&rows->facts, row);
	value_set(&row[TS], boot->first);
	value_set(&row[DUR], boot->last - boot->first);
	set_wall(row, &boot->begin, boot->first);
	value_set(&row[ENTRIES], boot->entries);
	value_set(&row[LOSSES], boot->losses);
	value_set(&row[BYTES], boot->raw);
	value_set(&row[READ], !!(boot->flags & BCOSLOG_BOOT_READ));
}

static void end_boot(struct bcoslog_rows *rows)
{
	struct bcoslog_boot boot;
	u32 i, last = 0;

	if (bcoslog_kind(rows->log) != BCOSLOG_RECORDING) {
		add_file(rows);
		return;
	}
	for (i = 0; boot.size = sizeof(boot), bcoslog_boot(rows->log, i, &boot) > 0; i++)
		if (boot.flags & BCOSLOG_BOOT_READ)
			last = i;
	for (i = 0; boot.size = sizeof(boot), bcoslog_boot(rows->log, i, &boot) > 0; i++)
		add_recorded(rows, i, &boot, i == last);
}

const struct rows_kind rows_of_boot = {
	.table = {
		.name = "boot",
		.about = "a boot of a machine of which the log tells",
		.columns = columns,
		.count = COLUMNS,
	},
	.entry = boot_entry,
	.end = end_boot,
};
