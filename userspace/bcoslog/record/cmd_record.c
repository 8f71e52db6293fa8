// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog record: keeps the log in files of a directory, or in memory. */
#include <stdlib.h>
#include <unistd.h>

#include "bcoslog_archive.h"
#include "classes.h"
#include "command.h"
#include "former.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/source.h"
#include "log/run.h"
#include "options/number.h"
#include "options/options.h"
#include "options/recorder_options.h"
#include "options/when.h"
#include "recorder_loop.h"
#include "complain/complain.h"
#include "socket/socket.h"

#define SECOND 1000000000ull
#define MIB ((u64)1 << 20)

/* ---- options ----------------------------------------------------------------- */

/* Parses a size such as "64M", in bytes or with K, M, G or T.  Return: whether the text is one. */
static bool is_size(const char *text, u64 *size)
{
	static const char units[] = "KMGT";
	const char *unit;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*size = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (errno || (*end && (!unit || end[1])))
		return false;
	return !__builtin_mul_overflow(*size, unit ? (u64)1 << (10 * (unit - units + 1)) : 1, size);
}

static int parse_size(const char *option, const char *text, u64 least, u64 *size)
{
	if (is_size(text, size) && *size >= least)
		return 0;
	complain("%s takes a number of bytes, such as 64M or 2G, not less than %lluK, not \"%s\"", option,
		 (unsigned long long)least >> 10, text);
	return -1;
}

static int take_output(struct arguments *arguments, const char *text)
{
	((struct recorder *)arguments->context)->directory = text;
	if (*text)
		return 0;
	complain("the name of the directory is empty");
	return -1;
}

static int take_keep(struct arguments *arguments, const char *text)
{
	struct recorder *recorder = arguments->context;
	u64 *limit = &recorder->limits.keep_age, value;

	if (!recorder->keeps)
		recorder->limits.keep_size = 0;
	recorder->keeps = true;
	if (is_size(text, &value) && value) {
		limit = &recorder->limits.keep_size;
	} else if (!is_duration(text, &value) || !value) {
		complain("--keep takes bytes, such as 2G, or a time, such as 7d, not \"%s\"", text);
		return -1;
	}
	if (*limit) {
		complain("--keep is given twice for %s: leave one of them out", limit == &recorder->limits.keep_age ? "a time" : "bytes");
		return -1;
	}
	*limit = value;
	return 0;
}

static int take_size(struct arguments *arguments, const char *text)
{
	return parse_size("--size", text, 1024, &((struct recorder *)arguments->context)->limits.file_size);
}

static int take_spare(struct arguments *arguments, const char *text)
{
	return parse_size("--spare", text, 0, &((struct recorder *)arguments->context)->limits.spare);
}

static int parse_time(const char *option, const char *text, u64 *ns)
{
	if (parse_duration(option, text, ns))
		return -1;
	if (*ns)
		return 0;
	complain("%s takes a time, and 0 is none", option);
	return -1;
}

static int take_age(struct arguments *arguments, const char *text)
{
	return parse_time("--age", text, &((struct recorder *)arguments->context)->limits.file_age);
}

static int take_interval(struct arguments *arguments, const char *text)
{
	struct recorder *recorder = arguments->context;

	if (parse_time("--interval", text, &recorder->interval))
		return -1;
	recorder->limits.sync = recorder->interval;
	recorder->timed = true;
	return 0;
}

static int take_level(struct arguments *arguments, const char *text)
{
	u64 level;

	if (parse_number("--level", text, 19, &level))
		return -1;
	((struct recorder *)arguments->context)->limits.level = (int)level;
	if (level)
		return 0;
	complain("--level takes a number from 1 to 19, and 0 is none");
	return -1;
}

static int take_plain(struct arguments *arguments, const char *text)
{
	(void)text;
	((struct recorder *)arguments->context)->limits.plain = true;
	return 0;
}

static int take_memory(struct arguments *arguments, const char *text)
{
	(void)text;
	((struct recorder *)arguments->context)->memory = true;
	return 0;
}

static int take_socket(struct arguments *arguments, const char *text)
{
	((struct recorder *)arguments->context)->socket = text;
	return 0;
}

static int take_pin(struct arguments *arguments, const char *text)
{
	static const char *const words[] = { [PIN_NOTHING] = "no", [PIN_MAPS] = "maps", [PIN_LINKS] = "links" };
	struct recorder *recorder = arguments->context;
	u32 i;

	for (i = PIN_NOTHING; i <= PIN_LINKS; i++) {
		if (!strcmp(words[i], text)) {
			recorder->pin = i;
			return 0;
		}
	}
	complain("--pin takes no, maps or links, not \"%s\"", text);
	return -1;
}

static int take_pin_name(struct arguments *arguments, const char *text)
{
	((struct recorder *)arguments->context)->pin_name = text;
	return 0;
}

static int take_on(struct arguments *arguments, const char *text)
{
	return triggers_add(&((struct recorder *)arguments->context)->triggers, text);
}

static int take_before(struct arguments *arguments, const char *text)
{
	return parse_duration("--before", text, &((struct recorder *)arguments->context)->incident.before);
}

static int take_after(struct arguments *arguments, const char *text)
{
	return parse_duration("--after", text, &((struct recorder *)arguments->context)->incident.after);
}

static int take_per_hour(struct arguments *arguments, const char *text)
{
	u64 number;

	if (parse_number("--per-hour", text, 3600, &number))
		return -1;
	((struct recorder *)arguments->context)->incident.per_hour = (u32)number;
	if (number)
		return 0;
	complain("--per-hour takes a number from 1 to 3600, and 0 is none");
	return -1;
}

static int take_exec(struct arguments *arguments, const char *text)
{
	((struct recorder *)arguments->context)->incident.command = text;
	return 0;
}

/* Checks that the options go together.  Return: 0, or -1 after a complaint. */
static int check_options(struct recorder *recorder)
{
	if (recorder->incident.command && !recorder->triggers) {
		complain("--exec runs a command with each file of --on: add --on CONDITION");
		return -1;
	}
	if (recorder->memory && recorder->directory && !recorder->triggers) {
		complain("--memory writes nothing, and -o %s says where: leave one of them out", recorder->directory);
		return -1;
	}
	if (!recorder->directory)
		recorder->directory = BCOSLOG_RECORD_DIRECTORY;
	/* Triggers have to notice their events soon. */
	if (recorder->triggers && !recorder->timed)
		recorder->interval = SECOND;
	return 0;
}

/* Return: whether BPF programs will record, as far as can be said before the log is open. */
static bool is_by_bpf(const struct session *session, const char *path)
{
	return path == default_log && (session->recorder.engine == ENGINE_BPF ||
				       (session->recorder.engine == ENGINE_AUTO && access(default_log, F_OK)));
}

/*
 * Opens the directory, and finds out whether another recorder of this machine is there, before programs are loaded or a log
 * is opened, which takes seconds.  Return: 0, or -1 after a complaint.
 */
static int claim_places(const struct session *session, struct recorder *recorder, const char *path)
{
	if (is_by_bpf(session, path) && !(recorder->socket && !*recorder->socket) && server_is_taken(recorder->socket))
		return -1;
	if (recorder->memory && !recorder->triggers)
		return 0;
	recorder->store = store_open(recorder->directory, &recorder->limits, &record_caller);
	if (!recorder->store)
		return -1;
	return path == default_log ? store_claim(recorder->store) : 0;
}

/*
 * Chooses what outlives this recorder. Without a word about it that is the log of the recorder that other commands ask, since
 * it is the only one of this machine.
 */
static void choose_pins(const struct recorder *recorder, struct session *session)
{
	struct engine_pins *pins = &session->recorder.pins;
	bool wanted = recorder->pin != PIN_UNSAID || recorder->pin_name;

	if (recorder->pin == PIN_NOTHING || (!wanted && (recorder->socket || getenv("BCOSLOG_SOCKET"))))
		return;
	pins->name = recorder->pin_name ? recorder->pin_name : "bcos_recorder";
	pins->required = wanted;
	pins->links = recorder->pin == PIN_LINKS;
	if (wanted)
		session->recorder.bpf_only = recorder->pin == PIN_UNSAID ? "pin-name" : "pin";
}

static int cmd_record(struct session *session, int argc, char **argv)
{
	struct recorder recorder = {
		.interval = 5 * SECOND,
		.limits = { .file_size = 64 * MIB, .file_age = 3600 * SECOND, .keep_size = 2048 * MIB,
			    .sync = 5 * SECOND, .level = 1 },
		.incident = { .before = 10 * SECOND, .after = 5 * SECOND, .per_hour = 12 },
	};
	struct arguments arguments = { .session = session, .command = &command_record, .context = &recorder };
	struct run run = { .session = session, .entries = record_entries, .resumed = record_resumed };
	int status = arguments_parse(&arguments, argc, argv);
	u32 classes, turned_on;

	if (status >= 0)
		goto free;
	status = EXIT_ENVIRONMENT;
	run.path = arguments.path;
	run.follow = arguments.follow;
	session->asks_nobody = true;
	if (check_options(&recorder) || claim_places(session, &recorder, arguments.path))
		goto close;
	classes = classes_choose(session, arguments.path);
	choose_pins(&recorder, session);
	if (arguments.path == default_log && recorder.store && !recorder.triggers)
		former_record(&recorder, session);
	if (run_signal) {
		status = EXIT_OK;
	} else if (!run_open(&run, !strcmp(arguments.path, default_log) ? BCOSLOG_FOLLOW : 0)) {
		turned_on = classes_turn_on(run.log, classes);
		status = record_log(&recorder, &run);
		run_damage_end(&run);
		classes_turn_off(turned_on);
		if (status == EXIT_ENVIRONMENT && bcoslog_leave_bpf(run.log))
			complain("what is not in files yet stays in /run/%s: the next recorder goes on with it",
				 session->recorder.pins.name);
		bcoslog_close(run.log);
	}
close:
	if (recorder.store)
		store_close(recorder.store);
free:
	triggers_free(recorder.triggers);
	return status;
}

static const struct option_spec options[] = {
	{ .name = "output", .letter = 'o', .value = "DIR", .take = take_output,
	  .help = "the directory (" BCOSLOG_RECORD_DIRECTORY ")" },
	{ .name = "keep", .value = "LIMIT", .many = true, .take = take_keep,
	  .help = "keep at most this much: bytes, such as 2G, or a time, such as 7d; may be given once for each "
		  "(2G)" },
	{ .name = "size", .value = "SIZE", .take = take_size, .help = "close a file that has this size (64M)" },
	{ .name = "age", .value = "TIME", .take = take_age, .help = "close a file that has this age (1h)" },
	{ .name = "spare", .value = "SIZE", .take = take_spare, .help = "leave this much of the disk free (0)" },
	{ .name = "interval", .value = "TIME", .take = take_interval,
	  .help = "have entries on the disk after this time at the latest (5s; 1s with --on)" },
	{ .name = "level", .value = "N", .take = take_level, .help = "compress at this level, 1 to 19 (1)" },
	{ .name = "plain", .take = take_plain,
	  .help = "write files that zstd alone unpacks to the log, and that are almost twice as large" },
	{ .name = "memory", .take = take_memory, .help = "write no files: the log of BPF programs stays in memory" },
	{ .name = "socket", .value = "PATH", .take = take_socket,
	  .help = "answer other commands at this socket, or at none if PATH is empty "
		  "(/run/bcos_evlog/recorder.sock)" },
	{ .name = "pin", .value = "WHAT", .take = take_pin,
	  .help = "what BPF programs recorded outlives a recorder that is killed: no, maps (what it had; the default), or "
		  "links (and the programs go on until the next recorder does)" },
	{ .name = "pin-name", .value = "NAME", .take = take_pin_name,
	  .help = "keep that in the folders /run/NAME and /sys/fs/bpf/NAME (bcos_recorder)" },
	{ .name = "on", .value = "CONDITION", .many = true, .take = take_on,
	  .help = "keep only the part around such events, each in a file of its own; may be repeated: signal (one "
		  "ended a process), signal:SIGSEGV, severity>=error, text:REGEX, offcpu>50ms, offcpu:NAME>50ms, "
		  "loss, SIGUSR1 (this program gets it)" },
	{ .name = "before", .value = "TIME", .take = take_before },
	{ .name = "after", .value = "TIME", .take = take_after,
	  .help = "keep this much before the event, and after it (10s, 5s)" },
	{ .name = "per-hour", .value = "N", .take = take_per_hour,
	  .help = "write at most this many files in an hour (12)" },
	{ .name = "exec", .value = "COMMAND", .take = take_exec,
	  .help = "have a shell run COMMAND with each file and its cause" },
	{ .name = "follow", .letter = 'f', .take = take_follow, .help = "go on as a file grows" },
	{ .name = NULL },
};

const struct command command_record = {
	.name = "record",
	.summary = "keep the log in a directory for weeks",
	.usage = "bcoslog [RECORDER] record [OPTIONS] [LOG]",
	.about =
"Keeps LOG (the device, the log of BPF programs, a file, or - for standard input;\n"
"default " BCOS_DEVICE_PATH ") in compressed files of a directory, until Ctrl-C.\n"
"That directory is a LOG for every other command.  A log of BPF programs is also\n"
"in memory, and every other command reads it from there.  If the module has kept\n"
"the image of the former boot (bcoslog-recover(1)), that is recorded first.\n"
"\n"
"It keeps what bcoslog why needs: the classes state, exec and request as well as\n"
"the default ones.  The module records them as long as the recorder runs.  The\n"
"class exec keeps the arguments of programs, which may include passwords.\n"
"bcoslog --classes default record keeps less; bcoslog-record(1) tells what both\n"
"cost.",
	.options = { options },
	.status = "0 done, 1 LOG is damaged, 2 LOG cannot be read, or the directory cannot be written.",
	.records = true,
	.run = cmd_record,
};
