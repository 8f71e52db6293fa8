/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The state of a log, as state.c keeps it and the check judges by it. */
#ifndef BCOSLOG_STATE_H
#define BCOSLOG_STATE_H

#include "core/entry.h"

#include "bcoslog.h"
#include "table.h"

/* Most names are comm: at most 15 bytes. */
#define NAME_INLINE 24

struct name {
	char *text;		/* small, or allocated */
	u32 length, room;
	char small[NAME_INLINE];
};

/*
 * Each item begins with its node.  A serial number tells incarnations of an
 * ID apart, so that what refers to a past one does not count for the next;
 * 0 is no incarnation.  @group is the check's: in which group it was stated.
 */
struct process {
	struct node node;
	u32 group;
	u64 serial;
	struct bcoslog_process public;
	struct name name;
};

struct device {
	struct node node;
	u32 group;
	u64 driver_serial;
	struct bcoslog_device public;
	struct name name;
};

struct core {
	struct node node;
	u32 group;
	u64 serial;
	struct bcoslog_core public;
	u32 *performance;
};

struct cpu {
	struct node node;
	u32 group, assign_group;
	u64 core_serial, process_serial;
	struct bcoslog_cpu public;
};

struct bcoslog_state {
	struct table processes, devices, cores, cpus;
	u32 assigned;		/* CPUs of which it is known what they run */
	u64 serial;		/* newest given */
	u64 memory;		/* bytes of items and names */
};

#endif
