// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Processes and devices that users name: in a log, and on this machine, whose /proc is a folder of the test. */
#include <dirent.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "log/run.h"
#include "made_system.h"
#include "descriptors.h"
#include "made_log.h"
#include "options/names.h"

static const char *place_path(const char *path)
{
	return strncmp(path, "/proc", 5) ? path : made_path(path);
}

int open(const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	return (int)syscall(SYS_openat, AT_FDCWD, place_path(path), flags, mode);
}

int access(const char *path, int mode)
{
	return (int)syscall(SYS_faccessat, AT_FDCWD, place_path(path), mode);
}

DIR *opendir(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? NULL : fdopendir(fd);
}

/* ---- in a log --------------------------------------------------------------------------- */

static u8 bytes[1 << 16];
static size_t used;
static struct run run;
static struct made made;

static void add_entry(const struct bcos_entry *entry)
{
	assert_true(used + entry->size <= sizeof(bytes));
	memcpy(bytes + used, entry, entry->size);
	used += entry->size;
}

static void add_process(u32 id, u64 time, const char *name)
{
	add_entry(made_name(&made, BCOS_SET_PROCESS_NAME, id, time, name));
}

static void open_log(void)
{
	struct bcoslog_error error;

	bcoslog_close(run.log);
	made_bytes("/log", bytes, used);
	run.path = "the log";
	assert_int_equal(bcoslog_open(&run.log, made_path("/log"), 0, &error), 0);
}

static int begin_log(void **state)
{
	used = 0;
	memset(&run, 0, sizeof(run));
	return made_begin(state);
}

static int end_log(void **state)
{
	bcoslog_close(run.log);
	return made_end(state);
}

/* Ten is sh, then cc1; eleven ends; twelve and thirteen have one name, as fourteen had. */
static void made_names(void)
{
	used = 0;
	add_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 0, 1, "kernel"));
	add_process(10, 2, "sh");
	add_process(11, 2, "eleven");
	add_process(12, 2, "twin");
	add_process(13, 2, "twin");
	add_process(14, 2, "twin");
	add_process(10, 3, "cc1");
	add_process(10, 3, "cc1");
	add_process(12, 3, "other");
	add_process(12, 4, "twin");
	add_entry(made_word(&made, BCOS_CANCEL_PROCESS_NAME, 11, 5, 0));
	add_process(14, 5, "alone");
	add_entry(made_device(&made, BCOS_SET_DEVICE_NAME, 3, 5, 0, "sda"));
	add_entry(made_device(&made, BCOS_SET_DEVICE_NAME, 4, 5, 0, "sdb"));
	add_entry(made_device(&made, BCOS_SET_DEVICE_NAME, 0xC0000005, 5, 0, "twin"));
	add_entry(made_device(&made, BCOS_SET_DEVICE_NAME, 0xC0000006, 5, 0, "twin"));
	open_log();
}

#define ASSERT_NAMED(expected, call) do { \
		u32 id = 99; \
		made_names(); \
		assert_complains("", !(call)); \
		assert_int_equal(id, expected); \
	} while (0)
#define ASSERT_UNKNOWN(said, call) do { \
		u32 id = 99; \
		made_names(); \
		assert_complains("bcoslog: " said "\n", (call) == -1); \
	} while (0)

static void processes_of_a_log(void **state)
{
	ASSERT_NAMED(10, named_process(run.log, run.path, "cc1", false, &id));
	ASSERT_NAMED(14, named_process(run.log, run.path, "alone", true, &id));
	ASSERT_NAMED(0, named_process(run.log, run.path, "kernel", false, &id));
	ASSERT_UNKNOWN("there is no process \"sh\" now", named_process(run.log, run.path, "sh", false, &id));
	ASSERT_UNKNOWN("there is no process \"cc\" now", named_process(run.log, run.path, "cc", false, &id));
	ASSERT_UNKNOWN("there is no process \"cc12\" now", named_process(run.log, run.path, "cc12", false, &id));
	ASSERT_UNKNOWN("there is no process \"eleven\" now", named_process(run.log, run.path, "eleven", false, &id));
	ASSERT_UNKNOWN("there is no process \"sda\" now", named_process(run.log, run.path, "sda", false, &id));
	ASSERT_UNKNOWN("there are several with the name \"twin\" (process 12, 13): give the number",
		named_process(run.log, run.path, "twin", false, &id));
	/* A number has to be known only where that is asked for. */
	ASSERT_NAMED(77, named_process(run.log, run.path, "77", false, &id));
	ASSERT_NAMED(12, named_process(run.log, run.path, "0xC", true, &id));
	ASSERT_UNKNOWN("there is no process 77 now", named_process(run.log, run.path, "77", true, &id));
	ASSERT_UNKNOWN("there is no process 11 now", named_process(run.log, run.path, "11", true, &id));
	ASSERT_NAMED(0x7FFFFFFF, named_process(run.log, run.path, "2147483647", false, &id));
	ASSERT_UNKNOWN("--process takes a number from 0 to 2147483647, not \"2147483648\"", named_process(run.log, run.path,
		"2147483648", false, &id));
}

static void devices_of_a_log(void **state)
{
	ASSERT_NAMED(3, named_device(run.log, run.path, "sda", &id));
	ASSERT_NAMED(0xFFFFFFFF, named_device(run.log, run.path, "0xFFFFFFFF", &id));
	ASSERT_UNKNOWN("there is no device \"cc1\" now", named_device(run.log, run.path, "cc1", &id));
	ASSERT_UNKNOWN("there are several with the name \"twin\" (device 0xc0000005, 0xc0000006): give the number",
		       named_device(run.log, run.path, "twin", &id));
	ASSERT_UNKNOWN("--device takes a number from 0 to 4294967295, not \"4294967296\"", named_device(run.log, run.path,
		"4294967296", &id));
}

/* Eight of several are listed. */
static void many_of_a_name(void **state)
{
	u32 id, number;

	for (number = 101; number <= 108; number++)
		add_process(number, number, "many");
	open_log();
	assert_complains("bcoslog: there are several with the name \"many\" (process 101, 102, 103, 104, 105, "
		"106, 107, 108): give the "
			 "number\n", named_process(run.log, run.path, "many", false, &id) == -1);
	for (; number <= 300; number++)
		add_process(number, number, "many");
	open_log();
	assert_complains("bcoslog: there are several with the name \"many\" (process 101, 102, 103, 104, 105, "
		"106, 107, 108 and more): "
			 "give the number\n", named_process(run.log, run.path, "many", false, &id) == -1);
}

static void a_damaged_log(void **state)
{
	int kept, r;
	FILE *file;
	u32 id;

	made_names();
	used -= 3;
	open_log();
	file = begin_complaints(&kept);
	r = named_process(run.log, run.path, "cc1", false, &id);
	assert_non_null(strstr(end_complaints(file, kept), "the log ends inside an entry"));
	assert_int_equal(r, -1);
}

/* ---- numbers ---------------------------------------------------------------------------- */

static void what_is_a_number(void **state)
{
	assert_true(is_number("0") && is_number("9") && is_number("123") && is_number("0x1F") && is_number("0XaFf"));
	assert_false(is_number("") || is_number("x1") || is_number("1g") || is_number("a") || is_number("-1") ||
		is_number("/") || is_number(":"));
}

/* ---- on this machine -------------------------------------------------------------------- */

static void processes_of_this_machine(void **state)
{
	unsigned int open_before = count_descriptors();
	u32 id = 0;

	assert_complains("bcoslog: there is no process \"cat\" now\n", running_process("--calls-of", "cat",
		&id) == -1);
	made_text("/proc/1/comm", "init\n");
	made_text("/proc/20/comm", "cat\n");
	made_text("/proc/30/comm", "twin\n");
	made_text("/proc/40/comm", "twin");
	made_text("/proc/50/comm", "");
	made_text("/proc/60/status", "no name\n");
	made_text("/proc/self/comm", "self\n");
	assert_complains("", !running_process("--calls-of", "cat", &id));
	assert_int_equal(id, 20);
	assert_complains("bcoslog: there is no process \"ca\" now\n", running_process("--calls-of", "ca", &id) == -1);
	assert_complains("bcoslog: there is no process \"cats\" now\n", running_process("--calls-of", "cats",
		&id) == -1);
	assert_complains("bcoslog: there is no process \"self\" now\n", running_process("--calls-of", "self",
		&id) == -1);
	assert_int_equal(running_process("--calls-of", "init", &id), 0);
	assert_int_equal(id, 1);
	assert_complains("", !running_process("--calls-of", "30", &id));
	assert_int_equal(id, 30);
	assert_complains("bcoslog: there is no process 31 now\n", running_process("--calls-of", "31", &id) == -1);
	made_text("/proc/0/comm", "idle\n");
	assert_complains("bcoslog: there is no process 0 now\n", running_process("--calls-of", "0", &id) == -1);
	assert_complains("bcoslog: --calls-of takes a number from 0 to 4194304, not \"4194305\"\n",
			 running_process("--calls-of", "4194305", &id) == -1);
	assert_complains("bcoslog: there is no process 4194304 now\n", running_process("--calls-of", "4194304",
		&id) == -1);
	assert_int_equal(count_descriptors(), open_before);
}

#define log_test(test) cmocka_unit_test_setup_teardown(test, begin_log, end_log)

int main(void)
{
	const struct CMUnitTest tests[] = {
		log_test(processes_of_a_log),
		log_test(devices_of_a_log),
		log_test(many_of_a_name),
		log_test(a_damaged_log),
		cmocka_unit_test(what_is_a_number),
		made_test(processes_of_this_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
