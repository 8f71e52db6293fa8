// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Listening to the kernel's announcements of devices, and listing the devices: see hardware.h. */
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "host/linux.h"
#include "hardware.h"
#include "engine/machine.h"
#include "uevents.h"

#define UEVENTS 0
#define LINKS 1

/* The greatest number of messages that one call of hardware_read() reads from each source. */
#define MESSAGES 256

/* ---- existing devices --------------------------------------------------------------- */

static int compare_keys(const void *left, const void *right)
{
	const u64 *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

bool hardware_is_listed(const struct hardware *hardware, u64 key)
{
	return hardware->count && bsearch(&key, hardware->listed, hardware->count, sizeof(key), compare_keys);
}

/*
 * List the devices of the ranges @first and @second again by @scan, and report those that are gone. Unless @seen is
 * true, devices that BPF programs record are not reported.
 */
static void list_devices(struct hardware *hardware, void (*scan)(struct hardware *hardware), u32 first, u32 second,
			 bool seen)
{
	hardware->again = true;
	hardware->incomplete = false;
	hardware->count = 0;
	scan(hardware);
	hardware->again = false;
	if (hardware->count)
		qsort(hardware->listed, hardware->count, sizeof(*hardware->listed), compare_keys);
	if (!hardware->incomplete && (seen || !hardware_is_seen(hardware, BCOS_RAW_KEY(first, 0))))
		hardware->absent(hardware->context, first);
	if (!hardware->incomplete && second != first && (seen || !hardware_is_seen(hardware, BCOS_RAW_KEY(second, 0))))
		hardware->absent(hardware->context, second);
}

static void list_of(struct hardware *hardware, int i, bool seen)
{
	hardware->earliest = hardware->since[i];
	if (i == UEVENTS)
		list_devices(hardware, uevents_scan, BCOS_DEVICE_STORAGE, BCOS_DEVICE_USER_IO, seen);
	else
		list_devices(hardware, links_scan, BCOS_DEVICE_NETWORK, BCOS_DEVICE_NETWORK, seen);
	hardware->earliest = 0;
}

void hardware_list_again(struct hardware *hardware)
{
	int i;

	for (i = 0; i < HARDWARE_FDS; i++)
		list_of(hardware, i, true);
}

/* ---- listening --------------------------------------------------------------------- */

static int listen_to(int protocol, u32 groups)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = groups };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol), size = 1 << 20;

	if (fd < 0)
		return -1;
	/* The kernel may grant a smaller buffer, which is no error. */
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	if (!bind(fd, (const struct sockaddr *)&address, sizeof(address)))
		return fd;
	close(fd);
	return -1;
}

void hardware_open(struct hardware *hardware)
{
	hardware->net = machine_net_space();
	hardware->since[UEVENTS] = hardware->since[LINKS] = clock_now(CLOCK_BOOTTIME);
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

/* Read the next message.  Return: its length; 0 if another sender than the kernel sent it; a negative errno. */
static ssize_t receive_uevent(int fd, char *message, size_t size)
{
	struct sockaddr_nl from;
	socklen_t length = sizeof(from);
	ssize_t n = recvfrom(fd, message, size - 1, 0, (struct sockaddr *)&from, &length);

	if (n < 0)
		return -errno;
	/* Any process may send a message, but only the kernel has the port 0. */
	if (from.nl_pid)
		return 0;
	message[n] = 0;
	return n;
}

static void read_from(struct hardware *hardware, int i)
{
	_Alignas(struct nlmsghdr) char message[16384];
	u64 began = clock_now(CLOCK_BOOTTIME);
	u32 left = MESSAGES;
	ssize_t n = 0;

	hardware->earliest = hardware->since[i];
	for (; left && n >= 0; left--) {
		n = receive_uevent(hardware->fd[i], message, sizeof(message));
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
	/* If messages remain, their earliest time stays, and a list has to wait for them. */
	if (n >= 0)
		return;
	/* All messages were read, so a list that is made now is newer than each of them. */
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
