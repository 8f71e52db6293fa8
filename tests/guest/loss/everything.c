// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Everything that can be recorded is recorded at once, while disks, network, forks, kernel calls and CPUs and devices
 * that come and go keep the machine busy: the log passes the check all along, what is lost is stated, and in the end
 * all 22 types of the specification were in it.
 *
 * guest: cpus=4 smt=yes slots=3 memory=1024 modprobe=virtio_pci,virtio_blk,virtio_net,loop rounds=10:60 timeout=240:600
 */
#include "device.h"

#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define TYPES 22

static const struct {
	uint16_t type;
	const char *name;
} types[TYPES] = {
	{ BCOS_SET_PROCESS_NAME, "Set Process Name" },
	{ BCOS_CANCEL_PROCESS_NAME, "Cancel Process Name" },
	{ BCOS_GENERIC_PROCESS, "Generic Process" },
	{ BCOS_KERNEL_API, "Kernel API" },
	{ BCOS_CORE_ONLINE, "Core Online" },
	{ BCOS_CORE_OFFLINE, "Core Offline" },
	{ BCOS_GENERIC_CORE, "Generic Core" },
	{ BCOS_CPU_ONLINE, "CPU Online" },
	{ BCOS_CPU_OFFLINE, "CPU Offline" },
	{ BCOS_ASSIGN_CPU, "Assign CPU" },
	{ BCOS_GENERIC_CPU, "Generic CPU" },
	{ BCOS_SET_DEVICE_NAME, "Set Device Name" },
	{ BCOS_CANCEL_DEVICE_NAME, "Cancel Device Name" },
	{ BCOS_DEVICE_INPUT, "Device Input" },
	{ BCOS_DEVICE_OUTPUT, "Device Output" },
	{ BCOS_GENERIC_DEVICE, "Generic Device" },
	{ BCOS_IRQ, "IRQ" },
	{ BCOS_HIST_SET_PROCESS_NAME, "Historical Set Process Name" },
	{ BCOS_HIST_CORE_ONLINE, "Historical Core Online" },
	{ BCOS_HIST_CPU_ONLINE, "Historical CPU Online" },
	{ BCOS_HIST_ASSIGN_CPU, "Historical Assign CPU" },
	{ BCOS_HIST_SET_DEVICE_NAME, "Historical Set Device Name" },
};

/* The findings of a process that follows the log all the time, in shared memory. */
static struct seen {
	uint64_t entries, types[TYPES], lost, missed;
} *seen;

static void request_host(const char *command, const char *first, const char *second)
{
	if (run_program("/bin/host-request", command, first, second, NULL))
		give_up("host-request %s %s", command, first);
}

/* ---- loads ------------------------------------------------------------------------- */

static void uses_disk(void *argument)
{
	char *page = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open("/dev/vda", O_RDWR | O_CLOEXEC | O_DIRECT), i;

	for (i = 0; fd >= 0 && page != MAP_FAILED; i = (i + 1) % 64)
		if (pwrite(fd, page, 65536, i * 65536) != 65536 || pread(fd, page, 65536, 0) != 65536)
			break;
	give_up("/dev/vda");
}

static void uses_network(void *argument)
{
	for (;;)
		if (run_program("/bin/ping", "-q", "-A", "-c", "100", "-s", "900", "10.0.2.2", NULL))
			usleep(1000);
}

static void fork_for_ever(void *argument)
{
	int i;

	for (i = 0;; i++)
		if (i % 8)
			waitpid(fork() ?: (_exit(i & 127), 0), NULL, 0);
		else
			run_program("/bin/true", NULL);
}

static void call_for_ever(void *argument)
{
	for (;;) {
		syscall(SYS_getppid);
		syscall(SYS_sched_yield);
	}
}

static void talk_for_ever(void *argument)
{
	int fd = open_log(O_WRONLY), console = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);

	for (;;) {
		if (write(fd, "<0x40,7>still here", 18) != 18 || write(console, "<7>still here too\n", 18) != 18)
			give_up("saying something");
		usleep(2000);
	}
}

static void (*const loads[])(void *) = { uses_disk, uses_network, fork_for_ever, call_for_ever, talk_for_ever };

/* Lets a core and a disk go and come, and a link go up or down. */
static void come_and_go(int round)
{
	char drive[80], device[80], id[20];

	/* CPUs 2 and 3 are one core, which goes with the second of them. */
	if (!write_file("/sys/devices/system/cpu/cpu3/online", "0") ||
	    !write_file("/sys/devices/system/cpu/cpu2/online", "0") ||
	    !write_file("/sys/devices/system/cpu/cpu2/online", "1") ||
	    !write_file("/sys/devices/system/cpu/cpu3/online", "1"))
		give_up("CPUs 2 and 3");
	snprintf(id, sizeof(id), "extra%d", round);
	snprintf(drive, sizeof(drive), "if=none,id=of-%s,driver=null-co,size=1M,read-zeroes=on", id);
	snprintf(device, sizeof(device), "virtio-blk-pci,drive=of-%s,id=%s,bus=slot3", id, id);
	request_host("drive_add", "0", drive);
	request_host("device_add", device, NULL);
	WAIT_FOR(can_open("/dev/vdb"));
	request_host("device_del", id, NULL);
	WAIT_FOR(access("/sys/block/vdb", F_OK));
	if (run_program("/bin/ip", "link", "set", "eth0", round & 1 ? "up" : "down", NULL))
		give_up("eth0");
	request_host("sendkey", "a", NULL);
}

/* ---- the log ------------------------------------------------------------------------- */

/* Returns the sum of the numbers in "lost 3 assignments, 5 interrupts: why". */
static uint64_t count_lost(const char *text)
{
	uint64_t sum = 0;

	while (*text && *text != ':') {
		if (*text >= '0' && *text <= '9')
			sum += strtoull(text, (char **)&text, 10);
		else
			text++;
	}
	return sum;
}

static void take_in(const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	const char *text;
	size_t i;

	seen->entries++;
	for (i = 0; i < TYPES; i++)
		seen->types[i] += types[i].type == entry->type;
	if (entry->type == BCOS_GENERIC_CPU && event->event_id == BCOS_EVENT_LOSS) {
		text = entry_text(entry);
		if (strstr(text, ": staging full") || strstr(text, ": inside the recording"))
			seen->lost += count_lost(text);
	}
	seen->missed += entry->type == BCOS_GENERIC_DEVICE && entry->source == BCOS_DEVICE_SELF &&
			event->event_id == BCOS_EVENT_MISSED;
}

static void follow_log(void *argument)
{
	static char buffer[1 << 20] __attribute__((aligned(4)));
	const struct sched_param first = { .sched_priority = 10 };
	int fd = open_log(O_RDONLY);
	ssize_t size, at;

	if (sched_setscheduler(0, SCHED_FIFO, &first))
		give_up("real-time priority");
	while ((size = read(fd, buffer, sizeof(buffer))) > 0)
		for (at = 0; at < size; at += ((struct bcos_entry *)(buffer + at))->size)
			take_in((struct bcos_entry *)(buffer + at));
	give_up("following the log");
}

static void emit_event(int fd, uint16_t type, uint32_t source)
{
	struct bcos_emit event = { .type = type, .source = source, .severity = BCOS_SEVERITY_INFO, .length = 2,
				   .text = "by" };

	if (ioctl(fd, BCOS_IOC_EMIT, &event))
		give_up("emit");
}

/* Takes snapshots, each of which has to explain itself. Return: how many do not. */
static int bad_snapshots(int seconds, int *count)
{
	uint64_t end = now_ns(CLOCK_MONOTONIC) + (uint64_t)seconds * 1000000000;
	struct log log;
	char name[32];
	int bad = 0;

	for (*count = 0; now_ns(CLOCK_MONOTONIC) < end || *count < 3; ++*count) {
		come_and_go(*count);
		log = log_snapshot();
		snprintf(name, sizeof(name), "everything-%d", *count);
		bad += !log_valid(&log, name);
		log_free(&log);
	}
	return bad;
}

static void set_up(void)
{
	request_host("drive_add", "0", "if=none,id=d1,driver=null-co,size=64M,read-zeroes=on");
	request_host("device_add", "virtio-blk-pci,drive=d1,id=disk1,bus=slot1", NULL);
	request_host("netdev_add", "user,id=n1", NULL);
	request_host("device_add", "virtio-net-pci,netdev=n1,id=net1,bus=slot2", NULL);
	WAIT_FOR(can_open("/dev/vda"));
	WAIT_FOR(!access("/sys/class/net/eth0", F_OK));
	if (run_program("/bin/ifconfig", "eth0", "10.0.2.15", "up", NULL))
		give_up("eth0");
}

int main(void)
{
	pid_t pids[ARRAY_SIZE(loads)], follower;
	struct bcos_status status;
	int fd, bad, count;
	struct log log;
	uint64_t lost;
	size_t i;

	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED)
		give_up("memory");
	load_module("mask=all ring_kb=32768");
	fd = open_log(O_RDWR);
	follower = spawn_bound(follow_log, NULL);
	set_up();
	for (i = 0; i < ARRAY_SIZE(loads); i++)
		pids[i] = spawn_bound(loads[i], NULL);
	emit_event(fd, BCOS_GENERIC_CORE, 0);
	bad = bad_snapshots(get_rounds(10), &count);
	make_point(!bad, "%d of %d snapshots under every load pass the check", count - bad, count);
	for (i = 0; i < ARRAY_SIZE(loads); i++)
		end_child(pids[i]);
	/* From now on only what cannot be turned off is recorded, so that the follower gets to the end. */
	if (!write_file("/sys/module/bcos_evlog/parameters/mask", "0"))
		give_up("mask");
	log = log_take();
	log_check(&log, "the log in the end");
	log_free(&log);
	status = status_of(fd);
	WAIT_FOR(seen->missed || seen->entries >= status.entries);
	end_child(follower);
	lost = status.lost[BCOS_LOST_STAGING] + status.lost[BCOS_LOST_NESTED];
	print_note("%llu entries, %llu compactions, %llu records lost", (unsigned long long)status.entries,
		   (unsigned long long)status.compactions, (unsigned long long)lost);
	make_point(!seen->missed, "who follows the log gets all of it");
	make_point(seen->lost == lost, "what was lost is stated, and only that (%llu)", (unsigned long long)seen->lost);
	make_point(lost || !status.unnamed, "without a loss everybody has a name");
	for (i = 0; i < TYPES; i++)
		make_point(seen->types[i], "%s is there", types[i].name);
	close(fd);
	unload_module();
	/* Free the slots for the other tests of this boot. */
	request_host("device_del", "disk1", NULL);
	request_host("device_del", "net1", NULL);
	request_host("netdev_del", "n1", NULL);
	WAIT_FOR(access("/sys/block/vda", F_OK) && access("/sys/class/net/eth0", F_OK));
	return finish_test();
}
