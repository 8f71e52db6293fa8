// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The log leaves a machine that does nothing alone.
 *
 * guest: cpus=2 append=maxcpus=1 rounds=5:30 timeout=180:200 also=6.12-rt
 *
 * The oracle is the scheduler's count of the writer's context switches over some seconds (ROUNDS). The test measures
 * time itself, so there is no condition to wait for.
 */
#include "device.h"

static unsigned long long count_switches(pid_t writer)
{
	return status_figure(writer, "voluntary_ctxt_switches") +
	       status_figure(writer, "nonvoluntary_ctxt_switches");
}

struct measurement {
	unsigned long long switches, wakeups;
	double seconds;
};

/* The test's own looks end the idleness, so there are only two of them, and the figures do not contain them. */
static struct measurement measure_once(pid_t writer, int fd, int seconds)
{
	struct measurement result;
	uint64_t begin;

	result.wakeups = status_of(fd).wakeups;
	result.switches = count_switches(writer);
	begin = now_ns(CLOCK_BOOTTIME);
	sleep((unsigned int)seconds);
	result.switches = count_switches(writer) - result.switches;
	result.seconds = (double)(now_ns(CLOCK_BOOTTIME) - begin) / 1e9;
	result.wakeups = status_of(fd).wakeups - result.wakeups;
	return result;
}

/* Measures once more if the kernel has printed a message, since the machine was not idle then. */
static struct measurement measure_quiet(pid_t writer, int fd, int seconds)
{
	int messages = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct measurement result;
	static char message[8192];

	if (messages < 0)
		give_up("/dev/kmsg");
	for (;;) {
		lseek(messages, 0, SEEK_END);
		result = measure_once(writer, fd, seconds);
		if (read(messages, message, sizeof(message)) < 0 && errno == EAGAIN)
			break;
		print_note("once more, since the kernel said: %.200s", message);
	}
	close(messages);
	return result;
}

/* Waits until the writer is done with everything before. */
static void await_writer(pid_t writer, int fd)
{
	unsigned long long before;

	flush_log(fd);
	do {
		before = count_switches(writer);
		/* This is longer than the writer waits after a load to learn how fast its counter is. */
		usleep(1500000);
	} while (count_switches(writer) != before);
}

static void be_reader(void *argument)
{
	static char bytes[65536];
	int fd = open_log(O_RDONLY);

	while (read(fd, bytes, sizeof(bytes)) > 0)
		;
}

static bool is_sleeping(pid_t pid)
{
	char path[40], text[400], *at;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (read_file(path, text, sizeof(text)) <= 0)
		give_up("%s", path);
	at = strrchr(text, ')');
	return at && at[2] == 'S';
}

int main(void)
{
	int seconds = get_rounds(5), fd;
	struct measurement result;
	pid_t writer, reader;

	load_module("");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	writer = writer_of_log();
	await_writer(writer, fd);
	result = measure_quiet(writer, fd, seconds);
	make_point(!result.switches, "nobody reads: the writer does not run in %.1f s (%llu switches)", result.seconds,
		   result.switches);
	make_point(!result.wakeups, "and the status says so (%llu wake-ups)", result.wakeups);
	if (result.wakeups && system("bcoslog dump --no-history | tail -n 60 | sed 's/^/# /'"))
		give_up("bcoslog dump");

	reader = spawn_bound(be_reader, NULL);
	WAIT_FOR(is_sleeping(reader));
	/* The reader's own birth is news. After the first second nothing else is. */
	usleep(1500000);
	result = measure_quiet(writer, fd, seconds);
	make_point((double)result.wakeups <= 2 * result.seconds + 1,
		   "a reader is blocked: at most 2 wake-ups a second (%llu in %.1f s)", result.wakeups, result.seconds);
	make_point((double)result.switches <= 2 * result.seconds + 1, "as the scheduler counts them (%llu)",
		   result.switches);
	WAIT_FOR(is_sleeping(reader));
	end_child(reader);
	close(fd);
	unload_module();
	return finish_test();
}
