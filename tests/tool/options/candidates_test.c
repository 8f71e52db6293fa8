// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The candidates for the word that is being typed: commands, options with what the help says of them, and values of
 * options.
 */
#include "options/options.h"
#include "output/output.h"
#include "printed.h"
#include "command.h"
#include "completion/completion.h"

/* ---- the tool --------------------------------------------------------------------------------------- */

static char printed[1 << 16];
static size_t printed_size;

static void keep_printed(const char *bytes, size_t size, void (*put)(const void *bytes, size_t size))
{
	assert_true(printed_size + size < sizeof(printed));
	if (size)
		memcpy(printed + printed_size, bytes, size);
	printed_size += size;
	printed[printed_size] = '\0';
}

static const struct option_spec made_options[] = {
	{ "output", 'o', "HOW", NULL }, { "json", 0, NULL, NULL }, { "every", 0, "WIDTH", NULL }, { "since", 0,
		"TIME", NULL },
	{ "first", 0, "AX", NULL }, { "last", 0, "ZX", NULL }, { "lower", 0, "ax", NULL }, { "blank", 0, NULL, NULL },
	{ "absent", 0, NULL, NULL }, { "more", 0, NULL, NULL }, { "wordy", 0, NULL, NULL }, { "end", 0, NULL, NULL },
	{ NULL, 0, NULL, NULL },
}, shared_options[] = {
	{ "severity", 0, "MIN", NULL }, { NULL, 0, NULL, NULL },
};

static const char made_help[] =
"  -o, --output HOW  where it goes, as boot; may be repeated\n"
"      --json        as JSON, ; one line\n"
"      --every WIDTH a row: for each\n"
"      --since TIME, --until TIME\n"
"      --first AX    with a value (a word)\n"
"      --last ZX     with another one\n"
"      --lower ax    not in capitals\n"
"      --blank       ; nothing\n"
"      --more  --less  two of them\n"
"      --severity MIN  at least\n"
"      --follow      goes on\n"
"      --wordy       0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890\n"
"      --end";

static void put_names(void)
{
	candidate("dump", "prints");
	candidate("doctor", NULL);
	candidate("top", "");
}

/* dump has everything, alone neither --follow nor a log, and plain an argument that is no log. */
static int run_made(const char *name, int argc, char **argv)
{
	struct arguments arguments = {
		.command = name, .help = made_help, .options = made_options, .shared = shared_options,
		.no_follow = !strcmp(name, "alone"), .plain = strcmp(name, "plain") ? NULL : "KIND",
	};

	assert_string_equal(argv[0], name);
	if (!strcmp(name, "bare"))
		arguments = (struct arguments){ .command = name, .no_follow = true };
	else if (strcmp(name, "dump") && strcmp(name, "alone") && strcmp(name, "plain"))
		return EXIT_OK;
	return arguments_parse(&arguments, argc, argv);
}

#define WORDS(...) ((const char *const []){ "complete", __VA_ARGS__, NULL })

static void assert_completes(const char *const *words, const char *expected)
{
	int argc = 0;

	while (words[argc])
		argc++;
	completed_tool = (struct tool){ .names = put_names, .run = run_made };
	arguments_asked = NULL;
	output.encode = keep_printed;
	printed_size = 0;
	printed[0] = '\0';
	assert_int_equal(cmd_complete(argc, (char **)words), EXIT_OK);
	assert_string_equal(printed, expected);
}

/* ---- commands and options --------------------------------------------------------------------------- */

static void command_names(void **state)
{
	assert_completes(WORDS(""), "dump\tprints\ndoctor\ntop\n");
	assert_completes(WORDS("d"), "dump\tprints\ndoctor\n");
	assert_completes(WORDS("dump"), "dump\tprints\n");
	assert_completes(WORDS("x"), "");
	assert_completes(WORDS("help", "do"), "doctor\n");
	assert_completes(WORDS("nonsense", ""), "");
	assert_completes((const char *const []){ "complete", NULL }, "");
}

static void options_before_the_command(void **state)
{
	assert_completes(WORDS("-"), "--engine\n--classes\n--calls-of\n--for\n--ring\n--staging\n--help\n--version\n");
	assert_completes(WORDS("--e"), "--engine\n");
	assert_completes(WORDS("--engine", ""), "auto\nmodule\nbpf\n");
	assert_completes(WORDS("--engine", "bp"), "bpf\n");
	assert_completes(WORDS("--engine", "bpf", "do"), "doctor\n");
	assert_completes(WORDS("--engine", "bpf", "--classes", "all", "do"), "doctor\n");
	assert_completes(WORDS("--engine", "bpf", "dump", "--severity", "e"), "error\n");
	assert_completes(WORDS("--unknown", "do"), "doctor\n");
	assert_completes(WORDS("--engine", "bpf", "-", "do"), "doctor\n");
}

/* As bcoslog --engine, without what the help says. */
#define OF_RECORDER "--engine\n--classes\n--calls-of\n--for\n--ring\n--staging\n"

static void options_of_a_command(void **state)
{
	static const char own[] =
		"--output\twhere it goes, as boot\n--json\tas JSON\n--every\ta row\n--since\n--first\twith a value\n"
		"--last\twith another one\n--lower\tax    not in capitals\n--blank\n--absent\n--more\n"
		"--wordy\t0123456789012345678901234567890123456789012345678901234567890123456789012345678\n--end\n"
		"--severity\tat least\n--help\tthis command's help\n";
	char all[1024];

	snprintf(all, sizeof(all), "%s--follow\tgoes on\n" OF_RECORDER, own);
	assert_completes(WORDS("dump", "-"), all);
	assert_completes(WORDS("dump", "--"), all);
	assert_completes(WORDS("dump", "--json", "--"), all);
	assert_completes(WORDS("alone", "--"), own);
	assert_completes(WORDS("bare", "--"), "--help\tthis command's help\n");
	assert_completes(WORDS("dump", "--s"), "--since\n--severity\tat least\n--staging\n");
	assert_completes(WORDS("dump", ""), "");
	assert_completes(WORDS("dump", "log"), "");
	assert_completes(WORDS("dump", "--", ""), "");
	assert_completes(WORDS("dump", "--", "-"), "");
	assert_completes(WORDS("dump", "--", "--json", "--"), "");
	/* An argument that is neither option nor log. */
	assert_completes(WORDS("plain", ""), "process\ncore\ncpu\ndevice\n");
	assert_completes(WORDS("plain", "c"), "core\ncpu\n");
	assert_completes(WORDS("plain", "--j"), "--json\tas JSON\n");
}

static void values_of_options(void **state)
{
	assert_completes(WORDS("dump", "--output", ""), "boot\nwall\nrelative\ndelta\n");
	assert_completes(WORDS("dump", "--output", "w"), "wall\n");
	assert_completes(WORDS("dump", "--json", "-o", "r"), "relative\n");
	assert_completes(WORDS("dump", "--severity", ""), "debug\ninfo\nwarning\nerror\ncritical\n");
	assert_completes(WORDS("dump", "--engine", ""), "auto\nmodule\nbpf\n");
	/* These have none, or are other words. */
	assert_completes(WORDS("alone", "--engine", ""), "");
	assert_completes(WORDS("dump", "--json", ""), "");
	assert_completes(WORDS("dump", "-ox", ""), "");
	assert_completes(WORDS("dump", "-x", ""), "");
	assert_completes(WORDS("dump", "xo", ""), "");
	assert_completes(WORDS("dump", "-", ""), "");
	assert_completes(WORDS("dump", "output", ""), "");
	assert_completes(WORDS("dump", "--outpu", ""), "");
	assert_completes(WORDS("dump", "--outputs", ""), "");
	assert_completes(WORDS("dump", "xxoutput", ""), "");
	assert_completes(WORDS("dump", "--every", ""), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(command_names),
		cmocka_unit_test(options_before_the_command),
		cmocka_unit_test(options_of_a_command),
		cmocka_unit_test(values_of_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
