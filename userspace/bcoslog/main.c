// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog: reads BCOS event logs. */
#include <fcntl.h>
#include <unistd.h>

#include "command.h"
#include "completion/completion.h"

static const char help[] =
"Usage: bcoslog [RECORDER] COMMAND [OPTIONS] [LOG]\n"
"\n"
"Reads BCOS event logs.  LOG is the device (default " BCOS_DEVICE_PATH "),\n"
"a file, a directory that bcoslog record has written, or - for standard input.\n"
"\n"
"  dump    a line for each entry\n"
"  text    generic events as a text log\n"
"  check   is the log well-formed, in order, and does it explain itself\n"
"  cat     the entries as they are\n"
"  status  how the log does; of a file, what is in it\n"
"  mask    which classes of events are recorded\n"
"  watch   wait for compactions\n"
"  collect the log as messages of numbers, as event loggers have them\n"
"  attach  BPF programs that put events into the log\n"
"  record  keep the log in a directory, for weeks\n"
"  merge   several logs of a machine as one\n"
"  doctor  what this machine can do with the log, and what it lacks for that\n"
"\n"
"  top       who had the CPUs, most first\n"
"  cpu       what each CPU was used for\n"
"  io        what devices transferred\n"
"  power     performance and power of cores\n"
"  processes who lived, when, and how it ended\n"
"  offcpu    stretches for which a process had no CPU\n"
"  latency   how long processes wait for a CPU\n"
"  turns     each turn of a process on a CPU, and what was before it\n"
"  story     the life of a process on a page\n"
"  around    what every CPU did around a moment\n"
"  explore   all of it as a page for a browser\n"
"  serve     that page, while the log goes on\n"
"  convert   the log in the format of another tool, or the other way round\n"
"  bridge    the log as events of user_events tracepoints, while it grows\n"
"\n"
"  help    this text, or that of a command\n"
"\n"
"RECORDER, if no LOG is named:\n"
"  --engine auto     the device, or BPF if there is none (default)\n"
"  --engine module   the device\n"
"  --engine bpf      BPF programs record, from now on; and of these:\n"
"  --for DURATION    how long, such as 5s; then what happened is shown.  Without\n"
"                    it until Ctrl-C on a terminal, else 5 s; with -f it is\n"
"                    shown as it happens\n"
"  --classes LIST    what, such as assign,irq (all, default, none)\n"
"  --calls-of P      of class api, the calls of this process alone, by number or\n"
"                    name\n"
"  --ring KIB        size of the log (8192)\n"
"  --staging KIB     of what each CPU records until it is in the log (1024)\n"
"\n"
"  bcoslog COMMAND --help tells more, as do bcoslog(1) and bcoslog-COMMAND(1).\n"
"  bcoslog --version\n"
"\n"
"Exit status: 0 done, 1 the log is damaged or breaks the rules, 2 wrong usage,\n"
"or the log cannot be read.\n";

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "cat", cmd_cat },
	{ "dump", cmd_dump },
	{ "text", cmd_text },
	{ "check", cmd_check },
	{ "status", cmd_status },
	{ "mask", cmd_mask },
	{ "watch", cmd_watch },
	{ "collect", cmd_collect },
	{ "attach", cmd_attach },
	{ "doctor", cmd_doctor },
	{ "explore", cmd_explore },
	{ "serve", cmd_serve },
	{ "convert", cmd_convert },
	{ "bridge", cmd_bridge },
	{ "record", cmd_record },
	{ "merge", cmd_merge },
	{ "around", cmd_around },
	{ "cpu", cmd_cpu },
	{ "io", cmd_io },
	{ "latency", cmd_latency },
	{ "offcpu", cmd_offcpu },
	{ "power", cmd_power },
	{ "processes", cmd_processes },
	{ "story", cmd_story },
	{ "top", cmd_top },
	{ "turns", cmd_turns },
};

static const struct command *find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	complain("there is no command \"%s\": see bcoslog help", name);
	return NULL;
}

void command_names(void)
{
	char text[64], about[80];
	const char *at;
	size_t i;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		snprintf(text, sizeof(text), "\n  %s ", commands[i].name);
		at = strstr(help, text);
		about[0] = '\0';
		if (at) {
			at += strlen(text);
			at += strspn(at, " ");
			snprintf(about, sizeof(about), "%.*s", (int)strcspn(at, "\n"), at);
		}
		candidate(commands[i].name, about);
	}
	candidate("help", "what there is, or that of a command");
}

int command_run(const char *name, int argc, char **argv)
{
	size_t i;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(commands[i].name, name))
			return commands[i].run(argc, argv);
	return EXIT_ENVIRONMENT;
}

static int print(const char *text)
{
	output_bytes(text, strlen(text));
	return print_end();
}

static int help_of(const char *name)
{
	char option[] = "--help", *arguments[] = { NULL, option, NULL };
	const struct command *command = find(name);

	return command ? command->run(2, arguments) : EXIT_ENVIRONMENT;
}

/*
 * If a standard descriptor is closed, opening the log would return its number, and output would go into the log.
 * Therefore /dev/null takes its place, opened in the wrong direction, so that using it is an error.
 */
static int open_standard(void)
{
	int fd, got;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		got = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
		if (got != fd)
			return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct command *command;
	const char *name;
	int options;

	if (open_standard())
		return EXIT_ENVIRONMENT;
	tool_arguments = argv;
	options = argc > 1 ? recorder_options(argc - 1, argv + 1) : 0;
	if (options < 0)
		return EXIT_ENVIRONMENT;
	argc -= options;
	argv += options;
	name = argc > 1 ? argv[1] : NULL;
	if (!name) {
		complain("a command is missing: see bcoslog help");
		return EXIT_ENVIRONMENT;
	}
	if (!strcmp(name, "--version")) {
		output_format("bcoslog %s\n", bcoslog_version());
		return print("");
	}
	if (!strcmp(name, "--help") || !strcmp(name, "-h"))
		return print(help);
	if (!strcmp(name, "help"))
		return argc > 2 ? help_of(argv[2]) : print(help);
	if (name[0] == '-') {
		complain("there is no option %s: see bcoslog help", name);
		return EXIT_ENVIRONMENT;
	}
	/* For shells alone. */
	if (!strcmp(name, "complete"))
		return cmd_complete(argc - 1, argv + 1);
	command = find(name);
	if (!command)
		return EXIT_ENVIRONMENT;
	if (options && (command->run == cmd_attach || command->run == cmd_doctor)) {
		complain("%s reads no log: leave the options before it out", name);
		return EXIT_ENVIRONMENT;
	}
	return command->run(argc - 1, argv + 1);
}
