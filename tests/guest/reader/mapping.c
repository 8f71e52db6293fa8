// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The mapped log is for reading only. A copy that is made by the protocol of bcos_evlog.h is whole, explains itself,
 * and is what read() gives, also while the log is written as fast as can be.
 *
 * guest: cpus=2 timeout=120:300 rounds=10:100 debug-rounds=4 also=6.1
 * guest: cpus=8 timeout=120:300 rounds=10:100 debug-rounds=4
 */
#include "device.h"

#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

struct view {
	const struct bcos_control *control;
	const char *data;
	size_t size;
};

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static struct view view_open(int fd)
{
	const struct bcos_control *first = mmap(NULL, page_size(), PROT_READ, MAP_SHARED, fd, 0);
	struct view view;

	if (first == MAP_FAILED)
		give_up("mmap of the control page");
	view.size = first->data + 2 * first->ring_size;
	munmap((void *)first, page_size());
	view.control = mmap(NULL, view.size, PROT_READ, MAP_SHARED, fd, 0);
	if (view.control == MAP_FAILED)
		give_up("mmap of the log");
	view.data = (const char *)view.control + view.control->data;
	return view;
}

static void view_close(struct view *view)
{
	munmap((void *)view->control, view->size);
}

static struct bcos_marks marks_of(const struct view *view)
{
	struct bcos_marks marks;
	uint32_t generation;

	do {
		generation = __atomic_load_n(&view->control->generation, __ATOMIC_ACQUIRE);
		marks = view->control->marks[generation & 1];
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (__atomic_load_n(&view->control->generation, __ATOMIC_RELAXED) != generation);
	return marks;
}

/* Copies the whole log, or the log from the newest group on. @from: out, the offset of the copy. */
static struct log view_copy(const struct view *view, bool newest, uint64_t *from)
{
	struct log log = { malloc(view->control->ring_size), 0 };
	struct bcos_marks marks;

	if (!log.bytes)
		give_up("malloc");
	do {
		marks = marks_of(view);
		*from = newest ? marks.group.offset : marks.oldest.offset;
		log.size = marks.head.offset - *from;
		memcpy(log.bytes, view->data + *from % view->control->ring_size, log.size);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		marks = marks_of(view);
	} while (marks.oldest.offset > *from);
	return log;
}

/* ---- rules ----------------------------------------------------------------------- */

static bool is_refused(int fd, size_t size, int protection, off_t offset, int error)
{
	void *at = mmap(NULL, size, protection, MAP_SHARED, fd, offset);

	if (at != MAP_FAILED) {
		munmap(at, size);
		return false;
	}
	return errno == error;
}

static void test_rules(void)
{
	int fd = open_log(O_RDWR), writer = open_log(O_WRONLY);
	struct bcos_status status = status_of(fd);
	struct view view = view_open(fd);
	void *part;

	make_point(view.control->abi_version == status.abi_version && view.control->size == sizeof(*view.control) &&
		   view.control->ring_size == status.ring_size && view.control->data == page_size() &&
		   !view.control->reserved, "the control page describes the mapping");
	make_point(is_refused(fd, page_size(), PROT_READ | PROT_WRITE, 0, EPERM), "it cannot be mapped for writing");
	make_point(is_refused(fd, page_size(), PROT_READ | PROT_EXEC, 0, EPERM), "nor for execution");
	make_point(is_refused(writer, page_size(), PROT_READ, 0, EACCES), "nor by who may not read");
	make_point(is_refused(fd, view.size + page_size(), PROT_READ, 0, EINVAL), "nor more than there is");
	make_point(is_refused(fd, page_size(), PROT_READ, (off_t)page_size(), EINVAL), "nor from another offset");
	make_point(mprotect((void *)view.control, page_size(), PROT_READ | PROT_WRITE) && errno == EACCES,
		   "it does not become writable later");
	make_point(mprotect((void *)view.control, page_size(), PROT_READ | PROT_EXEC) && errno == EACCES,
		   "nor executable");
	part = mmap(NULL, 3 * page_size(), PROT_READ, MAP_PRIVATE, fd, 0);
	make_point(part != MAP_FAILED && !memcmp(part, view.control, offsetof(struct bcos_control, generation)),
		   "a part of it can be mapped");
	munmap(part, 3 * page_size());
	make_point(!memcmp(view.data, view.data + status.ring_size, page_size()), "the ring is there twice in a row");
	close(fd);
	close(writer);
	make_point(try_unload() == -EWOULDBLOCK, "who maps it holds the module, the file closed or not");
	make_point(view.control->abi_version == status.abi_version, "and the mapping stays");
	view_close(&view);
}

/* ---- under load -------------------------------------------------------------------- */

static void under_load(void)
{
	struct switcher switchers[8];
	int fd = open_log(O_RDONLY | O_NONBLOCK), count = count_cpus(), valid = 0, groups = 0, i, round;
	uint64_t compactions = status_of(fd).compactions, from;
	struct view view = view_open(fd);
	pid_t forker = forker_start();
	struct log log;
	char name[32];

	for (i = 0; i < count; i++)
		switchers[i] = switcher_start(i);
	for (round = 0; round < get_rounds(10); round++) {
		uint64_t head = marks_of(&view).head.offset;

		log = view_copy(&view, round & 1, &from);
		snprintf(name, sizeof(name), "mapped-%d", round);
		valid += log_valid(&log, name);
		groups += log_beginnings(&log, NULL).whole == 1;
		log_free(&log);
		/* Before the next snapshot half of the ring is written anew. */
		WAIT_FOR(marks_of(&view).head.offset > head + view.control->ring_size / 2);
	}
	make_point(valid == get_rounds(10), "%d of %d mapped snapshots under load pass the check", valid,
		   get_rounds(10));
	make_point(groups == get_rounds(10), "%d of them begin with a whole group", groups);
	compactions = marks_of(&view).compactions - compactions;
	make_point(compactions >= (uint64_t)get_rounds(10) / 2, "meanwhile the log was compacted %llu times",
		   (unsigned long long)compactions);
	for (i = 0; i < count; i++)
		switcher_stop(&switchers[i]);
	end_child(forker);
	view_close(&view);
	close(fd);
}

/* ---- the same as read() ---------------------------------------------------------------- */

static void same_as_read(void)
{
	int fd = open_log(O_RDONLY | O_NONBLOCK);
	struct view view = view_open(fd);
	struct bcos_status status;
	struct bcos_marks marks;
	struct log mapped, read = { 0 };
	uint64_t from, head;

	head = flush_log(fd);
	make_point(marks_of(&view).head.offset >= head, "a flush is seen in the mapping");
	do {
		log_free(&read);
		read = (struct log){ 0 };
		if (lseek(fd, 0, SEEK_SET) < 0)
			give_up("lseek");
		mapped = view_copy(&view, false, &from);
		log_append(&read, fd, mapped.size);
	} while (marks_of(&view).oldest.offset != from && (log_free(&mapped), true));
	make_point(read.size >= mapped.size && !memcmp(read.bytes, mapped.bytes, mapped.size),
		   "%zu mapped bytes are those that read() gives", mapped.size);
	status = status_of(fd);
	marks = marks_of(&view);
	make_point(marks.compactions == status.compactions && marks.oldest.offset == status.oldest &&
		   marks.oldest.entry == status.discarded_entries && marks.head.offset >= status.head &&
		   marks.group.offset >= status.newest_group && !marks.lost,
		   "the marks are those of the status");
	log_free(&mapped);
	log_free(&read);
	view_close(&view);
	close(fd);
}

int main(void)
{
	load_module("ring_kb=512");
	test_rules();
	under_load();
	same_as_read();
	unload_module();
	return finish_test();
}
