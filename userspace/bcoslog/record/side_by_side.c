// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Shows several machines together: see side_by_side.h. A subcommand has global state for one log, so each machine has a
 * process of its own.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "log/run.h"
#include "options/boots.h"
#include "entry/escape.h"
#include "output/object.h"
#include "output/output.h"
#include "output/times.h"
#include "shared/complain.h"
#include "side_by_side.h"

#define MACHINES 64

bool beside_others;

/* A machine, and the next line of the process that shows it. @line is NULL if the process has no more. */
struct side {
	struct boot of;
	FILE *from;
	pid_t process;
	char *line, *text;
	size_t room;
	u64 key;
};

static struct side merge_sides[MACHINES];
static u32 side_count;

void side_by_side_key(u64 time)
{
	static u64 newest;
	u64 utc = wall_time(time);

	/* Keys never go back, so historical entries keep their place in the log. */
	if (utc > newest)
		newest = utc;
	output_room();
	put_number(newest);
	put_char(' ');
}

/* Fills in merge_sides.  Return: whether it has room for all machines. */
static bool find_machines(struct bcoslog *log)
{
	struct boot boot;
	u32 i;

	for (i = 0; boots_get(log, i, &boot); i++) {
		if (side_count && boots_same_machine(&boot, &merge_sides[side_count - 1].of))
			continue;
		if (side_count == MACHINES)
			return false;
		merge_sides[side_count++].of = boot;
	}
	return true;
}

/* Forks the process that shows a machine.  Return: 1 in the new process, 0 in this one, or a negative errno. */
static int begin_side(struct side *side)
{
	struct side *earlier;
	int ends[2], r;

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	side->process = fork();
	if (!side->process) {
		/* An earlier process ends when it writes and nobody is left who reads its pipe. */
		for (earlier = merge_sides; earlier < side; earlier++)
			close(fileno(earlier->from));
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		return 1;
	}
	r = side->process < 0 ? -errno : -ENOMEM;
	close(ends[1]);
	side->from = side->process < 0 ? NULL : fdopen(ends[0], "r");
	if (side->from)
		return 0;
	close(ends[0]);
	return r;
}

/* Reads the next line of a process, which begins with its key. */
static void next_line(struct side *side)
{
	ssize_t length = getline(&side->line, &side->room, side->from);

	if (length > 0) {
		side->key = strtoull(side->line, &side->text, 10);
		side->text += *side->text == ' ';
		return;
	}
	free(side->line);
	side->line = NULL;
}

/* Writes the name of the machine, with its ID if another machine has that name. */
static void name_of(const struct side *side, char *name, size_t room)
{
	const char *host = side->of.about.host;
	bool alone = true;
	u32 i;

	for (i = 0; i < side_count; i++)
		alone &= merge_sides + i == side || strcmp(merge_sides[i].of.about.host, host);
	snprintf(name, room, alone ? "%s" : "%s (%.8s)", *host ? host : "?",
		 *side->of.machine ? side->of.machine : "?");
}

static void print_line(const struct side *side, bool json)
{
	char name[80], shown[ESCAPE_MAX * sizeof(name)];

	if (json && *side->text == '{') {
		output_room();
		put_literal("{\"machine\":");
		object_string(side->of.about.host);
		put_literal(",\"machine_id\":");
		object_string(side->of.machine);
		put_char(',');
		output_bytes(side->text + 1, strlen(side->text + 1));
		return;
	}
	name_of(side, name, sizeof(name));
	escape_sentence(shown, sizeof(shown), name);
	output_format("%-16s ", shown);
	output_bytes(side->text, strlen(side->text));
}

static void print_lines(bool json)
{
	struct side *first;
	u32 i;

	for (i = 0; i < side_count; i++)
		next_line(merge_sides + i);
	do {
		first = NULL;
		for (i = 0; i < side_count; i++)
			if (merge_sides[i].line && (!first || merge_sides[i].key < first->key))
				first = merge_sides + i;
		if (!first)
			break;
		print_line(first, json);
		next_line(first);
	} while (!output.error && !run_signal);
}

/* Ends the pipes and waits for the processes.  Return: the greatest of their exit statuses. */
static int end_all(void)
{
	int worst = EXIT_OK, status;
	u32 i;

	/* All pipes end before this waits for a process, which may hold the end of another one's pipe. */
	for (i = 0; i < side_count; i++)
		if (merge_sides[i].from)
			fclose(merge_sides[i].from);
	for (i = 0; i < side_count; i++) {
		if (!merge_sides[i].from)
			continue;
		free(merge_sides[i].line);
		while (waitpid(merge_sides[i].process, &status, 0) < 0 && errno == EINTR)
			;
		status = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_ENVIRONMENT;
		if (status > worst)
			worst = status;
	}
	return worst;
}

int side_by_side(struct run *run, bool json)
{
	int r = 0;
	u32 i;

	if (run->follow || !boots_are_several(run->log) || !find_machines(run->log))
		return -1;
	for (i = 0; i < side_count && !r; i++)
		r = begin_side(merge_sides + i);
	if (r > 0) {
		boots_choose_machine(&merge_sides[i - 1].of);
		beside_others = wall_needed = true;
		time_mode = TIME_WALL;
		output.begin = NULL;
		return -1;
	}
	if (r < 0)
		complain("no process can be started for each machine: %s", strerror(-r));
	else
		print_lines(json);
	i = (u32)end_all();
	return r ? EXIT_ENVIRONMENT : (int)i;
}
