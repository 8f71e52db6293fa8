/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Disks, network interfaces and other devices that user space can learn of from
 * /sys, the kernel's device events and rtnetlink.
 */
#ifndef BCOSLOG_HARDWARE_H
#define BCOSLOG_HARDWARE_H

#include "announce.h"

/* Begin to listen to the sources that the kernel grants. */
void hardware_open(struct hardware *hardware);
void hardware_close(struct hardware *hardware);

/* Create the records of the devices that exist. */
void hardware_scan(struct hardware *hardware);

/* Read the new announcements, or a part of them; the next call reads the rest. */
void hardware_read(struct hardware *hardware);

/* List the devices again, because records of BPF programs were lost, and create the records of those that are gone. */
void hardware_list_again(struct hardware *hardware);

/* Return: true if the newest repeated list contains the device. */
bool hardware_is_listed(const struct hardware *hardware, u64 key);

#endif
