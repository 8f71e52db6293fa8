// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The rights to open the device, read it and change what is recorded: the node's mode, capabilities, and user
 * namespaces decide.
 *
 * guest: cpus=2 timeout=60
 */
#include "badcall.h"

#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static void keep_capabilities(uint64_t capabilities)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };
	int i;

	for (i = 0; i < 2; i++)
		data[i].effective = data[i].permitted = (uint32_t)(capabilities >> 32 * i);
	if (syscall(SYS_capset, &header, data))
		give_up("capset");
}

struct person {
	const char *who;
	uid_t user;
	uint64_t capabilities;
	bool namespace;			/* root in a user namespace of its own */
	int flags;			/* of open() */
	int opens;			/* errno */
	int changes;			/* errno of a change of the mask, if it opens */
};

#define CAN(capability) (1ull << (capability))

static void be_person(void *argument)
{
	const struct person *person = argument;
	struct bcos_mask ask = { 0 }, change = { .set = BCOS_CLASS_IRQ };
	struct bcos_status status = { 0 };
	struct bcos_flush flush = { 0 };
	void *mapped;
	static char bytes[65536];
	char what[100];
	bool good;
	int fd;

	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) || setgroups(0, NULL) ||
	    setresgid(person->user, person->user, person->user) ||
	    setresuid(person->user, person->user, person->user))
		give_up("setresuid %u", person->user);
	keep_capabilities(person->capabilities);
	if (person->namespace && unshare(CLONE_NEWUSER))
		give_up("unshare");
	fd = open(BCOS_DEVICE_PATH, person->flags | O_NONBLOCK);
	good = expect_error(fd, person->opens, "open");
	if (fd >= 0 && (person->flags & O_ACCMODE) != O_WRONLY) {
		snprintf(what, sizeof(what), "change of the mask");
		good &= read(fd, bytes, sizeof(bytes)) > 0;
		good &= expect_error(ioctl(fd, BCOS_IOC_MASK, &ask), 0, "a look at the mask");
		good &= expect_error(ioctl(fd, BCOS_IOC_MASK, &change), person->changes, what);
	}
	/* The length of the log tells what happens, so a writer must not see it. */
	if (fd >= 0 && (person->flags & O_ACCMODE) == O_WRONLY) {
		good &= expect_error(write(fd, "hello", 5) == 5 ? 0 : -1, 0, "a word");
		good &= expect_error(lseek(fd, 0, SEEK_END), ESPIPE, "a seek");
		good &= expect_error(ioctl(fd, BCOS_IOC_STATUS, &status), EACCES, "a look at the status");
		good &= expect_error(ioctl(fd, BCOS_IOC_FLUSH, &flush), EACCES, "a merge");
		mapped = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
		good &= expect_error(mapped == MAP_FAILED ? -1 : 0, EACCES, "a mapping");
	}
	_exit(!good);
}

/*
 * Somebody without any right has a descriptor that bcoslog-read has opened: it reads, and allows nothing else.
 */
static void use_handed(void *argument)
{
	struct bcos_mask ask = { 0 }, change = { .set = BCOS_CLASS_IRQ };
	struct bcos_request request = { .classes = BCOS_CLASS_API, .source = 1, .on = 1 };
	struct bcos_emit emit = { .type = BCOS_GENERIC_PROCESS };
	struct bcos_status status = { 0 };
	struct bcos_flush flush = { 0 };
	static char bytes[65536];
	char path[64];
	int fd = *(int *)argument;
	void *mapped;
	bool good;

	if (setgroups(0, NULL) || setresgid(1000, 1000, 1000) || setresuid(1000, 1000, 1000))
		give_up("setresuid");
	keep_capabilities(0);
	good = expect_error(ioctl(fd, BCOS_IOC_STATUS, &status), 0, "a look at the status");
	good &= expect_error(ioctl(fd, BCOS_IOC_FLUSH, &flush), 0, "a merge");
	good &= read(fd, bytes, sizeof(bytes)) > 0;
	mapped = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	good &= expect_error(mapped == MAP_FAILED ? -1 : 0, 0, "a mapping");
	good &= expect_error(ioctl(fd, BCOS_IOC_MASK, &ask), 0, "a look at the mask");
	good &= expect_error(ioctl(fd, BCOS_IOC_MASK, &change), EACCES, "a change of the mask");
	good &= expect_error(ioctl(fd, BCOS_IOC_REQUEST, &request), EACCES, "a request");
	good &= expect_error(ioctl(fd, BCOS_IOC_EMIT, &emit), EACCES, "an event");
	good &= expect_error(write(fd, "hello", 5) == 5 ? 0 : -1, EBADF, "a word");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	good &= expect_error(open(path, O_RDWR), EACCES, "another descriptor, for writing");
	_exit(!good);
}

static void test_handed(void)
{
	int fd = open(BCOS_DEVICE_PATH, O_RDONLY | O_NONBLOCK);

	if (fd < 0)
		give_up("open");
	make_point(!reap_child(spawn_child(use_handed, &fd), NULL), "a descriptor that was handed over reads alone");
	close(fd);
}

/* The rights of a person to the files of the parameters that can change, by their mode and by capabilities. */
struct owner {
	const char *who;
	uid_t user;
	uint64_t capabilities;
	bool namespace;
	int writes;			/* errno */
};

static void be_owner(void *argument)
{
	static const char *const files[] = { "mask", "user_rate", "message_mask", "who_args" };
	const struct owner *owner = argument;
	char path[100], value[100];
	bool good = true;
	size_t i;

	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) || setresuid(owner->user, owner->user, owner->user))
		give_up("setresuid %u", owner->user);
	keep_capabilities(owner->capabilities);
	if (owner->namespace && unshare(CLONE_NEWUSER))
		give_up("unshare");
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "/sys/module/bcos_evlog/parameters/%s", files[i]);
		if (read_file(path, value, sizeof(value)) <= 0)
			give_up("%s", path);
		good &= expect_error(write_file(path, "%s", value) ? 0 : -1, owner->writes, files[i]);
	}
	_exit(!good);
}

static void test_parameters(void)
{
	static const struct owner owners[] = {
		{ "root changes parameters", 0, ~0ull >> 23, false, 0 },
		{ "root without a capability does not", 0, 0, false, EPERM },
		{ "nor does it with other capabilities", 0, CAN(CAP_DAC_OVERRIDE) | CAN(CAP_SYSLOG), false, EPERM },
		{ "nor in a user namespace of its own", 0, CAN(CAP_SYS_ADMIN), true, EPERM },
		{ "root with CAP_PERFMON does", 0, CAN(CAP_PERFMON), false, 0 },
		{ "another user with CAP_PERFMON has no write access", 1000, CAN(CAP_PERFMON), false, EACCES },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(owners); i++)
		make_point(!reap_child(spawn_child(be_owner, (void *)&owners[i]), NULL), "%s", owners[i].who);
}

static void test_people(const struct person *person, size_t count, const char *mode)
{
	size_t i;

	for (i = 0; i < count; i++)
		make_point(!reap_child(spawn_child(be_person, (void *)&person[i]), NULL), "mode %s: %s", mode,
			   person[i].who);
}

static void test_permissions(void)
{
	static const struct person shut[] = {
		{ "nobody cannot open it", 1000, 0, false, O_RDONLY, EACCES, 0 },
		{ "CAP_SYSLOG alone does not help", 1000, CAN(CAP_SYSLOG), false, O_RDONLY, EACCES, 0 },
		{ "root can read, not change the mask without write access", 0, ~0ull >> 23, false, O_RDONLY, 0,
		  EACCES },
		{ "root without a capability cannot open it", 0, 0, false, O_RDONLY, EPERM, 0 },
		{ "root can change the mask", 0, ~0ull >> 23, false, O_RDWR, 0, 0 },
	};
	static const struct person open_to_all[] = {
		{ "nobody still cannot open it", 1000, 0, false, O_RDONLY, EPERM, 0 },
		{ "nor write to it without reading", 1000, 0, false, O_RDWR, EPERM, 0 },
		{ "nobody writes, and learns nothing", 1000, 0, false, O_WRONLY, 0, 0 },
		{ "CAP_SYSLOG reads", 1000, CAN(CAP_SYSLOG), false, O_RDONLY, 0, EACCES },
		{ "CAP_PERFMON reads", 1000, CAN(CAP_PERFMON), false, O_RDONLY, 0, EACCES },
		{ "CAP_SYSLOG does not change the mask", 1000, CAN(CAP_SYSLOG), false, O_RDWR, 0, EPERM },
		{ "CAP_PERFMON does", 1000, CAN(CAP_PERFMON), false, O_RDWR, 0, 0 },
		{ "root of another user namespace cannot open it", 1000, 0, true, O_RDONLY, EPERM, 0 },
	};
	struct stat about;

	if (stat(BCOS_DEVICE_PATH, &about))
		give_up("stat");
	make_point(S_ISCHR(about.st_mode) && (about.st_mode & 07777) == 0600 && !about.st_uid && !about.st_gid,
		   "the node is 0600 root:root");
	test_people(shut, ARRAY_SIZE(shut), "0600");
	unload_module();
	load_module("ring_kb=256 mode=0666");
	if (stat(BCOS_DEVICE_PATH, &about))
		give_up("stat");
	make_point((about.st_mode & 07777) == 0666, "the parameter mode is the node's");
	test_people(open_to_all, ARRAY_SIZE(open_to_all), "0666");
}

int main(void)
{
	load_module("ring_kb=256");
	test_handed();
	test_parameters();
	test_permissions();
	unload_module();
	return finish_test();
}
