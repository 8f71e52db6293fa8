// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Disks and interfaces come, go and move while the BPF engine records, on this machine's own kernel: with programs at
 * functions, and without. The oracle is the test itself, which causes these events and takes the time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <linux/loop.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bcoslog_bpf.h"
#include "device_log.h"
#include "reader/reader.h"
#include "forget.h"

static uint64_t read_clock(void)
{
	struct timespec time;

	clock_gettime(CLOCK_BOOTTIME, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* ---- the machine --------------------------------------------------------------------------- */

static void run_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void run_shell(const char *format, ...)
{
	char command[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(command, sizeof(command), format, arguments);
	va_end(arguments);
	if (system(command))
		fail_msg("%s", command);
}

/* Returns a name that no other test uses. */
static const char *make_name(const char *what)
{
	static char names[8][32];
	static unsigned int next;
	char *name = names[next++ % 8];

	snprintf(name, 32, "%s%d", what, getpid() % 100000);
	return name;
}

static void tidy_up(void)
{
	char command[256];

	snprintf(command, sizeof(command),
		 "exec 2>/dev/null; ip link del %s; ip link del %s; ip netns del %s; ip netns del %s",
		 make_name("bda"), make_name("bde"), make_name("bdx"), make_name("bdy"));
	if (system(command))
		return;
}

/* ---- tests ------------------------------------------------------------------------------------- */

static unsigned int flags_of(void **state)
{
	return *state ? BCOSLOG_BPF_NO_FUNCTIONS : 0;
}

static void test_comes_and_goes(void **state)
{
	const char *a = make_name("bda"), *b = make_name("bdb"), *c = make_name("bdc");
	uint64_t before;
	struct device *of;

	device_log_begin(flags_of(state));
	before = read_clock();
	run_shell("ip link add %s type veth peer name %s", a, b);
	assert_true(device_log_soon(a, 1) && device_log_soon(b, 1));
	device_log_called(a, &of);
	device_log_expect(of, before, read_clock());
	/* A renamed interface is the same device. */
	before = read_clock();
	run_shell("ip link set %s name %s", b, c);
	assert_true(device_log_soon(c, 1) && device_log_soon(b, 0));
	device_log_called(c, &of);
	device_log_expect(of, before, read_clock());
	before = read_clock();
	run_shell("ip link del %s", a);
	assert_true(device_log_soon(a, 0) && device_log_soon(c, 0));
	device_log_called(a, &of);
	device_log_expect(of, before, read_clock());
	device_log_end();
}

static void test_link_goes_up_when_it_does(void **state)
{
	const char *a = make_name("bda"), *b = make_name("bdb");
	uint64_t before, after;
	struct device *of;
	int round, tries;

	device_log_begin(flags_of(state));
	run_shell("ip link add %s type veth peer name %s", a, b);
	run_shell("ip link set %s up", b);
	/* Programs name the device meanwhile, and what user space records about it comes after the name. */
	assert_true(device_log_soon(a, 1));
	for (round = 0; round < 20; round++) {
		before = read_clock();
		run_shell("ip link set %s %s", a, round % 2 ? "down" : "up");
		after = read_clock();
		for (tries = 0; tries < 300; tries++) {
			device_log_catch_up();
			if (device_log_called(a, &of) == 1 && !strcmp(of->text, round % 2 ? "link down" : "link up"))
				break;
			usleep(100000);
		}
		assert_true(tries < 300);
		device_log_expect(of, before, after);
	}
	run_shell("ip link del %s", a);
	device_log_end();
}

/* Causes a transfer: the interface asks who has an address. */
static void cause_transfer(const char *interface, const char *space)
{
	run_shell("ip -n %s link set %s up && ip -n %s addr add 198.51.100.1/24 dev %s", space, interface, space,
		  interface);
	run_shell("ip netns exec %s bash -c 'echo >/dev/udp/198.51.100.2/9'", space);
}

/* Packets pass in each namespace, so the interface is named there. */
static void test_moves_on(void **state)
{
	const char *a = make_name("bda"), *b = make_name("bdb"), *x = make_name("bdx"), *y = make_name("bdy");
	const char *const spaces[] = { x, y, x };
	int i, seen = 0;

	device_log_begin(flags_of(state));
	run_shell("ip netns add %s && ip netns add %s", x, y);
	run_shell("ip link add %s type veth peer name %s && ip link set %s up", a, b, a);
	assert_true(device_log_soon(b, 1));
	run_shell("ip link set %s netns %s", b, x);
	assert_true(device_log_soon(b, 0));
	for (i = 0; i < 3; i++) {
		cause_transfer(b, spaces[i]);
		device_log_catch_up();
		assert_true(device_log_called(b, NULL) <= 1);
		seen += device_log_called(b, NULL);
		if (i < 2)
			run_shell("ip -n %s link set %s netns %s", spaces[i], b, spaces[i + 1]);
	}
	/*
	 * Without programs at functions, nobody sees the end of interfaces in other namespaces, so they are not
	 * recorded.
	 */
	if (!flags_of(state))
		assert_true(seen == 3 || !seen);
	run_shell("ip -n %s link set %s netns 1", x, b);
	assert_true(device_log_soon(b, 1));
	run_shell("ip link del %s", a);
	assert_true(device_log_soon(a, 0) && device_log_soon(b, 0));
	run_shell("ip netns del %s && ip netns del %s", x, y);
	device_log_end();
}

static void test_forgotten(void **state)
{
	const char *a = make_name("bda"), *b = make_name("bdb"), *x = make_name("bdx");

	device_log_begin(flags_of(state));
	run_shell("ip netns add %s", x);
	run_shell("ip link add %s type veth peer name %s && ip link set %s up", a, b, a);
	run_shell("ip link set %s netns %s", b, x);
	cause_transfer(b, x);
	assert_true(device_log_soon(a, 1));
	programs_forget();
	run_shell("ip link del %s", a);
	assert_true(device_log_soon(a, 0) && device_log_soon(b, 0));
	run_shell("ip netns del %s", x);
	device_log_end();
}

static void test_disks(void **state)
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), number = 200 + getpid() % 50, round, disk;
	char name[32], path[48], buffer[4096], file[] = "/tmp/bcos-disk-XXXXXX";
	int backing = mkstemp(file);
	struct device *of = NULL;
	uint64_t before;

	if (control < 0 || backing < 0)
		skip();
	unlink(file);
	assert_int_equal(ftruncate(backing, 1 << 20), 0);
	snprintf(name, sizeof(name), "loop%d", number);
	snprintf(path, sizeof(path), "/dev/%s", name);
	device_log_begin(flags_of(state));
	for (round = 0; round < 8; round++) {
		before = read_clock();
		if (ioctl(control, LOOP_CTL_ADD, number) < 0)
			fail_msg("%s cannot be made", name);
		assert_true(device_log_soon(name, 1));
		device_log_called(name, &of);
		device_log_expect(of, before, read_clock());
		disk = open(path, O_RDWR | O_CLOEXEC);
		assert_true(disk >= 0);
		assert_int_equal(ioctl(disk, LOOP_SET_FD, backing), 0);
		assert_int_equal(read(disk, buffer, sizeof(buffer)), sizeof(buffer));
		assert_int_equal(ioctl(disk, LOOP_CLR_FD), 0);
		close(disk);
		before = read_clock();
		/* Another process may still be looking at the disk. */
		while (ioctl(control, LOOP_CTL_REMOVE, number))
			usleep(10000);
		/* The disk may come again before anybody has looked. */
		if (round % 2)
			continue;
		assert_true(device_log_soon(name, 0));
		device_log_expect(of, before, read_clock());
	}
	assert_true(device_log_soon(name, 0));
	device_log_end();
	close(control);
	close(backing);
}

/* Runs the command while this process, and with it the engine, stands still. */
static void run_unseen(const char *format, ...)
{
	char command[512];
	va_list arguments;
	int status;
	pid_t child;

	va_start(arguments, format);
	vsnprintf(command, sizeof(command), format, arguments);
	va_end(arguments);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		kill(getppid(), SIGSTOP);
		status = system(command);
		kill(getppid(), SIGCONT);
		_exit(status != 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* The kernel tells more than it keeps. The engine finds out which devices came and went, and states the loss. */
static void test_too_much_is_told(void **state)
{
	const char *a = make_name("bda"), *e = make_name("bde");
	struct bcos_status status;

	device_log_begin(flags_of(state));
	run_shell("ip link add %s type veth peer name %s", a, make_name("bdb"));
	assert_true(device_log_soon(a, 1));
	assert_int_equal(device_log_losses, 0);
	run_unseen("for i in $(seq 4000); do echo link set %s mtu $((1000 + i %% 100)); done | ip -batch - && "
		   "ip link del %s && ip link add %s type veth peer name %s", a, a, e, make_name("bdf"));
	assert_true(device_log_soon(e, 1) && device_log_soon(a, 0));
	assert_true(device_log_losses > 0);
	assert_int_equal(bcoslog_status(device_log, &status), 0);
	assert_true(status.lost[BCOS_LOST_SOURCE] > 0);
	run_shell("ip link del %s", e);
	assert_true(device_log_soon(e, 0));
	device_log_end();
}

static int set_up(void **state)
{
	(void)state;
	tidy_up();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	if (device_log)
		device_log_end();
	tidy_up();
	return 0;
}

#define BOTH(test) \
	{ #test, test, set_up, tear_down, NULL }, \
	{ #test ": no functions", test, set_up, tear_down, (void *)1 }

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH(test_comes_and_goes), BOTH(test_link_goes_up_when_it_does), BOTH(test_moves_on),
		BOTH(test_forgotten),
		BOTH(test_disks), BOTH(test_too_much_is_told),
	};
	struct bcoslog_bpf options = { .size = sizeof(options) };
	struct bcoslog_error error;

	if (bcoslog_open_bpf(&device_log, &options, 0, &error)) {
		puts(error.text);
		return 77;
	}
	device_log_end();
	if (system("ip link show >/dev/null 2>&1 && ip netns add bcos-try 2>/dev/null && ip netns del bcos-try")) {
		puts("this machine's ip makes no network namespaces");
		return 77;
	}
	return cmocka_run_group_tests_name("devices", tests, NULL, NULL);
}
