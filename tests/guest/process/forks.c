// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Completeness: every fork, exec and exit of 2,000 short-lived processes is in
 * the log, exactly once, in the right order, with the right name and status.
 * The oracle is what fork() and waitpid() gave.
 *
 * guest: cpus=2 timeout=120:400 rounds=2000:10000 debug-rounds=400
 * guest: cpus=2 timeout=120:400 rounds=1000:10000 engine=bpf
 * guest: cpus=2 timeout=120:400 rounds=500:10000 engine=bpf-map also=6.1
 */
#include "lib.h"

#include <sys/prctl.h>

#define AT_ONCE 8	/* children at a time */
#define SKEW 1000000	/* ns by which the kernel's fast clock and CLOCK_BOOTTIME may differ */

enum kind {
	EXITS,		/* and nothing else */
	EXECS,
	EXECS_TWICE,
	VFORKS,		/* and execs */
	RENAMES,	/* and execs */
	SIGNALLED,
	KINDS
};

static const char *const programs[] = { "/tmp/one", "/tmp/another.prog", "/tmp/fifteen-bytes-x",
					"/tmp/z" };

struct child {
	pid_t pid;
	enum kind kind;
	int code;
	int status;		/* by wait4() */
	int program;		/* index in programs */
	uint64_t before, after;	/* boot time around its life */
};

static void run_child(const struct child *child)
{
	switch (child->kind) {
	case EXITS:
		_exit(child->code);
	case SIGNALLED:
		kill(getpid(), SIGTERM);
		_exit(126);
	case EXECS_TWICE:
		execl("./forks", "forks", "again", programs[child->program], NULL);
		_exit(127);
	case RENAMES:
		prctl(PR_SET_NAME, "renamed");
		break;
	default:
		break;
	}
	become_program(programs[child->program], child->code);
}

static void start_child(struct child *child, int number)
{
	child->kind = (enum kind)(number % KINDS);
	/* Processes that exec twice have a code that main() knows. */
	child->code = child->kind == EXECS_TWICE ? 77 : number * 7 % 250;
	child->program = number / KINDS % (int)ARRAY_SIZE(programs);
	child->before = now_ns(CLOCK_BOOTTIME);
	child->pid = child->kind == VFORKS ? vfork() : fork();
	if (child->pid < 0)
		give_up("fork");
	if (!child->pid)
		run_child(child);
}

static void stop_child(struct child *child)
{
	child->status = reap_child(child->pid, NULL);
	child->after = now_ns(CLOCK_BOOTTIME);
}

static void run_all(struct child *children, int count)
{
	int started = 0, stopped = 0;

	while (stopped < count) {
		while (started < count && started < stopped + AT_ONCE) {
			start_child(&children[started], started);
			started++;
		}
		stop_child(&children[stopped++]);
	}
}

/* Returns the comm of a program: what is after the last slash, at most 15 bytes. */
static const char *comm_of(const char *path)
{
	static char name[16];

	snprintf(name, sizeof(name), "%s", strrchr(path, '/') + 1);
	return name;
}

/* Lists the names that the log has to give a child, in order. Return: their number. */
static int names_of(const struct child *child, char names[4][16])
{
	int count = 0;

	snprintf(names[count++], 16, "forks");
	if (child->kind == EXECS_TWICE)
		snprintf(names[count++], 16, "forks");
	if (child->kind == RENAMES)
		snprintf(names[count++], 16, "renamed");
	if (child->kind != EXITS && child->kind != SIGNALLED)
		snprintf(names[count++], 16, "%s", comm_of(programs[child->program]));
	return count;
}

enum { FORK = 1, EXEC = 2, EXIT = 4, STATUS = 8, TIME = 16 };

/* Return: a mask of what is wrong with the life of this child, or 0. */
static int judge_life(const struct log *log, const struct child *child, const struct life *life)
{
	const struct bcos_entry *entry;
	char names[4][16];
	int expected = names_of(child, names), seen = 0, wrong = 0;
	uint64_t skew;

	if (!life)
		return FORK;
	for (entry = life->birth; entry && entry != life->end; entry = entry_after(log, entry)) {
		if (entry->type != BCOS_SET_PROCESS_NAME || entry->source != life->id)
			continue;
		if (seen >= expected || strcmp(entry_text(entry), names[seen]))
			wrong |= seen ? EXEC : FORK;
		seen++;
	}
	if (seen != expected)
		wrong |= EXEC;
	if (!life->dead)
		return wrong | EXIT;
	if (life->status != termination_of(child->status, true))
		wrong |= STATUS;
	/* The last switch of a process may come after its parent was told. */
	skew = SKEW + (life->birth ? life->birth->precision : 0);
	if (life->born + skew < child->before || life->born > child->after + skew || life->died < life->born)
		wrong |= TIME;
	return wrong;
}

static void note_life(const struct log *log, const struct child *child, const struct life *life,
		      int wrong)
{
	print_note("process %d, kind %d, wait status 0x%x, from %llu to %llu: wrong 0x%x; "
		   "born %llu, died %llu, status 0x%x",
		   child->pid, child->kind, child->status, (unsigned long long)child->before,
		   (unsigned long long)child->after, wrong, life ? (unsigned long long)life->born : 0,
		   life ? (unsigned long long)life->died : 0, life ? life->status : 0);
	for_each_entry(entry, log)
		if (entry->source == (uint32_t)child->pid &&
		    !(entry->type & BCOS_TYPE_SUBJECT_MASK))
			log_print(log, entry, entry, 1);
}

static void judge_all(const struct log *log, const struct child *children, int count)
{
	static const struct { int bit; const char *text; } points_of[] = {
		{ FORK, "every fork is there once" },
		{ EXEC, "every exec and rename is there once, by its name and in order" },
		{ EXIT, "every exit is there once" },
		{ STATUS, "every exit code and signal is right" },
		{ TIME, "every life is between its fork and its wait" },
	};
	struct lives lives = lives_of(log);
	int all = 0, shown = 0, born = 0, i, wrong;
	size_t k;

	for (i = 0; i < count; i++) {
		const struct life *life = life_since(&lives, (uint32_t)children[i].pid, 0);

		wrong = judge_life(log, &children[i], life);
		if (wrong && shown++ < 5)
			note_life(log, &children[i], life, wrong);
		all |= wrong;
	}
	for (k = 0; k < ARRAY_SIZE(points_of); k++)
		make_point(!(all & points_of[k].bit), "%s, of %d processes", points_of[k].text, count);
	for (k = 0; k < lives.count; k++)
		born += !lives.life[k].before;
	make_point(born == count, "no process is born that was not forked (%d)", born - count);
	lives_free(&lives);
}

int main(int argc, char **argv)
{
	int count = get_rounds(2000), fd, i;
	struct log log = { NULL, 0 };
	struct bcos_status status;
	struct child *children;
	pid_t *pids;
	size_t k;

	if (argc == 3 && !strcmp(argv[1], "again"))
		become_program(argv[2], 77);
	for (k = 0; k < ARRAY_SIZE(programs); k++)
		make_program(programs[k]);
	children = calloc((size_t)count, sizeof(*children));
	pids = calloc((size_t)count, sizeof(*pids));
	if (!children || !pids)
		give_up("no memory");

	/* Everything has to stay in the ring, and no ID may come twice. */
	if (!write_file("/proc/sys/kernel/pid_max", "100000"))
		give_up("pid_max");
	load_module("ring_kb=32768");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	run_all(children, count);
	for (i = 0; i < count; i++)
		pids[i] = children[i].pid;
	log_append_ended(&log, fd, pids, (size_t)count);
	status = status_of(fd);
	close(fd);
	make_point(!status.compactions, "the whole log is here");
	make_point(!status.unnamed && !status.lost[BCOS_LOST_STAGING], "nothing is unnamed or lost");
	log_check(&log, "%d short-lived processes", count);
	judge_all(&log, children, count);
	log_free(&log);
	unload_module();
	return finish_test();
}
