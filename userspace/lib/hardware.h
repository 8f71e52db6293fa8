/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Disks, network interfaces and input devices, as far as user space is told
 * of them: by /sys, the kernel's device events and rtnetlink.
 */
#ifndef BCOSLOG_HARDWARE_H
#define BCOSLOG_HARDWARE_H

#include "core/raw.h"

/* Descriptors that are readable when there is news. */
#define HARDWARE_FDS 2

/**
 * struct hardware - who is told
 * @put: takes a record; its time and units are set
 * @named: a device with this key was named, or is gone
 * @context: for them
 * @fd: or -1
 * @net: our network namespace
 */
struct hardware {
	void (*put)(void *context, const struct bcos_unit *record, u32 units);
	void (*named)(void *context, u32 key, bool there);
	void *context;
	int fd[HARDWARE_FDS];
	u32 net;
};

/* Begin to listen.  What cannot be listened to is left out. */
void hardware_open(struct hardware *hardware);
void hardware_close(struct hardware *hardware);

/* Those that are there. */
void hardware_scan(struct hardware *hardware);

/* What was told since the last time. */
void hardware_read(struct hardware *hardware);

/**
 * hardware_complete() - a device that a BPF program named
 * @record: of BCOS_RAW_UNITS_MAX units: it, as struct bcos_bpf_device; out: with what it hangs on
 *
 * Return: its units.
 */
u32 hardware_complete(struct bcos_unit *record);

#endif
