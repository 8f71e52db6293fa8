// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which format bcoslog convert chooses, from formats that are made up here: one of each direction, and one that is left out. */
#include <fcntl.h>
#include <sys/stat.h>

#include "options/options.h"
#include "printed.h"
#include "commands/transfer.h"

static bool begins_with_ab(const char *path, const u8 *bytes, size_t size)
{
	return size >= 2 && !memcmp(bytes, "ab", 2);
}

static bool is_folder(const char *path, const u8 *bytes, size_t size)
{
	return !bytes && !size && strlen(path) > 7 && !strcmp(path + strlen(path) - 7, "/folder");
}

static const struct exporter written = { .name = "written", .also = "also-written", .suffix = ".out" };
static const struct exporter other = { .name = "other" };
static const struct exporter longer = { .name = "longer", .suffix = ".longer.out2" };
static const struct importer read_by_bytes = { .name = "read", .also = "also-read", .recognizes = begins_with_ab };
static const struct importer read_never = { .name = "other" };
static const struct importer read_folder = { .name = "folder", .recognizes = is_folder };

const struct format formats[] = {
	{ .exporter = &written },
	{ .importer = &read_never, .exporter = &other },
	{ .importer = &read_by_bytes },
	{ .exporter = &longer },
	{ .importer = &read_folder },
	{ .missing = "lacking", .needs = "libnothing" },
};
const size_t formats_count = sizeof(formats) / sizeof(formats[0]);

static struct transfer chosen;

/* Return: as transfer_choose(). */
static int choose_transfer(const char *to, const char *from, const char *path, const char *to_file)
{
	struct arguments arguments = { .path = path };

	chosen = (struct transfer){ .to = to, .from = from, .output = to_file, .path = path };
	return transfer_choose(&chosen, &arguments);
}

#define ASSERT_WRITES(expected, ...) do { \
		assert_complains("", choose_transfer(__VA_ARGS__) == 0); \
		assert_ptr_equal(chosen.exporter, expected); \
		assert_null(chosen.importer); \
	} while (0)
#define ASSERT_READS(expected, ...) do { \
		assert_complains("", choose_transfer(__VA_ARGS__) == 0); \
		assert_ptr_equal(chosen.importer, expected); \
		assert_null(chosen.exporter); \
	} while (0)
#define ASSERT_REFUSES(said, ...) assert_complains("bcoslog: " said "\n", choose_transfer(__VA_ARGS__) == -1)

static void by_either_name(void **state)
{
	ASSERT_WRITES(&written, "written", NULL, "log", "-");
	ASSERT_WRITES(&written, "also-written", NULL, "log", "-");
	ASSERT_WRITES(&other, "other", NULL, "log", "-");
	ASSERT_WRITES(&longer, "longer", NULL, "log", "x.out");
	ASSERT_READS(&read_by_bytes, NULL, "read", "log", "x.out");
	ASSERT_READS(&read_by_bytes, NULL, "also-read", "log", "-");
	ASSERT_READS(&read_never, NULL, "other", "log", "-");
}

static void a_format_that_there_is_not(void **state)
{
	ASSERT_REFUSES("there is no format \"nothing\" to convert to: see bcoslog convert --help", "nothing", NULL, "log", "-");
	ASSERT_REFUSES("there is no format \"nothing\" to convert from: see bcoslog convert --help", NULL, "nothing", "log", "-");
	ASSERT_REFUSES("there is no format \"writte\" to convert to: see bcoslog convert --help", "writte", NULL, "log", "-");
	ASSERT_REFUSES("lacking is left out of this program: its build needs libnothing", "lacking", NULL, "log", "-");
	ASSERT_REFUSES("lacking is left out of this program: its build needs libnothing", NULL, "lacking", "log", "-");
	ASSERT_REFUSES("read is a format for the other direction alone: see bcoslog convert --help", "read", NULL, "log", "-");
	ASSERT_REFUSES("also-written is a format for the other direction alone: see bcoslog convert --help", NULL, "also-written",
		       "log", "-");
	ASSERT_REFUSES("-t and -f exclude each other: convert to a log first, and that to the other format", "written", "read",
		       "log", "-");
}

/* The input decides before the name of the output does. */
static void by_contents_and_names(void **state)
{
	char folder[] = "/tmp/choice-test.XXXXXX", path[64], inner[64];
	int fd;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/file", folder);
	snprintf(inner, sizeof(inner), "%s/folder", folder);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	assert_int_equal(write(fd, "abc", 3), 3);
	close(fd);
	assert_int_equal(mkdir(inner, 0700), 0);
	ASSERT_READS(&read_by_bytes, NULL, NULL, path, "x.out");
	ASSERT_READS(&read_folder, NULL, NULL, inner, "-");
	ASSERT_WRITES(&written, NULL, NULL, folder, "x.out");
	ASSERT_WRITES(&longer, NULL, NULL, folder, "x.longer.out2");
	assert_int_equal(truncate(path, 1), 0);
	ASSERT_WRITES(&written, NULL, NULL, path, "x.out");
	ASSERT_WRITES(&written, NULL, NULL, "/nowhere", "x.out");
	/* Nothing of standard input may be read yet. */
	ASSERT_WRITES(&written, NULL, NULL, "-", "x.out");
	ASSERT_WRITES(NULL, NULL, NULL, "-", "x");
	/* A suffix alone is no name. */
	ASSERT_REFUSES("/nowhere cannot be opened: No such file or directory", NULL, NULL, "/nowhere", ".out");
	ASSERT_REFUSES("neither the name .out nor the contents of / tell the format: name it with -t or -f", NULL, NULL, "/", ".out");
	ASSERT_REFUSES("neither the name x.out3 nor the contents of / tell the format: name it with -t or -f", NULL, NULL,
		       "/", "x.out3");
	ASSERT_REFUSES("neither the name of the output nor the contents of / tell the format: name it with -t or -f", NULL,
		       NULL, "/", "-");
	unlink(path);
	rmdir(inner);
	rmdir(folder);
}

/* The log of a command that is recorded is not there yet, and nothing else is read. */
static void of_a_command(void **state)
{
	char *program[] = { "true", NULL };
	struct arguments arguments = { .path = "-", .program = program };

	chosen = (struct transfer){ .output = "x.out" };
	assert_complains("", transfer_choose(&chosen, &arguments) == 0);
	assert_ptr_equal(chosen.exporter, &written);
	chosen = (struct transfer){ .output = "x" };
	assert_complains("bcoslog: neither the name x nor the contents of - tell the format: name it with -t or -f\n",
			 transfer_choose(&chosen, &arguments) == -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_either_name),
		cmocka_unit_test(a_format_that_there_is_not),
		cmocka_unit_test(by_contents_and_names),
		cmocka_unit_test(of_a_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
