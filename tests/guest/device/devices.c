// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Disks and network interfaces are plugged in, used, renamed and pulled out.
 *
 * guest: cpus=2 memory=1024 slots=3 append=i8042.noaux;noirqdebug modprobe=virtio_pci,virtio_blk,virtio_net,uinput,tun,loop,dummy,ipv6 timeout=180 also=all
 * guest: cpus=2 memory=1024 slots=3 append=i8042.noaux;noirqdebug modprobe=virtio_pci,virtio_blk,virtio_net,uinput,tun,loop,dummy,ipv6 timeout=180 engine=bpf also=6.1
 *
 * The oracles are the kernel's own counts in /proc/diskstats, /proc/net/dev and /proc/interrupts, QEMU, which
 * plugs, and what the test itself does.
 */
#include "account.h"

#include <sys/mman.h>
#ifdef __aarch64__
#include <sys/utsname.h>
#endif

static struct log everything;

static void take_everything(void)
{
	log_free(&everything);
	everything = log_take();
}

static bool is_there(const char *path)
{
	return !access(path, F_OK);
}

/* A device that exists at load is in the first group, and nowhere else. */
static void test_found(void)
{
	const struct bcos_entry *lo;

	take_everything();
	lo = device_named(&everything, NULL, "lo");
	make_point(lo && lo->type == BCOS_HIST_SET_DEVICE_NAME, "what was there at load is in the first group");
	make_point(lo && !device_named(&everything, lo, "lo"), "once");
}

/* ---- disks ------------------------------------------------------------------------ */

static void disk_bytes(const char *disk, uint64_t *read, uint64_t *written)
{
	char text[16384], name[12];
	char *at;

	snprintf(name, sizeof(name), " %s ", disk);
	if (read_file("/proc/diskstats", text, sizeof(text)) < 0 || !(at = strstr(text, name)))
		give_up("no %s in /proc/diskstats", disk);
	if (sscanf(at + strlen(name), "%*u %*u %lu %*u %*u %*u %lu", read, written) != 2)
		give_up("/proc/diskstats");
	*read *= 512;
	*written *= 512;
}

static void move_data(const char *disk)
{
	int fd = open(disk, O_RDWR | O_CLOEXEC | O_DIRECT), i;
	char *page = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (fd < 0 || page == MAP_FAILED)
		give_up("%s", disk);
	for (i = 1; i <= 16; i++)
		if (pwrite(fd, page, (size_t)i * 512, i * 8192) != i * 512 || pread(fd, page, 65536, 0) != 65536)
			give_up("%s", disk);
	if (fsync(fd))
		give_up("fsync");
	munmap(page, 65536);
	close(fd);
}

static void fail_to_read(const char *disk)
{
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open(disk, O_RDONLY | O_CLOEXEC | O_DIRECT);

	if (fd < 0 || page == MAP_FAILED || pread(fd, page, 4096, 65536) >= 0 || errno != EIO)
		give_up("%s should not be readable", disk);
	munmap(page, 4096);
	close(fd);
}

/*
 * On arm64, BPF programs hook functions since Linux 6.4. Before that, BPF names a disk when its first request is done,
 * which is after the interrupt of that request.
 */
static bool names_a_disk_late(void)
{
#ifdef __aarch64__
	int major = 0, minor = 0;
	struct utsname system;

	return by_engine() && !uname(&system) && sscanf(system.release, "%d.%d", &major, &minor) == 2 &&
	       (major < 6 || (major == 6 && minor < 4));
#else
	return false;
#endif
}

/* Return: the ID of the disk, which stays plugged in. */
static uint32_t test_disk(void)
{
	uint64_t read[2], written[2], irqs;
	const struct bcos_entry *disk;
	struct account sum;

	HOST("drive_add", "0", "if=none,id=d1,driver=null-co,size=64M,read-zeroes=on");
	HOST("device_add", "virtio-blk-pci,drive=d1,id=disk1,bus=slot1");
	WAIT_FOR(is_there("/sys/block/vda/queue"));
	WAIT_FOR(can_open("/dev/vda"));
	move_data("/dev/vda");
	disk_bytes("vda", &read[0], &written[0]);
	irqs = interrupts_of("virtio0-req.0") + interrupts_of("virtio0-req.1");
	take_everything();
	disk = device_named(&everything, NULL, "vda");
	sum = account_of(&everything, disk);
	make_point(disk && disk->type == BCOS_SET_DEVICE_NAME && disk->source < BCOS_DEVICE_NETWORK,
		   "a disk that is plugged in is named, in its range");
	/* The log has the transfers of the disk from its first request on. */
	make_point(sum.input == read[0] && read[0] >= 16 * 65536, "input %llu, the kernel counts %llu",
		   (unsigned long long)sum.input, (unsigned long long)read[0]);
	make_point(sum.output == written[0] && written[0] == 512 * 136, "output %llu, the kernel counts %llu",
		   (unsigned long long)sum.output, (unsigned long long)written[0]);
	make_point(irqs && (sum.irqs == irqs || (names_a_disk_late() && sum.irqs + 1 == irqs)),
		   "interrupts %llu, the kernel counts %llu",
		   (unsigned long long)sum.irqs, (unsigned long long)irqs);
	log_check(&everything, "the log with a disk");
	return disk ? disk->source : 0;
}

/* The disk goes, and another one comes whose reads fail. */
static void test_bad_disk(uint32_t id)
{
	const struct bcos_entry *disk, *next;
	struct account sum;

	HOST("device_del", "disk1");
	WAIT_FOR(!is_there("/sys/block/vda"));
	HOST("drive_add", "0", "if=none,id=d2,driver=blkdebug,image.driver=null-co,image.size=1M,"
			       "image.read-zeroes=on,inject-error.0.event=none,inject-error.0.iotype=read,"
			       "inject-error.0.errno=5,rerror=report,werror=report");
	HOST("device_add", "virtio-blk-pci,drive=d2,id=disk2,bus=slot3");
	WAIT_FOR(is_there("/sys/block/vda/queue"));
	WAIT_FOR(can_open("/dev/vda"));
	fail_to_read("/dev/vda");
	take_everything();
	disk = device_named(&everything, NULL, "vda");
	sum = account_of(&everything, disk);
	make_point(sum.end && !entry_word(sum.end), "when it goes in order it is cancelled, with 0 (%#x)",
		   sum.end ? entry_word(sum.end) : 0);
	next = sum.end ? device_named(&everything, sum.end, "vda") : NULL;
	make_point(next && next->source == id, "and then its ID is used again");
	sum = account_of(&everything, next);
	make_point(sum.faults && !sum.input, "reads that fail say so, with their errno, and are no input (%llu)",
		   (unsigned long long)sum.faults);
	HOST("device_del", "disk2");
	WAIT_FOR(!is_there("/sys/block/vda"));
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
			give_up("/tmp/loop");
	close(file);
	if (run_program("/bin/losetup", "/dev/loop0", "/tmp/loop", NULL))
		give_up("losetup");
	disk_bytes("loop0", &read, &written);
	take_everything();
	loop = device_named(&everything, NULL, "loop0 (stacked)");
	make_point(loop, "a device that works on another is marked");
	sum = account_of(&everything, loop);
	make_point(sum.input == read && sum.output == written,
		   "what it transfers is what the kernel counts (%llu, %llu)",
		   (unsigned long long)sum.input, (unsigned long long)read);
	if (run_program("/bin/losetup", "-d", "/dev/loop0", NULL))
		give_up("losetup -d");
}

/* ---- network ---------------------------------------------------------------------- */

static void net_bytes(const char *device, uint64_t *in, uint64_t *out, uint64_t *packets_in, uint64_t *packets_out)
{
	char text[8192], name[20];
	char *at;

	snprintf(name, sizeof(name), "%s:", device);
	if (read_file("/proc/net/dev", text, sizeof(text)) < 0 || !(at = strstr(text, name)))
		give_up("no %s in /proc/net/dev", device);
	if (sscanf(at + strlen(name), "%lu %lu %*u %*u %*u %*u %*u %*u %lu %lu", in, packets_in, out, packets_out) != 4)
		give_up("/proc/net/dev");
}

static uint64_t read_carrier(const char *device)
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

static bool is_said(const struct bcos_entry *from, const char *text)
{
	const struct bcos_entry *entry = from;

	while (from && (entry = entry_find(&everything, entry, BCOS_GENERIC_DEVICE, from->source)))
		if (!strcmp(entry_text(entry), text))
			return true;
	return false;
}

static void test_net(void)
{
	uint64_t in, out, packets_in, packets_out;
	const struct bcos_entry *eth, *lan;
	struct account sum;

	HOST("netdev_add", "user,id=n1");
	HOST("device_add", "virtio-net-pci,netdev=n1,id=net1,bus=slot2");
	WAIT_FOR(is_there("/sys/class/net/eth0"));
	if (run_program("/bin/ifconfig", "eth0", "10.0.2.15", "up", NULL))
		give_up("ifconfig");
	WAIT_FOR(read_carrier("eth0"));
	if (run_program("/bin/ping", "-c", "5", "-i", "0.1", "-s", "900", "10.0.2.2", NULL))
		give_up("ping");
	HOST("set_link", "net1", "off");
	WAIT_FOR(!read_carrier("eth0"));
	HOST("set_link", "net1", "on");
	WAIT_FOR(read_carrier("eth0"));
	if (run_program("/bin/ip", "link", "set", "eth0", "down", NULL))
		give_up("down");
	/* The kernel counts a sent packet when the device has returned it. */
	net_bytes("eth0", &in, &out, &packets_in, &packets_out);
	WAIT_FOR(all_sent("eth0", 5));
	net_bytes("eth0", &in, &out, &packets_in, &packets_out);
	if (run_program("/bin/ip", "link", "set", "eth0", "name", "lan0", NULL))
		give_up("rename");
	WAIT_FOR((take_everything(), device_named(&everything, NULL, "lan0")));
	HOST("device_del", "net1");
	WAIT_FOR(!is_there("/sys/class/net/lan0"));
	HOST("netdev_del", "n1");
	take_everything();
	eth = device_named(&everything, NULL, "eth0");
	sum = account_of(&everything, eth);
	make_point(eth && eth->source >= BCOS_DEVICE_NETWORK && eth->source < BCOS_DEVICE_USER_IO,
		   "an interface that is plugged in is named, in its range");
	make_point(sum.input == in && sum.inputs == packets_in && in > 5 * 900,
		   "received: %llu bytes, the kernel counts %llu",
		   (unsigned long long)sum.input, (unsigned long long)in);
	make_point(sum.output >= out && sum.outputs >= packets_out && out > 5 * 900,
		   "sent: %llu bytes, the kernel counts %llu", (unsigned long long)sum.output, (unsigned long long)out);
	make_point(sum.irqs, "interrupts of it are its own");
	make_point(is_said(eth, "link up") && is_said(eth, "link down"), "its link goes up and down");
	lan = device_named(&everything, eth, "lan0");
	make_point(lan && lan->source == eth->source && lan->type == BCOS_SET_DEVICE_NAME, "it is renamed");
	make_point(sum.end && lan < sum.end, "and cancelled when it goes");
	log_check(&everything, "the log with a network interface");
}

int main(void)
{
	load_module("");
	test_found();
	test_bad_disk(test_disk());
	test_loop();
	test_net();
	unload_module();
	return finish_test();
}
