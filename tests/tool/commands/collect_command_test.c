// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog collect: what its loop does in which order, how it ends, and what is put. The log and its messages are made up. */
#include <errno.h>
#include <stdio_ext.h>
#include <sys/syscall.h>

#include "log/open.h"
#include "log/pass.h"
#include "log/record.h"
#include "log/run.h"
#include "output/output.h"
#include "said.h"
#include "bcoslog_collector.h"
#include "command.h"

/* ---- the log ------------------------------------------------------------------------------------------------------ */

/* These are only passed on. */
#define LOG ((struct bcoslog *)done)
#define COLLECTOR ((struct bcoslog_collector *)(done + 1))

/* The calls return these, one after the other, and then 0. */
static const int *gets, *waits;
static int record_status, put_error, get_signal;
static bool no_collector, damage_ends, stops;
static u32 word_count;

volatile sig_atomic_t run_signal;
bool run_finishing, run_whole_batches;

#define LIST(...) ((const int[]){ __VA_ARGS__, 0 })

int run_open(struct run *run, unsigned int flags)
{
	note_call("open %s%s%s", run->path, flags == BCOSLOG_CONTROL ? " to change it" : flags ? "?" : "",
		  run->follow ? " -f" : "");
	run->log = LOG;
	return strcmp(run->path, "missing") ? 0 : -1;
}

int run_record(struct run *run)
{
	return record_status;
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

bool run_damaged(struct run *run)
{
	note_call("damaged");
	run->damages++;
	return !damage_ends;
}

void run_damage_end(struct run *run)
{
	note_call("damage told");
}

bool run_stop_recording(struct run *run)
{
	note_call("stop");
	if (!stops)
		return false;
	stops = false;
	run_finishing = true;
	return true;
}

struct bcoslog_collector *bcoslog_collector_of(struct bcoslog *log)
{
	assert_ptr_equal(log, LOG);
	return no_collector ? NULL : COLLECTOR;
}

void bcoslog_collector_free(struct bcoslog_collector *collector)
{
	assert_ptr_equal(collector, COLLECTOR);
	note_call("free");
}

void bcoslog_collector_set_mask(struct bcoslog_collector *collector, __u32 mask)
{
	note_call("mask %x", mask);
}

void bcoslog_collector_set_monitor_mask(struct bcoslog_collector *collector, __u32 mask)
{
	note_call("monitor %x", mask);
}

void bcoslog_collector_set_timer(struct bcoslog_collector *collector, __u32 (*of)(void *context, __u64 time), void *context)
{
	note_call("%x", of(context, 0x923456789abcdef0));
}

int bcoslog_collector_get(struct bcoslog_collector *collector, __u32 *id, __u32 *dropped, __u32 *words, __u32 *size)
{
	u32 i;

	assert_int_equal(*size, BCOS_MESSAGE_WORDS_MAX);
	*id = 4000000000u;
	*dropped = 3000000000u;
	for (i = 0; i < word_count; i++)
		words[i] = i + 0xabc;
	*size = word_count;
	note_call("get");
	if (get_signal && !--get_signal)
		run_signal = 2;
	return gets && *gets ? *gets++ : 0;
}

int bcoslog_wait(struct bcoslog *log, int milliseconds)
{
	note_call("wait %d", milliseconds);
	/* Messages are written before. */
	assert_int_equal(output.used, 0);
	return waits && *waits ? *waits++ : 0;
}

int bcoslog_put_timed(struct bcoslog *log, __u32 id)
{
	note_call("timed %u", id);
	return put_error;
}

int bcoslog_put(struct bcoslog *log, __u32 id, const __u32 *words, size_t count)
{
	size_t i;

	note_call("put %u", id);
	for (i = 0; i < count; i++)
		if (i < 3 || i + 1 == count)
			note_call("%zu: %x", i, words[i]);
	return put_error;
}

/* Everything that is flushed. */
static char flushed[20000];
static bool collecting;

ssize_t write(int fd, const void *bytes, size_t size)
{
	if (fd != STDOUT_FILENO || !collecting)
		return syscall(SYS_write, fd, bytes, size);
	strncat(flushed, bytes, size);
	return (ssize_t)size;
}

static int begin_collect(void **state)
{
	gets = waits = NULL;
	record_status = put_error = get_signal = 0;
	no_collector = damage_ends = stops = run_finishing = false;
	run_signal = 0;
	word_count = 2;
	output.used = 0;
	output.error = 0;
	flushed[0] = '\0';
	return 0;
}

static int collect_words(const char *text)
{
	static char copy[200];
	char *words[16] = { (char *)"collect" }, *at;
	int count = 1, r;

	snprintf(copy, sizeof(copy), "%s", text);
	for (at = strtok(copy, " "); at; at = strtok(NULL, " "))
		words[count++] = at;
	words[count] = NULL;
	done[0] = '\0';
	collecting = true;
	r = cmd_collect(count, words);
	collecting = false;
	return r;
}

#define assert_collects(text, status, complaint, deeds) do { \
		assert_complains(complaint, collect_words(text) == (status)); \
		assert_string_equal(done, deeds); \
	} while (0)

#define BEGIN "open x; mask ffffffff; monitor f; 9abcdef0; "
#define END "free; damage told; close; "
#define MESSAGE "4000000000 3000000000 00000abc 00000abd\n"

/* ---- its loop ------------------------------------------------------------------------------------------------------ */

/* The rest of a log that has ended is not waited for. */
static void a_log_that_ends(void **state)
{
	gets = LIST(1, 1);
	assert_collects("x", EXIT_OK, "", BEGIN "get; get; get; wait 1000; stop; " END);
	assert_string_equal(flushed, MESSAGE MESSAGE);
}

static void words_of_a_message(void **state)
{
	word_count = 0;
	gets = LIST(1);
	collect_words("x");
	assert_string_equal(flushed, "4000000000 3000000000\n");
	word_count = BCOS_MESSAGE_WORDS_MAX;
	gets = LIST(1);
	flushed[0] = '\0';
	collect_words("x");
	assert_int_equal(strlen(flushed), 22 + 9 * BCOS_MESSAGE_WORDS_MAX);
}

/* A log that grows is looked at again after a second, since its end does not wake for all messages. */
static void a_log_that_grows(void **state)
{
	waits = LIST(1, -ETIMEDOUT);
	assert_collects("-f x", EXIT_OK, "", "open x -f; mask ffffffff; monitor f; 9abcdef0; get; wait 1000; get; wait 1000; get; "
			"wait 1000; stop; " END);
	waits = LIST(-EIO);
	assert_collects("x", EXIT_ENVIRONMENT, "", BEGIN "get; wait 1000; free; damage told; failed; close; ");
	/* The reader of the output is gone. */
	waits = LIST(-EPIPE);
	assert_collects("x", EXIT_OK, "", BEGIN "get; wait 1000; " END);
	waits = LIST(-EINTR);
	assert_collects("x", EXIT_OK, "", BEGIN "get; wait 1000; stop; " END);
}

/* Messages that BPF programs have recorded up to the signal are still told. */
static void the_rest_of_a_recording(void **state)
{
	waits = LIST(-EINTR);
	stops = true;
	assert_collects("x", EXIT_OK, "", BEGIN "get; wait 1000; stop; get; " END);
	stops = true;
	run_finishing = false;
	gets = LIST(1);
	get_signal = 1;
	assert_collects("x", EXIT_OK, "", BEGIN "get; stop; get; " END);
	assert_string_equal(flushed, MESSAGE);
	/* The recording has ended before the first message is read. */
	run_finishing = true;
	gets = LIST(1, 1);
	waits = LIST(1);
	assert_collects("x", EXIT_OK, "", BEGIN "get; get; get; wait 1000; get; wait 1000; stop; " END);
	begin_collect(state);
	stops = true;
	waits = LIST(-EINTR);
	gets = LIST(-EINTR, -EIO);
	assert_collects("x", EXIT_ENVIRONMENT, "", BEGIN "get; stop; get; free; damage told; failed; close; ");
}

static void a_signal_ends_it(void **state)
{
	gets = LIST(1, 1, 1);
	get_signal = 2;
	assert_collects("x", EXIT_OK, "", BEGIN "get; get; stop; " END);
	assert_string_equal(flushed, MESSAGE MESSAGE);
}

static void an_output_that_cannot_be_written(void **state)
{
	output.error = EPIPE;
	gets = LIST(1, 1);
	assert_collects("x", EXIT_OK, "", BEGIN "get; stop; " END);
}

static void damaged_log(void **state)
{
	gets = LIST(1, -EBADMSG, 1);
	assert_collects("x", EXIT_DAMAGE, "", BEGIN "get; get; damaged; get; get; wait 1000; stop; " END);
	assert_string_equal(flushed, MESSAGE MESSAGE);
	gets = LIST(-EBADMSG, 1);
	damage_ends = true;
	assert_collects("x", EXIT_DAMAGE, "", BEGIN "get; damaged; " END);
	gets = LIST(-EIO, 1);
	assert_collects("x", EXIT_ENVIRONMENT, "", BEGIN "get; free; damage told; failed; close; ");
}

static void what_does_not_begin(void **state)
{
	assert_collects("--help", EXIT_OK, "", "");
	assert_collects("missing", EXIT_ENVIRONMENT, "", "open missing; ");
	record_status = 7;
	assert_collects("x", 7, "", "open x; close; ");
	record_status = 0;
	no_collector = true;
	assert_collects("x", EXIT_ENVIRONMENT, "bcoslog: there is no memory for a collector\n", "open x; close; ");
	assert_collects("--timed x", EXIT_ENVIRONMENT, "bcoslog: --timed goes with --put\n", "");
}

/* ---- its options ---------------------------------------------------------------------------------------------------- */

static void masks_and_shifts(void **state)
{
	assert_collects("--mask 0xFFFFFFFE --monitor 9 --shift 4 x", EXIT_OK, "",
			"open x; mask fffffffe; monitor 9; 89abcdef; get; wait 1000; stop; " END);
	assert_collects("--mask 0 --monitor 0 --shift 63 x", EXIT_OK, "",
			"open x; mask 0; monitor 0; 1; get; wait 1000; stop; " END);
	assert_collects("--mask 4294967295 --monitor 15 x", EXIT_OK, "", BEGIN "get; wait 1000; stop; " END);
	assert_collects("--mask 4294967296 x", EXIT_ENVIRONMENT,
			"bcoslog: --mask takes a number from 0 to 4294967295, not \"4294967296\"\n", "");
	assert_collects("--monitor 16 x", EXIT_ENVIRONMENT, "bcoslog: --monitor takes a number from 0 to 15, not \"16\"\n", "");
	assert_collects("--shift 64 x", EXIT_ENVIRONMENT, "bcoslog: --shift takes a number from 0 to 63, not \"64\"\n", "");
}

/* ---- messages that are put ------------------------------------------------------------------------------------------- */

/* Gives standard input this text. */
static void set_input(const char *text)
{
	FILE *file = tmpfile();

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	rewind(file);	/* also writes it */
	assert_true(dup2(fileno(file), STDIN_FILENO) >= 0);
	fclose(file);
	__fpurge(stdin);
	clearerr(stdin);
}

#define PUT "open x to change it; put 7; "

static void words_that_are_put(void **state)
{
	set_input("1 0x2a\n\t4294967295");
	assert_collects("--put 7 x", EXIT_OK, "", PUT "0: 1; 1: 2a; 2: ffffffff; close; ");
	set_input("");
	put_error = -EINVAL;
	assert_collects("--put 7 x", EXIT_ENVIRONMENT, "", PUT "failed; close; ");
	put_error = 0;
	set_input("1 4294967296");
	assert_collects("--put 7 x", EXIT_ENVIRONMENT,
			"bcoslog: a message's word takes a number from 0 to 4294967295, not \"4294967296\"\n",
			"open x to change it; close; ");
}

/* A word of 30 characters is read whole. One of 31 may have been cut, and would be another number. */
static void long_words(void **state)
{
	set_input("000000000000000000000000000012 9");
	assert_collects("--put 7 x", EXIT_OK, "", PUT "0: a; 1: 9; close; ");
	set_input("0000000000000000000000000000012");
	assert_collects("--put 7 x", EXIT_ENVIRONMENT, "bcoslog: a message's word takes a number from 0 to 4294967295, not \"\"\n",
			"open x to change it; close; ");
	set_input("00000000000000000000000000000012");
	assert_collects("--put 7 x", EXIT_ENVIRONMENT, "bcoslog: a message's word takes a number from 0 to 4294967295, not \"\"\n",
			"open x to change it; close; ");
}

/* One word more is read than a message may have, so that the library refuses them, and no more than that. */
static void more_words_than_a_message_has(void **state)
{
	static char text[2 * 200 + 1];
	size_t i;

	for (i = 0; i < 200; i++)
		memcpy(text + 2 * i, i < BCOS_MESSAGE_WORDS_MAX ? "5 " : i == BCOS_MESSAGE_WORDS_MAX ? "6 " : "7 ", 2);
	set_input(text);
	assert_collects("--put 7 x", EXIT_OK, "", PUT "0: 5; 1: 5; 2: 5; 113: 6; close; ");
	text[2 * BCOS_MESSAGE_WORDS_MAX] = '\0';
	set_input(text);
	assert_collects("--put 7 x", EXIT_OK, "", PUT "0: 5; 1: 5; 2: 5; 112: 5; close; ");
}

static void a_time_that_is_put(void **state)
{
	assert_collects("--timed --put 0x3fffffff x", EXIT_OK, "", "open x to change it; timed 1073741823; close; ");
	put_error = -EPERM;
	assert_collects("--timed --put 7 x", EXIT_ENVIRONMENT, "", "open x to change it; timed 7; failed; close; ");
	assert_collects("--timed --put 6 x", EXIT_ENVIRONMENT, "bcoslog: --put takes an ID, at least 7\n", "");
	assert_collects("--put x", EXIT_ENVIRONMENT, "bcoslog: --put takes a number from 0 to 1073741823, not \"x\"\n", "");
}

#define collect_test(test) cmocka_unit_test_setup(test, begin_collect)

int main(void)
{
	const struct CMUnitTest tests[] = {
		collect_test(a_log_that_ends),
		collect_test(words_of_a_message),
		collect_test(a_log_that_grows),
		collect_test(the_rest_of_a_recording),
		collect_test(a_signal_ends_it),
		collect_test(an_output_that_cannot_be_written),
		collect_test(damaged_log),
		collect_test(what_does_not_begin),
		collect_test(masks_and_shifts),
		collect_test(words_that_are_put),
		collect_test(long_words),
		collect_test(more_words_than_a_message_has),
		collect_test(a_time_that_is_put),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
