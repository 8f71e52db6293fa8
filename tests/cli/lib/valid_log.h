/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A valid log is written by hand. Each of its entries can be found again by its label. */
#ifndef BCOS_TESTS_CLI_VALID_LOG_H
#define BCOS_TESTS_CLI_VALID_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "bcos_evlog.h"

#define OTHER (BCOS_DEVICE_OTHER + 1)
#define NET BCOS_DEVICE_NETWORK

enum label {
	/* These are the first group. */
	H_CORE,
	H_CPU0,
	H_CPU1,
	H_KERNEL,
	H_INIT,
	H_SELF,
	H_DISK,
	H_ASSIGN0,
	H_ASSIGN1,
	/* These are events. */
	BIRTH,
	ASSIGN,
	RENAME,
	LINE,
	IRQ,
	TUN,
	PACKET,
	EVENT,
	CALLS,
	CORE,
	CPU,
	ASSIGN2,
	CORE_EVENT,
	CPU_EVENT,
	DEVICE_EVENT,
	CORE2,
	/* These are a second group. */
	G_CORE0,
	G_CORE1,
	G_CPU0,
	G_CPU1,
	G_CPU2,
	G_KERNEL,
	G_INIT,
	G_SHELL,
	G_DISK,
	G_NET,
	G_SELF,
	G_LINE,
	G_ASSIGN0,
	G_ASSIGN1,
	G_ASSIGN2,
	/* These are the events after the second group. */
	STATED,
	UNTUN,
	LEAVES,
	DEATH,
	OFFLINE2,
	OFFLINE_CORE,
	LAST_DEVICE,
	LAST,
	ENTRIES
};

struct entry {
	enum label label;
	uint16_t size;
	uint8_t bytes[64];
};

struct list {
	struct entry entry[ENTRIES + 4];
	size_t count;
};

/* Puts all entries of the valid log into the list. */
void put_all(struct list *list);

#endif
