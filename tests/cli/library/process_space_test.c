// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests the PID namespace: this one, as its link in /proc names it, and a new one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/linux.h"

static void this_one(void **state)
{
	char link[64] = "";

	(void)state;
	assert_true(readlink("/proc/self/ns/pid", link, sizeof(link) - 1) > 0);
	/* The number is PROC_PID_INIT_INO in the kernel's include/linux/proc_ns.h. */
	assert_int_equal(process_space_is_initial(), strcmp(link, "pid:[4026531836]") == 0);
}

/* The child of a process that unshared its PID namespace is in a new one, which is not the initial one. */
static void a_new_one(void **state)
{
	int status;
	pid_t child = fork();

	(void)state;
	assert_true(child >= 0);
	if (!child) {
		if (unshare(CLONE_NEWPID) && unshare(CLONE_NEWUSER | CLONE_NEWPID))
			_exit(77);
		child = fork();
		if (!child)
			_exit(process_space_is_initial());
		_exit(child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) ? 99 :
		      WEXITSTATUS(status));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(this_one), cmocka_unit_test(a_new_one) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
