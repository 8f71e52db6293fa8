// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog ship: sends rows of a recording to a server that many machines share. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "complain/complain.h"
#include "libexec/libexec.h"
#include "log/open.h"
#include "log/run.h"
#include "options/number.h"
#include "options/options.h"
#include "options/recorder_options.h"
#include "options/severity.h"
#include "output/output.h"
#include "ship/shipment.h"

/* The bytes a second that are sent at most, if nothing else is asked for. */
#define SPEED 100000
#define SPEED_MAX 1000000000000ull
#define STATE "/var/lib/bcos_ship/state"

struct asked_shipment {
	struct ship_options options;
	bool schema;
	const char *dialect;
};

static int take_to(struct arguments *arguments, const char *text)
{
	((struct asked_shipment *)arguments->context)->options.transport.url = text;
	return 0;
}

static int take_once(struct arguments *arguments, const char *text)
{
	(void)text;
	((struct asked_shipment *)arguments->context)->options.once = true;
	return 0;
}

static int take_state(struct arguments *arguments, const char *text)
{
	((struct asked_shipment *)arguments->context)->options.state = text;
	return 0;
}

static int take_severity(struct arguments *arguments, const char *text)
{
	return parse_severity("--severity", text, false, &((struct asked_shipment *)arguments->context)->options.severity);
}

static int take_without(struct arguments *arguments, const char *text)
{
	((struct asked_shipment *)arguments->context)->options.without = text;
	return ship_check_without(text);
}

static int take_limit(struct arguments *arguments, const char *text)
{
	return parse_number("--limit", text, SPEED_MAX, &((struct asked_shipment *)arguments->context)->options.transport.speed);
}

static int take_netrc(struct arguments *arguments, const char *text)
{
	((struct asked_shipment *)arguments->context)->options.transport.netrc = text;
	return 0;
}

static int take_ca(struct arguments *arguments, const char *text)
{
	((struct asked_shipment *)arguments->context)->options.transport.ca = text;
	return 0;
}

static int take_certificate(struct arguments *arguments, const char *text)
{
	((struct asked_shipment *)arguments->context)->options.transport.certificate = text;
	return 0;
}

static int take_key(struct arguments *arguments, const char *text)
{
	((struct asked_shipment *)arguments->context)->options.transport.key = text;
	return 0;
}

static int take_machine(struct arguments *arguments, const char *text)
{
	((struct asked_shipment *)arguments->context)->options.machine = text;
	return 0;
}

static int take_schema(struct arguments *arguments, const char *text)
{
	(void)text;
	((struct asked_shipment *)arguments->context)->schema = true;
	return 0;
}

static int take_dialect(struct arguments *arguments, const char *text)
{
	if (strcmp(text, "now") && strcmp(text, "18.16")) {
		complain("--dialect takes now, or 18.16 for a ClickHouse of that age, and not \"%s\"", text);
		return -1;
	}
	((struct asked_shipment *)arguments->context)->dialect = text;
	return 0;
}

static int ends_now(void *context)
{
	(void)context;
	return run_ends();
}

static int print_schema(const struct asked_shipment *asked)
{
	ship_schema(output_format, asked->dialect && !strcmp(asked->dialect, "18.16") ? SHIP_18_16 : SHIP_NOW);
	return print_end();
}

/* Return: 0, or -1 after a complaint about options that do not go together. */
static int check_options(const struct asked_shipment *asked)
{
	if (asked->schema && asked->options.transport.url) {
		complain("--schema asks no server: leave it out, or --to");
		return -1;
	}
	if (!asked->schema && !asked->options.transport.url) {
		complain("--to is missing, which names the server: bcoslog ship --to https://HOST:8443/?database=NAME");
		return -1;
	}
	if (!asked->schema && asked->dialect) {
		complain("--dialect is that of --schema, which is missing");
		return -1;
	}
	return 0;
}

/* What of the recording is not sent, since it is not read. */
static void say_flaws(const char *path)
{
	struct bcoslog_error error;
	struct bcoslog *log;

	/* Sending tells why a recording cannot be opened. */
	if (bcoslog_open(&log, path, 0, &error))
		return;
	if (bcoslog_kind(log) == BCOSLOG_RECORDING)
		run_say_flaws(log, path);
	bcoslog_close(log);
}

static int cmd_ship(struct session *session, int argc, char **argv)
{
	struct asked_shipment asked = {
		.options = { .state = STATE, .severity = BCOS_SEVERITY_ERROR, .transport = { .speed = SPEED, .ends = ends_now } },
	};
	struct arguments arguments = { .session = session, .command = &ship_command, .context = &asked };
	int status = arguments_parse(&arguments, argc, argv), r;

	if (status >= 0)
		return status;
	if (check_options(&asked))
		return EXIT_ENVIRONMENT;
	if (asked.schema)
		return print_schema(&asked);
	asked.options.path = arguments.path == default_log ? BCOSLOG_RECORD_DIRECTORY : arguments.path;
	run_catch_signals();
	say_flaws(asked.options.path);
	r = ship_run(&asked.options);
	if (r == -EINTR)
		return asked.options.once ? 128 + (int)run_signal : EXIT_OK;
	return !r ? EXIT_OK : r == -EBADMSG ? EXIT_DAMAGE : EXIT_ENVIRONMENT;
}

static const struct option_spec options[] = {
	{ .name = "to", .value = "URL", .take = take_to,
	  .help = "the server: https://HOST:PORT/?database=NAME; ~/.netrc has user and password for it" },
	{ .name = "once", .take = take_once, .help = "end when all that DIR has now has arrived, or after five tries" },
	{ .name = "state", .value = "FILE", .take = take_state, .help = "the file of what has arrived (" STATE ")" },
	{ .name = "severity", .value = "MIN", .kind = VALUE_SEVERITY, .take = take_severity,
	  .help = "send events of at least this severity (error)" },
	{ .name = "without", .value = "COLUMN[,...]", .take = take_without,
	  .help = "leave out texts, such as arguments, which may have passwords" },
	{ .name = "machine", .value = "NAME|ID", .take = take_machine, .help = "only this machine of a recorded directory" },
	{ .name = "limit", .value = "BYTES", .take = take_limit, .help = "send at most this many bytes a second (100000); 0 is no limit" },
	{ .name = "netrc", .value = "FILE", .take = take_netrc, .help = "the file of users and passwords (~/.netrc)" },
	{ .name = "ca", .value = "FILE", .take = take_ca },
	{ .name = "cert", .value = "FILE", .take = take_certificate },
	{ .name = "key", .value = "FILE", .take = take_key,
	  .help = "certificates to trust, and the certificate and the key of this machine, as PEM" },
	{ .name = "schema", .take = take_schema, .help = "print the statements that make the tables of the server" },
	{ .name = "dialect", .value = "DIALECT", .take = take_dialect, .help = "for which server: now (the default), or 18.16" },
	{ .name = NULL },
};

const struct command ship_command = {
	.name = "ship",
	.summary = SHIP_SUMMARY,
	.usage =
"bcoslog ship --to URL [OPTIONS] [DIR]\n"
"bcoslog ship --schema [--dialect 18.16]",
	.about =
"Sends what is recorded in DIR to a ClickHouse server, which many machines share:\n"
"the processes that ended, the CPU time of each name in steps of 10 s, events from\n"
"a severity on, what was lost, and the boots.  DIR is what bcoslog record writes, by\n"
"default that of the service.  The recording is the queue: what the server did not\n"
"take is sent later, and what the recorder deleted before that is a row of the table\n"
"loss.  Rows that are sent twice count once (SELECT ... FINAL).  Runs of single\n"
"processes stay on the machine.\n"
"\n"
"  bcoslog ship --schema | clickhouse-client -n\n"
"  bcoslog ship --to https://logs.example:8443/",
	.options = { options },
	.status = "0 done, 1 DIR is damaged, 2 DIR cannot be read, or the server took not all.",
	.run = cmd_ship,
};
