// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Kernel calls are recorded on request: of all processes or of one, in their order, with their numbers or without.
 *
 * guest: cpus=2 timeout=120
 *
 * The oracle is the test, which makes the calls.
 */
#include "device.h"

#include <sys/ioctl.h>
#include <sys/syscall.h>

#define COMPAT 0x80000000u

static struct log everything;

static void take_everything(void)
{
	log_free(&everything);
	everything = log_take();
}

/* Calls that a C library makes on its own are not among these. */
static const long pattern[] = { SYS_getppid, SYS_getppid, SYS_getuid, SYS_getegid, SYS_getppid, SYS_getgid };

static void make_calls(void *argument)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pattern); i++)
		syscall(pattern[i]);
}

/* Collects all calls of a process, one after another. Entries without numbers add none. Return: the number of calls. */
static size_t calls_of(pid_t pid, uint32_t *call, size_t room, size_t *entries)
{
	const struct bcos_kernel_api *api;
	size_t count = 0, i;

	*entries = 0;
	for_each_entry(entry, &everything) {
		if (entry->type != BCOS_KERNEL_API || entry->source != (uint32_t)pid)
			continue;
		++*entries;
		api = (const struct bcos_kernel_api *)entry;
		for (i = 0; i < (entry->size - sizeof(*api)) / 4 && count < room; i++)
			call[count++] = api->function[i];
	}
	return count;
}

static bool has_pattern(const uint32_t *call, size_t count)
{
	size_t at, i;

	for (at = 0; at + ARRAY_SIZE(pattern) <= count; at++) {
		for (i = 0; i < ARRAY_SIZE(pattern) && call[at + i] == (uint32_t)pattern[i]; i++)
			;
		if (i == ARRAY_SIZE(pattern))
			return true;
	}
	return false;
}

static void test_all(void)
{
	static uint32_t call[100000];
	size_t count, entries;
	pid_t pid = spawn_child(make_calls, NULL);

	reap_child(pid, NULL);
	take_everything();
	count = calls_of(pid, call, ARRAY_SIZE(call), &entries);
	make_point(has_pattern(call, count),
		   "calls are there, in their order and with repeats (%zu calls in %zu entries)",
		   count,
		   entries);
	make_point(entries && entries * 2 < count, "those of a stretch share an entry");
	make_point(count && call[count - 1] == SYS_exit_group, "the last one is the last one (%u)",
		   count ? call[count - 1] : 0);
	log_check(&everything, "the log with all calls");
}

/* Does the kernel have the calls of 32-bit programs? */
static bool has_compat(void)
{
	return !access("/proc/sys/abi/vsyscall32", F_OK);
}

static void odd_calls(void *argument)
{
	syscall(9999);
	syscall(40000);
#ifdef __x86_64__
	if (has_compat()) {
		long result;

		__asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory", "r8", "r9", "r10", "r11");
	}
#endif
}

static bool has_call(const uint32_t *call, size_t count, uint32_t wanted)
{
	while (count--)
		if (call[count] == wanted)
			return true;
	return false;
}

static void test_odd(void)
{
	static uint32_t call[10000];
	size_t count, entries;
	pid_t pid = spawn_child(odd_calls, NULL);

	reap_child(pid, NULL);
	take_everything();
	count = calls_of(pid, call, ARRAY_SIZE(call), &entries);
	make_point(has_call(call, count, 9999), "a number that is none of a function is what it is");
	make_point(has_call(call, count, 0x7FFFFFFF), "one above 15 bits is 0x7fffffff");
	if (has_compat())
		make_point(has_call(call, count, COMPAT | 20), "a call of the compat ABI has bit 31");
	else
		skip_point("this kernel has none", "a call of the compat ABI has bit 31");
}

static int request_classes(int fd, uint32_t classes, uint32_t process, uint32_t on)
{
	struct bcos_request r = { .classes = classes, .source = process, .on = on };

	return ioctl(fd, BCOS_IOC_REQUEST, &r) ? errno : 0;
}

static void calls_later(void *argument)
{
	char byte;

	if (read(*(int *)argument, &byte, 1) < 0)
		give_up("read");
	make_calls(NULL);
}

static void test_one(void)
{
	static uint32_t call[10000];
	struct bcos_mask off = { .clear = BCOS_CLASS_API };
	int fd = open_log(O_RDWR), go[2], i;
	size_t count, entries;
	pid_t pid, other, self;
	bool good = true;

	if (ioctl(fd, BCOS_IOC_MASK, &off) || pipe2(go, O_CLOEXEC))
		give_up("mask");
	pid = spawn_child(calls_later, &go[0]);
	other = spawn_child(calls_later, &go[0]);
	make_point(!request_classes(fd, BCOS_CLASS_API, (uint32_t)pid, 1), "calls of one process are asked for");
	make_point(!request_classes(fd, BCOS_CLASS_API, (uint32_t)pid, 1), "twice is once");
	if (write(go[1], "ab", 2) != 2)
		give_up("write");
	reap_child(pid, NULL);
	reap_child(other, NULL);
	take_everything();
	count = calls_of(pid, call, ARRAY_SIZE(call), &entries);
	make_point(has_pattern(call, count), "they are there");
	calls_of(other, call, ARRAY_SIZE(call), &entries);
	make_point(!entries, "those of another are not");
	make_point(!request_classes(fd, BCOS_CLASS_API, (uint32_t)pid, 0), "no more");
	make_point(request_classes(fd, BCOS_CLASS_API, (uint32_t)pid, 0) == ENOENT,
		   "what was not asked for cannot be taken back");
	self = spawn_child(make_calls, NULL);
	reap_child(self, NULL);
	take_everything();
	calls_of(self, call, ARRAY_SIZE(call), &entries);
	make_point(!entries, "and then none are");
	make_point(request_classes(fd, BCOS_CLASS_USER, 1, 1) == EINVAL &&
		   request_classes(fd, BCOS_CLASS_API, 0, 1) == EINVAL &&
		   request_classes(fd, BCOS_CLASS_API, 1, 2) == EINVAL,
		   "another class, no process, neither on nor off: EINVAL");
	for (i = 0; i < 64; i++)
		good &= !request_classes(fd, BCOS_CLASS_API, 100000u + (uint32_t)i, 1);
	make_point(good, "64 processes can be asked for");
	make_point(request_classes(fd, BCOS_CLASS_API, 200000, 1) == ENOSPC, "and no more");
	close(fd);
	fd = open_log(O_RDONLY);
	make_point(request_classes(fd, BCOS_CLASS_API, 1, 1) == EACCES, "by a file open for reading: EACCES");
	close(fd);
}

static void test_tool(void)
{
	static uint32_t call[10000];
	size_t count, entries;
	int go[2];
	char number[12];
	pid_t pid;

	if (pipe2(go, O_CLOEXEC))
		give_up("pipe");
	pid = spawn_child(calls_later, &go[0]);
	snprintf(number, sizeof(number), "%d", pid);
	make_point(!run_program("./bcoslog", "mask", "--process", number, "+api", NULL),
		   "bcoslog mask --process asks for one");
	if (write(go[1], "a", 1) != 1)
		give_up("write");
	reap_child(pid, NULL);
	take_everything();
	count = calls_of(pid, call, ARRAY_SIZE(call), &entries);
	make_point(has_pattern(call, count), "and its calls are there");
	make_point(!run_program("./bcoslog", "mask", "--process", number, "-api", NULL), "and takes it back");
	make_point(WEXITSTATUS(run_program("./bcoslog", "mask", "--process", number, "-api", NULL)) == 2, "once");
	make_point(WEXITSTATUS(run_program("./bcoslog", "mask", "--process", "1", "+irq", NULL)) == 2,
		   "another class than api is refused");
}

static void test_no_numbers(void)
{
	static uint32_t call[10000];
	size_t count, entries;
	pid_t pid;

	load_module("mask=assign,api api_numbers=0");
	pid = spawn_child(make_calls, NULL);
	reap_child(pid, NULL);
	take_everything();
	count = calls_of(pid, call, ARRAY_SIZE(call), &entries);
	make_point(entries && !count, "api_numbers=0: that it calls is there, and not what");
	log_check(&everything, "the log without numbers");
	unload_module();
}

int main(void)
{
	load_module("mask=all ring_kb=65536");
	test_all();
	test_odd();
	test_one();
	unload_module();
	load_module("");
	test_tool();
	unload_module();
	test_no_numbers();
	return finish_test();
}
