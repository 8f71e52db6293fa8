// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs of others: see bench.h. */
#include "bench.h"

#include <signal.h>
#include <sys/prctl.h>

static void log_of(const char *name, char *path, size_t size)
{
	snprintf(path, size, "/tmp/%s.log", name);
}

static void print_output(const char *name, const char *what)
{
	char path[60], text[2000] = "";

	log_of(name, path, sizeof(path));
	read_file(path, text, sizeof(text));
	errno = 0;
	give_up("%s: %s: %s", name, what, text);
}

/* Becomes the program in the child. */
static void become_tool(const char *name, char *const *arguments, int in, int out)
{
	char path[60];
	int log;

	log_of(name, path, sizeof(path));
	log = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (log < 0 || dup2(in, 0) < 0 || dup2(out < 0 ? log : out, 1) < 0 || dup2(log, 2) < 0)
		_exit(126);
	execv(arguments[0], arguments);
	dprintf(2, "cannot be started: %s", strerror(errno));
	_exit(127);
}

struct tool tool_start(const char *name, char *const *arguments)
{
	struct tool tool = { .name = name };
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
		give_up("pipe");
	fflush(stdout);
	tool.pid = fork();
	if (tool.pid < 0)
		give_up("fork");
	if (!tool.pid)
		become_tool(name, arguments, to[0], from[1]);
	close(to[0]);
	close(from[1]);
	tool.to = to[1];
	tool.from = from[0];
	return tool;
}

void tool_line(struct tool *tool, char *line, size_t size)
{
	size_t at = 0;

	while (at < size - 1 && read(tool->from, &line[at], 1) == 1 && line[at] != '\n')
		at++;
	if (!at)
		print_output(tool->name, "it says nothing");
	line[at] = 0;
}

void tool_stop(struct tool *tool, int signal)
{
	close(tool->to);
	if (signal)
		kill(tool->pid, signal);
	reap_child(tool->pid, NULL);
	close(tool->from);
}

void tool_run(const char *name, char *const *arguments)
{
	int in = open("/dev/null", O_RDONLY | O_CLOEXEC), status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		give_up("fork");
	if (!pid)
		become_tool(name, arguments, in, -1);
	close(in);
	status = reap_child(pid, NULL);
	if (status)
		print_output(name, "it failed");
}
