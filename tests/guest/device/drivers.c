// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A keyboard, and devices whose drivers are programs: network interfaces and an input device.
 *
 * guest: cpus=2 x86=the;keyboard;of;a;PC memory=1024 slots=3 append=i8042.noaux;noirqdebug modprobe=virtio_pci,virtio_blk,virtio_net,uinput,tun,loop,dummy,ipv6 timeout=120 also=6.1
 *
 * The oracles are the kernel's own counts in /proc/interrupts, QEMU, which presses keys, and what the test itself does.
 * The machine has to have uinput and tun, and no mouse, since the lines of an i8042 go to the first device that it has.
 * All tests of devices use this machine, so that they share a boot.
 */
#include "account.h"
#include "device.h"

#include <linux/if_tun.h>
#include <linux/uinput.h>
#include <net/if.h>
#include <sys/ioctl.h>

static struct log everything;

static void take_everything(void)
{
	log_free(&everything);
	everything = log_take();
}

/* ---- a keyboard -------------------------------------------------------------------- */

static void test_keyboard(void)
{
	uint64_t before = interrupts_of("i8042"), after;
	const struct bcos_entry *keyboard;
	struct account sum;
	int i;

	for (i = 0; i < 3; i++)
		HOST("sendkey", "a");
	/* Each key is pressed and released. */
	WAIT_FOR(interrupts_of("i8042") >= before + 6);
	after = interrupts_of("i8042");
	/*
	 * The kernel counts an interrupt before it tells anybody of it, and the keyboard's driver reports the key after
	 * that.
	 */
	WAIT_FOR((take_everything(), keyboard = device_named(&everything, NULL, "AT Translated Set 2 keyboard"),
		  sum = account_of(&everything, keyboard), sum.irqs >= after - before && sum.inputs >= 6));
	make_point(keyboard && keyboard->source >= BCOS_DEVICE_USER_IO && keyboard->source < BCOS_DEVICE_OTHER,
		   "the keyboard is named, in its range");
	make_point(sum.irqs >= after - before, "its interrupts are its own (%llu, %llu)", (unsigned long long)sum.irqs,
		   (unsigned long long)(after - before));
	make_point(sum.inputs >= 6 && sum.input % sizeof(struct input_event) == 0,
		   "and it reports (%llu reports, %llu bytes)",
		   (unsigned long long)sum.inputs, (unsigned long long)sum.input);
}

static void test_off(void)
{
	struct bcos_mask mask = { .clear = BCOS_CLASS_IO };
	const struct bcos_entry *keyboard;
	struct account before, after;
	uint64_t irqs = interrupts_of("i8042");
	int fd = open_log(O_RDWR);

	if (ioctl(fd, BCOS_IOC_MASK, &mask))
		give_up("mask");
	take_everything();
	keyboard = device_named(&everything, NULL, "AT Translated Set 2 keyboard");
	before = account_of(&everything, keyboard);
	HOST("sendkey", "b");
	WAIT_FOR(interrupts_of("i8042") >= irqs + 2);
	take_everything();
	keyboard = device_named(&everything, NULL, "AT Translated Set 2 keyboard");
	after = account_of(&everything, keyboard);
	make_point(after.irqs > before.irqs && after.inputs == before.inputs,
		   "with the class off nothing is a transfer (%llu interrupts, %llu reports)",
		   (unsigned long long)(after.irqs - before.irqs), (unsigned long long)(after.inputs - before.inputs));
	mask = (struct bcos_mask){ .set = BCOS_CLASS_IO };
	if (ioctl(fd, BCOS_IOC_MASK, &mask) || !(mask.active & BCOS_CLASS_IO))
		give_up("mask");
	HOST("sendkey", "b");
	WAIT_FOR(interrupts_of("i8042") >= irqs + 4);
	take_everything();
	keyboard = device_named(&everything, NULL, "AT Translated Set 2 keyboard");
	after = account_of(&everything, keyboard);
	make_point(after.inputs > before.inputs, "until it is on again");
	close(fd);
}

/* ---- drivers in user space ----------------------------------------------------------- */

static void make_tun(const char *name, bool persistent)
{
	struct ifreq request = { .ifr_flags = IFF_TUN | IFF_NO_PI };
	int fd = open("/dev/net/tun", O_RDWR);

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
	if (fd < 0 || ioctl(fd, TUNSETIFF, &request) || (persistent && ioctl(fd, TUNSETPERSIST, 1)))
		give_up("tun");
}

static void drives_tuns(void *argument)
{
	make_tun("goes0", false);
	make_tun("stays0", true);
	_exit(5);
}

static void test_tun(void)
{
	pid_t pid = spawn_child(drives_tuns, NULL);
	const struct bcos_entry *goes, *stays, *again;
	struct account gone, left;

	reap_child(pid, NULL);
	/* The parent is told a moment before the child's last switch. */
	WAIT_FOR((take_everything(), entry_find(&everything, NULL, BCOS_CANCEL_PROCESS_NAME, (uint32_t)pid)));
	goes = device_named(&everything, NULL, "goes0");
	stays = device_named(&everything, NULL, "stays0");
	gone = account_of(&everything, goes);
	left = account_of(&everything, stays);
	make_point(goes && entry_word(goes) == (uint32_t)pid, "an interface of a program has that as its driver");
	make_point(gone.end && (entry_word(gone.end) == 5 || !entry_word(gone.end)), "and is cancelled with it (%#x)",
		   gone.end ? entry_word(gone.end) : 0);
	make_point(left.end && entry_word(left.end) == 5, "one that stays is cancelled with its driver's status");
	again = left.end ? device_named(&everything, left.end, "stays0") : NULL;
	make_point(again && again->source == stays->source && !entry_word(again), "and is the kernel's from then on");
	if (run_program("/bin/ip", "link", "del", "stays0", NULL))
		give_up("ip link del");
	log_check(&everything, "the log with interfaces of a program");
}

static void drives_uinput(void *argument)
{
	struct input_event events[4] = {
		{ .type = EV_KEY, .code = KEY_A, .value = 1 }, { .type = EV_SYN },
		{ .type = EV_KEY, .code = KEY_A, .value = 0 }, { .type = EV_SYN },
	};
	int fd = input_start("made up");

	if (write(fd, events, sizeof(events)) != sizeof(events))
		give_up("uinput write");
	_exit(6);
}

static void test_uinput(void)
{
	pid_t pid = spawn_child(drives_uinput, NULL);
	const struct bcos_entry *device;
	struct account sum;

	reap_child(pid, NULL);
	take_everything();
	device = device_named(&everything, NULL, "made up");
	sum = account_of(&everything, device);
	make_point(device && entry_word(device) == (uint32_t)pid && device->source >= BCOS_DEVICE_USER_IO,
		   "an input device of a program has that as its driver");
	make_point(sum.inputs == 2 && sum.input == 4 * sizeof(struct input_event),
		   "what it reports is input (%llu bytes)", (unsigned long long)sum.input);
	make_point(sum.end, "and it is cancelled with the program");
	log_check(&everything, "the log with an input device of a program");
}

int main(void)
{
	load_module("");
	test_keyboard();
	test_tun();
	test_uinput();
	test_off();
	unload_module();
	return finish_test();
}
