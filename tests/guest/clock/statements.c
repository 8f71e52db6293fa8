// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * After each group the log states the wall clock, boot, host, kernel and version, and again when the clock is set or
 * the host is renamed. While assignments are off, the log states that, and has no historical assignments.
 *
 * guest: cpus=2 timeout=90
 * guest: cpus=2 timeout=90 engine=bpf
 *
 * The oracle is /proc, uname(2) and clock_gettime(2).
 */
#include <sys/ioctl.h>
#include <sys/utsname.h>

#include "device.h"

/*
 * Copies the newest text of event @id that begins with @begins, without @begins. Return: its entry, or NULL if there is
 * none.
 */
static const struct bcos_entry *copy_newest(const struct log *log, uint32_t id, const char *begins, char *text,
					    size_t size)
{
	const struct bcos_entry *found = NULL;

	for_each_entry(entry, log) {
		if (entry->type != BCOS_GENERIC_PROCESS || entry->source || entry_word(entry) != id)
			continue;
		if (strncmp(entry_text(entry), begins, strlen(begins)))
			continue;
		snprintf(text, size, "%s", entry_text(entry) + strlen(begins));
		found = entry;
	}
	return found;
}

/*
 * Compares UTC minus time since boot by the log with that by the clocks. Return: are they the same within their errors?
 */
static bool is_right(const struct bcos_entry *entry, const char *text, int64_t *difference)
{
	uint64_t before = now_ns(CLOCK_BOOTTIME), real = now_ns(CLOCK_REALTIME), after = now_ns(CLOCK_BOOTTIME);
	unsigned long long seconds, ns;

	if (!entry || sscanf(text, "%llu.%9llu", &seconds, &ns) != 2)
		return false;
	*difference = (int64_t)(seconds * 1000000000 + ns - entry->time) - (int64_t)(real - before);
	/* Both are the latest that they may be. */
	return *difference <= (int64_t)entry->precision && -*difference <= (int64_t)(after - before);
}

static void is_said(const struct log *log, uint32_t id, const char *begins, const char *expected)
{
	char text[1024] = "";

	copy_newest(log, id, begins, text, sizeof(text));
	make_point(!strcmp(text, expected), "%s\"%s\" is stated (\"%s\")", begins, expected, text);
}

static void test_identity(void)
{
	char text[1024] = "", boot[64] = "", kernel[256], *end;
	const struct bcos_entry *entry, *last = NULL;
	struct log log = log_take();
	struct utsname name;
	int64_t off = 0;

	uname(&name);
	if (read_file("/proc/sys/kernel/random/boot_id", boot, sizeof(boot)) < 0)
		give_up("boot_id");
	end = strchr(boot, '\n');
	if (end)
		*end = 0;
	snprintf(kernel, sizeof(kernel), "%s %s", name.release, name.machine);
	is_said(&log, BCOS_EVENT_BOOT, "boot ", boot);
	is_said(&log, BCOS_EVENT_HOST, "host ", name.nodename);
	is_said(&log, BCOS_EVENT_KERNEL, "kernel ", kernel);
	is_said(&log, BCOS_EVENT_VERSION, "bcos_evlog ", by_engine() ? "0.1.0 bpf" : "0.1.0 module");
	entry = copy_newest(&log, BCOS_EVENT_CLOCK, "wall clock ", text, sizeof(text));
	make_point(is_right(entry, text, &off), "the wall clock is (%s, %lld ns off)", text, (long long)off);
	for_each_entry(e, &log) {
		if (!(e->type & BCOS_TYPE_HISTORICAL))
			break;
		last = e;
	}
	entry = last ? entry_after(&log, last) : NULL;
	/* The engine cannot record what programs write, so the log says first that this class is off. */
	if (entry && by_engine() && entry->type == BCOS_GENERIC_CPU && entry_word(entry) == BCOS_EVENT_MASK)
		entry = entry_after(&log, entry);
	make_point(entry && entry->type == BCOS_GENERIC_PROCESS && entry_word(entry) == BCOS_EVENT_CLOCK,
		   "it stands directly after the first group");
	log_check(&log, "the log");
	log_free(&log);
}

/*
 * Makes a point: the log says this within patience_ns(). If @expected is NULL, the text has to be the true wall clock.
 */
static void check_becomes(uint32_t id, const char *begins, const char *expected, const char *what)
{
	uint64_t end = now_ns(CLOCK_MONOTONIC) + patience_ns();
	char text[1024] = "";
	const struct bcos_entry *entry;
	struct log log;
	int64_t off = 0;
	bool good;

	do {
		sleep_off_cpu(100000);
		log = log_take();
		entry = copy_newest(&log, id, begins, text, sizeof(text));
		good = expected ? !strcmp(text, expected) : is_right(entry, text, &off);
		log_free(&log);
	} while (!good && now_ns(CLOCK_MONOTONIC) < end);
	make_point(good, "%s (%s, %lld ns off)", what, text, (long long)off);
}

static void set_clock(int64_t by)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	time.tv_sec += by;
	if (clock_settime(CLOCK_REALTIME, &time))
		give_up("clock_settime");
}

static int count_of(const struct log *log, uint32_t id)
{
	int count = 0;

	for_each_entry(entry, log)
		count += entry->type == BCOS_GENERIC_PROCESS && !entry->source && entry_word(entry) == id;
	return count;
}

static void test_changes(void)
{
	char old[128];
	struct log log;
	uint64_t end;
	int before, after = 0, set = 0;

	if (gethostname(old, sizeof(old)) || sethostname("another", 7))
		give_up("sethostname");
	check_becomes(BCOS_EVENT_HOST, "host ", "another", "the host's other name is stated");
	if (sethostname(old, strlen(old)))
		give_up("sethostname");
	check_becomes(BCOS_EVENT_HOST, "host ", old, "and the old one");
	set_clock(86400);
	check_becomes(BCOS_EVENT_CLOCK, "wall clock ", NULL, "the clock that was set to tomorrow is");
	set_clock(-86400);
	check_becomes(BCOS_EVENT_CLOCK, "wall clock ", NULL, "and the one that was set back");
	/* Set the clock again and again, for three seconds. */
	log = log_take();
	before = count_of(&log, BCOS_EVENT_CLOCK);
	log_free(&log);
	for (end = now_ns(CLOCK_MONOTONIC) + 3000000000ull; now_ns(CLOCK_MONOTONIC) < end; set++) {
		set_clock(set & 1 ? -100 : 100);
		sleep_off_cpu(50000);
		log = log_take();
		after = count_of(&log, BCOS_EVENT_CLOCK);
		log_free(&log);
	}
	end = (now_ns(CLOCK_MONOTONIC) - end) / 1000000000 + 3;
	/* Each group states the clock, too, but the ring is large, so groups are few. */
	make_point(after - before <= (int)end + 1, "the clock was set %d times, and stated %d times", set,
		   after - before);
	if (set & 1)
		set_clock(-100);
	check_becomes(BCOS_EVENT_CLOCK, "wall clock ", NULL, "in the end it is right");
}

/* Fills the ring by texts, since without assignments little else happens. */
static void fill_ring(int fd, unsigned int compactions)
{
	uint64_t until = status_of(fd).compactions + compactions;
	char text[1000];
	int i;

	memset(text, 'x', sizeof(text));
	while (status_of(fd).compactions < until) {
		for (i = 0; i < 64; i++)
			if (write(fd, text, sizeof(text)) != sizeof(text))
				give_up("write");
		flush_log(fd);
	}
}

static int historical_assignments(const struct log *log, int *off)
{
	int count = 0;

	*off = 0;
	for_each_entry(entry, log) {
		count += entry->type == BCOS_HIST_ASSIGN_CPU;
		*off += entry->type == BCOS_GENERIC_CPU && entry_word(entry) == BCOS_EVENT_MASK &&
			strstr(entry_text(entry), "assign off");
	}
	return count;
}

static void test_assignments_off(void)
{
	int fd = open_log(O_RDWR), off, count;
	struct bcos_mask mask = { .clear = BCOS_CLASS_ASSIGN };
	struct log log;

	if (ioctl(fd, BCOS_IOC_MASK, &mask))
		give_up("BCOS_IOC_MASK");
	fill_ring(fd, 11);
	log = log_take();
	count = historical_assignments(&log, &off);
	make_point(!count && off, "after 11 compactions there is no historical assignment (%d), and it says why (%d)",
		   count, off);
	log_check(&log, "a log without assignments");
	log_free(&log);
	mask = (struct bcos_mask){ .set = BCOS_CLASS_ASSIGN };
	if (ioctl(fd, BCOS_IOC_MASK, &mask))
		give_up("BCOS_IOC_MASK");
	fill_ring(fd, 11);
	log = log_take();
	count = historical_assignments(&log, &off);
	make_point(count && !off, "once they are on again there are (%d, %d)", count, off);
	log_check(&log, "a log with assignments again");
	log_free(&log);
	close(fd);
}

int main(void)
{
	load_module("");
	test_identity();
	test_changes();
	unload_module();
	if (by_engine())
		return finish_test();
	load_module("ring_kb=256 user_rate=0");
	test_assignments_off();
	unload_module();
	return finish_test();
}
