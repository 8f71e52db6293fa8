// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The log has the lines of the kernel's own log, with their severity, in order, from several CPUs at once. Nobody reads
 * the log meanwhile, and nothing else happens. The kernel does not keep thousands of lines at once until the log writer
 * looks, and those that are gone are stated as lost.
 *
 * guest: cpus=2 rounds=500:5000 timeout=120 also=all
 *
 * The oracle is /dev/kmsg: what was written to it, and what it says itself of messages of the kernel.
 */
#include "device.h"

#include <sys/ioctl.h>
#include <sys/klog.h>

static const uint8_t severities[8] = { 0xF0, 0xE0, 0xC0, 0xA0, 0x7F, 0x60, 0x40, 0x20 };

static void say_line(int kmsg, int level, const char *who, int number)
{
	char line[100];
	int length = snprintf(line, sizeof(line), "<%d>said by %s, number %d\n", level, who, number);

	if (write(kmsg, line, (size_t)length) != length)
		give_up("/dev/kmsg");
}

static int open_kmsg(void)
{
	int kmsg = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);

	if (kmsg < 0)
		give_up("/dev/kmsg");
	return kmsg;
}

/* Returns the event with this text, or NULL. */
static const struct bcos_generic *find_event(const struct log *log, const char *text)
{
	for_each_entry(entry, log)
		if (entry->type == BCOS_GENERIC_PROCESS && entry->source == BCOS_PROCESS_KERNEL &&
		    !strcmp(entry_text(entry), text))
			return (const struct bcos_generic *)entry;
	return NULL;
}

static void test_levels(void)
{
	const struct bcos_generic *event;
	int kmsg = open_kmsg(), level;
	struct log log;
	char text[60];

	for (level = 0; level < 8; level++)
		say_line(kmsg, level, "levels", level);
	log = log_take();
	for (level = 0; level < 8; level++) {
		snprintf(text, sizeof(text), "said by levels, number %d", level);
		event = find_event(&log, text);
		make_point(event && event->severity == severities[level], "level %d is severity 0x%02x (0x%02x)", level,
			   severities[level], event ? event->severity : 0);
	}
	log_check(&log, "the log with lines of each level");
	log_free(&log);
	close(kmsg);
}

static void talk_to_kmsg(void *argument)
{
	int *cpu = argument, kmsg = open_kmsg(), i, count = get_rounds(500);
	char who[10];

	if (!pin_to(*cpu))
		give_up("pin");
	snprintf(who, sizeof(who), "CPU %d", *cpu);
	for (i = 0; i < count; i++)
		say_line(kmsg, i % 8, who, i);
}

/* Returns how many messages the log states as lost, which the kernel had overwritten before they were read. */
static int lost_lines(const struct log *log)
{
	const struct bcos_generic *event;
	int lost = 0, more;

	for_each_entry(entry, log) {
		event = (const struct bcos_generic *)entry;
		if (entry->type == BCOS_GENERIC_CPU && event->event_id == BCOS_EVENT_LOSS && event->severity == 0x80 &&
		    sscanf(entry_text(entry), "lost %d kernel messages", &more) == 1)
			lost += more;
	}
	return lost;
}

/* Each line of each CPU is there in its order, with its own severity. */
static void test_many(void)
{
	int cpu[2] = { 0, 1 }, next[2] = { 0 }, there[2] = { 0 }, wrong = 0, who, number, count = get_rounds(500), lost,
	    all;
	const struct bcos_generic *event;
	struct log log;
	pid_t pid[2];

	for (who = 0; who < 2; who++)
		pid[who] = spawn_child(talk_to_kmsg, &cpu[who]);
	for (who = 0; who < 2; who++)
		if (reap_child(pid[who], NULL))
			give_up("a process that talks failed");
	log = log_take();
	for_each_entry(entry, &log) {
		event = (const struct bcos_generic *)entry;
		if (entry->type != BCOS_GENERIC_PROCESS || entry->source != BCOS_PROCESS_KERNEL ||
		    sscanf(entry_text(entry), "said by CPU %d, number %d", &who, &number) != 2)
			continue;
		if (who < 0 || who > 1 || number < next[who] || event->severity != severities[number % 8]) {
			if (wrong++ < 5)
				print_note("\"%s\", severity 0x%02x", entry_text(entry), event->severity);
			continue;
		}
		next[who] = number + 1;
		there[who]++;
	}
	lost = lost_lines(&log);
	/* Some of the lost lines may be the kernel's own. */
	all = there[0] + there[1] + lost;
	make_point(there[0] && there[1] && all >= 2 * count && all < 2 * count + 100,
		   "%d lines of two CPUs are there, or stated as lost (%d and %d, %d lost)", count, there[0], there[1],
		   lost);
	if (2 * count <= 1000)
		make_point(!lost, "as many as the kernel keeps are all there");
	make_point(!wrong, "in their order and with their severity (%d are not)", wrong);
	log_check(&log, "the log with many lines");
	log_free(&log);
}

static void test_off(void)
{
	struct bcos_mask mask = { .clear = BCOS_CLASS_KMSG };
	int fd = open_log(O_RDWR), kmsg = open_kmsg();
	struct log log;

	if (ioctl(fd, BCOS_IOC_MASK, &mask))
		give_up("mask");
	say_line(kmsg, 3, "nobody", 1);
	mask = (struct bcos_mask){ .set = BCOS_CLASS_KMSG };
	if (ioctl(fd, BCOS_IOC_MASK, &mask))
		give_up("mask");
	say_line(kmsg, 3, "somebody", 2);
	log = log_take();
	make_point(!find_event(&log, "said by nobody, number 1"), "with the class off a line is not there");
	make_point(find_event(&log, "said by somebody, number 2") &&
		   find_event(&log, "said by somebody, number 2")->severity == 0xA0,
		   "with the class on again it is, and as severe as it is");
	log_free(&log);
	close(kmsg);
	close(fd);
}

/* Messages that were cleared unread are stated as lost, although no message follows. */
static void test_cleared(void)
{
	bool stated = false, there = true;
	struct bcos_status status;
	int kmsg = open_kmsg(), i, lost;
	char text[60];
	struct log log = log_take();

	for (i = 0; i < 100 && !stated && there; i++) {
		lost = lost_lines(&log);
		log_free(&log);
		say_line(kmsg, 3, "the cleared", i);
		if (klogctl(5, NULL, 0))
			give_up("klogctl");
		log = log_take();
		stated = lost_lines(&log) > lost;
		snprintf(text, sizeof(text), "said by the cleared, number %d", i);
		/* The log writer may have read the line before it was cleared. */
		there = find_event(&log, text);
	}
	make_point(stated && !there, "a line that was cleared before it was read is stated as lost (the %dth)", i);
	/* The log of this test is never compacted: what the status counts is all there. */
	status = status_of(-1);
	lost = lost_lines(&log);
	make_point(status.lost[BCOS_LOST_SOURCE] == (uint64_t)lost,
		   "the status counts as many as the log states (%llu and %d)",
		   (unsigned long long)status.lost[BCOS_LOST_SOURCE], lost);
	log_check(&log, "the log with lines that are lost");
	log_free(&log);
	close(kmsg);
}

int main(void)
{
	/* By default the kernel lets a process say ten lines in five seconds. */
	if (!write_file("/proc/sys/kernel/printk_devkmsg", "on\n"))
		give_up("printk_devkmsg");
	load_module("");
	test_levels();
	test_many();
	test_off();
	test_cleared();
	unload_module();
	return finish_test();
}
