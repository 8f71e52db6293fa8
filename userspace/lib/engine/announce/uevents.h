/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The readers of /sys and of the kernel's device events (uevents.c, announced.c), and of rtnetlink (links.c). */
#ifndef BCOSLOG_UEVENTS_H
#define BCOSLOG_UEVENTS_H

#include "announce.h"

/* List the devices in /sys. */
void uevents_scan(struct hardware *hardware);
/* List the terminals, sound, graphics and USB devices in /sys, as a part of uevents_scan(). */
void announced_scan(struct hardware *hardware);
/* List the network interfaces by rtnetlink. */
void links_scan(struct hardware *hardware);

/* Parse a device event about a disk or input device: @length bytes of any values, and a zero byte after them. */
void uevents_parse(struct hardware *hardware, const char *event, size_t length);
/* Parse a device event about a device of another kind, or about a change of a disk. */
void announced_parse(struct hardware *hardware, const char *event, size_t length);

/**
 * links_parse() - parse messages of rtnetlink
 * @hardware: receives the records
 * @messages: the messages, which may consist of any bytes, aligned as struct nlmsghdr, and a zero byte after them
 * @length: size of @messages in bytes, without the zero byte
 * @found: the messages are a list of the existing interfaces
 *
 * Return: true if more messages are to come.
 */
bool links_parse(struct hardware *hardware, const void *messages, size_t length, bool found);

#endif
