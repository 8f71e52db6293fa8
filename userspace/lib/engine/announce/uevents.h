/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The ways in which the kernel announces devices: /sys and its device events (uevents.c, announced.c), rtnetlink (links.c). */
#ifndef BCOSLOG_UEVENTS_H
#define BCOSLOG_UEVENTS_H

#include "announce.h"

/* These read the devices that /sys has now; the second is part of the first. */
void uevents_scan(struct hardware *hardware);
void announced_scan(struct hardware *hardware);
void links_scan(struct hardware *hardware);

/* Parses a device event of the kernel: @length bytes, any, and a zero byte after them. */
void uevents_parse(struct hardware *hardware, const char *event, size_t length);
/* Parses an announcement of a device of another kind. */
void announced_parse(struct hardware *hardware, const char *event, size_t length);

/**
 * links_parse() - parse messages of rtnetlink
 * @hardware: gets the announcements
 * @messages: any bytes, aligned as struct nlmsghdr, and a zero byte after them
 * @length: bytes of @messages
 * @found: the interfaces existed before anybody looked
 *
 * Return: true if more messages are to come.
 */
bool links_parse(struct hardware *hardware, const void *messages, size_t length, bool found);

#endif
