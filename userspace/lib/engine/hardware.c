// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Devices, as far as user space is told of them: see hardware.h. */
#include <limits.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/model.h"
#include "core/naming.h"
#include "hardware.h"
#include "machine.h"
#include "source.h"

#define UEVENTS 0
#define LINKS 1

struct record {
	struct bcos_raw raw;
	struct bcos_raw_event event;
	struct bcos_raw_device device;
	char text[BCOS_RAW_DEVICE_TEXT];
};

/* ---- records ---------------------------------------------------------------------- */

static void put(struct hardware *hardware, struct bcos_raw *raw, u32 units)
{
	raw->units = (u8)units;
	raw->time = source_clock(CLOCK_BOOTTIME);
	hardware->put(hardware->context, (const struct bcos_unit *)raw, units);
}

void hardware_put_plain(struct hardware *hardware, u8 kind, u16 aux, u64 key)
{
	struct {
		struct bcos_raw raw;
		struct bcos_raw_device device;
	} record = { .raw = { .kind = kind, .aux = aux }, .device = { .key = key } };

	put(hardware, &record.raw, 2);
}

static bool is_pci(const char *path)
{
	char link[PATH_MAX], target[PATH_MAX];
	ssize_t length;

	if (snprintf(link, sizeof(link), "%s/subsystem", path) >= (int)sizeof(link))
		return false;
	length = readlink(link, target, sizeof(target) - 1);
	if (length < 4)
		return false;
	target[length] = 0;
	return !strcmp(target + length - 4, "/pci");
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
			/* What is above are bridges, whose interrupts are their own. */
			if (is_pci(bus))
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

void hardware_announce(struct hardware *hardware, u64 key, const char *name, bool stacked, const char *path,
		       bool found)
{
	struct record record = {
		.raw = { .kind = BCOS_RAW_DEVICE, .aux = found ? BCOS_RAW_FOUND : 0 },
		.device = { .key = key },
	};

	put(hardware, &record.raw, fill(&record, name, stacked, path));
	hardware->named(hardware->context, key, true);
}

void hardware_gone(struct hardware *hardware, u64 key)
{
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
	hardware->fd[UEVENTS] = listen_to(NETLINK_KOBJECT_UEVENT, 1);
	hardware->fd[LINKS] = listen_to(NETLINK_ROUTE, RTMGRP_LINK);
}

void hardware_close(struct hardware *hardware)
{
	int i;

	for (i = 0; i < HARDWARE_FDS; i++)
		if (hardware->fd[i] >= 0)
			close(hardware->fd[i]);
}

void hardware_scan(struct hardware *hardware)
{
	uevents_scan(hardware);
	links_scan(hardware);
}

/* The kernel had more to tell than it could keep: what came is looked for, what went is not found out. */
static void state_lost(struct hardware *hardware)
{
	static const char text[] = "lost announcements of devices: the kernel could not keep them all";
	struct {
		struct bcos_raw raw;
		struct bcos_raw_event event;
		char text[BCOS_RAW_DEVICE_TEXT];
	} record = {
		.raw = {
			.kind = BCOS_RAW_EVENT,
			.aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_PROCESS, BCOS_SEVERITY_ERROR),
			.id = BCOS_PROCESS_KERNEL,
		},
		.event = { .length = sizeof(text) - 1 },
	};

	memcpy(record.text, text, sizeof(text) - 1);
	put(hardware, &record.raw, 2 + (sizeof(text) - 1 + 15) / 16);
	hardware_scan(hardware);
}

void hardware_read(struct hardware *hardware)
{
	_Alignas(struct nlmsghdr) char message[16384];
	struct sockaddr_nl from;
	socklen_t size;
	ssize_t n;
	int i;

	for (i = 0; i < HARDWARE_FDS; i++) {
		for (;;) {
			size = sizeof(from);
			n = hardware->fd[i] < 0 ? -1 : recvfrom(hardware->fd[i], message, sizeof(message) - 1, 0,
								 (struct sockaddr *)&from, &size);
			if (n < 0 && errno == ENOBUFS) {
				state_lost(hardware);
				continue;
			}
			if (n <= 0)
				break;
			/* Anybody may send; only the kernel is believed. */
			if (from.nl_pid)
				continue;
			message[n] = 0;
			if (i == UEVENTS)
				uevents_parse(hardware, message, (size_t)n);
			else
				links_parse(hardware, message, (size_t)n, false);
		}
	}
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
