// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Disks and interfaces that come, go and move while the BPF engine records, on this machine's own kernel: with programs
 * at functions, and without. The oracle is the test, which does it and takes the time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "balance.h"
#include "bcoslog_bpf.h"

#define DEVICES 4096
#define NAME 96

static struct bcoslog *recorder;
static struct balance balance;

/* The devices of the log, and the time of the last entry about each. */
struct device {
	uint32_t id;
	bool live;
	char name[NAME];
	uint64_t first, last;		/* between these */
	char said[NAME];
};

static struct device device[DEVICES];
static size_t devices;
static unsigned int losses;

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_BOOTTIME, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* ---- the machine --------------------------------------------------------------------------- */

static void run(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void run(const char *format, ...)
{
	char command[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(command, sizeof(command), format, arguments);
	va_end(arguments);
	if (system(command))
		fail_msg("%s", command);
}

/* Names that no other test has. */
static const char *own(const char *what)
{
	static char names[8][32];
	static unsigned int next;
	char *name = names[next++ % 8];

	snprintf(name, 32, "%s%d", what, getpid() % 100000);
	return name;
}

static void tidy(void)
{
	char command[256];

	snprintf(command, sizeof(command), "exec 2>/dev/null; ip link del %s; ip link del %s; ip netns del %s; ip netns del %s",
		 own("bda"), own("bde"), own("bdx"), own("bdy"));
	if (system(command))
		return;
}

/* ---- the log -------------------------------------------------------------------------------- */

static void begin(unsigned int flags)
{
	struct bcoslog_bpf options = { .size = sizeof(options), .classes = BCOS_CLASS_IO, .flags = flags };
	struct bcoslog_error error;

	devices = 0;
	losses = 0;
	if (bcoslog_open_bpf(&recorder, &options, BCOSLOG_FOLLOW, &error))
		fail_msg("%s", error.text);
	balance_begin(&balance, 0, 0);
}

static struct device *by_id(uint32_t id)
{
	size_t i = devices;

	while (i)
		if (device[--i].id == id)
			return &device[i];
	assert_true(devices < DEVICES);
	device[devices] = (struct device){ .id = id };
	return &device[devices++];
}

static void take(const struct bcos_entry *entry)
{
	const char *end = (const char *)entry + entry->size;
	uint16_t type = entry->type & ~BCOS_TYPE_HISTORICAL;
	struct device *of = by_id(entry->source);
	const char *text;

	if (type == BCOS_SET_DEVICE_NAME) {
		text = (const char *)((const struct bcos_device_name *)entry)->name;
		/* A new one: the ID may have been another's. */
		if (!of->live && !(entry->type & BCOS_TYPE_HISTORICAL)) {
			of = &device[devices++];
			*of = (struct device){ .id = entry->source };
		}
		snprintf(of->name, NAME, "%.*s", (int)(end - text), text);
		of->live = true;
	} else if (type == BCOS_CANCEL_DEVICE_NAME) {
		of->live = false;
	} else if (type == BCOS_GENERIC_DEVICE) {
		text = (const char *)((const struct bcos_generic *)entry)->text;
		snprintf(of->said, NAME, "%.*s", (int)(end - text), text);
	} else {
		return;
	}
	if (entry->type & BCOS_TYPE_HISTORICAL)
		return;
	of->first = entry->time;
	of->last = entry->time + entry->precision;
}

/* All that has happened until now. */
static void catch_up(void)
{
	const struct bcos_entry *entry;
	struct bcoslog_batch batch;
	int more;

	assert_int_equal(bcoslog_flush(recorder, NULL), 0);
	while ((more = bcoslog_batch(recorder, &batch)) > 0) {
		for (entry = batch.first; entry < batch.end;
		     entry = (const struct bcos_entry *)((const char *)entry + entry->size)) {
			if (entry->type == BCOS_GENERIC_CPU &&
			    ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_LOSS)
				losses++;
			balance_entry(&balance, entry);
			if ((entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_DEVICE)
				take(entry);
		}
	}
	assert_int_equal(more, 0);
}

static void end(void)
{
	const char *wrong = balance.account ? balance_end(&balance) : NULL;

	if (wrong)
		fail_msg("the account does not add up: %s", wrong);
	balance_free(&balance);
	bcoslog_close(recorder);
	recorder = NULL;
}

/* So many that are there are called that; *@of: the newest, there or not. */
static int called(const char *name, struct device **of)
{
	size_t i, length = strlen(name);
	int live = 0;

	for (i = 0; i < devices; i++) {
		/* It may be stacked. */
		if (strncmp(device[i].name, name, length) || (device[i].name[length] && device[i].name[length] != ' '))
			continue;
		live += device[i].live;
		if (of)
			*of = &device[i];
	}
	return live;
}

/* The kernel tells some of it only a moment after it. */
static bool soon(const char *name, int live)
{
	int tries;

	for (tries = 0; tries < 300; tries++) {
		catch_up();
		if (called(name, NULL) == live)
			return true;
		usleep(100000);
	}
	return false;
}

/* The last entry about the device has a time between these. */
static void expect_between(const struct device *of, uint64_t from, uint64_t until)
{
	if (of->first > until || of->last < from)
		fail_msg("%s %s: from %llu to %llu, but it was between %llu and %llu", of->name, of->said,
			 (unsigned long long)of->first, (unsigned long long)of->last, (unsigned long long)from,
			 (unsigned long long)until);
}

/* ---- what the programs keep -------------------------------------------------------------------- */

#define MAP_GET_FD_BY_ID	14
#define MAP_DELETE		3
#define MAP_NEXT_KEY		4

static long bpf(int command, void *attributes, size_t size)
{
	return syscall(SYS_bpf, command, attributes, size);
}

/* Empty a map, as if it had been full: a full map drops its least recently used elements. */
static void forget_in(uint32_t id)
{
	struct {
		uint32_t id, next, flags, token;
	} which = { .id = id };
	struct {
		uint32_t fd, padding;
		uint64_t key, next;
	} at = { 0 };
	uint64_t key = 0, after = 0;
	long fd = bpf(MAP_GET_FD_BY_ID, &which, sizeof(which));

	if (fd < 0)
		return;
	at.fd = (uint32_t)fd;
	at.next = (uint64_t)(uintptr_t)&after;
	while (!bpf(MAP_NEXT_KEY, &at, sizeof(at))) {
		key = after;
		at.key = (uint64_t)(uintptr_t)&key;
		at.next = 0;
		bpf(MAP_DELETE, &at, sizeof(at));
		at.key = 0;
		at.next = (uint64_t)(uintptr_t)&after;
	}
	close((int)fd);
}

/* The map of names has keys of eight bytes and values of one. */
static void forget_of(const char *path)
{
	unsigned int type = 0, key = 0, value = 0, id = 0;
	FILE *file = fopen(path, "re");
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		sscanf(line, "map_type: %u", &type);
		sscanf(line, "key_size: %u", &key);
		sscanf(line, "value_size: %u", &value);
		sscanf(line, "map_id: %u", &id);
	}
	if (file)
		fclose(file);
	if (type == 9 && key == 8 && value == 1)
		forget_in(id);
}

static void forget(void)
{
	const struct dirent *thread, *fd;
	DIR *threads = opendir("/proc/self/task"), *fds;
	char path[600];

	while (threads && (thread = readdir(threads))) {
		snprintf(path, sizeof(path), "/proc/self/task/%.30s/fdinfo", thread->d_name);
		fds = *thread->d_name == '.' ? NULL : opendir(path);
		while (fds && (fd = readdir(fds))) {
			snprintf(path, sizeof(path), "/proc/self/task/%.30s/fdinfo/%.30s", thread->d_name, fd->d_name);
			if (*fd->d_name != '.')
				forget_of(path);
		}
		if (fds)
			closedir(fds);
	}
	if (threads)
		closedir(threads);
}

/* ---- tests ------------------------------------------------------------------------------------- */

static unsigned int flags_of(void **state)
{
	return *state ? BCOSLOG_BPF_NO_FUNCTIONS : 0;
}

static void test_comes_and_goes(void **state)
{
	const char *a = own("bda"), *b = own("bdb"), *c = own("bdc");
	uint64_t before;
	struct device *of;

	begin(flags_of(state));
	before = now();
	run("ip link add %s type veth peer name %s", a, b);
	assert_true(soon(a, 1) && soon(b, 1));
	called(a, &of);
	expect_between(of, before, now());
	/* Renamed it is no other. */
	before = now();
	run("ip link set %s name %s", b, c);
	assert_true(soon(c, 1) && soon(b, 0));
	called(c, &of);
	expect_between(of, before, now());
	before = now();
	run("ip link del %s", a);
	assert_true(soon(a, 0) && soon(c, 0));
	called(a, &of);
	expect_between(of, before, now());
	end();
}

static void test_link_goes_up_when_it_does(void **state)
{
	const char *a = own("bda"), *b = own("bdb");
	uint64_t before, after;
	struct device *of;
	int round, tries;

	begin(flags_of(state));
	run("ip link add %s type veth peer name %s", a, b);
	run("ip link set %s up", b);
	/* Records of user space about a device that programs name meanwhile come after its name. */
	assert_true(soon(a, 1));
	for (round = 0; round < 20; round++) {
		before = now();
		run("ip link set %s %s", a, round % 2 ? "down" : "up");
		after = now();
		for (tries = 0; tries < 300; tries++) {
			catch_up();
			if (called(a, &of) == 1 && !strcmp(of->said, round % 2 ? "link down" : "link up"))
				break;
			usleep(100000);
		}
		assert_true(tries < 300);
		expect_between(of, before, after);
	}
	run("ip link del %s", a);
	end();
}

/* It asks there who has an address. */
static void transfer(const char *interface, const char *space)
{
	run("ip -n %s link set %s up && ip -n %s addr add 198.51.100.1/24 dev %s", space, interface, space, interface);
	run("ip netns exec %s bash -c 'echo >/dev/udp/198.51.100.2/9'", space);
}

/* Packets pass in each namespace, so it is named there. */
static void test_moves_on(void **state)
{
	const char *a = own("bda"), *b = own("bdb"), *x = own("bdx"), *y = own("bdy");
	const char *const spaces[] = { x, y, x };
	int i, seen = 0;

	begin(flags_of(state));
	run("ip netns add %s && ip netns add %s", x, y);
	run("ip link add %s type veth peer name %s && ip link set %s up", a, b, a);
	assert_true(soon(b, 1));
	run("ip link set %s netns %s", b, x);
	assert_true(soon(b, 0));
	for (i = 0; i < 3; i++) {
		transfer(b, spaces[i]);
		catch_up();
		assert_true(called(b, NULL) <= 1);
		seen += called(b, NULL);
		if (i < 2)
			run("ip -n %s link set %s netns %s", spaces[i], b, spaces[i + 1]);
	}
	/* Without programs at functions, nobody sees interfaces of other namespaces end, so they are not recorded. */
	if (!flags_of(state))
		assert_true(seen == 3 || !seen);
	run("ip -n %s link set %s netns 1", x, b);
	assert_true(soon(b, 1));
	run("ip link del %s", a);
	assert_true(soon(a, 0) && soon(b, 0));
	run("ip netns del %s && ip netns del %s", x, y);
	end();
}

static void test_forgotten(void **state)
{
	const char *a = own("bda"), *b = own("bdb"), *x = own("bdx");

	begin(flags_of(state));
	run("ip netns add %s", x);
	run("ip link add %s type veth peer name %s && ip link set %s up", a, b, a);
	run("ip link set %s netns %s", b, x);
	transfer(b, x);
	assert_true(soon(a, 1));
	forget();
	run("ip link del %s", a);
	assert_true(soon(a, 0) && soon(b, 0));
	run("ip netns del %s", x);
	end();
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
	begin(flags_of(state));
	for (round = 0; round < 8; round++) {
		before = now();
		if (ioctl(control, LOOP_CTL_ADD, number) < 0)
			fail_msg("%s cannot be made", name);
		assert_true(soon(name, 1));
		called(name, &of);
		expect_between(of, before, now());
		disk = open(path, O_RDWR | O_CLOEXEC);
		assert_true(disk >= 0);
		assert_int_equal(ioctl(disk, LOOP_SET_FD, backing), 0);
		assert_int_equal(read(disk, buffer, sizeof(buffer)), sizeof(buffer));
		assert_int_equal(ioctl(disk, LOOP_CLR_FD), 0);
		close(disk);
		before = now();
		/* Another one may still be looking at it. */
		while (ioctl(control, LOOP_CTL_REMOVE, number))
			usleep(10000);
		/* It may come again before anybody has looked. */
		if (round % 2)
			continue;
		assert_true(soon(name, 0));
		expect_between(of, before, now());
	}
	assert_true(soon(name, 0));
	end();
	close(control);
	close(backing);
}

/* Stands still while @format is run. */
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

/* More is told than the kernel keeps: what came and went meanwhile is found out, and the loss is stated. */
static void test_too_much_is_told(void **state)
{
	const char *a = own("bda"), *e = own("bde");
	struct bcos_status status;

	begin(flags_of(state));
	run("ip link add %s type veth peer name %s", a, own("bdb"));
	assert_true(soon(a, 1));
	assert_int_equal(losses, 0);
	run_unseen("for i in $(seq 4000); do echo link set %s mtu $((1000 + i %% 100)); done | ip -batch - && "
		   "ip link del %s && ip link add %s type veth peer name %s", a, a, e, own("bdf"));
	assert_true(soon(e, 1) && soon(a, 0));
	assert_true(losses > 0);
	assert_int_equal(bcoslog_status(recorder, &status), 0);
	assert_true(status.lost[BCOS_LOST_SOURCE] > 0);
	run("ip link del %s", e);
	assert_true(soon(e, 0));
	end();
}

static int set_up(void **state)
{
	(void)state;
	tidy();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	if (recorder)
		end();
	tidy();
	return 0;
}

#define BOTH(test) \
	{ #test, test, set_up, tear_down, NULL }, \
	{ #test ": no functions", test, set_up, tear_down, (void *)1 }

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH(test_comes_and_goes), BOTH(test_link_goes_up_when_it_does), BOTH(test_moves_on), BOTH(test_forgotten),
		BOTH(test_disks), BOTH(test_too_much_is_told),
	};
	struct bcoslog_bpf options = { .size = sizeof(options) };
	struct bcoslog_error error;

	if (bcoslog_open_bpf(&recorder, &options, 0, &error)) {
		puts(error.text);
		return 77;
	}
	end();
	if (system("ip link show >/dev/null 2>&1 && ip netns add bcos-try 2>/dev/null && ip netns del bcos-try")) {
		puts("this machine's ip makes no network namespaces");
		return 77;
	}
	return cmocka_run_group_tests_name("devices", tests, NULL, NULL);
}
