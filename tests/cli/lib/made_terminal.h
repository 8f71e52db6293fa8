/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A pseudo-terminal of the test, on which the tool has its screen. The tests run in a session of their own, and the
 * session has this terminal.
 */
#ifndef BCOS_TESTS_CLI_MADE_TERMINAL_H
#define BCOS_TESTS_CLI_MADE_TERMINAL_H

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <term.h>
#include <termios.h>
#include <wchar.h>

#include "output/output.h"
#include "printed.h"
#include "descriptors.h"
#include "output/screen.h"

#define ROWS 6
#define COLUMNS 20

static int master, slave, usual_input, usual_output, null;
static struct termios before;

/* ---- how the test answers one poll() of screen_key(), known by its time-out ------------------------- */

static struct {
	int timeout, result;
	short revents;
	const char *keys;
	unsigned int calls;
	int fd;
} answer;

static inline void press_keys(const char *keys, size_t length)
{
	int there = 0;

	assert_int_equal(write(master, keys, length), length);
	while (there < (int)length)
		assert_int_equal(ioctl(slave, FIONREAD, &there), 0);
}

int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	const struct timespec time = { .tv_sec = timeout / 1000, .tv_nsec = timeout % 1000 * 1000000l };

	if (!answer.timeout || timeout != answer.timeout)
		return (int)syscall(SYS_ppoll, fds, count, timeout < 0 ? NULL : &time, NULL, 0);
	answer.calls++;
	answer.fd = fds->fd;
	assert_int_equal(fds->events, POLLIN);
	if (answer.keys)
		press_keys(answer.keys, strlen(answer.keys));
	fds->revents = answer.revents;
	return answer.result;
}

static inline int key_after(int result, short revents, const char *keys)
{
	answer.timeout = 98765;
	answer.result = result;
	answer.revents = revents;
	answer.keys = keys;
	answer.calls = 0;
	return screen_key(98765);
}

/* ---- the terminal ----------------------------------------------------------------------------------- */

static inline void set_terminal(const char *term, const char *locale, unsigned short wide)
{
	struct winsize size = { .ws_row = ROWS, .ws_col = wide };

	setenv("TERM", term, 1);
	setenv("LC_ALL", locale, 1);
	assert_int_equal(ioctl(slave, TIOCSWINSZ, &size), 0);
}

/* Takes what ncurses has written, so that the terminal always has room. */
static inline size_t take_output(char *text, size_t room)
{
	struct pollfd wait = { .fd = master, .events = POLLIN };
	size_t used = 0;
	ssize_t n;

	tcdrain(slave);
	while (used < room && poll(&wait, 1, 0) > 0) {
		n = read(master, text + used, room - used);
		if (n <= 0)
			break;
		used += (size_t)n;
	}
	return used;
}

static inline void use_terminal(void)
{
	fflush(stdout);
	dup2(slave, STDIN_FILENO);
	dup2(slave, STDOUT_FILENO);
}

static inline int begin_terminal(void **state)
{
	memset(&answer, 0, sizeof(answer));
	unsetenv("NO_COLOR");
	set_terminal("xterm-256color", "C.UTF-8", COLUMNS);
	output.used = 0;
	use_terminal();
	return tcsetattr(slave, TCSANOW, &before);
}

static inline int end_terminal(void **state)
{
	static char rest[1 << 16];

	screen_end();
	take_output(rest, sizeof(rest));
	dup2(usual_input, STDIN_FILENO);
	dup2(usual_output, STDOUT_FILENO);
	return 0;
}

static inline void begin_screen(void)
{
	assert_int_equal(screen_begin(), 0);
}

static inline void put_line(const char *text, size_t length, size_t line, size_t shift, enum screen_look look)
{
	output.used = 0;
	put_bytes(text, length);
	/* The bytes after this text in the buffer are no part of it. */
	memset(output.buffer + output.used, 0x81, 8);
	screen_line(line, shift, look);
	assert_int_equal(output.used, 0);
}

/* ncurses keeps this memory for a terminal that it does not know. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:new_prescr\n";
}

/* ---- running the tests ------------------------------------------------------------------------------ */

#define terminal_test(test) cmocka_unit_test_setup_teardown(test, begin_terminal, end_terminal)

static inline int run_in_session(int (*tests)(void))
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setsid();
	/* The first terminal that a session without one opens is its own. */
	slave = open(ptsname(master), O_RDWR | O_CLOEXEC);
	if (slave < 0 || tcgetattr(slave, &before))
		return 1;
	unsetenv("LINES");
	unsetenv("COLUMNS");
	return tests();
}

/**
 * run_on_terminal - runs the tests that @tests runs, with a terminal of their own
 *
 * Return: the exit status of the program.
 */
static inline int run_on_terminal(int (*tests)(void))
{
	int status;
	pid_t child;

	master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	usual_input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
	usual_output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
	if (master < 0 || null < 0 || usual_output < 0 || grantpt(master) || unlockpt(master))
		return 1;
	if (usual_input < 0)
		usual_input = null;
	child = fork();
	if (!child)
		exit(run_in_session(tests));
	return child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) ? 1 : WEXITSTATUS(status);
}

#endif
