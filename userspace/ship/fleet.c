// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The boots of many machines: see fleet.h. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bcoslog_rows.h"
#include "complain/complain.h"
#include "fleet.h"
#include "state/clock.h"

/* So much of the end of a boot is read to learn of its kernel, which each group of historical entries states. */
#define END_NS 1000000000ull

static struct fleet_boot *add_boot(struct fleet *fleet)
{
	size_t room = fleet->room ? 2 * fleet->room : 64;
	struct fleet_boot *boots;

	if (fleet->count == fleet->room) {
		boots = reallocarray(fleet->boots, room, sizeof(*boots));
		if (!boots) {
			complain("no memory for the boots of the machines");
			return NULL;
		}
		fleet->boots = boots;
		fleet->room = room;
	}
	fleet->boots[fleet->count] = (struct fleet_boot){ .losses = 0 };
	return &fleet->boots[fleet->count++];
}

void fleet_free(struct fleet *fleet)
{
	free(fleet->boots);
	*fleet = (struct fleet){ .count = 0 };
}

/* ---- a recorded directory ------------------------------------------------------------------------------ */

void fleet_kernel(const char *path, const char *machine, const char *boot, u64 last, char text[KERNEL_TEXT])
{
	struct bcoslog_rows_options options = BCOSLOG_ROWS_ALL((u32)bcoslog_rows_find("boot"), path);
	int kernel = bcoslog_rows_find_column(bcoslog_rows_table(options.table), "kernel");
	const struct bcoslog_value *row;
	struct bcoslog_error error;
	struct bcoslog_rows *rows;

	options.machine = machine;
	options.boot = boot;
	options.part = (struct bcoslog_window){ .size = sizeof(options.part), .since = BCOSLOG_MOMENT_BOOT,
						.since_ns = last > END_NS ? last - END_NS : 0 };
	text[0] = '\0';
	if (bcoslog_rows_open(&rows, &options, &error))
		return;
	while (bcoslog_rows_next(rows, &row) > 0)
		if (row[kernel].type == BCOSLOG_TEXT)
			snprintf(text, KERNEL_TEXT, "%.*s", (int)row[kernel].length, row[kernel].text);
	bcoslog_rows_close(rows);
}

static u64 wall_of(const struct bcoslog_wall *wall, u64 time)
{
	return wall->utc ? bcoslog_wall_time(wall, time) : 0;
}

static int add_recorded(struct fleet *fleet, struct bcoslog *log, const char *path, u32 index, const struct bcoslog_boot *about)
{
	struct fleet_boot *boot = add_boot(fleet);
	char id[40];

	if (!boot)
		return -1;
	if (bcoslog_boot_machine(log, index, id) <= 0)
		id[0] = '\0';
	if (id[0])
		snprintf(boot->machine, sizeof(boot->machine), "%s", id);
	else
		snprintf(boot->machine, sizeof(boot->machine), "host %s", about->host);
	snprintf(boot->host, sizeof(boot->host), "%s", about->host);
	if (bcoslog_boot_end(log, index, boot->ended) <= 0)
		boot->ended[0] = '\0';
	boot->first_wall = wall_of(&about->begin, about->first);
	boot->last_wall = wall_of(&about->end, about->last);
	boot->losses = about->losses;
	fleet_kernel(path, id[0] ? id : about->host, about->boot[0] ? about->boot : NULL, about->last, boot->kernel);
	return 0;
}

int fleet_read_directory(struct fleet *fleet, const char *path)
{
	struct bcoslog_boot about;
	struct bcoslog_error error;
	struct bcoslog *log;
	__u32 i;
	int r = 0;

	if (bcoslog_open(&log, path, 0, &error)) {
		complain("%s", error.text);
		return -1;
	}
	if (bcoslog_kind(log) != BCOSLOG_RECORDING) {
		complain("%s is no recorded directory, whose machines fleet lists: bcoslog record -o DIR makes one", path);
		r = -1;
	}
	for (i = 0; !r && (about.size = sizeof(about), bcoslog_boot(log, i, &about) > 0); i++)
		r = add_recorded(fleet, log, path, i, &about);
	bcoslog_close(log);
	return r;
}

/* ---- a server -------------------------------------------------------------------------------------------- */

static const char boots_query[] = "SELECT machine, host, kernel, ended, wall_ns, last_wall_ns, losses FROM boot FINAL "
				  "ORDER BY machine, wall_ns FORMAT JSONEachRow";

static void take_text(char *to, size_t size, const json_t *value)
{
	snprintf(to, size, "%s", json_is_string(value) ? json_string_value(value) : "");
}

/* Large numbers are texts, or none, as the server's settings have it. */
static u64 number_of(const json_t *value)
{
	if (json_is_integer(value))
		return (u64)json_integer_value(value);
	return json_is_string(value) ? strtoull(json_string_value(value), NULL, 10) : 0;
}

static int take_line(void *context, const char *line, size_t length)
{
	json_t *row = json_loadb(line, length, 0, NULL);
	struct fleet_boot *boot;
	int r = -1;

	boot = json_is_object(row) && json_object_size(row) == 7 ? add_boot(context) : NULL;
	if (boot) {
		take_text(boot->machine, sizeof(boot->machine), json_object_get(row, "machine"));
		take_text(boot->host, sizeof(boot->host), json_object_get(row, "host"));
		take_text(boot->kernel, sizeof(boot->kernel), json_object_get(row, "kernel"));
		take_text(boot->ended, sizeof(boot->ended), json_object_get(row, "ended"));
		boot->first_wall = number_of(json_object_get(row, "wall_ns"));
		boot->last_wall = number_of(json_object_get(row, "last_wall_ns"));
		boot->losses = number_of(json_object_get(row, "losses"));
		r = 0;
	}
	json_decref(row);
	return r;
}

int fleet_read_server(struct fleet *fleet, const struct transport_options *options)
{
	struct transport *transport = transport_new(options);
	const char *reason;
	int r = transport ? 0 : -1;

	if (!r && transport_ask(transport, boots_query, fleet, take_line, &reason)) {
		complain("%s", reason);
		r = -1;
	}
	transport_free(transport);
	return r;
}
