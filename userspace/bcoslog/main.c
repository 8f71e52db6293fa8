// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tool bcoslog: its commands and its help. */
#include <fcntl.h>
#include <unistd.h>

#include "command.h"
#include "completion/completion.h"
#include "options/recorder_options.h"
#include "late/complain.h"
#include "output/output.h"

static const char help[] =
"Usage: bcoslog [RECORDER] COMMAND [OPTIONS] [LOG]\n"
"\n"
"Reads the event log of this machine, or one that was kept.  LOG is the device\n"
"(default " BCOS_DEVICE_PATH "), a file, a directory that bcoslog record has\n"
"written, or - for standard input.\n"
"\n"
"Reports:\n"
"  top        show which processes use the CPUs, the busiest first\n"
"  cpu        show what each CPU did: processes, kernel, idle\n"
"  io         show bytes and interrupts of the devices\n"
"  power      show performance and power of the cores\n"
"  processes  list the processes: when they lived and how they ended\n"
"  story      tell the life of a process on a page\n"
"  around     show what every CPU did around a moment\n"
"  latency    show how long processes waited for a CPU\n"
"  offcpu     list the times for which a process had no CPU\n"
"  turns      list each turn of a process on a CPU\n"
"  losses     list what was lost or not recorded, and why\n"
"  explore    write all of it as a page for a browser\n"
"  serve      show that page while the log grows\n"
"\n"
"Entries:\n"
"  dump       print each entry as a line\n"
"  text       print generic events as a text log\n"
"  cat        copy the entries as they are\n"
"  check      check that the log is well-formed, in order, and explains itself\n"
"  merge      join several logs of a machine\n"
"  convert    convert the log to the format of another tool, or back\n"
"  bridge     write the log to user_events tracepoints while it grows\n"
"  collect    print the log as messages of numbers, as event loggers do\n"
"\n"
"Recording:\n"
"  record     keep the log in a directory for weeks\n"
"  status     show the state of the log, or what a file contains\n"
"  mask       choose the classes of events to record\n"
"  watch      wait for compactions\n"
"  attach     load BPF programs that write events into the log\n"
"  doctor     find out what this machine lacks, and how to mend it\n"
"\n"
"  help       print this text, or that of a command\n"
"\n"
"RECORDER, if no LOG is named:\n"
"  --engine auto     read the device, or record by BPF if there is none (default)\n"
"  --engine module   read the device\n"
"  --engine bpf      record by BPF programs from now on, with these options:\n"
"  --for DURATION    how long to record, such as 5s, before the command shows it.\n"
"                    The default is until Ctrl-C on a terminal, else 5 s; with -f\n"
"                    the command shows events as they happen\n"
"  --classes LIST    classes to record, such as assign,irq (all, default, none)\n"
"  --calls-of P      also record the calls (class api) of this process alone, by\n"
"                    number or name\n"
"  --ring KIB        size of the log (8192)\n"
"  --staging KIB     size of the staging ring of each CPU (1024)\n"
"\n"
"  bcoslog COMMAND --help explains a command; bcoslog-COMMAND(1) is its manual.\n"
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
	{ "losses", cmd_losses },
	{ "power", cmd_power },
	{ "processes", cmd_processes },
	{ "story", cmd_story },
	{ "top", cmd_top },
	{ "turns", cmd_turns },
};

static const struct command *find_command(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	complain("there is no command \"%s\": see bcoslog help", name);
	return NULL;
}

static void command_names(void)
{
	char text[64];
	const char *at;
	size_t i;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		char about[80] = "";

		snprintf(text, sizeof(text), "\n  %s ", commands[i].name);
		at = strstr(help, text);
		if (at) {
			at += strlen(text);
			at += strspn(at, " ");
			snprintf(about, sizeof(about), "%.*s", (int)strcspn(at, "\n"), at);
		}
		candidate(commands[i].name, about);
	}
	candidate("help", "print the list of commands, or the help of one");
}

static int command_run(const char *name, int argc, char **argv)
{
	size_t i;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(commands[i].name, name))
			return commands[i].run(argc, argv);
	return EXIT_ENVIRONMENT;
}

static int print_help(const char *text)
{
	output_bytes(text, strlen(text));
	return print_end();
}

static int help_of(const char *name)
{
	char option[] = "--help", *arguments[] = { NULL, option, NULL };
	const struct command *command = find_command(name);

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
	completed_tool = (struct tool){ .names = command_names, .run = command_run };
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
		return print_help("");
	}
	if (!strcmp(name, "--help") || !strcmp(name, "-h"))
		return print_help(help);
	if (!strcmp(name, "help"))
		return argc > 2 ? help_of(argv[2]) : print_help(help);
	if (name[0] == '-') {
		complain("there is no option %s: see bcoslog help", name);
		return EXIT_ENVIRONMENT;
	}
	/* The help does not list "complete": only the completion of shells calls it. */
	if (!strcmp(name, "complete"))
		return cmd_complete(argc - 1, argv + 1);
	command = find_command(name);
	if (!command)
		return EXIT_ENVIRONMENT;
	if (options && (command->run == cmd_attach || command->run == cmd_doctor)) {
		complain("%s reads no log: leave the options before it out", name);
		return EXIT_ENVIRONMENT;
	}
	return command->run(argc - 1, argv + 1);
}
