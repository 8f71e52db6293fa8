// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Candidates for values. The names of this machine are in a folder of the test. */
#include <dirent.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "made_system.h"
#include "made_log.h"
#include "completion/completion.h"

/* ---- the machine ------------------------------------------------------------------------------------ */

static bool is_of_machine(const char *path)
{
	return !strncmp(path, "/proc", 5) || !strncmp(path, "/sys/", 5) || !strcmp(path, BCOS_DEVICE_PATH);
}

static int device_error;
/* So many processes more, which all have the name of process 1. */
static unsigned int many;

int open(const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	if (device_error && !strcmp(path, BCOS_DEVICE_PATH)) {
		errno = device_error;
		return -1;
	}
	if (many && !strncmp(path, "/proc/", 6))
		path = "/proc/1/comm";
	return (int)syscall(SYS_openat, AT_FDCWD, is_of_machine(path) ? made_path(path) : path, flags, mode);
}

DIR *opendir(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);

	return folder;
}

struct dirent *readdir(DIR *folder)
{
	static struct dirent more;

	if (!many)
		return (struct dirent *)readdir64(folder);
	snprintf(more.d_name, sizeof(more.d_name), "%u", 1000 + many--);
	return &more;
}

FILE *fopen(const char *path, const char *mode)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_int_equal(mode[0], 'r');
	return fd < 0 ? NULL : fdopen(fd, "r");
}

static long processors;
/* By glibc. */
long __sysconf(int name);

long sysconf(int name)
{
	return name == _SC_NPROCESSORS_CONF ? processors : __sysconf(name);
}

/* ---- kinds of values -------------------------------------------------------------------------------- */

static void assert_values(const char *kind, const char *begin, const char *expected)
{
	typed = begin;
	complete_value(kind);
	assert_printed(expected);
}

static void put_names(void)
{
	candidate("dump", "prints");
	candidate("doctor", NULL);
}

static void fixed_words(void **state)
{
	completed_tool.names = put_names;
	assert_values("ABILITY", "", "module\nbpf\nread\nrecord\n");
	assert_values("MAX", "c", "critical\n");
	assert_values("ABILITY", "rec", "record\n");
	assert_values("NAMES", "", "");
	assert_values("COMMAND", "do", "doctor\n");
}

#define CHANGES(name) "+" name "\trecord it\n-" name "\tno longer record it\n"

static void classes_and_types(void **state)
{
	assert_values("LIST", "",
		"assign\nirq\nuser\nkmsg\nio\napi\nkernel_time\nidle\nstate\nwho\nexec\nall\nnone\ndefault\n");
	assert_values("LIST", "io,al", "io,all\n");
	assert_values("LIST", "no", "none\n");
	assert_values("LIST", "assign,io,def", "assign,io,default\n");
	assert_values("LIST", ",assi", ",assign\n");
	assert_values("LIST", "io,x", "");
	assert_values("CHANGE", "+kms", "+kmsg\trecord it\n");
	assert_values("CHANGE", "-kms", "-kmsg\tno longer record it\n");
	assert_values("CHANGE", "", CHANGES("assign") CHANGES("irq") CHANGES("user") CHANGES("kmsg") CHANGES("io")
		CHANGES("api")
		      CHANGES("kernel_time") CHANGES("idle") CHANGES("state") CHANGES("who") CHANGES("exec"));
	assert_values("CHANGE", "n", "none\n");
	assert_values("CHANGE", "+no", "");
	assert_values("CHANGE", "+irq,us", "+irq,user\n");
	assert_values("CHANGE", "-irq,us", "-irq,user\n");
	assert_values("CHANGE", "irq,us", "irq,user\n");
	assert_values("TYPE", "assi", "assign-cpu\tAssign CPU\n");
	assert_values("TYPE", "set-", "set-process-name\tSet Process Name\nset-device-name\tSet Device Name\n");
	assert_values("TYPE", "hist", "");
}

static void cpu_numbers(void **state)
{
	char last[8] = "4095", after[8] = "4096";

	processors = 3;
	assert_values("CPU", "", "0\n1\n2\n");
	assert_values("CPU", "1", "1\n");
	processors = 5000;
	assert_values("CPU", last, "4095\n");
	assert_values("CPU", after, "");
}

/* ---- names of this machine -------------------------------------------------------------------------- */

static void process_names(void **state)
{
	assert_values("PROCESS", "", "");
	made_text("/proc/1/comm", "init\n");
	made_text("/proc/2/comm", "dog\n");
	made_text("/proc/3/comm", "dog\n");
	made_text("/proc/20/comm", "cat\n");
	made_text("/proc/30/comm", "cat\n");
	made_text("/proc/40/comm", "cat");
	made_text("/proc/50/comm", "");
	made_text("/proc/60/comm", "\n");
	made_text("/proc/self/comm", "self\n");
	made_text("/proc/70/status", "no name\n");
	made_text("/proc/80/comm", "0123456789012345678901234567890123456789\n");
	assert_values("PROCESS", "", "0123456789012345678901234567890\t80\ncat\t3 of them\ndog\t2 of them\ninit\t1\n");
	assert_values("PID|NAME", "c", "cat\t3 of them\n");
	assert_values("PID|NAME", "2", "2\tdog\n20\tcat\n");
	assert_values("PID|NAME", "1", "1\tinit\n");
	assert_values("PID|NAME", "9", "");
}

/* A text that a shell would take for something else is no name. */
static void names_that_harm_a_shell(void **state)
{
	static const char unsafe[] = "\x01\x1F \x7F'\"\\$`!*?[](){}<>|&;";
	char name[4] = "ax\n";
	size_t i;

	for (i = 0; i < sizeof(unsafe) - 1; i++) {
		name[1] = unsafe[i];
		made_text("/proc/1/comm", name);
		assert_values("PROCESS", "", "");
	}
	made_text("/proc/1/comm", ";a\n");
	assert_values("PROCESS", "", "");
	made_text("/proc/1/comm", "~%-_.,:/@#^+=\xC3\xA4\x80\xFF\n");
	assert_values("PROCESS", "", "~%-_.,:/@#^+=\xC3\xA4\x80\xFF\t1\n");
}

/* There is room for 4096 of them. */
static void more_processes_than_there_is_room_for(void **state)
{
	made_text("/proc/1/comm", "many\n");
	many = 4100;
	assert_values("PROCESS", "", "many\t4096 of them\n");
	many = 0;
}

static void devices_of_the_kernel(void **state)
{
	assert_values("ID|NAME", "", "");
	made_text("/sys/block/sda/size", "1\n");
	made_text("/sys/block/.hidden", "");
	made_text("/sys/block/a;b", "");
	made_text("/sys/class/net/eth0", "");
	assert_values("ID|NAME", "", "sda\tdisk\neth0\tnetwork interface\n");
	assert_values("ID|NAME", "e", "eth0\tnetwork interface\n");
}

/* A user who may not read the log, and no bcoslog-read that opens it for him: the kernel's folders are read. */
static void a_log_that_may_not_be_read(void **state)
{
	made_text("/sys/block/sda/size", "1\n");
	device_error = EACCES;
	assert_values("ID|NAME", "", "sda\tdisk\n");
	device_error = EPERM;
	assert_values("ID|NAME", "", "sda\tdisk\n");
	device_error = ENODEV;
	assert_values("ID|NAME", "", "sda\tdisk\n");
	device_error = 0;
}

static u8 log_bytes[1 << 19];
static size_t log_size;

static void add_to_log(const struct bcos_entry *entry)
{
	assert_true(log_size + entry->size <= sizeof(log_bytes));
	memcpy(log_bytes + log_size, entry, entry->size);
	log_size += entry->size;
}

static void devices_of_the_log(void **state)
{
	static const char longest[] = "0123456789012345678901234567890", longer[] = "z0123456789012345678901234567890";
	struct made made;
	int i;

	made_text("/sys/block/other/size", "1\n");
	log_size = 0;
	add_to_log(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel"));
	add_to_log(made_device(&made, BCOS_HIST_SET_DEVICE_NAME, 1, 1, 0, "sda"));
	add_to_log(made_device(&made, BCOS_HIST_SET_DEVICE_NAME, 2, 1, 0, "a b"));
	add_to_log(made_device(&made, BCOS_HIST_SET_DEVICE_NAME, 3, 1, 0, longest));
	add_to_log(made_device(&made, BCOS_SET_DEVICE_NAME, 4, 5, 0, "eth0"));
	add_to_log(made_device(&made, BCOS_SET_DEVICE_NAME, 5, 6, 0, longer));
	add_to_log(made_device(&made, BCOS_SET_DEVICE_NAME, 6, 7, 0, "sda"));
	add_to_log(made_name(&made, BCOS_SET_PROCESS_NAME, 9, 8, "process"));
	made_bytes(BCOS_DEVICE_PATH, log_bytes, log_size);
	assert_values("ID|NAME", "", "0123456789012345678901234567890\neth0\nsda\n");
	assert_values("ID|NAME", "e", "eth0\n");
	/* There is room for 4096 of them. */
	log_size = 0;
	for (i = 0; i < 4100; i++)
		add_to_log(made_device(&made, BCOS_SET_DEVICE_NAME, 10, 10 + (u64)i, 0, i < 4096 ? "same" : "other"));
	made_bytes(BCOS_DEVICE_PATH, log_bytes, log_size);
	assert_values("ID|NAME", "", "same\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixed_words),
		cmocka_unit_test(classes_and_types),
		cmocka_unit_test(cpu_numbers),
		made_test(process_names),
		made_test(names_that_harm_a_shell),
		made_test(more_processes_than_there_is_room_for),
		made_test(devices_of_the_kernel),
		made_test(a_log_that_may_not_be_read),
		made_test(devices_of_the_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
