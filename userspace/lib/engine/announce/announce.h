/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records of the kernel's announcements of disks, network interfaces and other devices. A record
 * says that a device exists, that it is gone, or what happened to it. The files that read the
 * announcements (uevents.h, hardware.h) create the records by the functions below.
 */
#ifndef BCOSLOG_ANNOUNCE_H
#define BCOSLOG_ANNOUNCE_H

#include "core/raw/raw.h"

/* The number of sources of announcements, each with a descriptor: device events, and rtnetlink. */
#define HARDWARE_FDS 2

/**
 * struct hardware - the announcements of the kernel, and the functions that take them
 * @put: called with each record, whose time, precision and units are set
 * @named: called with the key of a device that was named (@there), or is gone
 * @lost: called with the number of announcements that were lost at some time from @since on
 * @absent: called with a range of keys after a list of its devices: devices of the range that are not in @listed are
 *	gone
 * @context: first argument of these functions
 * @fd: the descriptors of the sources; -1 if the kernel refuses one
 * @net: inode number of this process's network namespace
 * @exact: BPF programs record when disks and interfaces come and go, so announcements of these events are ignored
 * @since: for each source, the earliest possible time of its unread announcements
 * @overrun: for each source, announcements were lost, so all its devices must be listed
 * @earliest: earliest possible time of the announcements that are being read; 0 if it is now
 * @again: a repeated list of the devices is being made
 * @incomplete: the list that is being made lacks devices
 * @listed: keys of the devices of the newest repeated list
 * @count: number of elements of @listed
 * @room: number of elements that @listed has room for
 */
struct hardware {
	void (*put)(void *context, const struct bcos_unit *record, u32 units);
	void (*named)(void *context, u64 key, bool there);
	void (*lost)(void *context, u64 count, const char *what, u64 since);
	void (*absent)(void *context, u32 range);
	void *context;
	int fd[HARDWARE_FDS];
	u32 net;
	bool exact;
	u64 since[HARDWARE_FDS];
	bool overrun[HARDWARE_FDS];
	u64 earliest;
	bool again;
	bool incomplete;
	u64 *listed;
	size_t count, room;
};

/* Create a record of @kind that contains only the key of a device. */
void hardware_put_key(struct hardware *hardware, u8 kind, u16 aux, u64 key);

/* Create the record of an event of a device. @text has at most 32 bytes. */
void hardware_put_event(struct hardware *hardware, u64 key, const char *text);

/**
 * hardware_announce() - create the record of a device that is new, or has another name
 * @hardware: receives the record
 * @key: key of the device
 * @name: name of the device
 * @stacked: the device passes its transfers on to other devices
 * @path: path of the device's folder in /sys
 * @found: the device is from a list of the existing devices, and not from an announcement
 */
void hardware_announce(struct hardware *hardware, u64 key, const char *name, bool stacked, const char *path,
		       bool found);

/* Create the record of a device that is gone, unless a BPF program creates it. */
void hardware_gone(struct hardware *hardware, u64 key);

/**
 * hardware_complete() - add the ancestors of a device to the record of a BPF program
 * @record: BCOS_RAW_UNITS_MAX units that contain a struct bcos_bpf_device; receives the names of the device's ancestors
 *
 * Return: the number of units of the record.
 */
u32 hardware_complete(struct bcos_unit *record);

/* Return: true if BPF programs record when the device comes and goes. */
bool hardware_is_seen(const struct hardware *hardware, u64 key);

#endif
