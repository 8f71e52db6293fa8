/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Disks, network interfaces and input devices, as far as user space is told
 * of them: by /sys, the kernel's device events and rtnetlink.
 */
#ifndef BCOSLOG_HARDWARE_H
#define BCOSLOG_HARDWARE_H

#include "announce.h"

/* Begins to listen. Sources that the kernel refuses are left out. */
void hardware_open(struct hardware *hardware);
void hardware_close(struct hardware *hardware);

/* Announces the devices that exist. */
void hardware_scan(struct hardware *hardware);

/* Reads the new messages, or a part of them; the next call reads the rest. */
void hardware_read(struct hardware *hardware);

/* Lists the devices again after records of BPF programs were lost, and reports those that are gone. */
void hardware_list_again(struct hardware *hardware);

/* Return: true if the last list contains the device. */
bool hardware_is_listed(const struct hardware *hardware, u64 key);

#endif
