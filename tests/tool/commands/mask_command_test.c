// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog mask and watch, with a device that is made up here: its answers, what is asked of it, and what is refused. */
#include <errno.h>

#include "kept_output.h"
#include "command.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "options/names.h"
#include "options/recorder_options.h"
#include "output/output.h"

/* Some of the classes, by their bits, as bcos_evlog.h numbers them. */
enum { ASSIGN = 1, IRQ = 2, USER = 4, EXEC = 1024 };

/* ---- the device --------------------------------------------------------------------------------------------------------- */

/* This is only passed on. */
#define LOG ((struct bcoslog *)done)

volatile sig_atomic_t run_signal;
bool run_finishing, run_whole_batches;
static u32 mask, active, process;
static int mask_error, request_on_error, request_off_error, name_error;
static const int *waits, *counts;
static int compaction_error;

const char default_log[] = BCOS_DEVICE_PATH;

int recorder_option(char **argv)
{
	return 0;
}

int run_open(struct run *run, unsigned int flags)
{
	note_call("open %s%s%s", run->path, flags == BCOSLOG_CONTROL ? " to change it" : flags ? "?" : "",
		  run->follow ? " -f" : "");
	run->log = LOG;
	return strcmp(run->path, "missing") ? 0 : -1;
}

int run_close(struct run *run, int status)
{
	note_call("close");
	return status;
}

int run_failed(struct run *run)
{
	note_call("failed");
	return EXIT_ENVIRONMENT;
}

int bcoslog_mask(struct bcoslog *log, __u32 clear, __u32 set, struct bcos_mask *is)
{
	assert_ptr_equal(log, LOG);
	note_call("clear %x set %x", clear, set);
	is->mask = mask;
	is->active = active;
	return mask_error;
}

int bcoslog_request(struct bcoslog *log, __u32 classes, __u32 source, bool on)
{
	note_call("request %x of %u %s", classes, source, on ? "on" : "off");
	return on ? request_on_error : request_off_error;
}

static const char *const classes[] = {
	"assign", "irq", "user", "kmsg", "io", "api", "kernel_time", "idle", "state", "who", "exec", NULL,
};

const char *bcoslog_class(unsigned int bit)
{
	return classes[bit];
}

int bcoslog_class_mask(const char *word, size_t length, __u32 *is)
{
	char text[32];
	u32 bit;

	snprintf(text, sizeof(text), "%.*s", (int)length, word);
	*is = !strcmp(text, "all") ? 0x7ff : !strcmp(text, "5") ? 5 : 0;
	for (bit = 0; classes[bit]; bit++)
		if (!strcmp(text, classes[bit]))
			*is = 1u << bit;
	return *is || !strcmp(text, "none") ? 0 : -EINVAL;
}

int named_process(struct bcoslog *of, const char *path, const char *text, bool need, u32 *id)
{
	note_call("process %s%s", text, need ? " of now" : "");
	*id = process;
	return name_error;
}

int named_device(struct bcoslog *of, const char *path, const char *text, u32 *id)
{
	note_call("device %s", text);
	*id = 9;
	return name_error;
}

/* The calls return these, one after the other, and then -EINTR. */
#define LIST(...) ((const int[]){ __VA_ARGS__, -EINTR })

int bcoslog_wait_compaction(struct bcoslog *log, int milliseconds)
{
	assert_int_equal(milliseconds, -1);
	note_call("wait");
	return *waits == -EINTR ? -EINTR : *waits++;
}

int bcoslog_compaction(struct bcoslog *log, struct bcos_compaction *compaction)
{
	*compaction = (struct bcos_compaction){ .count = (u64)*counts++, .time = 1000000005, .entries = 7, .bytes = 200 };
	return compaction_error;
}

static int begin_mask(void **state)
{
	mask = active = mask_error = request_on_error = request_off_error = name_error = compaction_error = 0;
	process = 5;
	output.used = 0;
	output.error = 0;
	waits = LIST(-EINTR);
	return 0;
}

#define mask_of(...) call_words(cmd_mask, (char *[]){ __VA_ARGS__, NULL })
#define ASSERT_ASKS(expected, ...) do { \
		assert_complains("", mask_of(__VA_ARGS__) == EXIT_OK); \
		assert_string_equal(done, expected); \
	} while (0)
#define ASSERT_REFUSES(said, ...) do { \
		assert_complains("bcoslog: " said "\n", mask_of(__VA_ARGS__) == EXIT_ENVIRONMENT); \
		assert_string_equal(done, ""); \
	} while (0)
#define CHANGES(clear, set) "open d to change it; clear " clear " set " set "; close; "

/* ---- the mask ------------------------------------------------------------------------------------------------------------ */

static void what_is_recorded(void **state)
{
	mask = ASSIGN | USER | EXEC;
	active = ASSIGN | IRQ | EXEC;
	ASSERT_ASKS("open d; clear 0 set 0; close; ", "d");
	assert_string_equal(written,
			    "assign       on\n"
			    "irq          off\n"
			    "user         on, but this module does not record it\n"
			    "kmsg         off\n"
			    "io           off\n"
			    "api          off\n"
			    "kernel_time  off\n"
			    "idle         off\n"
			    "state        off\n"
			    "who          off\n"
			    "exec         on\n");
	assert_complains("", call_words(cmd_mask, (char *[]){ NULL }) == EXIT_OK);
	assert_string_equal(done, "open /dev/bcos_evlog; clear 0 set 0; close; ");
}

/* The last of several words about a class counts. */
static void changes_of_classes(void **state)
{
	ASSERT_ASKS(CHANGES("0", "12"), "+irq,io", "d");
	ASSERT_ASKS(CHANGES("1a", "0"), "d", "-irq,io,kmsg");
	ASSERT_ASKS(CHANGES("7ec", "13"), "assign,irq,io", "d");
	ASSERT_ASKS(CHANGES("2", "1"), "+assign,irq", "-irq", "d");
	ASSERT_ASKS(CHANGES("1", "2"), "-assign,irq", "+irq", "d");
	ASSERT_ASKS(CHANGES("7fe", "1"), "-assign", "+irq", "assign", "d");
	ASSERT_ASKS(CHANGES("7fc", "3"), "assign", "+irq", "d");
	ASSERT_ASKS(CHANGES("7ff", "0"), "none", "d");
	ASSERT_ASKS(CHANGES("0", "7ff"), "+all", "d");
	ASSERT_ASKS(CHANGES("7ff", "0"), "-all", "d");
	ASSERT_ASKS(CHANGES("7fa", "5"), "5", "d");
	/* A change that changes nothing is one, too. */
	ASSERT_ASKS(CHANGES("0", "0"), "+none", "d");
}

static void what_is_no_class(void **state)
{
	ASSERT_REFUSES("there is no class or option \"+no\": see bcoslog mask --help", "+no", "d");
	ASSERT_REFUSES("there is no class or option \"-no\": see bcoslog mask --help", "-no", "d");
	ASSERT_REFUSES("there is no class or option \"+\": see bcoslog mask --help", "+", "d");
	ASSERT_REFUSES("there is no class \"no\": see bcoslog mask --help", "irq,no,io", "d");
	ASSERT_REFUSES("there is no class \"\": see bcoslog mask --help", "irq,", "d");
	ASSERT_REFUSES("mask takes one log, not no and d", "no", "d");
	ASSERT_REFUSES("mask has no option --follow: see bcoslog mask --help", "--follow", "d");
	/* A file named like a class, and standard input. */
	ASSERT_ASKS("open ./irq; clear 0 set 0; close; ", "./irq");
	ASSERT_ASKS("open -; clear 0 set 0; close; ", "-");
}

static void device_failures(void **state)
{
	assert_complains("", mask_of("missing") == EXIT_ENVIRONMENT);
	assert_string_equal(done, "open missing; ");
	mask_error = -EPERM;
	assert_complains("", mask_of("d", "+io") == EXIT_ENVIRONMENT);
	assert_string_equal(done, "open d to change it; clear 0 set 10; failed; close; ");
	assert_string_equal(written, "");
}

/* ---- requests ------------------------------------------------------------------------------------------------------------- */

static void requests_about_one(void **state)
{
	ASSERT_ASKS("open d to change it; process p of now; request 20 of 5 on; close; ", "--process", "p", "+api", "d");
	ASSERT_ASKS("open d to change it; process p; request 20 of 5 off; close; ", "--process", "p", "-api", "d");
	ASSERT_ASKS("open d to change it; device x; request 12 of 9 on; close; ", "--device", "x", "+io,irq", "d");
	ASSERT_ASKS("open d to change it; device x; request 10 of 9 off; close; ", "--device", "x", "-io", "d");
	ASSERT_ASKS("open d to change it; device x; request 10 of 9 on; request 2 of 9 off; close; ", "+io", "--device", "x", "-irq",
		    "d");
	assert_string_equal(written, "");
}

static void what_there_is_not_of_one(void **state)
{
	ASSERT_REFUSES("a request is about a process or about a device: give --process or --device", "--process", "p", "--device",
		       "x", "+io", "d");
	ASSERT_REFUSES("a single process has only the class api: --process p +api, or -api", "--process", "p", "d");
	ASSERT_REFUSES("a single process has only the class api: --process p +api, or -api", "--process", "p", "+api", "-io", "d");
	ASSERT_REFUSES("a single device has only the classes io and irq: --device x +io", "--device", "x", "d");
	ASSERT_REFUSES("a single device has only the classes io and irq: --device x +io", "--device", "x", "+io,api", "d");
}

static void requests_that_fail(void **state)
{
	request_on_error = -EPERM;
	assert_complains("", mask_of("--device", "x", "+io", "-irq", "d") == EXIT_ENVIRONMENT);
	assert_string_equal(done, "open d to change it; device x; request 10 of 9 on; failed; close; ");
	request_on_error = 0;
	request_off_error = -EPERM;
	assert_complains("", mask_of("--device", "x", "+io", "-irq", "d") == EXIT_ENVIRONMENT);
	assert_string_equal(done, "open d to change it; device x; request 10 of 9 on; request 2 of 9 off; failed; close; ");
	process = 0;
	assert_complains("bcoslog: --process takes a process, and 0 is the kernel\n",
			 mask_of("--process", "p", "+api", "d") == EXIT_ENVIRONMENT);
	assert_string_equal(done, "open d to change it; process p of now; close; ");
	name_error = -1;
	assert_complains("", mask_of("--process", "p", "+api", "d") == EXIT_ENVIRONMENT);
	assert_string_equal(done, "open d to change it; process p of now; close; ");
	assert_complains("", mask_of("--device", "x", "+io", "d") == EXIT_ENVIRONMENT);
	assert_string_equal(done, "open d to change it; device x; close; ");
}

/* ---- watch ------------------------------------------------------------------------------------------------------------------ */

#define watch(...) call_words(cmd_watch, (char *[]){ __VA_ARGS__, NULL })
#define LINE(count, word) "      1.000000005  " count " " word ", 7 entries, 200 bytes discarded\n"

static void compactions_are_shown(void **state)
{
	waits = LIST(0, 0, 0);
	counts = LIST(1, 0, 2);
	assert_complains("", watch("d") == EXIT_OK);
	/* Another process has taken the second one. */
	assert_string_equal(done, "open d -f; wait; wait; wait; wait; close; ");
	assert_string_equal(written, LINE("1", "compaction") LINE("2", "compactions"));
	waits = LIST(0, 0, 0);
	counts = LIST(3, 0, 4);
	assert_complains("", watch("--count", "2", "d") == EXIT_OK);
	assert_string_equal(done, "open d -f; wait; wait; wait; close; ");
	waits = LIST(0, 0, 0);
	counts = LIST(3, 5, 4);
	assert_complains("", watch("--count", "1", "d") == EXIT_OK);
	assert_string_equal(written, LINE("3", "compactions"));
}

static void it_ends(void **state)
{
	waits = LIST(-EPIPE);
	assert_complains("", watch("d") == EXIT_OK);
	assert_string_equal(done, "open d -f; wait; close; ");
	waits = LIST(-EIO);
	assert_complains("", watch("d") == EXIT_ENVIRONMENT);
	assert_string_equal(done, "open d -f; wait; failed; close; ");
	waits = LIST(0, 0);
	counts = LIST(1, 1);
	compaction_error = -EIO;
	assert_complains("", watch("d") == EXIT_ENVIRONMENT);
	assert_string_equal(done, "open d -f; wait; failed; close; ");
	/* The reader of the output has gone. */
	compaction_error = 0;
	waits = LIST(0, 0);
	counts = LIST(1, 1);
	output.error = EPIPE;
	assert_complains("", watch("d") == EXIT_OK);
	assert_string_equal(done, "open d -f; wait; close; ");
	output.error = 0;
	assert_complains("", watch("missing") == EXIT_ENVIRONMENT);
	assert_string_equal(done, "open missing -f; ");
	assert_complains("bcoslog: --count takes a number of lines, at least 1\n", watch("--count", "0", "d") == EXIT_ENVIRONMENT);
	assert_complains("bcoslog: --count takes a number from 0 to 18446744073709551615, not \"x\"\n",
			 watch("--count", "x", "d") == EXIT_ENVIRONMENT);
	assert_complains("bcoslog: watch has no option -f: see bcoslog watch --help\n", watch("-f", "d") == EXIT_ENVIRONMENT);
	assert_string_equal(done, "");
}

static void help_texts(void **state)
{
	assert_complains("", mask_of("--help") == EXIT_OK);
	assert_complains("", watch("--help") == EXIT_OK);
	assert_string_equal(done, "");
}

#define mask_test(test) cmocka_unit_test_setup(test, begin_mask)

int main(void)
{
	const struct CMUnitTest tests[] = {
		mask_test(what_is_recorded),
		mask_test(changes_of_classes),
		mask_test(what_is_no_class),
		mask_test(device_failures),
		mask_test(requests_about_one),
		mask_test(what_there_is_not_of_one),
		mask_test(requests_that_fail),
		mask_test(compactions_are_shown),
		mask_test(it_ends),
		mask_test(help_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
