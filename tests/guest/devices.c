// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Disks and network interfaces that are plugged in, used, renamed and pulled out; a keyboard; drivers in user space.
 *
 * guest: cpus=2 slots=3 modprobe=virtio_pci,virtio_blk,virtio_net,uinput,tun,loop timeout=180 rt=yes
 *
 * The oracles are the kernel's own counts in /proc/diskstats, /proc/net/dev and /proc/interrupts, QEMU, which
 * plugs and presses keys, and what the test itself does.
 */
#include "device.h"

#include <linux/if_tun.h>
#include <linux/uinput.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#define DISK_MIB 64

static struct log everything;

static void take(void)
{
	log_free(&everything);
	everything = log_take();
}

/* A command of QEMU's monitor. */
#define HOST(...) \
	do { \
		if (run("/bin/host-request", __VA_ARGS__, NULL)) \
			die("host-request " #__VA_ARGS__); \
	} while (0)

static bool there(const char *path)
{
	return !access(path, F_OK);
}

/* ---- what the log says ---------------------------------------------------------- */

static const struct bcos_entry *named(const struct bcos_entry *after, const char *name)
{
	const struct bcos_entry *entry = after;

	while ((entry = entry_after(&everything, entry)))
		if ((entry->type & ~BCOS_TYPE_HISTORICAL) == BCOS_SET_DEVICE_NAME && !strcmp(entry_text(entry), name))
			return entry;
	return NULL;
}

/* Of a device from where it got its name to where it is cancelled, or the end. */
struct account {
	uint64_t input, output, faults, inputs, outputs, irqs;
	uint64_t irqs_of[16];
	const struct bcos_entry *end;	/* its Cancel Device Name, or NULL */
};

static struct account account(const struct bcos_entry *from)
{
	const struct bcos_entry *entry = from;
	struct account sum = { 0 };

	while (from && (entry = entry_after(&everything, entry))) {
		if (entry->source != from->source)
			continue;
		switch (entry->type) {
		case BCOS_DEVICE_INPUT: sum.input += entry_word(entry); sum.inputs++; break;
		case BCOS_DEVICE_OUTPUT: sum.output += entry_word(entry); sum.outputs++; break;
		case BCOS_IRQ:
			sum.irqs++;
			if (entry_word(entry) < 16)
				sum.irqs_of[entry_word(entry)]++;
			break;
		case BCOS_GENERIC_DEVICE:
			sum.faults += !!strstr(entry_text(entry), "failed: errno 5");
			break;
		case BCOS_CANCEL_DEVICE_NAME: sum.end = entry; return sum;
		}
	}
	return sum;
}

static bool says(const struct bcos_entry *from, const char *text)
{
	const struct bcos_entry *entry = from;

	while (from && (entry = entry_find(&everything, entry, BCOS_GENERIC_DEVICE, from->source)))
		if (!strcmp(entry_text(entry), text))
			return true;
	return false;
}

/* ---- what the kernel says -------------------------------------------------------- */

static void disk_bytes(const char *disk, uint64_t *read, uint64_t *written)
{
	char text[16384], name[12];
	char *at;

	snprintf(name, sizeof(name), " %s ", disk);
	if (read_file("/proc/diskstats", text, sizeof(text)) < 0 || !(at = strstr(text, name)))
		die("no %s in /proc/diskstats", disk);
	if (sscanf(at + strlen(name), "%*u %*u %lu %*u %*u %*u %lu", read, written) != 2)
		die("/proc/diskstats");
	*read *= 512;
	*written *= 512;
}

static void net_bytes(const char *device, uint64_t *in, uint64_t *out, uint64_t *packets_in, uint64_t *packets_out)
{
	char text[8192], name[20];
	char *at;

	snprintf(name, sizeof(name), "%s:", device);
	if (read_file("/proc/net/dev", text, sizeof(text)) < 0 || !(at = strstr(text, name)))
		die("no %s in /proc/net/dev", device);
	if (sscanf(at + strlen(name), "%lu %lu %*u %*u %*u %*u %*u %*u %lu %lu", in, packets_in, out, packets_out) != 4)
		die("/proc/net/dev");
}

/* Sum of all lines of /proc/interrupts whose action is this. */
static uint64_t interrupts_of(const char *action)
{
	static char text[65536];
	uint64_t sum = 0;
	char *line, *next, *at;
	size_t length;
	int i;

	if (read_file("/proc/interrupts", text, sizeof(text)) < 0)
		die("/proc/interrupts");
	for (line = text; *line; line = next) {
		length = strcspn(line, "\n");
		next = line + length + (line[length] == '\n');
		line[length] = 0;
		if (length < strlen(action) || strcmp(line + length - strlen(action), action))
			continue;
		at = strchr(line, ':') + 1;
		for (i = 0; i < cpus(); i++)
			sum += strtoull(at, &at, 10);
	}
	return sum;
}

/* ---- disks ------------------------------------------------------------------------ */

static void move_data(const char *disk)
{
	int fd = open(disk, O_RDWR | O_CLOEXEC | O_DIRECT), i;
	char *page = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (fd < 0 || page == MAP_FAILED)
		die("%s", disk);
	for (i = 1; i <= 16; i++)
		if (pwrite(fd, page, (size_t)i * 512, i * 8192) != i * 512 || pread(fd, page, 65536, 0) != 65536)
			die("%s", disk);
	if (fsync(fd))
		die("fsync");
	munmap(page, 65536);
	close(fd);
}

static void fail_to_read(const char *disk)
{
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open(disk, O_RDONLY | O_CLOEXEC | O_DIRECT);

	if (fd < 0 || page == MAP_FAILED || pread(fd, page, 4096, 65536) >= 0 || errno != EIO)
		die("%s should not be readable", disk);
	munmap(page, 4096);
	close(fd);
}

static void test_disk(void)
{
	uint64_t read[2], written[2], irqs;
	const struct bcos_entry *disk, *next;
	struct account sum;
	uint32_t id;

	HOST("drive_add", "0", "if=none,id=d1,driver=null-co,size=64M,read-zeroes=on");
	HOST("device_add", "virtio-blk-pci,drive=d1,id=disk1,bus=slot1");
	WAIT_FOR(there("/sys/block/vda/queue"));
	WAIT_FOR(there("/dev/vda"));
	move_data("/dev/vda");
	disk_bytes("vda", &read[0], &written[0]);
	irqs = interrupts_of("virtio0-req.0") + interrupts_of("virtio0-req.1");
	take();
	disk = named(NULL, "vda");
	sum = account(disk);
	ok(disk && disk->type == BCOS_SET_DEVICE_NAME && disk->source < BCOS_DEVICE_NETWORK,
	   "a disk that is plugged in is named, in its range");
	/* From its first request on: the log has all of it. */
	ok(sum.input == read[0] && read[0] >= 16 * 65536, "input %llu, the kernel counts %llu", (unsigned long long)sum.input,
	   (unsigned long long)read[0]);
	ok(sum.output == written[0] && written[0] == 512 * 136, "output %llu, the kernel counts %llu",
	   (unsigned long long)sum.output, (unsigned long long)written[0]);
	ok(sum.irqs == irqs && irqs, "interrupts %llu, the kernel counts %llu", (unsigned long long)sum.irqs,
	   (unsigned long long)irqs);
	log_check(&everything, "the log with a disk");
	id = disk ? disk->source : 0;

	HOST("device_del", "disk1");
	WAIT_FOR(!there("/sys/block/vda"));
	/* One whose reads fail. */
	HOST("drive_add", "0", "if=none,id=d2,driver=blkdebug,image.driver=null-co,image.size=1M,"
			       "image.read-zeroes=on,inject-error.0.event=none,inject-error.0.iotype=read,"
			       "inject-error.0.errno=5,rerror=report,werror=report");
	HOST("device_add", "virtio-blk-pci,drive=d2,id=disk2,bus=slot3");
	WAIT_FOR(there("/sys/block/vda/queue"));
	WAIT_FOR(there("/dev/vda"));
	fail_to_read("/dev/vda");
	take();
	disk = named(NULL, "vda");
	sum = account(disk);
	ok(sum.end && !entry_word(sum.end), "when it goes in order it is cancelled, with 0 (%#x)",
	   sum.end ? entry_word(sum.end) : 0);
	next = sum.end ? named(sum.end, "vda") : NULL;
	ok(next && next->source == id, "and then its ID is used again");
	sum = account(next);
	ok(sum.faults && !sum.input, "reads that fail say so, with their errno, and are no input (%llu)",
	   (unsigned long long)sum.faults);
	HOST("device_del", "disk2");
	WAIT_FOR(!there("/sys/block/vda"));
	log_check(&everything, "the log with a disk that fails");
}

static void test_loop(void)
{
	const struct bcos_entry *loop;
	struct account sum;
	uint64_t read, written;
	char page[4096] = "";
	int i, file = open("/tmp/loop", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	for (i = 0; i < 256; i++)
		if (write(file, page, sizeof(page)) != sizeof(page))
			die("/tmp/loop");
	close(file);
	if (run("/bin/losetup", "/dev/loop0", "/tmp/loop", NULL))
		die("losetup");
	disk_bytes("loop0", &read, &written);
	take();
	loop = named(NULL, "loop0 (stacked)");
	ok(loop, "a device that works on another is marked");
	sum = account(loop);
	ok(sum.input == read && sum.output == written, "what it transfers is what the kernel counts (%llu, %llu)",
	   (unsigned long long)sum.input, (unsigned long long)read);
	if (run("/bin/losetup", "-d", "/dev/loop0", NULL))
		die("losetup -d");
}

/* ---- network ---------------------------------------------------------------------- */

static uint64_t carrier(const char *device)
{
	char path[80], text[10];

	snprintf(path, sizeof(path), "/sys/class/net/%s/carrier", device);
	return read_file(path, text, sizeof(text)) > 0 ? strtoull(text, NULL, 10) : 0;
}

static bool all_sent(const char *device, uint64_t packets)
{
	uint64_t in, out, packets_in, packets_out;

	net_bytes(device, &in, &out, &packets_in, &packets_out);
	return packets_out >= packets;
}

static void test_net(void)
{
	uint64_t in, out, packets_in, packets_out;
	const struct bcos_entry *eth, *lan;
	struct account sum;

	HOST("netdev_add", "user,id=n1");
	HOST("device_add", "virtio-net-pci,netdev=n1,id=net1,bus=slot2");
	WAIT_FOR(there("/sys/class/net/eth0"));
	if (run("/bin/ifconfig", "eth0", "10.0.2.15", "up", NULL))
		die("ifconfig");
	WAIT_FOR(carrier("eth0"));
	if (run("/bin/ping", "-c", "5", "-i", "0.1", "-s", "900", "10.0.2.2", NULL))
		die("ping");
	HOST("set_link", "net1", "off");
	WAIT_FOR(!carrier("eth0"));
	HOST("set_link", "net1", "on");
	WAIT_FOR(carrier("eth0"));
	if (run("/bin/ip", "link", "set", "eth0", "down", NULL))
		die("down");
	/* What was sent is counted when the device has given it back. */
	net_bytes("eth0", &in, &out, &packets_in, &packets_out);
	WAIT_FOR(all_sent("eth0", 5));
	net_bytes("eth0", &in, &out, &packets_in, &packets_out);
	if (run("/bin/ip", "link", "set", "eth0", "name", "lan0", NULL))
		die("rename");
	HOST("device_del", "net1");
	WAIT_FOR(!there("/sys/class/net/lan0"));
	take();
	eth = named(NULL, "eth0");
	sum = account(eth);
	ok(eth && eth->source >= BCOS_DEVICE_NETWORK && eth->source < BCOS_DEVICE_USER_IO,
	   "an interface that is plugged in is named, in its range");
	ok(sum.input == in && sum.inputs == packets_in && in > 5 * 900, "received: %llu bytes, the kernel counts %llu",
	   (unsigned long long)sum.input, (unsigned long long)in);
	ok(sum.output >= out && sum.outputs >= packets_out && out > 5 * 900, "sent: %llu bytes, the kernel counts %llu",
	   (unsigned long long)sum.output, (unsigned long long)out);
	ok(sum.irqs, "interrupts of it are its own");
	ok(says(eth, "link up") && says(eth, "link down"), "its link goes up and down");
	lan = named(eth, "lan0");
	ok(lan && lan->source == eth->source && lan->type == BCOS_SET_DEVICE_NAME, "it is renamed");
	ok(sum.end && lan < sum.end, "and cancelled when it goes");
	log_check(&everything, "the log with a network interface");
}

/* ---- input, and drivers in user space ---------------------------------------------- */

static void test_keyboard(void)
{
	uint64_t before = interrupts_of("i8042"), after;
	const struct bcos_entry *keyboard;
	struct account sum;
	int i;

	for (i = 0; i < 3; i++)
		HOST("sendkey", "a");
	/* Each is pressed and released. */
	WAIT_FOR(interrupts_of("i8042") >= before + 6);
	after = interrupts_of("i8042");
	take();
	keyboard = named(NULL, "AT Translated Set 2 keyboard");
	sum = account(keyboard);
	ok(keyboard && keyboard->source >= BCOS_DEVICE_USER_IO && keyboard->source < BCOS_DEVICE_OTHER,
	   "the keyboard is named, in its range");
	ok(sum.irqs >= after - before, "its interrupts are its own (%llu, %llu)", (unsigned long long)sum.irqs,
	   (unsigned long long)(after - before));
	ok(sum.inputs >= 6 && sum.input % sizeof(struct input_event) == 0, "and it reports (%llu reports, %llu bytes)",
	   (unsigned long long)sum.inputs, (unsigned long long)sum.input);
}

static void make_tun(const char *name, bool persistent)
{
	struct ifreq request = { .ifr_flags = IFF_TUN | IFF_NO_PI };
	int fd = open("/dev/net/tun", O_RDWR);

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
	if (fd < 0 || ioctl(fd, TUNSETIFF, &request) || (persistent && ioctl(fd, TUNSETPERSIST, 1)))
		die("tun");
}

static void drives_tuns(void *argument)
{
	make_tun("goes0", false);
	make_tun("stays0", true);
	_exit(5);
}

static void test_tun(void)
{
	pid_t pid = spawn(drives_tuns, NULL);
	const struct bcos_entry *goes, *stays, *again;
	struct account gone, left;

	reap(pid, NULL);
	take();
	goes = named(NULL, "goes0");
	stays = named(NULL, "stays0");
	gone = account(goes);
	left = account(stays);
	ok(goes && entry_word(goes) == (uint32_t)pid, "an interface of a program has that as its driver");
	ok(gone.end && (entry_word(gone.end) == 5 || !entry_word(gone.end)), "and is cancelled with it (%#x)",
	   gone.end ? entry_word(gone.end) : 0);
	ok(left.end && entry_word(left.end) == 5, "one that stays is cancelled with its driver's status");
	again = left.end ? named(left.end, "stays0") : NULL;
	ok(again && again->source == stays->source && !entry_word(again), "and is the kernel's from then on");
	if (run("/bin/ip", "link", "del", "stays0", NULL))
		die("ip link del");
	log_check(&everything, "the log with interfaces of a program");
}

static void drives_uinput(void *argument)
{
	struct uinput_setup setup = { .name = "made up", .id.bustype = BUS_VIRTUAL };
	struct input_event events[4] = {
		{ .type = EV_KEY, .code = KEY_A, .value = 1 }, { .type = EV_SYN },
		{ .type = EV_KEY, .code = KEY_A, .value = 0 }, { .type = EV_SYN },
	};
	int fd = open("/dev/uinput", O_WRONLY);

	if (fd < 0 || ioctl(fd, UI_SET_EVBIT, EV_KEY) || ioctl(fd, UI_SET_KEYBIT, KEY_A) ||
	    ioctl(fd, UI_DEV_SETUP, &setup) || ioctl(fd, UI_DEV_CREATE))
		die("uinput");
	if (write(fd, events, sizeof(events)) != sizeof(events))
		die("uinput write");
	_exit(6);
}

static void test_uinput(void)
{
	pid_t pid = spawn(drives_uinput, NULL);
	const struct bcos_entry *device;
	struct account sum;

	reap(pid, NULL);
	take();
	device = named(NULL, "made up");
	sum = account(device);
	ok(device && entry_word(device) == (uint32_t)pid && device->source >= BCOS_DEVICE_USER_IO,
	   "an input device of a program has that as its driver");
	ok(sum.inputs == 2 && sum.input == 4 * sizeof(struct input_event), "what it reports is input (%llu bytes)",
	   (unsigned long long)sum.input);
	ok(sum.end, "and it is cancelled with the program");
	log_check(&everything, "the log with an input device of a program");
}

/* What is there at load is in the first group, and not another time. */
static void test_found(void)
{
	const struct bcos_entry *lo;

	take();
	lo = named(NULL, "lo");
	ok(lo && lo->type == BCOS_HIST_SET_DEVICE_NAME, "what was there at load is in the first group");
	ok(lo && !named(lo, "lo"), "once");
}

static void test_off(void)
{
	struct bcos_mask mask = { .clear = BCOS_CLASS_IO };
	const struct bcos_entry *keyboard;
	struct account before, after;
	uint64_t irqs = interrupts_of("i8042");
	int fd = open_log(O_RDWR);

	if (ioctl(fd, BCOS_IOC_MASK, &mask))
		die("mask");
	take();
	keyboard = named(NULL, "AT Translated Set 2 keyboard");
	before = account(keyboard);
	HOST("sendkey", "b");
	WAIT_FOR(interrupts_of("i8042") >= irqs + 2);
	take();
	keyboard = named(NULL, "AT Translated Set 2 keyboard");
	after = account(keyboard);
	ok(after.irqs > before.irqs && after.inputs == before.inputs, "with the class off nothing is a transfer");
	mask = (struct bcos_mask){ .set = BCOS_CLASS_IO };
	if (ioctl(fd, BCOS_IOC_MASK, &mask) || !(mask.active & BCOS_CLASS_IO))
		die("mask");
	HOST("sendkey", "b");
	WAIT_FOR(interrupts_of("i8042") >= irqs + 4);
	take();
	keyboard = named(NULL, "AT Translated Set 2 keyboard");
	after = account(keyboard);
	ok(after.inputs > before.inputs, "until it is on again");
	close(fd);
}

int main(void)
{
	load("");
	test_found();
	test_disk();
	test_loop();
	test_net();
	test_keyboard();
	test_tun();
	test_uinput();
	test_off();
	unload();
	return finish();
}
