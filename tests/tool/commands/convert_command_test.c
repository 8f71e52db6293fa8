// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The command line of bcoslog convert, with formats that are made up here: their options, the help, what is refused. */
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "command.h"
#include "log/run.h"
#include "options/options.h"
#include "said.h"
#include "commands/transfer.h"

/* ---- formats --------------------------------------------------------------------------------------------------- */

static const struct convert_option inks[] = {
	{ "ink", "COLOUR", "of this colour" }, { "blank", NULL, "without words" }, { NULL, NULL, NULL },
};
static const struct convert_option seals[] = { { "seal", "NAME", "closed by NAME" }, { NULL, NULL, NULL } };
/* These are none, until a test makes them. */
static struct convert_option chisels[41];

static const struct exporter paper = { .name = "paper", .also = "sheet", .help = "on paper", .options = inks };
static const struct exporter air = { .name = "air", .help = "as sound" };
static const struct exporter wax = { .name = "wax", .suffix = ".wax", .help = "into wax", .options = seals };
static const struct importer from_wax = { .name = "wax", .help = "out of wax", .options = seals };
static const struct importer stone = { .name = "stone", .also = "rock", .help = "from stone", .options = chisels };

const struct format formats[] = {
	{ .exporter = &paper },
	{ .exporter = &air, .missing = "air", .needs = "libair" },
	{ .exporter = &wax, .importer = &from_wax },
	{ .importer = &stone },
	{ .missing = "glass", .needs = "libglass" },
};
const size_t formats_count = sizeof(formats) / sizeof(formats[0]);

/* ---- the conversion, which is noted ----------------------------------------------------------------------------- */

static int result;

static void say_options(const struct convert_options *options)
{
	unsigned int i;

	for (i = 0; i < options->count; i++)
		note_call("%s=%s", options->given[i].name, options->given[i].text);
}

int transfer_out(struct transfer *transfer)
{
	note_call("%s to %s at %s%s%s", transfer->path, transfer->exporter->name, transfer->output,
		  transfer->run.follow ? ", following" : "", transfer->run.command ? transfer->run.command[0] : "");
	assert_string_equal(transfer->run.path, transfer->path);
	/* The output of a command does not get into that of the conversion. */
	assert_true(transfer->run.apart);
	say_options(&transfer->options);
	return result;
}

int transfer_in(struct transfer *transfer)
{
	note_call("%s of %s to %s", transfer->path, transfer->importer ? transfer->importer->name : "?",
		  transfer->output);
	assert_null(transfer->exporter);
	say_options(&transfer->options);
	return result;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

/* The help is kept until the program ends, and so its tests give it back. */
static char **help_text;
static bool no_memory;
static char folder[] = "/tmp/convert-test.XXXXXX";

FILE *open_memstream(char **text, size_t *size)
{
	FILE *(*real)(char **text, size_t *size);

	if (no_memory)
		return NULL;
	help_text = text;
	*(void **)&real = dlsym(RTLD_NEXT, "open_memstream");
	return real(text, size);
}

/* Runs bcoslog convert with these words after its name. */
static int convert_words(char **words)
{
	char *copy[32] = { (char *)"convert" };
	int count = 1, r;

	for (; *words; words++)
		copy[count++] = *words;
	done[0] = '\0';
	r = cmd_convert(count, copy);
	if (help_text)
		free(*help_text);
	help_text = NULL;
	return r;
}

#define convert(...) convert_words((char *[]){ __VA_ARGS__, NULL })
#define ASSERT_DOES(expected, ...) do { \
		assert_complains("", convert(__VA_ARGS__) == 0); \
		assert_string_equal(done, expected); \
	} while (0)
#define ASSERT_REFUSES(said, ...) do { \
		assert_complains("bcoslog: " said "\n", convert(__VA_ARGS__) == EXIT_ENVIRONMENT); \
		assert_string_equal(done, ""); \
	} while (0)

static int begin_convert(void **state)
{
	int fd;

	memcpy(folder + sizeof(folder) - 7, "XXXXXX", 6);
	if (!mkdtemp(folder) || chdir(folder))
		return -1;
	fd = open("file", O_CREAT | O_WRONLY, 0600);
	if (fd < 0 || link("file", "same"))
		return -1;
	close(fd);
	fd = open("other", O_CREAT | O_WRONLY, 0600);
	close(fd);
	result = 0;
	return fd < 0 ? -1 : 0;
}

static int end_convert(void **state)
{
	unlink("file");
	unlink("same");
	unlink("other");
	return chdir("/") || rmdir(folder);
}

/* ---- the help ---------------------------------------------------------------------------------------------------- */

#define FORMATS \
	"\nTo:\n" \
	"  paper        on paper; also named sheet\n" \
	"  air          as sound\n" \
	"  wax          into wax\n" \
	"\nFrom:\n" \
	"  wax          out of wax\n" \
	"  stone        from stone; also named rock\n" \
	"\nThe import of air is left out of this program: its build needs libair.\n" \
	"\nglass is left out of this program: its build needs libglass.\n" \
	"\nOptions of formats:\n" \
	"      --ink COLOUR  paper: of this colour\n" \
	"      --blank  paper: without words\n" \
	"      --seal NAME  wax: closed by NAME\n" \
	"      --depth MM  stone: so deep\n" \
	"\nbcoslog-convert(1) lists "

/* Return: the help as it is written to standard output, which is valid until the next call. */
static const char *read_help(void)
{
	static char text[8192];
	int kept = dup(STDOUT_FILENO), fd = open("out", O_CREAT | O_TRUNC | O_RDWR, 0600);
	ssize_t n;

	assert_true(kept >= 0 && fd >= 0);
	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	assert_complains("", convert("--help") == 0);
	dup2(kept, STDOUT_FILENO);
	close(kept);
	n = pread(fd, text, sizeof(text) - 1, 0);
	assert_true(n > 0);
	text[n] = '\0';
	close(fd);
	unlink("out");
	return text;
}

static void the_help_lists_formats(void **state)
{
	const char *text, *list;

	chisels[0] = (struct convert_option){ "depth", "MM", "so deep" };
	text = read_help();
	memset(chisels, 0, sizeof(chisels));
	assert_memory_equal(text, "Usage: bcoslog convert ", 23);
	list = strstr(text, "\nTo:\n");
	assert_non_null(list);
	assert_memory_equal(list, FORMATS, sizeof(FORMATS) - 1);
}

/* Without memory for them, the rest is printed. */
static void the_help_without_memory(void **state)
{
	const char *text;

	no_memory = true;
	text = read_help();
	no_memory = false;
	assert_memory_equal(text, "Usage: bcoslog convert ", 23);
	assert_non_null(strstr(text, "--output NAME"));
	assert_null(strstr(text, "\nTo:\n"));
}

/* ---- options of formats --------------------------------------------------------------------------------------------- */

static void options_of_formats(void **state)
{
	ASSERT_DOES("file to paper at -; ", "-t", "paper", "file");
	ASSERT_DOES("file to paper at -; ink=red; ", "-t", "paper", "--ink=red", "file");
	ASSERT_DOES("file to paper at -; ink=red; ", "-t", "paper", "--ink", "red", "file");
	ASSERT_DOES("file to paper at -; ink=; blank=; ", "--ink=", "-t", "paper", "file", "--blank");
	ASSERT_DOES("file to paper at -; ink=--blank; blank=; ", "--ink", "--blank", "--blank", "-t", "paper", "file");
	ASSERT_DOES("file of wax to -; seal=a=b; ", "-f", "wax", "--seal=a=b", "file");
	ASSERT_DOES("- of ? to -; ink=red; ", "--ink", "red", "-");
	ASSERT_REFUSES("--ink needs a value: --ink COLOUR", "-t", "paper", "file", "--ink");
	ASSERT_REFUSES("--blank takes no value", "-t", "paper", "file", "--blank=");
	/* A part of a name, or more than it, is no option of a format. */
	ASSERT_REFUSES("convert has no option --in: see bcoslog convert --help", "-t", "paper", "--in", "file");
	ASSERT_REFUSES("convert has no option --inky=1: see bcoslog convert --help", "-t", "paper", "--inky=1", "file");
	ASSERT_DOES("file to paper at -; ink=red; ", "-t", "paper", "file", "--ink", "red");
	/* Only two dashes begin one. */
	ASSERT_DOES("myblank to paper at -; ", "-t", "paper", "myblank");
	ASSERT_REFUSES("convert has no option -ink: see bcoslog convert --help", "-t", "paper", "-ink", "red");
	ASSERT_REFUSES("--seal is of another format than paper: see bcoslog convert --help", "--blank", "--seal", "x", "-t",
		       "sheet", "file");
	ASSERT_REFUSES("--ink is of another format than wax: see bcoslog convert --help", "--ink", "x", "-f", "wax", "file");
}

/* There is room for 16. */
static void as_many_options_as_there_is_room_for(void **state)
{
	char *words[20] = { (char *)"-t", (char *)"paper", (char *)"file" };
	int i;

	for (i = 3; i < 19; i++)
		words[i] = (char *)"--blank";
	assert_complains("", convert_words(words) == 0);
	assert_int_equal(strlen(done), strlen("file to paper at -; ") + 16 * strlen("blank=; "));
	words[2] = (char *)"--blank";
	assert_complains("bcoslog: there are more options than any format has\n", convert_words(words) == EXIT_ENVIRONMENT);
}

/* A command has options of its own. */
static void a_command_follows(void **state)
{
	static char *after[] = { (char *)"-t", (char *)"paper", (char *)"--blank", (char *)"--", (char *)" runs", (char *)"--ink",
				 NULL };

	assert_complains("", convert_words(after) == 0);
	assert_string_equal(done, "/dev/bcos_evlog to paper at - runs; blank=; ");
	ASSERT_REFUSES("a program is missing after --: bcoslog convert -- PROGRAM...", "-t", "paper", "--");
}

/* ---- inputs and outputs ----------------------------------------------------------------------------------------------- */

static void exports_and_imports(void **state)
{
	result = EXIT_DAMAGE;
	assert_complains("", convert("-t", "wax", "-o", "out", "--follow", "file") == EXIT_DAMAGE);
	assert_string_equal(done, "file to wax at out, following; ");
	assert_complains("", convert("-f", "rock", "file", "--output", "out") == EXIT_DAMAGE);
	assert_string_equal(done, "file of stone to out; ");
	result = 0;
	ASSERT_DOES("/dev/bcos_evlog to paper at -; ", "--to=paper");
	ASSERT_DOES("file to wax at x.wax; ", "file", "-o", "x.wax");
	ASSERT_REFUSES("there is no format \"nothing\" to convert to: see bcoslog convert --help", "-t", "nothing", "file");
	ASSERT_REFUSES("convert takes one log, not file and other", "-t", "paper", "file", "other");
}

static void an_output_that_is_the_input(void **state)
{
	ASSERT_REFUSES("the output would replace same, which is the input: name another output", "-t", "paper", "file", "-o",
		       "same");
	ASSERT_REFUSES("the output would replace ./file, which is the input: name another output", "-f", "wax", "file", "-o",
		       "./file");
	ASSERT_DOES("file to paper at other; ", "-t", "paper", "file", "-o", "other");
	ASSERT_DOES("file to paper at new; ", "-t", "paper", "file", "-o", "new");
	ASSERT_DOES("missing to paper at file; ", "-t", "paper", "missing", "-o", "file");
	ASSERT_DOES("/dev/null to paper at /dev/null; ", "-t", "paper", "/dev/null", "-o", "/dev/null");
}

static void what_only_a_log_has(void **state)
{
	ASSERT_REFUSES("the name of the input is missing: it may be - for standard input", "-f", "wax", "-o", "out");
	ASSERT_REFUSES("the name of the input is missing: it may be - for standard input", "-f", "wax", "--", "command");
	ASSERT_REFUSES("--follow and filters are for logs: use them on the log that becomes of it", "-f", "wax", "file", "--follow");
	ASSERT_DOES("- of wax to -; ", "-f", "wax", "-");
}

/* The converters ask whether they have to end. The rest of a recording that a signal has ended is still converted. */
static void a_signal_ends_the_conversion(void **state)
{
	ASSERT_DOES("file to paper at -; ", "-t", "paper", "file");
	assert_false(convert_interrupted());
	run_signal = 2;
	assert_true(convert_interrupted());
	run_finishing = true;
	assert_false(convert_interrupted());
	run_signal = 0;
	assert_false(convert_interrupted());
	run_finishing = false;
}

/* ---- completion ----------------------------------------------------------------------------------------------------- */

static int tell_options(const struct arguments *arguments)
{
	const struct option_spec *option;

	for (option = arguments->options; option->name; option++)
		note_call("%s%s%s", option->name, option->value ? " " : "", option->value ? option->value : "");
	return 7;
}

/* Each is named once, also that of the help above, and of more than there is room for the first 31. */
static void completion_gets_options_of_formats(void **state)
{
	static char names[40][16];
	const char *at;
	int i, count = 0;

	arguments_asked = tell_options;
	assert_complains("", convert("x") == 7);
	assert_string_equal(done, "to FORMAT; from FORMAT; output NAME; ink COLOUR; blank; seal NAME; depth MM; ");
	for (i = 0; i < 40; i++) {
		snprintf(names[i], sizeof(names[i]), "x%d", i);
		chisels[i].name = names[i];
	}
	assert_complains("", convert("x") == 7);
	for (at = done; (at = strstr(at, "; ")); at += 2)
		count++;
	assert_int_equal(count, 31);
	assert_non_null(strstr(done, "depth MM; x0; x1; "));
	assert_non_null(strstr(done, "; x23; "));
	arguments_asked = NULL;
	memset(chisels, 0, sizeof(chisels));
}

#define convert_test(test) cmocka_unit_test_setup_teardown(test, begin_convert, end_convert)

int main(void)
{
	const struct CMUnitTest tests[] = {
		convert_test(the_help_lists_formats),
		convert_test(the_help_without_memory),
		convert_test(options_of_formats),
		convert_test(as_many_options_as_there_is_room_for),
		convert_test(a_command_follows),
		convert_test(exports_and_imports),
		convert_test(an_output_that_is_the_input),
		convert_test(what_only_a_log_has),
		convert_test(a_signal_ends_the_conversion),
		convert_test(completion_gets_options_of_formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
