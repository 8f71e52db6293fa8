/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records of user space about devices.  User space learns of an event only after the
 * event, so the time of a record is the earliest possible time of its event.  The
 * functions below find the places of these records among the records of BPF programs.
 */
#ifndef BCOSLOG_TOLD_H
#define BCOSLOG_TOLD_H

#include "stream.h"

/* A device about which there are records. */
struct told_device {
	u64 key;
	u64 after;			/* earliest time of the next record about the device */
	bool gone;			/* a record says that the device is gone */
};

/* A zeroed structure is empty, and needs no other initialisation. */
struct told {
	struct stream stream;		/* records in the order of their arrival */
	struct told_device *device;	/* the devices of the records, in ascending order of their keys */
	size_t devices, room;		/* number of elements of @device, and for how many there is room */
};

void told_free(struct told *told);

/**
 * told_place() - move the records to their places
 * @told: the records, which the function removes
 * @streams: the first of the streams of the CPUs, which contain the records of BPF programs
 * @step: distance from one stream to the next in bytes
 * @count: number of streams
 * @to: receives the records; the stream may contain other records already
 *
 * Each record moves to its earliest possible time, but after the record of a BPF program that names the device.  If a
 * record says that a device is gone, the records of user space about it move after all records of BPF programs about
 * it.  The caller makes sure that the streams contain all events before user space learned of the announcements.
 *
 * Return: 0 or -ENOMEM.
 */
int told_place(struct told *told, const struct stream *streams, size_t step, u32 count, struct stream *to);

#endif
