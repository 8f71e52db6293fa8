// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog fleet: lists machines, from a recorded directory or from the server to which they ship. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "complain/complain.h"
#include "libexec/libexec.h"
#include "log/open.h"
#include "log/run.h"
#include "options/options.h"
#include "options/recorder_options.h"
#include "output/output.h"
#include "report/table/table.h"
#include "ship/fleet.h"

#define SECOND 1000000000ull

struct asked_fleet {
	struct transport_options server;
	bool ends;
};

static int take_from(struct arguments *arguments, const char *text)
{
	((struct asked_fleet *)arguments->context)->server.url = text;
	return 0;
}

static int take_ends(struct arguments *arguments, const char *text)
{
	(void)text;
	((struct asked_fleet *)arguments->context)->ends = true;
	return 0;
}

static int take_netrc(struct arguments *arguments, const char *text)
{
	((struct asked_fleet *)arguments->context)->server.netrc = text;
	return 0;
}

static int take_ca(struct arguments *arguments, const char *text)
{
	((struct asked_fleet *)arguments->context)->server.ca = text;
	return 0;
}

static int take_certificate(struct arguments *arguments, const char *text)
{
	((struct asked_fleet *)arguments->context)->server.certificate = text;
	return 0;
}

static int take_key(struct arguments *arguments, const char *text)
{
	((struct asked_fleet *)arguments->context)->server.key = text;
	return 0;
}

static int ends_now(void *context)
{
	(void)context;
	return run_ends();
}

/* ---- machines --------------------------------------------------------------------------------------- */

/* A machine: its boots @first to @last of the fleet. */
struct machine {
	const struct fleet_boot *first, *last;
	u64 seen, losses;
	const char *ended;		/* how the newest boot ended of which that is known, or NULL */
	u64 ends;			/* number of boots of which it is known */
};

static int by_seen(const void *a, const void *b)
{
	const struct machine *one = a, *other = b;

	if (one->seen != other->seen)
		return one->seen < other->seen ? -1 : 1;
	return strcmp(one->last->host, other->last->host);
}

/* Return: the machines, those first that were seen the longest ago; NULL if there is no memory. */
static struct machine *make_machines(const struct fleet *fleet, size_t *count)
{
	struct machine *machines = calloc(fleet->count + 1, sizeof(*machines)), *machine = NULL;
	const struct fleet_boot *boot;

	*count = 0;
	for (boot = fleet->boots; machines && boot < fleet->boots + fleet->count; boot++) {
		if (!machine || strcmp(machine->first->machine, boot->machine)) {
			machine = &machines[(*count)++];
			machine->first = boot;
		}
		machine->last = boot;
		machine->seen = boot->last_wall > machine->seen ? boot->last_wall : machine->seen;
		machine->losses += boot->losses;
		if (boot->ended[0])
			machine->ended = boot->ended;
		machine->ends += !!boot->ended[0];
	}
	if (machines)
		qsort(machines, *count, sizeof(*machines), by_seen);
	return machines;
}

static const struct column machine_columns[] = {
	{ "host", "machine", CELL_TEXT },
	{ "machine", NULL, CELL_TEXT },
	{ "seen", "last seen", CELL_TEXT },
	{ "seen_wall_ns", NULL, CELL_NUMBER },
	{ "boots", "boots", CELL_NUMBER },
	{ "losses", "losses", CELL_NUMBER },
	{ "kernel", "kernel", CELL_TEXT },
	{ "crashes", "crashes", CELL_NUMBER },
	{ "ended", "the last of them", CELL_TEXT },
};

#define MACHINE_COLUMNS (sizeof(machine_columns) / sizeof(machine_columns[0]))

static struct cell text_cell(const char *text)
{
	return text && *text ? CELL_WORD(text) : CELL_NONE;
}

/* Writes a time of the wall clock in this machine's time zone. */
static void write_wall(char *text, size_t size, u64 wall)
{
	time_t seconds = (time_t)(wall / SECOND);
	struct tm parts;

	text[0] = '\0';
	if (wall)
		strftime(text, size, "%Y-%m-%d %H:%M:%S", localtime_r(&seconds, &parts));
}

static int print_machines(struct session *session, const struct fleet *fleet)
{
	struct machine *machines, *machine;
	struct table_rows table;
	char seen[32];
	size_t count;

	machines = make_machines(fleet, &count);
	if (!machines) {
		complain("no memory for the machines");
		return EXIT_ENVIRONMENT;
	}
	table_begin(&table, machine_columns, MACHINE_COLUMNS);
	for (machine = machines; machine < machines + count; machine++) {
		write_wall(seen, sizeof(seen), machine->seen);
		struct cell cells[MACHINE_COLUMNS] = {
			text_cell(machine->last->host), text_cell(machine->first->machine), text_cell(seen),
			machine->seen ? CELL_OF(machine->seen) : CELL_NONE, CELL_OF((u64)(machine->last - machine->first) + 1),
			CELL_OF(machine->losses), text_cell(machine->last->kernel), CELL_OF(machine->ends), text_cell(machine->ended),
		};

		table_row(&table, cells);
	}
	free(machines);
	if (!count)
		complain("no machine has shipped anything to this database yet: bcoslog ship --to does so on each of them");
	return table_end(&table, session) ? EXIT_ENVIRONMENT : EXIT_OK;
}

/* ---- crashes ----------------------------------------------------------------------------------------- */

static int by_reason(const void *a, const void *b)
{
	const struct fleet_boot *one = *(const struct fleet_boot *const *)a, *other = *(const struct fleet_boot *const *)b;
	int r = strcmp(one->ended, other->ended);

	return r ? r : strcmp(one->machine, other->machine);
}

static const struct column reason_columns[] = {
	{ "ended", "how boots ended", CELL_TEXT },
	{ "boots", "boots", CELL_NUMBER },
	{ "machines", "machines", CELL_NUMBER },
	{ "newest", "the newest", CELL_TEXT },
	{ "newest_wall_ns", NULL, CELL_NUMBER },
};

#define REASON_COLUMNS (sizeof(reason_columns) / sizeof(reason_columns[0]))

/* Adds a row for the boots from @at to @end, which ended in the same way. */
static void add_reason(struct table_rows *table, const struct fleet_boot *const *at, const struct fleet_boot *const *end)
{
	u64 boots = (u64)(end - at), machines = 1, newest = at[0]->last_wall;
	const char *reason = at[0]->ended;
	char text[32];

	for (at++; at < end; at++) {
		machines += !!strcmp(at[0]->machine, at[-1]->machine);
		newest = at[0]->last_wall > newest ? at[0]->last_wall : newest;
	}
	write_wall(text, sizeof(text), newest);
	struct cell cells[REASON_COLUMNS] = {
		text_cell(reason), CELL_OF(boots), CELL_OF(machines), text_cell(text), newest ? CELL_OF(newest) : CELL_NONE,
	};

	table_row(table, cells);
}

static int print_ends(struct session *session, const struct fleet *fleet)
{
	const struct fleet_boot **ended = calloc(fleet->count + 1, sizeof(*ended));
	size_t count = 0, i, next;
	struct table_rows table;

	if (!ended) {
		complain("no memory for the boots that ended");
		return EXIT_ENVIRONMENT;
	}
	for (i = 0; i < fleet->count; i++)
		if (fleet->boots[i].ended[0])
			ended[count++] = &fleet->boots[i];
	qsort(ended, count, sizeof(*ended), by_reason);
	table_begin(&table, reason_columns, REASON_COLUMNS);
	for (i = 0; i < count; i = next) {
		for (next = i + 1; next < count && !strcmp(ended[i]->ended, ended[next]->ended); next++)
			;
		add_reason(&table, ended + i, ended + next);
	}
	free(ended);
	if (!count)
		complain("of no boot it is known how it ended: bcoslog recover records that after a crash, where the log outlives one (bcoslog doctor)");
	return table_end(&table, session) ? EXIT_ENVIRONMENT : EXIT_OK;
}

/* ---- the command --------------------------------------------------------------------------------------- */

/* Return: 0, or -1 after a complaint. */
static int read_directory(struct fleet *fleet, const char *path)
{
	struct bcoslog_error error;
	struct bcoslog *log;
	int r = -1;

	if (bcoslog_open(&log, path, 0, &error)) {
		complain("%s", error.text);
		return r;
	}
	if (bcoslog_kind(log) != BCOSLOG_RECORDING) {
		complain("%s is no recorded directory, whose machines fleet lists: bcoslog record -o DIR makes one", path);
	} else {
		run_say_flaws(log, path);
		r = fleet_read_recording(fleet, log, path);
	}
	bcoslog_close(log);
	return r;
}

static int cmd_fleet(struct session *session, int argc, char **argv)
{
	struct asked_fleet asked = { .server = { .ends = ends_now } };
	struct arguments arguments = { .session = session, .command = &fleet_command, .context = &asked };
	int status = arguments_parse(&arguments, argc, argv);
	struct fleet fleet = { .count = 0 };
	const char *path;

	if (status >= 0)
		return status;
	if (asked.server.url && arguments.path != default_log) {
		complain("--from asks a server, and %s is a directory: leave one of them out", arguments.path);
		return EXIT_ENVIRONMENT;
	}
	run_catch_signals();
	path = arguments.path == default_log ? BCOSLOG_RECORD_DIRECTORY : arguments.path;
	if (asked.server.url ? fleet_read_server(&fleet, &asked.server) : read_directory(&fleet, path))
		status = run_signal ? 128 + (int)run_signal : EXIT_ENVIRONMENT;
	else
		status = asked.ends ? print_ends(session, &fleet) : print_machines(session, &fleet);
	fleet_free(&fleet);
	return print_end() && status == EXIT_OK ? EXIT_ENVIRONMENT : status;
}

static const struct option_spec options[] = {
	{ .name = "from", .value = "URL", .take = take_from,
	  .help = "ask the server to which machines ship: https://HOST:PORT/?database=NAME; ~/.netrc has user and password for it" },
	{ .name = "ends", .take = take_ends, .help = "list how boots ended, such as panics, and on how many machines" },
	{ .name = "json", .take = take_json },
	{ .name = "csv", .take = take_csv, .help = "print an object on each line, or a table as of RFC 4180" },
	{ .name = "netrc", .value = "FILE", .take = take_netrc, .help = "the file of users and passwords (~/.netrc)" },
	{ .name = "ca", .value = "FILE", .take = take_ca },
	{ .name = "cert", .value = "FILE", .take = take_certificate },
	{ .name = "key", .value = "FILE", .take = take_key,
	  .help = "certificates to trust, and the certificate and the key of this machine, as PEM" },
	{ .name = NULL },
};

const struct command fleet_command = {
	.name = "fleet",
	.summary = FLEET_SUMMARY,
	.usage =
"bcoslog fleet [OPTIONS] [DIR]\n"
"bcoslog fleet --from URL [OPTIONS]",
	.about =
"Lists the machines of which DIR, a recorded directory of several ones, or a server\n"
"knows: when something was last heard of each, those first that have been silent for\n"
"the longest time, how many boots there are, how many entries state a loss, the\n"
"kernel, and of how many boots it is known that they ended, as a crash that bcoslog\n"
"recover has recorded, with the newest of these.\n"
"\n"
"  bcoslog fleet --from https://logs.example:8443/",
	.options = { options },
	.status = "0 done, 2 DIR cannot be read, or the server gives no answer.",
	.run = cmd_fleet,
};
