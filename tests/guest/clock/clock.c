// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Times are right, whichever clock stamps the events: the span of a birth in the log, from its time to the end of its
 * precision, meets the span between two readings of CLOCK_BOOTTIME around the fork. This stays so when the kernel gives
 * the counter up, over a suspend, and when adjtimex(2) makes the kernel's clock fast and slow by turns, while nobody
 * reads the log.
 *
 * guest: cpus=2 timeout=90:300 rounds=200:2000 debug-rounds=50 also=6.1 args=clocks
 * guest: cpus=2 timeout=90 also=6.1 args=suspend
 * guest: cpus=2 timeout=90 also=6.1 args=steered
 * guest: cpus=2 timeout=240 last=yes also=6.1 x86=the;kernel;gives;up;the;time;stamp;counter args=mistrust
 */
#include "device.h"

#include <sys/timex.h>

#define CHILDREN 2000
#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

struct child {
	pid_t pid;
	uint64_t before, after;		/* boot time around its birth */
};

static struct child children[CHILDREN];
static int child_count;

static void do_nothing(void *argument)
{
}

/* Forks children on the two CPUs by turns. */
static void fork_some(int count)
{
	struct child *child;

	while (count--) {
		if (child_count == CHILDREN)
			give_up("too many children for this test");
		child = &children[child_count++];
		pin_to(count & 1);
		child->before = now_ns(CLOCK_BOOTTIME);
		child->pid = spawn_child(do_nothing, NULL);
		child->after = now_ns(CLOCK_BOOTTIME);
		reap_child(child->pid, NULL);
	}
}

/* Judges the births of all children so far, and forgets the children. */
static void judge_births(const char *when)
{
	struct log log = log_take();
	struct lives lives = lives_of(&log);
	uint64_t worst = 0;
	int missing = 0, wrong = 0, i;
	const struct life *life;

	for (i = 0; i < child_count; i++) {
		const struct child *child = &children[i];

		/* The children are so few that no ID comes again. */
		life = life_since(&lives, (uint32_t)child->pid, 0);
		if (!life || !life->birth) {
			missing++;
			continue;
		}
		if (life->birth->precision > worst)
			worst = life->birth->precision;
		if (life->born <= child->after && life->born + life->birth->precision >= child->before)
			continue;
		if (wrong++ < 5)
			print_note("process %d was born from %llu to %llu, in the log at %llu or up to %u ns later",
				   child->pid,
				   (unsigned long long)child->before, (unsigned long long)child->after,
				   (unsigned long long)life->born, life->birth->precision);
	}
	print_note("%s: precision at worst %llu ns", when, (unsigned long long)worst);
	make_point(!missing && !wrong && child_count, "%s: %d births are there, each when it was", when, child_count);
	log_check(&log, "%s", when);
	lives_free(&lives);
	log_free(&log);
	child_count = 0;
}

static bool stamps_with_ticks(void)
{
	return status_of(-1).flags & BCOS_STATUS_TSC;
}

static bool kernel_clock_is(const char *line)
{
	char name[64];

	if (read_file(CLOCKSOURCE, name, sizeof(name)) < 0)
		give_up(CLOCKSOURCE);
	return !strcmp(name, line);
}

static bool kernel_uses_ticks(void)
{
	return kernel_clock_is("tsc\n");
}

/* ---- both clocks ----------------------------------------------------------------- */

static void test_clocks(void)
{
	bool ticks = kernel_uses_ticks();

	load_module("");
	make_point(stamps_with_ticks() == ticks, "the kernel's clock is %sthe counter, and so is the log's",
		   ticks ? "" : "not ");
	fork_some(get_rounds(200));
	judge_births("by default");
	unload_module();
	load_module("tsc=0");
	make_point(!stamps_with_ticks(), "by tsc=0 the log's clock is not the counter");
	fork_some(get_rounds(200));
	judge_births("by tsc=0");
	unload_module();
}

/* ---- the kernel gives the counter up ------------------------------------------------- */

static void test_mistrust(void)
{
	struct log log;
	int i;

	load_module("");
	if (!make_point(stamps_with_ticks(), "events are stamped with the counter"))
		return;
	fork_some(100);
	/*
	 * After a second the log writer knows the counter's rate in the long run, which tells what a change of the
	 * clock costs.
	 */
	sleep(1);
	load_other("mistrust", "");
	/* Taking the log makes the log writer look at both clocks just before the kernel's time stands still. */
	log = log_take();
	log_free(&log);
	if (!write_file(CLOCKSOURCE, "mistrust"))
		give_up(CLOCKSOURCE);
	make_point(!kernel_uses_ticks(), "the kernel gives the counter up");
	fork_some(200);
	for (i = 0; i < 5; i++) {
		fork_some(20);
		(void)status_of(-1);
	}
	judge_births("the counter is given up");
	make_point(!stamps_with_ticks(), "events are stamped with the counter no more");
	fork_some(100);
	judge_births("after that");
	unload_module();
	unload_other("mistrust");
	load_module("");
	make_point(!stamps_with_ticks(), "nor after the module was loaded again");
	unload_module();
}

/* ---- suspend --------------------------------------------------------------------------- */

#define KEYBOARD "/sys/devices/platform/i8042/serio0/power/wakeup"

/* Suspends the machine to idle, until a key is released. */
static bool sleep_for_a_key(void)
{
	if (!write_file(KEYBOARD, "enabled"))
		return false;
	if (run_program("/bin/host-request", "sendkey", "a", "3000", NULL))
		give_up("sendkey");
	return write_file("/sys/power/state", "freeze");
}

/* Does all of a suspend but for the last step: every device is asleep for five seconds. */
static bool rehearse_sleep(void)
{
	return write_file("/sys/power/pm_test", "devices") && write_file("/sys/power/state", "freeze");
}

static void test_suspend(void)
{
	uint64_t before;
	bool ticks;
	int i;

	load_module("");
	ticks = stamps_with_ticks();
	make_point(ticks == kernel_uses_ticks(), "the clock is %s", ticks ? "the counter" : "not the counter");
	for (i = 0; i < 2; i++) {
		fork_some(100);
		before = now_ns(CLOCK_BOOTTIME);
		if (i ? !rehearse_sleep() : !sleep_for_a_key()) {
			skip_point("this kernel cannot do it",
				   i ? "times over a rehearsed suspend" : "times over a suspend to idle");
			continue;
		}
		if (!i)
			make_point(now_ns(CLOCK_BOOTTIME) - before > 1000000000,
				   "the machine was asleep for more than a second");
		make_point(stamps_with_ticks() == ticks, "awake, events are stamped as before");
		fork_some(100);
		judge_births("over a suspend");
	}
	unload_module();
}

/* ---- the kernel's clock is steered ------------------------------------------------------ */

#define MARKS 48

static struct mark {
	uint64_t before, after;		/* boot time around the write */
} marks[MARKS];

static void steer_clock(long ppm)
{
	struct timex setting = { .modes = ADJ_FREQUENCY, .freq = ppm * 65536 };

	if (adjtimex(&setting) < 0)
		give_up("adjtimex");
}

/* Writes one mark after the other, with rates that change four times. Nobody reads meanwhile. */
static void write_marks(int fd)
{
	static const long ppm[] = { 200, -200, 0, 200 };
	char text[32];
	int i;

	for (i = 0; i < MARKS; i++) {
		if (i % (MARKS / 4) == 0)
			steer_clock(ppm[i / (MARKS / 4)]);
		snprintf(text, sizeof(text), "mark %d", i);
		marks[i].before = now_ns(CLOCK_BOOTTIME);
		if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
			give_up("write");
		marks[i].after = now_ns(CLOCK_BOOTTIME);
		sleep_off_cpu(200000);
	}
	steer_clock(0);
}

/* Each mark begins and ends within the span of its entry. Returns the number of those that do. */
static int judge_marks(const struct log *log, uint32_t *worst)
{
	uint64_t earliest, latest;
	int right = 0, i;

	*worst = 0;
	for_each_entry(entry, log) {
		if (entry->type != BCOS_GENERIC_PROCESS || sscanf(entry_text(entry), "mark %d", &i) != 1)
			continue;
		earliest = entry->time;
		latest = earliest + entry->precision;
		if (entry->precision > *worst)
			*worst = entry->precision;
		if (earliest <= marks[i].after && latest >= marks[i].before)
			right++;
		else
			print_note("mark %d was written from %llu to %llu; in the log from %llu to %llu", i,
				   (unsigned long long)marks[i].before, (unsigned long long)marks[i].after,
				   (unsigned long long)earliest, (unsigned long long)latest);
	}
	return right;
}

static void test_steered(void)
{
	unsigned long long wakeups, most;
	struct log log;
	uint32_t worst;
	int fd, right;

	steer_clock(0);
	load_module("mask=user");
	fd = open_log(O_WRONLY);
	/* The log writer looks at the clock a second after the load, and then has no reason to. */
	sleep(2);
	wakeups = status_of(-1).wakeups;
	write_marks(fd);
	wakeups = status_of(-1).wakeups - wakeups;
	log = log_take();
	right = judge_marks(&log, &worst);
	print_note("the log writer woke %llu times; precision at worst %u ns", wakeups, worst);
	make_point(right == MARKS, "%d of %d marks lie where they were written", right, MARKS);
	/* Two of the rates differ by 400 ppm. */
	most = (marks[MARKS - 1].after - marks[0].before) / 2500 + 1000;
	make_point(worst <= most, "the precision is as wide as the clock was steered at most: %llu ns", most);
	if (kernel_uses_ticks())
		make_point(wakeups < 3, "nobody wakes the log writer for that");
	log_check(&log, "the log of a steered clock");
	log_free(&log);
	close(fd);
	unload_module();
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "clocks";

	/*
	 * Some seconds after boot the kernel knows the counter's rate, and from then on uses the counter under another
	 * name.
	 */
	WAIT_FOR(!kernel_clock_is("tsc-early\n"));
	if (!strcmp(what, "clocks"))
		test_clocks();
	else if (!strcmp(what, "mistrust"))
		test_mistrust();
	else if (!strcmp(what, "suspend"))
		test_suspend();
	else if (!strcmp(what, "steered"))
		test_steered();
	else
		give_up("there is no part %s", what);
	return finish_test();
}
