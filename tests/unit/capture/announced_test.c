// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Announcements of devices: which devices are recorded, in which range, and with which names and parents. */
#include <string.h>
#include "core/capture/uevent.h"
#include "check.h"

static struct bcos_announcement what;

#define PARSE(text) bcos_announced_parse(&what, text, sizeof(text))

/* Joins the names of a device that came, with a | after each. */
static const char *join_names(void)
{
	static char text[BCOS_RAW_DEVICE_TEXT];
	size_t length = bcos_announced_names(text, &what), i;

	assert_true(length < sizeof(text));
	for (i = 0; i + 1 < length; i++)
		if (!text[i])
			text[i] = '|';
	return text;
}

static void test_comes_and_goes(void **state)
{
	u64 key;

	PARSE("add@/devices/pci0000:00/0000:00:03.0/tty/ttyS4\0ACTION=add\0"
	      "DEVPATH=/devices/pci0000:00/0000:00:03.0/tty/ttyS4\0SUBSYSTEM=tty\0MAJOR=4\0MINOR=68\0DEVNAME=ttyS4\0SEQNUM=7");
	assert_int_equal(what.what, BCOS_ANNOUNCED_COMES);
	assert_int_equal(BCOS_RAW_RANGE(what.key), BCOS_DEVICE_USER_IO);
	assert_string_equal(join_names(), "ttyS4|0000:00:03.0");
	key = what.key;
	PARSE("remove@/x\0ACTION=remove\0DEVPATH=/devices/pci0000:00/0000:00:03.0/tty/ttyS4\0SUBSYSTEM=tty\0MAJOR=4\0MINOR=68");
	assert_int_equal(what.what, BCOS_ANNOUNCED_GOES);
	assert_true(what.key == key);
	PARSE("add@/x\0ACTION=add\0DEVPATH=/devices/pci0000:00/0000:00:1b.0/sound/card0/controlC0\0SUBSYSTEM=sound\0"
	      "MAJOR=116\0MINOR=7");
	assert_int_equal(what.what, BCOS_ANNOUNCED_COMES);
	assert_string_equal(join_names(), "sound controlC0|card0|0000:00:1b.0");
	PARSE("add@/x\0ACTION=add\0DEVPATH=/devices/pci0000:00/0000:00:02.0/drm/card0\0SUBSYSTEM=drm\0MAJOR=226\0MINOR=0");
	assert_int_equal(what.what, BCOS_ANNOUNCED_COMES);
	assert_string_equal(join_names(), "drm card0|0000:00:02.0");
	/* A USB device gets no parents: its controller serves other devices as well, and has interrupts of its own. */
	PARSE("add@/x\0ACTION=add\0DEVPATH=/devices/pci0000:00/0000:00:04.0/usb1/1-2\0SUBSYSTEM=usb\0DEVTYPE=usb_device\0"
	      "MAJOR=189\0MINOR=1");
	assert_int_equal(what.what, BCOS_ANNOUNCED_COMES);
	assert_int_equal(BCOS_RAW_RANGE(what.key), BCOS_DEVICE_OTHER);
	assert_string_equal(join_names(), "usb 1-2");
	PARSE("add@/x\0ACTION=add\0DEVPATH=/devices/pci0000:00/0000:00:04.0/usb1/1-2/1-2:1.0/ttyUSB0/tty/ttyUSB0\0"
	      "SUBSYSTEM=tty\0MAJOR=188\0MINOR=0");
	assert_string_equal(join_names(), "ttyUSB0|ttyUSB0|1-2:1.0");
}

/* Some devices are not recorded, and some messages are no announcements. */
static void test_nothing(void **state)
{
	static const char unended[] = { 'A', 'C', 'T', 'I', 'O', 'N', '=', 'a' };

	PARSE("add@/x\0ACTION=add\0DEVPATH=/devices/virtual/tty/tty1\0SUBSYSTEM=tty\0MAJOR=4\0MINOR=1");
	assert_int_equal(what.what, BCOS_ANNOUNCED_NOTHING);
	PARSE("add@/x\0ACTION=add\0DEVPATH=/devices/a/1-2:1.0\0SUBSYSTEM=usb\0DEVTYPE=usb_interface");
	assert_int_equal(what.what, BCOS_ANNOUNCED_NOTHING);
	PARSE("add@/x\0ACTION=add\0DEVPATH=/devices/a/sound/card0/pcmC0D0p\0SUBSYSTEM=sound\0MAJOR=116\0MINOR=8");
	assert_int_equal(what.what, BCOS_ANNOUNCED_NOTHING);
	PARSE("bind@/x\0ACTION=bind\0DEVPATH=/devices/a/1-2\0SUBSYSTEM=usb\0MAJOR=189\0MINOR=1");
	assert_int_equal(what.what, BCOS_ANNOUNCED_NOTHING);
	PARSE("add@/x\0ACTION=add\0DEVPATH=/devices/a/1-2\0SUBSYSTEM=usb\0MAJOR=1x9\0MINOR=1");
	assert_int_equal(what.what, BCOS_ANNOUNCED_NOTHING);
	bcos_announced_parse(&what, unended, sizeof(unended));
	assert_int_equal(what.what, BCOS_ANNOUNCED_NOTHING);
	bcos_announced_parse(&what, unended, 0);
	assert_int_equal(what.what, BCOS_ANNOUNCED_NOTHING);
	/* A path without a slash, and an empty one. */
	PARSE("add@/x\0ACTION=add\0DEVPATH=ttyS9\0SUBSYSTEM=tty\0MAJOR=4\0MINOR=73");
	assert_string_equal(join_names(), "ttyS9");
	PARSE("add@/x\0ACTION=add\0DEVPATH=\0SUBSYSTEM=tty\0MAJOR=4\0MINOR=73");
	assert_string_equal(join_names(), "");
}

static void test_changes(void **state)
{
	PARSE("change@/x\0ACTION=change\0DEVPATH=/devices/a/block/sr0\0SUBSYSTEM=block\0DISK_MEDIA_CHANGE=1\0MAJOR=11\0MINOR=0\0"
	      "DEVTYPE=disk");
	assert_int_equal(what.what, BCOS_ANNOUNCED_CHANGES);
	assert_string_equal(what.text, "media change");
	assert_true(what.key == BCOS_RAW_DISK(11, 0));
	PARSE("change@/x\0ACTION=change\0SUBSYSTEM=block\0DISK_EJECT_REQUEST=1\0MAJOR=11\0MINOR=0\0DEVTYPE=disk");
	assert_string_equal(what.text, "eject request");
	PARSE("change@/x\0ACTION=change\0SUBSYSTEM=block\0RESIZE=1\0MAJOR=254\0MINOR=0\0DEVTYPE=disk");
	assert_string_equal(what.text, "size change");
	PARSE("change@/x\0ACTION=change\0SUBSYSTEM=block\0MAJOR=254\0MINOR=0\0DEVTYPE=disk");
	assert_int_equal(what.what, BCOS_ANNOUNCED_NOTHING);
	PARSE("change@/x\0ACTION=change\0SUBSYSTEM=block\0DISK_MEDIA_CHANGE=1\0MAJOR=11\0MINOR=1\0DEVTYPE=partition");
	assert_int_equal(what.what, BCOS_ANNOUNCED_NOTHING);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_comes_and_goes), cmocka_unit_test(test_nothing), cmocka_unit_test(test_changes),
	};

	return cmocka_run_group_tests_name("announced", tests, NULL, NULL);
}
