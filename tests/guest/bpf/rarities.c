// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Module and BPF engine record side by side, as in sides.c, what is recorded on request (kernel calls, states of
 * threads and CPUs), the transfers of a disk, and CPUs that go offline and come online.
 *
 * guest: cpus=2 memory=1024 slots=3 append=i8042.noaux;noirqdebug modprobe=virtio_pci,virtio_blk,virtio_net,uinput,tun,loop,dummy,ipv6 rounds=10:60 timeout=120:300 engine=both
 */
#include "account.h"
#include "story.h"

#include <linux/fs.h>
#include <sys/syscall.h>

#define CHILDREN_MAX 64
#define CALLS 5

/* ---- the load ------------------------------------------------------------------------ */

static void plug_disk(void)
{
	HOST("drive_add", "0", "if=none,id=d1,driver=null-co,size=64M,read-zeroes=on");
	HOST("device_add", "virtio-blk-pci,drive=d1,id=disk1,bus=slot1");
	WAIT_FOR(can_open("/dev/vda"));
}

/* Makes kernel calls, sleeps, and reads what nobody has read before. */
static void make_load(int number)
{
	static char block[8192] __attribute__((aligned(4096)));
	int fd, i;

	pin_to(number & 1);
	for (i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	sleep_off_cpu(3000);
	fd = open("/dev/vda", O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (fd < 0 || pread(fd, block, 512u << (number % 5), 65536 * number) < 0)
		_exit(99);
	_exit(number);
}

static pid_t start_child(int number)
{
	pid_t pid = fork();

	if (pid < 0)
		give_up("fork");
	if (!pid)
		make_load(number);
	if (WEXITSTATUS(reap_child(pid, NULL)) == 99)
		give_up("a child cannot read /dev/vda");
	return pid;
}

static void set_online(bool online)
{
	if (!write_file("/sys/devices/system/cpu/cpu1/online", "%d", online))
		give_up("cpu1/online");
}

/* ---- what is compared ------------------------------------------------------------------ */

static bool is_idle(const struct bcos_entry *entry, uint32_t *what)
{
	return ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_IDLE &&
	       sscanf(entry_text(entry), "idle state %u", what) == 1;
}

/* Makes a hash of the text, which says what thread it is about and in which state. */
static bool is_state(const struct bcos_entry *entry, uint32_t *what)
{
	const char *text = entry_text(entry);

	if (!is_thread_event(entry))
		return false;
	for (*what = 2166136261u; *text; text++)
		*what = (*what ^ (uint8_t)*text) * 16777619u;
	return true;
}

/* Returns the kernel calls of a process in their order. */
static struct events calls_of(enum side side, uint32_t process)
{
	struct events events = { 0 };
	const struct bcos_kernel_api *api;
	size_t i;

	for_each_entry(entry, &logs[side]) {
		if (entry->type != BCOS_KERNEL_API || entry->source != process)
			continue;
		api = (const struct bcos_kernel_api *)entry;
		for (i = 0; i < (entry->size - sizeof(*entry)) / sizeof(api->function[0]); i++)
			events_add(&events, entry, api->function[i]);
	}
	return events;
}

static size_t how_many(const struct events *events, uint32_t what)
{
	size_t i, count = 0;

	for (i = 0; i < events->count; i++)
		count += events->event[i].what == what;
	return count;
}

static bool are_equal(const struct events *a, const struct events *b)
{
	size_t i;

	for (i = 0; i < a->count && i < b->count && a->event[i].what == b->event[i].what; i++)
		;
	return i == a->count && i == b->count;
}

/* Compares whole lives, of which neither log missed a part. */
static void compare_children(const pid_t *pid, int count)
{
	size_t calls = 0, states = 0;
	struct events a, b;
	int i, same_calls = 0, same_states = 0;

	for (i = 0; i < count; i++) {
		a = calls_of(MODULE, (uint32_t)pid[i]);
		b = calls_of(BPF, (uint32_t)pid[i]);
		same_calls += are_equal(&a, &b) && how_many(&a, SYS_getppid) == CALLS;
		calls += a.count;
		if (!are_equal(&a, &b))
			print_note("process %d: %zu calls, %zu calls", pid[i], a.count, b.count);
		a = events_of(MODULE, BCOS_GENERIC_PROCESS, (uint32_t)pid[i], is_state);
		b = events_of(BPF, BCOS_GENERIC_PROCESS, (uint32_t)pid[i], is_state);
		same_states += are_equal(&a, &b) && a.count > 2;
		states += a.count;
		if (!are_equal(&a, &b))
			print_note("process %d: %zu states, %zu states", pid[i], a.count, b.count);
	}
	make_point(same_calls == count, "the same calls of %d of %d processes (%zu)", same_calls, count, calls);
	make_point(same_states == count, "the same states of %d of %d processes (%zu)", same_states, count, states);
}

static void compare_hotplug(int times)
{
	static const struct {
		uint16_t type;
		const char *what;
	} kinds[] = {
		{ BCOS_CPU_OFFLINE, "CPU offline" }, { BCOS_CPU_ONLINE, "CPU online" },
		{ BCOS_CORE_OFFLINE, "core offline" }, { BCOS_CORE_ONLINE, "core online" },
	};
	size_t i, found[SIDES];
	int side;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		for (side = 0; side < SIDES; side++) {
			found[side] = 0;
			for_each_entry(entry, &logs[side])
				found[side] += entry->type == kinds[i].type;
		}
		make_point(found[MODULE] == (size_t)times && found[BPF] == (size_t)times,
			   "%s: as often as it happened (%zu, %zu)", kinds[i].what, found[MODULE], found[BPF]);
	}
}

int main(void)
{
	int count = get_rounds(10) < CHILDREN_MAX ? get_rounds(10) : CHILDREN_MAX, cpu, fd, i;
	pid_t first[2], last[2], pid[CHILDREN_MAX];
	char name[20];

	if (!recording_begin)
		skip_all("these tests were built without the BPF engine");
	plug_disk();
	recording_begin("mask=all ring_kb=65536 staging_kb=65536");
	load_module("mask=all ring_kb=65536 staging_kb=4096");
	fd = recording_open();
	for (i = 0; i < 3; i++) {
		set_online(false);
		set_online(true);
	}
	for (cpu = 0; cpu < 2; cpu++)
		first[cpu] = leave_mark(cpu);
	for (i = 0; i < count; i++)
		pid[i] = start_child(i);
	for (cpu = 0; cpu < 2; cpu++)
		last[cpu] = leave_mark(cpu);
	take_sides(fd);
	for (cpu = 0; cpu < 2; cpu++)
		compare_cpu(cpu, first[cpu], last[cpu]);
	compare_children(pid, count);
	for (cpu = 0; cpu < 2; cpu++) {
		snprintf(name, sizeof(name), "CPU %d", cpu);
		compare_events(events_of(MODULE, BCOS_GENERIC_CPU, (uint32_t)cpu, is_idle),
			       events_of(BPF, BCOS_GENERIC_CPU, (uint32_t)cpu, is_idle), name, "idle states");
	}
	compare_device("vda", BCOS_DEVICE_INPUT, "bytes read");
	compare_hotplug(3);
	recording_end();
	unload_module();
	HOST("device_del", "disk1");
	WAIT_FOR(access("/sys/block/vda", F_OK));
	return finish_test();
}
