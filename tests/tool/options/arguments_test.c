// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The command line of a subcommand that is made up here: its options, its log, a command to be recorded, and its help. */
#include <errno.h>
#include <sys/syscall.h>

#include "options/number.h"
#include "options/options.h"
#include "options/recorder_options.h"
#include "output/output.h"
#include "said.h"
#include "command.h"

/* ---- the subcommand -------------------------------------------------------------------------------------------------- */

static char own_context;
const char default_log[] = BCOS_DEVICE_PATH;

static int take_own(void *context, const char *text)
{
	assert_ptr_equal(context, &own_context);
	note_call("own %s", text);
	return strcmp(text, "wrong") ? 0 : -1;
}

static int take_flag(void *context, const char *text)
{
	assert_ptr_equal(context, &own_context);
	assert_null(text);
	note_call("flag");
	return 0;
}

static int take_refused(void *context, const char *text)
{
	return -1;
}

static int take_shared(void *context, const char *text)
{
	note_call("shared %s", text ? text : "-");
	return 0;
}

static const struct option_spec own[] = {
	{ "own", 'o', "VALUE", take_own },
	{ "flag", 'x', NULL, take_flag },
	{ "refused", 'r', NULL, take_refused },
	{ "quiet", 0, NULL, take_flag },
	{ NULL, 0, NULL, NULL },
};

static const struct option_spec shared[] = {
	{ "shared", 's', "NAME", take_shared },
	{ "toggle", 't', NULL, take_shared },
	/* The subcommand's own one counts. */
	{ "flag", 'x', "NEVER", take_refused },
	{ NULL, 0, NULL, NULL },
};

static struct arguments arguments;
static bool no_output;
static char written[200];

/* The recorder has one option with a value, and one that is wrong. */
int recorder_option(char **argv)
{
	note_call("recorder %s", argv[0]);
	return !strcmp(argv[0], "--engine") ? 2 : !strcmp(argv[0], "--broken") ? -1 : 0;
}

/* It takes words that begin with "+", and those with "-" that are no options. */
static int take_change(void *context, const char *text)
{
	assert_ptr_equal(context, &own_context);
	if (!strcmp(text, "+wrong"))
		return -1;
	if (text[0] != '+' && strcmp(text, "-minus"))
		return 0;
	note_call("change %s", text);
	return 1;
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	if (fd != STDOUT_FILENO || size > 100)
		return syscall(SYS_write, fd, bytes, size);
	strncat(written, bytes, size);
	errno = ENOSPC;
	return no_output ? -1 : (ssize_t)size;
}

static int begin_arguments(void **state)
{
	arguments = (struct arguments){
		.command = "made", .help = "This is the help.\n", .options = own, .shared = shared, .context = &own_context,
	};
	no_output = false;
	output.error = 0;
	output.used = 0;
	written[0] = '\0';
	arguments_asked = NULL;
	return 0;
}

static int parse_words(char **words)
{
	static char *copy[16];	/* the program is in it */
	int count = 1;

	copy[0] = (char *)"made";
	for (; *words; words++)
		copy[count++] = *words;
	copy[count] = NULL;
	done[0] = '\0';
	arguments.path = NULL;
	arguments.program = NULL;
	arguments.follow = false;
	return arguments_parse(&arguments, count, copy);
}

#define parse(...) parse_words((char *[]){ __VA_ARGS__, NULL })
/* The subcommand goes on, with this log. */
#define ASSERT_TAKES(expected, log, ...) do { \
		assert_complains("", parse(__VA_ARGS__) == -1); \
		assert_string_equal(done, expected); \
		assert_string_equal(arguments.path, log); \
	} while (0)
#define ASSERT_REFUSES(said, ...) assert_complains(said, parse(__VA_ARGS__) == EXIT_ENVIRONMENT)
#define DEVICE "/dev/bcos_evlog"
#define NO_OPTION(text) "bcoslog: made has no option " text ": see bcoslog made --help\n"

/* ---- options ---------------------------------------------------------------------------------------------------------- */

static void long_options(void **state)
{
	ASSERT_TAKES("own a; ", DEVICE, "--own", "a");
	ASSERT_TAKES("own a=b; ", "log", "--own=a=b", "log");
	ASSERT_TAKES("own ; flag; ", "log", "log", "--own=", "--flag");
	ASSERT_TAKES("own --flag; ", DEVICE, "--own", "--flag");
	ASSERT_TAKES("flag; shared b; shared -; ", "log", "--quiet", "--shared", "b", "log", "--toggle");
	ASSERT_TAKES("shared b; ", DEVICE, "--shared=b");
	ASSERT_REFUSES("", "--own", "wrong");
	ASSERT_REFUSES("", "--own=wrong");
	ASSERT_REFUSES("", "--refused", "log");
	assert_null(arguments.path);
	ASSERT_REFUSES("bcoslog: --own needs a value: --own VALUE\n", "log", "--own");
	ASSERT_REFUSES("bcoslog: --shared needs a value: --shared NAME\n", "--shared");
	ASSERT_REFUSES("bcoslog: --flag takes no value\n", "--flag=1");
	ASSERT_REFUSES("bcoslog: --toggle takes no value\n", "--toggle=");
	/* A part of a name, or more than it, is another one. */
	ASSERT_REFUSES(NO_OPTION("--fla"), "--fla");
	ASSERT_REFUSES(NO_OPTION("--flags"), "--flags");
	ASSERT_REFUSES(NO_OPTION("--=x"), "--=x");
}

static void short_options(void **state)
{
	ASSERT_TAKES("own a; ", DEVICE, "-o", "a");
	ASSERT_TAKES("own a; ", "b", "-oa", "b");
	ASSERT_TAKES("flag; own -x; ", DEVICE, "-xo", "-x");
	ASSERT_TAKES("flag; flag; shared -; shared name; ", "log", "-xxtsname", "log");
	ASSERT_TAKES("shared n; flag; ", "log", "-s", "n", "-x", "log");
	ASSERT_REFUSES("", "-o", "wrong");
	ASSERT_REFUSES("", "-owrong");
	ASSERT_REFUSES("", "-xr");
	ASSERT_REFUSES("bcoslog: -o needs a value: -o VALUE\n", "-xo");
	ASSERT_REFUSES(NO_OPTION("-xn"), "-xn");
	/* A single dash is standard input. */
	ASSERT_TAKES("flag; ", "-", "-", "-x");
}

/* --follow and the recorder's options are those of every subcommand that reads a growing log. */
static void options_of_all(void **state)
{
	ASSERT_TAKES("", "log", "--follow", "log");
	assert_true(arguments.follow);
	ASSERT_TAKES("flag; ", "log", "-xf", "log");
	assert_true(arguments.follow);
	ASSERT_TAKES("flag; ", "log", "-x", "log");
	assert_false(arguments.follow);
	ASSERT_REFUSES("bcoslog: --follow takes no value\n", "--follow=1");
	ASSERT_TAKES("recorder --engine; flag; ", DEVICE, "--engine", "--own", "--flag");
	ASSERT_REFUSES("", "--broken", "--flag");
	assert_string_equal(done, "recorder --broken; ");
	ASSERT_REFUSES(NO_OPTION("--other"), "--other");
	assert_string_equal(done, "recorder --other; ");
	ASSERT_REFUSES(NO_OPTION("--follo"), "--follo");
	ASSERT_REFUSES(NO_OPTION("--folloW"), "--folloW");
	ASSERT_REFUSES(NO_OPTION("-F"), "-F");
	arguments.no_follow = true;
	ASSERT_REFUSES(NO_OPTION("--follow"), "--follow");
	ASSERT_REFUSES(NO_OPTION("-f"), "-f");
	ASSERT_REFUSES(NO_OPTION("--engine"), "--engine", "x");
	assert_string_equal(done, "");
}

static void without_options(void **state)
{
	arguments.options = NULL;
	arguments.shared = NULL;
	ASSERT_TAKES("", "log", "log", "-f");
	assert_true(arguments.follow);
	ASSERT_REFUSES(NO_OPTION("-x"), "-x");
	arguments.shared = shared;
	ASSERT_TAKES("shared a; ", "log", "log", "-sa");
}

/* ---- logs --------------------------------------------------------------------------------------------------------------- */

static void one_log(void **state)
{
	assert_complains("", parse_words((char *[]){ NULL }) == -1);
	assert_ptr_equal(arguments.path, default_log);
	ASSERT_TAKES("", "log", "log");
	ASSERT_REFUSES("bcoslog: made takes one log, not a and b\n", "a", "b");
	ASSERT_REFUSES("bcoslog: the name of the log is empty\n", "");
	/* After two dashes, everything is a log. */
	ASSERT_TAKES("", "-x", "--", "-x");
	ASSERT_TAKES("", "--help", "--", "--help");
	ASSERT_REFUSES("bcoslog: made takes one log, not a and --\n", "--", "a", "--");
}

static void taken_changes(void **state)
{
	arguments.change = take_change;
	ASSERT_TAKES("change +a; flag; change -minus; ", "log", "+a", "-x", "log", "-minus");
	ASSERT_TAKES("change +a; ", DEVICE, "--", "+a");
	ASSERT_REFUSES("", "log", "+wrong");
	ASSERT_REFUSES(NO_OPTION("-n"), "-n");
	ASSERT_REFUSES("bcoslog: the name of the log is empty\n", "");
	/* Two dashes begin no change. */
	ASSERT_REFUSES(NO_OPTION("--minus"), "--minus");
}

static void a_command_to_be_recorded(void **state)
{
	arguments.takes_command = true;
	ASSERT_TAKES("flag; ", DEVICE, "-x", "--", "run", "-x", "--help");
	assert_ptr_equal(arguments.path, default_log);
	assert_string_equal(arguments.program[0], "run");
	assert_string_equal(arguments.program[1], "-x");
	assert_string_equal(arguments.program[2], "--help");
	assert_null(arguments.program[3]);
	ASSERT_TAKES("", "log", "log");
	assert_null(arguments.program);
	ASSERT_REFUSES("bcoslog: a program is missing after --: bcoslog made -- PROGRAM...\n", "--");
	ASSERT_REFUSES("bcoslog: log is a log, and -- run is a program to be recorded: leave one of them out\n", "log", "--",
		       "run");
	ASSERT_REFUSES("bcoslog: the log of a program is shown when the program has ended: leave -f or -- run out\n", "-f", "--",
		       "run");
}

/* ---- help, and completion ------------------------------------------------------------------------------------------------ */

static void printed_help(void **state)
{
	assert_complains("", parse("-x", "--help", "--other") == EXIT_OK);
	assert_string_equal(written, "This is the help.\n");
	assert_complains("", parse("-h") == EXIT_OK);
	assert_string_equal(written, "This is the help.\nThis is the help.\n");
	no_output = true;
	ASSERT_REFUSES("bcoslog: standard output cannot be written: No space left on device\n", "-h");
}

static int ask_arguments(const struct arguments *of)
{
	assert_ptr_equal(of, &arguments);
	return 7;
}

static void completion_asks(void **state)
{
	arguments_asked = ask_arguments;
	assert_complains("", parse("--help") == 7);
	assert_string_equal(written, "");
	arguments_asked = NULL;
}

/* ---- numbers -------------------------------------------------------------------------------------------------------------- */

static void parsed_numbers(void **state)
{
	static const struct {
		const char *text;
		u64 number;
	} right[] = {
		{ "0", 0 }, { "9", 9 }, { "100", 100 }, { "0x1f", 0x1f }, { "0X1F", 0x1f }, { "010", 8 }, { "0x64", 100 },
	};
	static const char *const wrong[] = { "", "-1", "+1", " 1", "1 ", "1x", "x", "101", "0x65", "18446744073709551616", "1.0", "0x" };
	char expected[200];
	u64 number;
	size_t i;

	for (i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
		assert_complains("", parse_number("--n", right[i].text, 100, &number) == 0);
		assert_int_equal(number, right[i].number);
	}
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(expected, sizeof(expected), "bcoslog: --n takes a number from 0 to 100, not \"%s\"\n", wrong[i]);
		assert_complains(expected, parse_number("--n", wrong[i], 100, &number) == -1);
	}
	assert_complains("", parse_number("--n", "18446744073709551615", ~0ull, &number) == 0);
	assert_int_equal(number, ~0ull);
	assert_complains("bcoslog: --n takes a number from 0 to 18446744073709551615, not \"18446744073709551616\"\n",
			 parse_number("--n", "18446744073709551616", ~0ull, &number) == -1);
}

#define arguments_test(test) cmocka_unit_test_setup(test, begin_arguments)

int main(void)
{
	const struct CMUnitTest tests[] = {
		arguments_test(long_options),
		arguments_test(short_options),
		arguments_test(options_of_all),
		arguments_test(without_options),
		arguments_test(one_log),
		arguments_test(taken_changes),
		arguments_test(a_command_to_be_recorded),
		arguments_test(printed_help),
		arguments_test(completion_asks),
		arguments_test(parsed_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
