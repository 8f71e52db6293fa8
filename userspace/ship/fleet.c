// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The boots of many machines: see fleet.h. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bcoslog_rows.h"
#include "complain/complain.h"
#include "core/format/entry.h"
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

int fleet_read_recording(struct fleet *fleet, struct bcoslog *log, const char *path)
{
	struct bcoslog_boot about;
	__u32 i;
	int r = 0;

	for (i = 0; !r && (about.size = sizeof(about), bcoslog_boot(log, i, &about) > 0); i++)
		r = add_recorded(fleet, log, path, i, &about);
	return r;
}

/* ---- a server -------------------------------------------------------------------------------------------- */

static const char boots_query[] = "SELECT machine, host, kernel, ended, wall_ns, last_wall_ns, losses FROM boot FINAL "
				  "ORDER BY machine, wall_ns FORMAT JSONEachRow";

/* A row is no longer: what JSON costs in memory is many times its text. */
#define ROW_BYTES ((size_t)1 << 20)

/* Takes a text of a row, or none. Three dots end one that is longer than bcoslog ship makes it.  Return: whether it is one or the other. */
static bool take_text(char *to, size_t size, const json_t *row, const char *name)
{
	static const char dots[] = "...";
	const json_t *value = json_object_get(row, name);
	const char *text = json_string_value(value);
	size_t length = json_string_length(value);
	bool fits = length < size;

	if (text) {
		length = bcos_utf8_clean(to, size - (fits ? 1 : sizeof(dots)), text, length);
		strcpy(to + length, fits ? "" : dots);
	}
	return text || json_is_null(value);
}

/* Takes a number of a row, or none. Large ones are texts, or none, as the server's settings have it.  Return: likewise. */
static bool take_number(u64 *number, const json_t *row, const char *name)
{
	const json_t *value = json_object_get(row, name);
	const char *digits = json_string_value(value);
	char *end = NULL;

	if (digits) {
		errno = 0;
		*number = strtoull(digits, &end, 10);
		return *digits >= '0' && *digits <= '9' && !*end && !errno;
	}
	if (json_is_integer(value))
		*number = (u64)json_integer_value(value);
	return json_is_null(value) || (json_is_integer(value) && json_integer_value(value) >= 0);
}

/* Parses a row. The names that a machine has sent are bytes, and need not be UTF-8 as JSON is.  Return: NULL if it is none. */
static json_t *parse_row(const char *line, size_t length)
{
	size_t room = 3 * length;
	char *clean;
	json_t *row;

	if (length > ROW_BYTES)
		return NULL;
	if (bcos_utf8_valid(line, length))
		return json_loadb(line, length, 0, NULL);
	clean = malloc(room);
	row = clean ? json_loadb(clean, bcos_utf8_clean(clean, room, line, length), 0, NULL) : NULL;
	free(clean);
	return row;
}

static int take_line(void *context, const char *line, size_t length)
{
	json_t *row = parse_row(line, length);
	struct fleet_boot *boot = json_is_object(row) ? add_boot(context) : NULL;
	bool good;

	good = boot && json_is_string(json_object_get(row, "machine")) && take_text(boot->machine, sizeof(boot->machine), row, "machine") &&
	       take_text(boot->host, sizeof(boot->host), row, "host") && take_text(boot->kernel, sizeof(boot->kernel), row, "kernel") &&
	       take_text(boot->ended, sizeof(boot->ended), row, "ended") && take_number(&boot->first_wall, row, "wall_ns") &&
	       take_number(&boot->last_wall, row, "last_wall_ns") && take_number(&boot->losses, row, "losses");
	json_decref(row);
	return good ? 0 : -1;
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
