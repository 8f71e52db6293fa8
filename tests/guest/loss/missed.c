// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Devices come, go and are renamed while nothing finds room in staging: the log lacks these records, says so, and finds
 * out by a walk.
 *
 * guest: cpus=2 memory=1024 slots=3 append=i8042.noaux;noirqdebug modprobe=virtio_pci,virtio_blk,virtio_net,uinput,tun,loop,dummy,ipv6 timeout=120:240
 *
 * The log writer is bound to a CPU on which a process of higher priority never sleeps. The kernel's other threads there
 * get a priority that is higher still, since a device that goes may have to wait for them. On the other CPU the test
 * sends signals until staging holds no more, and then it makes, renames and removes devices: interfaces, here and in
 * another network namespace, disks, and input devices. The oracle is the test itself, which knows what there is.
 */
#include "device.h"

#include <dirent.h>
#include <linux/loop.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

/* These are more than 64 KiB of staging hold, since each takes at least a unit of 16 bytes. */
#define SIGNALS 8192

/* ---- devices --------------------------------------------------------------------- */

#define IP(...) \
	do { \
		if (run_program("/bin/ip", "link", __VA_ARGS__, NULL)) \
			give_up("ip link " #__VA_ARGS__); \
	} while (0)

static void change_disk(unsigned long command, long number)
{
	int fd = open("/dev/loop-control", O_RDWR | O_CLOEXEC);

	if (fd < 0 || ioctl(fd, command, number) < 0)
		give_up("/dev/loop-control %ld", number);
	close(fd);
}

/* A process in a network namespace of its own, which makes an interface there when it is told to. */
static void be_elsewhere(int hear, int tell)
{
	char c;

	if (unshare(CLONE_NEWNET) || write(tell, "x", 1) != 1 || read(hear, &c, 1) != 1)
		give_up("a namespace");
	IP("add", "dmyelse", "type", "dummy");
	if (write(tell, "x", 1) != 1 || read(hear, &c, 1) < 0)
		give_up("a namespace");
	_exit(0);
}

struct elsewhere {
	pid_t pid;
	int tell, hear;
};

static struct elsewhere elsewhere_begin(void)
{
	struct elsewhere other;
	int down[2], up[2];
	char c;

	if (pipe(down) || pipe(up))
		give_up("pipe");
	other = (struct elsewhere){ .pid = fork(), .tell = down[1], .hear = up[0] };
	if (!other.pid) {
		close(down[1]);
		close(up[0]);
		be_elsewhere(down[0], up[1]);
	}
	close(down[0]);
	close(up[1]);
	if (other.pid < 0 || read(other.hear, &c, 1) != 1)
		give_up("a namespace");
	return other;
}

/* ---- the writer, without a turn ------------------------------------------------------ */

static volatile bool *over;

static void be_real_time(void *argument)
{
	struct sched_param parameter = { .sched_priority = 10 };
	uint64_t until = now_ns(CLOCK_MONOTONIC) + patience_ns() / 2;
	const int *device = argument;

	/* An input device goes when its last descriptor is closed, and that has to happen while records are lost. */
	close(*device);
	if (!pin_to(1) || sched_setscheduler(0, SCHED_FIFO, &parameter))
		give_up("SCHED_FIFO");
	while (!*over && now_ns(CLOCK_MONOTONIC) < until)
		;
}

/* Does a thread of the kernel with this name serve CPU 1 or all CPUs? */
static bool is_server(const char *name)
{
	return !strncmp(name, "ksoftirqd/1", 11) || !strncmp(name, "kworker/1", 9) || !strncmp(name, "kworker/u", 9) ||
	       !strncmp(name, "rcu", 3);
}

static void let_kernel_run(void)
{
	struct sched_param parameter = { .sched_priority = 20 };
	char path[300], name[64];
	struct dirent *entry;
	DIR *processes = opendir("/proc");

	while (processes && (entry = readdir(processes))) {
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && read_file(path, name, sizeof(name)) > 0 &&
		    is_server(name))
			sched_setscheduler(atoi(entry->d_name), SCHED_FIFO, &parameter);
	}
	if (!processes)
		give_up("/proc");
	closedir(processes);
}

/* @device: a descriptor that the process which starves the writer must not keep open. */
static pid_t starve_writer(int device)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(1, &set);
	if (!pin_to(0) || sched_setaffinity(writer_of_log(), sizeof(set), &set))
		give_up("sched_setaffinity");
	if (!write_file("/proc/sys/kernel/sched_rt_runtime_us", "-1"))
		give_up("sched_rt_runtime_us");
	over = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (over == MAP_FAILED)
		give_up("mmap");
	let_kernel_run();
	return spawn_bound(be_real_time, &device);
}

static void feed_writer(pid_t hog)
{
	*over = true;
	if (reap_child(hog, NULL))
		give_up("the process that starves the writer failed");
	if (!write_file("/proc/sys/kernel/sched_rt_runtime_us", "950000"))
		give_up("sched_rt_runtime_us");
}

static void ignore_signal(int number)
{
}

/*
 * Fills staging with signals. A signal may be the cause of a death, so its record may use the room of births and
 * deaths, as records of devices may.
 */
static void fill_staging(void)
{
	int i;

	signal(SIGUSR1, ignore_signal);
	for (i = 0; i < SIGNALS; i++)
		if (kill(getpid(), SIGUSR1))
			give_up("kill");
}

/* ---- what the log says there is -------------------------------------------------------- */

#define DEVICES 256

struct devices {
	struct {
		uint32_t id;
		char name[100];		/* empty: it is gone */
	} device[DEVICES];
	int count;			/* number of IDs */
};

static void devices_of(const struct log *log, struct devices *all)
{
	int i;

	memset(all, 0, sizeof(*all));
	for_each_entry(entry, log) {
		if (entry->type != BCOS_SET_DEVICE_NAME && entry->type != BCOS_HIST_SET_DEVICE_NAME &&
		    entry->type != BCOS_CANCEL_DEVICE_NAME)
			continue;
		for (i = 0; i < all->count && all->device[i].id != entry->source; i++)
			;
		if (i == DEVICES)
			give_up("more than %d devices", DEVICES);
		all->count += i == all->count;
		all->device[i].id = entry->source;
		snprintf(all->device[i].name, sizeof(all->device[i].name), "%s",
			 entry->type == BCOS_CANCEL_DEVICE_NAME ? "" : entry_text(entry));
	}
}

static bool is_there(const struct devices *all, const char *name)
{
	int i;

	for (i = 0; i < all->count; i++)
		if (!strcmp(all->device[i].name, name))
			return true;
	return false;
}

/* Returns how many devices are in @one but not in @other, except for those that the test itself made. */
static int missing_of_others(const struct devices *one, const struct devices *other)
{
	int i, missing = 0;

	for (i = 0; i < one->count; i++) {
		if (!one->device[i].name[0] || !strncmp(one->device[i].name, "dmy", 3) ||
		    !strncmp(one->device[i].name, "loop6", 5) || !strncmp(one->device[i].name, "made up", 7))
			continue;
		if (!is_there(other, one->device[i].name)) {
			print_note("\"%s\" is missing", one->device[i].name);
			missing++;
		}
	}
	return missing;
}

static unsigned int devices_lost(const struct log *log)
{
	unsigned int lost = 0, number;
	const char *text, *at;

	for_each_entry(entry, log) {
		if (entry->type != BCOS_GENERIC_CPU ||
		    ((const struct bcos_generic *)entry)->event_id != BCOS_EVENT_LOSS)
			continue;
		/* The number is in front of the word. */
		text = entry_text(entry);
		print_note("%s", text);
		at = strstr(text, " devices coming or going");
		while (at && at > text && at[-1] >= '0' && at[-1] <= '9')
			at--;
		if (at && sscanf(at, "%u", &number) == 1)
			lost += number;
	}
	return lost;
}

int main(void)
{
	static const char *const gone[] = { "dmy0", "dmy1", "loop60 (stacked)", "made up A" };
	static const char *const come[] = { "dmy9", "dmy5", "dmyelse", "loop61 (stacked)", "made up B" };
	static struct devices before, after;
	struct elsewhere other = elsewhere_begin();
	unsigned int lost;
	struct log log;
	int first, second;
	pid_t hog;
	size_t i;

	load_module("staging_kb=64 ring_kb=16384");
	IP("add", "dmy0", "type", "dummy");
	IP("add", "dmy1", "type", "dummy");
	change_disk(LOOP_CTL_ADD, 60);
	first = input_start("made up A");
	log = log_take();
	devices_of(&log, &before);
	for (i = 0; i < ARRAY_SIZE(gone); i++)
		make_point(is_there(&before, gone[i]), "%s is in the log", gone[i]);
	log_free(&log);

	hog = starve_writer(first);
	fill_staging();
	IP("del", "dmy0");
	IP("set", "dmy1", "name", "dmy9");
	IP("add", "dmy5", "type", "dummy");
	change_disk(LOOP_CTL_REMOVE, 60);
	change_disk(LOOP_CTL_ADD, 61);
	close(first);
	second = input_start("made up B");
	if (write(other.tell, "x", 1) != 1 || read(other.hear, &(char){ 0 }, 1) != 1)
		give_up("the other namespace");
	feed_writer(hog);

	/* The walk is under way for a moment after the loss is stated. */
	WAIT_FOR((log = log_take(), devices_of(&log, &after), is_there(&after, "dmy5") && !is_there(&after, "dmy0")) ||
		 (log_free(&log), false));
	/* A rename is one record, and one record may have found room where a longer one did not. */
	lost = devices_lost(&log);
	make_point(lost >= ARRAY_SIZE(gone) + ARRAY_SIZE(come) - 2, "so many records about devices are lost: %u", lost);
	for (i = 0; i < ARRAY_SIZE(gone); i++)
		make_point(!is_there(&after, gone[i]), "%s, which went unseen, is cancelled", gone[i]);
	for (i = 0; i < ARRAY_SIZE(come); i++)
		make_point(is_there(&after, come[i]), "%s, which came unseen, is named", come[i]);
	make_point(!missing_of_others(&before, &after) && !missing_of_others(&after, &before),
		   "and no other came or went");
	log_check(&log, "the log with devices that were missed");
	log_free(&log);

	/* Devices that come and go now are recorded as usual. */
	change_disk(LOOP_CTL_REMOVE, 61);
	close(second);
	IP("del", "dmy9");
	IP("del", "dmy5");
	close(other.tell);
	reap_child(other.pid, NULL);
	log = log_take();
	devices_of(&log, &after);
	for (i = 0; i < ARRAY_SIZE(come); i++)
		if (strcmp(come[i], "dmyelse"))
			make_point(!is_there(&after, come[i]), "%s goes as others do", come[i]);
	log_free(&log);
	unload_module();
	return finish_test();
}
