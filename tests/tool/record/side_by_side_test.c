// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Several machines side by side: their lines by the wall clock, whose they are, and what becomes of their processes.
 * Each test has a process of its own, since machines are remembered.
 */
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "command.h"
#include "log/run.h"
#include "output/output.h"
#include "printed.h"
#include "descriptors.h"
#include "output/times.h"
#include "options/boots.h"
#include "record/side_by_side.h"

/* ---- machines of the test ----------------------------------------------------------------------------------- */

static struct boot boots[80];
static u32 count;
static bool one_machine, no_fork;
static int no_pipe;
static struct run run;

volatile sig_atomic_t run_signal;

/* The processes of the machines print these, and end so: by a status, or a signal below 0. */
static const char *lines[4];
static int ends[4];
static u32 chosen;

bool boots_get(struct bcoslog *log, u32 index, struct boot *boot)
{
	if (index < count)
		*boot = boots[index];
	return index < count;
}

bool boots_same_machine(const struct boot *one, const struct boot *other)
{
	return !strcmp(one->about.host, other->about.host) && !strcmp(one->machine, other->machine);
}

bool boots_are_several(struct bcoslog *log)
{
	return !one_machine;
}

/* Boots have the number of their machine in a place of their own. */
void boots_choose_machine(const struct boot *boot)
{
	chosen = (u32)boot->about.files;
}

pid_t fork(void)
{
	errno = EAGAIN;
	return no_fork ? -1 : _Fork();
}

int pipe2(int ends_of[2], int flags)
{
	errno = no_pipe;
	return no_pipe ? -1 : (int)syscall(SYS_pipe2, ends_of, flags);
}

static void add_boot(const char *host, const char *machine, u32 number)
{
	strcpy(boots[count].about.host, host);
	strcpy(boots[count].machine, machine);
	boots[count++].about.files = number;
}

/* In the process of a machine, which prints as if it were the only one, with a key on each line. */
static void show_machine(void)
{
	bool sound = beside_others && wall_needed && time_mode == TIME_WALL && !output.begin;
	const char *text = sound ? lines[chosen] : "1 wrong\n";

	if (write(STDOUT_FILENO, text, strlen(text)) < 0)
		_exit(99);
	if (ends[chosen] < 0)
		raise(-ends[chosen]);
	_exit(ends[chosen]);
}

static void begin_at(void)
{
}

static int show_boots(bool json)
{
	int r;

	output.begin = begin_at;
	r = side_by_side(&run, json);
	if (r < 0 && beside_others)
		show_machine();
	return r;
}

static void test_part(void **state)
{
	static bool in_child;
	int status;
	pid_t child;

	/* A test that failed there goes on to the next one. */
	if (in_child)
		exit(1);
	fflush(stdout);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		in_child = true;
		add_boot("alpha", "aaaaaaaabbbbbbbb", 0);
		add_boot("alpha", "aaaaaaaabbbbbbbb", 9);
		add_boot("beta", "", 1);
		(*(void (**)(void))state)();
		exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* ---- lines ---------------------------------------------------------------------------------------------------- */

static void lines_by_time(void)
{
	unsigned int before = count_descriptors();

	lines[0] = "100 a1\n300 a3\n301  a4\n";
	lines[1] = "200 b2\n300 b3\n302\n18446744073709551615 end";
	assert_complains("", show_boots(false) == EXIT_OK);
	assert_printed("alpha            a1\nbeta             b2\nalpha            a3\nbeta             "
			"b3\nalpha             a4\n"
		       "beta             \nbeta             end");
	assert_int_equal(count_descriptors(), before);
	assert_int_equal(waitpid(-1, NULL, 0), -1);
	assert_non_null(output.begin);
}

/* Machines of one name have their IDs, too. */
static void names_of_machines(void)
{
	add_boot("alpha", "", 2);
	add_boot("", "cccccccccccc", 3);
	lines[0] = "1 a\n";
	lines[1] = "2 b\n";
	lines[2] = "3 c\n";
	lines[3] = "4 d\n";
	assert_complains("", show_boots(false) == EXIT_OK);
	assert_printed("alpha (aaaaaaaa) a\nbeta             b\nalpha (?)        c\n?                d\n");
}

static void objects_by_time(void)
{
	strcpy(boots[2].about.host, "be\"ta");
	lines[0] = "100 {\"x\":1}\n";
	lines[1] = "50 {\"y\":2}\n60 no object\n";
	assert_complains("", show_boots(true) == EXIT_OK);
	assert_printed("{\"machine\":\"be\\\"ta\",\"machine_id\":\"\",\"y\":2}\nbe\"ta            no object\n"
		       "{\"machine\":\"alpha\",\"machine_id\":\"aaaaaaaabbbbbbbb\",\"x\":1}\n");
}

static void objects_among_lines(void)
{
	lines[0] = "100 {\"x\":1}\n";
	lines[1] = "";
	assert_complains("", show_boots(false) == EXIT_OK);
	assert_printed("alpha            {\"x\":1}\n");
}

/* Entries of earlier times stand where they are in the log. */
static void the_key_of_a_line(void)
{
	wall_forget();
	assert_int_equal(wall_add(&(struct bcoslog_wall){ .boot = 1000, .utc = 5000 }), 0);
	side_by_side_key(1500);
	side_by_side_key(1400);
	side_by_side_key(1501);
	assert_printed("5500 5500 5501 ");
}

/* ---- how it ends ------------------------------------------------------------------------------------------------- */

static void the_worst_status(void)
{
	lines[0] = lines[1] = "1 x\n";
	ends[0] = EXIT_DAMAGE;
	assert_complains("", show_boots(false) == EXIT_DAMAGE);
}

static void the_worst_status_is_the_last(void)
{
	lines[0] = lines[1] = "1 x\n";
	ends[0] = EXIT_DAMAGE;
	ends[1] = EXIT_ENVIRONMENT;
	assert_complains("", show_boots(false) == EXIT_ENVIRONMENT);
}

static void a_process_that_is_killed(void)
{
	lines[0] = lines[1] = "1 x\n";
	ends[1] = -SIGKILL;
	assert_complains("", show_boots(false) == EXIT_ENVIRONMENT);
	assert_printed("alpha            x\nbeta             x\n");
}

static void a_signal_ends_it(void)
{
	lines[0] = lines[1] = "1 x\n2 y\n";
	run_signal = SIGINT;
	assert_complains("", show_boots(false) == EXIT_OK);
	assert_printed("alpha            x\n");
}

static void an_output_that_fails(void)
{
	lines[0] = lines[1] = "1 x\n2 y\n";
	output.error = EIO;
	assert_complains("", show_boots(false) == EXIT_OK);
	assert_printed("alpha            x\n");
}

/* ---- where there is one log --------------------------------------------------------------------------------- */

static void nothing_is_side_by_side(void)
{
	run.follow = true;
	assert_complains("", show_boots(false) == -1);
	run.follow = false;
	one_machine = true;
	assert_complains("", show_boots(false) == -1);
	assert_false(beside_others);
}

/* 64 are the most. */
static void too_many_machines(void)
{
	char name[20];

	for (count = 0; count < 65;) {
		snprintf(name, sizeof(name), "host%u", count);
		add_boot(name, "", 0);
	}
	assert_complains("", show_boots(false) == -1);
	assert_false(beside_others);
}

static void as_many_machines_as_can_be(void)
{
	char name[20];

	for (count = 0; count < 64;) {
		snprintf(name, sizeof(name), "host%u", count);
		add_boot(name, "", 0);
	}
	lines[0] = "1 x\n";
	assert_complains("", show_boots(false) == EXIT_OK);
	assert_int_equal(strlen(printed_text()), 64 * 19);
}

static void no_pipe_for_a_process(void)
{
	no_pipe = EMFILE;
	assert_complains("bcoslog: no process can be started for each machine: Too many open "
			"files\n", show_boots(false) == EXIT_ENVIRONMENT);
	assert_printed("");
}

static void no_process(void)
{
	unsigned int before = count_descriptors();

	no_fork = true;
	assert_complains("bcoslog: no process can be started for each machine: Resource temporarily unavailable\n",
			 show_boots(false) == EXIT_ENVIRONMENT);
	assert_int_equal(count_descriptors(), before);
}

#define part_test(part) { #part, test_part, NULL, NULL, (void *)(part) }

int main(void)
{
	const struct CMUnitTest tests[] = {
		part_test(lines_by_time),
		part_test(names_of_machines),
		part_test(objects_by_time),
		part_test(objects_among_lines),
		part_test(the_key_of_a_line),
		part_test(the_worst_status),
		part_test(the_worst_status_is_the_last),
		part_test(a_process_that_is_killed),
		part_test(a_signal_ends_it),
		part_test(an_output_that_fails),
		part_test(nothing_is_side_by_side),
		part_test(too_many_machines),
		part_test(as_many_machines_as_can_be),
		part_test(no_pipe_for_a_process),
		part_test(no_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
