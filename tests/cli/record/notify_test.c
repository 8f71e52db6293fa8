// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests the messages of a service to systemd, which a socket of the test receives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "../../userspace/bcoslog/output/notify.h"

static int manager = -1;

/* Listens at a path, or with @abstract at a name that is no file. */
static void listen_at(const char *path, bool abstract)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));

	if (manager >= 0)
		close(manager);
	unlink(path);
	strcpy(address.sun_path, path);
	if (abstract)
		address.sun_path[0] = '\0';
	manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	assert_true(manager >= 0);
	assert_int_equal(bind(manager, (struct sockaddr *)&address, length), 0);
	setenv("NOTIFY_SOCKET", path, 1);
}

static void assert_heard(const char *expected)
{
	char text[512];
	ssize_t length = recv(manager, text, sizeof(text) - 1, 0);

	assert_int_equal(length, strlen(expected));
	text[length] = '\0';
	assert_string_equal(text, expected);
}

static void assert_silent(void)
{
	char text[8];

	assert_int_equal(recv(manager, text, sizeof(text), 0), -1);
}

static void it_tells_by_a_file(void **state)
{
	char path[] = "/tmp/notify-test.XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	listen_at(path, false);
	notify_ready();
	notify_status("%d files", 3);
	notify_stopping();
	assert_heard("READY=1");
	assert_heard("STATUS=3 files");
	assert_heard("STOPPING=1");
	assert_silent();
	unlink(path);
}

static void it_tells_by_an_abstract_name(void **state)
{
	char name[64];

	snprintf(name, sizeof(name), "@notify-test-%d", getpid());
	listen_at(name, true);
	notify_ready();
	assert_heard("READY=1");
}

static void a_status_is_one_line(void **state)
{
	char name[64], text[400];

	snprintf(name, sizeof(name), "@notify-status-%d", getpid());
	listen_at(name, true);
	notify_status("one\nREADY=1");
	assert_heard("STATUS=one");
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	notify_status("%s", text);
	assert_int_equal(recv(manager, text, sizeof(text), 0), 255);
}

static void without_a_manager_nothing_happens(void **state)
{
	char long_path[200];

	unsetenv("NOTIFY_SOCKET");
	notify_ready();
	setenv("NOTIFY_SOCKET", "", 1);
	notify_ready();
	setenv("NOTIFY_SOCKET", "relative", 1);
	notify_ready();
	setenv("NOTIFY_SOCKET", "/nobody/there", 1);
	notify_ready();
	memset(long_path, 'x', sizeof(long_path) - 1);
	long_path[0] = '/';
	long_path[sizeof(long_path) - 1] = '\0';
	setenv("NOTIFY_SOCKET", long_path, 1);
	notify_ready();
}

/* One of many calls in a row sends a message, and so does a later call when the next message is due. */
static void the_watchdog_is_fed_as_often_as_it_demands(void **state)
{
	char name[64], process[32];
	struct timespec half = { .tv_nsec = 500000000 };
	int i;

	snprintf(name, sizeof(name), "@notify-alive-%d", getpid());
	listen_at(name, true);
	unsetenv("WATCHDOG_USEC");
	notify_alive();
	assert_silent();
	setenv("WATCHDOG_USEC", "1000000", 1);
	setenv("WATCHDOG_PID", "1", 1);
	notify_alive();
	assert_silent();
	snprintf(process, sizeof(process), "%d", getpid());
	setenv("WATCHDOG_PID", process, 1);
	/* The watchdog demands a message in an hour, and no call is a quarter of that later than the first one. */
	setenv("WATCHDOG_USEC", "3600000000", 1);
	for (i = 0; i < 5; i++)
		notify_alive();
	assert_heard("WATCHDOG=1");
	assert_silent();
	/* The watchdog demands a message in a second, of which half has passed. */
	setenv("WATCHDOG_USEC", "1000000", 1);
	nanosleep(&half, NULL);
	notify_alive();
	assert_heard("WATCHDOG=1");
	unsetenv("WATCHDOG_PID");
	setenv("WATCHDOG_USEC", "4", 1);
	notify_alive();
	assert_heard("WATCHDOG=1");
	assert_int_equal(notify_interval(), 1000);
	unsetenv("WATCHDOG_USEC");
	assert_int_equal(notify_interval(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_tells_by_a_file),
		cmocka_unit_test(it_tells_by_an_abstract_name),
		cmocka_unit_test(a_status_is_one_line),
		cmocka_unit_test(without_a_manager_nothing_happens),
		cmocka_unit_test(the_watchdog_is_fed_as_often_as_it_demands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
