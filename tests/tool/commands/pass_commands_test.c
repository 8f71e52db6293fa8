// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog cat, check and bridge: their passes over a log that is made up here, and how they end. */
#include <errno.h>

#include "kept_output.h"
#include "made_pass.h"
#include "bcoslog_check.h"
#include "command.h"
#include "../convert/eventheader/user_events.h"
#include "log/keep.h"
#include "log/notes.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "made_log.h"
#include "options/recorder_options.h"
#include "output/output.h"

/* ---- the log ------------------------------------------------------------------------------------------------------------ */

/* These are only passed on. */
#define KEEP ((struct keep *)(done + 1))
#define CHECK ((struct bcoslog_check *)(done + 2))

volatile sig_atomic_t run_signal;
bool run_finishing, run_whole_batches;
const char default_log[] = BCOS_DEVICE_PATH;

static int log_status, entries, keep_result, entry_error, open_error, write_result, no_memory;
static bool filtered, no_check, damaged, on_terminal, enabled, resumes;
static struct bcoslog_summary summary;
static bcoslog_report reports;
static void *reports_to;

int isatty(int fd)
{
	return fd == STDOUT_FILENO && on_terminal;
}

/* Passes entries on that are at 1, 2 and so on, of which the second one says that the reader was overtaken, and says how many bytes are damaged. */
int run_log(struct run *run)
{
	struct bcoslog_error error = { .lost = 77 };
	struct bcoslog_batch batch = { .offset = 1000 };
	const struct bcos_entry *entry;
	static char log[200];
	struct made made;
	u32 used = 0;
	int i;

	note_call("pass");
	for (i = 1; i <= entries; i++) {
		entry = i == 2 ? made_event(&made, BCOS_GENERIC_DEVICE, BCOS_DEVICE_SELF, 2, BCOS_EVENT_MISSED, 2, "x") : made_word(&made, BCOS_ASSIGN_CPU, 0, (u64)i, 10);
		memcpy(log + used, entry, entry->size);
		used += entry->size;
	}
	batch.first = (const struct bcos_entry *)log;
	batch.end = (const struct bcos_entry *)(log + used);
	if (run->entries && run->entries(run, &batch))
		return EXIT_ENVIRONMENT;
	if (damaged)
		run->damage(run, &error);
	if (resumes)
		run->resumed(run);
	return log_status;
}

int run_close(struct run *run, int status)
{
	note_call("close");
	return status;
}

void note_entry(const struct bcos_entry *entry)
{
	note_call("note %llu", (unsigned long long)entry->time);
}

/* ---- the parts of the commands ---------------------------------------------------------------------------------------- */

int keep_run(struct run *run)
{
	run->context = filtered ? KEEP : NULL;
	note_call("keep");
	return keep_result;
}

void keep_free(struct keep *keep)
{
	assert_ptr_equal(keep, KEEP);
	note_call("freed");
}

struct bcoslog_check *bcoslog_check_new(bcoslog_report report, void *context)
{
	reports = report;
	reports_to = context;
	return no_check ? NULL : CHECK;
}

void bcoslog_check_free(struct bcoslog_check *check)
{
	assert_ptr_equal(check, CHECK);
	note_call("freed");
}

int bcoslog_check_entry(struct bcoslog_check *check, __u64 offset, const struct bcos_entry *entry)
{
	struct bcoslog_violation violation = { .offset = offset, .word = "order", .reason = "it is too late" };

	assert_ptr_equal(check, CHECK);
	note_call("%llu at %llu", (unsigned long long)entry->time, (unsigned long long)offset);
	if (entry->time == 2)
		reports(reports_to, &violation);
	return entry_error;
}

void bcoslog_check_damage(struct bcoslog_check *check, const struct bcoslog_error *error)
{
	note_call("damage %llu", (unsigned long long)error->lost);
}

const struct bcoslog_summary *bcoslog_check_end(struct bcoslog_check *check)
{
	note_call("end");
	return &summary;
}

int encoder_init(struct encoder *encoder)
{
	memset(encoder, 0, sizeof(*encoder));
	/* Each entry asks what lives. */
	encoder->templates[BCOS_TYPES] = encoder->templates[0] = (struct event_template){ .type = BCOS_ASSIGN_CPU, .activity = 1 };
	return no_memory == 1 ? -ENOMEM : 0;
}

void encoder_destroy(struct encoder *encoder)
{
	note_call("destroyed");
}

void encoder_forget(struct encoder *encoder)
{
	note_call("forget");
}

int encoder_live(struct encoder *encoder, const struct event_template *template, const struct bcos_entry *entry, u8 *event)
{
	note_call("%llu", (unsigned long long)entry->time);
	return no_memory == 2 ? -ENOMEM : 0;
}

size_t encoder_last(const struct event_template *template, const struct bcos_entry *entry, u8 *to, size_t room)
{
	return 0;
}

unsigned int encoder_point(const struct encoder *encoder, const struct bcos_entry *entry, u8 *event)
{
	return 0;
}

int user_events_open(struct user_events *events, const struct encoder *encoder)
{
	strcpy(events->reason, "this is why");
	memset(events->enabled, enabled ? 0xff : 0, sizeof(events->enabled));
	return open_error;
}

void user_events_close(struct user_events *events)
{
	note_call("closed");
}

int user_events_write(const struct user_events *events, unsigned int point, const void *event, size_t size)
{
	assert_int_equal(size, 16);
	note_call("write");
	return write_result;
}

/* ---- the commands ---------------------------------------------------------------------------------------------------------- */

static int begin_pass(void **state)
{
	log_status = keep_result = entry_error = open_error = write_result = no_memory = 0;
	entries = 1;
	filtered = no_check = damaged = on_terminal = resumes = false;
	enabled = true;
	memset(&summary, 0, sizeof(summary));
	output.used = 0;
	output.whole = NULL;
	run_signal = 0;
	return 0;
}

#define call(command, ...) call_words(command, (char *[]){ __VA_ARGS__, NULL })
#define ASSERT_DOES(command, status, complaint, deeds, ...) do { \
		assert_complains(complaint, call(command, __VA_ARGS__) == (status)); \
		assert_string_equal(done, deeds); \
	} while (0)

/* ---- cat -------------------------------------------------------------------------------------------------------------------- */

static void cat_a_log(void **state)
{
	entries = 0;
	log_status = EXIT_DAMAGE;
	ASSERT_DOES(cmd_cat, EXIT_DAMAGE, "", "keep; open log apart; pass; close; ", "log");
	filtered = true;
	ASSERT_DOES(cmd_cat, EXIT_DAMAGE, "", "keep; open log -f apart; pass; close; freed; ", "-f", "log");
	ASSERT_DOES(cmd_cat, EXIT_DAMAGE, "", "keep; open /dev/bcos_evlog run apart; pass; close; freed; ", "--", " run");
	ASSERT_DOES(cmd_cat, EXIT_ENVIRONMENT, "", "keep; open missing apart; freed; ", "missing");
	keep_result = -1;
	ASSERT_DOES(cmd_cat, EXIT_ENVIRONMENT, "", "keep; ", "log");
	on_terminal = true;
	ASSERT_DOES(cmd_cat, EXIT_ENVIRONMENT, "bcoslog: cat writes binary entries, which a terminal cannot show: redirect it to a "
		    "file, or use bcoslog dump\n", "", "log");
	ASSERT_DOES(cmd_cat, EXIT_OK, "", "", "--help");
}

/* If a disk is full, no part of an entry stays in the file. */
static void whole_entries(void **state)
{
	static char log[100];
	struct made made;

	call(cmd_cat, "log");
	memcpy(log, made_word(&made, BCOS_ASSIGN_CPU, 0, 1, 10), 24);
	memcpy(log + 24, made_name(&made, BCOS_SET_PROCESS_NAME, 0, 1, "abcdefgh"), 28);
	assert_non_null(output.whole);
	assert_int_equal(output.whole(log, 0), 0);
	assert_int_equal(output.whole(log, 19), 0);
	assert_int_equal(output.whole(log, 23), 0);
	assert_int_equal(output.whole(log, 24), 24);
	assert_int_equal(output.whole(log, 43), 24);
	assert_int_equal(output.whole(log, 44), 24);
	assert_int_equal(output.whole(log, 51), 24);
	assert_int_equal(output.whole(log, 52), 52);
}

/* ---- check ------------------------------------------------------------------------------------------------------------------- */

#define VIOLATION "byte 1024: order: it is too late\n"

static void check_a_log(void **state)
{
	entries = 3;
	summary = (struct bcoslog_summary){ .entries = 3, .violations = 1 };
	ASSERT_DOES(cmd_check, EXIT_DAMAGE, "", "open log; pass; 1 at 1000; 2 at 1024; 3 at 1052; end; close; freed; ", "log");
	assert_string_equal(written, VIOLATION "3 entries, 1 violations\n");
	ASSERT_DOES(cmd_check, EXIT_DAMAGE, "", "open log -f; pass; 1 at 1000; 2 at 1024; 3 at 1052; end; close; freed; ", "-q", "-f",
		    "log");
	assert_string_equal(written, "");
	summary.violations = 0;
	summary.losses = 2;
	summary.missed = 3;
	summary.reserved = 4;
	summary.unusual = 5;
	summary.lost = 6;
	damaged = true;
	entries = 1;
	ASSERT_DOES(cmd_check, EXIT_OK, "", "open log; pass; 1 at 1000; damage 77; end; close; freed; ", "log");
	assert_string_equal(written, "3 entries, 0 violations, 2 losses stated, 3 times overtaken, 4 of reserved types skipped, 5 legal "
			    "but unusual, 6 bytes left out\n");
}

static void how_a_check_ends(void **state)
{
	log_status = EXIT_DAMAGE;
	ASSERT_DOES(cmd_check, EXIT_DAMAGE, "", "open log; pass; 1 at 1000; end; close; freed; ", "log");
	log_status = EXIT_ENVIRONMENT;
	summary.violations = 1;
	ASSERT_DOES(cmd_check, EXIT_ENVIRONMENT, "", "open log; pass; 1 at 1000; end; close; freed; ", "log");
	entries = 3;
	entry_error = -ENOMEM;
	/* Nothing is said of a group that was not read to its end. */
	ASSERT_DOES(cmd_check, EXIT_ENVIRONMENT, "bcoslog: no memory for the names in log\n",
		    "open log; pass; 1 at 1000; close; freed; ", "log");
	assert_string_equal(written, "");
	ASSERT_DOES(cmd_check, EXIT_ENVIRONMENT, "", "open missing; freed; ", "missing");
	no_check = true;
	ASSERT_DOES(cmd_check, EXIT_ENVIRONMENT, "bcoslog: no memory\n", "", "log");
	ASSERT_DOES(cmd_check, EXIT_OK, "", "", "--help");
}

/* ---- bridge -------------------------------------------------------------------------------------------------------------------- */

static void bridge_a_log(void **state)
{
	entries = 3;
	log_status = EXIT_DAMAGE;
	ASSERT_DOES(cmd_bridge, EXIT_DAMAGE, "", "open log; pass; note 1; 1; write; note 2; 2; forget; write; note 3; 3; write; close; closed; "
		    "destroyed; ", "log");
	log_status = 0;
	entries = 1;
	resumes = true;
	ASSERT_DOES(cmd_bridge, EXIT_OK, "", "open log -f; pass; note 1; 1; write; forget; close; closed; destroyed; ", "-f", "log");
	resumes = false;
	ASSERT_DOES(cmd_bridge, EXIT_OK, "", "open /dev/bcos_evlog run; pass; note 1; 1; write; close; closed; destroyed; ", "--",
		    " run");
	ASSERT_DOES(cmd_bridge, EXIT_ENVIRONMENT, "", "open missing; closed; destroyed; ", "missing");
	ASSERT_DOES(cmd_bridge, EXIT_OK, "", "", "--help");
}

static void how_a_bridge_ends(void **state)
{
	no_memory = 1;
	ASSERT_DOES(cmd_bridge, EXIT_ENVIRONMENT, "bcoslog: no memory\n", "", "log");
	no_memory = 2;
	ASSERT_DOES(cmd_bridge, EXIT_ENVIRONMENT, "bcoslog: no memory\n", "open log; pass; note 1; 1; close; closed; destroyed; ",
		    "log");
	no_memory = 0;
	open_error = -ENOENT;
	ASSERT_DOES(cmd_bridge, EXIT_ENVIRONMENT, "bcoslog: this is why\n", "destroyed; ", "log");
	/* Nobody records, though somebody did before. */
	open_error = 0;
	enabled = false;
	ASSERT_DOES(cmd_bridge, EXIT_OK, "", "open log; pass; note 1; 1; close; closed; destroyed; ", "log");
	enabled = true;
	write_result = -EBADF;
	ASSERT_DOES(cmd_bridge, EXIT_OK, "", "open log; pass; note 1; 1; write; close; closed; destroyed; ", "log");
	write_result = -ENOMEM;
	ASSERT_DOES(cmd_bridge, EXIT_ENVIRONMENT, "bcoslog: the kernel refused 1 events: Cannot allocate memory\n",
		    "open log; pass; note 1; 1; write; close; closed; destroyed; ", "log");
}

#define pass_test(test) cmocka_unit_test_setup(test, begin_pass)

int main(void)
{
	const struct CMUnitTest tests[] = {
		pass_test(cat_a_log),
		pass_test(whole_entries),
		pass_test(check_a_log),
		pass_test(how_a_check_ends),
		pass_test(bridge_a_log),
		/* It counts on. */
		pass_test(how_a_bridge_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
