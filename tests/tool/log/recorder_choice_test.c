// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which log is read if none is named, or options of the recorder are given: the device, a recorder, its directory, and
 * BPF programs are the test's own. Each test has a process of its own, since options are remembered.
 */
#include <sys/wait.h>

#include "log/recorder.h"
#include "made_choice.h"
#include "options/recorder_options.h"

#define DEVICE "open /dev/bcos_evlog; "
#define BEGINS "bcoslog: there is no /dev/bcos_evlog: BPF programs record, from now on\n"
#define READS(folder) "bcoslog: there is no /dev/bcos_evlog: reading " folder "\n"

/* ---- a process for each --------------------------------------------------------------------------------------- */

static void in_child(void (*part)(void))
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
		known_classes = BCOS_CLASS_ALL;
		unsetenv("BCOSLOG_RECORDED");
		part();
		exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* Gives options.  Return: as recorder_options(). */
static int give_options(const char *first, const char *second)
{
	char *words[] = { (char *)first, (char *)second, NULL };

	return recorder_options(second ? 2 : 1, words);
}

#define gives(first, second) assert_complains("", give_options(first, second) == ((second) ? 2 : 1))

static struct bcoslog *opened;
static struct bcoslog_error error;

static int open_flags(const char *path, unsigned int flags)
{
	done[0] = '\0';
	memset(&error, 0, sizeof(error));
	opened = THE_FOLDER;
	return recorder_open(&opened, path, flags, &error);
}

#define assert_opens(log, complaint, deeds) do { \
		assert_complains(complaint, open_flags(default_log, 0) == 0); \
		assert_string_equal(done, deeds); \
		assert_ptr_equal(opened, log); \
	} while (0)

#define assert_fails_at(path, flags, number, reason, deeds) do { \
		assert_complains("", open_flags(path, flags) == -(number)); \
		assert_int_equal(error.code, number); \
		assert_string_equal(error.text, reason); \
		assert_string_equal(done, deeds); \
		assert_null(opened); \
	} while (0)

#define assert_fails(number, reason, deeds) assert_fails_at(default_log, 0, number, reason, deeds)

/* ---- without options ------------------------------------------------------------------------------------------ */

static void the_device_comes_first(void)
{
	assert_opens(THE_DEVICE, "", DEVICE);
	assert_false(recorder_asked || recorder_joined);
	device_error = -EIO;
	assert_fails(EIO, "no device", DEVICE);
	/* Others than members of its group may not read it. */
	device_error = -EACCES;
	assert_fails(EACCES, "no device", DEVICE);
	device_error = -EPERM;
	assert_fails(EPERM, "no device", DEVICE);
	assert_fails_at(default_log, BCOSLOG_CONTROL, EPERM, "no device", "open /dev/bcos_evlog so; ");
	folder_error = -EACCES;
	assert_fails_at("x", 0, EACCES, "no folder", "open x; ");
}

static void then_a_recorder(void)
{
	device_error = -ENOENT;
	assert_opens(THE_MEMORY, "", DEVICE "ask; ");
	assert_true(recorder_asked);
	memory_error = -EIO;
	assert_fails(EIO, "no memory", DEVICE "ask; ");
	assert_false(recorder_asked);
	memory_error = 0;
	assert_fails_at(default_log, BCOSLOG_CONTROL, ENOENT, "no device", "open /dev/bcos_evlog so; ");
	/* The recorder itself asks none. */
	recorder_asks = false;
	assert_opens(THE_PROGRAMS, BEGINS, DEVICE "bpf; ");
	looks_back = true;
	assert_opens(THE_PROGRAMS, BEGINS, DEVICE "bpf; ");
}

static void then_what_was_recorded(void)
{
	device_error = memory_error = -ENOENT;
	looks_back = true;
	assert_opens(THE_FOLDER, READS("/var/lib/bcos_evlog"),
		     DEVICE "ask; open /var/lib/bcos_evlog; ");
	setenv("BCOSLOG_RECORDED", "/recorded", 1);
	assert_opens(THE_FOLDER, READS("/recorded"), DEVICE "ask; open /recorded; ");
	setenv("BCOSLOG_RECORDED", "", 1);
	folder_error = -EACCES;
	assert_opens(THE_PROGRAMS, BEGINS,
		     DEVICE "ask; open /var/lib/bcos_evlog; bpf; ");
	/* A recording that begins now has no earlier boot. */
	chosen = true;
	folder_error = -EIO;
	assert_fails(EIO, "no folder", DEVICE "ask; open /var/lib/bcos_evlog; ");
}

static void then_bpf(void)
{
	device_error = memory_error = -ENOENT;
	assert_opens(THE_PROGRAMS, BEGINS,
		     DEVICE "ask; bpf; ");
	assert_complains(BEGINS,
			 open_flags(default_log, BCOSLOG_FOLLOW) == 0);
	assert_string_equal(done, "open /dev/bcos_evlog so; ask so; bpf so; ");
	programs_error = -EPERM;
	assert_fails(ENOENT, "no device; and no programs", DEVICE "ask; bpf; ");
	known_classes = 0;
	assert_fails(ENOENT, "no device", DEVICE "ask; ");
}

/* Times are asked for that the log may not have any more. */
static void a_recording_stands_before_the_log(void)
{
	looks_back = true;
	boots = 1;
	assert_opens(THE_FOLDER, "", DEVICE "open /var/lib/bcos_evlog; join 0; ");
	assert_true(recorder_joined);
	recorder_joined = false;
	live_error = -EINVAL;
	assert_opens(THE_DEVICE, "", DEVICE "open /var/lib/bcos_evlog; join 0; close 2; ");
	live_error = boots = 0;
	assert_opens(THE_DEVICE, "", DEVICE "open /var/lib/bcos_evlog; close 2; ");
	boots = 1;
	folder_error = -ENOENT;
	assert_opens(THE_DEVICE, "", DEVICE "open /var/lib/bcos_evlog; ");
	folder_error = 0;
	assert_complains("", open_flags(default_log, BCOSLOG_CONTROL) == 0);
	assert_string_equal(done, "open /dev/bcos_evlog so; ");
	assert_complains("", open_flags("x", 0) == 0);
	assert_string_equal(done, "open x; ");
	device_error = -ENOENT;
	assert_opens(THE_FOLDER, "", DEVICE "ask; open /var/lib/bcos_evlog; join 1; ");
	recorder_asks = recorder_asked = recorder_joined = false;
	device_error = 0;
	assert_opens(THE_DEVICE, "", DEVICE);
	recorder_asks = true;
	looks_back = false;
	assert_opens(THE_DEVICE, "", DEVICE);
	assert_false(recorder_joined);
}

/* ---- by an option ------------------------------------------------------------------------------------------------ */

static void engine_auto(void)
{
	gives("--engine", "auto");
	assert_opens(THE_DEVICE, "bcoslog: reading /dev/bcos_evlog\n", DEVICE);
	device_error = -ENOENT;
	assert_opens(THE_MEMORY, "bcoslog: reading the memory of a recorder\n", DEVICE "ask; ");
}

static void engine_module(void)
{
	gives("--engine=module", NULL);
	device_error = -ENOENT;
	assert_fails(ENOENT, "no device", DEVICE);
	gives("--staging=64", NULL);
	assert_fails(EINVAL, "--staging is for BPF programs, and --engine module reads /dev/bcos_evlog: leave one of "
		     "them out", "");
}

static void engine_bpf(void)
{
	gives("--engine", "bpf");
	assert_opens(THE_MEMORY, "bcoslog: reading the memory of a recorder\n", "ask; ");
	memory_error = -ENOENT;
	assert_opens(THE_PROGRAMS, "", "ask; bpf; ");
	looks_back = true;
	boots = 1;
	assert_opens(THE_PROGRAMS, "", "ask; bpf; ");
	programs_error = -EPERM;
	assert_fails(EPERM, "no programs", "ask; bpf; ");
	memory_error = -EIO;
	assert_fails(EIO, "no memory", "ask; ");
	memory_error = -EACCES;
	assert_fails(EACCES, "no programs; and no memory", "ask; bpf; ");
	programs_error = 0;
	assert_opens(THE_PROGRAMS, "bcoslog: no memory\n", "ask; bpf; ");
	assert_fails_at(default_log, BCOSLOG_CONTROL, ENOTSUP, "a log that BPF programs record cannot be written to, "
			"and has the classes that it began with (--classes): load the module for that", "");
	assert_fails_at("x", 0, EINVAL, "--engine bpf records by itself, it does not read x: leave one of them "
			"out", "");
}

static void options_of_bpf_alone(void)
{
	gives("--ring", "512");
	assert_fails(EINVAL, "--ring is for BPF programs, and /dev/bcos_evlog is there, which is read: add --engine "
		     "bpf, or leave it out", DEVICE "close 0; ");
	assert_fails_at("x", 0, EINVAL, "--ring is for what BPF programs record, and x is recorded already: leave "
			"one of them out", "");
	device_error = -ENOENT;
	looks_back = true;
	assert_opens(THE_PROGRAMS, BEGINS, DEVICE "bpf; ");
	assert_int_equal(asked_for.ring_kb, 512);
	gives("--engine", "bpf");
	gives("--staging", "65536");
	gives("--calls-of", "me");
	gives("--classes", "irq,io");
	assert_opens(THE_PROGRAMS, "", "bpf; ");
	assert_int_equal(asked_for.staging_kb, 65536);
	assert_int_equal(asked_for.calls_of, 77);
	/* The calls of a process are those of the class api. */
	assert_int_equal(asked_for.classes, BCOS_CLASS_IRQ | BCOS_CLASS_IO | BCOS_CLASS_API);
	assert_int_equal(asked_for.flags, 0);
	assert_int_equal(asked_for.size, sizeof(asked_for));
	recorder_wanted.bpf.calls_of = 0;
	gives("--classes", "none");
	assert_opens(THE_PROGRAMS, "", "bpf; ");
	assert_int_equal(asked_for.classes, 0);
	assert_int_equal(asked_for.flags, BCOSLOG_BPF_NO_CLASSES);
}

static void classes_that_programs_do_not_record(void)
{
	known_classes = BCOS_CLASS_ASSIGN;
	gives("--engine", "bpf");
	gives("--classes", "assign,api,exec");
	memory_error = -ENOENT;
	assert_opens(THE_PROGRAMS, "bcoslog: BPF programs do not record the class api: it is left out\n"
		     "bcoslog: BPF programs do not record the class exec: it is left out\n", "bpf; ");
	programs_error = -EIO;
	assert_fails(EIO, "no programs", "bpf; ");
	programs_error = 0;
	gives("--classes", "all");
	assert_opens(THE_PROGRAMS, "", "bpf; ");
}

static void values_of_options(void)
{
	char ring[] = "--ring", number[] = "256", check[] = "check", other[] = "--rings";
	char *words[] = { ring, number, check, NULL };

	assert_int_equal(recorder_options(3, words), 2);
	words[2] = other;
	assert_int_equal(recorder_options(3, words), 2);
	assert_int_equal(recorder_options(1, words + 2), 0);
	gives("--ring=4194304", NULL);
	assert_complains("bcoslog: --ring takes a number from 256 to 4194304, not 255\n",
			 give_options("--ring", "255") < 0);
	assert_complains("bcoslog: --ring takes a number from 0 to 4194304, not \"4194305\"\n",
			 give_options("--ring", "4194305") < 0);
	gives("--staging", "64");
	assert_complains("bcoslog: --staging takes a number from 64 to 65536, not 63\n",
			 give_options("--staging=63", NULL) < 0);
	assert_complains("bcoslog: --staging takes a number from 0 to 65536, not \"65537\"\n",
			 give_options("--staging=65537", NULL) < 0);
	assert_complains("bcoslog: --ring needs a value: --ring KIB\n", give_options("--ring", NULL) < 0);
	assert_complains("bcoslog: --engine takes auto, module or bpf, not \"bp\"\n",
			 give_options("--engine", "bp") < 0);
	assert_complains("bcoslog: --classes takes names of classes with commas between, such as assign,irq, or all, "
			 "default, none, not \"x\"\n", give_options("--classes", "irq,x") < 0);
	gives("--for", "5");
	assert_int_equal(recorder_time(), 5);
	assert_complains("", give_options("--for", "x") < 0);
	assert_complains("bcoslog: --for takes the time for which BPF programs record, and not 0\n",
			 give_options("--for", "0") < 0);
}

/* The part of a test, which its state is. */
static void test_part(void **state)
{
	in_child(*(void (**)(void))state);
}

#define part_test(part) { #part, test_part, NULL, NULL, (void *)(part) }

int main(void)
{
	const struct CMUnitTest tests[] = {
		part_test(the_device_comes_first),
		part_test(then_a_recorder),
		part_test(then_what_was_recorded),
		part_test(then_bpf),
		part_test(a_recording_stands_before_the_log),
		part_test(engine_auto),
		part_test(engine_module),
		part_test(engine_bpf),
		part_test(options_of_bpf_alone),
		part_test(classes_that_programs_do_not_record),
		part_test(values_of_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
