/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Announcements of disks, network interfaces and other devices: a record says that a device is
 * there, that it is gone, or what happened to it. The files that listen to the kernel (uevents.h,
 * hardware.h) create these records by the functions here.
 */
#ifndef BCOSLOG_ANNOUNCE_H
#define BCOSLOG_ANNOUNCE_H

#include "core/raw/raw.h"

/* The number of descriptors that become readable when the kernel has announced something. */
#define HARDWARE_FDS 2

/**
 * struct hardware - the announcements of the kernel, and the functions that take them
 * @put: takes a record, whose time, precision and units are set
 * @named: takes the key of a device that was named (@there), or is gone
 * @lost: takes the number of announcements that were lost at some time from @since on
 * @absent: takes a range of keys; its devices that are not among @listed are gone
 * @context: first argument of these functions
 * @fd: the descriptors; -1 if the kernel refuses one
 * @net: number of our network namespace
 * @exact: BPF programs record when disks and interfaces come and go, so the announcements of that are ignored
 * @since: for each descriptor, the earliest time of its unread announcements
 * @overrun: for each descriptor, announcements were lost, so all devices must be listed
 * @earliest: earliest time of the present announcement; 0 if it comes at once
 * @again: the devices have been listed before
 * @incomplete: the present list lacks devices
 * @listed: keys of the listed devices
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

/* Creates a record that contains only the key of a device. */
void hardware_put_key(struct hardware *hardware, u8 kind, u16 aux, u64 key);

/* Creates an event of a device. @text has at most 32 bytes. */
void hardware_put_event(struct hardware *hardware, u64 key, const char *text);

/**
 * hardware_announce() - create the record of a device that is new, or has another name
 * @hardware: takes the record
 * @key: key of the device
 * @name: name of the device
 * @stacked: the device passes its transfers on to other devices
 * @path: path of its folder in /sys
 * @found: the device existed before the engine listened
 */
void hardware_announce(struct hardware *hardware, u64 key, const char *name, bool stacked, const char *path,
		       bool found);

/* Creates the record of a device that is gone. */
void hardware_gone(struct hardware *hardware, u64 key);

/**
 * hardware_complete() - add the ancestors of a device that a BPF program named
 * @record: BCOS_RAW_UNITS_MAX units that contain a struct bcos_bpf_device; receives the names of its ancestors
 *
 * Return: the number of units of the record.
 */
u32 hardware_complete(struct bcos_unit *record);

/* Return: true if BPF programs record when the device comes and goes. */
bool hardware_is_seen(const struct hardware *hardware, u64 key);

#endif
