// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Transfers and interrupts of single devices are recorded, while the classes are off for all others.
 *
 * guest: cpus=2 memory=1024 slots=3 append=i8042.noaux;noirqdebug modprobe=virtio_pci,virtio_blk,virtio_net,uinput,tun,loop,dummy,ipv6 timeout=120
 *
 * The oracle is /proc/diskstats, and what the test itself reads.
 */
#include "device.h"

#include <sys/ioctl.h>
#include <sys/mman.h>

#define READS 20
#define BYTES 8192

static struct log everything;

static void plug_disk(const char *name, const char *slot)
{
	char drive[100], device[100];

	snprintf(drive, sizeof(drive), "if=none,id=of-%s,driver=null-co,size=64M,read-zeroes=on", name);
	snprintf(device, sizeof(device), "virtio-blk-pci,drive=of-%s,id=%s,bus=%s", name, name, slot);
	if (run_program("/bin/host-request", "drive_add", "0", drive, NULL) ||
	    run_program("/bin/host-request", "device_add", device, NULL))
		give_up("plugging %s", name);
}

/* Returns the ID that a disk has in the log. */
static uint32_t id_of(const char *name)
{
	log_free(&everything);
	everything = log_take();
	for_each_entry(entry, &everything)
		if ((entry->type & ~BCOS_TYPE_HISTORICAL) == BCOS_SET_DEVICE_NAME && !strcmp(entry_text(entry), name))
			return entry->source;
	give_up("no %s in the log", name);
}

static void read_disk(const char *path)
{
	void *page = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i, fd = open(path, O_RDONLY | O_CLOEXEC | O_DIRECT);

	for (i = 0; i < READS; i++)
		if (fd < 0 || page == MAP_FAILED || pread(fd, page, BYTES, i * BYTES) != BYTES)
			give_up("%s", path);
	munmap(page, BYTES);
	close(fd);
}

struct sum {
	uint64_t input, irqs;
};

/* Sums up the entries of a device since a time. */
static struct sum sum_of(uint32_t id, uint64_t since)
{
	struct sum sum = { 0 };

	log_free(&everything);
	everything = log_take();
	for_each_entry(entry, &everything) {
		if (entry->source != id || entry->time < since)
			continue;
		if (entry->type == BCOS_DEVICE_INPUT)
			sum.input += entry_word(entry);
		sum.irqs += entry->type == BCOS_IRQ;
	}
	return sum;
}

/* Reads both disks, and sums up what the log has of that. */
static void read_both(const uint32_t id[2], struct sum sum[2])
{
	uint64_t since = now_ns(CLOCK_BOOTTIME);

	read_disk("/dev/vda");
	read_disk("/dev/vdb");
	sum[0] = sum_of(id[0], since);
	sum[1] = sum_of(id[1], since);
}

static int fd;

static int ask_for(uint32_t classes, uint32_t device, uint32_t on)
{
	struct bcos_request request = { .classes = classes, .source = device, .on = on };

	return ioctl(fd, BCOS_IOC_REQUEST, &request) ? errno : 0;
}

static void set_mask(uint32_t clear, uint32_t set)
{
	struct bcos_mask mask = { .clear = clear, .set = set };

	if (ioctl(fd, BCOS_IOC_MASK, &mask))
		give_up("mask");
}

static bool is_masked(const char *class)
{
	char text[200];

	return read_file("/sys/module/bcos_evlog/parameters/mask", text, sizeof(text)) > 0 && strstr(text, class);
}

int main(void)
{
	const uint64_t bytes = READS * BYTES;
	struct sum sum[2];
	uint32_t id[2];

	load_module("mask=assign");
	fd = open_log(O_RDWR);
	plug_disk("disk1", "slot1");
	WAIT_FOR(can_open("/dev/vda"));
	plug_disk("disk2", "slot2");
	WAIT_FOR(can_open("/dev/vdb"));
	id[0] = id_of("vda");
	id[1] = id_of("vdb");

	read_both(id, sum);
	make_point(!sum[0].input && !sum[1].input && !sum[0].irqs && !sum[1].irqs,
		   "with the classes off there is nothing");
	make_point(!ask_for(BCOS_CLASS_IO, id[0], 1), "transfers of one disk are asked for");
	read_both(id, sum);
	make_point(sum[0].input == bytes, "they are all there (%llu)", (unsigned long long)sum[0].input);
	make_point(!sum[1].input && !sum[0].irqs && !sum[1].irqs, "and nothing else");
	make_point(!is_masked("io"), "and the mask is what it was");
	make_point(!ask_for(BCOS_CLASS_IO | BCOS_CLASS_IRQ, id[1], 1), "both of the other disk");
	read_both(id, sum);
	make_point(sum[0].input == bytes && sum[1].input == bytes && !sum[0].irqs && sum[1].irqs,
		   "each has what was asked for (%llu and %llu bytes, %llu and %llu interrupts)",
		   (unsigned long long)sum[0].input, (unsigned long long)sum[1].input, (unsigned long long)sum[0].irqs,
		   (unsigned long long)sum[1].irqs);
	set_mask(0, BCOS_CLASS_IO);
	make_point(!ask_for(BCOS_CLASS_IO, id[0], 0), "it is taken back while all are recorded");
	read_both(id, sum);
	make_point(sum[0].input == bytes && sum[1].input == bytes, "which changes nothing");
	set_mask(BCOS_CLASS_IO, 0);
	read_both(id, sum);
	make_point(!sum[0].input && sum[1].input == bytes, "until the class is off");
	make_point(!ask_for(BCOS_CLASS_IO | BCOS_CLASS_IRQ, id[1], 0), "the other is taken back");
	read_both(id, sum);
	make_point(!sum[0].input && !sum[1].input && !sum[1].irqs, "and then there is nothing");
	make_point(ask_for(BCOS_CLASS_IO, id[0], 0) == ENOENT, "what was not asked for cannot be taken back: ENOENT");
	make_point(ask_for(BCOS_CLASS_IO, 0x3FFFFFFF, 1) == ENODEV, "of no device: ENODEV");
	make_point(ask_for(BCOS_CLASS_IO | BCOS_CLASS_API, id[0], 1) == EINVAL && ask_for(0, id[0], 1) == EINVAL,
		   "of a process and a device, or of nothing: EINVAL");
	make_point(!ask_for(BCOS_CLASS_IO, id[0], 1), "a disk is asked for");
	if (run_program("/bin/host-request", "device_del", "disk1", NULL))
		give_up("device_del");
	WAIT_FOR(access("/sys/block/vda", F_OK));
	WAIT_FOR(ask_for(BCOS_CLASS_IO, id[0], 0) == ENODEV);
	make_point(true, "when it goes, the request goes with it");
	log_check(&everything, "the log");
	make_point(run_program("./bcoslog", "mask", "--device", "0x3FFFFFFF", "+io", NULL) == 2 << 8,
		   "bcoslog mask says what is wrong");
	close(fd);
	unload_module();
	if (run_program("/bin/host-request", "device_del", "disk2", NULL))
		give_up("device_del");
	WAIT_FOR(access("/sys/block/vdb", F_OK));
	return finish_test();
}
