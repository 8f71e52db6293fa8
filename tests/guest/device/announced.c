// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Announcements of the kernel: terminals, USB devices, media that are changed; and the interrupts of a SATA disk.
 *
 * guest: cpus=2 memory=512 slots=2 modprobe=ahci,sd_mod,sr_mod,xhci_pci,usbcore,virtio_pci,virtio_scsi qemu=-drive;if=none,id=d0,driver=null-co,size=64M,read-zeroes=on;-device;ide-hd,bus=ide.0,drive=d0 timeout=120
 *
 * The oracles are the kernel's own counts in /proc/interrupts, QEMU, which plugs and ejects, and what the test itself
 * does.
 */
#include "account.h"

#include <sys/mman.h>

#define READS 20

static struct log everything;

static void take_everything(void)
{
	log_free(&everything);
	everything = log_take();
}

/* Returns the interrupts of the line whose action begins with @action. */
static uint64_t interrupts_like(const char *action)
{
	char text[16384], *at, *line;

	if (read_file("/proc/interrupts", text, sizeof(text)) < 0)
		give_up("/proc/interrupts");
	at = strstr(text, action);
	if (!at)
		give_up("no %s in /proc/interrupts", action);
	for (line = at; line > text && line[-1] != '\n'; line--)
		;
	line = strchr(line, ':') + 1;
	return strtoull(line, &line, 10) + strtoull(line, &line, 10);
}

static void test_sata(void)
{
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct bcos_entry *disk;
	struct account sum, before;
	uint64_t irqs;
	int fd, i;

	WAIT_FOR(can_open("/dev/sda"));
	fd = open("/dev/sda", O_RDONLY | O_DIRECT | O_CLOEXEC);
	take_everything();
	before = account_of(&everything, device_named(&everything, NULL, "sda"));
	irqs = interrupts_like("ahci");
	for (i = 0; i < READS; i++)
		if (pread(fd, page, 4096, i * 4096) != 4096)
			give_up("/dev/sda");
	irqs = interrupts_like("ahci") - irqs;
	take_everything();
	disk = device_named(&everything, NULL, "sda");
	sum = account_of(&everything, disk);
	make_point(disk && disk->source < BCOS_DEVICE_NETWORK && sum.input - before.input == READS * 4096,
		   "a SATA disk has its transfers (%llu bytes)", (unsigned long long)(sum.input - before.input));
	make_point(irqs >= READS && sum.irqs - before.irqs == irqs, "and its interrupts (%llu, the kernel counts %llu)",
		   (unsigned long long)(sum.irqs - before.irqs), (unsigned long long)irqs);
	munmap(page, 4096);
	close(fd);
}

static void test_tty(void)
{
	const struct bcos_entry *port = device_named(&everything, NULL, "ttyS0");

	make_point(port && port->type == BCOS_HIST_SET_DEVICE_NAME && port->source >> 30 == BCOS_DEVICE_USER_IO >> 30,
		   "a serial port is named in the first group, in its range");
	make_point(!device_named(&everything, NULL, "tty1"), "a terminal of the screen is not");
}

static void test_usb(void)
{
	const struct bcos_entry *hub, *keyboard;
	struct account sum;

	HOST("device_add", "qemu-xhci,id=xhci,bus=slot1");
	WAIT_FOR((take_everything(), hub = device_named(&everything, NULL, "usb usb1")));
	make_point(hub->type == BCOS_SET_DEVICE_NAME && hub->source >> 30 == BCOS_DEVICE_OTHER >> 30,
		   "a USB controller that is plugged in brings a hub");
	HOST("device_add", "usb-kbd,bus=xhci.0,id=keyboard");
	WAIT_FOR((take_everything(),
		  keyboard = device_named(&everything, NULL, "usb 1-1") ?: device_named(&everything, NULL, "usb 1-5")));
	make_point(keyboard->source >> 30 == BCOS_DEVICE_OTHER >> 30, "a USB device is named when it is plugged in");
	HOST("device_del", "keyboard");
	WAIT_FOR((take_everything(),
		  keyboard = device_named(&everything, NULL, "usb 1-1") ?: device_named(&everything, NULL, "usb 1-5"),
		  sum = account_of(&everything, keyboard), sum.end));
	make_point(!entry_word(sum.end), "and cancelled when it is pulled out");
}

static const struct bcos_entry *event_of(uint32_t device, const char *text)
{
	for_each_entry(entry, &everything)
		if (entry->type == BCOS_GENERIC_DEVICE && entry->source == device && !strcmp(entry_text(entry), text))
			return entry;
	return NULL;
}

static void test_medium(void)
{
	const struct bcos_entry *drive;

	HOST("device_add", "virtio-scsi-pci,id=scsi,bus=slot2");
	HOST("drive_add", "0", "if=none,id=cd,driver=null-co,size=16M,read-zeroes=on,read-only=on");
	HOST("device_add", "scsi-cd,bus=scsi.0,drive=cd,id=drive");
	WAIT_FOR(can_open("/dev/sr0"));
	if (!write_file("/sys/block/sr0/events_poll_msecs", "500"))
		give_up("events_poll_msecs");
	WAIT_FOR((take_everything(), drive = device_named(&everything, NULL, "sr0")));
	HOST("eject", "-f", "cd");
	WAIT_FOR((take_everything(), drive = device_named(&everything, NULL, "sr0"),
		  event_of(drive->source, "media change")));
	make_point(true, "a medium that is taken out is an event of its drive");
}

int main(void)
{
	load_module("mask=assign,irq,io");
	test_sata();
	test_tty();
	test_usb();
	test_medium();
	log_check(&everything, "the log is well-formed");
	unload_module();
	/* Load the module again: nothing of the first time must listen any more. */
	load_module(NULL);
	take_everything();
	make_point(device_named(&everything, NULL, "ttyS0") && device_named(&everything, NULL, "sda"),
		   "a second time it is the same");
	unload_module();
	return finish_test();
}
