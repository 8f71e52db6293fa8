/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Disks, network interfaces and input devices are announced: each as a record that says that it is
 * there, that it has gone, or what happened to it. The files that listen to the kernel use this one
 * (uevents.h, hardware.h).
 */
#ifndef BCOSLOG_ANNOUNCE_H
#define BCOSLOG_ANNOUNCE_H

#include "core/raw/raw.h"

/* Descriptors that are readable when there is news. */
#define HARDWARE_FDS 2

/**
 * struct hardware - who is told
 * @put: takes a record; its time and units are set, and how much later it may have been
 * @named: a device with this key was named, or is gone
 * @lost: some was never told, at some time from @since on
 * @absent: those with a key of this range that are not among @listed have gone
 * @context: for them
 * @fd: or -1
 * @net: our network namespace
 * @exact: programs see disks and interfaces come and go, so only what else happens to them is told
 * @since: for each descriptor: what it tells now is not older
 * @overrun: for each descriptor: some was lost, so all that there is is to be listed
 * @earliest: of what is being told; 0: it is told when it happens
 * @again: what is being listed is not for the first time
 * @incomplete: not all was listed
 * @listed: keys of what was listed
 * @count: so many of them
 * @room: for so many
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

/* A record about a device that has no more to say. */
void hardware_put_key(struct hardware *hardware, u8 kind, u16 aux, u64 key);

/* Something that is to be said of a device, of at most 32 bytes. */
void hardware_put_event(struct hardware *hardware, u64 key, const char *text);

/**
 * hardware_announce() - a device is there, or has another name
 * @hardware: who is told
 * @key: of the device
 * @name: what it is called
 * @stacked: what it is given it passes on
 * @path: of its folder in /sys
 * @found: it was there before anybody looked
 */
void hardware_announce(struct hardware *hardware, u64 key, const char *name, bool stacked, const char *path,
		       bool found);

/* It is gone. */
void hardware_gone(struct hardware *hardware, u64 key);

/**
 * hardware_complete() - a device that a BPF program named
 * @record: of BCOS_RAW_UNITS_MAX units: it, as struct bcos_bpf_device; out: with what it hangs on
 *
 * Return: its units.
 */
u32 hardware_complete(struct bcos_unit *record);

/* Do programs see the device come and go? */
bool hardware_is_seen(const struct hardware *hardware, u64 key);

#endif
