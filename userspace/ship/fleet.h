/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The boots of many machines, from a recorded directory or from a server to which machines ship. */
#ifndef SHIP_FLEET_H
#define SHIP_FLEET_H

#include "archive/recording.h"
#include "transport.h"

#define KERNEL_TEXT 128

/**
 * struct fleet_boot - a boot of a machine
 * @machine: what rows call the machine: its ID, or its name after "host "
 * @host: the name of the machine
 * @kernel: release and architecture of its kernel; empty if unknown
 * @ended: how it ended; empty if it goes on, or nobody knows
 * @first_wall: the wall clock at its first entry, ns since 1970; 0 if unknown
 * @last_wall: likewise at its newest entry
 * @losses: how many entries state a loss
 */
struct fleet_boot {
	char machine[80], host[65], kernel[KERNEL_TEXT], ended[BOOT_END_TEXT];
	u64 first_wall, last_wall, losses;
};

/* Boots of machines, those of a machine together and in the order of time. Zeros are none. */
struct fleet {
	struct fleet_boot *boots;
	size_t count, room;
};

/* Adds the boots of all machines of a recorded directory, which is open as @log.  Return: 0, or -1 after a complaint. */
int fleet_read_recording(struct fleet *fleet, struct bcoslog *log, const char *path);
/* Adds those of which a server has a row in its table boot.  Return: likewise. */
int fleet_read_server(struct fleet *fleet, const struct transport_options *options);
void fleet_free(struct fleet *fleet);

/*
 * Finds out what the log states of the kernel of a boot near its time @last, ns since boot; @text is empty if that is nothing.
 * @machine and @boot are IDs, or NULL.
 */
void fleet_kernel(const char *path, const char *machine, const char *boot, u64 last, char text[KERNEL_TEXT]);

#endif
