// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Devices, as far as user space is told of them: see hardware.h. */
#include <limits.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/format/entry.h"
#include "core/capture/device_name.h"
#include "hardware.h"
#include "machine.h"
#include "source_host.h"

#define UEVENTS 0
#define LINKS 1

/* So many messages are read in a pass. */
#define MESSAGES 256

struct record {
	struct bcos_raw raw;
	struct bcos_raw_event event;
	struct bcos_raw_device device;
	char text[BCOS_RAW_DEVICE_TEXT];
};

/* ---- records ---------------------------------------------------------------------- */

/* Return: how much later than that it may have been, in ns. */
static u32 set_time(const struct hardware *hardware, struct bcos_raw *raw)
{
	u64 now = source_clock(CLOCK_BOOTTIME), span;

	raw->time = hardware->earliest && hardware->earliest < now ? hardware->earliest : now;
	span = now - raw->time;
	return span < 0xFFFFFFFFu ? (u32)span : 0xFFFFFFFFu;
}

static void put(struct hardware *hardware, struct bcos_raw *raw, u32 units)
{
	raw->units = (u8)units;
	hardware->put(hardware->context, (const struct bcos_unit *)raw, units);
}

void hardware_put_plain(struct hardware *hardware, u8 kind, u16 aux, u64 key)
{
	struct {
		struct bcos_raw raw;
		struct bcos_raw_device device;
	} record = { .raw = { .kind = kind, .aux = aux }, .device = { .key = key } };

	record.device.amount = set_time(hardware, &record.raw);
	put(hardware, &record.raw, 2);
}

void hardware_put_event(struct hardware *hardware, u64 key, const char *text)
{
	struct {
		struct bcos_raw raw;
		struct bcos_raw_event event;
		char text[32];
	} record = {
		.raw = {
			.kind = BCOS_RAW_EVENT,
			.aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_DEVICE, BCOS_SEVERITY_INFO),
			.id = (u32)key,
		},
		.event = { .tag = (u32)(key >> 32) },
	};
	size_t length = strnlen(text, sizeof(record.text));

	memcpy(record.text, text, length);
	record.event.length = (u16)length;
	record.event.precision = set_time(hardware, &record.raw);
	put(hardware, &record.raw, 2 + (u32)((length + sizeof(struct bcos_unit) - 1) / sizeof(struct bcos_unit)));
}

/* Is the device at @path one of this bus? */
static bool is_on(const char *path, const char *bus)
{
	char link[PATH_MAX], target[PATH_MAX];
	const char *name;
	ssize_t length;

	if (snprintf(link, sizeof(link), "%s/subsystem", path) >= (int)sizeof(link))
		return false;
	length = readlink(link, target, sizeof(target) - 1);
	if (length < 0)
		return false;
	target[length] = 0;
	name = strrchr(target, '/');
	return name && !strcmp(name + 1, bus);
}

/* What the device at @path in /sys hangs on, from the nearest on. */
static size_t append_buses(char *text, size_t at, const char *path)
{
	char link[PATH_MAX], bus[PATH_MAX], event[PATH_MAX + 8], *name;
	int left = BCOS_BUSES;

	if (snprintf(link, sizeof(link), "%s/device", path) >= (int)sizeof(link) || !realpath(link, bus))
		return at;
	while (left && (name = strrchr(bus, '/')) && strcmp(bus, "/sys/devices")) {
		snprintf(event, sizeof(event), "%s/uevent", bus);
		/* What has none is a folder between devices. */
		if (!access(event, F_OK)) {
			at = bcos_append_name(text, at, name + 1);
			left--;
			/* What is above are bridges, whose interrupts are their own, or serves other USB devices as well. */
			if (is_on(bus, "pci") || is_on(bus, "usb"))
				break;
		}
		*name = 0;
	}
	return at;
}

/* Return: units. */
static u32 fill(struct record *record, const char *name, bool stacked, const char *path)
{
	size_t at;

	memset(record->text, 0, sizeof(record->text));
	at = (size_t)host_format(record->text, BCOS_DEVICE_NAME_MAX, "%s%s", name, stacked ? " (stacked)" : "") + 1;
	at = append_buses(record->text, at, path);
	record->event.length = (u16)(sizeof(record->device) + at);
	return 3 + (u32)((at + sizeof(struct bcos_unit) - 1) / sizeof(struct bcos_unit));
}

/* ---- what is there --------------------------------------------------------------- */

/* Do programs see it come and go? */
static bool is_seen(const struct hardware *hardware, u64 key)
{
	return hardware->exact && BCOS_RAW_RANGE(key) != BCOS_DEVICE_USER_IO;
}

static void note_listed(struct hardware *hardware, u64 key)
{
	size_t room = hardware->room ? 2 * hardware->room : 64;
	u64 *grown;

	if (!hardware->again)
		return;
	if (hardware->count == hardware->room) {
		grown = realloc(hardware->listed, room * sizeof(*grown));
		if (!grown) {
			hardware->incomplete = true;
			return;
		}
		hardware->listed = grown;
		hardware->room = room;
	}
	hardware->listed[hardware->count++] = key;
}

static int compare_keys(const void *left, const void *right)
{
	const u64 *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

bool hardware_is_listed(const struct hardware *hardware, u64 key)
{
	return hardware->count && bsearch(&key, hardware->listed, hardware->count, sizeof(key), compare_keys);
}

/* @scan: lists those of the ranges @first and @second. @seen: also what programs see. */
static void list(struct hardware *hardware, void (*scan)(struct hardware *hardware), u32 first, u32 second, bool seen)
{
	hardware->again = true;
	hardware->incomplete = false;
	hardware->count = 0;
	scan(hardware);
	hardware->again = false;
	if (hardware->count)
		qsort(hardware->listed, hardware->count, sizeof(*hardware->listed), compare_keys);
	if (!hardware->incomplete && (seen || !is_seen(hardware, BCOS_RAW_KEY(first, 0))))
		hardware->absent(hardware->context, first);
	if (!hardware->incomplete && second != first && (seen || !is_seen(hardware, BCOS_RAW_KEY(second, 0))))
		hardware->absent(hardware->context, second);
}

static void list_of(struct hardware *hardware, int i, bool seen)
{
	hardware->earliest = hardware->since[i];
	if (i == UEVENTS)
		list(hardware, uevents_scan, BCOS_DEVICE_STORAGE, BCOS_DEVICE_USER_IO, seen);
	else
		list(hardware, links_scan, BCOS_DEVICE_NETWORK, BCOS_DEVICE_NETWORK, seen);
	hardware->earliest = 0;
}

void hardware_list_again(struct hardware *hardware)
{
	int i;

	for (i = 0; i < HARDWARE_FDS; i++)
		list_of(hardware, i, true);
}

void hardware_announce(struct hardware *hardware, u64 key, const char *name, bool stacked, const char *path,
		       bool found)
{
	struct record record = { .raw = { .kind = BCOS_RAW_DEVICE }, .device = { .key = key } };

	if (found)
		note_listed(hardware, key);
	if (!found && is_seen(hardware, key)) {
		/* That a disk has another name is not told. */
		if (BCOS_RAW_RANGE(key) != BCOS_DEVICE_NETWORK)
			return;
		record.raw.aux = BCOS_RAW_KNOWN;
	}
	if (found && !hardware->again)
		record.raw.aux = BCOS_RAW_FOUND;
	record.event.precision = set_time(hardware, &record.raw);
	put(hardware, &record.raw, fill(&record, name, stacked, path));
	hardware->named(hardware->context, key, true);
}

void hardware_gone(struct hardware *hardware, u64 key)
{
	if (is_seen(hardware, key))
		return;
	hardware_put_plain(hardware, BCOS_RAW_DEVICE_GONE, 0, key);
	hardware->named(hardware->context, key, false);
}

/* ---- listening --------------------------------------------------------------------- */

static int listen_to(int protocol, u32 groups)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = groups };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol), size = 1 << 20;

	if (fd < 0)
		return -1;
	/* It may ask for more than is granted. */
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	if (!bind(fd, (const struct sockaddr *)&address, sizeof(address)))
		return fd;
	close(fd);
	return -1;
}

void hardware_open(struct hardware *hardware)
{
	hardware->net = machine_net_space();
	hardware->since[UEVENTS] = hardware->since[LINKS] = source_clock(CLOCK_BOOTTIME);
	hardware->fd[UEVENTS] = listen_to(NETLINK_KOBJECT_UEVENT, 1);
	hardware->fd[LINKS] = listen_to(NETLINK_ROUTE, RTMGRP_LINK);
}

void hardware_close(struct hardware *hardware)
{
	int i;

	for (i = 0; i < HARDWARE_FDS; i++)
		if (hardware->fd[i] >= 0)
			close(hardware->fd[i]);
	free(hardware->listed);
}

void hardware_scan(struct hardware *hardware)
{
	uevents_scan(hardware);
	links_scan(hardware);
}

/* The next message.  Return: its length, 0 of one that is not the kernel's; or a negative errno. */
static ssize_t receive(int fd, char *message, size_t size)
{
	struct sockaddr_nl from;
	socklen_t length = sizeof(from);
	ssize_t n = recvfrom(fd, message, size - 1, 0, (struct sockaddr *)&from, &length);

	if (n < 0)
		return -errno;
	/* Anybody may send; only the kernel is believed. */
	if (from.nl_pid)
		return 0;
	message[n] = 0;
	return n;
}

static void read_from(struct hardware *hardware, int i)
{
	_Alignas(struct nlmsghdr) char message[16384];
	u64 began = source_clock(CLOCK_BOOTTIME);
	u32 left = MESSAGES;
	ssize_t n = 0;

	hardware->earliest = hardware->since[i];
	for (; left && n >= 0; left--) {
		n = receive(hardware->fd[i], message, sizeof(message));
		if (n == -ENOBUFS || n == -EINTR) {
			hardware->overrun[i] |= n == -ENOBUFS;
			n = 0;
		} else if (n > 0 && i == UEVENTS) {
			uevents_parse(hardware, message, (size_t)n);
			announced_parse(hardware, message, (size_t)n);
		} else if (n > 0) {
			links_parse(hardware, message, (size_t)n, false);
		}
	}
	hardware->earliest = 0;
	/* The rest may be as old. */
	if (n >= 0)
		return;
	/* What was kept is older than a list is now. */
	if (hardware->overrun[i]) {
		hardware->overrun[i] = false;
		hardware->lost(hardware->context, 1, "message or more about devices: the kernel could not keep them",
			       hardware->since[i]);
		list_of(hardware, i, false);
	}
	hardware->since[i] = began;
}

void hardware_read(struct hardware *hardware)
{
	int i;

	for (i = 0; i < HARDWARE_FDS; i++)
		if (hardware->fd[i] >= 0)
			read_from(hardware, i);
}

u32 hardware_complete(struct bcos_unit *unit)
{
	struct record *record = (struct record *)unit;
	char name[17] = "", sort[17] = "", path[64], *slash;
	bool disk = BCOS_RAW_RANGE(record->device.key) == BCOS_DEVICE_STORAGE;
	size_t folder;
	u32 units;

	memcpy(name, record->text, 16);
	memcpy(sort, record->text + 16, 16);
	folder = host_format(path, sizeof(path), "/sys/class/%s/", disk ? "block" : "net");
	host_format(path + folder, sizeof(path) - folder, "%s", name);
	/* /sys has a ! where a name has a /. */
	for (slash = path + folder; (slash = strchr(slash, '/'));)
		*slash = '!';
	units = fill(record, name, disk ? bcos_disk_is_stacked(name) : bcos_link_is_stacked(*sort ? sort : NULL), path);
	record->raw.units = (u8)units;
	return units;
}
