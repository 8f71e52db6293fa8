// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog text and dump over a log that is made up here: which entries are printed in which form, and how they end. */
#include <errno.h>

#include "kept_output.h"
#include "made_pass.h"
#include "command.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "made_log.h"
#include "options/recorder_options.h"
#include "output/json.h"
#include "output/line.h"
#include "output/output.h"
#include "output/terminal.h"
#include "output/times.h"
#include "record/side_by_side.h"
#include "report/table/form.h"
#include "views/text_table.h"

/* ---- the log --------------------------------------------------------------------------------------------------------- */


volatile sig_atomic_t run_signal;
bool run_finishing, run_whole_batches, beside_others, colours;
const char default_log[] = BCOS_DEVICE_PATH;

static int log_status, side_status, apply_error, json_error, svg_error, draw_error;
static bool on_terminal, resumes, others;

/* Passes on: history at 1, a text at 2, and an assignment at 3. */
int run_log(struct run *run)
{
	struct bcoslog_batch batch = { .offset = 1000 };
	static u32 log[64];
	struct made made[3];
	const struct bcos_entry *entries[] = {
		made_name(made, BCOS_HIST_SET_PROCESS_NAME, 10, 1, "ten"),
		made_event(made + 1, BCOS_GENERIC_PROCESS, 10, 2, 1, 0x40, "hello"),
		made_word(made + 2, BCOS_ASSIGN_CPU, 0, 3, 10),
	};
	char *at = (char *)log;
	int i;

	note_call("pass");
	for (i = 0; i < 3; i++) {
		memcpy(at, entries[i], entries[i]->size);
		at += entries[i]->size;
	}
	batch.first = (const struct bcos_entry *)log;
	batch.end = (const struct bcos_entry *)at;
	if (run->entries(run, &batch))
		return EXIT_ENVIRONMENT;
	if (resumes)
		run->resumed(run);
	return log_status;
}

int run_close(struct run *run, int status)
{
	note_call("close");
	return status;
}

/* ---- printing ----------------------------------------------------------------------------------------------------- */

int side_by_side(struct run *run, bool json)
{
	note_call("side by side%s", json ? " as JSON" : "");
	beside_others = others;
	return side_status;
}

void side_by_side_key(u64 time)
{
	note_call("key %llu", (unsigned long long)time);
}

bool terminal_begin(bool follow)
{
	note_call("terminal%s", follow ? " -f" : "");
	return on_terminal;
}

void colour_begin(const struct bcos_entry *entry)
{
	note_call("colour");
}

void colour_end(void)
{
	note_call("plain");
}

void fold_entry(const struct bcos_entry *entry)
{
	note_call("fold %llu", (unsigned long long)entry->time);
}

void fold_end(void)
{
	note_call("folded");
}

void line_entry(const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	note_call("line %llu", (unsigned long long)entry->time);
}

int line_apply(struct bcoslog_state *state, const struct bcos_entry *entry)
{
	return apply_error;
}

void line_forget(struct bcoslog_state *state)
{
	note_call("forget");
}

void line_subject(const struct bcoslog_state *state, u16 type, u32 id)
{
	note_call("event of %u", id);
}

void line_waker(const struct bcoslog_state *state, const struct bcos_entry *entry)
{
}

int json_entry(const struct bcoslog_state *state, const struct bcos_entry *entry, u64 offset)
{
	note_call("JSON %llu at %llu", (unsigned long long)entry->time, (unsigned long long)offset);
	return json_error;
}

void text_csv_head(void)
{
	note_call("head");
}

void text_csv_row(const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	note_call("row %llu", (unsigned long long)entry->time);
}

int text_svg_entry(const struct bcos_entry *entry)
{
	note_call("seen %llu", (unsigned long long)entry->time);
	return svg_error;
}

void text_svg_event(const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	note_call("drawn %llu", (unsigned long long)entry->time);
}

int text_svg_draw(void)
{
	note_call("draw");
	return draw_error;
}

/* ---- the commands ----------------------------------------------------------------------------------------------------- */

static int begin_print(void **state)
{
	log_status = apply_error = json_error = svg_error = draw_error = 0;
	side_status = -1;
	on_terminal = resumes = others = beside_others = colours = false;
	form_chosen = TABLE_TEXT;
	time_mode = TIME_BOOT;
	output.used = 0;
	return 0;
}

#define call(command, ...) (form_chosen = TABLE_TEXT, call_words(command, (char *[]){ __VA_ARGS__, NULL }))
#define ASSERT_DOES(command, status, complaint, deeds, ...) do { \
		assert_complains(complaint, call(command, __VA_ARGS__) == (status)); \
		assert_string_equal(done, deeds); \
	} while (0)
#define NO_NAMES "bcoslog: no memory for the names in log\n"

/* ---- text --------------------------------------------------------------------------------------------------------------- */

static void text_as_lines(void **state)
{
	ASSERT_DOES(cmd_text, EXIT_OK, "", "terminal; open log; side by side; pass; event of 10; close; ", "log");
	log_status = EXIT_DAMAGE;
	resumes = colours = true;
	ASSERT_DOES(cmd_text, EXIT_DAMAGE, "",
		    "terminal -f; open log -f; side by side; pass; colour; event of 10; plain; forget; close; ", "-f", "log");
	ASSERT_DOES(cmd_text, EXIT_DAMAGE, "", "terminal; open /dev/bcos_evlog run; side by side; pass; colour; "
		    "event of 10; plain; forget; close; ", "--", " run");
	ASSERT_DOES(cmd_text, EXIT_ENVIRONMENT, "", "terminal; open missing; ", "missing");
	apply_error = -ENOMEM;
	ASSERT_DOES(cmd_text, EXIT_ENVIRONMENT, NO_NAMES, "terminal; open log; side by side; pass; close; ", "log");
}

/* If there are several machines, each line has the key by which they are merged. */
static void text_of_several_machines(void **state)
{
	others = true;
	ASSERT_DOES(cmd_text, EXIT_OK, "", "terminal; open log; side by side; pass; key 2; event of 10; close; ", "log");
	/* Other processes have printed all of it. */
	side_status = EXIT_DAMAGE;
	ASSERT_DOES(cmd_text, EXIT_DAMAGE, "", "terminal; open log; side by side; close; ", "log");
	side_status = 0;
	ASSERT_DOES(cmd_text, EXIT_OK, "", "terminal; open log; side by side; close; ", "log");
}

static void text_for_programs(void **state)
{
	ASSERT_DOES(cmd_text, EXIT_OK, "", "terminal; open log apart; side by side as JSON; pass; JSON 2 at 1024; close; ", "--json",
		    "log");
	ASSERT_DOES(cmd_text, EXIT_OK, "", "terminal; open log apart; pass; row 2; head; close; ", "--csv", "log");
	ASSERT_DOES(cmd_text, EXIT_OK, "", "terminal; open log apart; pass; seen 1; seen 2; drawn 2; seen 3; draw; close; ", "--svg",
		    "log");
	draw_error = -ENOMEM;
	ASSERT_DOES(cmd_text, EXIT_ENVIRONMENT, "", "terminal; open log apart; pass; seen 1; seen 2; drawn 2; seen 3; draw; close; ",
		    "--svg", "log");
	svg_error = -ENOMEM;
	ASSERT_DOES(cmd_text, EXIT_ENVIRONMENT, NO_NAMES, "terminal; open log apart; pass; seen 1; close; ", "--svg", "log");
	json_error = -ENOMEM;
	ASSERT_DOES(cmd_text, EXIT_ENVIRONMENT, "", "terminal; open log apart; side by side as JSON; pass; JSON 2 at 1024; close; ",
		    "--json", "log");
	log_status = EXIT_ENVIRONMENT;
	json_error = 0;
	ASSERT_DOES(cmd_text, EXIT_ENVIRONMENT, "", "terminal; open log apart; pass; row 2; close; ", "--csv", "log");
	log_status = EXIT_DAMAGE;
	ASSERT_DOES(cmd_text, EXIT_DAMAGE, "", "terminal; open log apart; pass; row 2; head; close; ", "--csv", "log");
}

/* ---- dump ---------------------------------------------------------------------------------------------------------------- */

static void dump_as_lines(void **state)
{
	ASSERT_DOES(cmd_dump, EXIT_OK, "", "terminal; open log; side by side; pass; line 1; line 2; line 3; folded; close; ", "log");
	ASSERT_DOES(cmd_dump, EXIT_OK, "", "terminal; open log; side by side; pass; line 2; line 3; folded; close; ", "--no-history",
		    "log");
	log_status = EXIT_DAMAGE;
	resumes = true;
	ASSERT_DOES(cmd_dump, EXIT_DAMAGE, "",
		    "terminal -f; open log -f; side by side; pass; line 1; line 2; line 3; forget; folded; close; ", "-f", "log");
	ASSERT_DOES(cmd_dump, EXIT_ENVIRONMENT, "", "terminal; open missing; ", "missing");
	apply_error = -ENOMEM;
	ASSERT_DOES(cmd_dump, EXIT_ENVIRONMENT, NO_NAMES, "terminal; open log; side by side; pass; line 1; folded; close; ", "log");
	ASSERT_DOES(cmd_dump, EXIT_ENVIRONMENT, "bcoslog: --all and --no-history exclude each other\n", "", "--all", "--no-history",
		    "log");
}

/* On a terminal, history is one line, unless all of it is asked for, or it is that of several machines. */
static void dump_on_a_terminal(void **state)
{
	on_terminal = true;
	ASSERT_DOES(cmd_dump, EXIT_OK, "",
		    "terminal; open log; side by side; pass; fold 1; folded; line 2; folded; line 3; folded; close; ", "log");
	ASSERT_DOES(cmd_dump, EXIT_OK, "", "terminal; open log; side by side; pass; line 1; line 2; line 3; folded; close; ", "--all",
		    "log");
	ASSERT_DOES(cmd_dump, EXIT_OK, "", "terminal; open log apart; side by side as JSON; pass; JSON 1 at 1000; JSON 2 at 1024; "
		    "JSON 3 at 1056; folded; close; ", "--json", "log");
	others = true;
	ASSERT_DOES(cmd_dump, EXIT_OK, "", "terminal; open log; side by side; pass; key 1; line 1; key 2; line 2; key 3; line 3; folded; "
		    "close; ", "log");
	side_status = 0;
	ASSERT_DOES(cmd_dump, EXIT_OK, "", "terminal; open log; side by side; folded; close; ", "log");
	side_status = EXIT_DAMAGE;
	ASSERT_DOES(cmd_dump, EXIT_DAMAGE, "", "terminal; open log; side by side; folded; close; ", "log");
}

static void dump_for_programs(void **state)
{
	json_error = -ENOMEM;
	ASSERT_DOES(cmd_dump, EXIT_ENVIRONMENT, "", "terminal; open log apart; side by side as JSON; pass; JSON 1 at 1000; folded; "
		    "close; ", "--json", "log");
}

#define print_test(test) cmocka_unit_test_setup(test, begin_print)

int main(void)
{
	const struct CMUnitTest tests[] = {
		print_test(text_as_lines),
		print_test(text_of_several_machines),
		print_test(text_for_programs),
		print_test(dump_as_lines),
		print_test(dump_on_a_terminal),
		print_test(dump_for_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
