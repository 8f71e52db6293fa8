// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which copy of the tool reads the device, and when. Nothing is executed here. */
#include "helper.h"
#include "said.h"

static const char *own_path;
static int own_length;
static bool is_there;
static size_t asked_length;
static char *arguments[] = { (char *)"bcoslog", (char *)"dump", NULL };

ssize_t readlink(const char *path, char *text, size_t size)
{
	size_t length = strlen(own_path);

	assert_string_equal(path, "/proc/self/exe");
	if (own_length <= 0)
		return own_length;
	/* The text gets no zero byte at its end. */
	memset(text, 'x', size);
	memcpy(text, own_path, length < size ? length : size);
	return (ssize_t)(length < size ? length : size);
}

int access(const char *path, int mode)
{
	assert_int_equal(mode, X_OK);
	asked_length = strlen(path);
	if (asked_length < 1000)
		note_call("access %s", path);
	return is_there ? 0 : -1;
}

int execv(const char *path, char *const words[])
{
	assert_ptr_equal(words, arguments);
	note_call("run %s", path);
	return -1;
}

static const char *read_of(const char *path)
{
	own_path = path;
	own_length = 1;
	done[0] = '\0';
	helper_read();
	return done;
}

static int begin_helper(void **state)
{
	is_there = true;
	tool_arguments = arguments;
	return 0;
}

static void the_copy_beside_the_tool(void **state)
{
	assert_string_equal(read_of("/usr/local/bin/bcoslog"), "access /usr/local/bin/../libexec/bcoslog-read; "
			    "run /usr/local/bin/../libexec/bcoslog-read; ");
	is_there = false;
	assert_string_equal(read_of("/opt/bin/bcoslog-other"), "access /opt/bin/../libexec/bcoslog-read; ");
}

/* The copy itself has no other copy. */
static void no_copy_of_the_copy(void **state)
{
	assert_string_equal(read_of("/usr/libexec/bcoslog-read"), "");
	assert_string_equal(read_of("/usr/libexec/bcoslog-read/bcoslog"),
			    "access /usr/libexec/bcoslog-read/../libexec/bcoslog-read; "
			    "run /usr/libexec/bcoslog-read/../libexec/bcoslog-read; ");
}

static void a_tool_that_does_not_know_where_it_is(void **state)
{
	own_path = "/bin/bcoslog";
	done[0] = '\0';
	own_length = -1;
	helper_read();
	own_length = 0;
	helper_read();
	assert_string_equal(done, "");
}

/* A path has at most 4095 characters. */
static void a_long_path(void **state)
{
	static char path[4096];

	memset(path, 'd', 4095);
	path[0] = '/';
	memcpy(path + 4095 - 8, "/bcoslog", 8);
	is_there = false;
	read_of(path);
	assert_int_equal(asked_length, 4095 - 8 + strlen("/../libexec/bcoslog-read"));
}

#define helper_test(test) cmocka_unit_test_setup(test, begin_helper)

int main(void)
{
	const struct CMUnitTest tests[] = {
		helper_test(the_copy_beside_the_tool),
		helper_test(no_copy_of_the_copy),
		helper_test(a_tool_that_does_not_know_where_it_is),
		helper_test(a_long_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
