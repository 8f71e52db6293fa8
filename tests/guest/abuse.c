// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Bad input: each gets the errno it deserves, and disturbs nobody.
 *
 * guest: cpus=2 rounds=3000:100000 timeout=60:300
 */
#include "device.h"

#include <grp.h>
#include <linux/capability.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>

#define PAGE 4096

/* NULL, without the compiler's knowing. */
static char *volatile nowhere;

/* "what: ERRNO": the result of a call and what it should have been; 0 is success. */
static bool expect(long result, int wanted, const char *what)
{
	int got = result < 0 ? errno : 0;

	if (got == wanted)
		return true;
	note("%s: %s instead of %s", what, got ? strerror(got) : "success", wanted ? strerror(wanted) : "success");
	return false;
}

/* Memory of which the second page is not there. */
static char *half_page(void)
{
	char *memory = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED || munmap(memory + PAGE, PAGE))
		die("mmap");
	return memory;
}

/* ---- ioctls ------------------------------------------------------------------------- */

static const struct call {
	const char *name;
	unsigned long command;
	size_t flags, reserved;		/* offsets of what must be 0; reserved 0: there is none */
	uint32_t bytes;			/* what the second word must be, for the call to be good */
	bool out;
} calls[] = {
	{ "status", BCOS_IOC_STATUS, 0, 0, 0, true },
	{ "compaction", BCOS_IOC_COMPACTION, 0, 4, 0, true },
	{ "watermark", BCOS_IOC_WATERMARK, 0, 0, 1, false },
	{ "flush", BCOS_IOC_FLUSH, 0, 4, 0, true },
	{ "mask", BCOS_IOC_MASK, 0, 20, 0, true },
};

static unsigned long resized(unsigned long command, size_t size)
{
	return _IOC(_IOC_DIR(command), _IOC_TYPE(command), _IOC_NR(command), size);
}

static void *fill(const struct call *call, void *at)
{
	memset(at, 0, _IOC_SIZE(call->command));
	memcpy((char *)at + 4, &call->bytes, sizeof(call->bytes));
	return at;
}

static void bad_ioctls(int fd, const struct call *call)
{
	size_t size = _IOC_SIZE(call->command), i;
	char memory[16384 + 8], *edge = half_page(), *last = edge + PAGE - size;
	unsigned long shorter = resized(call->command, size - 4), longer = resized(call->command, size + 64);
	bool good;

	ok(expect(ioctl(fd, call->command, NULL), EFAULT, "NULL") &
	   expect(ioctl(fd, call->command, -4096L), EFAULT, "a kernel address") &
	   expect(ioctl(fd, call->command, edge + PAGE), EFAULT, "memory that is not there") &
	   expect(ioctl(fd, call->command, fill(call, last) + 4), EFAULT, "memory that is half there"),
	   "%s: bad memory is EFAULT", call->name);
	ok(expect(ioctl(fd, call->command, fill(call, last)), 0, "at the end of its page"),
	   "%s: and no byte too many is touched", call->name);
	for (i = 0, good = true; i < 8; i++)
		good &= expect(ioctl(fd, call->command, fill(call, memory + i)), 0, "unaligned");
	ok(good, "%s: any alignment will do", call->name);
	good = expect(ioctl(fd, shorter, fill(call, memory)), EINVAL, "4 bytes less");
	good &= expect(ioctl(fd, resized(call->command, 0), memory), EINVAL, "size 0");
	good &= expect(ioctl(fd, resized(call->command, 0), NULL), EINVAL, "size 0, NULL");
	ok(good, "%s: a structure that is too short is EINVAL", call->name);
	memset(memory, 0, sizeof(memory));
	good = expect(ioctl(fd, longer, fill(call, memory)), 0, "64 zeros more");
	memset(memory, 0, sizeof(memory));
	good &= expect(ioctl(fd, resized(call->command, 16383), fill(call, memory)), 0, "the largest there can be");
	ok(good, "%s: a longer one is accepted while the rest is zero", call->name);
	memset(memory, 0, sizeof(memory));
	fill(call, memory);
	memory[size + 63] = 1;
	good = expect(ioctl(fd, longer, memory), E2BIG, "the last byte is 1");
	memory[size + 63] = 0;
	memory[size] = 1;
	good &= expect(ioctl(fd, longer, memory), E2BIG, "the first byte is 1");
	ok(good, "%s: else it is E2BIG", call->name);
	for (i = 0, good = true; i < 32; i++) {
		uint32_t flag = 1u << i;

		memcpy((char *)fill(call, memory) + call->flags, &flag, sizeof(flag));
		good &= expect(ioctl(fd, call->command, memory), EINVAL, "a flag");
		if (!call->reserved)
			continue;
		memcpy((char *)fill(call, memory) + call->reserved, &flag, sizeof(flag));
		good &= expect(ioctl(fd, call->command, memory), EINVAL, "reserved");
	}
	ok(good, "%s: unknown flags and what is reserved are EINVAL", call->name);
	if (call->out) {
		fill(call, last);
		if (mprotect(edge, PAGE, PROT_READ))
			die("mprotect");
		ok(expect(ioctl(fd, call->command, last), EFAULT, "read-only memory"),
		   "%s: nowhere to put the answer is EFAULT", call->name);
	}
	munmap(edge, PAGE);
}

static void unknown_ioctls(int fd)
{
	char memory[16384] = { 0 };
	unsigned int number;
	bool good = true;

	for (number = ARRAY_SIZE(calls); number < 256; number++)
		good &= expect(ioctl(fd, _IOWR(BCOS_IOC_MAGIC, number, struct bcos_flush), memory), ENOTTY, "number");
	good &= expect(ioctl(fd, _IOWR('B', 0, struct bcos_status), memory), ENOTTY, "another device's");
	good &= expect(ioctl(fd, 0, memory), ENOTTY, "0");
	good &= expect(ioctl(fd, -1ul, memory), ENOTTY, "-1");
	good &= expect(ioctl(fd, 0x5401 /* TCGETS */, memory), ENOTTY, "a terminal's");
	ok(good, "unknown ioctls are ENOTTY");
}

static void bad_values(int fd)
{
	struct bcos_watermark watermark = { .bytes = 0 };
	struct bcos_mask mask = { 0 };
	struct bcos_status status = status_of(fd);
	bool good;

	good = expect(ioctl(fd, BCOS_IOC_WATERMARK, &watermark), EINVAL, "0");
	watermark.bytes = (uint32_t)status.ring_size / 2 + 1;
	good &= expect(ioctl(fd, BCOS_IOC_WATERMARK, &watermark), EINVAL, "more than half the ring");
	watermark.bytes = (uint32_t)status.ring_size / 2;
	good &= expect(ioctl(fd, BCOS_IOC_WATERMARK, &watermark), 0, "half the ring");
	watermark.bytes = 1;
	good &= expect(ioctl(fd, BCOS_IOC_WATERMARK, &watermark), 0, "1");
	ok(good, "a watermark is 1 to half the ring");
	mask.set = BCOS_CLASS_ALL + 1;
	good = expect(ioctl(fd, BCOS_IOC_MASK, &mask), EINVAL, "set");
	mask = (struct bcos_mask){ .clear = 0x80000000 };
	good &= expect(ioctl(fd, BCOS_IOC_MASK, &mask), EINVAL, "clear");
	ok(good && status_of(fd).mask == status.mask, "unknown classes are EINVAL, and change nothing");
}

/* What could not be delivered is not acknowledged either. */
static void bad_acknowledgement(void)
{
	int fd = open_log(O_RDONLY | O_NONBLOCK);
	const struct call *call = &calls[1];
	char *edge = half_page();
	bool good;

	compact(fd, 1);
	good = expect(ioctl(fd, call->command, NULL), EFAULT, "NULL");
	good &= expect(ioctl(fd, resized(call->command, 8), edge), EINVAL, "too short");
	memset(edge, 0xff, 8);
	good &= expect(ioctl(fd, call->command, edge), EINVAL, "flags");
	fill(call, edge);
	if (mprotect(edge, PAGE, PROT_READ))
		die("mprotect");
	good &= expect(ioctl(fd, call->command, edge), EFAULT, "read-only memory");
	good &= (poll_log(fd, POLLPRI, 0) & POLLPRI) != 0;
	ok(good && acknowledge(fd).count, "an acknowledgement that failed acknowledged nothing");
	munmap(edge, PAGE);
	close(fd);
}

/* ---- reads -------------------------------------------------------------------------------- */

/* The entry that is next is still this one. */
static bool still(int fd, const struct log *log, size_t at)
{
	static char bytes[65536];
	const struct bcos_entry *entry = (const struct bcos_entry *)(log->bytes + at);
	ssize_t got = read(fd, bytes, entry->size);

	if (got == entry->size && !memcmp(bytes, entry, entry->size))
		return true;
	note("the entry at %zu is not what is read next: %zd", at, got);
	return false;
}

static void bad_reads(void)
{
	struct log log = log_snapshot();
	int fd = open_log(O_RDONLY | O_NONBLOCK), i;
	const struct bcos_entry *entry = entry_after(&log, NULL);
	static char bytes[65536];
	char *edge = half_page();
	size_t at = 0, size;
	bool good = true;

	ok(expect(read(fd, bytes, 0), 0, "0 bytes") & expect(read(fd, nowhere, 0), 0, "0 bytes to NULL"),
	   "a read of 0 bytes reads nothing");
	for (i = 0; i < 50; i++, at += entry->size, entry = entry_after(&log, entry)) {
		static const size_t sizes[] = { 1, 3, 19 };
		size_t j;

		for (j = 0; j < ARRAY_SIZE(sizes); j++) {
			good &= expect(read(fd, bytes, sizes[j]), EMSGSIZE, "too small");
			good &= expect(read(fd, edge + PAGE, sizes[j]), EMSGSIZE, "too small, and not there");
		}
		good &= expect(read(fd, bytes, entry->size - 1), EMSGSIZE, "a byte too small");
		good &= expect(read(fd, nowhere, sizeof(bytes)), EFAULT, "NULL");
		good &= expect(read(fd, edge + PAGE, sizeof(bytes)), EFAULT, "memory that is not there");
		good &= expect(read(fd, edge + PAGE - entry->size + 1, entry->size), EFAULT, "a byte of it is not there");
		good &= expect(read(fd, (void *)-4096L, 2048), EFAULT, "a kernel address");
		good &= still(fd, &log, at);
	}
	ok(good, "too small is EMSGSIZE, bad memory is EFAULT, and nothing is consumed");
	/* Many entries, the last of which goes into memory that is not there: some come or none, but each once. */
	size = log.size - at > 3 * PAGE ? 3 * PAGE : log.size - at;
	i = (int)read(fd, edge, size);
	if (i > 0) {
		good = !memcmp(edge, log.bytes + at, (size_t)i);
		at += (size_t)i;
	} else {
		good = expect(i, EFAULT, "half of it is there");
	}
	ok(size > PAGE && good && still(fd, &log, at), "a read that fails in the middle repeats and omits nothing");
	munmap(edge, PAGE);
	close(fd);
	log_free(&log);
}

static void on_alarm(int number)
{
}

static void ends_of_reads(void)
{
	int fd = open_log(O_RDONLY), flags = fcntl(fd, F_GETFL);
	struct sigaction action = { .sa_handler = on_alarm };
	struct itimerval soon = { .it_value.tv_usec = 200000 }, never = { .it_value.tv_usec = 0 };
	static char bytes[65536];

	sigaction(SIGALRM, &action, NULL);
	set_watermark(fd, (uint32_t)status_of(fd).ring_size / 2);
	lseek(fd, 0, SEEK_END);
	setitimer(ITIMER_REAL, &soon, NULL);
	ok(expect(read(fd, bytes, sizeof(bytes)), EINTR, "blocked"), "a signal ends a blocked read: EINTR");
	setitimer(ITIMER_REAL, &never, NULL);
	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	set_watermark(fd, 1);
	lseek(fd, 0, SEEK_END);
	drain(fd);
	ok(expect(read(fd, bytes, 0), 0, "0 bytes"), "a read of 0 bytes at the end is no error");
	close(fd);
}

static void bad_seeks(void)
{
	static const struct {
		off_t offset;
		int whence;
	} seeks[] = {
		{ 1, SEEK_SET }, { -1, SEEK_SET }, { INT64_MAX, SEEK_SET }, { INT64_MIN, SEEK_SET }, { 65536, SEEK_SET },
		{ 0, SEEK_CUR }, { 1, SEEK_CUR }, { -1, SEEK_CUR }, { 1, SEEK_END }, { -1, SEEK_END },
		{ 1, SEEK_DATA }, { -1, SEEK_DATA }, { 0, SEEK_HOLE }, { 1, SEEK_HOLE }, { 0, 5 }, { 0, -1 }, { 0, 99 },
	};
	struct log log = log_snapshot();
	int fd = open_log(O_RDONLY | O_NONBLOCK);
	char what[60];
	bool good;
	size_t i;

	good = still(fd, &log, 0);
	for (i = 0; i < ARRAY_SIZE(seeks); i++) {
		snprintf(what, sizeof(what), "lseek(%lld, %d)", (long long)seeks[i].offset, seeks[i].whence);
		good &= expect(lseek(fd, seeks[i].offset, seeks[i].whence), EINVAL, what);
	}
	good &= still(fd, &log, entry_after(&log, NULL)->size);
	ok(good, "nonsense seeks are EINVAL and move nothing");
	good = expect(lseek(fd, 0, SEEK_SET), 0, "SEEK_SET") & still(fd, &log, 0);
	good &= expect(lseek(fd, 0, SEEK_DATA), 0, "SEEK_DATA");
	good &= expect(lseek(fd, 0, SEEK_END), 0, "SEEK_END");
	ok(good, "the three seeks that there are work");
	close(fd);
	log_free(&log);
}

/* SEEK_DATA is where the newest group begins: what follows is a log that explains itself. */
static void seek_to_group(void)
{
	int fd = open_log(O_RDONLY | O_NONBLOCK);
	struct log log = { NULL, 0 };
	struct bcos_status status;

	do {
		status = status_of(fd);
		lseek(fd, 0, SEEK_DATA);
		log.size = 0;
		log_append(&log, fd, status.head - status.newest_group);
	} while (status_of(fd).newest_group != status.newest_group);
	ok(log.size && entry_after(&log, NULL)->type == BCOS_HIST_CORE_ONLINE, "SEEK_DATA goes to a group");
	log_check(&log, "from SEEK_DATA on");
	log_free(&log);
	close(fd);
}

static void other_calls(void)
{
	int fd = open_log(O_RDWR | O_NONBLOCK), reader = open_log(O_RDONLY | O_NONBLOCK), null = open("/dev/null", O_RDWR);
	char bytes[4096] = "text";
	bool good;

	good = expect(pread(fd, bytes, sizeof(bytes), 0), ESPIPE, "pread");
	good &= expect(pwrite(fd, bytes, 4, 0), ESPIPE, "pwrite");
	good &= expect(pread(fd, bytes, sizeof(bytes), 1), ESPIPE, "pread at 1");
	ok(good, "pread and pwrite are ESPIPE");
	good = expect(write(fd, bytes, 0), 0, "write of nothing");
	good &= expect(write(reader, bytes, 4), EBADF, "write to what is open for reading");
	good &= expect(ftruncate(fd, 0), EINVAL, "ftruncate");
	good &= expect(fsync(fd), EINVAL, "fsync");
	ok(good, "what is open for reading cannot be written; ftruncate and fsync are EINVAL");
	close(null);
	close(reader);
	close(fd);
}

/* ---- permissions --------------------------------------------------------------------------------- */

static void keep_capabilities(uint64_t capabilities)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };
	int i;

	for (i = 0; i < 2; i++)
		data[i].effective = data[i].permitted = (uint32_t)(capabilities >> 32 * i);
	if (syscall(SYS_capset, &header, data))
		die("capset");
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
	static char bytes[65536];
	char what[100];
	bool good;
	int fd;

	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) || setgroups(0, NULL) ||
	    setresgid(person->user, person->user, person->user) ||
	    setresuid(person->user, person->user, person->user))
		die("setresuid %u", person->user);
	keep_capabilities(person->capabilities);
	if (person->namespace && unshare(CLONE_NEWUSER))
		die("unshare");
	fd = open(BCOS_DEVICE_PATH, person->flags | O_NONBLOCK);
	good = expect(fd, person->opens, "open");
	if (fd >= 0 && (person->flags & O_ACCMODE) != O_WRONLY) {
		snprintf(what, sizeof(what), "change of the mask");
		good &= read(fd, bytes, sizeof(bytes)) > 0;
		good &= expect(ioctl(fd, BCOS_IOC_MASK, &ask), 0, "a look at the mask");
		good &= expect(ioctl(fd, BCOS_IOC_MASK, &change), person->changes, what);
	}
	_exit(!good);
}

static void people(const struct person *person, size_t count, const char *mode)
{
	size_t i;

	for (i = 0; i < count; i++)
		ok(!reap(spawn(be_person, (void *)&person[i]), NULL), "mode %s: %s", mode, person[i].who);
}

static void permissions(void)
{
	static const struct person shut[] = {
		{ "nobody cannot open it", 1000, 0, false, O_RDONLY, EACCES, 0 },
		{ "CAP_SYSLOG alone does not help", 1000, CAN(CAP_SYSLOG), false, O_RDONLY, EACCES, 0 },
		{ "root can read, not change the mask without write access", 0, ~0ull >> 23, false, O_RDONLY, 0, EACCES },
		{ "root without a capability cannot open it", 0, 0, false, O_RDONLY, EPERM, 0 },
		{ "root can change the mask", 0, ~0ull >> 23, false, O_RDWR, 0, 0 },
	};
	static const struct person open_to_all[] = {
		{ "nobody still cannot open it", 1000, 0, false, O_RDONLY, EPERM, 0 },
		{ "nor write to it without reading", 1000, 0, false, O_RDWR, EPERM, 0 },
		{ "CAP_SYSLOG reads", 1000, CAN(CAP_SYSLOG), false, O_RDONLY, 0, EACCES },
		{ "CAP_PERFMON reads", 1000, CAN(CAP_PERFMON), false, O_RDONLY, 0, EACCES },
		{ "CAP_SYSLOG does not change the mask", 1000, CAN(CAP_SYSLOG), false, O_RDWR, 0, EPERM },
		{ "CAP_PERFMON does", 1000, CAN(CAP_PERFMON), false, O_RDWR, 0, 0 },
		{ "root of another user namespace cannot open it", 1000, 0, true, O_RDONLY, EPERM, 0 },
	};
	struct stat about;

	if (stat(BCOS_DEVICE_PATH, &about))
		die("stat");
	ok(S_ISCHR(about.st_mode) && (about.st_mode & 07777) == 0600 && !about.st_uid && !about.st_gid,
	   "the node is 0600 root:root");
	people(shut, ARRAY_SIZE(shut), "0600");
	unload();
	load("ring_kb=256 mode=0666");
	if (stat(BCOS_DEVICE_PATH, &about))
		die("stat");
	ok((about.st_mode & 07777) == 0666, "the parameter mode is the node's");
	people(open_to_all, ARRAY_SIZE(open_to_all), "0666");
}

/* ---- a buffer whose pages never come ------------------------------------------------------------------ */

static void *read_into(void *argument)
{
	int fd = open_log(O_RDONLY);

	/* Never returns. */
	if (read(fd, argument, PAGE))
		_exit(1);
	return NULL;
}

/* Says by a byte that its read is stuck; nobody ever answers the fault. */
static void be_stuck(void *argument)
{
	char *memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = { .range = { (uintptr_t)memory, PAGE }, .mode = UFFDIO_REGISTER_MODE_MISSING };
	pthread_t thread;

	if (faults < 0 || ioctl(faults, UFFDIO_API, &api) || ioctl(faults, UFFDIO_REGISTER, &area))
		die("userfaultfd");
	if (pthread_create(&thread, NULL, read_into, memory))
		die("pthread_create");
	if (poll_log(faults, POLLIN, 20000) != POLLIN)
		die("no fault came");
	if (write(*(int *)argument, "!", 1) != 1)
		die("write to a pipe");
	pthread_join(thread, NULL);
}

static void fault_for_ever(void)
{
	struct bcos_status before, after;
	struct log log = { NULL, 0 };
	int ends[2], fd, status;
	char byte;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		die("pipe");
	pid = spawn_bound(be_stuck, &ends[1]);
	close(ends[1]);
	if (read(ends[0], &byte, 1) != 1)
		die("userfaultfd does not work here");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	before = status_of(fd);
	log_append(&log, fd, 1);
	compact(fd, 5);
	drain(fd);
	after = status_of(fd);
	ok(after.compactions >= before.compactions + 5, "a reader whose buffer faults for ever does not hold up the writer");
	ok(log.size && poll_log(fd, POLLPRI, 0) & POLLPRI, "nor other readers");
	ok(try_unload() == -EWOULDBLOCK, "it cannot be unloaded under it");
	kill(pid, SIGKILL);
	status = reap(pid, NULL);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "it can be killed");
	log_free(&log);
	close(ends[0]);
	close(fd);
}

/* ---- anything at all ----------------------------------------------------------------------------------- */

/* Two processes that do whatever comes to their mind with one file each, while the log is written and read. */
static void do_anything(void *argument)
{
	unsigned int seed = (unsigned int)(uintptr_t)argument;
	int fd = open_log(O_RDWR | O_NONBLOCK), i, count = rounds(3000);
	char *edge = half_page(), *places[] = { NULL, edge, edge + PAGE - 3, edge + PAGE - 40, edge + PAGE, (char *)-5 };
	static char bytes[65536];
	unsigned long command;
	char *to;

	for (i = 0; i < count; i++) {
		to = rand_r(&seed) % 2 ? bytes : places[(unsigned int)rand_r(&seed) % ARRAY_SIZE(places)];
		switch (rand_r(&seed) % 4) {
		case 0:
			memset(bytes, rand_r(&seed) % 4 ? 0 : rand_r(&seed), 400);
			command = calls[(unsigned int)rand_r(&seed) % ARRAY_SIZE(calls)].command;
			if (rand_r(&seed) % 2)
				command = resized(command, (size_t)rand_r(&seed) % 400);
			ioctl(fd, command, to);
			break;
		case 1:
			lseek(fd, rand_r(&seed) % 3 - 1, rand_r(&seed) % 6);
			break;
		case 2:
			poll_log(fd, (short)rand_r(&seed), 0);
			break;
		default:
			if (read(fd, to, (size_t)rand_r(&seed) % 8192) < 0 && errno != EAGAIN && errno != EFAULT &&
			    errno != EMSGSIZE)
				die("read");
		}
	}
}

static void anything(void)
{
	uint32_t mask = status_of(-1).mask;
	struct switcher switcher = switcher_start(1);
	pid_t pid[2];
	struct log log;
	int failed = 0;
	int i;

	for (i = 0; i < 2; i++)
		pid[i] = spawn_bound(do_anything, (void *)(uintptr_t)(i + now_ns(CLOCK_REALTIME)));
	for (i = 0; i < 2; i++)
		failed += reap(pid[i], NULL) != 0;
	switcher_stop(&switcher);
	ok(!failed, "two processes do at random whatever can be done");
	/* What they may have turned off in passing. */
	log = log_snapshot();
	log_check(&log, "after that");
	log_free(&log);
	note("the mask was 0x%x, and is 0x%x", mask, status_of(-1).mask);
}

int main(void)
{
	struct log log;
	size_t i;
	int fd;

	load("ring_kb=256");
	fd = open_log(O_RDWR | O_NONBLOCK);
	compact(fd, 2);
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		bad_ioctls(fd, &calls[i]);
	unknown_ioctls(fd);
	bad_values(fd);
	bad_acknowledgement();
	close(fd);
	bad_reads();
	ends_of_reads();
	bad_seeks();
	seek_to_group();
	other_calls();
	log = log_snapshot();
	log_check(&log, "after all this");
	log_free(&log);
	permissions();
	fault_for_ever();
	anything();
	unload();
	return finish();
}
