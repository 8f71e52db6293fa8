// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The log has events as programs wrote them to the device or emitted them by ioctl. Events that are not allowed are
 * refused.
 *
 * guest: cpus=2 timeout=120
 */
#include "device.h"

#include <sys/ioctl.h>

#define LONGEST BCOS_EVENT_TEXT_MAX

static struct log everything;

/* Returns the next generic event after @after with this type, source and ID, or NULL. */
static const struct bcos_generic *event_find(const struct bcos_entry *after, uint16_t type, uint32_t source,
					     uint32_t id)
{
	const struct bcos_entry *entry = after;

	while ((entry = entry_find(&everything, entry, type, source)))
		if (((const struct bcos_generic *)entry)->event_id == id)
			break;
	return (const struct bcos_generic *)entry;
}

static void is_event(const struct bcos_generic *event, uint8_t severity, const char *text, const char *what)
{
	const char *found = event ? entry_text(&event->header) : "(none)";

	if (!make_point(event && event->severity == severity && !strcmp(found, text), "%s", what))
		print_note("severity 0x%02x, \"%s\"", event ? event->severity : 0, found);
}

static void take_everything(void)
{
	log_free(&everything);
	everything = log_take();
}

/* ---- write -------------------------------------------------------------------- */

static const struct {
	const char *written;
	uint8_t severity;
	uint32_t id;
	const char *text;
} accepted[] = {
	{ "<64,1001>plain", 0x40, 1001, "plain" },
	{ "<0xC0,0x3EA>hexadecimal\n", 0xC0, 1002, "hexadecimal" },
	{ "<0,1003>", 0, 1003, "" },
	{ "<255,1004>\xE2\x82\xAC\xF0\x9F\x8D\xB0", 255, 1004, "\xE2\x82\xAC\xF0\x9F\x8D\xB0" },
	{ "<1,1005>two\nlines\n\n", 1, 1005, "two\nlines\n" },
};

static const struct {
	const char *what, *bytes;
	size_t length;
	int error;
} refused[] = {
	{ "bad UTF-8", "a\xFF" "b", 3, EINVAL },
	{ "a zero byte", "a\0b", 3, EINVAL },
	{ "half a character", "a\xE2\x82", 3, EINVAL },
	{ "a severity of 256", "<256>a", 6, EINVAL },
	{ "an ID of 33 bits", "<1,4294967296>a", 15, EINVAL },
};

/* A child does this, so that the process is named before its events. */
static void write_accepted(void *argument)
{
	char text[LONGEST + 20];
	int fd = open_log(O_WRONLY);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(accepted); i++)
		if (write(fd, accepted[i].written, strlen(accepted[i].written)) != (ssize_t)strlen(accepted[i].written))
			give_up("write %s", accepted[i].written);
	if (write(fd, "no prefix", 9) != 9)
		give_up("write without prefix");
	memset(text, 'x', sizeof(text));
	memcpy(text, "<64,2000>", 9);
	if (write(fd, text, 9 + LONGEST) != 9 + LONGEST)
		give_up("write of the longest");
}

static void test_write(void)
{
	const struct bcos_generic *event;
	const struct bcos_entry *born;
	char what[60];
	pid_t pid = spawn_child(write_accepted, NULL);
	size_t i;

	if (reap_child(pid, NULL))
		give_up("the writing process failed");
	take_everything();
	born = entry_find(&everything, NULL, BCOS_SET_PROCESS_NAME, (uint32_t)pid);
	make_point(born, "the process that writes is named before what it says");
	for (i = 0; i < ARRAY_SIZE(accepted); i++) {
		snprintf(what, sizeof(what), "written: event %u", accepted[i].id);
		is_event(event_find(born, BCOS_GENERIC_PROCESS, (uint32_t)pid, accepted[i].id), accepted[i].severity,
			 accepted[i].text, what);
	}
	is_event(event_find(born, BCOS_GENERIC_PROCESS, (uint32_t)pid, 0), 0x40, "no prefix",
		 "without a prefix: 0x40, ID 0");
	event = event_find(born, BCOS_GENERIC_PROCESS, (uint32_t)pid, 2000);
	make_point(event && strlen(entry_text(&event->header)) == LONGEST, "the longest text is there in full");
	log_check(&everything, "the log with what was written");
}

static void test_refused(void)
{
	static char text[LONGEST + 2000];
	int fd = open_log(O_WRONLY), reader = open_log(O_RDONLY);
	ssize_t result;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		result = write(fd, refused[i].bytes, refused[i].length);
		make_point(result < 0 && errno == refused[i].error, "%s is refused", refused[i].what);
	}
	memset(text, 'x', sizeof(text));
	for (i = LONGEST + 1; i < sizeof(text); i += 600) {
		result = write(fd, text, i);
		make_point(result < 0 && errno == EMSGSIZE, "%zu bytes of text are too many", i);
	}
	result = write(fd, (void *)16, 5);
	make_point(result < 0 && errno == EFAULT, "no memory to read from: EFAULT");
	result = write(reader, "x", 1);
	make_point(result < 0 && errno == EBADF, "a file open for reading cannot be written");
	make_point(!write(fd, "", 0), "nothing at all is nothing");
	close(fd);
	close(reader);
	take_everything();
	make_point(!event_find(NULL, BCOS_GENERIC_PROCESS, (uint32_t)getpid(), 0), "nothing of it is in the log");
}

/* ---- ioctl -------------------------------------------------------------------- */

static int emit_event(int fd, uint16_t type, uint32_t source, uint32_t id, uint8_t severity, const char *text)
{
	struct bcos_emit e = { .type = type, .source = source, .event_id = id, .severity = severity };

	e.length = (uint32_t)strlen(text);
	memcpy(e.text, text, e.length);
	return ioctl(fd, BCOS_IOC_EMIT, &e) ? errno : 0;
}

static int emit_odd(int fd, const char *what)
{
	struct bcos_emit e = { .type = BCOS_GENERIC_PROCESS, .length = 1, .text = "x" };

	switch (what[0]) {
	case 'f': e.flags = 1; break;
	case 'r': e.reserved = 1; break;
	case 's': e.reserved2 = 1; break;
	case 't': e.type = BCOS_ASSIGN_CPU; break;
	case 'h': e.type |= BCOS_TYPE_HISTORICAL; break;
	case 'o': e.source = 1; break;
	case 'l': e.length = LONGEST + 1; break;
	case 'b': e.text[5] = 'x'; break;
	case 'U': e.text[0] = (char)0xFF; break;
	}
	return ioctl(fd, BCOS_IOC_EMIT, &e) ? errno : 0;
}

static void test_emit(void)
{
	static const char *const odd[] = {
		"flags", "reserved", "second reserved", "type", "historical", "other process", "bytes after", "UTF-8",
	};
	uint32_t core = 0, me = (uint32_t)getpid();
	int fd = open_log(O_WRONLY), reader = open_log(O_RDONLY);
	size_t i;

	make_point(!emit_event(fd, BCOS_GENERIC_PROCESS, 0, 3000, 0x81, "of a process"), "an event of the caller");
	make_point(!emit_event(fd, BCOS_GENERIC_CPU, 1, 0x80003001, 0x82, "of a CPU"), "an event of a CPU");
	make_point(!emit_event(fd, BCOS_GENERIC_CORE, core, 0x80003002, 0x83, "of a core"), "an event of a core");
	make_point(!emit_event(fd, BCOS_GENERIC_DEVICE, BCOS_DEVICE_SELF, 0x80003003, 0x84, "of a device"),
		   "an event of a device");
	make_point(emit_event(fd, BCOS_GENERIC_CPU, 99, 0, 0, "x") == ENODEV, "of a CPU that is not there: ENODEV");
	make_point(emit_event(fd, BCOS_GENERIC_CORE, 99, 0, 0, "x") == ENODEV, "of a core that is not there: ENODEV");
	make_point(emit_event(fd, BCOS_GENERIC_DEVICE, 99, 0, 0, "x") == ENODEV,
		   "of a device that is not there: ENODEV");
	make_point(emit_event(fd, BCOS_GENERIC_CPU, 1, 1, 0, "x") == EINVAL, "a reserved ID, of a CPU: EINVAL");
	make_point(emit_event(fd, BCOS_GENERIC_CORE, core, 0x7FFFFFFF, 0, "x") == EINVAL, "likewise of a core");
	make_point(emit_event(fd, BCOS_GENERIC_DEVICE, BCOS_DEVICE_SELF, 3, 0, "x") == EINVAL, "and of a device");
	make_point(emit_event(reader, BCOS_GENERIC_PROCESS, 0, 0, 0, "x") == EACCES,
		   "by a file open for reading: EACCES");
	make_point(emit_odd(fd, "length") == EMSGSIZE, "too long: EMSGSIZE");
	for (i = 0; i < ARRAY_SIZE(odd); i++)
		make_point(emit_odd(fd, odd[i]) == EINVAL, "%s: EINVAL", odd[i]);
	take_everything();
	is_event(event_find(NULL, BCOS_GENERIC_PROCESS, me, 3000), 0x81, "of a process", "emitted: of a process");
	is_event(event_find(NULL, BCOS_GENERIC_CPU, 1, 0x80003001), 0x82, "of a CPU", "emitted: of a CPU");
	is_event(event_find(NULL, BCOS_GENERIC_CORE, core, 0x80003002), 0x83, "of a core", "emitted: of a core");
	is_event(event_find(NULL, BCOS_GENERIC_DEVICE, BCOS_DEVICE_SELF, 0x80003003), 0x84, "of a device",
		 "emitted: of a device");
	log_check(&everything, "the log with what was emitted");
	close(fd);
	close(reader);
}

static void is_nobody(void *argument)
{
	int fd = open_log(O_WRONLY), error;

	if (setresuid(1000, 1000, 1000))
		give_up("setresuid");
	if (write(fd, "<64,4000>nobody", 15) != 15)
		_exit(1);
	error = emit_event(fd, BCOS_GENERIC_CPU, 0, 0, 0, "x");
	_exit(error == EPERM ? 0 : 2);
}

static void test_unprivileged(void)
{
	pid_t pid = spawn_child(is_nobody, NULL);
	int status = reap_child(pid, NULL);

	make_point(!status, "without capabilities: events of one's own, but not of a CPU (%#x)", (unsigned int)status);
	take_everything();
	is_event(event_find(NULL, BCOS_GENERIC_PROCESS, (uint32_t)pid, 4000), 64, "nobody",
		 "what the unprivileged one wrote");
}

static void flood_log(void *argument)
{
	int fd = open_log(O_WRONLY), i;

	for (i = 0; i < 5000; i++)
		if (write(fd, "<64,5000>flood", 14) != 14)
			give_up("write");
}

static void test_off(void)
{
	struct bcos_mask mask = { .clear = BCOS_CLASS_USER };
	int fd = open_log(O_RDWR);

	if (ioctl(fd, BCOS_IOC_MASK, &mask))
		give_up("mask");
	make_point(write(fd, "<64,6000>off", 12) == 12, "with the class off writing succeeds");
	mask = (struct bcos_mask){ .set = BCOS_CLASS_USER };
	if (ioctl(fd, BCOS_IOC_MASK, &mask))
		give_up("mask");
	make_point(mask.active & BCOS_CLASS_USER, "the class is one that is recorded");
	if (write(fd, "<64,6001>on", 11) != 11)
		give_up("write");
	close(fd);
	take_everything();
	make_point(!event_find(NULL, BCOS_GENERIC_PROCESS, (uint32_t)getpid(), 6000), "and leaves nothing");
	is_event(event_find(NULL, BCOS_GENERIC_PROCESS, (uint32_t)getpid(), 6001), 64, "on", "until it is on again");
}

int main(void)
{
	load_module("mode=0666");
	test_write();
	test_refused();
	test_emit();
	test_unprivileged();
	test_off();
	unload_module();
	load_module("user_rate=0");
	if (reap_child(spawn_child(flood_log, NULL), NULL))
		give_up("the process that floods failed");
	take_everything();
	make_point(!log_overtaken(&everything), "the log is there in full");
	make_point(!strstr(everything.bytes, "left out"), "user_rate=0: nothing is left out");
	unload_module();
	return finish_test();
}
