// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Devices, as far as user space is told of them: see hardware.h. */
#include <dirent.h>
#include <limits.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/if.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/shared.h"
#include "core/model.h"
#include "core/stacked.h"
#include "hardware.h"
#include "machine.h"
#include "source.h"

#define UEVENTS 0
#define LINKS 1

/* Levels of what a device hangs on that are of interest: nvme0n1 - nvme0 - 0000:00:04.0. */
#define BUSES 4

#define KEY_BITS 0x3FFFFFFFu

struct record {
	struct bcos_raw raw;
	struct bcos_raw_event event;
	char text[BCOS_RAW_DEVICE_TEXT];
};

/* ---- records ---------------------------------------------------------------------- */

static void put(struct hardware *hardware, struct record *record, u32 units)
{
	record->raw.units = (u8)units;
	record->raw.time = source_clock(CLOCK_BOOTTIME);
	hardware->put(hardware->context, (const struct bcos_unit *)record, units);
}

static void put_plain(struct hardware *hardware, u8 kind, u16 aux, u32 key)
{
	struct record record = { .raw = { .kind = kind, .aux = aux, .id = key } };

	put(hardware, &record, 1);
}

static size_t append(char *text, size_t at, const char *name)
{
	size_t length = strlen(name);

	if (at + length + 1 >= BCOS_RAW_DEVICE_TEXT)
		return at;
	memcpy(text + at, name, length + 1);
	return at + length + 1;
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
	int left = BUSES;

	if (snprintf(link, sizeof(link), "%s/device", path) >= (int)sizeof(link) || !realpath(link, bus))
		return at;
	while (left && (name = strrchr(bus, '/')) && strcmp(bus, "/sys/devices")) {
		snprintf(event, sizeof(event), "%s/uevent", bus);
		/* What has none is a folder between devices. */
		if (!access(event, F_OK)) {
			at = append(text, at, name + 1);
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
	record->event.length = (u16)at;
	return 2 + (u32)((at + sizeof(struct bcos_unit) - 1) / sizeof(struct bcos_unit));
}

static void announce(struct hardware *hardware, u32 key, const char *name, bool stacked, const char *path, bool found)
{
	struct record record = {
		.raw = { .kind = BCOS_RAW_DEVICE, .aux = found ? BCOS_RAW_FOUND : 0, .id = key },
	};

	put(hardware, &record, fill(&record, name, stacked, path));
	hardware->named(hardware->context, key, true);
}

static void gone(struct hardware *hardware, u32 key)
{
	put_plain(hardware, BCOS_RAW_DEVICE_GONE, 0, key);
	hardware->named(hardware->context, key, false);
}

/* ---- disks and input devices ------------------------------------------------------ */

static u32 disk_key(unsigned long major, unsigned long minor)
{
	return BCOS_DEVICE_STORAGE | ((u32)major & 0x3FF) << 20 | ((u32)minor & 0xFFFFF);
}

/* /sys has a ! where a name has a /. */
static void announce_disk(struct hardware *hardware, u32 key, const char *folder, bool found)
{
	char name[BCOS_DEVICE_NAME_MAX], path[PATH_MAX], *slash;

	snprintf(name, sizeof(name), "%.90s", folder);
	snprintf(path, sizeof(path), "/sys/class/block/%.255s", folder);
	for (slash = name; (slash = strchr(slash, '!'));)
		*slash = '/';
	announce(hardware, key, name, bcos_disk_is_stacked(name), path, found);
}

static void scan_disk(struct hardware *hardware, const char *folder)
{
	unsigned int major, minor;
	char path[PATH_MAX], text[64];

	snprintf(path, sizeof(path), "/sys/block/%.255s/dev", folder);
	if (machine_read_line(path, text, sizeof(text)) && sscanf(text, "%u:%u", &major, &minor) == 2)
		announce_disk(hardware, disk_key(major, minor), folder, true);
}

static void announce_input(struct hardware *hardware, const char *folder, const char *path, const char *name, bool found)
{
	u32 number;

	if (sscanf(folder, "input%u", &number) == 1)
		announce(hardware, BCOS_DEVICE_USER_IO | (number & KEY_BITS), *name ? name : folder, false, path, found);
}

static void scan_input(struct hardware *hardware, const char *folder)
{
	char path[PATH_MAX], file[PATH_MAX], name[128] = "";

	if (strncmp(folder, "input", 5))
		return;
	snprintf(path, sizeof(path), "/sys/class/input/%.255s", folder);
	snprintf(file, sizeof(file), "/sys/class/input/%.255s/name", folder);
	machine_read_line(file, name, sizeof(name));
	announce_input(hardware, folder, path, name, true);
}

static void scan(struct hardware *hardware, const char *path, void (*each)(struct hardware *hardware, const char *folder))
{
	DIR *folder = opendir(path);
	const struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (entry->d_name[0] != '.')
			each(hardware, entry->d_name);
	if (folder)
		closedir(folder);
}

/* A value of an event: "KEY=VALUE", each with a zero byte behind it. */
static const char *value_of(const char *event, size_t length, const char *key)
{
	size_t size = strlen(key);
	const char *at = event;

	for (; at < event + length; at += strlen(at) + 1)
		if (!strncmp(at, key, size) && at[size] == '=')
			return at + size + 1;
	return "";
}

/* @event ends with a zero byte. */
static void device_event(struct hardware *hardware, const char *event, size_t length)
{
	const char *action = value_of(event, length, "ACTION"), *subsystem = value_of(event, length, "SUBSYSTEM");
	const char *path = value_of(event, length, "DEVPATH"), *folder = strrchr(path, '/'), *name;
	bool comes = !strcmp(action, "add"), goes = !strcmp(action, "remove");
	char clean[128], full[PATH_MAX];
	u32 number;

	if (!folder || (!comes && !goes))
		return;
	if (!strcmp(subsystem, "block") && !strcmp(value_of(event, length, "DEVTYPE"), "disk")) {
		number = disk_key(strtoul(value_of(event, length, "MAJOR"), NULL, 10),
				  strtoul(value_of(event, length, "MINOR"), NULL, 10));
		if (comes)
			announce_disk(hardware, number, folder + 1, false);
		else
			gone(hardware, number);
	} else if (!strcmp(subsystem, "input") && sscanf(folder + 1, "input%u", &number) == 1) {
		/* In quotes. */
		name = value_of(event, length, "NAME");
		snprintf(clean, sizeof(clean), "%s", *name == '"' ? name + 1 : name);
		clean[strcspn(clean, "\"")] = 0;
		snprintf(full, sizeof(full), "/sys%.4000s", path);
		if (comes)
			announce_input(hardware, folder + 1, full, clean, false);
		else
			gone(hardware, BCOS_DEVICE_USER_IO | (number & KEY_BITS));
	}
}

/* ---- network interfaces ------------------------------------------------------------ */

static void link_message(struct hardware *hardware, const struct nlmsghdr *message, bool found)
{
	const struct ifinfomsg *link = NLMSG_DATA(message);
	u32 key = bcos_bpf_net_key(hardware->net, (u32)link->ifi_index);
	int left = (int)message->nlmsg_len - (int)NLMSG_LENGTH(sizeof(*link)), inner;
	const char *name = NULL, *kind = NULL;
	const struct rtattr *part, *info;
	char path[64];

	/* A bridge tells of its ports likewise, and not all of it. */
	if (left < 0 || link->ifi_family != AF_UNSPEC)
		return;
	if (message->nlmsg_type == RTM_DELLINK) {
		gone(hardware, key);
		return;
	}
	for (part = IFLA_RTA(link); RTA_OK(part, left); part = RTA_NEXT(part, left)) {
		if (part->rta_type == IFLA_IFNAME)
			name = RTA_DATA(part);
		if (part->rta_type != IFLA_LINKINFO)
			continue;
		inner = (int)RTA_PAYLOAD(part);
		for (info = RTA_DATA(part); RTA_OK(info, inner); info = RTA_NEXT(info, inner))
			if (info->rta_type == IFLA_INFO_KIND)
				kind = RTA_DATA(info);
	}
	if (!name)
		return;
	snprintf(path, sizeof(path), "/sys/class/net/%.32s", name);
	announce(hardware, key, name, bcos_link_is_stacked(kind), path, found);
	put_plain(hardware, BCOS_RAW_LINK, link->ifi_flags & IFF_UP && link->ifi_flags & IFF_LOWER_UP, key);
}

/* @length bytes of messages.  Return: more are to come. */
static bool link_messages(struct hardware *hardware, const struct nlmsghdr *message, int length, bool found)
{
	for (; NLMSG_OK(message, length); message = NLMSG_NEXT(message, length)) {
		if (message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR)
			return false;
		if (message->nlmsg_type == RTM_NEWLINK || message->nlmsg_type == RTM_DELLINK)
			link_message(hardware, message, found);
	}
	return true;
}

/* From a socket of its own, so that what comes meanwhile is told behind it. */
static void scan_links(struct hardware *hardware)
{
	struct {
		struct nlmsghdr header;
		struct ifinfomsg link;
	} ask = {
		.header = {
			.nlmsg_len = sizeof(ask), .nlmsg_type = RTM_GETLINK, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
		},
	};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	_Alignas(struct nlmsghdr) char answer[32768];
	ssize_t n;

	if (fd < 0)
		return;
	if (send(fd, &ask, sizeof(ask), 0) == sizeof(ask))
		while ((n = recv(fd, answer, sizeof(answer), 0)) > 0 &&
		       link_messages(hardware, (const struct nlmsghdr *)answer, (int)n, true))
			;
	close(fd);
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
	struct stat space;

	hardware->net = stat("/proc/self/ns/net", &space) ? 0 : (u32)space.st_ino;
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
	scan(hardware, "/sys/block", scan_disk);
	scan(hardware, "/sys/class/input", scan_input);
	scan_links(hardware);
}

/* The kernel had more to tell than it could keep: what came is looked for, what went is not found out. */
static void state_lost(struct hardware *hardware)
{
	static const char text[] = "lost announcements of devices: the kernel could not keep them all";
	struct record record = {
		.raw = {
			.kind = BCOS_RAW_EVENT,
			.aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_PROCESS, BCOS_SEVERITY_ERROR),
			.id = BCOS_PROCESS_KERNEL,
		},
		.event = { .length = sizeof(text) - 1 },
	};

	memcpy(record.text, text, sizeof(text) - 1);
	put(hardware, &record, 2 + (sizeof(text) - 1 + 15) / 16);
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
				device_event(hardware, message, (size_t)n);
			else
				link_messages(hardware, (const struct nlmsghdr *)message, (int)n, false);
		}
	}
}

u32 hardware_complete(struct bcos_unit *unit)
{
	struct record *record = (struct record *)unit;
	char name[17] = "", sort[17] = "", path[64];
	bool disk = (record->raw.id & BCOS_RAW_RANGE) == BCOS_DEVICE_STORAGE;
	u32 units;

	memcpy(name, record->text, 16);
	memcpy(sort, record->text + 16, 16);
	snprintf(path, sizeof(path), "/sys/class/%s/%s", disk ? "block" : "net", name);
	units = fill(record, name, disk ? bcos_disk_is_stacked(name) : bcos_link_is_stacked(*sort ? sort : NULL), path);
	record->raw.units = (u8)units;
	return units;
}
