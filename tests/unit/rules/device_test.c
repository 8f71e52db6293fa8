// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Devices are named, renamed and cancelled. The tests also check transfers and faults of devices, and which interrupt
 * lines belong to a device.
 */
#include "core/rules/rules.h"
#include "core/model/device.h"
#include "check.h"
#include "oracle.h"
#include "staged.h"

#define DISK BCOS_RAW_KEY(BCOS_DEVICE_STORAGE, 0x1234)
#define NET BCOS_RAW_KEY(BCOS_DEVICE_NETWORK, 0x1234)
#define KEYS BCOS_RAW_KEY(BCOS_DEVICE_USER_IO, 0x1234)
#define NONE 0

static struct feed *begin_feed(void)
{
	struct feed *feed = calloc(1, sizeof(*feed));

	assert_non_null(feed);
	feed_start(feed, 2);
	feed->time = 2000;
	return feed;
}

static void put_record(struct feed *feed, struct feed_record record)
{
	feed_apply(feed, 0, &record);
}

static void finish_feed(struct feed *feed)
{
	feed_check(feed);
	feed_end(feed);
	free(feed);
}

/* Each range gives out its IDs from the lowest on, and a free ID again. */
static void test_names(void **state)
{
	struct feed *feed = begin_feed();
	u64 from = feed_mark(feed);

	put_record(feed, record_device(DISK, NONE, 0, 0, "vda|virtio1"));
	put_record(feed, record_device(NET, NONE, 0, 0, "eth0"));
	put_record(feed, record_device(KEYS, NONE, 0, 0, "keyboard"));
	put_record(feed, record_device(DISK + 1, NONE, 0, 0, "vdb"));
	put_record(feed, record_device(NET, NONE, 0, 0, "lan0"));
	put_record(feed, record_device(NET, NONE, 0, 0, "lan0"));
	put_record(feed, record_about(BCOS_RAW_DEVICE_GONE, DISK, 0, 0));
	put_record(feed, record_device(DISK + 2, NONE, 0, 0, "vdc"));
	put_record(feed, record_about(BCOS_RAW_DEVICE_GONE, KEYS, BCOS_RAW_SURPRISE, 0));
	check_text(feed, from,
		   "2000 0 device 0 vda\n"
		   "2000 1073741824 device 0 eth0\n"
		   "2000 0x80000000 device 0 keyboard\n"
		   "2000 1 device 0 vdb\n"
		   "2000 1073741824 device 0 lan0\n"
		   "2000 0 cancel device 0\n"
		   "2000 0 device 0 vdc\n"
		   "2000 0x80000000 cancel device 0xc0000000\n");
	finish_feed(feed);
}

static void test_link(void **state)
{
	struct feed *feed = begin_feed();
	u64 from;

	put_record(feed, record_device(NET, NONE, 0, 0, "eth0"));
	from = feed_mark(feed);
	put_record(feed, record_about(BCOS_RAW_LINK, NET, 0, 0));
	put_record(feed, record_about(BCOS_RAW_LINK, NET, 1, 0));
	put_record(feed, record_about(BCOS_RAW_LINK, NET, 1, 0));
	put_record(feed, record_about(BCOS_RAW_LINK, NET, 0, 0));
	check_text(feed, from,
		   "2000 1073741824 event 0x0 40 link up\n"
		   "2000 1073741824 event 0x0 40 link down\n");
	finish_feed(feed);
}

static void test_transfers(void **state)
{
	struct feed *feed = begin_feed();
	u64 from;

	put_record(feed, record_device(DISK, NONE, 0, 0, "vda"));
	from = feed_mark(feed);
	put_record(feed, record_about(BCOS_RAW_INPUT, DISK, 0, 4096));
	put_record(feed, record_about(BCOS_RAW_OUTPUT, DISK, 0, 512));
	put_record(feed, record_about(BCOS_RAW_OUTPUT, DISK, 0, 0x100000001ull));
	put_record(feed, record_fault(DISK, BCOS_OPERATION_WRITE, 512, 0xABCDEF012345ull, 5));
	put_record(feed, record_about(BCOS_RAW_INPUT, DISK + 1, 0, 4096));
	check_text(feed, from,
		   "2000 0 input 4096\n"
		   "2000 0 output 512\n"
		   "2000 0 output idle\n"
		   "2000 0 output 2\n"
		   "2000 0 event 0x0 80 write of 512 bytes at sector 188900966474565 failed: errno 5\n"
		   /* Nobody has named this device: the record is stated as lost, not dropped in silence. */
		   "2000 0 event 0x80000001 80 lost 1 records: about what has no name here, until 0.000002000 s\n");
	assert_int_equal(feed->log.stats.unnamed, 1);
	finish_feed(feed);
}

/*
 * If a process drives a device, the device ends with the process. If the log does not know the process, the kernel is
 * the driver.
 */
static void test_driver(void **state)
{
	struct feed *feed = begin_feed();
	u64 from;

	feed_birth(feed, 0, 100, 1, "driver");
	from = feed_mark(feed);
	put_record(feed, record_device(NET, 100, 1, 0, "tun0"));
	put_record(feed, record_device(NET + 1, 100, 2, 0, "tun1"));
	put_record(feed, record_device(NET + 2, 101, 0, 0, "tun2"));
	put_record(feed, record_device(NET + 3, 100, 1, 0, "tun3"));
	assert_int_equal(feed->log.model.driven_count, 2);
	assert_int_equal(bcos_log_request(&feed->log, 0x40000000, BCOS_CLASS_IO, true), 0);
	assert_false(feed->log.request_gone);
	feed_exit(feed, 0, 100, 1, 9);
	put_record(feed, record_about(BCOS_RAW_DEVICE_GONE, NET + 3, 0, 0));
	feed_dead(feed, 0, 100, 1, 9);
	check_text(feed, from,
		   "2000 1073741824 device 100 tun0\n"
		   "2000 1073741825 device 0 tun1\n"
		   "2000 1073741826 device 0 tun2\n"
		   "2000 1073741827 device 100 tun3\n"
		   "2000 1073741827 cancel device 0xc0000009\n"
		   "2000 1073741824 cancel device 0xc0000009\n"
		   "2000 1073741824 device 0 tun0\n"
		   "2000 100 cancel 0xc0000009\n");
	assert_int_equal(feed->log.model.driven_count, 0);
	/* The device of the request is gone. */
	assert_true(feed->log.request_gone);
	assert_int_equal(bcos_log_requested(&feed->log), 0);
	finish_feed(feed);
}

/*
 * More devices end with their driver than the ring has room for: the part of the log that is in the ring explains
 * itself.
 */
static void test_driver_of_many(void **state)
{
	struct feed *feed = begin_feed();
	struct feed_record dead = record_life(BCOS_RAW_DEAD, 100, 0, 1, 9, NULL);
	struct bcos_device *device;
	struct bcos_marks marks;
	u32 i, count = 2000;

	feed_birth(feed, 0, 100, 1, "driver");
	for (i = 0; i < count; i++)
		put_record(feed, record_device(NET + i, 100, 1, 0, "persistent"));
	assert_int_equal(feed->log.model.driven_count, count);
	/* This record writes more than the ring holds, so the tape cannot follow. */
	bcos_log_apply(&feed->log, 0, feed->time, &dead.raw);
	bcos_log_passed(&feed->log, feed->time);
	for (device = bcos_model_next_device(&feed->log.model, NULL); device;
	     device = bcos_model_next_device(&feed->log.model, device))
		assert_int_equal(device->driver, BCOS_PROCESS_KERNEL);
	assert_int_equal(feed->log.model.driven_count, 0);
	bcos_ring_marks(&feed->log.ring, &marks);
	assert_true(marks.head.offset - marks.oldest.offset <= feed->size);
	assert_null(oracle_check((const u8 *)feed->data + (marks.oldest.offset & (feed->size - 1)), 0,
				 marks.head.offset - marks.oldest.offset, feed->flags));
	feed_end(feed);
	free(feed);
}

#define OTHER "0xc0000001"

/* A line belongs to a device by the name of its action, or by the device that sends the message. */
static void test_lines(void **state)
{
	struct feed *feed = begin_feed();
	struct feed_record record;
	u64 from;

	put_record(feed, record_device(DISK, NONE, 0, 0, "vda|virtio1|0000:00:03.0"));
	put_record(feed, record_device(DISK + 1, NONE, 0, 0, "nvme0n1|nvme0|0000:00:04.0"));
	put_record(feed, record_device(NET, NONE, 0, 0, "eth0|0000:00:05.0"));
	from = feed_mark(feed);
	feed_irq_name(feed, 0, 30, false, 1, "virtio1-config");
	feed_irq_name(feed, 0, 31, false, 1, "virtio1-req.0");
	feed_irq_name(feed, 0, 32, false, 1, "virtio10-req.0");
	feed_irq_name(feed, 0, 33, false, 1, "nvme0q1");
	feed_irq_name(feed, 0, 34, false, 1, "eth0-rx-0");
	record = record_irq(35, false, 1, "mlx5_comp3");
	memcpy(record.irq_bus, "0000:00:05.0", 12);
	put_record(feed, record);
	feed_irq(feed, 0, 31, 1);
	check_text(feed, from,
		   "2000 0 irq 0\n"
		   "2000 0 irq 1\n"
		   "2000 " OTHER " device 0 virtio10-req.0\n"
		   "2000 " OTHER " irq 0\n"
		   "2000 1 irq 0\n"
		   "2000 1073741824 irq 0\n"
		   "2000 1073741824 irq 1\n"
		   "2000 0 irq 1\n");
	finish_feed(feed);
}

/* A line that fires before its device comes is a device of its own until then, and again after its device is gone. */
static void test_line_first(void **state)
{
	struct feed *feed = begin_feed();
	u64 from = feed_mark(feed);

	feed_irq_name(feed, 0, 30, false, 1, "virtio1-config");
	put_record(feed, record_device(DISK, NONE, 0, 0, "vda|virtio1"));
	feed_irq(feed, 0, 30, 1);
	put_record(feed, record_about(BCOS_RAW_DEVICE_GONE, DISK, 0, 0));
	feed_irq(feed, 0, 30, 1);
	check_text(feed, from,
		   "2000 " OTHER " device 0 virtio1-config\n"
		   "2000 " OTHER " irq 0\n"
		   "2000 0 device 0 vda\n"
		   "2000 " OTHER " cancel device 0\n"
		   "2000 0 irq 0\n"
		   "2000 0 cancel device 0\n"
		   "2000 " OTHER " device 0 irq 30\n"
		   "2000 " OTHER " irq 0\n");
	finish_feed(feed);
}

static void irq_of(struct feed *feed, u32 line, const char *name, const char *function)
{
	struct feed_record record = record_irq(line, false, 1, name);

	memcpy(record.irq_bus, function, strlen(function));
	put_record(feed, record);
}

/*
 * The lines of a PCI function without a device of its own belong to one device, until the last of them belongs to
 * another one.
 */
static void test_function(void **state)
{
	struct feed *feed = begin_feed();
	u64 from = feed_mark(feed);

	irq_of(feed, 30, "virtio2-config", "0000:00:06.0");
	irq_of(feed, 31, "virtio2-input.0", "0000:00:06.0");
	irq_of(feed, 32, "xhci_hcd", "0000:00:07.0");
	irq_of(feed, 33, "virtio2-output.0", "0000:00:06.0");
	feed_irq(feed, 0, 31, 1);
	/* Line 30 becomes the line of another function, then lines 31 and 33 do. */
	irq_of(feed, 30, "nvme0q0", "0000:00:08.0");
	irq_of(feed, 31, "nvme0q1", "0000:00:08.0");
	feed_irq(feed, 0, 33, 1);
	irq_of(feed, 33, "nvme0q2", "0000:00:08.0");
	/* Then the disk of these lines comes. */
	put_record(feed, record_device(DISK, NONE, 0, 0, "nvme0n1|nvme0|0000:00:08.0"));
	feed_irq(feed, 0, 31, 1);
	check_text(feed, from,
		   "2000 0xc0000001 device 0 virtio2\n"
		   "2000 0xc0000001 irq 0\n"
		   "2000 0xc0000001 irq 1\n"
		   "2000 0xc0000002 device 0 xhci_hcd\n"
		   "2000 0xc0000002 irq 0\n"
		   "2000 0xc0000001 irq 2\n"
		   "2000 0xc0000001 irq 1\n"
		   "2000 0xc0000003 device 0 nvme0\n"
		   "2000 0xc0000003 irq 0\n"
		   "2000 0xc0000003 irq 1\n"
		   "2000 0xc0000001 irq 2\n"
		   "2000 0xc0000001 cancel device 0\n"
		   "2000 0xc0000003 irq 2\n"
		   "2000 0 device 0 nvme0n1\n"
		   "2000 0xc0000003 cancel device 0\n"
		   "2000 0 irq 1\n");
	assert_int_equal(feed->log.model.lines.count, 4);
	finish_feed(feed);
}

/* A SATA disk is five links away from its controller, which sends the interrupts. */
static void test_far_line(void **state)
{
	struct feed *feed = begin_feed();
	u64 from;

	put_record(feed, record_device(DISK, NONE, 0, 0, "sda|0:0:0:0|target0:0:0|host0|ata1|0000:00:1f.2"));
	from = feed_mark(feed);
	irq_of(feed, 30, "ahci[0000:00:1f.2]", "0000:00:1f.2");
	check_text(feed, from, "2000 0 irq 0\n");
	finish_feed(feed);
}

/* Devices that existed before the log began are in its first group, as of some time since boot. */
static void test_found(void **state)
{
	struct feed *feed = calloc(1, sizeof(*feed));

	assert_int_equal(feed_init(feed, 256 << 10, 2), 0);
	assert_int_equal(feed_prime(feed, 1, NULL, 0, 5000), 0);
	feed->time = 4000;
	put_record(feed, record_device(DISK, NONE, 0, BCOS_RAW_FOUND, "vda"));
	put_record(feed, record_device(DISK + 1, NONE, 0, BCOS_RAW_FOUND, "vdb"));
	put_record(feed, record_about(BCOS_RAW_DEVICE_GONE, DISK + 1, 0, 0));
	feed->time = 6000;
	put_record(feed, record_about(BCOS_RAW_INPUT, DISK, 0, 4096));
	assert_non_null(strstr(feed_text(feed, 0, true), "*0+4000 0 device 0 vda\n"));
	assert_null(strstr(feed_text(feed, 0, true), "vdb"));
	assert_non_null(strstr(feed_text(feed, 0, true), "6000 0 input 4096\n"));
	finish_feed(feed);
}

/* Some classes are on for single devices alone. Records reach the log by the shortcut of the merge, and without it. */
static void test_requests(void **state)
{
	struct staged *s = staged_new(2, 64);
	struct bcos_log *log = &s->feed.log;
	u64 from;

	staged_put(s, 0, 1500, record_device(DISK, NONE, 0, 0, "vda"));
	staged_put(s, 0, 1501, record_device(DISK + 1, NONE, 0, 0, "vdb"));
	staged_put(s, 0, 1502, record_irq(9, false, 1, "acpi"));
	staged_put(s, 0, 1503, record_irq(10, false, 2, "eth9"));
	staged_pass(s, 1600, 1000);
	assert_int_equal(bcos_log_request(log, 77, BCOS_CLASS_IO, true), -ENODEV);
	assert_int_equal(bcos_log_request(log, 1, BCOS_CLASS_IO, false), -ENOENT);
	assert_int_equal(bcos_log_requested(log), 0);
	log->on_request = BCOS_CLASS_IO | BCOS_CLASS_IRQ;
	assert_int_equal(bcos_log_request(log, 1, BCOS_CLASS_IO, true), 0);
	assert_int_equal(bcos_log_request(log, 0xC0000002, BCOS_CLASS_IRQ, true), 0);
	assert_int_equal(bcos_log_requested(log), BCOS_CLASS_IO | BCOS_CLASS_IRQ);
	from = feed_mark(&s->feed);
	staged_put(s, 0, 2000, record_about(BCOS_RAW_INPUT, DISK, 0, 512));
	staged_put(s, 0, 2001, record_about(BCOS_RAW_INPUT, DISK + 1, 0, 1024));
	staged_put(s, 0, 2002, record_fault(DISK, BCOS_OPERATION_READ, 512, 0, 5));
	staged_put(s, 0, 2003, record_plain(BCOS_RAW_IRQ, 9, 1));
	staged_put(s, 0, 2004, record_plain(BCOS_RAW_IRQ, 10, 2));
	staged_put(s, 0, 2005, record_plain(BCOS_RAW_IRQ, 9, 1));
	staged_put(s, 0, 2006, record_plain(BCOS_RAW_IRQ, 10, 2));
	staged_pass(s, 2100, 1000);
	assert_int_equal(bcos_log_request(log, 1, BCOS_CLASS_IO, false), BCOS_CLASS_IO);
	staged_put(s, 0, 2200, record_about(BCOS_RAW_INPUT, DISK + 1, 0, 1024));
	staged_put(s, 0, 2201, record_plain(BCOS_RAW_IRQ, 10, 2));
	staged_pass(s, 2300, 1000);
	check_text(&s->feed, from,
		   "2001 1 input 1024\n"
		   "2004 0xc0000002 irq 0\n"
		   "2006 0xc0000002 irq 0\n"
		   "2201 0xc0000002 irq 0\n");
	assert_false(log->request_gone);
	assert_int_equal(bcos_log_request(log, 0, BCOS_CLASS_IO, true), 0);
	staged_put(s, 0, 2400, record_about(BCOS_RAW_DEVICE_GONE, DISK, 0, 0));
	staged_pass(s, 2500, 1000);
	assert_true(log->request_gone);
	assert_int_equal(bcos_log_requested(log), BCOS_CLASS_IRQ);
	feed_check(&s->feed);
	staged_free(s);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_link),
		cmocka_unit_test(test_transfers),
		cmocka_unit_test(test_driver),
		cmocka_unit_test(test_driver_of_many),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_line_first),
		cmocka_unit_test(test_function),
		cmocka_unit_test(test_far_line),
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_requests),
	};

	return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
