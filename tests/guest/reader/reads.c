// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Bad reads, seeks and other calls get the errno that they deserve, consume nothing, and disturb nobody. Neither does a
 * read into memory whose pages never come.
 *
 * guest: cpus=2 timeout=60
 */
#include "badcall.h"

#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>

/* The compiler does not know that this is NULL. */
static char *volatile nowhere;

/* ---- reads -------------------------------------------------------------------------------- */

/* Does the next read still return this entry? */
static bool is_still_next(int fd, const struct log *log, size_t at)
{
	static char bytes[65536];
	const struct bcos_entry *entry = (const struct bcos_entry *)(log->bytes + at);
	ssize_t got = read(fd, bytes, entry->size);

	if (got == entry->size && !memcmp(bytes, entry, entry->size))
		return true;
	print_note("the entry at %zu is not what is read next: %zd", at, got);
	return false;
}

/* Runs @body, and again if the oldest entries, with which it begins, were discarded meanwhile. */
static void run_undisturbed(void (*body)(bool *good), bool *good)
{
	uint64_t oldest;

	do {
		oldest = status_of(-1).oldest;
		body(good);
	} while (status_of(-1).oldest != oldest);
}

static void read_badly(bool *good)
{
	struct log log = log_snapshot();
	int fd = open_log(O_RDONLY | O_NONBLOCK), i;
	const struct bcos_entry *entry = entry_after(&log, NULL);
	static char bytes[65536];
	char *edge = half_page();
	size_t at = 0, size;

	good[0] = expect_error(read(fd, bytes, 0), 0, "0 bytes") & expect_error(read(fd, nowhere, 0), 0,
										"0 bytes to NULL");
	good[1] = true;
	for (i = 0; i < 50; i++, at += entry->size, entry = entry_after(&log, entry)) {
		static const size_t sizes[] = { 1, 3, 19 };
		size_t j;

		for (j = 0; j < ARRAY_SIZE(sizes); j++) {
			good[1] &= expect_error(read(fd, bytes, sizes[j]), EMSGSIZE, "too small");
			good[1] &= expect_error(read(fd, edge + PAGE, sizes[j]), EMSGSIZE, "too small, and not there");
		}
		good[1] &= expect_error(read(fd, bytes, entry->size - 1), EMSGSIZE, "a byte too small");
		good[1] &= expect_error(read(fd, nowhere, sizeof(bytes)), EFAULT, "NULL");
		good[1] &= expect_error(read(fd, edge + PAGE, sizeof(bytes)), EFAULT, "memory that is not there");
		good[1] &= expect_error(read(fd, edge + PAGE - entry->size + 1, entry->size), EFAULT,
			       "a byte of it is not there");
		good[1] &= expect_error(read(fd, (void *)-4096L, 2048), EFAULT, "a kernel address");
		good[1] &= is_still_next(fd, &log, at);
	}
	/*
	 * Read many entries, the last of which goes into memory that is not there: some may come or none, but each
	 * comes once.
	 */
	size = log.size - at > 3 * PAGE ? 3 * PAGE : log.size - at;
	i = (int)read(fd, edge, size);
	if (i > 0) {
		good[2] = !memcmp(edge, log.bytes + at, (size_t)i);
		at += (size_t)i;
	} else {
		good[2] = expect_error(i, EFAULT, "half of it is there");
	}
	good[2] &= size > PAGE && is_still_next(fd, &log, at);
	munmap(edge, PAGE);
	close(fd);
	log_free(&log);
}

static void bad_reads(void)
{
	bool good[3];

	run_undisturbed(read_badly, good);
	make_point(good[0], "a read of 0 bytes reads nothing");
	make_point(good[1], "too small is EMSGSIZE, bad memory is EFAULT, and nothing is consumed");
	make_point(good[2], "a read that fails in the middle repeats and omits nothing");
}

static void on_alarm(int number)
{
}

static void ends_of_reads(void)
{
	int fd = open_log(O_RDONLY), flags = fcntl(fd, F_GETFL);
	struct sigaction action = { .sa_handler = on_alarm };
	struct itimerval soon = { .it_value.tv_usec = 200000, .it_interval.tv_usec = 200000 };
	struct itimerval never = { .it_value.tv_usec = 0 };
	static char bytes[65536];
	ssize_t got;

	sigaction(SIGALRM, &action, NULL);
	set_watermark(fd, (uint32_t)status_of(fd).ring_size / 2);
	lseek(fd, 0, SEEK_END);
	setitimer(ITIMER_REAL, &soon, NULL);
	/* A read that finds something at once does not block. */
	do {
		got = read(fd, bytes, sizeof(bytes));
	} while (got > 0);
	make_point(expect_error(got, EINTR, "blocked"), "a signal ends a blocked read: EINTR");
	setitimer(ITIMER_REAL, &never, NULL);
	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	set_watermark(fd, 1);
	lseek(fd, 0, SEEK_END);
	drain_log(fd);
	make_point(expect_error(read(fd, bytes, 0), 0, "0 bytes"), "a read of 0 bytes at the end is no error");
	close(fd);
}

static void seek_badly(bool *result)
{
	static const struct {
		off_t offset;
		int whence;
	} seeks[] = {
		{ 1, SEEK_SET }, { -1, SEEK_SET }, { INT64_MAX, SEEK_SET }, { INT64_MIN, SEEK_SET },
		{ 65536, SEEK_SET },
		{ 0, SEEK_CUR }, { 1, SEEK_CUR }, { -1, SEEK_CUR }, { 1, SEEK_END }, { -1, SEEK_END },
		{ 1, SEEK_DATA }, { -1, SEEK_DATA }, { 0, SEEK_HOLE }, { 1, SEEK_HOLE }, { 0, 5 }, { 0, -1 }, { 0, 99 },
	};
	struct log log = log_snapshot();
	int fd = open_log(O_RDONLY | O_NONBLOCK);
	char what[60];
	bool good;
	size_t i;

	good = is_still_next(fd, &log, 0);
	for (i = 0; i < ARRAY_SIZE(seeks); i++) {
		snprintf(what, sizeof(what), "lseek(%lld, %d)", (long long)seeks[i].offset, seeks[i].whence);
		good &= expect_error(lseek(fd, seeks[i].offset, seeks[i].whence), EINVAL, what);
	}
	good &= is_still_next(fd, &log, entry_after(&log, NULL)->size);
	result[0] = good;
	good = expect_error(lseek(fd, 0, SEEK_SET), 0, "SEEK_SET") & is_still_next(fd, &log, 0);
	good &= expect_error(lseek(fd, 0, SEEK_DATA), 0, "SEEK_DATA");
	good &= expect_error(lseek(fd, 0, SEEK_END), 0, "SEEK_END");
	result[1] = good;
	close(fd);
	log_free(&log);
}

static void bad_seeks(void)
{
	bool good[2];

	run_undisturbed(seek_badly, good);
	make_point(good[0], "nonsense seeks are EINVAL and move nothing");
	make_point(good[1], "the three seeks that there are work");
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
	make_point(log.size && entry_after(&log, NULL)->type == BCOS_HIST_CORE_ONLINE, "SEEK_DATA goes to a group");
	log_check(&log, "from SEEK_DATA on");
	log_free(&log);
	close(fd);
}

static void other_calls(void)
{
	int fd = open_log(O_RDWR | O_NONBLOCK), reader = open_log(O_RDONLY | O_NONBLOCK);
	char bytes[4096] = "text";
	bool good;

	good = expect_error(pread(fd, bytes, sizeof(bytes), 0), ESPIPE, "pread");
	good &= expect_error(pwrite(fd, bytes, 4, 0), ESPIPE, "pwrite");
	good &= expect_error(pread(fd, bytes, sizeof(bytes), 1), ESPIPE, "pread at 1");
	make_point(good, "pread and pwrite are ESPIPE");
	good = expect_error(write(fd, bytes, 0), 0, "write of nothing");
	good &= expect_error(write(reader, bytes, 4), EBADF, "write to what is open for reading");
	good &= expect_error(ftruncate(fd, 0), EINVAL, "ftruncate");
	good &= expect_error(fsync(fd), EINVAL, "fsync");
	make_point(good, "what is open for reading cannot be written; ftruncate and fsync are EINVAL");
	close(reader);
	close(fd);
}

/* ---- a buffer whose pages never come ------------------------------------------------------------------ */

static void *read_into(void *argument)
{
	int fd = open_log(O_RDONLY);

	/* This read never returns. */
	if (read(fd, argument, PAGE))
		_exit(1);
	return NULL;
}

/* Reads into memory whose fault nobody ever answers, and says by a byte when the read is stuck. */
static void be_stuck(void *argument)
{
	char *memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = { .range = { (uintptr_t)memory, PAGE }, .mode = UFFDIO_REGISTER_MODE_MISSING };
	pthread_t thread;

	if (faults < 0 || ioctl(faults, UFFDIO_API, &api) || ioctl(faults, UFFDIO_REGISTER, &area))
		give_up("userfaultfd");
	if (pthread_create(&thread, NULL, read_into, memory))
		give_up("pthread_create");
	if (poll_log(faults, POLLIN, patience_ms()) != POLLIN)
		give_up("no fault came");
	if (write(*(int *)argument, "!", 1) != 1)
		give_up("write to a pipe");
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
		give_up("pipe");
	pid = spawn_bound(be_stuck, &ends[1]);
	close(ends[1]);
	if (read(ends[0], &byte, 1) != 1)
		give_up("userfaultfd does not work here");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	before = status_of(fd);
	log_append(&log, fd, 1);
	compact_log(fd, 5);
	drain_log(fd);
	after = status_of(fd);
	make_point(after.compactions >= before.compactions + 5,
		   "a reader whose buffer faults for ever does not hold up the writer");
	make_point(log.size && poll_log(fd, POLLPRI, 0) & POLLPRI, "nor other readers");
	make_point(try_unload() == -EWOULDBLOCK, "it cannot be unloaded under it");
	kill(pid, SIGKILL);
	status = reap_child(pid, NULL);
	make_point(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "it can be killed");
	log_free(&log);
	close(ends[0]);
	close(fd);
}

int main(void)
{
	struct log log;
	int fd;

	load_module("ring_kb=256");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	compact_log(fd, 2);
	close(fd);
	bad_reads();
	ends_of_reads();
	bad_seeks();
	seek_to_group();
	other_calls();
	log = log_snapshot();
	log_check(&log, "after all this");
	log_free(&log);
	fault_for_ever();
	unload_module();
	return finish_test();
}
