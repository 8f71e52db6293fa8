// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Devices that come while the module gets no memory are in the log in the end, with what they did and their end; the log
 * states what it missed. If any one allocation of a load fails, the load fails and leaves nothing, or all CPUs and devices
 * are there.
 *
 * guest: cpus=2 memory=1024 slots=3 append=i8042.noaux;noirqdebug modprobe=virtio_pci,virtio_blk,virtio_net,uinput,tun,loop,dummy,ipv6 timeout=180:600 rounds=20:500 x86=allocations;fail;on;x86;alone also=6.1
 *
 * The module withhold makes the allocations fail, and counts them. The oracle is the test itself, which makes the devices.
 */
#include "device.h"
#include "fault.h"

#include <linux/uinput.h>

#define INTERFACES 40
#define KEYS 20

/* ---- what the log says of a device ------------------------------------------------------- */

struct story {
	unsigned int names, ends;
	uint64_t input;		/* bytes of reports */
};

/* Returns what the log says of all devices with this name. */
static struct story story_of(const struct log *log, const char *name)
{
	struct story story = { 0 };
	uint32_t id = BCOS_DEVICE_STORAGE;
	bool known = false;

	for_each_entry(entry, log) {
		if (entry->type == BCOS_SET_DEVICE_NAME &&
		    !strcmp(((const struct bcos_device_name *)entry)->name, name)) {
			known = true;
			id = entry->source;
			story.names++;
		} else if (known && entry->source == id && entry->type == BCOS_DEVICE_INPUT) {
			story.input += entry_word(entry);
		} else if (known && entry->source == id && entry->type == BCOS_CANCEL_DEVICE_NAME) {
			known = false;
			story.ends++;
		}
	}
	return story;
}

/* Does the log state, by an event about a CPU, that it lost such records? */
static bool is_stated(const struct log *log, const char *what)
{
	bool found = false;

	for_each_entry(entry, log)
		found |= entry->type == BCOS_GENERIC_CPU && entry_word(entry) == BCOS_EVENT_LOSS &&
			 strstr(entry_text(entry), what);
	return found;
}

/* ---- no memory for the model --------------------------------------------------------------- */

static void change_interfaces(const char *how)
{
	char name[16];
	int i;

	for (i = 0; i < INTERFACES; i++) {
		snprintf(name, sizeof(name), "short%d", i);
		if (run_program("/bin/ip", "link", how, name, "type", "dummy", NULL))
			give_up("ip link %s %s", how, name);
	}
}

/* Returns how many of the interfaces the log names. */
static int count_interfaces(const struct log *log)
{
	char name[16];
	int i, count = 0;

	for (i = 0; i < INTERFACES; i++) {
		snprintf(name, sizeof(name), "short%d", i);
		count += story_of(log, name).names == 1;
	}
	return count;
}

static void test_interfaces(int fd)
{
	unsigned int failed;
	struct log log;
	int named;

	faults_at(FAULT_MODULE);
	faults_begin();
	change_interfaces("add");
	flush_log(fd);
	failed = faults_end();
	make_point(failed > 0, "%u allocations fail while %d interfaces come", failed, INTERFACES);
	make_point(status_of(fd).lost[BCOS_LOST_MEMORY] > 0, "the status counts what there was no memory for");
	WAIT_FOR((flush_log(fd), log = log_take(), named = count_interfaces(&log), named == INTERFACES) ||
		 (log_free(&log), false));
	make_point(named == INTERFACES, "all interfaces get into the log");
	make_point(is_stated(&log, "devices"), "which states that it lacked memory");
	log_check(&log, "the log with interfaces that a walk found");
	log_free(&log);
	change_interfaces("del");
}

/* ---- no memory for a handle ------------------------------------------------------------------ */

/* Presses the key or releases it. */
static void press_key(int device, int value)
{
	const struct input_event events[] = {
		{ .type = EV_KEY, .code = KEY_A, .value = value },
		{ .type = EV_SYN, .code = SYN_REPORT },
	};

	if (write(device, events, sizeof(events)) != sizeof(events))
		give_up("a key");
}

static void test_input(int fd)
{
	static const char name[] = "short of memory";
	struct story story;
	unsigned int failed;
	struct log log;
	int device, i;

	faults_at(FAULT_MODULE);
	faults_begin();
	device = input_start(name);
	press_key(device, 1);
	failed = faults_end();
	make_point(failed > 0, "%u allocations fail while an input device comes", failed);
	/* The module attaches to the device a moment later. */
	WAIT_FOR((flush_log(fd), log = log_take(), is_stated(&log, "no handle could be attached")) ||
		 (log_free(&log), false));
	story = story_of(&log, name);
	make_point(story.names == 1, "the device is in the log (%u times)", story.names);
	log_free(&log);
	for (i = 0; i < KEYS; i++)
		press_key(device, i & 1);
	close(device);
	flush_log(fd);
	log = log_take();
	story = story_of(&log, name);
	make_point(story.input >= KEYS * 2 * sizeof(struct input_event), "its reports are recorded: %llu bytes",
		   (unsigned long long)story.input);
	make_point(story.ends == 1, "and so is its end");
	log_check(&log, "the log with a device that was attached late");
	log_free(&log);
}

/* ---- no memory for a load ----------------------------------------------------------------------- */

struct loads {
	unsigned int refused, loaded, wrong;
	unsigned int devices, cpus;	/* of a load with enough memory */
};

static void judge_load(struct loads *loads, unsigned int n, int error)
{
	struct bcos_status status;
	bool good;

	if (error) {
		loads->refused++;
		good = (error == -ENOMEM || error == -EFAULT || error == -ENFILE) && is_gone();
		if (!good)
			print_note("allocation %u fails: %s, and %s", n, strerror(-error),
				   is_gone() ? "all is gone" : "something stays");
		loads->wrong += !good;
		return;
	}
	loads->loaded++;
	status = status_of(-1);
	good = status.devices == loads->devices && status.cpus == loads->cpus && !status.lost[BCOS_LOST_STAGING];
	if (!good)
		print_note("allocation %u fails: %u devices, %u CPUs, %llu records lost", n, status.devices, status.cpus,
			   (unsigned long long)status.lost[BCOS_LOST_STAGING]);
	loads->wrong += !good;
	if (try_unload())
		give_up("the module does not unload");
}

/* Loads the module while its n-th allocation fails. Returns whether a load has so many. */
static bool load_without(struct loads *loads, const char *parameters, unsigned int n)
{
	int error;
	bool failed;

	fault_arm(n);
	error = try_load(parameters);
	/* What follows allocates, too. */
	failed = fault_disarm();
	judge_load(loads, n, error);
	return failed;
}

/* Returns the number of allocations of a load, whose place is that of the module that is loaded now. */
static unsigned int count_allocations(const char *parameters, struct loads *loads)
{
	struct bcos_status status;
	unsigned int n, step;

	load_module(parameters);
	faults_at(FAULT_MODULE);
	status = status_of(-1);
	loads->devices = status.devices;
	loads->cpus = status.cpus;
	if (try_unload())
		give_up("the module does not unload");
	faults_at(FAULT_LOADING);
	/* The kernel does not tell how far it has counted, so this looks for the last one that fails. */
	for (n = 0, step = 1024; step; step /= 2)
		if (load_without(loads, parameters, n + step))
			n += step;
	return n;
}

static void test_loads(void)
{
	static const char parameters[] = "ring_kb=256 staging_kb=64 mask=0x7ff";
	int rounds = get_rounds(40);
	struct loads loads = { 0 };
	unsigned int all = count_allocations(parameters, &loads), step = all / (unsigned int)rounds + 1, n;
	unsigned int failed = 0;

	for (n = 1; n <= all; n += step)
		failed += load_without(&loads, parameters, n);
	print_note("a load has %u allocations", all);
	make_point(failed > 0 && loads.refused > 0, "any one of %u allocations fails: %u loads are refused, %u are not",
		   failed, loads.refused, loads.loaded);
	make_point(!loads.wrong, "a load is refused and leaves nothing, or has all CPUs and devices (%u do not)",
		   loads.wrong);
	load_module(parameters);
	unload_module();
}

int main(void)
{
	int fd;

	faults_load();
	load_module("ring_kb=16384");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	test_interfaces(fd);
	test_input(fd);
	close(fd);
	unload_module();
	test_loads();
	faults_unload();
	check_leaks();
	return finish_test();
}
