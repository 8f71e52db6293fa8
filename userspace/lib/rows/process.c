// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table process: how each process lived and ended, and what it used. */
#include "buffer.h"
#include "life.h"

#define CONTAINER_LENGTH 64

enum {
	UPID, PID, NAME, FORMER, START_TS, START_ERROR_NS, END_TS, BORN, END_KIND, EXIT_CODE, SIGNAL, SIGNAL_NAME, SIGNAL_BY,
	KILLER_PID, KILLER_NAME, KILLER_UID, OOM, PARENT_UPID, PARENT_PID, PARENT_NAME, UID, PATH, ARGUMENTS, CGROUP,
	CPU_NS, CPU_MAX_NS, TURNS, LONGEST_OFF_NS, LONGEST_OFF_TS, RENAMES, CALLS, EVENTS, INSTRUCTIONS, JOULES, COMPLETE, CONTAINER, COLUMNS
};

static const struct bcoslog_rows_column columns[] = {
	[UPID] = { "upid", BCOSLOG_INTEGER, "the process: unlike pid no other one has it" },
	[PID] = { "pid", BCOSLOG_INTEGER, "its process ID, which others may have before and after" },
	[NAME] = { "name", BCOSLOG_TEXT, "its newest name" },
	[FORMER] = { "former", BCOSLOG_TEXT, "its name before that" },
	[START_TS] = { "start_ts", BCOSLOG_INTEGER, "when it began, ns since boot" },
	[START_ERROR_NS] = { "start_error_ns", BCOSLOG_INTEGER, "by how much later it may have begun, ns" },
	[END_TS] = { "end_ts", BCOSLOG_INTEGER, "when it ended, ns since boot; NULL if it lives, or this is unknown" },
	[BORN] = { "born", BCOSLOG_INTEGER, "1 if its beginning is in the log" },
	[END_KIND] = { "end_kind", BCOSLOG_TEXT, "how it ended: exit, signal, abnormal, vanished (its end was overwritten), or "
					      "unknown; NULL if it lives as far as the log tells" },
	[EXIT_CODE] = { "exit_code", BCOSLOG_INTEGER, "the code that it gave to exit()" },
	[SIGNAL] = { "signal", BCOSLOG_INTEGER, "the number of the signal that ended it" },
	[SIGNAL_NAME] = { "signal_name", BCOSLOG_TEXT, "the name of that signal" },
	[SIGNAL_BY] = { "signal_by", BCOSLOG_TEXT, "who sent it: user or kernel" },
	[KILLER_PID] = { "killer_pid", BCOSLOG_INTEGER, "the process that sent that signal; 0 is the kernel" },
	[KILLER_NAME] = { "killer_name", BCOSLOG_TEXT, "the name of that process" },
	[KILLER_UID] = { "killer_uid", BCOSLOG_INTEGER, "the user of that process" },
	[OOM] = { "oom", BCOSLOG_INTEGER, "1 if the out-of-memory killer chose it; NULL if the log does not say so" },
	[PARENT_UPID] = { "parent_upid", BCOSLOG_INTEGER, "its parent, as upid, if the log names that" },
	[PARENT_PID] = { "parent_pid", BCOSLOG_INTEGER, "the process ID of its parent" },
	[PARENT_NAME] = { "parent_name", BCOSLOG_TEXT, "the name of its parent when it was born" },
	[UID] = { "uid", BCOSLOG_INTEGER, "its user, when it executed its newest program" },
	[PATH] = { "path", BCOSLOG_TEXT, "the path of that program" },
	[ARGUMENTS] = { "arguments", BCOSLOG_TEXT, "the arguments of that program, a JSON array; NULL if the log does not have them" },
	[CGROUP] = { "cgroup", BCOSLOG_TEXT, "its newest control group; of a log that does not tell of moves, that in which it executed its "
					  "newest program" },
	[CPU_NS] = { "cpu_ns", BCOSLOG_INTEGER, "CPU time, summed over CPUs, ns; a lower bound unless complete is 1" },
	[CPU_MAX_NS] = { "cpu_max_ns", BCOSLOG_INTEGER, "the greatest value that cpu_ns can have; NULL if the log does not tell" },
	[TURNS] = { "turns", BCOSLOG_INTEGER, "how often a CPU was assigned to it" },
	[LONGEST_OFF_NS] = { "longest_off_ns", BCOSLOG_INTEGER, "the longest time for which it certainly had no CPU between two turns, ns" },
	[LONGEST_OFF_TS] = { "longest_off_ts", BCOSLOG_INTEGER, "when that time began, ns since boot" },
	[RENAMES] = { "renames", BCOSLOG_INTEGER, "changes of its name, for example by exec" },
	[CALLS] = { "calls", BCOSLOG_INTEGER, "system calls; 0 also where the class api was off" },
	[EVENTS] = { "events", BCOSLOG_INTEGER, "generic events" },
	[INSTRUCTIONS] = { "instructions", BCOSLOG_REAL, "instructions, by the estimates of the cores; NULL if unknown for any of its time" },
	[JOULES] = { "joules", BCOSLOG_REAL, "its share of the energy, likewise" },
	[COMPLETE] = { "complete", BCOSLOG_INTEGER, "1 if nothing was lost that these sums count; 0 if they are lower bounds" },
	[CONTAINER] = { "container", BCOSLOG_TEXT, "the last 64 hexadecimal digits in cgroup, which are the ID of a container where Docker, "
						"containerd, CRI-O or Podman made the group; NULL if there are none" },
};

_Static_assert(sizeof(columns) / sizeof(columns[0]) == COLUMNS, "each column has a name");

static void set_end(struct bcoslog_value *row, const struct bcoslog_account_process *process)
{
	enum bcoslog_end end;
	__u32 value;

	if (process->vanished) {
		value_set_word(&row[END_KIND], "vanished");
		return;
	}
	if (!process->ended) {
		if (process->end_lost)
			value_set_word(&row[END_KIND], "unknown");
		return;
	}
	value_set(&row[END_TS], process->end);
	end = bcoslog_status_end(process->status, &value);
	if (end == BCOSLOG_END_UNKNOWN) {
		value_set_word(&row[END_KIND], "unknown");
	} else if (end == BCOSLOG_EXITED) {
		value_set_word(&row[END_KIND], "exit");
		value_set(&row[EXIT_CODE], value);
	} else {
		value_set_word(&row[END_KIND], value ? "signal" : "abnormal");
		value_set_word(&row[SIGNAL_BY], end == BCOSLOG_OWNER ? "user" : "kernel");
		if (value)
			value_set(&row[SIGNAL], value);
		value_set_word(&row[SIGNAL_NAME], bcoslog_signal(value));
	}
}

static void set_life(struct bcoslog_rows *rows, struct bcoslog_value *row, const struct life *life)
{
	if (life->killed) {
		value_set(&row[KILLER_PID], life->killer);
		value_set(&row[KILLER_UID], life->killer_user);
		value_set_name(&row[KILLER_NAME], life->killer_name);
	}
	if (life->oom)
		value_set(&row[OOM], 1);
	if (life->has_parent) {
		if (life->parent_upid >= 0)
			value_set(&row[PARENT_UPID], (u64)life->parent_upid);
		value_set(&row[PARENT_PID], life->parent);
		value_set_name(&row[PARENT_NAME], life->parent_name);
	}
	if (!life->path)
		return;
	value_set(&row[UID], life->user);
	value_set_word(&row[PATH], rows_copy(rows, life->path, strlen(life->path) + 1));
	if (life->arguments)
		value_set_word(&row[ARGUMENTS], rows_copy(rows, life->arguments, strlen(life->arguments) + 1));
}

/* Return: the last 64 hexadecimal digits of a path that stand apart; NULL if there are none. */
static const char *find_container(const char *path)
{
	static const char digits[] = "0123456789abcdef", between[] = "-/:_.";
	const char *found = NULL;
	size_t length;

	while (*path) {
		length = strspn(path, digits);
		/* What ends a text is between words as well. */
		if (length == CONTAINER_LENGTH && strchr(between, path[length]))
			found = path;
		path += length;
		/* Digits that a word ends with are a part of it. */
		length = strcspn(path, between);
		path += length + strspn(path + length, between);
	}
	return found;
}

/* A log that tells of no groups tells that of the program alone. */
static void set_cgroup(struct bcoslog_rows *rows, struct bcoslog_value *row, const struct bcoslog_account_process *process,
		       const struct life *life)
{
	const char *path = process->cgroup, *container;

	if (!path && life && !bcoslog_account_totals(rows->account)->cgroups)
		path = life->cgroup;
	if (!path)
		return;
	path = rows_copy(rows, path, strlen(path) + 1);
	container = path ? find_container(path) : NULL;
	value_set_word(&row[CGROUP], path);
	value_set_text(&row[CONTAINER], container, CONTAINER_LENGTH);
}

static void set_sums(const struct bcoslog_rows *rows, struct bcoslog_value *row, const struct bcoslog_account_process *process)
{
	struct bcoslog_bounds bounds;

	bcoslog_account_bounds(process, &bounds);
	value_set(&row[CPU_NS], process->time);
	if (bounds.time_known && !rows->damaged)
		value_set(&row[CPU_MAX_NS], bounds.time);
	value_set(&row[TURNS], process->turns);
	if (process->longest_off) {
		value_set(&row[LONGEST_OFF_NS], process->longest_off);
		value_set(&row[LONGEST_OFF_TS], process->longest_off_at - process->longest_off);
	}
	value_set(&row[RENAMES], process->renames);
	value_set(&row[CALLS], process->calls);
	value_set(&row[EVENTS], process->events);
	if (!process->work.performance_unknown)
		value_set_real(&row[INSTRUCTIONS], process->work.instructions);
	if (!process->work.power_unknown)
		value_set_real(&row[JOULES], process->work.joules);
	value_set(&row[COMPLETE], !rows->damaged && !process->at_least && !process->lost && bounds.time_known &&
				  bounds.time == process->time);
}

/* As in the reports, others have no rows. */
static bool lived_in_window(const struct bcoslog_rows_options *options, const struct bcoslog_account_process *process)
{
	if (process->ended && process->end < options->since)
		return false;
	return !options->until || !process->born || process->start <= options->until;
}

static void add_process(struct bcoslog_rows *rows, const struct bcoslog_account_process *process)
{
	const struct known_process *known;
	const struct kept_name *former;
	struct bcoslog_value *row;

	if (!rows_wants_pid(rows, process->id) || !lived_in_window(&rows->options, process))
		return;
	known = rows_process(rows, process);
	row = known ? rows_add(rows) : NULL;
	if (!row)
		return;
	value_set(&row[UPID], (u64)known->upid);
	value_set(&row[PID], process->id);
	value_set_name(&row[NAME], known->name);
	former = process->former ? rows_keep(rows, process->former, process->former_length) : NULL;
	value_set_name(&row[FORMER], former);
	value_set(&row[START_TS], process->start);
	if (process->precision != UINT32_MAX)
		value_set(&row[START_ERROR_NS], process->precision);
	value_set(&row[BORN], process->born);
	set_end(row, process);
	if (known->more)
		set_life(rows, row, known->more);
	set_cgroup(rows, row, process, known->more);
	set_sums(rows, row, process);
}

static void end_process(struct bcoslog_rows *rows)
{
	const struct bcoslog_account_process *process = NULL;

	while ((process = bcoslog_account_next_process(rows->account, process)))
		add_process(rows, process);
}

const struct rows_kind rows_of_process = {
	.table = {
		.name = "process",
		.about = "a process, from the birth to the end of one owner of a process ID; the kernel has the process ID 0",
		.columns = columns,
		.count = COLUMNS,
	},
	.account = true,
	.threads = true,
	.keeps = 1ull << NAME | 1ull << FORMER,
	.entry = rows_life_entry,
	.process_ended = add_process,
	.end = end_process,
};
