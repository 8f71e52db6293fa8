// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The log in the page of bcoslog explore: its bytes as base64, in elements that browsers take, and its name. The page
 * is of the test. Each run has a process of its own, since the command ends with it.
 */
#include <sys/mman.h>
#include <sys/wait.h>

#include "made_system.h"
#include "command.h"
#include "descriptors.h"
#include "made_log.h"

__asm__(".section .rodata\n"
	".global explorer_page\n"
	"explorer_page:\n"
	".ascii \"HEAD<!--bcoslog:log-->TAIL\"\n"
	".global explorer_page_end\n"
	"explorer_page_end:\n"
	".byte 0\n"
	".previous\n");

#define ELEMENT "<script type=\"application/octet-stream\" class=\"log\""

/* ---- a log, and the page of it --------------------------------------------------------------------------------- */

static u8 *bytes;
static size_t used;
static char *page;
static size_t page_size;

static void add_entry(const struct bcos_entry *entry)
{
	memcpy(bytes + used, entry, entry->size);
	used += entry->size;
}

/* Runs bcoslog explore with these words after its name, in a process of its own.  Return: its status. */
static int run_explore(const char *complaint, const char *first, const char *second, const char *third,
		       const char *input)
{
	char name[] = "explore", *words[] = { name, (char *)first, (char *)second, (char *)third, NULL };
	int count = third ? 4 : second ? 3 : 2, status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		FILE *file;
		int kept;
		bool same;

		if (input)
			freopen(input, "r", stdin);
		file = begin_complaints(&kept);
		status = cmd_explore(count, words);
		same = !strcmp(end_complaints(file, kept), complaint);
		_exit(same ? status : 99);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void read_page(const char *name)
{
	int fd = open(made_path(name), O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	page_size = (size_t)read(fd, page, 16 << 20);
	page[page_size] = '\0';
	close(fd);
}

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Asserts that base64 at *@at stands for the bytes from @from on, up to the next element's end, and goes there. */
static size_t assert_base64(const char **at, const u8 *from)
{
	size_t length = strcspn(*at, "<"), n = 0, i, k;

	assert_int_equal(length % 4, 0);
	for (i = 0; i < length; i += 4) {
		u32 group = 0;
		size_t whole = 3;

		for (k = 0; k < 4; k++) {
			const char *digit = strchr(digits, (*at)[i + k]);

			whole -= (*at)[i + k] == '=';
			group = group << 6 | (u32)(digit ? digit - digits : 0);
		}
		assert_true(whole == 3 || i + 4 == length);
		for (k = 0; k < whole; k++)
			if (from[n++] != (u8)(group >> (16 - 8 * k)))
				fail_msg("byte %zu differs", n - 1);
	}
	*at += length;
	return n;
}

#define assert_next(at, text) do { \
		assert_int_equal(strncmp(at, text, strlen(text)), 0); \
		(at) += strlen(text); \
	} while (0)

/* Asserts that the page has the log under this name, with so many bytes in its first element. */
static void assert_page(const char *name, size_t first)
{
	const char *at = page;
	size_t n;

	assert_next(at, "HEAD" ELEMENT " data-name=\"");
	assert_next(at, name);
	assert_next(at, "\">");
	n = assert_base64(&at, bytes);
	assert_int_equal(n, first);
	while (n < used) {
		assert_next(at, "</script>\n" ELEMENT ">");
		n += assert_base64(&at, bytes + n);
	}
	assert_int_equal(n, used);
	assert_next(at, "</script>\nTAIL");
	assert_int_equal(at - page, page_size);
}

static int begin_page(void **state)
{
	used = 0;
	bytes = malloc(8 << 20);
	page = malloc((16 << 20) + 1);
	return !bytes || !page || made_begin(state);
}

static int end_page(void **state)
{
	free(bytes);
	free(page);
	return made_end(state);
}

/* Return: the path of the page, which is valid until the next call. */
static const char *new_page(void)
{
	static char path[100];

	snprintf(path, sizeof(path), "%s/page.html", made_root);
	return path;
}

/* ---- bytes ---------------------------------------------------------------------------------------------------- */

/* A log of 24, 28 or 32 bytes leaves none, one or two letters without a group of three. */
static void as_many_bytes_as_there_are(void **state)
{
	static const char *const names[] = { "abcd", "abcdefgh", "abcdefghijkl" };
	struct stat status;
	struct made made;
	size_t i;

	umask(0027);
	for (i = 0; i < 3; i++) {
		used = 0;
		add_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 0x10FF77, 0x0102030405060708, names[i]));
		made_bytes("/log", bytes, used);
		assert_int_equal(run_explore("", "-o", new_page(), made_path("/log"), NULL), EXIT_OK);
		read_page("/page.html");
		assert_page("log", used);
		assert_int_equal(strstr(page, "==</script>") != NULL, i == 1);
		assert_int_equal(strstr(page, "=</script>") != NULL, i > 0);
	}
	/* Others may read it, as far as the mask of the process says. */
	stat(made_path("/page.html"), &status);
	assert_int_equal(status.st_mode & 0777, 0640);
	used = 0;
	made_text("/log", "");
	assert_int_equal(run_explore("", "-o", new_page(), made_path("/log"), NULL), EXIT_OK);
	read_page("/page.html");
	assert_page("log", 0);
}

/* An element has 3 MiB, which are 131072 entries of 24 bytes. */
static void large_logs_have_several_elements(void **state)
{
	struct made made;
	u32 i;

	add_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 0, "1"));
	for (i = 1; i < 131072; i++)
		add_entry(made_word(&made, BCOS_ASSIGN_CPU, i % 77, i, i * 2654435761u));
	made_bytes("/log", bytes, used);
	assert_int_equal(run_explore("", "-o", new_page(), made_path("/log"), NULL), EXIT_OK);
	read_page("/page.html");
	assert_int_equal(used, 3 << 20);
	assert_page("log", used);
	add_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, i, 5));
	for (; i < 2 * 131072 + 10; i++)
		add_entry(made_word(&made, BCOS_ASSIGN_CPU, i % 77, i, i * 2654435761u));
	made_bytes("/log", bytes, used);
	assert_int_equal(run_explore("", "-o", new_page(), made_path("/log"), NULL), EXIT_OK);
	read_page("/page.html");
	assert_page("log", 3 << 20);
}

/* ---- names ---------------------------------------------------------------------------------------------------- */

static void names_that_mean_something_in_a_page(void **state)
{
	struct made made;

	add_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 1, 5));
	made_bytes("/a<b>&\"c'\x01\x1F \x7F\xC3\xA9\xFF.log", bytes, used);
	assert_int_equal(run_explore("", "-o", new_page(), made_path("/a<b>&\"c'\x01\x1F "
			"\x7F\xC3\xA9\xFF.log"), NULL), EXIT_OK);
	read_page("/page.html");
	assert_page("a&#60;b&#62;&#38;&#34;c&#39; \x7F\xC3\xA9.log", 24);
	made_bytes("/log", bytes, used);
	assert_int_equal(run_explore("", "-o", new_page(), "-", made_path("/log")), EXIT_OK);
	read_page("/page.html");
	assert_page("standard input", 24);
}

/* ---- other outputs -------------------------------------------------------------------------------------------- */

static void an_empty_page(void **state)
{
	assert_int_equal(run_explore("", "--empty", "-o", new_page(), NULL), EXIT_OK);
	read_page("/page.html");
	assert_string_equal(page, "HEAD<!--bcoslog:log-->TAIL");
}

static void a_page_that_cannot_be_written(void **state)
{
	char complaint[200], path[100];

	snprintf(path, sizeof(path), "%s/none/page.html", made_root);
	snprintf(complaint, sizeof(complaint), "bcoslog: %s cannot be written: No such file or directory\n", path);
	made_text("/log", "");
	assert_int_equal(run_explore(complaint, "-o", path, made_path("/log"), NULL), EXIT_ENVIRONMENT);
	assert_int_equal(run_explore(complaint, "--empty", "-o", path, NULL), EXIT_ENVIRONMENT);
	assert_int_equal(run_explore("bcoslog: explore shows a log as it is now: leave -f "
			"out\n", "-f", made_path("/log"), NULL, NULL),
			 EXIT_ENVIRONMENT);
	snprintf(complaint, sizeof(complaint), "bcoslog: there is no file %s/none: check the name\n", made_root);
	assert_int_equal(run_explore(complaint, "-o", new_page(), made_path("/none"), NULL), EXIT_ENVIRONMENT);
	/* Nothing was written instead. */
	assert_int_equal(access(made_path("/page.html"), F_OK), -1);
}

#define page_test(test) cmocka_unit_test_setup_teardown(test, begin_page, end_page)

int main(void)
{
	const struct CMUnitTest tests[] = {
		page_test(as_many_bytes_as_there_are),
		page_test(large_logs_have_several_elements),
		page_test(names_that_mean_something_in_a_page),
		page_test(an_empty_page),
		page_test(a_page_that_cannot_be_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
