/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records of user space about devices.  User space learns of an event after it has
 * happened, so a record contains the earliest possible time.  This file finds the
 * places of these records among the records of BPF programs.
 */
#ifndef BCOSLOG_TOLD_H
#define BCOSLOG_TOLD_H

#include "stream.h"

/* A device that records are about. */
struct told_device {
	u64 key;
	u64 after;			/* earliest time of its next record */
	bool gone;			/* a record says that it is gone */
};

/* A zeroed structure is empty, and needs no other initialisation. */
struct told {
	struct stream stream;		/* records in the order of their arrival */
	struct told_device *device;
	size_t devices, room;
};

void told_free(struct told *told);

/**
 * told_place() - move the records to their places
 * @told: the records, which the function removes
 * @streams: the first of the streams of the CPUs, which contain the records of BPF programs
 * @step: distance from one stream to the next in bytes
 * @count: number of streams
 * @to: receives the records; it may contain some already
 *
 * Each record moves to its earliest possible time, but after the record that names the device.  A record that the
 * device is gone moves after all other records about it.  The caller makes sure that the streams contain everything
 * that happened before user space learned of the events.
 *
 * Return: 0 or -ENOMEM.
 */
int told_place(struct told *told, const struct stream *streams, size_t step, u32 count, struct stream *to);

#endif
